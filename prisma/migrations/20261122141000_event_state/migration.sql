BEGIN;

CREATE TYPE "event_status" AS ENUM ('scheduled', 'cancelled', 'postponed', 'rescheduled', 'moved_online');
CREATE TYPE "attendance_mode" AS ENUM ('offline', 'online', 'mixed');

ALTER TABLE "event"
  ADD COLUMN "event_status" "event_status" NOT NULL DEFAULT 'scheduled',
  ADD COLUMN "attendance_mode" "attendance_mode" NOT NULL DEFAULT 'offline',
  ADD COLUMN "online_url" TEXT,
  ADD COLUMN "previous_starts_at" TIMESTAMPTZ(0);

COMMIT;
