-- A change of a series counts as one of each of its dates. A date that was added while the series was hidden has an entry of its own
-- that says so: nobody who could see the series before may learn its ID when it is told that the dates of the series are gone.
BEGIN;

CREATE FUNCTION log_hidden_date() RETURNS trigger
  LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  actor jsonb := nullif(current_setting('calendar.actor', true), '')::jsonb;
BEGIN
  -- Of a series that was never shown, nobody is told.
  IF EXISTS (
    SELECT FROM change
    WHERE kind = 'series' AND record_id = NEW.series_id AND fields ?| ARRAY['status', 'published_at', 'hide_from_listings']
  ) THEN
    INSERT INTO change (kind, record_id, action, modified_at, fields, user_id, credential_id, source, request_id)
    VALUES ('event', NEW.id, 'created', NEW.modified_at, jsonb_build_object('series_id', jsonb_build_array(NULL, NEW.series_id)),
      (actor->>'user')::int, (actor->>'credential')::int, actor->>'source', actor->>'request')
    ON CONFLICT (transaction, kind, record_id) WHERE transaction > 0 AND record_id > 0 DO NOTHING;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER log_hidden_date AFTER INSERT ON event FOR EACH ROW
  WHEN (NEW.series_id IS NOT NULL AND (NOT NEW.live OR NEW.published_at > now() OR NEW.hide_from_listings))
  EXECUTE FUNCTION log_hidden_date();

COMMIT;
