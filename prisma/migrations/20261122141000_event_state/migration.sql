BEGIN;

CREATE TYPE "event_status" AS ENUM ('scheduled', 'cancelled', 'postponed', 'rescheduled', 'moved_online');
CREATE TYPE "attendance_mode" AS ENUM ('offline', 'online', 'mixed');

ALTER TABLE "event"
  ADD COLUMN "event_status" "event_status" NOT NULL DEFAULT 'scheduled',
  ADD COLUMN "attendance_mode" "attendance_mode" NOT NULL DEFAULT 'offline',
  ADD COLUMN "online_url" TEXT,
  ADD COLUMN "previous_starts_at" TIMESTAMPTZ(0);

-- Nearly all events take place as planned and on site; the others are found without reading these.
CREATE INDEX "event_event_status_idx" ON "event"("event_status", "starts_at") WHERE "event_status" <> 'scheduled';
CREATE INDEX "event_attendance_mode_idx" ON "event"("attendance_mode", "starts_at") WHERE "attendance_mode" <> 'offline';

COMMIT;
