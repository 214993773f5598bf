-- Writing an event took most of its time in SQL for its search terms, and for plans that functions made again for each write.
BEGIN;

-- Each text of the array after the same text. By functions on whole texts, which take less time than rows.
CREATE OR REPLACE FUNCTION with_prefix(prefix TEXT, texts TEXT[]) RETURNS TEXT[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN CASE WHEN cardinality(texts) = 0 THEN texts
    ELSE string_to_array(prefix || array_to_string(texts, E'\x01' || prefix), E'\x01') END;
END $$;

-- search_tokens as an array. Few texts have words that are cut into pieces.
CREATE OR REPLACE FUNCTION token_array(folded TEXT) RETURNS TEXT[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  words TEXT[] := array_remove(string_to_array(translate(folded, E'\n\x01', '  '), ' '), '');
BEGIN
  IF length(folded) > 100 AND folded ~ '[^ \n\x01]{101}' THEN
    RETURN ARRAY(SELECT search_tokens(translate(folded, E'\x01', ' ')));
  END IF;
  RETURN words;
END $$;

CREATE OR REPLACE FUNCTION index_events(ids INTEGER[]) RETURNS VOID LANGUAGE plpgsql
  -- The plans are cached, also while a table is still empty.
  SET enable_seqscan = off SET jit = off AS $$
DECLARE
  id INTEGER;
  source RECORD;
  scope TEXT;
  words TEXT[];
  stems TEXT[];
  terms TEXT[];
  tokens TEXT[] := '{}';
BEGIN
  FOREACH id IN ARRAY ids LOOP
    terms := NULL;
    FOR source IN
      SELECT t.language, t.folded, t.folded_name, t.stems, t.folded = ALL (array_agg(t.folded) OVER ()) AS is_equal,
        row_number() OVER () = 1 AS is_first
      FROM event_text t WHERE t.event_id = id
    LOOP
      IF source.is_first OR NOT source.is_equal THEN
        scope := CASE WHEN source.is_equal THEN '*' ELSE source.language END;
        words := token_array(source.folded);
        tokens := tokens || words;
        terms := terms || with_prefix(scope || '=', words) || with_prefix(scope || '#', token_array(source.folded_name))
          || ARRAY(SELECT scope || '^' || prefix FROM word_prefixes(source.folded_name, 2) AS prefix);
      END IF;
      stems := tsvector_to_array(source.stems);
      tokens := tokens || stems;
      terms := terms || with_prefix(source.language || '~', stems)
        || with_prefix(source.language || '!', tsvector_to_array(ts_filter(source.stems, '{a}')));
    END LOOP;
    IF terms IS NOT NULL THEN
      INSERT INTO event_search (event_id, terms) VALUES (id, terms)
        ON CONFLICT (event_id) DO UPDATE SET terms = excluded.terms;
    END IF;
    IF cardinality(tokens) > 5000 OR id = ids[cardinality(ids)] THEN
      -- Without a unique index, whose conflicts would make concurrent writes wait for each other: a token may occur twice.
      INSERT INTO search_token (token)
        SELECT token FROM (SELECT DISTINCT token FROM unnest(tokens) AS token) AS candidate
        WHERE (SELECT true FROM search_token AS known WHERE known.token = candidate.token LIMIT 1) IS NULL;
      tokens := '{}';
    END IF;
  END LOOP;
END $$;

-- Links that are created or deleted; those of a term that is being deleted go with its counts.
CREATE OR REPLACE FUNCTION count_links() RETURNS TRIGGER LANGUAGE plpgsql
  SET enable_seqscan = off AS $$
DECLARE
  change INTEGER := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
  IF TG_ARGV[0] = 'category' THEN
    INSERT INTO category_count AS c (category_id, published_at, password_key, author_id, part, events)
      SELECT l.category_id, counts_from(e), coalesce(e.password_key, ''),
        CASE WHEN e.password_key IS NULL THEN 0 ELSE coalesce(e.author_id, 0) END, l.event_id % 16, change * count(*)
      FROM changed l JOIN event e ON e.id = l.event_id JOIN category t ON t.id = l.category_id
      WHERE e.live GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT ON CONSTRAINT category_count_pkey DO UPDATE SET events = c.events + excluded.events;
  ELSE
    INSERT INTO tag_count AS c (tag_id, published_at, password_key, author_id, part, events)
      SELECT l.tag_id, counts_from(e), coalesce(e.password_key, ''),
        CASE WHEN e.password_key IS NULL THEN 0 ELSE coalesce(e.author_id, 0) END, l.event_id % 16, change * count(*)
      FROM changed l JOIN event e ON e.id = l.event_id JOIN tag t ON t.id = l.tag_id
      WHERE e.live GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT ON CONSTRAINT tag_count_pkey DO UPDATE SET events = c.events + excluded.events;
  END IF;
  RETURN NULL;
END $$;

-- The same statements as before, in a language that caches their plans.
CREATE OR REPLACE FUNCTION cost_range(cost text[]) RETURNS float8[] LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN (
    WITH entry AS (
      SELECT btrim(regexp_replace(regexp_replace(item, '</?[a-zA-Z!][^<>]*>', '', 'g'), '\s+', ' ', 'g')) AS text
      FROM unnest(cost) AS item
    ), written AS (
      SELECT digits[1] AS text, right(regexp_replace(digits[1], '[0-9]', '', 'g'), 1) AS separator,
        regexp_replace(digits[1], '[0-9]', '', 'g') AS separators
      FROM entry, regexp_matches(entry.text, '[0-9]+(?:[.,][0-9]+)*', 'g') AS digits
      WHERE length(digits[1]) <= 15
    ), amount AS (
      SELECT CASE
        -- A separator that occurs twice, and a comma before exactly three digits, group thousands.
        WHEN separator = '' OR length(separators) - length(replace(separators, separator, '')) > 1
          OR (separators = ',' AND text ~ ',[0-9]{3}$')
        THEN regexp_replace(text, '[.,]', '', 'g')
        ELSE regexp_replace(regexp_replace(text, '[.,][0-9]+$', ''), '[.,]', '', 'g') || '.' || substring(text FROM '[0-9]+$')
      END::float8 AS value
      FROM written
      UNION ALL
      SELECT 0 FROM entry WHERE lower(entry.text COLLATE "und-x-icu") IN (
        'free', 'free entry', 'free admission', 'gratuit', 'gratuite', 'entrée libre', 'entrée gratuite',
        'gratis', 'gratuito', 'gratuita', 'entrada libre', 'entrada gratuita', 'entrada gratis')
    )
    SELECT ARRAY[min(value), max(value)] FROM amount
  );
END $$;

CREATE OR REPLACE FUNCTION cost_currency(cost text[]) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN (
    SELECT CASE WHEN count(DISTINCT symbol) = 1 AND min(symbol) ~ '^[^[:space:]0-9]{1,4}$'
      THEN upper(min(symbol) COLLATE "und-x-icu") ELSE '' END
    FROM unnest(cost) AS item,
      regexp_split_to_table(regexp_replace(item, '</?[a-zA-Z!][^<>]*>', '', 'g'), '(?<![0-9]),|,(?![0-9])|\s+[-–—]\s+') AS piece,
      LATERAL (SELECT nullif(btrim(regexp_replace(piece, '[0-9]+(?:[.,][0-9]+)*', '', 'g')), '') AS symbol) AS symbols
    WHERE piece ~ '[0-9]'
  );
END $$;

COMMIT;
