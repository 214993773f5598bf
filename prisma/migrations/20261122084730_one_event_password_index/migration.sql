-- The same as "event_locked_idx", which is older.
BEGIN;

DROP INDEX "event_password_key_idx";

COMMIT;
