-- The log of changes. One trigger function writes it, and notifies the caches and the queue of purges, which had a function for
-- each ID column.
BEGIN;

CREATE TYPE change_action AS ENUM ('created', 'updated', 'trashed', 'restored', 'deleted', 'signed_in', 'sign_in_failed', 'exported', 'started');

CREATE TABLE change (
  id bigserial,
  -- 0 if the database was restored into a server that has not assigned this ID yet.
  transaction bigint DEFAULT pg_current_xact_id()::text::bigint NOT NULL,
  created_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
  kind text NOT NULL,
  -- 0 for what concerns no record.
  record_id integer DEFAULT 0 NOT NULL,
  action change_action NOT NULL,
  -- [before, after] by column, by column@language for texts, by name#ID for links and tickets.
  fields jsonb DEFAULT '{}' NOT NULL,
  -- Whether only links to hidden records were removed, which visitors could not see.
  is_hidden boolean DEFAULT false NOT NULL,
  user_id integer,
  credential_id integer,
  source text,
  request_id text,
  CONSTRAINT change_pkey PRIMARY KEY (id)
);

CREATE UNIQUE INDEX change_transaction_idx ON change (transaction, kind, record_id) WHERE transaction > 0 AND record_id > 0;
CREATE INDEX change_kind_record_id_id_idx ON change (kind, record_id, id);
CREATE INDEX change_created_at_idx ON change (created_at);

-- The fields of a row that are logged. `part` is '' for the row of a record, 'text' for a row of its texts, and otherwise the
-- name of its links, whose column `link` has the ID of the linked record. Computed columns are left out.
CREATE FUNCTION logged_fields(part text, link text, r jsonb) RETURNS jsonb
  LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path FROM CURRENT AS $$
  SELECT CASE part
    WHEN '' THEN r - ARRAY[
      'id', 'live', 'lasts_long', 'lowest_cost', 'highest_cost', 'cost_currency', 'lowest_ticket', 'folded_address', 'folded_city',
      'size_rules', 'created_at']
    WHEN 'text' THEN (
      SELECT coalesce(jsonb_object_agg(key || '@' || (r->>'language'), value), '{}') FROM jsonb_each(r)
      WHERE key = 'slug' OR r->'written' ? CASE key WHEN 'alt_text' THEN 'altText' ELSE replace(key, '_source', '') END)
    WHEN 'ticket' THEN jsonb_build_object('ticket#' || (r->>'id'), r - ARRAY['id', 'event_id'])
    WHEN 'credential' THEN jsonb_build_object('credential#' || (r->>'id'), r - ARRAY['id', 'user_id', 'created_at', 'last_used_at'])
    ELSE jsonb_build_object(part || '#' || (r->>link), coalesce(r->'position', 'true'))
  END
$$;

-- Replaces secrets and addresses of people, of which the log only says that they changed.
CREATE FUNCTION redact(field text, value jsonb) RETURNS jsonb
  LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path FROM CURRENT AS $$
  SELECT CASE
    WHEN value IS NULL OR value IN ('null', '""') THEN value
    WHEN field IN ('password_key', 'email', 'oidc_subject') THEN '"***"'
    WHEN field LIKE 'credential#%' THEN value - 'hash'
    ELSE value
  END
$$;

-- Merges the fields of two changes of one record. A field that has its first value again is left out.
CREATE FUNCTION merge_fields(earlier jsonb, later jsonb) RETURNS jsonb
  LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path FROM CURRENT AS $$
  SELECT coalesce(jsonb_object_agg(key, pair), '{}') FROM (
    SELECT key, jsonb_build_array(coalesce(a.value, b.value)->0, coalesce(b.value, a.value)->1) AS pair
    FROM jsonb_each(earlier) a FULL JOIN jsonb_each(later) b USING (key)
  ) AS merged WHERE pair->0 <> pair->1 OR pair->0 = '"***"'
$$;

-- Adds what changed in a record to its entry of this transaction.
CREATE FUNCTION log_change(changed_kind text, id integer, new_action change_action, changes jsonb, hidden boolean) RETURNS void
  LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  actor jsonb := nullif(current_setting('calendar.actor', true), '')::jsonb;
BEGIN
  INSERT INTO change AS c (kind, record_id, action, fields, is_hidden, user_id, credential_id, source, request_id)
    VALUES (changed_kind, id, new_action, changes, hidden, (actor->>'user')::int, (actor->>'credential')::int,
      actor->>'source', actor->>'request')
  ON CONFLICT (transaction, kind, record_id) WHERE transaction > 0 AND record_id > 0 DO UPDATE SET
    action = CASE
      WHEN excluded.action = 'updated' OR c.action = 'created' AND excluded.action <> 'deleted' THEN c.action
      ELSE excluded.action END,
    fields = CASE
      WHEN c.fields ?| ARRAY(SELECT jsonb_object_keys(excluded.fields)) THEN merge_fields(c.fields, excluded.fields)
      ELSE c.fields || excluded.fields END,
    is_hidden = c.is_hidden AND excluded.is_hidden;
END $$;

-- Logs and notifies the changes of a statement. Arguments: kind and ID column of the record, part of the record, link column.
-- Rows without a part are computed from others, and only notified.
CREATE FUNCTION log_changes() RETURNS trigger
  LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  id_column text := TG_ARGV[1];
  row_part text := TG_ARGV[2];
  link_column text := TG_ARGV[3];
  is_record boolean := row_part IS NOT DISTINCT FROM '';
  is_logged boolean := false;
  changed integer[];
  entry record;
BEGIN
  IF TG_OP = 'INSERT' THEN
    changed := ARRAY(SELECT DISTINCT (to_jsonb(n)->>id_column)::int FROM new_rows n LIMIT 101);
    FOR entry IN
      SELECT (row->>id_column)::int AS id,
        coalesce(jsonb_object_agg(f.key, jsonb_build_array(NULL, redact(f.key, f.value)))
          FILTER (WHERE f.value NOT IN ('null', '""', '[]', 'false') AND f.key NOT IN ('modified_at', 'sequence')), '{}') AS fields
      FROM (SELECT to_jsonb(n) AS row FROM new_rows n WHERE row_part IS NOT NULL) AS rows, jsonb_each(logged_fields(row_part, link_column, row)) f
      GROUP BY id
    LOOP
      PERFORM log_change(TG_ARGV[0], entry.id, CASE WHEN is_record THEN 'created' ELSE 'updated' END::change_action, entry.fields, false);
    END LOOP;
  ELSIF TG_OP = 'DELETE' THEN
    changed := ARRAY(SELECT DISTINCT (to_jsonb(o)->>id_column)::int FROM old_rows o LIMIT 101);
    FOR entry IN
      SELECT (row->>id_column)::int AS id,
        coalesce(jsonb_object_agg(f.key, jsonb_build_array(redact(f.key, f.value), NULL))
          FILTER (WHERE f.value NOT IN ('null', '""', '[]', 'false') AND f.key NOT IN ('modified_at', 'sequence')), '{}') AS fields
      FROM (SELECT to_jsonb(o) AS row FROM old_rows o WHERE row_part IS NOT NULL) AS rows, jsonb_each(logged_fields(row_part, link_column, row)) f
      GROUP BY id
    LOOP
      PERFORM log_change(TG_ARGV[0], entry.id, CASE WHEN is_record THEN 'deleted' ELSE 'updated' END::change_action, entry.fields,
        current_setting('calendar.unlinks_hidden', true) IS NOT DISTINCT FROM 'on');
    END LOOP;
    -- Visitors cannot see these links.
    IF current_setting('calendar.unlinks_hidden', true) IS NOT DISTINCT FROM 'on' THEN
      RETURN NULL;
    END IF;
  ELSE
    changed := ARRAY(
      SELECT (to_jsonb(o)->>id_column)::int FROM old_rows o UNION SELECT (to_jsonb(n)->>id_column)::int FROM new_rows n LIMIT 101);
    FOR entry IN
      SELECT id,
        CASE WHEN bool_or(field = 'status' AND after = '"trash"') THEN 'trashed'
          WHEN bool_or(field = 'status' AND before = '"trash"') THEN 'restored'
          ELSE 'updated' END::change_action AS action,
        coalesce(jsonb_object_agg(field, jsonb_build_array(redact(field, before), redact(field, after)))
          FILTER (WHERE field NOT IN ('modified_at', 'sequence')), '{}') AS fields
      FROM (
        SELECT id, field, (array_agg(value) FILTER (WHERE NOT is_new))[1] AS before, (array_agg(value) FILTER (WHERE is_new))[1] AS after
        FROM (
          SELECT (row->>id_column)::int AS id, is_new, f.key AS field, nullif(f.value, 'null') AS value
          FROM (
            SELECT to_jsonb(o) AS row, false AS is_new FROM old_rows o WHERE row_part IS NOT NULL
            UNION ALL SELECT to_jsonb(n), true FROM new_rows n WHERE row_part IS NOT NULL
          ) AS rows, jsonb_each(logged_fields(row_part, link_column, row)) f
        ) AS fields GROUP BY id, field
      ) AS compared WHERE before IS DISTINCT FROM after GROUP BY id
    LOOP
      is_logged := true;
      PERFORM log_change(TG_ARGV[0], entry.id, entry.action, entry.fields, false);
    END LOOP;
    -- Each use of a credential updates it.
    IF row_part = 'credential' AND NOT is_logged THEN
      RETURN NULL;
    END IF;
  END IF;
  PERFORM tell_change(TG_ARGV[0], changed);
  RETURN NULL;
END $$;

-- Attaches the trigger function to a table, in place of the functions that only notified.
CREATE FUNCTION log_changes_of(logged regclass, VARIADIC arguments text[]) RETURNS void
  LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  list text := (SELECT string_agg(quote_literal(argument), ', ') FROM unnest(arguments) argument);
  operation text;
BEGIN
  FOREACH operation IN ARRAY ARRAY['insert', 'update', 'delete'] LOOP
    EXECUTE format('DROP TRIGGER IF EXISTS notify_%s ON %s', operation, logged);
    EXECUTE format('CREATE TRIGGER log_%s AFTER %s ON %s REFERENCING %s FOR EACH STATEMENT EXECUTE FUNCTION log_changes(%s)',
      operation, operation, logged,
      CASE operation WHEN 'insert' THEN 'NEW TABLE AS new_rows' WHEN 'delete' THEN 'OLD TABLE AS old_rows'
        ELSE 'OLD TABLE AS old_rows NEW TABLE AS new_rows' END, list);
  END LOOP;
END $$;

DO $$
DECLARE
  kind text;
BEGIN
  FOREACH kind IN ARRAY ARRAY['event', 'venue', 'organizer', 'category', 'tag', 'image'] LOOP
    PERFORM log_changes_of(kind::regclass, kind, 'id', '');
    PERFORM log_changes_of((kind || '_text')::regclass, kind, kind || '_id', 'text');
    IF kind <> 'image' THEN
      PERFORM log_changes_of((kind || '_slug')::regclass, kind, kind || '_id');
    END IF;
  END LOOP;
  FOREACH kind IN ARRAY ARRAY['venue', 'organizer', 'category', 'tag'] LOOP
    PERFORM log_changes_of(('event_' || kind)::regclass, 'event', 'event_id', kind, kind || '_id');
  END LOOP;
  FOREACH kind IN ARRAY ARRAY['category', 'tag'] LOOP
    PERFORM log_changes_of((kind || '_count')::regclass, kind, kind || '_id');
  END LOOP;
END $$;
SELECT log_changes_of('category_path', 'category', 'descendant_id'), log_changes_of('ticket', 'event', 'event_id', 'ticket'),
  log_changes_of('"user"', 'user', 'id', ''), log_changes_of('credential', 'user', 'user_id', 'credential');

DROP FUNCTION log_changes_of, notify_by_category_id, notify_by_descendant_id, notify_by_event_id, notify_by_id, notify_by_image_id,
  notify_by_organizer_id, notify_by_tag_id, notify_by_venue_id, notify_credential_delete, notify_credential_update;

COMMIT;
