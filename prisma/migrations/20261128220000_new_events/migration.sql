-- The statement that writes the links and texts of a new event called the triggers of five tables, which did the same work each time.
BEGIN;

-- The entry of a new event covers its texts and links, and caches were told of it. Checked before the variables are computed, which
-- takes longer.
DO $do$
BEGIN
  EXECUTE regexp_replace(pg_get_functiondef('log_insert'::regproc), '(AS \$function\$)(.*)(\$function\$)', $new$\1
BEGIN
  IF TG_ARGV[1] = 'content_id' THEN
    IF NOT EXISTS (
      SELECT FROM new_rows
      WHERE content_id <> ALL (coalesce(nullif(current_setting('calendar.created_event', true), ''), '{}')::int[])
    ) THEN
      RETURN NULL;
    END IF;
  END IF;
\2;
END \3$new$);
END $do$;

-- All rows of a statement are written before the triggers after it run, so the first one renews the keys for all. A trigger before each
-- statement forgets this.
CREATE OR REPLACE FUNCTION renew_facet_keys() RETURNS trigger
  LANGUAGE plpgsql SET enable_seqscan = 'off' SET plan_cache_mode = force_generic_plan SET search_path FROM CURRENT AS $$
DECLARE
  contents integer[] := ARRAY(SELECT DISTINCT content_id FROM changed);
  dates integer[];
BEGIN
  -- The triggers of INSERT and UPDATE are both called by an upsert.
  IF contents = '{}' OR contents::text = current_setting('calendar.renewed_contents', true) THEN
    RETURN NULL;
  END IF;
  dates := ARRAY(SELECT id FROM event WHERE content_id = ANY (contents));
  -- A transaction that changes the same event waits here, so that the next statement reads what the other one wrote.
  PERFORM FROM event_facet_keys WHERE event_id = ANY (dates) ORDER BY event_id FOR NO KEY UPDATE;
  UPDATE event_facet_keys k SET category_ids = c.category_ids, tag_ids = c.tag_ids, venue_ids = c.venue_ids, organizer_ids = c.organizer_ids,
    languages = c.languages, paid_tickets = c.paid_tickets
  FROM (SELECT * FROM content_facet_keys WHERE content_id = ANY (contents) OFFSET 0) c JOIN event e USING (content_id)
  WHERE k.event_id = e.id AND (k.category_ids, k.tag_ids, k.venue_ids, k.organizer_ids, k.languages, k.paid_tickets)
    IS DISTINCT FROM (c.category_ids, c.tag_ids, c.venue_ids, c.organizer_ids, c.languages, c.paid_tickets);
  PERFORM set_config('calendar.renewed_contents', contents::text, true);
  RETURN NULL;
END $$;

CREATE FUNCTION expect_facet_keys() RETURNS trigger
  LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM set_config('calendar.renewed_contents', '', true);
  RETURN NULL;
END $$;

DO $$
DECLARE
  part text;
BEGIN
  FOREACH part IN ARRAY ARRAY['category', 'organizer', 'tag', 'text', 'ticket', 'venue'] LOOP
    EXECUTE format('CREATE TRIGGER facet_keys_expected BEFORE INSERT OR UPDATE OR DELETE ON %I
      FOR EACH STATEMENT EXECUTE FUNCTION expect_facet_keys()', 'content_' || part);
  END LOOP;
END $$;

COMMIT;
