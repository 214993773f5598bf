-- Facets count the months of upcoming events by an index-only scan.
BEGIN;

DROP INDEX "event_starts_at_idx";
CREATE INDEX "event_starts_at_idx" ON "event"("starts_at", "published_at", "id", "live", "hide_from_listings", "ends_at", "password_key", "lowest_cost", "highest_cost", "sticky", "all_day", "starts_local");

COMMIT;
