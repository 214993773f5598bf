-- The orders by author and by price read an index, instead of the values of all events.
BEGIN;

DROP INDEX "event_author_id_idx";
CREATE INDEX "event_author_id_idx" ON "event"("author_id", "starts_at", "published_at", "id");

ALTER TABLE "event" ADD COLUMN "lowest_ticket" DOUBLE PRECISION;

CREATE FUNCTION renew_lowest_ticket() RETURNS trigger LANGUAGE plpgsql
  -- A plan that was made while a table was empty stays.
  SET enable_seqscan = off AS $$
BEGIN
  -- A transaction that changes the same event waits here, so that the next statement reads what the other one wrote.
  PERFORM FROM event WHERE id IN (SELECT event_id FROM changed) ORDER BY id FOR NO KEY UPDATE;
  UPDATE event e SET lowest_ticket = source.lowest
  FROM (SELECT event_id, (SELECT min(price) FROM ticket t WHERE t.event_id = events.event_id)::float8 AS lowest
        FROM (SELECT DISTINCT event_id FROM changed) events) source
  WHERE e.id = source.event_id AND e.lowest_ticket IS DISTINCT FROM source.lowest;
  RETURN NULL;
END $$;

-- The event of a ticket does not change.
CREATE TRIGGER lowest_ticket_insert AFTER INSERT ON "ticket" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION renew_lowest_ticket();
CREATE TRIGGER lowest_ticket_update AFTER UPDATE ON "ticket" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION renew_lowest_ticket();
CREATE TRIGGER lowest_ticket_delete AFTER DELETE ON "ticket" REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION renew_lowest_ticket();

CREATE INDEX "event_lowest_price_idx" ON "event"(least("lowest_cost", "lowest_ticket"), "starts_at", "published_at", "id")
  WHERE least("lowest_cost", "lowest_ticket") IS NOT NULL;
-- Events with the same price are in the order of start in both directions.
CREATE INDEX "event_highest_price_idx" ON "event"(least("lowest_cost", "lowest_ticket") DESC, "starts_at", "published_at", "id")
  WHERE least("lowest_cost", "lowest_ticket") IS NOT NULL;

UPDATE event SET lowest_ticket = tickets.lowest
FROM (SELECT event_id, min(price)::float8 AS lowest FROM ticket GROUP BY event_id) tickets
WHERE id = tickets.event_id;

COMMIT;
