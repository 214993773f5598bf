-- The log of changes. The triggers that write it also notify the caches and the queue of purges, in place of a function for each ID
-- column.
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
  -- [before, after] by column, by column@language for texts, by name#ID for links and tickets. After is true for a long text.
  fields jsonb DEFAULT '{}' NOT NULL,
  -- Whether only links to hidden records were removed, which visitors could not see.
  is_hidden boolean DEFAULT false NOT NULL,
  user_id integer,
  credential_id integer,
  source text,
  request_id text,
  -- The time of modification that the change set, which clients send as ifUnmodifiedSince.
  modified_at timestamp(3) with time zone,
  CONSTRAINT change_pkey PRIMARY KEY (id)
);

CREATE UNIQUE INDEX change_transaction_idx ON change (transaction, kind, record_id) WHERE transaction > 0 AND record_id > 0;
CREATE INDEX change_kind_record_id_id_idx ON change (kind, record_id, id);

-- Merges the fields of two changes of one record. A field that has its first value again is left out.
CREATE FUNCTION merge_fields(earlier jsonb, later jsonb) RETURNS jsonb
  LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path FROM CURRENT AS $$
  SELECT coalesce(jsonb_object_agg(key, pair), '{}') FROM (
    SELECT key, jsonb_build_array(coalesce(a.value, b.value)->0, coalesce(b.value, a.value)->1) AS pair
    FROM jsonb_each(earlier) a FULL JOIN jsonb_each(later) b USING (key)
  ) AS merged WHERE pair->0 <> pair->1 OR pair->0 = '"***"'
$$;

-- The changes of an entry with its long texts, which are not stored twice: the next change has what was before it, or else the record.
CREATE FUNCTION complete_fields(changed_kind text, changed_id integer, entry bigint, fields jsonb) RETURNS jsonb
  LANGUAGE plpgsql STABLE SET search_path FROM CURRENT AS $$
DECLARE
  field text;
  after jsonb;
  owner text := CASE changed_kind WHEN 'series' THEN 'content' ELSE changed_kind END;
BEGIN
  FOR field IN SELECT f.key FROM jsonb_each(fields) f WHERE f.value->1 = 'true' AND f.key LIKE '%@%' LOOP
    SELECT c.fields->field->0 INTO after FROM change c
    WHERE c.kind = changed_kind AND c.record_id = changed_id AND c.id > entry AND c.fields ? field ORDER BY c.id LIMIT 1;
    IF NOT FOUND THEN
      EXECUTE format('SELECT to_jsonb(t)->$1 FROM %I t WHERE %I = $2 AND language = $3', owner || '_text', owner || '_id')
        INTO after USING split_part(field, '@', 1), changed_id, split_part(field, '@', 2);
    END IF;
    fields := jsonb_set(fields, ARRAY[field, '1'], coalesce(after, 'null'));
  END LOOP;
  RETURN fields;
END $$;

-- Three trigger functions from one text, because the rows of a statement have other names in each.
-- They log and notify the changes of a statement. Arguments: the kind and the ID column of the record; the part of the record that
-- the rows are: '' for its own row, 'text' for its texts, or the name of its links; the column with the ID of the link. Rows
-- without a part are computed from others, and only notified. The log has [before, after] of each column that differs, by column,
-- by column@language for texts, of which only what was written in its language is logged, and by part#ID for links.
DO $do$
DECLARE
  operation text;
  olds text := 'SELECT to_jsonb(o), false FROM old_rows o WHERE of_series IS NULL';
  news text := 'SELECT to_jsonb(n), true FROM new_rows n WHERE of_series IS NULL';
  dates text := 'SELECT * FROM unnest(ARRAY[date_before, date_after], ARRAY[false, true]) WHERE of_series IS NOT NULL';
  source text;
BEGIN
  FOREACH operation IN ARRAY ARRAY['insert', 'update', 'delete'] LOOP
    source := CASE operation WHEN 'insert' THEN news WHEN 'delete' THEN olds ELSE olds || ' UNION ALL ' || news || ' UNION ALL ' || dates END;
    EXECUTE format($create$
CREATE FUNCTION log_%s() RETURNS trigger
  LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  changed_kind text := TG_ARGV[0];
  id_column text := TG_ARGV[1];
  part text := TG_ARGV[2];
  link_column text := TG_ARGV[3];
  unlinks_hidden boolean := TG_OP = 'DELETE' AND current_setting('calendar.unlinks_hidden', true) IS NOT DISTINCT FROM 'on';
  created text := 'calendar.created_' || changed_kind;
  actor jsonb := nullif(current_setting('calendar.actor', true), '')::jsonb;
  -- Columns that are computed from others, and secrets that no record of them needs.
  unlogged text[] := ARRAY['id', 'live', 'lasts_long', 'lowest_cost', 'highest_cost', 'cost_currency', 'lowest_ticket', 'folded',
    'folded_name', 'folded_address', 'folded_city', 'stems', 'source', 'written', 'language', 'size_rules', 'created_at',
    'last_used_at', 'hash', 'content_id', 'computed_until', 'is_endless', 'day_number', 'changed_fields'];
  -- A change of all dates of a series is one change of the series, whose schedule has the times. One date, with as few values of its
  -- own as any, stands for all.
  of_series integer := CASE WHEN TG_TABLE_NAME = 'event' AND TG_OP <> 'DELETE' THEN nullif(current_setting('calendar.series', true), '')::int END;
  date_id integer;
  date_before jsonb;
  date_after jsonb;
  changed integer[];
  shown integer[];
  logged integer := 0;
BEGIN
  IF of_series IS NULL THEN
    changed := ARRAY(SELECT DISTINCT (r->>id_column)::int FROM (%s) AS rows (r, is_new) LIMIT 101);
  ELSE
    SELECT id INTO date_id FROM new_rows ORDER BY cardinality(changed_fields), id LIMIT 1;
    changed := CASE WHEN date_id IS NULL THEN '{}' ELSE ARRAY[date_id] END;
    IF TG_OP = 'UPDATE' THEN
      SELECT to_jsonb(o) INTO date_before FROM old_rows o WHERE o.id = date_id;
      SELECT to_jsonb(n) INTO date_after FROM new_rows n WHERE n.id = date_id;
    END IF;
  END IF;
  shown := changed;
  IF cardinality(changed) = 0 THEN
    RETURN NULL;
  END IF;
  IF id_column = 'content_id' AND (EXISTS (SELECT FROM series WHERE id = ANY (changed))
    OR changed <@ coalesce(nullif(current_setting('calendar.deleted_series', true), ''), '{}')::int[]) THEN
    changed_kind := 'series';
    created := 'calendar.created_series';
  END IF;
  IF of_series IS NOT NULL THEN
    changed_kind := 'series';
    unlogged := unlogged || ARRAY['starts_at', 'ends_at', 'starts_local', 'ends_local', 'original_starts_local', 'previous_starts_at',
      'is_extra', 'date_texts', 'time_zone', 'all_day', 'series_id'];
  END IF;
  IF changed_kind = 'series' THEN
    shown := ARRAY(SELECT id FROM event WHERE series_id = ANY (CASE WHEN of_series IS NULL THEN changed ELSE ARRAY[of_series] END) ORDER BY id LIMIT 1001);
  END IF;
  IF of_series IS NOT NULL AND TG_OP = 'INSERT' THEN
    NULL;
  ELSIF part = '' AND TG_OP = 'INSERT' THEN
    -- Without the content, of which later changes say what was before.
    PERFORM set_config(created, changed::text, true);
    INSERT INTO change (kind, record_id, action, modified_at, user_id, credential_id, source, request_id)
      SELECT changed_kind, (r->>id_column)::int, 'created', (r->>'modified_at')::timestamptz, (actor->>'user')::int, (actor->>'credential')::int, actor->>'source',
        actor->>'request'
      FROM (%s) AS rows (r, is_new)
    ON CONFLICT (transaction, kind, record_id) WHERE transaction > 0 AND record_id > 0 DO UPDATE SET action = 'updated';
  ELSIF part IS NOT NULL AND NOT (
    part <> '' AND TG_OP <> 'DELETE' AND cardinality(changed) <= 100
    AND changed <@ coalesce(nullif(current_setting(created, true), ''), '{}')::int[]
  ) THEN
    INSERT INTO change AS c (kind, record_id, action, modified_at, fields, is_hidden, user_id, credential_id, source, request_id)
      SELECT changed_kind, id,
        CASE
          WHEN part = '' AND TG_OP = 'DELETE' THEN 'deleted'
          WHEN bool_or(field = 'status' AND after = '"trash"') THEN 'trashed'
          WHEN bool_or(field = 'status' AND before = '"trash"') THEN 'restored'
          ELSE 'updated'
        END::change_action,
        (max(after #>> '{}') FILTER (WHERE field = 'modified_at'))::timestamptz,
        coalesce(jsonb_object_agg(field, CASE
          WHEN field IN ('password_key', 'email', 'oidc_subject')
            THEN jsonb_build_array(CASE WHEN before IS NOT NULL THEN '***' END, CASE WHEN after IS NOT NULL THEN '***' END)
          WHEN part = 'text' AND length(after::text) > 1000 THEN jsonb_build_array(before, true)
          ELSE jsonb_build_array(before, after)
        END) FILTER (WHERE field NOT IN ('modified_at', 'sequence')), '{}'),
        unlinks_hidden, (actor->>'user')::int, (actor->>'credential')::int, actor->>'source', actor->>'request'
      FROM (
        SELECT id, field, (array_agg(value) FILTER (WHERE NOT is_new))[1] AS before, (array_agg(value) FILTER (WHERE is_new))[1] AS after
        FROM (
          SELECT coalesce(of_series, (r->>id_column)::int) AS id, is_new, value,
            CASE part WHEN '' THEN key WHEN 'text' THEN key || '@' || (r->>'language') ELSE part || '#' || (r->>link_column) END AS field
          FROM (
            -- Where nothing was written in a language, its texts are copies.
            SELECT r, is_new FROM (%s) AS rows (r, is_new) WHERE part <> 'text' OR r->'written' <> '[]'
            -- Else, to_jsonb is computed again for each column.
            OFFSET 0
          ) AS rows,
            jsonb_each(CASE WHEN part IN ('', 'text') THEN r - unlogged ELSE jsonb_build_object('', r - unlogged - id_column - link_column) END)
          WHERE value <> 'null' AND (part <> 'text' OR r->'written' ? CASE key WHEN 'alt_text' THEN 'altText' ELSE replace(key, '_source', '') END)
        ) AS cells GROUP BY id, field
      ) AS compared WHERE before IS DISTINCT FROM after AND (TG_OP = 'UPDATE' OR part NOT IN ('', 'text') OR coalesce(before, after) NOT IN ('""', '[]', '{}', 'false'))
      GROUP BY id
    ON CONFLICT (transaction, kind, record_id) WHERE transaction > 0 AND record_id > 0 DO UPDATE SET
      action = CASE
        WHEN excluded.action = 'updated' OR c.action = 'created' AND excluded.action <> 'deleted' THEN c.action
        ELSE excluded.action END,
      fields = CASE
        -- The dates of a new series may have existed before, in the one from which it was split.
        WHEN c.action = 'created' AND excluded.action <> 'deleted' AND of_series IS NULL THEN c.fields
        WHEN c.fields ?| ARRAY(SELECT jsonb_object_keys(excluded.fields)) THEN merge_fields(c.fields, excluded.fields)
        ELSE c.fields || excluded.fields END,
      modified_at = greatest(c.modified_at, excluded.modified_at),
      is_hidden = c.is_hidden AND excluded.is_hidden;
    GET DIAGNOSTICS logged = ROW_COUNT;
  END IF;
  -- Visitors cannot see links to hidden records, and each use of a credential updates it.
  IF NOT unlinks_hidden AND (part IS DISTINCT FROM 'credential' OR logged > 0) THEN
    IF changed_kind <> 'series' OR cardinality(shown) > 1000 THEN
      PERFORM tell_change(CASE changed_kind WHEN 'series' THEN 'event' ELSE changed_kind END, shown);
    ELSE
      PERFORM tell_change('event', shown[first:first + 99]) FROM generate_series(1, cardinality(shown), 100) AS first;
    END IF;
  END IF;
  RETURN NULL;
END $$
    $create$, operation, source, source, source);
  END LOOP;
END $do$;

-- Attaches the trigger function to a table, in place of the functions that only notified.
CREATE FUNCTION log_changes_of(logged regclass, VARIADIC arguments text[]) RETURNS void
  LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  list text := (SELECT string_agg(quote_literal(argument), ', ') FROM unnest(arguments) argument);
  operation text;
BEGIN
  FOREACH operation IN ARRAY ARRAY['insert', 'update', 'delete'] LOOP
    EXECUTE format('DROP TRIGGER IF EXISTS notify_%s ON %s', operation, logged);
    EXECUTE format('CREATE TRIGGER log_%s AFTER %s ON %s REFERENCING %s FOR EACH STATEMENT EXECUTE FUNCTION log_%s(%s)',
      operation, operation, logged,
      CASE operation WHEN 'insert' THEN 'NEW TABLE AS new_rows' WHEN 'delete' THEN 'OLD TABLE AS old_rows'
        ELSE 'OLD TABLE AS old_rows NEW TABLE AS new_rows' END,
      operation, list);
  END LOOP;
END $$;

DO $$
DECLARE
  kind text;
  owner text;
BEGIN
  FOREACH kind IN ARRAY ARRAY['event', 'venue', 'organizer', 'category', 'tag', 'image'] LOOP
    owner := CASE kind WHEN 'event' THEN 'content' ELSE kind END;
    PERFORM log_changes_of(kind::regclass, kind, 'id', '');
    PERFORM log_changes_of((owner || '_text')::regclass, kind, owner || '_id', 'text');
    IF kind <> 'image' THEN
      PERFORM log_changes_of((owner || '_slug')::regclass, kind, owner || '_id');
    END IF;
  END LOOP;
  FOREACH kind IN ARRAY ARRAY['venue', 'organizer', 'category', 'tag'] LOOP
    PERFORM log_changes_of(('content_' || kind)::regclass, 'event', 'content_id', kind, kind || '_id');
  END LOOP;
  FOREACH kind IN ARRAY ARRAY['category', 'tag'] LOOP
    PERFORM log_changes_of((kind || '_count')::regclass, kind, kind || '_id');
  END LOOP;
END $$;
SELECT log_changes_of('category_path', 'category', 'descendant_id'), log_changes_of('content_ticket', 'event', 'content_id', 'ticket', 'id'),
  log_changes_of('series', 'series', 'id', ''),
  log_changes_of('"user"', 'user', 'id', ''), log_changes_of('credential', 'user', 'user_id', 'credential', 'id');

DROP FUNCTION log_changes_of, notify_by_category_id, notify_by_descendant_id, notify_by_event_id, notify_by_id, notify_by_image_id,
  notify_by_organizer_id, notify_by_tag_id, notify_by_venue_id, notify_credential_delete, notify_credential_update;

COMMIT;
