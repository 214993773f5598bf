-- Counts, paths and slugs are not logged, only told to caches as changes of their owners: the functions of the log took three times
-- as long for that. And count_links has the expression of counts_from, which was called for each row because it had a setting of its own.
BEGIN;

CREATE FUNCTION tell_owners() RETURNS trigger
  LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  ids integer[];
BEGIN
  CASE TG_OP
    WHEN 'INSERT' THEN
      ids := ARRAY(SELECT DISTINCT (to_jsonb(n)->>TG_ARGV[1])::int FROM new_rows n LIMIT 101);
    WHEN 'UPDATE' THEN
      ids := ARRAY(SELECT (to_jsonb(o)->>TG_ARGV[1])::int FROM old_rows o
        UNION SELECT (to_jsonb(n)->>TG_ARGV[1])::int FROM new_rows n LIMIT 101);
    ELSE
      -- Visitors cannot see links to hidden records.
      IF current_setting('calendar.unlinks_hidden', true) IS DISTINCT FROM 'on' THEN
        ids := ARRAY(SELECT DISTINCT (to_jsonb(o)->>TG_ARGV[1])::int FROM old_rows o LIMIT 101);
      END IF;
  END CASE;
  PERFORM tell_change(TG_ARGV[0], ids);
  RETURN NULL;
END $$;

DO $do$
DECLARE
  name text;
  kind text;
  id text;
BEGIN
  FOR name, kind, id IN VALUES
    ('category_count', 'category', 'category_id'), ('category_path', 'category', 'descendant_id'), ('tag_count', 'tag', 'tag_id'),
    ('venue_slug', 'venue', 'venue_id'), ('organizer_slug', 'organizer', 'organizer_id'), ('category_slug', 'category', 'category_id'),
    ('tag_slug', 'tag', 'tag_id')
  LOOP
    EXECUTE format('DROP TRIGGER log_insert ON %1$I; DROP TRIGGER log_update ON %1$I; DROP TRIGGER log_delete ON %1$I;
      CREATE TRIGGER tell_insert AFTER INSERT ON %1$I REFERENCING NEW TABLE AS new_rows
        FOR EACH STATEMENT EXECUTE FUNCTION tell_owners(%2$L, %3$L);
      CREATE TRIGGER tell_update AFTER UPDATE ON %1$I REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
        FOR EACH STATEMENT EXECUTE FUNCTION tell_owners(%2$L, %3$L);
      CREATE TRIGGER tell_delete AFTER DELETE ON %1$I REFERENCING OLD TABLE AS old_rows
        FOR EACH STATEMENT EXECUTE FUNCTION tell_owners(%2$L, %3$L)', name, kind, id);
  END LOOP;
END $do$;

CREATE OR REPLACE FUNCTION count_links() RETURNS trigger
  LANGUAGE plpgsql SET enable_seqscan = off SET search_path FROM CURRENT AS $$
DECLARE
  change INTEGER := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
  IF TG_ARGV[0] = 'category' THEN
    INSERT INTO category_count AS c (category_id, published_at, password_key, author_id, part, events)
      SELECT l.category_id, CASE WHEN e.status = 'future' OR e.published_at > now() THEN e.published_at ELSE '0001-01-01 00:00:00+00' END,
        coalesce(e.password_key, ''), CASE WHEN e.password_key IS NULL THEN 0 ELSE coalesce(e.author_id, 0) END, e.id % 16, change * count(*)
      FROM changed l JOIN event e ON e.content_id = l.content_id JOIN category t ON t.id = l.category_id
      WHERE e.live GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT ON CONSTRAINT category_count_pkey DO UPDATE SET events = c.events + excluded.events;
  ELSE
    INSERT INTO tag_count AS c (tag_id, published_at, password_key, author_id, part, events)
      SELECT l.tag_id, CASE WHEN e.status = 'future' OR e.published_at > now() THEN e.published_at ELSE '0001-01-01 00:00:00+00' END,
        coalesce(e.password_key, ''), CASE WHEN e.password_key IS NULL THEN 0 ELSE coalesce(e.author_id, 0) END, e.id % 16, change * count(*)
      FROM changed l JOIN event e ON e.content_id = l.content_id JOIN tag t ON t.id = l.tag_id
      WHERE e.live GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT ON CONSTRAINT tag_count_pkey DO UPDATE SET events = c.events + excluded.events;
  END IF;
  RETURN NULL;
END $$;

DROP FUNCTION counts_from(event);

COMMIT;
