-- Facets count events by their links and languages. Reading these from the tables of links takes one look-up per event and
-- facet, which is most of the time. One row per event has them all; triggers maintain it.
BEGIN;

CREATE TABLE "event_facet_keys" (
    "event_id" INTEGER NOT NULL,
    "category_ids" INTEGER[] NOT NULL DEFAULT ARRAY[]::INTEGER[],
    "tag_ids" INTEGER[] NOT NULL DEFAULT ARRAY[]::INTEGER[],
    "venue_ids" INTEGER[] NOT NULL DEFAULT ARRAY[]::INTEGER[],
    "organizer_ids" INTEGER[] NOT NULL DEFAULT ARRAY[]::INTEGER[],
    "languages" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],

    CONSTRAINT "event_facet_keys_pkey" PRIMARY KEY ("event_id")
) WITH (fillfactor = 80);

INSERT INTO "event_facet_keys" ("event_id", "category_ids", "tag_ids", "venue_ids", "organizer_ids", "languages")
  SELECT id,
    ARRAY(SELECT category_id FROM event_category WHERE event_id = id ORDER BY 1),
    ARRAY(SELECT tag_id FROM event_tag WHERE event_id = id ORDER BY 1),
    ARRAY(SELECT venue_id FROM event_venue WHERE event_id = id ORDER BY 1),
    ARRAY(SELECT organizer_id FROM event_organizer WHERE event_id = id ORDER BY 1),
    ARRAY(SELECT language FROM event_text WHERE event_id = id AND 'name' = ANY(written) ORDER BY 1)
  FROM event;

ALTER TABLE "event_facet_keys" ADD CONSTRAINT "event_facet_keys_event_id_fkey" FOREIGN KEY ("event_id") REFERENCES "event"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE FUNCTION add_facet_keys() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO event_facet_keys (event_id) SELECT id FROM changed;
  RETURN NULL;
END $$;

CREATE TRIGGER facet_keys_insert AFTER INSERT ON "event" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION add_facet_keys();

-- Arguments: the column of the keys, the table that they are read from, its column, and a condition.
CREATE FUNCTION renew_facet_keys() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- A transaction that changes the same event waits here, so that the next statement reads what the other one wrote.
  PERFORM FROM event_facet_keys WHERE event_id IN (SELECT event_id FROM changed) ORDER BY event_id FOR NO KEY UPDATE;
  EXECUTE format(
    'UPDATE event_facet_keys k SET %1$I = source.keys
     FROM (SELECT event_id, ARRAY(SELECT %3$I FROM %2$I l WHERE l.event_id = events.event_id AND %4$s ORDER BY 1) AS keys
           FROM (SELECT DISTINCT event_id FROM changed) events) source
     WHERE k.event_id = source.event_id AND k.%1$I <> source.keys',
    TG_ARGV[0], TG_TABLE_NAME, TG_ARGV[1], TG_ARGV[2]);
  RETURN NULL;
END $$;

DO $$
DECLARE
  kind text;
BEGIN
  FOREACH kind IN ARRAY ARRAY['category', 'tag', 'venue', 'organizer'] LOOP
    EXECUTE format('CREATE TRIGGER facet_keys_insert AFTER INSERT ON %1$I REFERENCING NEW TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION renew_facet_keys(%2$L, %3$L, %4$L)',
      'event_' || kind, kind || '_ids', kind || '_id', 'true');
    EXECUTE format('CREATE TRIGGER facet_keys_delete AFTER DELETE ON %1$I REFERENCING OLD TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION renew_facet_keys(%2$L, %3$L, %4$L)',
      'event_' || kind, kind || '_ids', kind || '_id', 'true');
  END LOOP;
  -- The language of a text and its event do not change.
  EXECUTE format('CREATE TRIGGER facet_keys_insert AFTER INSERT ON event_text REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION renew_facet_keys(%L, %L, %L)', 'languages', 'language', '''name'' = ANY(l.written)');
  EXECUTE format('CREATE TRIGGER facet_keys_update AFTER UPDATE ON event_text REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION renew_facet_keys(%L, %L, %L)', 'languages', 'language', '''name'' = ANY(l.written)');
  EXECUTE format('CREATE TRIGGER facet_keys_delete AFTER DELETE ON event_text REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION renew_facet_keys(%L, %L, %L)', 'languages', 'language', '''name'' = ANY(l.written)');
END $$;

-- A month view selects events that begin before its end and end after its start. Since nearly all events are shorter than a
-- month, an index finds them by start; the few others have their own index.
ALTER TABLE "event" ADD COLUMN "lasts_long" BOOLEAN
  GENERATED ALWAYS AS ("ends_local" > "starts_local" + interval '31 days') STORED;

CREATE INDEX "event_lasts_long_idx" ON "event"("starts_local") WHERE "lasts_long";

ANALYZE "event", "event_facet_keys";

COMMIT;
