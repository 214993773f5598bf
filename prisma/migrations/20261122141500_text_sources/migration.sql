-- Languages of the description and of the excerpt. The next start fills them, because the version of the text rules changed.
BEGIN;

ALTER TABLE "event_text" ADD COLUMN "description_source" TEXT, ADD COLUMN "excerpt_source" TEXT;
ALTER TABLE "venue_text" ADD COLUMN "description_source" TEXT, ADD COLUMN "excerpt_source" TEXT;
ALTER TABLE "organizer_text" ADD COLUMN "description_source" TEXT, ADD COLUMN "excerpt_source" TEXT;
ALTER TABLE "category_text" ADD COLUMN "description_source" TEXT;
ALTER TABLE "tag_text" ADD COLUMN "description_source" TEXT;

COMMIT;
