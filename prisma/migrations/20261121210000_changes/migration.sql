-- Whatever is written is told to every instance when it is committed, as `kind` or `kind:number,number…` on the channel
-- calendar_changes, so that answers kept in memory are dropped. More than 100 records are told by their kind alone: a
-- message may have 8,000 bytes.
BEGIN;

CREATE FUNCTION tell_change(kind text, ids int[]) RETURNS void LANGUAGE sql AS $$
  SELECT pg_notify('calendar_changes', CASE
    WHEN cardinality(ids) > 100 THEN kind
    ELSE kind || ':' || array_to_string(ids, ',')
  END) WHERE cardinality(ids) > 0
$$;

CREATE FUNCTION notify_all() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  kind text;
BEGIN
  FOREACH kind IN ARRAY TG_ARGV LOOP
    PERFORM pg_notify('calendar_changes', kind);
  END LOOP;
  RETURN NULL;
END $$;

-- What else changes with a record: of an event that moves its publication, the counts of its terms; of a category, the
-- addresses of those below it; of a venue or organizer that is shown or hidden, all of its kind, since events do not know
-- those of theirs that are hidden. Differences are found as those of sets: a join of transition tables, planned for few
-- rows, would take for ever with many.
CREATE FUNCTION notify_event_moved() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  moved int[] := ARRAY(
    SELECT id FROM (
      SELECT id, published_at, live, password_key FROM new_rows
      EXCEPT SELECT id, published_at, live, password_key FROM old_rows
    ) AS changed LIMIT 101);
BEGIN
  IF cardinality(moved) > 100 THEN
    PERFORM pg_notify('calendar_changes', 'category');
    PERFORM pg_notify('calendar_changes', 'tag');
  ELSIF cardinality(moved) > 0 THEN
    PERFORM tell_change('category', ARRAY(
      SELECT DISTINCT category_id FROM event_category WHERE event_id = ANY (moved) LIMIT 101));
    PERFORM tell_change('tag', ARRAY(SELECT DISTINCT tag_id FROM event_tag WHERE event_id = ANY (moved) LIMIT 101));
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION notify_branch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_change('category', ARRAY(
    SELECT DISTINCT p.descendant_id FROM changed n JOIN category_path p ON p.ancestor_id = n.category_id
    WHERE p.depth > 0 LIMIT 101));
  RETURN NULL;
END $$;

CREATE FUNCTION notify_shown() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT id, published_at, live, password_key FROM new_rows
    EXCEPT SELECT id, published_at, live, password_key FROM old_rows
  ) THEN
    PERFORM pg_notify('calendar_changes', TG_ARGV[0]);
  END IF;
  RETURN NULL;
END $$;

-- The same three triggers for each table: which kind its rows belong to, and which column says of what record they are.
-- A function for each column: its statements are planned once.
DO $do$
DECLARE
  id_column text;
  of_table record;
BEGIN
  FOREACH id_column IN ARRAY ARRAY['id', 'event_id', 'venue_id', 'organizer_id', 'category_id', 'tag_id', 'descendant_id']
  LOOP
    EXECUTE format($function$
      CREATE FUNCTION notify_by_%1$s() RETURNS trigger LANGUAGE plpgsql AS $body$
      BEGIN
        IF TG_OP = 'INSERT' THEN
          PERFORM tell_change(TG_ARGV[0], ARRAY(SELECT DISTINCT %1$s FROM new_rows LIMIT 101));
        ELSIF TG_OP = 'DELETE' THEN
          PERFORM tell_change(TG_ARGV[0], ARRAY(SELECT DISTINCT %1$s FROM old_rows LIMIT 101));
        ELSE
          PERFORM tell_change(TG_ARGV[0], ARRAY(SELECT %1$s FROM old_rows UNION SELECT %1$s FROM new_rows LIMIT 101));
        END IF;
        RETURN NULL;
      END $body$
    $function$, id_column);
  END LOOP;

  FOR of_table IN SELECT * FROM (VALUES
    ('event', 'event', 'id'),
    ('event_text', 'event', 'event_id'),
    ('event_slug', 'event', 'event_id'),
    ('event_venue', 'event', 'event_id'),
    ('event_organizer', 'event', 'event_id'),
    ('event_category', 'event', 'event_id'),
    ('event_tag', 'event', 'event_id'),
    ('ticket', 'event', 'event_id'),
    ('venue', 'venue', 'id'),
    ('venue_text', 'venue', 'venue_id'),
    ('venue_slug', 'venue', 'venue_id'),
    ('organizer', 'organizer', 'id'),
    ('organizer_text', 'organizer', 'organizer_id'),
    ('organizer_slug', 'organizer', 'organizer_id'),
    ('category', 'category', 'id'),
    ('category_text', 'category', 'category_id'),
    ('category_slug', 'category', 'category_id'),
    ('category_count', 'category', 'category_id'),
    ('category_path', 'category', 'descendant_id'),
    ('tag', 'tag', 'id'),
    ('tag_text', 'tag', 'tag_id'),
    ('tag_slug', 'tag', 'tag_id'),
    ('tag_count', 'tag', 'tag_id'),
    ('image', 'image', 'id'),
    ('user', 'user', 'id')
  ) AS t (name, kind, id_column)
  LOOP
    -- Nothing can show an image or a user before something else is written that refers to it.
    IF of_table.name NOT IN ('image', 'user') THEN
      EXECUTE format('CREATE TRIGGER notify_insert AFTER INSERT ON %I REFERENCING NEW TABLE AS new_rows
        FOR EACH STATEMENT EXECUTE FUNCTION notify_by_%s(%L)', of_table.name, of_table.id_column, of_table.kind);
    END IF;
    EXECUTE format('CREATE TRIGGER notify_update AFTER UPDATE ON %I REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
      FOR EACH STATEMENT EXECUTE FUNCTION notify_by_%s(%L)', of_table.name, of_table.id_column, of_table.kind);
    EXECUTE format('CREATE TRIGGER notify_delete AFTER DELETE ON %I REFERENCING OLD TABLE AS old_rows
      FOR EACH STATEMENT EXECUTE FUNCTION notify_by_%s(%L)', of_table.name, of_table.id_column, of_table.kind);
    EXECUTE format('CREATE TRIGGER notify_truncate AFTER TRUNCATE ON %I
      FOR EACH STATEMENT EXECUTE FUNCTION notify_all(%L)', of_table.name, of_table.kind);
  END LOOP;
END $do$;

CREATE TRIGGER notify_moved AFTER UPDATE ON "event" REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION notify_event_moved();
CREATE TRIGGER notify_branch_insert AFTER INSERT ON "category_text" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION notify_branch();
CREATE TRIGGER notify_branch_update AFTER UPDATE ON "category_text" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION notify_branch();
CREATE TRIGGER notify_branch_delete AFTER DELETE ON "category_text" REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION notify_branch();
-- Links that are gone without a count of them.
CREATE TRIGGER notify_truncate_term AFTER TRUNCATE ON "event_category"
  FOR EACH STATEMENT EXECUTE FUNCTION notify_all('category');
CREATE TRIGGER notify_truncate_term AFTER TRUNCATE ON "event_tag"
  FOR EACH STATEMENT EXECUTE FUNCTION notify_all('tag');
CREATE TRIGGER notify_shown AFTER UPDATE ON "venue" REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION notify_shown('venue');
CREATE TRIGGER notify_shown AFTER UPDATE ON "organizer" REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION notify_shown('organizer');

COMMIT;
