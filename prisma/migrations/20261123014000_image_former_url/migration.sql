-- `images sizes` stores images that have metadata again without them, under a new URL. Their former URL redirects to it.
BEGIN;

ALTER TABLE "image" ADD COLUMN "former_url" TEXT;

CREATE INDEX "image_former_url_idx" ON "image"("former_url");

COMMIT;
