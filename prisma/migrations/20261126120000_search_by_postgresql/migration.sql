-- Searches use PostgreSQL's full text search and trigrams. The table of the terms of events goes: a part of a word is in
-- thousands of different words of real texts, and looking up all of them took seconds.
BEGIN;

DROP TRIGGER index_inserted ON "event_text";
DROP TRIGGER index_updated ON "event_text";
DROP TRIGGER index_deleted ON "event_text";
DROP FUNCTION index_event_texts(), index_events(INTEGER[]), token_array(TEXT), with_prefix(TEXT, TEXT[]), search_tokens(TEXT);
DROP TABLE "event_search";

ALTER TABLE "venue_text" DROP COLUMN "terms", DROP COLUMN "words";
ALTER TABLE "organizer_text" DROP COLUMN "terms", DROP COLUMN "words";
ALTER TABLE "category_text" DROP COLUMN "terms";
ALTER TABLE "tag_text" DROP COLUMN "terms";
DROP FUNCTION name_terms(TEXT, TSVECTOR), word_prefixes(TEXT, INTEGER), name_words(TEXT), similar_names(TEXT, TEXT);

-- Dropped with the column `words`.
CREATE INDEX "venue_text_language_name_venue_id_idx" ON "venue_text"("language", "name", "venue_id");
CREATE INDEX "organizer_text_language_name_organizer_id_idx" ON "organizer_text"("language", "name", "organizer_id");

-- A search for one or two letters of REST reads the searched text of all rows, so it stays in the row, and the other long
-- columns are stored outside.
ALTER TABLE "event_text" ALTER COLUMN "folded" SET STORAGE MAIN, ALTER COLUMN "stems" SET STORAGE EXTERNAL;

-- Functions set their path, because dumps are restored without one.
DO $do$
BEGIN
  -- The words of a name, whatever the punctuation between them.
  EXECUTE format($create$
    CREATE FUNCTION name_words(folded TEXT) RETURNS TSVECTOR LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
      SET search_path = pg_catalog, %1$I, pg_temp AS $$
    BEGIN
      RETURN to_tsvector('pg_catalog.simple',
        regexp_replace(split_part(folded, E'\n', 1) COLLATE "und-x-icu", '[^[:alnum:]]+', ' ', 'g'));
    END $$
  $create$, current_schema());

  -- Titles and names with a word that resembles the searched one.
  EXECUTE format($create$
    CREATE FUNCTION similar_names(word TEXT, name_language TEXT) RETURNS TABLE (kind TEXT, id INTEGER) LANGUAGE sql STABLE
      SET pg_trgm.word_similarity_threshold = 0.45 SET search_path = pg_catalog, %1$I, pg_temp AS $$
      (SELECT 'event', event_id FROM event_text WHERE language = name_language AND word <%% folded_name
        ORDER BY word_similarity(word, folded_name) DESC, event_id LIMIT 200)
      UNION ALL (SELECT 'venue', venue_id FROM venue_text WHERE language = name_language AND word <%% folded_name
        ORDER BY word_similarity(word, folded_name) DESC, venue_id LIMIT 200)
      UNION ALL (SELECT 'organizer', organizer_id FROM organizer_text
        WHERE language = name_language AND word <%% folded_name
        ORDER BY word_similarity(word, folded_name) DESC, organizer_id LIMIT 200)
      UNION ALL SELECT 'category', category_id FROM category_text
        WHERE language = name_language AND word <%% split_part(folded, E'\n', 1)
      UNION ALL SELECT 'tag', tag_id FROM tag_text
        WHERE language = name_language AND word <%% split_part(folded, E'\n', 1)
    $$
  $create$, current_schema());

  -- Words that are new, for searches for similar ones. Without a unique index, whose conflicts would make concurrent writes wait
  -- for each other: a word may occur twice. The plan is cached, also while the table is still empty.
  EXECUTE format($create$
    CREATE FUNCTION collect_tokens() RETURNS TRIGGER LANGUAGE plpgsql
      SET search_path = pg_catalog, %1$I, pg_temp SET enable_seqscan = off SET jit = off AS $$
    BEGIN
      INSERT INTO search_token (token)
      SELECT token
      FROM (SELECT DISTINCT unnest(tsvector_to_array(stems)) AS token FROM changed) AS candidate
      WHERE length(token) BETWEEN 3 AND 50
        AND (SELECT true FROM search_token AS known WHERE known.token = candidate.token LIMIT 1) IS NULL;
      RETURN NULL;
    END $$
  $create$, current_schema());
END $do$;

-- Adds the words to the stems, as the service does, before the indexes are built. A database with older rules for texts is
-- rebuilt by the next start.
DO $do$
DECLARE
  texts REGCLASS;
  separators TEXT := '/\.@_+~&:=%?#<>;!-‐‑–—’‘‚“”„«»‹›…·•¿¡';
BEGIN
  TRUNCATE search_token;
  IF (SELECT text_rules FROM site) IS DISTINCT FROM 4 THEN
    RETURN;
  END IF;
  FOREACH texts IN ARRAY '{event_text,venue_text,organizer_text,category_text,tag_text}'::REGCLASS[] LOOP
    EXECUTE format('ALTER TABLE %s DISABLE TRIGGER USER', texts);
    -- The operator makes a new value, which is stored as the column says now.
    EXECUTE format($update$
      UPDATE %1$s SET folded = folded || '', stems = stems
        || setweight(to_tsvector('pg_catalog.simple', translate(left(split_part(folded, E'\n', 1), 50000), %2$L, %3$L)), 'A')
        || to_tsvector('pg_catalog.simple', translate(left(folded, 50000), %2$L, %3$L))
    $update$, texts, separators, repeat(' ', length(separators)));
    EXECUTE format('ALTER TABLE %s ENABLE TRIGGER USER', texts);
  END LOOP;
  INSERT INTO search_token (token)
    SELECT DISTINCT token FROM event_text, unnest(tsvector_to_array(stems)) AS token WHERE length(token) BETWEEN 3 AND 50;
  UPDATE site SET text_rules = 5;
END $do$;

CREATE TRIGGER collect_inserted AFTER INSERT ON "event_text" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION collect_tokens();
CREATE TRIGGER collect_updated AFTER UPDATE ON "event_text" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION collect_tokens();

DROP INDEX "venue_text_search_idx";
DROP INDEX "organizer_text_search_idx";
DROP INDEX "category_text_search_idx";
DROP INDEX "tag_text_search_idx";
DROP INDEX "venue_text_name_parts_idx";
DROP INDEX "organizer_text_name_parts_idx";
-- Each lookup reads the pending list of the index. An event adds many entries, and shorter lists make its write dearer.
CREATE INDEX "event_text_search_idx" ON "event_text"
  USING gin ("language", "folded" gin_trgm_ops, "stems") WITH (gin_pending_list_limit = 1024);
CREATE INDEX "venue_text_search_idx" ON "venue_text"
  USING gin ("language", "folded" gin_trgm_ops, "stems") WITH (gin_pending_list_limit = 128);
CREATE INDEX "organizer_text_search_idx" ON "organizer_text"
  USING gin ("language", "folded" gin_trgm_ops, "stems") WITH (gin_pending_list_limit = 128);
CREATE INDEX "category_text_search_idx" ON "category_text"
  USING gin ("language", "folded" gin_trgm_ops, "stems") WITH (gin_pending_list_limit = 128);
CREATE INDEX "tag_text_search_idx" ON "tag_text"
  USING gin ("language", "folded" gin_trgm_ops, "stems") WITH (gin_pending_list_limit = 128);
CREATE INDEX "event_text_name_search_idx" ON "event_text"
  USING gin ("language", "folded_name" gin_trgm_ops, name_words("folded_name")) WITH (gin_pending_list_limit = 128);
CREATE INDEX "venue_text_name_search_idx" ON "venue_text"
  USING gin ("language", "folded_name" gin_trgm_ops, name_words("folded_name")) WITH (gin_pending_list_limit = 128);
CREATE INDEX "organizer_text_name_search_idx" ON "organizer_text"
  USING gin ("language", "folded_name" gin_trgm_ops, name_words("folded_name")) WITH (gin_pending_list_limit = 128);

COMMIT;
