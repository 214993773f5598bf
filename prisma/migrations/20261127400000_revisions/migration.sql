-- The log also has the time of modification that a change sets, which clients send as ifUnmodifiedSince, links that have no columns
-- besides their IDs, and each slug with its language.
BEGIN;

ALTER TABLE change ADD COLUMN modified_at timestamp(3) with time zone;

DO $$
DECLARE
  operation text;
  definition text;
  edit text[];
BEGIN
  FOREACH operation IN ARRAY ARRAY['insert', 'update', 'delete'] LOOP
    definition := pg_get_functiondef(('log_' || operation)::regproc);
    FOREACH edit SLICE 1 IN ARRAY ARRAY[
      ['INSERT INTO change (kind, record_id, action,', 'INSERT INTO change (kind, record_id, action, modified_at,'],
      ['(r->>id_column)::int, ''created'',', '(r->>id_column)::int, ''created'', (r->>''modified_at'')::timestamptz,'],
      ['AS c (kind, record_id, action, fields,', 'AS c (kind, record_id, action, modified_at, fields,'],
      ['END::change_action,', 'END::change_action,
        (max(after #>> ''{}'') FILTER (WHERE field = ''modified_at''))::timestamptz,'],
      ['is_hidden = c.is_hidden AND excluded.is_hidden',
        'modified_at = greatest(c.modified_at, excluded.modified_at),
      is_hidden = c.is_hidden AND excluded.is_hidden'],
      ['(TG_OP = ''UPDATE'' OR ', '(TG_OP = ''UPDATE'' OR part NOT IN ('''', ''text'') OR '],
      ['WHEN ''slug'' THEN ''name'' ', '']
    ] LOOP
      IF position(edit[1] IN definition) = 0 THEN
        RAISE EXCEPTION 'log_% does not contain %', operation, edit[1];
      END IF;
      definition := replace(definition, edit[1], edit[2]);
    END LOOP;
    EXECUTE definition;
  END LOOP;
END $$;

COMMIT;
