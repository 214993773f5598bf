-- Lists and suggestions in the order of the end find out from the index which events are shown: 0.2 s for 100,000 events.
BEGIN;

DROP INDEX "event_ends_at_published_at_id_idx";
CREATE INDEX "event_ends_at_idx" ON "event"("ends_at", "published_at", "id", "live", "hide_from_listings", "password_key");

COMMIT;
