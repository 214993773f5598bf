-- Suggestions find the names of venues and organizers by the beginnings of their words, in the order of the names, in one
-- index: the rows themselves have long texts, so that reading a thousand of them takes most of the time.
BEGIN;

-- The words of a name with one space before each. The size of an index entry, which has the name, too, is limited: the other
-- words of a long name are found by parts.
CREATE FUNCTION name_words(folded TEXT) RETURNS TEXT LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  name TEXT := split_part(folded, E'\n', 1);
BEGIN
  RETURN CASE WHEN octet_length(name) <= 1000
    THEN left(' ' || btrim(regexp_replace(name COLLATE "und-x-icu", '[^[:alnum:]]+', ' ', 'g')), 80) END;
END $$;

ALTER TABLE "venue_text" ADD COLUMN "words" TEXT GENERATED ALWAYS AS (name_words("folded")) STORED;
ALTER TABLE "organizer_text" ADD COLUMN "words" TEXT GENERATED ALWAYS AS (name_words("folded")) STORED;

DROP INDEX "venue_text_language_name_venue_id_idx";
CREATE INDEX "venue_text_language_name_venue_id_words_idx" ON "venue_text"("language", "name", "venue_id", "words");
DROP INDEX "organizer_text_language_name_organizer_id_idx";
CREATE INDEX "organizer_text_language_name_organizer_id_words_idx" ON "organizer_text"("language", "name", "organizer_id", "words");

ANALYZE "venue_text", "organizer_text";

COMMIT;
