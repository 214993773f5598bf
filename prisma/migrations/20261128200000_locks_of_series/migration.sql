-- A lock of rows that are found by a subquery of `changed` carries the whole changed rows through its sort: a new title of a series
-- of 730 dates with a text of 5 KB sorted 66 MB on disk. So contents and dates are found by their IDs. One plan serves any number of
-- them: planning for each write takes five times as long as writing.
BEGIN;

CREATE OR REPLACE FUNCTION renew_facet_keys() RETURNS trigger
  LANGUAGE plpgsql SET enable_seqscan = 'off' SET plan_cache_mode = force_generic_plan SET search_path FROM CURRENT AS $$
DECLARE
  contents integer[] := ARRAY(SELECT DISTINCT content_id FROM changed);
  dates integer[];
BEGIN
  -- The triggers of INSERT and UPDATE are both called by an upsert.
  IF contents = '{}' THEN
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
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION renew_lowest_ticket() RETURNS trigger
  LANGUAGE plpgsql SET enable_seqscan = 'off' SET plan_cache_mode = force_generic_plan SET search_path FROM CURRENT AS $$
DECLARE
  contents integer[] := ARRAY(SELECT DISTINCT content_id FROM changed);
BEGIN
  -- A transaction that changes the same event waits here, so that the next statement reads what the other one wrote.
  PERFORM FROM event WHERE content_id = ANY (contents) ORDER BY id FOR NO KEY UPDATE;
  UPDATE event e SET lowest_ticket = source.lowest
  FROM (SELECT id, (SELECT min(price) FROM content_ticket t WHERE t.content_id = content.id)::float8 AS lowest
        FROM unnest(contents) AS content (id)) source
  WHERE e.content_id = source.id AND e.lowest_ticket IS DISTINCT FROM source.lowest;
  RETURN NULL;
END $$;

COMMIT;
