-- Notifies every instance when a credential is revoked, deleted or expires at another time, as a change to its user: open
-- subscriptions of the user are checked then. The time of its last use is no such change.
BEGIN;

CREATE FUNCTION notify_credential_update() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_change('user', ARRAY(
    SELECT DISTINCT user_id FROM (
      SELECT id, user_id, hash, expires_at, revoked_at FROM old_rows
      EXCEPT SELECT id, user_id, hash, expires_at, revoked_at FROM new_rows
    ) AS changed LIMIT 101));
  RETURN NULL;
END $$;

CREATE FUNCTION notify_credential_delete() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM tell_change('user', ARRAY(SELECT DISTINCT user_id FROM old_rows LIMIT 101));
  RETURN NULL;
END $$;

CREATE TRIGGER notify_update AFTER UPDATE ON "credential" REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION notify_credential_update();
CREATE TRIGGER notify_delete AFTER DELETE ON "credential" REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION notify_credential_delete();
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON "credential"
  FOR EACH STATEMENT EXECUTE FUNCTION notify_all('user');

COMMIT;
