-- Protected records are few: whether there are any, and whether a password belongs to one, is read from these indexes.
BEGIN;

CREATE INDEX "event_password_key_idx" ON "event"("password_key") WHERE "password_key" IS NOT NULL;
CREATE INDEX "venue_password_key_idx" ON "venue"("password_key") WHERE "password_key" IS NOT NULL;
CREATE INDEX "organizer_password_key_idx" ON "organizer"("password_key") WHERE "password_key" IS NOT NULL;

COMMIT;
