-- With these columns, PostgreSQL counts the events of a calendar, and finds the first ones of each day, without reading events.
BEGIN;

DROP INDEX "event_starts_at_idx";
CREATE INDEX "event_starts_at_idx" ON "event"("starts_at", "published_at", "id", "live", "hide_from_listings", "ends_at", "password_key", "lowest_cost", "highest_cost", "sticky", "all_day");

DROP INDEX "event_starts_local_idx";
CREATE INDEX "event_starts_local_idx" ON "event"("starts_local", "published_at", "id", "live", "hide_from_listings", "ends_local", "password_key", "sticky", "all_day");

COMMIT;
