BEGIN;

ALTER TABLE "image"
  ADD COLUMN "alternates" JSONB NOT NULL DEFAULT '[]',
  ADD COLUMN "size_rules" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "original_language" TEXT NOT NULL DEFAULT '',
  ADD COLUMN "modified_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

UPDATE "image" SET "modified_at" = "created_at",
  "original_language" = coalesce((SELECT "default_language" FROM "site"), '');

CREATE TABLE "image_text" (
  "image_id" INTEGER NOT NULL,
  "language" TEXT NOT NULL,
  "title" TEXT NOT NULL DEFAULT '',
  "alt_text" TEXT NOT NULL DEFAULT '',
  "caption" TEXT NOT NULL DEFAULT '',
  "credit" TEXT NOT NULL DEFAULT '',
  "written" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
  CONSTRAINT "image_text_pkey" PRIMARY KEY ("image_id", "language")
);

-- Images have had one title and one alternative text: they become those of the default language.
INSERT INTO "image_text" ("image_id", "language", "title", "alt_text", "written")
SELECT i."id", l."language", i."title", i."alt_text", CASE WHEN l."language" = s."default_language" THEN
    array_remove(ARRAY[CASE WHEN i."title" <> '' THEN 'title' END, CASE WHEN i."alt_text" <> '' THEN 'altText' END], NULL)
  ELSE '{}' END
FROM "image" i, "site" s, unnest(s."languages") AS l("language");

ALTER TABLE "image" DROP COLUMN "title", DROP COLUMN "alt_text";

ALTER TABLE "image_text" ADD CONSTRAINT "image_text_image_id_fkey"
  FOREIGN KEY ("image_id") REFERENCES "image"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A change of the texts is a change of the image, for cached responses.
CREATE FUNCTION notify_by_image_id() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM tell_change(TG_ARGV[0], ARRAY(SELECT DISTINCT image_id FROM new_rows LIMIT 101));
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM tell_change(TG_ARGV[0], ARRAY(SELECT DISTINCT image_id FROM old_rows LIMIT 101));
  ELSE
    PERFORM tell_change(TG_ARGV[0], ARRAY(SELECT image_id FROM old_rows UNION SELECT image_id FROM new_rows LIMIT 101));
  END IF;
  RETURN NULL;
END $body$;

CREATE TRIGGER notify_insert AFTER INSERT ON "image_text" REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION notify_by_image_id('image');
CREATE TRIGGER notify_update AFTER UPDATE ON "image_text" REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION notify_by_image_id('image');
CREATE TRIGGER notify_delete AFTER DELETE ON "image_text" REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION notify_by_image_id('image');
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON "image_text"
  FOR EACH STATEMENT EXECUTE FUNCTION notify_all('image');

COMMIT;
