-- Triggers of several tables tell the same change: the first one suffices. As a function in SQL, it was planned again for each.
BEGIN;

CREATE OR REPLACE FUNCTION tell_change(kind text, ids integer[]) RETURNS void
  LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  message text := CASE WHEN cardinality(ids) > 100 THEN kind ELSE kind || ':' || array_to_string(ids, ',') END;
BEGIN
  IF cardinality(ids) > 0 AND message IS DISTINCT FROM current_setting('calendar.told', true) THEN
    PERFORM set_config('calendar.told', message, true);
    PERFORM send_change(message);
  END IF;
END $$;

COMMIT;
