-- What the dates of a series share (texts, slugs, links, tickets) belongs to a content, which is stored once. An event that is not
-- part of a series has a content with its own ID. The tables get new names, and views with the earlier names have their rows for
-- each event.
BEGIN;

SELECT set_config('search_path', (
  SELECT string_agg(quote_ident(name), ', ' ORDER BY position)
  FROM unnest(current_schemas(false)) WITH ORDINALITY AS effective(name, position)) || ', pg_temp', true);
SET LOCAL check_function_bodies = off;

CREATE TABLE content (
  id integer NOT NULL,
  CONSTRAINT content_pkey PRIMARY KEY (id)
);
INSERT INTO content SELECT id FROM event;

ALTER TABLE event DISABLE TRIGGER USER;
ALTER TABLE event ADD COLUMN content_id integer;
UPDATE event SET content_id = id;
ALTER TABLE event ENABLE TRIGGER USER;
ALTER TABLE event ALTER COLUMN content_id SET NOT NULL;
CREATE INDEX event_content_id_id_idx ON event (content_id, id);
ALTER TABLE event ADD CONSTRAINT event_content_id_fkey FOREIGN KEY (content_id) REFERENCES content(id) ON UPDATE CASCADE ON DELETE CASCADE;

DROP TRIGGER unlink_terms ON event;
DROP FUNCTION unlink_terms;

DO $$
DECLARE
  part text;
  renamed record;
BEGIN
  FOREACH part IN ARRAY ARRAY['text', 'slug', 'venue', 'organizer', 'category', 'tag', 'ticket'] LOOP
    EXECUTE format('ALTER TABLE %1$s RENAME TO content_%2$s', CASE part WHEN 'ticket' THEN part ELSE 'event_' || part END, part);
    EXECUTE format('ALTER TABLE content_%s RENAME COLUMN event_id TO content_id', part);
    FOR renamed IN
      SELECT conname AS name, regexp_replace(replace(conname, 'event_id', 'content_id'), '^(event_)?', 'content_') AS new_name
      FROM pg_constraint WHERE conrelid = ('content_' || part)::regclass
    LOOP
      EXECUTE format('ALTER TABLE content_%s RENAME CONSTRAINT %I TO %I', part, renamed.name, renamed.new_name);
    END LOOP;
    FOR renamed IN
      SELECT relname AS name, regexp_replace(replace(relname, 'event_id', 'content_id'), '^(event_)?', 'content_') AS new_name
      FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
      WHERE indrelid = ('content_' || part)::regclass AND NOT indisprimary
    LOOP
      EXECUTE format('ALTER INDEX %I RENAME TO %I', renamed.name, renamed.new_name);
    END LOOP;
    EXECUTE format('ALTER TABLE content_%s DROP CONSTRAINT content_%1$s_content_id_fkey', part);
    EXECUTE format('ALTER TABLE content_%s ADD CONSTRAINT content_%1$s_content_id_fkey FOREIGN KEY (content_id) REFERENCES content(id) ON UPDATE CASCADE ON DELETE CASCADE', part);
  END LOOP;
END $$;
ALTER SEQUENCE ticket_id_seq RENAME TO content_ticket_id_seq;

CREATE VIEW event_text AS
  SELECT e.id AS event_id, c.language, c.name, c.description, c.excerpt, c.slug, c.written, c.source, c.folded, c.stems, c.folded_name, c.description_source, c.excerpt_source FROM event e JOIN content_text c ON c.content_id = e.content_id;
CREATE VIEW event_slug AS
  SELECT e.id AS event_id, c.slug FROM event e JOIN content_slug c ON c.content_id = e.content_id;
CREATE VIEW event_venue AS
  SELECT e.id AS event_id, c.venue_id, c.position FROM event e JOIN content_venue c ON c.content_id = e.content_id;
CREATE VIEW event_organizer AS
  SELECT e.id AS event_id, c.organizer_id, c.position FROM event e JOIN content_organizer c ON c.content_id = e.content_id;
CREATE VIEW event_category AS
  SELECT e.id AS event_id, c.category_id FROM event e JOIN content_category c ON c.content_id = e.content_id;
CREATE VIEW event_tag AS
  SELECT e.id AS event_id, c.tag_id FROM event e JOIN content_tag c ON c.content_id = e.content_id;
CREATE VIEW ticket AS
  SELECT e.id AS event_id, c.id, c.position, c.name, c.price, c.currency, c.capacity, c.sales_start, c.sales_end FROM event e JOIN content_ticket c ON c.content_id = e.content_id;

-- An event without content gets one with its own ID, and its content is deleted with it.
CREATE FUNCTION add_content() RETURNS trigger
  LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF NEW.content_id IS NULL OR NEW.content_id = NEW.id THEN
    NEW.content_id := NEW.id;
    INSERT INTO content VALUES (NEW.id) ON CONFLICT DO NOTHING;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER add_content BEFORE INSERT OR UPDATE OF content_id ON event FOR EACH ROW EXECUTE FUNCTION add_content();

CREATE FUNCTION delete_content() RETURNS trigger
  LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  DELETE FROM content WHERE id IN (SELECT id FROM old_rows WHERE content_id = id);
  RETURN NULL;
END $$;
CREATE TRIGGER delete_content AFTER DELETE ON event REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION delete_content();

-- Three trigger functions from one text, because the rows of a statement have other names in each.
-- The counts of the terms of events that are added to a series, changed or deleted. The rows before and after a change cancel each other
-- out, without a join, which a plan for one row would make quadratic. Triggers run in the order of their names, so the links of deleted
-- events are still there. Other new events have no links yet.
DO $do$
DECLARE
  operation text;
  term text;
  source text;
  counts text;
BEGIN
  FOREACH operation IN ARRAY ARRAY['insert', 'update', 'delete'] LOOP
    source := CASE operation
      WHEN 'insert' THEN 'SELECT *, 1 AS change FROM new_rows WHERE content_id <> id'
      WHEN 'delete' THEN 'SELECT *, -1 AS change FROM old_rows'
      ELSE 'SELECT *, -1 AS change FROM old_rows UNION ALL SELECT *, 1 FROM new_rows' END;
    source := format($source$
      SELECT content_id, CASE WHEN status = 'future' OR published_at > now() THEN published_at ELSE '0001-01-01 00:00:00+00' END AS published_at,
        coalesce(password_key, '') AS password_key, CASE WHEN password_key IS NULL THEN 0 ELSE coalesce(author_id, 0) END AS author_id,
        id %% 16 AS part, sum(change) AS change
      FROM (%s) AS rows WHERE live GROUP BY 1, 2, 3, 4, 5 HAVING sum(change) <> 0
    $source$, source);
    counts := '';
    FOREACH term IN ARRAY ARRAY['category', 'tag'] LOOP
      counts := counts || format($count$
  INSERT INTO %1$s_count AS c (%1$s_id, published_at, password_key, author_id, part, events)
    SELECT l.%1$s_id, e.published_at, e.password_key, e.author_id, e.part, sum(e.change)
    FROM (%2$s) e JOIN content_%1$s l USING (content_id)
    GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
  ON CONFLICT ON CONSTRAINT %1$s_count_pkey DO UPDATE SET events = c.events + excluded.events;
      $count$, term, source);
    END LOOP;
    EXECUTE format($create$
CREATE FUNCTION count_%1$s() RETURNS trigger
  LANGUAGE plpgsql SET enable_seqscan = 'off' SET search_path FROM CURRENT AS $$
BEGIN
  IF NOT EXISTS (%4$s) THEN
    RETURN NULL;
  END IF;
  %2$s
  RETURN NULL;
END $$;
CREATE TRIGGER count_%1$s AFTER %1$s ON event REFERENCING %3$s FOR EACH STATEMENT EXECUTE FUNCTION count_%1$s();
    $create$, operation, counts, CASE operation WHEN 'insert' THEN 'NEW TABLE AS new_rows' WHEN 'delete' THEN 'OLD TABLE AS old_rows'
      ELSE 'OLD TABLE AS old_rows NEW TABLE AS new_rows' END, source);
  END LOOP;
END $do$;
DROP TRIGGER recount_event ON event;
DROP FUNCTION recount_event, add_to_counts;

CREATE OR REPLACE FUNCTION count_links() RETURNS trigger
  LANGUAGE plpgsql SET enable_seqscan = 'off' SET search_path FROM CURRENT AS $$
DECLARE
  change INTEGER := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
  IF TG_ARGV[0] = 'category' THEN
    INSERT INTO category_count AS c (category_id, published_at, password_key, author_id, part, events)
      SELECT l.category_id, counts_from(e), coalesce(e.password_key, ''),
        CASE WHEN e.password_key IS NULL THEN 0 ELSE coalesce(e.author_id, 0) END, e.id % 16, change * count(*)
      FROM changed l JOIN event e ON e.content_id = l.content_id JOIN category t ON t.id = l.category_id
      WHERE e.live GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT ON CONSTRAINT category_count_pkey DO UPDATE SET events = c.events + excluded.events;
  ELSE
    INSERT INTO tag_count AS c (tag_id, published_at, password_key, author_id, part, events)
      SELECT l.tag_id, counts_from(e), coalesce(e.password_key, ''),
        CASE WHEN e.password_key IS NULL THEN 0 ELSE coalesce(e.author_id, 0) END, e.id % 16, change * count(*)
      FROM changed l JOIN event e ON e.content_id = l.content_id JOIN tag t ON t.id = l.tag_id
      WHERE e.live GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT ON CONSTRAINT tag_count_pkey DO UPDATE SET events = c.events + excluded.events;
  END IF;
  RETURN NULL;
END $$;

-- The values by which facets count the events of a content.
CREATE VIEW content_facet_keys AS
  SELECT c.id AS content_id,
    ARRAY(SELECT category_id FROM content_category l WHERE l.content_id = c.id ORDER BY 1)::text AS category_ids,
    ARRAY(SELECT tag_id FROM content_tag l WHERE l.content_id = c.id ORDER BY 1)::text AS tag_ids,
    ARRAY(SELECT venue_id FROM content_venue l WHERE l.content_id = c.id ORDER BY 1) AS venue_ids,
    ARRAY(SELECT organizer_id FROM content_organizer l WHERE l.content_id = c.id ORDER BY 1) AS organizer_ids,
    ARRAY(SELECT language FROM content_text l WHERE l.content_id = c.id AND 'name' = ANY(l.written) ORDER BY 1)::text AS languages,
    (SELECT bool_or(price > 0) FROM content_ticket l WHERE l.content_id = c.id) AS paid_tickets
  FROM content c;

-- The statements are not built from names: PostgreSQL plans them once per connection, instead of for each write.
CREATE OR REPLACE FUNCTION renew_facet_keys() RETURNS trigger
  LANGUAGE plpgsql SET enable_seqscan = 'off' SET search_path FROM CURRENT AS $$
BEGIN
  -- A transaction that changes the same event waits here, so that the next statement reads what the other one wrote.
  PERFORM FROM event_facet_keys
    WHERE event_id IN (SELECT e.id FROM changed JOIN event e ON e.content_id = changed.content_id)
    ORDER BY event_id FOR NO KEY UPDATE;
  CASE TG_TABLE_NAME
    WHEN 'content_category' THEN
      UPDATE event_facet_keys k SET category_ids = c.category_ids FROM content_facet_keys c JOIN event e USING (content_id)
      WHERE content_id IN (SELECT content_id FROM changed) AND k.event_id = e.id AND k.category_ids IS DISTINCT FROM c.category_ids;
    WHEN 'content_tag' THEN
      UPDATE event_facet_keys k SET tag_ids = c.tag_ids FROM content_facet_keys c JOIN event e USING (content_id)
      WHERE content_id IN (SELECT content_id FROM changed) AND k.event_id = e.id AND k.tag_ids IS DISTINCT FROM c.tag_ids;
    WHEN 'content_venue' THEN
      UPDATE event_facet_keys k SET venue_ids = c.venue_ids FROM content_facet_keys c JOIN event e USING (content_id)
      WHERE content_id IN (SELECT content_id FROM changed) AND k.event_id = e.id AND k.venue_ids IS DISTINCT FROM c.venue_ids;
    WHEN 'content_organizer' THEN
      UPDATE event_facet_keys k SET organizer_ids = c.organizer_ids FROM content_facet_keys c JOIN event e USING (content_id)
      WHERE content_id IN (SELECT content_id FROM changed) AND k.event_id = e.id AND k.organizer_ids IS DISTINCT FROM c.organizer_ids;
    WHEN 'content_text' THEN
      UPDATE event_facet_keys k SET languages = c.languages FROM content_facet_keys c JOIN event e USING (content_id)
      WHERE content_id IN (SELECT content_id FROM changed) AND k.event_id = e.id AND k.languages IS DISTINCT FROM c.languages;
    WHEN 'content_ticket' THEN
      UPDATE event_facet_keys k SET paid_tickets = c.paid_tickets FROM content_facet_keys c JOIN event e USING (content_id)
      WHERE content_id IN (SELECT content_id FROM changed) AND k.event_id = e.id AND k.paid_tickets IS DISTINCT FROM c.paid_tickets;
  END CASE;
  RETURN NULL;
END $$;

-- A new event of a series has the keys of the content of the series. The content of other new events is still empty.
CREATE OR REPLACE FUNCTION add_facet_keys() RETURNS trigger
  LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF EXISTS (SELECT FROM changed WHERE content_id <> id) THEN
    INSERT INTO event_facet_keys (event_id, starts_at, category_ids, tag_ids, venue_ids, organizer_ids, languages, paid_tickets)
      SELECT e.id, CASE WHEN NOT e.lasts_long THEN e.starts_at END, c.category_ids, c.tag_ids, c.venue_ids, c.organizer_ids, c.languages,
        c.paid_tickets
      FROM changed e JOIN (
        SELECT * FROM content_facet_keys WHERE content_id IN (SELECT content_id FROM changed) OFFSET 0
      ) c USING (content_id);
  ELSE
    INSERT INTO event_facet_keys (event_id, starts_at) SELECT id, CASE WHEN NOT lasts_long THEN starts_at END FROM changed;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION renew_lowest_ticket() RETURNS trigger
  LANGUAGE plpgsql SET enable_seqscan = 'off' SET search_path FROM CURRENT AS $$
BEGIN
  -- A transaction that changes the same event waits here, so that the next statement reads what the other one wrote.
  PERFORM FROM event WHERE content_id IN (SELECT content_id FROM changed) ORDER BY id FOR NO KEY UPDATE;
  UPDATE event e SET lowest_ticket = source.lowest
  FROM (SELECT content_id, (SELECT min(price) FROM content_ticket t WHERE t.content_id = contents.content_id)::float8 AS lowest
        FROM (SELECT DISTINCT content_id FROM changed) contents) source
  WHERE e.content_id = source.content_id AND e.lowest_ticket IS DISTINCT FROM source.lowest;
  RETURN NULL;
END $$;

-- Titles and names with a word that resembles the searched one.
CREATE OR REPLACE FUNCTION similar_names(word text, name_language text) RETURNS TABLE(kind text, id integer)
  LANGUAGE sql STABLE
    SET "pg_trgm.word_similarity_threshold" TO '0.45' SET search_path FROM CURRENT AS $$
      (SELECT 'event', e.id FROM (
          SELECT content_id, word_similarity(word, folded_name) AS similarity FROM content_text
          WHERE language = name_language AND word <% folded_name ORDER BY similarity DESC, content_id LIMIT 200
        ) AS found JOIN event e USING (content_id) ORDER BY similarity DESC, e.id)
      UNION ALL (SELECT 'venue', venue_id FROM venue_text WHERE language = name_language AND word <% folded_name
        ORDER BY word_similarity(word, folded_name) DESC, venue_id LIMIT 200)
      UNION ALL (SELECT 'organizer', organizer_id FROM organizer_text
        WHERE language = name_language AND word <% folded_name
        ORDER BY word_similarity(word, folded_name) DESC, organizer_id LIMIT 200)
      UNION ALL SELECT 'category', category_id FROM category_text
        WHERE language = name_language AND word <% split_part(folded, E'\n', 1)
      UNION ALL SELECT 'tag', tag_id FROM tag_text
        WHERE language = name_language AND word <% split_part(folded, E'\n', 1)
    $$;

CREATE OR REPLACE FUNCTION unlink_hidden() RETURNS trigger
  LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM set_config('calendar.unlinks_hidden', 'on', true);
  IF TG_TABLE_NAME = 'venue' THEN
    DELETE FROM content_venue WHERE venue_id = OLD.id;
  ELSE
    DELETE FROM content_organizer WHERE organizer_id = OLD.id;
  END IF;
  PERFORM set_config('calendar.unlinks_hidden', 'off', true);
  RETURN OLD;
END $$;

CREATE TABLE series (
  id integer DEFAULT nextval('post_id_seq'::regclass) NOT NULL,
  time_zone text NOT NULL,
  all_day boolean NOT NULL,
  schedule jsonb NOT NULL,
  is_endless boolean NOT NULL,
  computed_until timestamp(0) without time zone,
  event_status event_status DEFAULT 'scheduled' NOT NULL,
  attendance_mode attendance_mode DEFAULT 'offline' NOT NULL,
  online_url text,
  hide_from_listings boolean DEFAULT false NOT NULL,
  uid text,
  sequence integer DEFAULT 0 NOT NULL,
  modified_at timestamp(3) with time zone NOT NULL,
  split_from_id integer,
  CONSTRAINT series_pkey PRIMARY KEY (id),
  CONSTRAINT series_id_fkey FOREIGN KEY (id) REFERENCES content(id) ON UPDATE CASCADE ON DELETE CASCADE,
  CONSTRAINT series_split_from_id_fkey FOREIGN KEY (split_from_id) REFERENCES series(id) ON UPDATE CASCADE ON DELETE SET NULL
);
CREATE UNIQUE INDEX series_uid_idx ON series (uid) WHERE (uid IS NOT NULL);
CREATE INDEX series_split_from_id_idx ON series (split_from_id);
CREATE INDEX series_computed_until_idx ON series (computed_until);

ALTER TABLE event
  ADD COLUMN series_id integer,
  ADD COLUMN original_starts_local timestamp(0) without time zone,
  ADD COLUMN day_number smallint DEFAULT 1 NOT NULL,
  ADD COLUMN is_extra boolean DEFAULT false NOT NULL,
  ADD COLUMN changed_fields text[] DEFAULT ARRAY[]::text[] NOT NULL,
  ADD COLUMN date_texts jsonb,
  ADD COLUMN former_series_id integer,
  -- Deferrable, so that one statement can move each date to the place of another.
  ADD CONSTRAINT event_series_id_original_starts_local_key UNIQUE (series_id, original_starts_local) DEFERRABLE INITIALLY IMMEDIATE,
  ADD CONSTRAINT event_series_id_fkey FOREIGN KEY (series_id) REFERENCES series(id) ON UPDATE CASCADE ON DELETE CASCADE,
  ADD CONSTRAINT event_former_series_id_fkey FOREIGN KEY (former_series_id) REFERENCES series(id) ON UPDATE CASCADE ON DELETE SET NULL;
CREATE INDEX event_series_id_starts_at_id_idx ON event (series_id, starts_at, id) WHERE series_id IS NOT NULL;
CREATE INDEX event_former_series_id_idx ON event (former_series_id) WHERE former_series_id IS NOT NULL;

-- The dates of a series are deleted before it, so that the counts of their terms change while their links are still there.
CREATE FUNCTION delete_dates() RETURNS trigger
  LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  DELETE FROM event WHERE series_id = OLD.id;
  RETURN OLD;
END $$;
CREATE TRIGGER delete_dates BEFORE DELETE ON series FOR EACH ROW EXECUTE FUNCTION delete_dates();

-- The content of a series is deleted with it.
CREATE FUNCTION delete_series() RETURNS trigger
  LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM set_config('calendar.deleted_series', ARRAY(SELECT id FROM old_rows)::text, true);
  DELETE FROM content WHERE id IN (SELECT id FROM old_rows);
  RETURN NULL;
END $$;
CREATE TRIGGER delete_series AFTER DELETE ON series REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION delete_series();

COMMIT;
