-- Terms of the texts of events, which a search looks up in one index without reading the texts.
BEGIN;

-- CreateTable
CREATE TABLE "event_search" (
    "event_id" INTEGER NOT NULL,
    "terms" TEXT[] COLLATE "C" NOT NULL,

    CONSTRAINT "event_search_pkey" PRIMARY KEY ("event_id")
);

-- CreateTable
CREATE TABLE "search_token" (
    "id" SERIAL NOT NULL,
    "token" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "search_token_pkey" PRIMARY KEY ("id")
);

-- Rows without their terms: a search reads many rows, and the terms of none.
ALTER TABLE "event_search" SET (toast_tuple_target = 128);

-- The text between spaces. Longer texts are cut into pieces of 100 characters that overlap by half, so that each part of up
-- to 50 characters is in one piece: texts in some languages have no spaces, and the size of an index entry is limited.
CREATE FUNCTION search_tokens(folded TEXT) RETURNS SETOF TEXT LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT word FROM string_to_table(translate(folded, E'\n', ' '), ' ') AS word WHERE word <> '' AND length(word) <= 100
  UNION ALL
  -- Partitioned by number: to compare long words with each other for each piece takes time that grows with their square.
  SELECT piece[1] || coalesce((lead(piece) OVER (PARTITION BY number ORDER BY position))[1], '')
  FROM string_to_table(translate(folded, E'\n', ' '), ' ') WITH ORDINALITY AS words(word, number),
    regexp_matches(word, '.{1,50}', 'g') WITH ORDINALITY AS pieces(piece, position)
  WHERE length(word) > 100
$$;

-- The beginnings of the words of a name, of up to `size` characters.
CREATE FUNCTION word_prefixes(name TEXT, size INTEGER) RETURNS SETOF TEXT LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT left(word, length) FROM regexp_split_to_table(name COLLATE "und-x-icu", '[^[:alnum:]]+') AS word,
    generate_series(1, least(size, length(word))) AS length
$$;

-- Writes the terms of events. A term is the language, or * if all texts of the event are equal, and
-- = a token, ~ a stem, # a token of the title, ! a stem of the title, or ^ the beginning of a word of the title.
CREATE FUNCTION index_events(ids INTEGER[]) RETURNS VOID LANGUAGE plpgsql
  -- The plan is cached, also while a table is still empty, and its estimates are far too high.
  SET enable_seqscan = off SET jit = off AS $$
BEGIN
  WITH source AS MATERIALIZED (
    SELECT event_id, language, folded, folded_name, stems FROM event_text WHERE event_id = ANY(ids)
  ), written AS MATERIALIZED (
    SELECT event_id, folded, folded_name,
      CASE WHEN count(*) = max(languages) THEN '{*}' ELSE array_agg(language) END AS scopes
    FROM (SELECT *, count(*) OVER (PARTITION BY event_id) AS languages FROM source) AS counted
    GROUP BY event_id, folded, folded_name
  ), found AS MATERIALIZED (
    SELECT event_id, scopes, token FROM written, search_tokens(folded) AS token
  ), term AS (
    SELECT event_id, scopes, '=' || token AS term FROM found
    UNION ALL SELECT event_id, scopes, '#' || token FROM written, search_tokens(folded_name) AS token
    UNION ALL SELECT event_id, scopes, '^' || prefix FROM written, word_prefixes(folded_name, 2) AS prefix
    UNION ALL SELECT event_id, ARRAY[language], '~' || stem FROM source, unnest(tsvector_to_array(stems)) AS stem
    UNION ALL SELECT event_id, ARRAY[language], '!' || stem
      FROM source, unnest(tsvector_to_array(ts_filter(stems, '{a}'))) AS stem
  ), new_token AS (
    -- Without a unique index, whose conflicts would make concurrent writes wait for each other: a token may occur twice.
    INSERT INTO search_token (token)
    SELECT token
    FROM (SELECT token FROM found UNION SELECT unnest(tsvector_to_array(stems)) FROM source) AS candidate (token)
    WHERE (SELECT known.id FROM search_token AS known WHERE known.token = candidate.token LIMIT 1) IS NULL
  )
  INSERT INTO event_search (event_id, terms)
  SELECT event_id, array_agg(scope || term) FROM term, unnest(scopes) AS scope GROUP BY event_id
  ON CONFLICT (event_id) DO UPDATE SET terms = excluded.terms;
END $$;

CREATE FUNCTION index_event_texts() RETURNS TRIGGER LANGUAGE plpgsql AS $$
DECLARE
  ids INTEGER[];
BEGIN
  IF TG_OP = 'UPDATE' THEN
    SELECT array_agg(DISTINCT changed.event_id) INTO ids FROM changed JOIN previous USING (event_id, language)
    WHERE (changed.folded, changed.stems) IS DISTINCT FROM (previous.folded, previous.stems);
  ELSE
    SELECT array_agg(DISTINCT event_id) INTO ids FROM changed;
  END IF;
  IF ids IS NOT NULL THEN
    PERFORM index_events(ids);
  END IF;
  RETURN NULL;
END $$;

-- Names and stems of the other kinds, whose rows are few enough to be searched as they are.
CREATE FUNCTION name_terms(folded TEXT, stems TSVECTOR) RETURNS TEXT[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN ARRAY(
    SELECT '~' || stem FROM unnest(tsvector_to_array(stems)) AS stem
    UNION ALL SELECT '!' || stem FROM unnest(tsvector_to_array(ts_filter(stems, '{a}'))) AS stem
    UNION ALL SELECT '^' || prefix FROM word_prefixes(split_part(folded, E'\n', 1), 6) AS prefix);
END $$;

-- AlterTable
ALTER TABLE "venue_text" ADD COLUMN     "terms" TEXT[] COLLATE "C" GENERATED ALWAYS AS (name_terms("folded", "stems")) STORED;

-- AlterTable
ALTER TABLE "organizer_text" ADD COLUMN     "terms" TEXT[] COLLATE "C" GENERATED ALWAYS AS (name_terms("folded", "stems")) STORED;

-- AlterTable
ALTER TABLE "category_text" ADD COLUMN     "terms" TEXT[] COLLATE "C" GENERATED ALWAYS AS (name_terms("folded", "stems")) STORED;

-- AlterTable
ALTER TABLE "tag_text" ADD COLUMN     "terms" TEXT[] COLLATE "C" GENERATED ALWAYS AS (name_terms("folded", "stems")) STORED;

CREATE INDEX "venue_text_terms_idx" ON "venue_text" USING gin ("language", "terms");
CREATE INDEX "organizer_text_terms_idx" ON "organizer_text" USING gin ("language", "terms");
CREATE INDEX "category_text_terms_idx" ON "category_text" USING gin ("language", "terms");
CREATE INDEX "tag_text_terms_idx" ON "tag_text" USING gin ("language", "terms");

-- Fills the tables for existing events, before the indexes are built.
DO $do$
DECLARE
  batch INTEGER[];
BEGIN
  CREATE INDEX "search_token_token_idx" ON "search_token" ("token");
  FOR batch IN SELECT array_agg(id) FROM event GROUP BY id / 500 ORDER BY id / 500 LOOP
    PERFORM index_events(batch);
  END LOOP;
END $do$;

-- AddForeignKey
ALTER TABLE "event_search" ADD CONSTRAINT "event_search_event_id_fkey" FOREIGN KEY ("event_id") REFERENCES "event"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE INDEX "event_search_terms_idx" ON "event_search" USING gin ("terms");
CREATE INDEX "search_token_parts_idx" ON "search_token" USING gin ("token" gin_trgm_ops);

CREATE TRIGGER index_inserted AFTER INSERT ON "event_text" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION index_event_texts();
CREATE TRIGGER index_updated AFTER UPDATE ON "event_text" REFERENCING OLD TABLE AS previous NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION index_event_texts();
CREATE TRIGGER index_deleted AFTER DELETE ON "event_text" REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION index_event_texts();

-- Searches use the terms instead.
DROP INDEX "event_text_search_idx";

COMMIT;
