-- Facets of a range of days read the keys of its events from an index, instead of all keys.
BEGIN;

-- Null for events that last long: from the end of the others, the filter derives a range of starts.
ALTER TABLE "event_facet_keys" ADD COLUMN "starts_at" TIMESTAMPTZ(0);

UPDATE event_facet_keys k SET starts_at = e.starts_at FROM event e WHERE e.id = k.event_id AND NOT e.lasts_long;

-- A row of an index can have 2,700 bytes.
ALTER TABLE "event_facet_keys" ADD COLUMN "indexed" BOOLEAN GENERATED ALWAYS AS (
  starts_at IS NOT NULL
  AND octet_length(category_ids) + octet_length(tag_ids) + octet_length(languages)
    + 4 * (cardinality(venue_ids) + cardinality(organizer_ids)) < 2000
) STORED;

CREATE INDEX "event_facet_keys_starts_at_idx" ON "event_facet_keys"("starts_at", "event_id")
  INCLUDE ("category_ids", "tag_ids", "venue_ids", "organizer_ids", "languages", "paid_tickets") WHERE "indexed";
CREATE INDEX "event_facet_keys_others_idx" ON "event_facet_keys"("event_id") WHERE NOT "indexed";

CREATE OR REPLACE FUNCTION add_facet_keys() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO event_facet_keys (event_id, starts_at) SELECT id, CASE WHEN NOT lasts_long THEN starts_at END FROM changed;
  RETURN NULL;
END $$;

CREATE FUNCTION move_facet_keys() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE event_facet_keys SET starts_at = CASE WHEN NOT NEW.lasts_long THEN NEW.starts_at END WHERE event_id = NEW.id;
  RETURN NULL;
END $$;

CREATE TRIGGER facet_keys_move AFTER UPDATE ON "event" FOR EACH ROW
  WHEN (OLD.starts_at IS DISTINCT FROM NEW.starts_at OR OLD.lasts_long IS DISTINCT FROM NEW.lasts_long)
  EXECUTE FUNCTION move_facet_keys();

ANALYZE "event_facet_keys";

COMMIT;
