-- A venue or organizer that visitors do not see is deleted without a notification of its events: they look the same as before,
-- and subscribers would learn that something hidden was linked.
BEGIN;

CREATE FUNCTION unlink_hidden() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('calendar.unlinks_hidden', 'on', true);
  IF TG_TABLE_NAME = 'venue' THEN
    DELETE FROM event_venue WHERE venue_id = OLD.id;
  ELSE
    DELETE FROM event_organizer WHERE organizer_id = OLD.id;
  END IF;
  PERFORM set_config('calendar.unlinks_hidden', 'off', true);
  RETURN OLD;
END $$;

CREATE TRIGGER unlink_hidden BEFORE DELETE ON "venue" FOR EACH ROW WHEN (NOT OLD.live) EXECUTE FUNCTION unlink_hidden();
CREATE TRIGGER unlink_hidden BEFORE DELETE ON "organizer" FOR EACH ROW WHEN (NOT OLD.live) EXECUTE FUNCTION unlink_hidden();

-- As before, apart from the links that unlink_hidden deletes.
CREATE OR REPLACE FUNCTION notify_by_event_id() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM tell_change(TG_ARGV[0], ARRAY(SELECT DISTINCT event_id FROM new_rows LIMIT 101));
  ELSIF TG_OP = 'UPDATE' THEN
    PERFORM tell_change(TG_ARGV[0], ARRAY(SELECT event_id FROM old_rows UNION SELECT event_id FROM new_rows LIMIT 101));
  ELSIF current_setting('calendar.unlinks_hidden', true) IS DISTINCT FROM 'on' THEN
    PERFORM tell_change(TG_ARGV[0], ARRAY(SELECT DISTINCT event_id FROM old_rows LIMIT 101));
  END IF;
  RETURN NULL;
END $$;

COMMIT;
