BEGIN;

ALTER TABLE "event"
  ADD COLUMN "uid" TEXT,
  ADD COLUMN "sequence" INTEGER NOT NULL DEFAULT 0;

-- Nearly all events have the UID that their ID gives them.
CREATE UNIQUE INDEX "event_uid_idx" ON "event"("uid") WHERE "uid" IS NOT NULL;

COMMIT;
