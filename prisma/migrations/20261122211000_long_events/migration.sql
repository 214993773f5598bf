BEGIN;

-- A calendar finds the events of its days by their start, and those that began earlier by these indexes of few events.
CREATE INDEX "event_long_idx" ON "event"("ends_at", "starts_at") WHERE "ends_at" - "starts_at" > INTERVAL '1 day';
CREATE INDEX "event_long_local_idx" ON "event"("ends_local", "starts_local")
  WHERE "ends_local" - "starts_local" > INTERVAL '1 day';

-- Without them, the planner assumes that a third of all events are long.
CREATE STATISTICS "event_duration" ON ("ends_at" - "starts_at") FROM "event";
CREATE STATISTICS "event_local_duration" ON ("ends_local" - "starts_local") FROM "event";
ANALYZE "event";

COMMIT;
