-- Turns the schema of version 0.2 with its later changes up to this migration into that of the initial migration.
BEGIN;

-- Searches use PostgreSQL's full text search and trigrams. The table of the terms of events goes: a part of a word is in
-- thousands of different words of real texts, and looking up all of them took seconds.

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

-- Functions find tables, other functions and operators in the schemas of this migration, whatever the search path of the session
-- is: pg_dump, pg_restore and the subscriber of a logical replication run them with an empty one.

DO $do$
DECLARE
  schemas text := (
    SELECT string_agg(quote_ident(name), ', ' ORDER BY position)
    FROM unnest(current_schemas(false)) WITH ORDINALITY AS effective(name, position));
  own text;
BEGIN
  FOR own IN
    SELECT p.oid::regprocedure FROM pg_proc p
    WHERE p.pronamespace = quote_ident(current_schema())::regnamespace AND p.prokind IN ('f', 'p') AND pg_has_role(p.proowner, 'USAGE')
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
  LOOP
    EXECUTE format('ALTER ROUTINE %s SET search_path = %s, pg_temp', own, schemas);
  END LOOP;
END $do$;

-- Spellings of one word compare as equal: `oe` for `œ`, `l` for `ł`, a typewriter apostrophe or hyphen for a typographic one, and
-- nothing for a soft hyphen or a zero-width character. `fold` in src/calendar/text/fold.ts has the same rules; the next start folds
-- the texts of all records again.

CREATE OR REPLACE FUNCTION fold_line(line text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
  SET search_path = pg_catalog, pg_temp AS $$
  SELECT btrim(regexp_replace(normalize(regexp_replace(
    replace(replace(replace(replace(replace(translate(
      regexp_replace(lower(normalize(left(line, 1000), NFKD) COLLATE "und-x-icu"),
        '[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]',
        '', 'g'),
      'øłđðıħŧŋĸ×⁄`‘’‚‛′ʹʻʼʽˈ“”„‟«»‹›‐‒–—―−',
      'olddihtnkx/''''''''''''''''''''''""""""""------'),
      'æ', 'ae'), 'œ', 'oe'), 'ß', 'ss'), 'þ', 'th'), E' \u0301', ''''),
    '[\u0300-\u036f]', '', 'g'), NFC),
    '[ \t\n\v\f\r\u1680\u2028\u2029]+', ' ', 'g'))
$$;

UPDATE "venue" SET "address" = "address", "city" = "city"
WHERE "folded_address" IS DISTINCT FROM fold_line("address") OR "folded_city" IS DISTINCT FROM fold_line("city");

-- Prices as people write them: a currency beside any of several amounts (`10 € / 8 €`, `Adults: 10 €`), thousands with blanks
-- and apostrophes, and no times, ages, other counts and percentages. src/calendar/event/cost.ts has the same rules for texts.

-- The amounts of the entries with their currency: a sign, a code or an abbreviation in upper case, without blanks.
CREATE FUNCTION cost_amounts(cost text[]) RETURNS TABLE (value float8, currency text)
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path FROM CURRENT AS $$
#variable_conflict use_column
DECLARE
  tag CONSTANT text := '</?[a-zA-Z!][^<>]*>';
  block CONSTANT text := '</?(?:'
    'address|article|aside|blockquote|body|br|caption|center|dd|details|dialog|div|dl|dt|fieldset|figcaption|'
    'figure|footer|form|h1|h2|h3|h4|h5|h6|header|hgroup|hr|iframe|img|legend|li|main|menu|nav|ol|option|p|pre|'
    'section|select|summary|table|tbody|td|tfoot|th|thead|tr|ul|video'
    ')(?![a-z0-9])[^<>]*>';
  blanks CONSTANT text := '[\s\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+';
  number CONSTANT text := '[0-9]{1,3}(?:[ ''’][0-9]{3})+(?![0-9])(?:[.,][0-9]+)*|[0-9]+(?:[.,][0-9]+)*';
  hour CONSTANT text :=
    '(?<![0-9.,$€£¥])(?<![$€£¥] )(?<!(?:CHF|EUR|GBP|USD) )[0-9]{1,2}(?::[0-9][0-9](?: ?[ap]\.? ?m\.?)?| ?h(?:[0-9][0-9])?| ?Uhr| ?[ap]\.? ?m\.?)(?![[:alpha:]0-9])';
  counted CONSTANT text :=
    '(?<![0-9.,$€£¥])(?<![$€£¥] )(?<!(?:CHF|EUR|GBP|USD) )(?:[0-9]{1,2} ?[-–àa] ?)?[0-9]{1,2} ?(?:ans|años|anos|anni|Jahren?|years?|jours?|d[ií]as?|days?|Tagen?|personnes?|personas?|persons?|people|Personen)(?![[:alpha:]])';
  percentage CONSTANT text := '(?<![0-9])[0-9]+(?:[.,][0-9]+)? ?%';
  sign CONSTANT text := '(?:(?<![[:alpha:]])[A-Za-z]{1,3})?[$¢-¥֏؋߾߿৲৳৻૱௹฿៛₠-⃏꠸﷼﹩＄￠￡￥￦](?:(?<=[$]) ?(?:CAN?|CAD|USD?|AUD?|NZD?|HKD?|MXN?)(?![A-Za-z]))?|(?<![[:alpha:]])S/\.?';
  cents CONSTANT text := '^((?:[.,][-–—]{1,2})? ?)';
  codes CONSTANT text :=
    ' AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP'
    ' CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF'
    ' IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD'
    ' MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB'
    ' RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD'
    ' UYU UZS VED VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW ';
  words CONSTANT text := ' eur usd gbp chf kr zł kč ft fr sfr fcfa cfa rm rp rs lei dt dh dhs euro euros pound pounds dollar dollars peso pesos ';
  item text;
  entry text COLLATE "und-x-icu";
  numbers text[];
  gaps text[] COLLATE "und-x-icu";
  found text COLLATE "und-x-icu";
  word text COLLATE "und-x-icu";
  rest text COLLATE "und-x-icu";
  written text;
  separator text;
  amounts text[] := '{}';
  currencies text[] := '{}';
  is_priced boolean;
  start integer;
  rests text[] := '{}';
BEGIN
  FOREACH item IN ARRAY cost LOOP
    -- Limited, because each number takes time.
    EXIT WHEN cardinality(amounts) > 1000;
    entry := regexp_replace(regexp_replace(item, block, ' ', 'gi'), tag, '', 'g');
    IF entry ~ '&' THEN
      entry := regexp_replace(entry, '&(?:nbsp|thinsp|#160|#xa0|#8201|#8239|#x202f);', ' ', 'gi');
      entry := replace(replace(replace(entry, '&euro;', '€'), '&pound;', '£'), '&yen;', '¥');
    END IF;
    entry := left(btrim(regexp_replace(entry, blanks, ' ', 'g')), 1000);
    IF lower(entry) IN ('free', 'free entry', 'free admission', 'kostenlos', 'eintritt frei', 'freier eintritt', 'gratuit', 'gratuite',
      'entrée libre', 'entrée gratuite', 'accès libre', 'accès gratuit', 'gratis', 'gratuito', 'gratuita', 'entrada libre',
      'entrada gratuita', 'entrada gratis', 'ingresso libero') THEN
      amounts := amounts || '0'::text;
      currencies := currencies || NULL::text;
    END IF;
    CONTINUE WHEN entry !~ '[0-9]';
    entry := regexp_replace(entry, '([0-9])€([0-9][0-9])(?![0-9])', '\1,\2€', 'g');
    -- Most entries have none of these, and the functions take long.
    IF entry ~ '[0-9] ?[:%a-zA-Z]' THEN
      entry := regexp_replace(regexp_replace(regexp_replace(entry, hour, ' ', 'gi'), counted, ' ', 'gi'), percentage, ' ', 'g');
      CONTINUE WHEN entry !~ '[0-9]';
    END IF;
    numbers := ARRAY(SELECT digits[1] FROM regexp_matches(entry, '(' || number || ')', 'g') AS digits);
    gaps := regexp_split_to_array(entry, number);
    is_priced := false;
    start := cardinality(amounts);
    FOR i IN 1 .. cardinality(numbers) LOOP
      found := substring(gaps[i] FROM '(' || sign || ') ?$');
      IF found IS NULL THEN
        found := substring(gaps[i + 1] FROM cents || '(?:' || sign || ')');
        IF found IS NOT NULL THEN
          word := substring(gaps[i + 1] FROM length(found) + 1);
          found := substring(word FROM '^(' || sign || ')');
          gaps[i + 1] := substring(word FROM length(found) + 1);
        END IF;
      END IF;
      IF found IS NULL THEN
        word := substring(gaps[i] FROM '(?<![[:alpha:]])([[:alpha:]]{2,8})\.? ?$');
        IF strpos(codes, ' ' || word || ' ') > 0 OR strpos(words, ' ' || lower(word) || ' ') > 0 THEN
          found := word;
        ELSE
          word := regexp_replace(gaps[i + 1], cents, '');
          word := substring(word FROM '^([[:alpha:]]{2,8})(?![[:alpha:]])');
          IF strpos(codes, ' ' || word || ' ') > 0 OR strpos(words, ' ' || lower(word) || ' ') > 0 THEN
            found := word;
            gaps[i + 1] := regexp_replace(gaps[i + 1], cents || word || '\.?', '');
          END IF;
        END IF;
      END IF;
      found := upper(regexp_replace(found, '[\s.]', '', 'g'));
      is_priced := is_priced OR found IS NOT NULL;
      amounts := amounts || numbers[i];
      currencies := currencies || found;
    END LOOP;
    FOREACH word IN ARRAY gaps LOOP
      rests := rests || regexp_replace(word, '^[\s,/–—-]+|(?<![\s,/–—-])[\s,/–—-]+$', '', 'g');
    END LOOP;
    -- A year beside prices is not one of them.
    IF is_priced THEN
      FOR i IN start + 1 .. cardinality(amounts) LOOP
        IF currencies[i] IS NULL AND amounts[i] ~ '^(19|20)[0-9][0-9]$' THEN amounts[i] := NULL; END IF;
      END LOOP;
    END IF;
  END LOOP;
  -- Another abbreviation, if it is the only text beside the numbers.
  rests := ARRAY(SELECT DISTINCT text FROM unnest(rests) AS text WHERE text <> '');
  rest := rests[1];
  IF cardinality(rests) = 1 AND array_remove(currencies, NULL) = '{}' AND rest ~ '^[[:alpha:]]{1,3}\.?$'
    AND lower(rest) !~ '^(à|ab|ca|da|de|des|dès|for|je|max|min|par|per|pp|vip)\.?$' THEN
    currencies := array_fill(upper(rtrim(rest, '.')), ARRAY[cardinality(amounts)]);
  END IF;
  FOR i IN 1 .. cardinality(amounts) LOOP
    -- Longer ones are no prices.
    CONTINUE WHEN amounts[i] IS NULL OR length(amounts[i]) > 15;
    written := regexp_replace(amounts[i], '[ ''’]', '', 'g');
    separator := coalesce(substring(written FROM '([.,])[0-9]+$'), '');
    -- A separator that occurs twice, and one before exactly three digits, group thousands.
    value := CASE
      WHEN separator = '' OR length(written) - length(replace(written, separator, '')) > 1 OR written ~ '^[1-9][0-9]{0,2}[.,][0-9]{3}$'
      THEN regexp_replace(written, '[.,]', '', 'g')
      ELSE regexp_replace(regexp_replace(written, '[.,][0-9]+$', ''), '[.,]', '', 'g') || '.' || substring(written FROM '[0-9]+$')
    END::float8;
    currency := CASE
      WHEN currencies[i] IN ('EUR', 'EURO', 'EUROS') THEN '€' WHEN currencies[i] IN ('GBP', 'POUND', 'POUNDS') THEN '£'
      WHEN currencies[i] IN ('DOLLAR', 'DOLLARS', 'PESO', 'PESOS') THEN '$' ELSE currencies[i] END;
    RETURN NEXT;
  END LOOP;
END $$;

CREATE OR REPLACE FUNCTION cost_range(cost text[]) RETURNS float8[]
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path FROM CURRENT AS $$
BEGIN
  RETURN (SELECT ARRAY[min(value), max(value)] FROM cost_amounts(cost));
END $$;

-- Of several currencies, that of the lowest price; empty if there is none.
CREATE OR REPLACE FUNCTION cost_currency(cost text[]) RETURNS text
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path FROM CURRENT AS $$
BEGIN
  RETURN coalesce((SELECT currency FROM cost_amounts(cost) WHERE currency IS NOT NULL ORDER BY value, currency LIMIT 1), '');
END $$;

-- The columns are computed again when their source is written.
UPDATE "event" SET "cost" = "cost"
WHERE "cost" <> '{}' AND ("lowest_cost", "highest_cost", "cost_currency")
  IS DISTINCT FROM ((cost_range("cost"))[1], (cost_range("cost"))[2], cost_currency("cost"));

ALTER TABLE "site" ADD COLUMN "uid_host" TEXT;

COMMIT;
