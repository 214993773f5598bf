-- Lists in the order of the start find the events that have not ended without reading those that have, whether the order is
-- by local times and the end an instant, or the other way round.
BEGIN;

DROP INDEX "event_starts_at_idx";
CREATE INDEX "event_starts_at_idx" ON "event"("starts_at", "published_at", "id", "live", "hide_from_listings", "ends_at", "password_key", "lowest_cost", "highest_cost", "sticky", "all_day", "starts_local", "ends_local");

DROP INDEX "event_starts_local_idx";
CREATE INDEX "event_starts_local_idx" ON "event"("starts_local", "published_at", "id", "live", "hide_from_listings", "ends_local", "password_key", "sticky", "all_day", "ends_at");

COMMIT;
