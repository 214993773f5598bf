-- The first line of the searched text, the name, is all that a search may look at while a record is locked.
BEGIN;

-- AlterTable
ALTER TABLE "event_text" ADD COLUMN     "folded_name" TEXT GENERATED ALWAYS AS (split_part("folded", E'\n', 1)) STORED;

-- AlterTable
ALTER TABLE "venue_text" ADD COLUMN     "folded_name" TEXT GENERATED ALWAYS AS (split_part("folded", E'\n', 1)) STORED;

-- AlterTable
ALTER TABLE "organizer_text" ADD COLUMN     "folded_name" TEXT GENERATED ALWAYS AS (split_part("folded", E'\n', 1)) STORED;

COMMIT;
