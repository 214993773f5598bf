-- Facets read the keys of thousands of events, so their time depends on the size of these rows. Categories, tags and languages
-- are stored as the text of an array: it is half as long, and faster to group by, and few of them differ.
BEGIN;

ALTER TABLE "event_facet_keys"
  ALTER COLUMN "category_ids" DROP DEFAULT,
  ALTER COLUMN "tag_ids" DROP DEFAULT,
  ALTER COLUMN "languages" DROP DEFAULT;
ALTER TABLE "event_facet_keys"
  ALTER COLUMN "category_ids" TYPE TEXT COLLATE "C" USING "category_ids"::text,
  ALTER COLUMN "tag_ids" TYPE TEXT COLLATE "C" USING "tag_ids"::text,
  ALTER COLUMN "languages" TYPE TEXT COLLATE "C" USING "languages"::text,
  ADD COLUMN "paid_tickets" BOOLEAN;
ALTER TABLE "event_facet_keys"
  ALTER COLUMN "category_ids" SET DEFAULT '{}',
  ALTER COLUMN "tag_ids" SET DEFAULT '{}',
  ALTER COLUMN "languages" SET DEFAULT '{}';

UPDATE event_facet_keys k SET paid_tickets = tickets.paid
FROM (SELECT event_id, bool_or(price > 0) AS paid FROM ticket GROUP BY event_id) tickets
WHERE k.event_id = tickets.event_id;

DO $$
DECLARE
  source text;
BEGIN
  FOREACH source IN ARRAY ARRAY['event_category', 'event_tag', 'event_venue', 'event_organizer', 'event_text'] LOOP
    EXECUTE format('DROP TRIGGER facet_keys_insert ON %1$I; DROP TRIGGER facet_keys_delete ON %1$I', source);
  END LOOP;
  DROP TRIGGER facet_keys_update ON event_text;
END $$;

-- The statements are not built from names: PostgreSQL plans them once per connection, instead of for each write.
CREATE OR REPLACE FUNCTION renew_facet_keys() RETURNS trigger LANGUAGE plpgsql
  -- A plan that was made while a table was empty stays.
  SET enable_seqscan = off AS $$
BEGIN
  -- A transaction that changes the same event waits here, so that the next statement reads what the other one wrote.
  PERFORM FROM event_facet_keys WHERE event_id IN (SELECT event_id FROM changed) ORDER BY event_id FOR NO KEY UPDATE;
  CASE TG_TABLE_NAME
    WHEN 'event_category' THEN
      UPDATE event_facet_keys k SET category_ids = source.keys
      FROM (SELECT event_id,
              ARRAY(SELECT category_id FROM event_category l WHERE l.event_id = events.event_id ORDER BY 1)::text AS keys
            FROM (SELECT DISTINCT event_id FROM changed) events) source
      WHERE k.event_id = source.event_id AND k.category_ids <> source.keys;
    WHEN 'event_tag' THEN
      UPDATE event_facet_keys k SET tag_ids = source.keys
      FROM (SELECT event_id, ARRAY(SELECT tag_id FROM event_tag l WHERE l.event_id = events.event_id ORDER BY 1)::text AS keys
            FROM (SELECT DISTINCT event_id FROM changed) events) source
      WHERE k.event_id = source.event_id AND k.tag_ids <> source.keys;
    WHEN 'event_venue' THEN
      UPDATE event_facet_keys k SET venue_ids = source.keys
      FROM (SELECT event_id, ARRAY(SELECT venue_id FROM event_venue l WHERE l.event_id = events.event_id ORDER BY 1) AS keys
            FROM (SELECT DISTINCT event_id FROM changed) events) source
      WHERE k.event_id = source.event_id AND k.venue_ids <> source.keys;
    WHEN 'event_organizer' THEN
      UPDATE event_facet_keys k SET organizer_ids = source.keys
      FROM (SELECT event_id,
              ARRAY(SELECT organizer_id FROM event_organizer l WHERE l.event_id = events.event_id ORDER BY 1) AS keys
            FROM (SELECT DISTINCT event_id FROM changed) events) source
      WHERE k.event_id = source.event_id AND k.organizer_ids <> source.keys;
    WHEN 'event_text' THEN
      UPDATE event_facet_keys k SET languages = source.keys
      FROM (SELECT event_id,
              ARRAY(SELECT language FROM event_text l WHERE l.event_id = events.event_id AND 'name' = ANY(l.written)
                    ORDER BY 1)::text AS keys
            FROM (SELECT DISTINCT event_id FROM changed) events) source
      WHERE k.event_id = source.event_id AND k.languages <> source.keys;
    WHEN 'ticket' THEN
      UPDATE event_facet_keys k SET paid_tickets = source.paid
      FROM (SELECT event_id, (SELECT bool_or(price > 0) FROM ticket t WHERE t.event_id = events.event_id) AS paid
            FROM (SELECT DISTINCT event_id FROM changed) events) source
      WHERE k.event_id = source.event_id AND k.paid_tickets IS DISTINCT FROM source.paid;
  END CASE;
  RETURN NULL;
END $$;

-- The event of a text, a link or a ticket does not change, and links are not updated.
DO $$
DECLARE
  source text;
BEGIN
  FOREACH source IN ARRAY ARRAY['event_category', 'event_tag', 'event_venue', 'event_organizer', 'event_text', 'ticket'] LOOP
    EXECUTE format('CREATE TRIGGER facet_keys_insert AFTER INSERT ON %I REFERENCING NEW TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION renew_facet_keys()', source);
    EXECUTE format('CREATE TRIGGER facet_keys_delete AFTER DELETE ON %I REFERENCING OLD TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION renew_facet_keys()', source);
  END LOOP;
  FOREACH source IN ARRAY ARRAY['event_text', 'ticket'] LOOP
    EXECUTE format('CREATE TRIGGER facet_keys_update AFTER UPDATE ON %I REFERENCING NEW TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION renew_facet_keys()', source);
  END LOOP;
END $$;

-- With these columns, PostgreSQL counts the facets of a month without reading its events.
DROP INDEX "event_starts_at_idx";
CREATE INDEX "event_starts_at_idx" ON "event"("starts_at", "published_at", "id", "live", "hide_from_listings", "ends_at", "password_key", "lowest_cost", "highest_cost");

ANALYZE "event_facet_keys";

COMMIT;
