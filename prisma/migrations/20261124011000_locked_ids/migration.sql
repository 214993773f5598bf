BEGIN;

-- With the ID: a search compares the IDs of all events with a password.
DROP INDEX "event_locked_idx";
CREATE INDEX "event_locked_idx" ON "event"("password_key", "id") WHERE "password_key" IS NOT NULL;

COMMIT;
