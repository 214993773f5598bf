BEGIN;

ALTER TABLE "image"
  ADD COLUMN "title" TEXT NOT NULL DEFAULT '',
  ADD COLUMN "slug" TEXT NOT NULL DEFAULT '',
  ADD COLUMN "alt_text" TEXT NOT NULL DEFAULT '';

-- Images have had no title: they get the name of their file.
UPDATE "image" SET "title" = left(regexp_replace(
  regexp_replace(coalesce("source_url", "url"), '[?#].*$', ''), '^.*/([^/]*?)(?:\.[A-Za-z0-9]+)?$', '\1'), 800);
UPDATE "image" SET "slug" = left(trim('-' FROM lower(regexp_replace("title", '[^A-Za-z0-9_]+', '-', 'g'))), 200);

CREATE INDEX "image_slug_idx" ON "image"("slug");

COMMIT;
