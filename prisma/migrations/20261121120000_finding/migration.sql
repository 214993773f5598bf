-- Everything can be found: indexes that serve every reader, stems for relevance, places by their coordinates.
BEGIN;

-- DropIndex
DROP INDEX "event_live_starts_local_published_at_id_idx";

-- DropIndex
DROP INDEX "event_live_starts_at_published_at_id_idx";

-- DropIndex
DROP INDEX "event_live_ends_local_idx";

-- DropIndex
DROP INDEX "event_live_ends_at_idx";

-- DropIndex
DROP INDEX "event_live_published_at_id_idx";

-- DropIndex
DROP INDEX "venue_live_published_at_id_idx";

-- DropIndex
DROP INDEX "organizer_live_published_at_id_idx";

-- AlterTable
ALTER TABLE "site" ADD COLUMN     "text_rules" INTEGER NOT NULL DEFAULT 1;

-- AlterTable
ALTER TABLE "event_text" ADD COLUMN     "stems" tsvector;

-- AlterTable
ALTER TABLE "venue_text" ADD COLUMN     "stems" tsvector;

-- AlterTable
ALTER TABLE "organizer_text" ADD COLUMN     "stems" tsvector;

-- AlterTable
ALTER TABLE "category_text" ADD COLUMN     "stems" tsvector;

-- AlterTable
ALTER TABLE "tag_text" ADD COLUMN     "stems" tsvector;

-- CreateIndex
CREATE INDEX "event_starts_local_idx" ON "event"("starts_local", "published_at", "id", "live", "hide_from_listings", "ends_local");

-- CreateIndex
CREATE INDEX "event_starts_at_idx" ON "event"("starts_at", "published_at", "id", "live", "hide_from_listings", "ends_at");

-- CreateIndex
CREATE INDEX "event_ends_local_idx" ON "event"("ends_local");

-- CreateIndex
CREATE INDEX "event_ends_at_published_at_id_idx" ON "event"("ends_at", "published_at", "id");

-- CreateIndex
CREATE INDEX "event_published_at_id_idx" ON "event"("published_at", "id");

-- CreateIndex
CREATE INDEX "venue_published_at_id_idx" ON "venue"("published_at", "id");

-- CreateIndex
CREATE INDEX "organizer_published_at_id_idx" ON "organizer"("published_at", "id");

-- The few that are not published, for those who see them.
CREATE INDEX "event_unpublished_idx" ON "event"("starts_local", "published_at", "id") WHERE NOT "live";
CREATE INDEX "venue_unpublished_idx" ON "venue"("published_at", "id") WHERE NOT "live";
CREATE INDEX "organizer_unpublished_idx" ON "organizer"("published_at", "id") WHERE NOT "live";

-- Venues inside a box of degrees.
CREATE INDEX "venue_location_idx" ON "venue" USING gist (point("longitude", "latitude"));

-- Orders of terms that no server's locale has a say in.
ALTER TABLE "category_text" ALTER COLUMN "slug" TYPE TEXT COLLATE "C", ALTER COLUMN "description" TYPE TEXT COLLATE "und-x-icu";
ALTER TABLE "tag_text" ALTER COLUMN "slug" TYPE TEXT COLLATE "C", ALTER COLUMN "description" TYPE TEXT COLLATE "und-x-icu";

COMMIT;
