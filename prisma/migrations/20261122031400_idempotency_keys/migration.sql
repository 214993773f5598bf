-- What was written by requests that carried an Idempotency-Key, and how they were answered: kept for 24 hours, so that a
-- retry gets the same answer instead of writing again. The first row of a key is stored by the transaction of its write.
BEGIN;

CREATE TABLE "idempotency_key" (
  "user_id" int NOT NULL REFERENCES "user" ("id") ON DELETE CASCADE,
  "key" text NOT NULL,
  "fingerprint" text NOT NULL,
  "outcomes" jsonb NOT NULL DEFAULT '{}',
  "status" int,
  "headers" jsonb,
  "body" text,
  "created_at" timestamptz(3) NOT NULL,
  PRIMARY KEY ("user_id", "key"),
  CHECK (length("key") BETWEEN 1 AND 255)
);

CREATE INDEX "idempotency_key_created_at_idx" ON "idempotency_key" ("created_at");

COMMIT;
