-- The ledger of import-site: which record here was imported from which record of another site. A row is written in the
-- transaction of its record, so that an import that was interrupted continues where it stopped.
BEGIN;

CREATE TABLE "imported_record" (
  "site" text NOT NULL,
  "kind" text NOT NULL CHECK ("kind" IN ('event', 'venue', 'organizer', 'category', 'tag', 'user')),
  "source_id" bigint NOT NULL,
  "source_ids" jsonb NOT NULL DEFAULT '{}',
  "record_id" int NOT NULL,
  "record_version" text NOT NULL,
  "source_modified_at" timestamptz(3),
  "digest" text NOT NULL,
  "is_complete" boolean NOT NULL,
  "is_adopted" boolean NOT NULL DEFAULT false,
  PRIMARY KEY ("site", "kind", "source_id")
);

COMMIT;
