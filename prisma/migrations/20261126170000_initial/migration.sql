-- Everything that the first release has.
BEGIN;

CREATE EXTENSION IF NOT EXISTS btree_gin;
CREATE EXTENSION IF NOT EXISTS pg_trgm;

CREATE TYPE attendance_mode AS ENUM ('offline', 'online', 'mixed');
CREATE TYPE credential_kind AS ENUM ('application_password', 'api_token');
CREATE TYPE event_status AS ENUM ('scheduled', 'cancelled', 'postponed', 'rescheduled', 'moved_online');
CREATE TYPE role AS ENUM ('administrator', 'editor', 'author', 'contributor', 'subscriber');
CREATE TYPE status AS ENUM ('publish', 'future', 'draft', 'pending', 'private', 'trash');

-- Of several currencies, that of the lowest price; empty if there is none.
CREATE FUNCTION cost_currency(cost text[]) RETURNS text
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path FROM CURRENT AS $$
BEGIN
  RETURN coalesce((SELECT currency FROM cost_amounts(cost) WHERE currency IS NOT NULL ORDER BY value, currency LIMIT 1), '');
END $$;

-- The same statements as before, in a language that caches their plans.
CREATE FUNCTION cost_range(cost text[]) RETURNS double precision[]
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path FROM CURRENT AS $$
BEGIN
  RETURN (SELECT ARRAY[min(value), max(value)] FROM cost_amounts(cost));
END $$;

-- The amounts of the entries with their currency: a sign, a code or an abbreviation in upper case, without blanks.
CREATE FUNCTION cost_amounts(cost text[]) RETURNS TABLE(value double precision, currency text)
  LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path FROM CURRENT
    AS $_$
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
END $_$;

-- Functions find tables, other functions and operators in the schemas of this migration, whatever the search path of the session
-- is: pg_dump, pg_restore and the subscriber of a logical replication run them with an empty one.
SELECT set_config('search_path', (
  SELECT string_agg(quote_ident(name), ', ' ORDER BY position)
  FROM unnest(current_schemas(false)) WITH ORDINALITY AS effective(name, position)) || ', pg_temp', true);
-- Functions and tables refer to each other.
SET LOCAL check_function_bodies = off;

CREATE FUNCTION add_facet_keys() RETURNS trigger
  LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO event_facet_keys (event_id, starts_at) SELECT id, CASE WHEN NOT lasts_long THEN starts_at END FROM changed;
  RETURN NULL;
END $$;

-- An ID names one record of one kind: events, venues, organizers and images share one sequence, terms another.
CREATE SEQUENCE post_id_seq AS integer;

CREATE TABLE event (
  id integer DEFAULT nextval('post_id_seq'::regclass) NOT NULL,
  author_id integer,
  status status NOT NULL,
  live boolean GENERATED ALWAYS AS ((status = ANY (ARRAY['publish'::status, 'future'::status]))) STORED,
  trashed_from status,
  published_at timestamp(3) with time zone NOT NULL,
  modified_at timestamp(3) with time zone NOT NULL,
  original_language text NOT NULL,
  password_key text,
  image_id integer,
  parent_id integer,
  starts_at timestamp(0) with time zone NOT NULL,
  ends_at timestamp(0) with time zone NOT NULL,
  starts_local timestamp(0) without time zone NOT NULL,
  ends_local timestamp(0) without time zone NOT NULL,
  time_zone text NOT NULL,
  all_day boolean DEFAULT false NOT NULL,
  cost text[] DEFAULT ARRAY[]::text[] NOT NULL,
  website text,
  show_map boolean DEFAULT false NOT NULL,
  show_map_link boolean DEFAULT false NOT NULL,
  hide_from_listings boolean DEFAULT false NOT NULL,
  sticky boolean DEFAULT false NOT NULL,
  featured boolean DEFAULT false NOT NULL,
  custom_fields jsonb DEFAULT '[]'::jsonb NOT NULL,
  event_status event_status DEFAULT 'scheduled'::event_status NOT NULL,
  attendance_mode attendance_mode DEFAULT 'offline'::attendance_mode NOT NULL,
  online_url text,
  previous_starts_at timestamp(0) with time zone,
  uid text,
  sequence integer DEFAULT 0 NOT NULL,
  lowest_cost double precision GENERATED ALWAYS AS (CASE WHEN (cost <> '{}'::text[]) THEN (cost_range(cost))[1] ELSE NULL::double precision END) STORED,
  highest_cost double precision GENERATED ALWAYS AS (CASE WHEN (cost <> '{}'::text[]) THEN (cost_range(cost))[2] ELSE NULL::double precision END) STORED,
  cost_currency text GENERATED ALWAYS AS (CASE WHEN (cost <> '{}'::text[]) THEN cost_currency(cost) ELSE NULL::text END) STORED,
  lasts_long boolean GENERATED ALWAYS AS ((ends_local > (starts_local + '31 days'::interval))) STORED,
  lowest_ticket double precision,
  CONSTRAINT event_ends_after_start CHECK ((ends_local >= starts_local)),
  CONSTRAINT event_not_its_own_parent CHECK ((parent_id <> id)),
  CONSTRAINT event_pkey PRIMARY KEY (id)
);

-- Adds `change` to the counts of the terms of an event.
CREATE FUNCTION add_to_counts(e event, change integer) RETURNS void
  LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  opened_by text := coalesce(e.password_key, '');
  owner integer := CASE WHEN e.password_key IS NULL THEN 0 ELSE coalesce(e.author_id, 0) END;
BEGIN
  IF e.live IS NOT TRUE THEN RETURN; END IF;
  INSERT INTO category_count AS c (category_id, published_at, password_key, author_id, part, events)
    SELECT category_id, counts_from(e), opened_by, owner, e.id % 16, change FROM event_category WHERE event_id = e.id ORDER BY 1
    ON CONFLICT ON CONSTRAINT category_count_pkey DO UPDATE SET events = c.events + excluded.events;
  INSERT INTO tag_count AS c (tag_id, published_at, password_key, author_id, part, events)
    SELECT tag_id, counts_from(e), opened_by, owner, e.id % 16, change FROM event_tag WHERE event_id = e.id ORDER BY 1
    ON CONFLICT ON CONSTRAINT tag_count_pkey DO UPDATE SET events = c.events + excluded.events;
END $$;

-- Words that are new, for searches for similar ones. Without a unique index, whose conflicts would make concurrent writes wait
-- for each other: a word may occur twice. The plan is cached, also while the table is still empty.
CREATE FUNCTION collect_tokens() RETURNS trigger
  LANGUAGE plpgsql SET search_path FROM CURRENT SET enable_seqscan = 'off' SET jit = 'off' AS $$
    BEGIN
      INSERT INTO search_token (token)
      SELECT token
      FROM (SELECT DISTINCT unnest(tsvector_to_array(stems)) AS token FROM changed) AS candidate
      WHERE length(token) BETWEEN 3 AND 50
        AND (SELECT true FROM search_token AS known WHERE known.token = candidate.token LIMIT 1) IS NULL;
      RETURN NULL;
    END $$;

-- Links that are created or deleted; those of a term that is being deleted go with its counts.
CREATE FUNCTION count_links() RETURNS trigger
  LANGUAGE plpgsql SET enable_seqscan = 'off' SET search_path FROM CURRENT AS $$
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

-- From when on an event counts. Of one that was published in the past it does not matter when.
CREATE FUNCTION counts_from(e event) RETURNS timestamp with time zone
  LANGUAGE sql STABLE SET search_path FROM CURRENT AS $$
  SELECT CASE WHEN e.status = 'future' OR e.published_at > now() THEN e.published_at ELSE '0001-01-01 00:00:00+00' END
$$;

-- The same folding as that of search: lower case without accents, on one line.
CREATE FUNCTION fold_line(line text) RETURNS text
  LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
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

CREATE FUNCTION move_facet_keys() RETURNS trigger
  LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE event_facet_keys SET starts_at = CASE WHEN NOT NEW.lasts_long THEN NEW.starts_at END WHERE event_id = NEW.id;
  RETURN NULL;
END $$;

-- The words of a name, whatever the punctuation between them.
CREATE FUNCTION name_words(folded text) RETURNS tsvector
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path FROM CURRENT AS $$
    BEGIN
      RETURN to_tsvector('pg_catalog.simple',
        regexp_replace(split_part(folded, E'\n', 1) COLLATE "und-x-icu", '[^[:alnum:]]+', ' ', 'g'));
    END $$;

CREATE FUNCTION notify_all() RETURNS trigger
  LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  kind text;
BEGIN
  FOREACH kind IN ARRAY TG_ARGV LOOP
    PERFORM send_change(kind);
  END LOOP;
  RETURN NULL;
END $$;

CREATE FUNCTION notify_branch() RETURNS trigger
  LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM tell_change('category', ARRAY(
    SELECT DISTINCT p.descendant_id FROM changed n JOIN category_path p ON p.ancestor_id = n.category_id
    WHERE p.depth > 0 LIMIT 101));
  RETURN NULL;
END $$;

CREATE FUNCTION notify_by_category_id() RETURNS trigger
  LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
      BEGIN
        IF TG_OP = 'INSERT' THEN
          PERFORM tell_change(TG_ARGV[0], ARRAY(SELECT DISTINCT category_id FROM new_rows LIMIT 101));
        ELSIF TG_OP = 'DELETE' THEN
          PERFORM tell_change(TG_ARGV[0], ARRAY(SELECT DISTINCT category_id FROM old_rows LIMIT 101));
        ELSE
          PERFORM tell_change(TG_ARGV[0], ARRAY(SELECT category_id FROM old_rows UNION SELECT category_id FROM new_rows LIMIT 101));
        END IF;
        RETURN NULL;
      END $$;

CREATE FUNCTION notify_by_descendant_id() RETURNS trigger
  LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
      BEGIN
        IF TG_OP = 'INSERT' THEN
          PERFORM tell_change(TG_ARGV[0], ARRAY(SELECT DISTINCT descendant_id FROM new_rows LIMIT 101));
        ELSIF TG_OP = 'DELETE' THEN
          PERFORM tell_change(TG_ARGV[0], ARRAY(SELECT DISTINCT descendant_id FROM old_rows LIMIT 101));
        ELSE
          PERFORM tell_change(TG_ARGV[0], ARRAY(SELECT descendant_id FROM old_rows UNION SELECT descendant_id FROM new_rows LIMIT 101));
        END IF;
        RETURN NULL;
      END $$;

-- Links that unlink_hidden deletes are not told one by one.
CREATE FUNCTION notify_by_event_id() RETURNS trigger
  LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM tell_change(TG_ARGV[0], ARRAY(SELECT DISTINCT event_id FROM new_rows LIMIT 101));
  ELSIF TG_OP = 'UPDATE' THEN
    PERFORM tell_change(TG_ARGV[0], ARRAY(SELECT event_id FROM old_rows UNION SELECT event_id FROM new_rows LIMIT 101));
  ELSIF current_setting('calendar.unlinks_hidden', true) IS DISTINCT FROM 'on' THEN
    PERFORM tell_change(TG_ARGV[0], ARRAY(SELECT DISTINCT event_id FROM old_rows LIMIT 101));
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION notify_by_id() RETURNS trigger
  LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
      BEGIN
        IF TG_OP = 'INSERT' THEN
          PERFORM tell_change(TG_ARGV[0], ARRAY(SELECT DISTINCT id FROM new_rows LIMIT 101));
        ELSIF TG_OP = 'DELETE' THEN
          PERFORM tell_change(TG_ARGV[0], ARRAY(SELECT DISTINCT id FROM old_rows LIMIT 101));
        ELSE
          PERFORM tell_change(TG_ARGV[0], ARRAY(SELECT id FROM old_rows UNION SELECT id FROM new_rows LIMIT 101));
        END IF;
        RETURN NULL;
      END $$;

-- A change of the texts is a change of the image, for cached responses.
CREATE FUNCTION notify_by_image_id() RETURNS trigger
  LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM tell_change(TG_ARGV[0], ARRAY(SELECT DISTINCT image_id FROM new_rows LIMIT 101));
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM tell_change(TG_ARGV[0], ARRAY(SELECT DISTINCT image_id FROM old_rows LIMIT 101));
  ELSE
    PERFORM tell_change(TG_ARGV[0], ARRAY(SELECT image_id FROM old_rows UNION SELECT image_id FROM new_rows LIMIT 101));
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION notify_by_organizer_id() RETURNS trigger
  LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
      BEGIN
        IF TG_OP = 'INSERT' THEN
          PERFORM tell_change(TG_ARGV[0], ARRAY(SELECT DISTINCT organizer_id FROM new_rows LIMIT 101));
        ELSIF TG_OP = 'DELETE' THEN
          PERFORM tell_change(TG_ARGV[0], ARRAY(SELECT DISTINCT organizer_id FROM old_rows LIMIT 101));
        ELSE
          PERFORM tell_change(TG_ARGV[0], ARRAY(SELECT organizer_id FROM old_rows UNION SELECT organizer_id FROM new_rows LIMIT 101));
        END IF;
        RETURN NULL;
      END $$;

CREATE FUNCTION notify_by_tag_id() RETURNS trigger
  LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
      BEGIN
        IF TG_OP = 'INSERT' THEN
          PERFORM tell_change(TG_ARGV[0], ARRAY(SELECT DISTINCT tag_id FROM new_rows LIMIT 101));
        ELSIF TG_OP = 'DELETE' THEN
          PERFORM tell_change(TG_ARGV[0], ARRAY(SELECT DISTINCT tag_id FROM old_rows LIMIT 101));
        ELSE
          PERFORM tell_change(TG_ARGV[0], ARRAY(SELECT tag_id FROM old_rows UNION SELECT tag_id FROM new_rows LIMIT 101));
        END IF;
        RETURN NULL;
      END $$;

CREATE FUNCTION notify_by_venue_id() RETURNS trigger
  LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
      BEGIN
        IF TG_OP = 'INSERT' THEN
          PERFORM tell_change(TG_ARGV[0], ARRAY(SELECT DISTINCT venue_id FROM new_rows LIMIT 101));
        ELSIF TG_OP = 'DELETE' THEN
          PERFORM tell_change(TG_ARGV[0], ARRAY(SELECT DISTINCT venue_id FROM old_rows LIMIT 101));
        ELSE
          PERFORM tell_change(TG_ARGV[0], ARRAY(SELECT venue_id FROM old_rows UNION SELECT venue_id FROM new_rows LIMIT 101));
        END IF;
        RETURN NULL;
      END $$;

CREATE FUNCTION notify_credential_delete() RETURNS trigger
  LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM tell_change('user', ARRAY(SELECT DISTINCT user_id FROM old_rows LIMIT 101));
  RETURN NULL;
END $$;

CREATE FUNCTION notify_credential_update() RETURNS trigger
  LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM tell_change('user', ARRAY(
    SELECT DISTINCT user_id FROM (
      SELECT id, user_id, hash, expires_at, revoked_at FROM old_rows
      EXCEPT SELECT id, user_id, hash, expires_at, revoked_at FROM new_rows
    ) AS changed LIMIT 101));
  RETURN NULL;
END $$;

-- What else changes with a record: of an event that moves its publication, the counts of its terms; of a category, the
-- addresses of those below it; of a venue or organizer that is shown or hidden, all of its kind, since events do not know
-- those of theirs that are hidden. Differences are found as those of sets: a join of transition tables, planned for few
-- rows, would take for ever with many.
CREATE FUNCTION notify_event_moved() RETURNS trigger
  LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  moved int[] := ARRAY(
    SELECT id FROM (
      SELECT id, published_at, live, password_key FROM new_rows
      EXCEPT SELECT id, published_at, live, password_key FROM old_rows
    ) AS changed LIMIT 101);
BEGIN
  IF cardinality(moved) > 100 THEN
    PERFORM send_change('category');
    PERFORM send_change('tag');
  ELSIF cardinality(moved) > 0 THEN
    PERFORM tell_change('category', ARRAY(
      SELECT DISTINCT category_id FROM event_category WHERE event_id = ANY (moved) LIMIT 101));
    PERFORM tell_change('tag', ARRAY(SELECT DISTINCT tag_id FROM event_tag WHERE event_id = ANY (moved) LIMIT 101));
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION notify_shown() RETURNS trigger
  LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF EXISTS (
    SELECT id, published_at, live, password_key FROM new_rows
    EXCEPT SELECT id, published_at, live, password_key FROM old_rows
  ) THEN
    PERFORM send_change(TG_ARGV[0]);
  END IF;
  RETURN NULL;
END $$;

-- Queues a change once per transaction. After 200 changes of one transaction, only their kinds are queued.
CREATE FUNCTION queue_purge(message text) RETURNS void
  LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  own bigint;
  queued int;
  added int;
BEGIN
  IF NOT EXISTS (SELECT FROM cdn_target) THEN
    RETURN;
  END IF;
  own := pg_current_xact_id()::text::bigint;
  queued := coalesce(nullif(current_setting('calendar.queued_purges', true), ''), '0')::int;
  IF queued >= 200 THEN
    message := split_part(message, ':', 1);
  END IF;
  INSERT INTO cdn_purge (target, change, transaction)
    SELECT t.name, message, own FROM cdn_target t
    WHERE NOT EXISTS (
      SELECT FROM cdn_purge p WHERE p.transaction = own AND p.change = message AND p.target = t.name);
  GET DIAGNOSTICS added = ROW_COUNT;
  IF added > 0 THEN
    PERFORM set_config('calendar.queued_purges', (queued + 1)::text, true);
  END IF;
END $$;

-- An event that is published, rescheduled, withdrawn, protected or opened, or whose author changes while it is protected.
CREATE FUNCTION recount_event() RETURNS trigger
  LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM add_to_counts(OLD, -1);
  PERFORM add_to_counts(NEW, 1);
  RETURN NULL;
END $$;

-- The statements are not built from names: PostgreSQL plans them once per connection, instead of for each write.
CREATE FUNCTION renew_facet_keys() RETURNS trigger
  LANGUAGE plpgsql SET enable_seqscan = 'off' SET search_path FROM CURRENT AS $$
BEGIN
  -- A transaction that changes the same event waits here, so that the next statement reads what the other one wrote.
  PERFORM FROM event_facet_keys WHERE event_id IN (SELECT event_id FROM changed) ORDER BY event_id FOR NO KEY UPDATE;
  CASE TG_TABLE_NAME
    WHEN 'event_category' THEN
      UPDATE event_facet_keys k SET category_ids = source.keys
      FROM (SELECT event_id,
              ARRAY(SELECT category_id FROM event_category l WHERE l.event_id = events.event_id ORDER BY 1)::text AS keys
            FROM (SELECT DISTINCT event_id FROM changed) events) source
      WHERE k.event_id = source.event_id AND k.category_ids <> source.keys;
    WHEN 'event_tag' THEN
      UPDATE event_facet_keys k SET tag_ids = source.keys
      FROM (SELECT event_id, ARRAY(SELECT tag_id FROM event_tag l WHERE l.event_id = events.event_id ORDER BY 1)::text AS keys
            FROM (SELECT DISTINCT event_id FROM changed) events) source
      WHERE k.event_id = source.event_id AND k.tag_ids <> source.keys;
    WHEN 'event_venue' THEN
      UPDATE event_facet_keys k SET venue_ids = source.keys
      FROM (SELECT event_id, ARRAY(SELECT venue_id FROM event_venue l WHERE l.event_id = events.event_id ORDER BY 1) AS keys
            FROM (SELECT DISTINCT event_id FROM changed) events) source
      WHERE k.event_id = source.event_id AND k.venue_ids <> source.keys;
    WHEN 'event_organizer' THEN
      UPDATE event_facet_keys k SET organizer_ids = source.keys
      FROM (SELECT event_id,
              ARRAY(SELECT organizer_id FROM event_organizer l WHERE l.event_id = events.event_id ORDER BY 1) AS keys
            FROM (SELECT DISTINCT event_id FROM changed) events) source
      WHERE k.event_id = source.event_id AND k.organizer_ids <> source.keys;
    WHEN 'event_text' THEN
      UPDATE event_facet_keys k SET languages = source.keys
      FROM (SELECT event_id,
              ARRAY(SELECT language FROM event_text l WHERE l.event_id = events.event_id AND 'name' = ANY(l.written)
                    ORDER BY 1)::text AS keys
            FROM (SELECT DISTINCT event_id FROM changed) events) source
      WHERE k.event_id = source.event_id AND k.languages <> source.keys;
    WHEN 'ticket' THEN
      UPDATE event_facet_keys k SET paid_tickets = source.paid
      FROM (SELECT event_id, (SELECT bool_or(price > 0) FROM ticket t WHERE t.event_id = events.event_id) AS paid
            FROM (SELECT DISTINCT event_id FROM changed) events) source
      WHERE k.event_id = source.event_id AND k.paid_tickets IS DISTINCT FROM source.paid;
  END CASE;
  RETURN NULL;
END $$;

CREATE FUNCTION renew_lowest_ticket() RETURNS trigger
  LANGUAGE plpgsql SET enable_seqscan = 'off' SET search_path FROM CURRENT AS $$
BEGIN
  -- A transaction that changes the same event waits here, so that the next statement reads what the other one wrote.
  PERFORM FROM event WHERE id IN (SELECT event_id FROM changed) ORDER BY id FOR NO KEY UPDATE;
  UPDATE event e SET lowest_ticket = source.lowest
  FROM (SELECT event_id, (SELECT min(price) FROM ticket t WHERE t.event_id = events.event_id)::float8 AS lowest
        FROM (SELECT DISTINCT event_id FROM changed) events) source
  WHERE e.id = source.event_id AND e.lowest_ticket IS DISTINCT FROM source.lowest;
  RETURN NULL;
END $$;

CREATE FUNCTION send_change(message text) RETURNS void
  LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM pg_notify('calendar_changes', message);
  PERFORM queue_purge(message);
END $$;

-- Titles and names with a word that resembles the searched one.
CREATE FUNCTION similar_names(word text, name_language text) RETURNS TABLE(kind text, id integer)
  LANGUAGE sql STABLE
    SET "pg_trgm.word_similarity_threshold" TO '0.45' SET search_path FROM CURRENT AS $$
      (SELECT 'event', event_id FROM event_text WHERE language = name_language AND word <% folded_name
        ORDER BY word_similarity(word, folded_name) DESC, event_id LIMIT 200)
      UNION ALL (SELECT 'venue', venue_id FROM venue_text WHERE language = name_language AND word <% folded_name
        ORDER BY word_similarity(word, folded_name) DESC, venue_id LIMIT 200)
      UNION ALL (SELECT 'organizer', organizer_id FROM organizer_text
        WHERE language = name_language AND word <% folded_name
        ORDER BY word_similarity(word, folded_name) DESC, organizer_id LIMIT 200)
      UNION ALL SELECT 'category', category_id FROM category_text
        WHERE language = name_language AND word <% split_part(folded, E'\n', 1)
      UNION ALL SELECT 'tag', tag_id FROM tag_text
        WHERE language = name_language AND word <% split_part(folded, E'\n', 1)
    $$;

CREATE FUNCTION tell_change(kind text, ids integer[]) RETURNS void
  LANGUAGE sql SET search_path FROM CURRENT AS $$
  SELECT send_change(CASE
    WHEN cardinality(ids) > 100 THEN kind
    ELSE kind || ':' || array_to_string(ids, ',')
  END) WHERE cardinality(ids) > 0
$$;

CREATE FUNCTION unlink_hidden() RETURNS trigger
  LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM set_config('calendar.unlinks_hidden', 'on', true);
  IF TG_TABLE_NAME = 'venue' THEN
    DELETE FROM event_venue WHERE venue_id = OLD.id;
  ELSE
    DELETE FROM event_organizer WHERE organizer_id = OLD.id;
  END IF;
  PERFORM set_config('calendar.unlinks_hidden', 'off', true);
  RETURN OLD;
END $$;

-- The links of an event that is deleted are removed while it is still there to be looked at.
CREATE FUNCTION unlink_terms() RETURNS trigger
  LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  DELETE FROM event_category WHERE event_id = OLD.id;
  DELETE FROM event_tag WHERE event_id = OLD.id;
  RETURN OLD;
END $$;

CREATE SEQUENCE term_id_seq AS integer;

CREATE TABLE category (
  id integer DEFAULT nextval('term_id_seq'::regclass) NOT NULL,
  original_language text NOT NULL,
  parent_id integer,
  CONSTRAINT category_pkey PRIMARY KEY (id)
);

CREATE TABLE category_count (
  category_id integer NOT NULL,
  part integer NOT NULL,
  events integer NOT NULL,
  published_at timestamp(3) with time zone NOT NULL,
  password_key text NOT NULL,
  author_id integer NOT NULL,
  CONSTRAINT category_count_pkey PRIMARY KEY (category_id, published_at, password_key, author_id, part)
);

CREATE TABLE category_path (
  ancestor_id integer NOT NULL,
  descendant_id integer NOT NULL,
  depth integer NOT NULL,
  CONSTRAINT category_path_pkey PRIMARY KEY (ancestor_id, descendant_id)
);

CREATE TABLE category_slug (
  slug text NOT NULL,
  category_id integer NOT NULL,
  CONSTRAINT category_slug_pkey PRIMARY KEY (slug)
);

CREATE TABLE category_text (
  category_id integer NOT NULL,
  language text NOT NULL,
  name text NOT NULL COLLATE "und-x-icu",
  description text NOT NULL COLLATE "und-x-icu",
  slug text NOT NULL COLLATE "C",
  written text[] NOT NULL,
  source text NOT NULL,
  folded text NOT NULL,
  stems tsvector,
  description_source text,
  CONSTRAINT category_text_pkey PRIMARY KEY (category_id, language)
);

-- Without a foreign key: removing a target must not make the transaction of a writer fail.
CREATE TABLE cdn_purge (
  id bigserial,
  target text NOT NULL,
  change text NOT NULL,
  transaction bigint NOT NULL,
  round integer DEFAULT 0 NOT NULL,
  created_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
  due_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
  CONSTRAINT cdn_purge_pkey PRIMARY KEY (id)
);

CREATE TABLE cdn_target (
  name text NOT NULL,
  fingerprint text NOT NULL,
  changed_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  CONSTRAINT cdn_target_pkey PRIMARY KEY (name)
);

CREATE TABLE credential (
  id serial,
  user_id integer NOT NULL,
  kind credential_kind NOT NULL,
  name text NOT NULL,
  hash text NOT NULL,
  created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  last_used_at timestamp(3) with time zone,
  expires_at timestamp(3) with time zone,
  revoked_at timestamp(3) with time zone,
  CONSTRAINT credential_pkey PRIMARY KEY (id)
);

CREATE TABLE event_category (
  event_id integer NOT NULL,
  category_id integer NOT NULL,
  CONSTRAINT event_category_pkey PRIMARY KEY (event_id, category_id)
);

CREATE TABLE event_facet_keys (
  event_id integer NOT NULL,
  category_ids text DEFAULT '{}'::text NOT NULL COLLATE "C",
  tag_ids text DEFAULT '{}'::text NOT NULL COLLATE "C",
  venue_ids integer[] DEFAULT ARRAY[]::integer[] NOT NULL,
  organizer_ids integer[] DEFAULT ARRAY[]::integer[] NOT NULL,
  languages text DEFAULT '{}'::text NOT NULL COLLATE "C",
  paid_tickets boolean,
  starts_at timestamp(0) with time zone,
  indexed boolean GENERATED ALWAYS AS (((starts_at IS NOT NULL) AND ((((octet_length(category_ids) + octet_length(tag_ids)) + octet_length(languages)) + (4 * (cardinality(venue_ids) + cardinality(organizer_ids)))) < 2000))) STORED,
  CONSTRAINT event_facet_keys_pkey PRIMARY KEY (event_id)
) WITH (fillfactor='80');

CREATE TABLE event_organizer (
  event_id integer NOT NULL,
  organizer_id integer NOT NULL,
  "position" integer NOT NULL,
  CONSTRAINT event_organizer_pkey PRIMARY KEY (event_id, organizer_id)
);

CREATE TABLE event_slug (
  slug text NOT NULL,
  event_id integer NOT NULL,
  CONSTRAINT event_slug_pkey PRIMARY KEY (slug)
);

CREATE TABLE event_tag (
  event_id integer NOT NULL,
  tag_id integer NOT NULL,
  CONSTRAINT event_tag_pkey PRIMARY KEY (event_id, tag_id)
);

CREATE TABLE event_text (
  event_id integer NOT NULL,
  language text NOT NULL,
  name text NOT NULL COLLATE "und-x-icu",
  description text NOT NULL,
  excerpt text NOT NULL,
  slug text NOT NULL,
  written text[] NOT NULL,
  source text NOT NULL,
  folded text NOT NULL,
  stems tsvector,
  folded_name text GENERATED ALWAYS AS (split_part(folded, E'\n', 1)) STORED,
  description_source text,
  excerpt_source text,
  CONSTRAINT event_text_pkey PRIMARY KEY (event_id, language)
);
ALTER TABLE event_text ALTER COLUMN folded SET STORAGE MAIN, ALTER COLUMN stems SET STORAGE EXTERNAL;

CREATE TABLE event_venue (
  event_id integer NOT NULL,
  venue_id integer NOT NULL,
  "position" integer NOT NULL,
  CONSTRAINT event_venue_pkey PRIMARY KEY (event_id, venue_id)
);

CREATE TABLE idempotency_key (
  user_id integer NOT NULL,
  key text NOT NULL,
  fingerprint text NOT NULL,
  outcomes jsonb DEFAULT '{}'::jsonb NOT NULL,
  status integer,
  headers jsonb,
  body text,
  created_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT idempotency_key_key_check CHECK (((length(key) >= 1) AND (length(key) <= 255))),
  CONSTRAINT idempotency_key_pkey PRIMARY KEY (user_id, key)
);

CREATE TABLE image (
  id integer DEFAULT nextval('post_id_seq'::regclass) NOT NULL,
  url text NOT NULL,
  source_url text,
  mime_type text NOT NULL,
  width integer,
  height integer,
  file_size integer,
  sizes jsonb DEFAULT '[]'::jsonb NOT NULL,
  author_id integer,
  created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  slug text DEFAULT ''::text NOT NULL,
  alternates jsonb DEFAULT '[]'::jsonb NOT NULL,
  size_rules integer DEFAULT 0 NOT NULL,
  original_language text DEFAULT ''::text NOT NULL,
  modified_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  former_url text,
  CONSTRAINT image_pkey PRIMARY KEY (id)
);

CREATE TABLE image_text (
  image_id integer NOT NULL,
  language text NOT NULL,
  title text DEFAULT ''::text NOT NULL,
  alt_text text DEFAULT ''::text NOT NULL,
  caption text DEFAULT ''::text NOT NULL,
  credit text DEFAULT ''::text NOT NULL,
  written text[] DEFAULT ARRAY[]::text[] NOT NULL,
  CONSTRAINT image_text_pkey PRIMARY KEY (image_id, language)
);

CREATE TABLE imported_record (
  site text NOT NULL,
  kind text NOT NULL,
  source_id bigint NOT NULL,
  source_ids jsonb DEFAULT '{}'::jsonb NOT NULL,
  record_id integer NOT NULL,
  record_version text NOT NULL,
  source_modified_at timestamp(3) with time zone,
  digest text NOT NULL,
  is_complete boolean NOT NULL,
  is_adopted boolean DEFAULT false NOT NULL,
  CONSTRAINT imported_record_kind_check CHECK ((kind = ANY (ARRAY['event'::text, 'venue'::text, 'organizer'::text, 'category'::text, 'tag'::text, 'user'::text]))),
  CONSTRAINT imported_record_pkey PRIMARY KEY (site, kind, source_id)
);

CREATE TABLE organizer (
  id integer DEFAULT nextval('post_id_seq'::regclass) NOT NULL,
  author_id integer,
  status status NOT NULL,
  live boolean GENERATED ALWAYS AS ((status = ANY (ARRAY['publish'::status, 'future'::status]))) STORED,
  trashed_from status,
  published_at timestamp(3) with time zone NOT NULL,
  modified_at timestamp(3) with time zone NOT NULL,
  original_language text NOT NULL,
  password_key text,
  image_id integer,
  phone text DEFAULT ''::text NOT NULL,
  website text DEFAULT ''::text NOT NULL,
  email text DEFAULT ''::text NOT NULL,
  CONSTRAINT organizer_pkey PRIMARY KEY (id)
);

CREATE TABLE organizer_slug (
  slug text NOT NULL,
  organizer_id integer NOT NULL,
  CONSTRAINT organizer_slug_pkey PRIMARY KEY (slug)
);

CREATE TABLE organizer_text (
  organizer_id integer NOT NULL,
  language text NOT NULL,
  name text NOT NULL COLLATE "und-x-icu",
  description text NOT NULL,
  excerpt text NOT NULL,
  slug text NOT NULL,
  written text[] NOT NULL,
  source text NOT NULL,
  folded text NOT NULL,
  stems tsvector,
  folded_name text GENERATED ALWAYS AS (split_part(folded, E'\n', 1)) STORED,
  description_source text,
  excerpt_source text,
  CONSTRAINT organizer_text_pkey PRIMARY KEY (organizer_id, language)
);

CREATE UNLOGGED TABLE rate_limit (
  key text NOT NULL,
  points double precision NOT NULL,
  expire bigint NOT NULL,
  CONSTRAINT rate_limit_pkey PRIMARY KEY (key)
) WITH (fillfactor='50');

CREATE TABLE search_token (
  id serial,
  token text NOT NULL COLLATE "C",
  CONSTRAINT search_token_pkey PRIMARY KEY (id)
);

CREATE TABLE site (
  id integer DEFAULT 1 NOT NULL,
  password_salt bytea NOT NULL,
  languages text[] NOT NULL,
  default_language text NOT NULL,
  seeded_at timestamp(3) with time zone,
  text_rules integer DEFAULT 1 NOT NULL,
  uid_host text,
  CONSTRAINT site_single_row CHECK ((id = 1)),
  CONSTRAINT site_pkey PRIMARY KEY (id)
);

CREATE TABLE tag (
  id integer DEFAULT nextval('term_id_seq'::regclass) NOT NULL,
  original_language text NOT NULL,
  CONSTRAINT tag_pkey PRIMARY KEY (id)
);

CREATE TABLE tag_count (
  tag_id integer NOT NULL,
  part integer NOT NULL,
  events integer NOT NULL,
  published_at timestamp(3) with time zone NOT NULL,
  password_key text NOT NULL,
  author_id integer NOT NULL,
  CONSTRAINT tag_count_pkey PRIMARY KEY (tag_id, published_at, password_key, author_id, part)
);

CREATE TABLE tag_slug (
  slug text NOT NULL,
  tag_id integer NOT NULL,
  CONSTRAINT tag_slug_pkey PRIMARY KEY (slug)
);

CREATE TABLE tag_text (
  tag_id integer NOT NULL,
  language text NOT NULL,
  name text NOT NULL COLLATE "und-x-icu",
  description text NOT NULL COLLATE "und-x-icu",
  slug text NOT NULL COLLATE "C",
  written text[] NOT NULL,
  source text NOT NULL,
  folded text NOT NULL,
  stems tsvector,
  description_source text,
  CONSTRAINT tag_text_pkey PRIMARY KEY (tag_id, language)
);

CREATE TABLE ticket (
  id serial,
  event_id integer NOT NULL,
  "position" integer NOT NULL,
  name text NOT NULL,
  price numeric(12,2) NOT NULL,
  currency character(3) NOT NULL,
  capacity integer,
  sales_start timestamp(0) with time zone,
  sales_end timestamp(0) with time zone,
  CONSTRAINT ticket_pkey PRIMARY KEY (id)
);

CREATE TABLE "user" (
  id serial,
  login text NOT NULL,
  name text NOT NULL,
  email text,
  role role NOT NULL,
  oidc_subject text,
  created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  locale text,
  CONSTRAINT user_pkey PRIMARY KEY (id)
);

CREATE TABLE venue (
  id integer DEFAULT nextval('post_id_seq'::regclass) NOT NULL,
  author_id integer,
  status status NOT NULL,
  live boolean GENERATED ALWAYS AS ((status = ANY (ARRAY['publish'::status, 'future'::status]))) STORED,
  trashed_from status,
  published_at timestamp(3) with time zone NOT NULL,
  modified_at timestamp(3) with time zone NOT NULL,
  original_language text NOT NULL,
  password_key text,
  image_id integer,
  address text DEFAULT ''::text NOT NULL,
  city text DEFAULT ''::text NOT NULL,
  country text DEFAULT ''::text NOT NULL,
  province text DEFAULT ''::text NOT NULL,
  state text DEFAULT ''::text NOT NULL,
  state_province text DEFAULT ''::text NOT NULL,
  zip text DEFAULT ''::text NOT NULL,
  phone text DEFAULT ''::text NOT NULL,
  website text DEFAULT ''::text NOT NULL,
  show_map boolean DEFAULT true NOT NULL,
  show_map_link boolean DEFAULT true NOT NULL,
  latitude double precision,
  longitude double precision,
  folded_address text GENERATED ALWAYS AS (fold_line(address)) STORED,
  folded_city text GENERATED ALWAYS AS (fold_line(city)) STORED,
  CONSTRAINT venue_coordinates CHECK (((latitude IS NULL) = (longitude IS NULL))),
  CONSTRAINT venue_latitude CHECK (((latitude >= ('-90'::integer)::double precision) AND (latitude <= (90)::double precision))),
  CONSTRAINT venue_longitude CHECK (((longitude >= ('-180'::integer)::double precision) AND (longitude <= (180)::double precision))),
  CONSTRAINT venue_pkey PRIMARY KEY (id)
);

CREATE TABLE venue_slug (
  slug text NOT NULL,
  venue_id integer NOT NULL,
  CONSTRAINT venue_slug_pkey PRIMARY KEY (slug)
);

CREATE TABLE venue_text (
  venue_id integer NOT NULL,
  language text NOT NULL,
  name text NOT NULL COLLATE "und-x-icu",
  description text NOT NULL,
  excerpt text NOT NULL,
  slug text NOT NULL,
  written text[] NOT NULL,
  source text NOT NULL,
  folded text NOT NULL,
  stems tsvector,
  folded_name text GENERATED ALWAYS AS (split_part(folded, E'\n', 1)) STORED,
  description_source text,
  excerpt_source text,
  CONSTRAINT venue_text_pkey PRIMARY KEY (venue_id, language)
);

-- Without them, the planner assumes that a third of all events are long.
CREATE STATISTICS event_duration ON (ends_at - starts_at) FROM event;
CREATE STATISTICS event_local_duration ON (ends_local - starts_local) FROM event;

CREATE INDEX category_parent_id_idx ON category (parent_id);
CREATE INDEX category_path_descendant_id_idx ON category_path (descendant_id);
CREATE INDEX category_slug_category_id_idx ON category_slug (category_id);
CREATE INDEX category_text_language_name_category_id_idx ON category_text (language, name, category_id);
CREATE INDEX category_text_search_idx ON category_text USING gin (language, folded gin_trgm_ops, stems) WITH (gin_pending_list_limit='128');
CREATE INDEX cdn_purge_target_due_at_idx ON cdn_purge (target, due_at);
CREATE INDEX cdn_purge_transaction_change_idx ON cdn_purge (transaction, change);
CREATE UNIQUE INDEX credential_hash_key ON credential (hash);
CREATE INDEX credential_user_id_idx ON credential (user_id);
CREATE INDEX event_attendance_mode_idx ON event (attendance_mode, starts_at) WHERE (attendance_mode <> 'offline'::attendance_mode);
CREATE INDEX event_author_id_idx ON event (author_id, starts_at, published_at, id);
CREATE INDEX event_category_category_id_event_id_idx ON event_category (category_id, event_id);
CREATE INDEX event_ends_at_idx ON event (ends_at, published_at, id, live, hide_from_listings, password_key);
CREATE INDEX event_ends_local_idx ON event (ends_local);
-- Nearly all events take place as planned and on site; the others are found without reading these.
CREATE INDEX event_event_status_idx ON event (event_status, starts_at) WHERE (event_status <> 'scheduled'::event_status);
CREATE INDEX event_facet_keys_others_idx ON event_facet_keys (event_id) WHERE (NOT indexed);
CREATE INDEX event_facet_keys_starts_at_idx ON event_facet_keys (starts_at, event_id) INCLUDE (category_ids, tag_ids, venue_ids, organizer_ids, languages, paid_tickets) WHERE indexed;
-- Events with the same price are in the order of start in both directions.
CREATE INDEX event_highest_price_idx ON event (LEAST(lowest_cost, lowest_ticket) DESC, starts_at, published_at, id) WHERE (LEAST(lowest_cost, lowest_ticket) IS NOT NULL);
CREATE INDEX event_image_id_idx ON event (image_id);
CREATE INDEX event_lasts_long_idx ON event (starts_local) WHERE lasts_long;
-- With the ID: a search compares the IDs of all events with a password.
CREATE INDEX event_locked_idx ON event (password_key, id) WHERE (password_key IS NOT NULL);
-- A calendar finds the events of its days by their start, and those that began earlier by these indexes of few events.
CREATE INDEX event_long_idx ON event (ends_at, starts_at) WHERE ((ends_at - starts_at) > '1 day'::interval);
CREATE INDEX event_long_local_idx ON event (ends_local, starts_local) WHERE ((ends_local - starts_local) > '1 day'::interval);
CREATE INDEX event_lowest_price_idx ON event (LEAST(lowest_cost, lowest_ticket), starts_at, published_at, id) WHERE (LEAST(lowest_cost, lowest_ticket) IS NOT NULL);
CREATE INDEX event_modified_at_published_at_id_idx ON event (modified_at, published_at, id);
CREATE INDEX event_organizer_organizer_id_event_id_idx ON event_organizer (organizer_id, event_id);
CREATE INDEX event_parent_id_idx ON event (parent_id);
CREATE INDEX event_published_at_id_idx ON event (published_at, id);
CREATE INDEX event_slug_event_id_idx ON event_slug (event_id);
-- With these columns, PostgreSQL counts the facets of a month without reading its events.
CREATE INDEX event_starts_at_idx ON event (starts_at, published_at, id, live, hide_from_listings, ends_at, password_key, lowest_cost, highest_cost, sticky, all_day, starts_local, ends_local);
CREATE INDEX event_starts_local_idx ON event (starts_local, published_at, id, live, hide_from_listings, ends_local, password_key, sticky, all_day, ends_at);
CREATE INDEX event_tag_tag_id_event_id_idx ON event_tag (tag_id, event_id);
CREATE INDEX event_text_language_event_id_idx ON event_text (language, event_id) INCLUDE (written);
CREATE INDEX event_text_language_name_event_id_idx ON event_text (language, name, event_id);
CREATE INDEX event_text_name_search_idx ON event_text USING gin (language, folded_name gin_trgm_ops, name_words(folded_name)) WITH (gin_pending_list_limit='128');
-- Each lookup reads the pending list of the index. An event adds many entries, and shorter lists make its write dearer.
CREATE INDEX event_text_search_idx ON event_text USING gin (language, folded gin_trgm_ops, stems) WITH (gin_pending_list_limit='1024');
-- Nearly all events have the UID that their ID gives them.
CREATE UNIQUE INDEX event_uid_idx ON event (uid) WHERE (uid IS NOT NULL);
-- The few that are not published, for those who see them.
CREATE INDEX event_unpublished_idx ON event (starts_local, published_at, id) WHERE (NOT live);
CREATE INDEX event_venue_venue_id_event_id_idx ON event_venue (venue_id, event_id);
CREATE INDEX idempotency_key_created_at_idx ON idempotency_key (created_at);
CREATE INDEX image_author_id_idx ON image (author_id);
CREATE INDEX image_former_url_idx ON image (former_url);
CREATE INDEX image_slug_idx ON image (slug);
CREATE INDEX image_source_url_idx ON image (source_url);
CREATE INDEX image_url_idx ON image (url);
CREATE INDEX organizer_author_id_idx ON organizer (author_id);
CREATE INDEX organizer_image_id_idx ON organizer (image_id);
CREATE INDEX organizer_modified_at_published_at_id_idx ON organizer (modified_at, published_at, id);
CREATE INDEX organizer_password_key_idx ON organizer (password_key) WHERE (password_key IS NOT NULL);
CREATE INDEX organizer_published_at_id_idx ON organizer (published_at, id);
CREATE INDEX organizer_slug_organizer_id_idx ON organizer_slug (organizer_id);
CREATE INDEX organizer_text_language_name_organizer_id_idx ON organizer_text (language, name, organizer_id);
CREATE INDEX organizer_text_name_search_idx ON organizer_text USING gin (language, folded_name gin_trgm_ops, name_words(folded_name)) WITH (gin_pending_list_limit='128');
CREATE INDEX organizer_text_search_idx ON organizer_text USING gin (language, folded gin_trgm_ops, stems) WITH (gin_pending_list_limit='128');
CREATE INDEX organizer_unpublished_idx ON organizer (published_at, id) WHERE (NOT live);
CREATE INDEX search_token_parts_idx ON search_token USING gin (token gin_trgm_ops) WITH (gin_pending_list_limit='128');
CREATE INDEX search_token_token_idx ON search_token (token);
CREATE INDEX tag_slug_tag_id_idx ON tag_slug (tag_id);
CREATE INDEX tag_text_language_name_tag_id_idx ON tag_text (language, name, tag_id);
CREATE INDEX tag_text_search_idx ON tag_text USING gin (language, folded gin_trgm_ops, stems) WITH (gin_pending_list_limit='128');
CREATE INDEX ticket_event_id_idx ON ticket (event_id);
CREATE UNIQUE INDEX user_login_key ON "user" (login);
CREATE UNIQUE INDEX user_oidc_subject_key ON "user" (oidc_subject);
CREATE INDEX venue_author_id_idx ON venue (author_id);
CREATE INDEX venue_folded_city_idx ON venue (folded_city);
CREATE INDEX venue_image_id_idx ON venue (image_id);
-- Venues inside a box of degrees.
CREATE INDEX venue_location_idx ON venue USING gist (point(longitude, latitude));
-- For the filter `modifiedAt` of venues and organizers.
CREATE INDEX venue_modified_at_published_at_id_idx ON venue (modified_at, published_at, id);
CREATE INDEX venue_password_key_idx ON venue (password_key) WHERE (password_key IS NOT NULL);
CREATE INDEX venue_published_at_id_idx ON venue (published_at, id);
CREATE INDEX venue_slug_venue_id_idx ON venue_slug (venue_id);
CREATE INDEX venue_text_language_name_venue_id_idx ON venue_text (language, name, venue_id);
CREATE INDEX venue_text_name_search_idx ON venue_text USING gin (language, folded_name gin_trgm_ops, name_words(folded_name)) WITH (gin_pending_list_limit='128');
CREATE INDEX venue_text_search_idx ON venue_text USING gin (language, folded gin_trgm_ops, stems) WITH (gin_pending_list_limit='128');
CREATE INDEX venue_unpublished_idx ON venue (published_at, id) WHERE (NOT live);

CREATE TRIGGER collect_inserted AFTER INSERT ON event_text REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION collect_tokens();
CREATE TRIGGER collect_updated AFTER UPDATE ON event_text REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION collect_tokens();
CREATE TRIGGER count_made AFTER INSERT ON event_category REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_links('category');
CREATE TRIGGER count_made AFTER INSERT ON event_tag REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_links('tag');
CREATE TRIGGER count_removed AFTER DELETE ON event_category REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_links('category');
CREATE TRIGGER count_removed AFTER DELETE ON event_tag REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_links('tag');
CREATE TRIGGER facet_keys_delete AFTER DELETE ON event_category REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION renew_facet_keys();
CREATE TRIGGER facet_keys_delete AFTER DELETE ON event_organizer REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION renew_facet_keys();
CREATE TRIGGER facet_keys_delete AFTER DELETE ON event_tag REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION renew_facet_keys();
CREATE TRIGGER facet_keys_delete AFTER DELETE ON event_text REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION renew_facet_keys();
CREATE TRIGGER facet_keys_delete AFTER DELETE ON event_venue REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION renew_facet_keys();
CREATE TRIGGER facet_keys_delete AFTER DELETE ON ticket REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION renew_facet_keys();
CREATE TRIGGER facet_keys_insert AFTER INSERT ON event REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION add_facet_keys();
CREATE TRIGGER facet_keys_insert AFTER INSERT ON event_category REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION renew_facet_keys();
CREATE TRIGGER facet_keys_insert AFTER INSERT ON event_organizer REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION renew_facet_keys();
CREATE TRIGGER facet_keys_insert AFTER INSERT ON event_tag REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION renew_facet_keys();
CREATE TRIGGER facet_keys_insert AFTER INSERT ON event_text REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION renew_facet_keys();
CREATE TRIGGER facet_keys_insert AFTER INSERT ON event_venue REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION renew_facet_keys();
CREATE TRIGGER facet_keys_insert AFTER INSERT ON ticket REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION renew_facet_keys();
CREATE TRIGGER facet_keys_move AFTER UPDATE ON event FOR EACH ROW WHEN (((old.starts_at IS DISTINCT FROM new.starts_at) OR (old.lasts_long IS DISTINCT FROM new.lasts_long))) EXECUTE FUNCTION move_facet_keys();
CREATE TRIGGER facet_keys_update AFTER UPDATE ON event_text REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION renew_facet_keys();
CREATE TRIGGER facet_keys_update AFTER UPDATE ON ticket REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION renew_facet_keys();
CREATE TRIGGER lowest_ticket_delete AFTER DELETE ON ticket REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION renew_lowest_ticket();
-- The event of a ticket does not change.
CREATE TRIGGER lowest_ticket_insert AFTER INSERT ON ticket REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION renew_lowest_ticket();
CREATE TRIGGER lowest_ticket_update AFTER UPDATE ON ticket REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION renew_lowest_ticket();
CREATE TRIGGER notify_branch_delete AFTER DELETE ON category_text REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION notify_branch();
CREATE TRIGGER notify_branch_insert AFTER INSERT ON category_text REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION notify_branch();
CREATE TRIGGER notify_branch_update AFTER UPDATE ON category_text REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION notify_branch();
CREATE TRIGGER notify_delete AFTER DELETE ON category REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_id('category');
CREATE TRIGGER notify_delete AFTER DELETE ON category_count REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_category_id('category');
CREATE TRIGGER notify_delete AFTER DELETE ON category_path REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_descendant_id('category');
CREATE TRIGGER notify_delete AFTER DELETE ON category_slug REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_category_id('category');
CREATE TRIGGER notify_delete AFTER DELETE ON category_text REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_category_id('category');
CREATE TRIGGER notify_delete AFTER DELETE ON credential REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_credential_delete();
CREATE TRIGGER notify_delete AFTER DELETE ON event REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_id('event');
CREATE TRIGGER notify_delete AFTER DELETE ON event_category REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_event_id('event');
CREATE TRIGGER notify_delete AFTER DELETE ON event_organizer REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_event_id('event');
CREATE TRIGGER notify_delete AFTER DELETE ON event_slug REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_event_id('event');
CREATE TRIGGER notify_delete AFTER DELETE ON event_tag REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_event_id('event');
CREATE TRIGGER notify_delete AFTER DELETE ON event_text REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_event_id('event');
CREATE TRIGGER notify_delete AFTER DELETE ON event_venue REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_event_id('event');
CREATE TRIGGER notify_delete AFTER DELETE ON image REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_id('image');
CREATE TRIGGER notify_delete AFTER DELETE ON image_text REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_image_id('image');
CREATE TRIGGER notify_delete AFTER DELETE ON organizer REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_id('organizer');
CREATE TRIGGER notify_delete AFTER DELETE ON organizer_slug REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_organizer_id('organizer');
CREATE TRIGGER notify_delete AFTER DELETE ON organizer_text REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_organizer_id('organizer');
CREATE TRIGGER notify_delete AFTER DELETE ON tag REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_id('tag');
CREATE TRIGGER notify_delete AFTER DELETE ON tag_count REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_tag_id('tag');
CREATE TRIGGER notify_delete AFTER DELETE ON tag_slug REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_tag_id('tag');
CREATE TRIGGER notify_delete AFTER DELETE ON tag_text REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_tag_id('tag');
CREATE TRIGGER notify_delete AFTER DELETE ON ticket REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_event_id('event');
CREATE TRIGGER notify_delete AFTER DELETE ON "user" REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_id('user');
CREATE TRIGGER notify_delete AFTER DELETE ON venue REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_id('venue');
CREATE TRIGGER notify_delete AFTER DELETE ON venue_slug REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_venue_id('venue');
CREATE TRIGGER notify_delete AFTER DELETE ON venue_text REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_venue_id('venue');
CREATE TRIGGER notify_insert AFTER INSERT ON category REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_id('category');
CREATE TRIGGER notify_insert AFTER INSERT ON category_count REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_category_id('category');
CREATE TRIGGER notify_insert AFTER INSERT ON category_path REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_descendant_id('category');
CREATE TRIGGER notify_insert AFTER INSERT ON category_slug REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_category_id('category');
CREATE TRIGGER notify_insert AFTER INSERT ON category_text REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_category_id('category');
CREATE TRIGGER notify_insert AFTER INSERT ON event REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_id('event');
CREATE TRIGGER notify_insert AFTER INSERT ON event_category REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_event_id('event');
CREATE TRIGGER notify_insert AFTER INSERT ON event_organizer REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_event_id('event');
CREATE TRIGGER notify_insert AFTER INSERT ON event_slug REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_event_id('event');
CREATE TRIGGER notify_insert AFTER INSERT ON event_tag REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_event_id('event');
CREATE TRIGGER notify_insert AFTER INSERT ON event_text REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_event_id('event');
CREATE TRIGGER notify_insert AFTER INSERT ON event_venue REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_event_id('event');
CREATE TRIGGER notify_insert AFTER INSERT ON image_text REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_image_id('image');
CREATE TRIGGER notify_insert AFTER INSERT ON organizer REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_id('organizer');
CREATE TRIGGER notify_insert AFTER INSERT ON organizer_slug REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_organizer_id('organizer');
CREATE TRIGGER notify_insert AFTER INSERT ON organizer_text REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_organizer_id('organizer');
CREATE TRIGGER notify_insert AFTER INSERT ON tag REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_id('tag');
CREATE TRIGGER notify_insert AFTER INSERT ON tag_count REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_tag_id('tag');
CREATE TRIGGER notify_insert AFTER INSERT ON tag_slug REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_tag_id('tag');
CREATE TRIGGER notify_insert AFTER INSERT ON tag_text REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_tag_id('tag');
CREATE TRIGGER notify_insert AFTER INSERT ON ticket REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_event_id('event');
CREATE TRIGGER notify_insert AFTER INSERT ON venue REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_id('venue');
CREATE TRIGGER notify_insert AFTER INSERT ON venue_slug REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_venue_id('venue');
CREATE TRIGGER notify_insert AFTER INSERT ON venue_text REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_venue_id('venue');
CREATE TRIGGER notify_moved AFTER UPDATE ON event REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_event_moved();
CREATE TRIGGER notify_shown AFTER UPDATE ON organizer REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_shown('organizer');
CREATE TRIGGER notify_shown AFTER UPDATE ON venue REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_shown('venue');
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON category FOR EACH STATEMENT EXECUTE FUNCTION notify_all('category');
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON category_count FOR EACH STATEMENT EXECUTE FUNCTION notify_all('category');
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON category_path FOR EACH STATEMENT EXECUTE FUNCTION notify_all('category');
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON category_slug FOR EACH STATEMENT EXECUTE FUNCTION notify_all('category');
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON category_text FOR EACH STATEMENT EXECUTE FUNCTION notify_all('category');
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON credential FOR EACH STATEMENT EXECUTE FUNCTION notify_all('user');
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON event FOR EACH STATEMENT EXECUTE FUNCTION notify_all('event');
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON event_category FOR EACH STATEMENT EXECUTE FUNCTION notify_all('event');
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON event_organizer FOR EACH STATEMENT EXECUTE FUNCTION notify_all('event');
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON event_slug FOR EACH STATEMENT EXECUTE FUNCTION notify_all('event');
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON event_tag FOR EACH STATEMENT EXECUTE FUNCTION notify_all('event');
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON event_text FOR EACH STATEMENT EXECUTE FUNCTION notify_all('event');
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON event_venue FOR EACH STATEMENT EXECUTE FUNCTION notify_all('event');
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON image FOR EACH STATEMENT EXECUTE FUNCTION notify_all('image');
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON image_text FOR EACH STATEMENT EXECUTE FUNCTION notify_all('image');
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON organizer FOR EACH STATEMENT EXECUTE FUNCTION notify_all('organizer');
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON organizer_slug FOR EACH STATEMENT EXECUTE FUNCTION notify_all('organizer');
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON organizer_text FOR EACH STATEMENT EXECUTE FUNCTION notify_all('organizer');
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON tag FOR EACH STATEMENT EXECUTE FUNCTION notify_all('tag');
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON tag_count FOR EACH STATEMENT EXECUTE FUNCTION notify_all('tag');
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON tag_slug FOR EACH STATEMENT EXECUTE FUNCTION notify_all('tag');
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON tag_text FOR EACH STATEMENT EXECUTE FUNCTION notify_all('tag');
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON ticket FOR EACH STATEMENT EXECUTE FUNCTION notify_all('event');
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON "user" FOR EACH STATEMENT EXECUTE FUNCTION notify_all('user');
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON venue FOR EACH STATEMENT EXECUTE FUNCTION notify_all('venue');
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON venue_slug FOR EACH STATEMENT EXECUTE FUNCTION notify_all('venue');
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON venue_text FOR EACH STATEMENT EXECUTE FUNCTION notify_all('venue');
-- Links that are gone without a count of them.
CREATE TRIGGER notify_truncate_term AFTER TRUNCATE ON event_category FOR EACH STATEMENT EXECUTE FUNCTION notify_all('category');
CREATE TRIGGER notify_truncate_term AFTER TRUNCATE ON event_tag FOR EACH STATEMENT EXECUTE FUNCTION notify_all('tag');
CREATE TRIGGER notify_update AFTER UPDATE ON category REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_id('category');
CREATE TRIGGER notify_update AFTER UPDATE ON category_count REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_category_id('category');
CREATE TRIGGER notify_update AFTER UPDATE ON category_path REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_descendant_id('category');
CREATE TRIGGER notify_update AFTER UPDATE ON category_slug REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_category_id('category');
CREATE TRIGGER notify_update AFTER UPDATE ON category_text REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_category_id('category');
CREATE TRIGGER notify_update AFTER UPDATE ON credential REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_credential_update();
CREATE TRIGGER notify_update AFTER UPDATE ON event REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_id('event');
CREATE TRIGGER notify_update AFTER UPDATE ON event_category REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_event_id('event');
CREATE TRIGGER notify_update AFTER UPDATE ON event_organizer REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_event_id('event');
CREATE TRIGGER notify_update AFTER UPDATE ON event_slug REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_event_id('event');
CREATE TRIGGER notify_update AFTER UPDATE ON event_tag REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_event_id('event');
CREATE TRIGGER notify_update AFTER UPDATE ON event_text REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_event_id('event');
CREATE TRIGGER notify_update AFTER UPDATE ON event_venue REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_event_id('event');
CREATE TRIGGER notify_update AFTER UPDATE ON image REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_id('image');
CREATE TRIGGER notify_update AFTER UPDATE ON image_text REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_image_id('image');
CREATE TRIGGER notify_update AFTER UPDATE ON organizer REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_id('organizer');
CREATE TRIGGER notify_update AFTER UPDATE ON organizer_slug REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_organizer_id('organizer');
CREATE TRIGGER notify_update AFTER UPDATE ON organizer_text REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_organizer_id('organizer');
CREATE TRIGGER notify_update AFTER UPDATE ON tag REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_id('tag');
CREATE TRIGGER notify_update AFTER UPDATE ON tag_count REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_tag_id('tag');
CREATE TRIGGER notify_update AFTER UPDATE ON tag_slug REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_tag_id('tag');
CREATE TRIGGER notify_update AFTER UPDATE ON tag_text REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_tag_id('tag');
CREATE TRIGGER notify_update AFTER UPDATE ON ticket REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_event_id('event');
CREATE TRIGGER notify_update AFTER UPDATE ON "user" REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_id('user');
CREATE TRIGGER notify_update AFTER UPDATE ON venue REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_id('venue');
CREATE TRIGGER notify_update AFTER UPDATE ON venue_slug REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_venue_id('venue');
CREATE TRIGGER notify_update AFTER UPDATE ON venue_text REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION notify_by_venue_id('venue');
CREATE TRIGGER recount_event AFTER UPDATE ON event FOR EACH ROW
  WHEN ((old.status, old.published_at, old.password_key) IS DISTINCT FROM (new.status, new.published_at, new.password_key)
    OR (new.password_key IS NOT NULL AND old.author_id IS DISTINCT FROM new.author_id))
  EXECUTE FUNCTION recount_event();
CREATE TRIGGER unlink_hidden BEFORE DELETE ON organizer FOR EACH ROW WHEN (((NOT old.live) OR (old.published_at > (now() + '00:01:00'::interval)))) EXECUTE FUNCTION unlink_hidden();
CREATE TRIGGER unlink_hidden BEFORE DELETE ON venue FOR EACH ROW WHEN (((NOT old.live) OR (old.published_at > (now() + '00:01:00'::interval)))) EXECUTE FUNCTION unlink_hidden();
CREATE TRIGGER unlink_terms BEFORE DELETE ON event FOR EACH ROW EXECUTE FUNCTION unlink_terms();

ALTER TABLE category_count ADD CONSTRAINT category_count_category_id_fkey FOREIGN KEY (category_id) REFERENCES category(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE category ADD CONSTRAINT category_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES category(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE category_path ADD CONSTRAINT category_path_ancestor_id_fkey FOREIGN KEY (ancestor_id) REFERENCES category(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE category_path ADD CONSTRAINT category_path_descendant_id_fkey FOREIGN KEY (descendant_id) REFERENCES category(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE category_slug ADD CONSTRAINT category_slug_category_id_fkey FOREIGN KEY (category_id) REFERENCES category(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE category_text ADD CONSTRAINT category_text_category_id_fkey FOREIGN KEY (category_id) REFERENCES category(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE credential ADD CONSTRAINT credential_user_id_fkey FOREIGN KEY (user_id) REFERENCES "user"(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE event ADD CONSTRAINT event_author_id_fkey FOREIGN KEY (author_id) REFERENCES "user"(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE event_category ADD CONSTRAINT event_category_category_id_fkey FOREIGN KEY (category_id) REFERENCES category(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE event_category ADD CONSTRAINT event_category_event_id_fkey FOREIGN KEY (event_id) REFERENCES event(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE event_facet_keys ADD CONSTRAINT event_facet_keys_event_id_fkey FOREIGN KEY (event_id) REFERENCES event(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE event ADD CONSTRAINT event_image_id_fkey FOREIGN KEY (image_id) REFERENCES image(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE event_organizer ADD CONSTRAINT event_organizer_event_id_fkey FOREIGN KEY (event_id) REFERENCES event(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE event_organizer ADD CONSTRAINT event_organizer_organizer_id_fkey FOREIGN KEY (organizer_id) REFERENCES organizer(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE event ADD CONSTRAINT event_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES event(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE event_slug ADD CONSTRAINT event_slug_event_id_fkey FOREIGN KEY (event_id) REFERENCES event(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE event_tag ADD CONSTRAINT event_tag_event_id_fkey FOREIGN KEY (event_id) REFERENCES event(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE event_tag ADD CONSTRAINT event_tag_tag_id_fkey FOREIGN KEY (tag_id) REFERENCES tag(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE event_text ADD CONSTRAINT event_text_event_id_fkey FOREIGN KEY (event_id) REFERENCES event(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE event_venue ADD CONSTRAINT event_venue_event_id_fkey FOREIGN KEY (event_id) REFERENCES event(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE event_venue ADD CONSTRAINT event_venue_venue_id_fkey FOREIGN KEY (venue_id) REFERENCES venue(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE idempotency_key ADD CONSTRAINT idempotency_key_user_id_fkey FOREIGN KEY (user_id) REFERENCES "user"(id) ON DELETE CASCADE;
ALTER TABLE image ADD CONSTRAINT image_author_id_fkey FOREIGN KEY (author_id) REFERENCES "user"(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE image_text ADD CONSTRAINT image_text_image_id_fkey FOREIGN KEY (image_id) REFERENCES image(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE organizer ADD CONSTRAINT organizer_author_id_fkey FOREIGN KEY (author_id) REFERENCES "user"(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE organizer ADD CONSTRAINT organizer_image_id_fkey FOREIGN KEY (image_id) REFERENCES image(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE organizer_slug ADD CONSTRAINT organizer_slug_organizer_id_fkey FOREIGN KEY (organizer_id) REFERENCES organizer(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE organizer_text ADD CONSTRAINT organizer_text_organizer_id_fkey FOREIGN KEY (organizer_id) REFERENCES organizer(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE tag_count ADD CONSTRAINT tag_count_tag_id_fkey FOREIGN KEY (tag_id) REFERENCES tag(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE tag_slug ADD CONSTRAINT tag_slug_tag_id_fkey FOREIGN KEY (tag_id) REFERENCES tag(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE tag_text ADD CONSTRAINT tag_text_tag_id_fkey FOREIGN KEY (tag_id) REFERENCES tag(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ticket ADD CONSTRAINT ticket_event_id_fkey FOREIGN KEY (event_id) REFERENCES event(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE venue ADD CONSTRAINT venue_author_id_fkey FOREIGN KEY (author_id) REFERENCES "user"(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE venue ADD CONSTRAINT venue_image_id_fkey FOREIGN KEY (image_id) REFERENCES image(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE venue_slug ADD CONSTRAINT venue_slug_venue_id_fkey FOREIGN KEY (venue_id) REFERENCES venue(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE venue_text ADD CONSTRAINT venue_text_venue_id_fkey FOREIGN KEY (venue_id) REFERENCES venue(id) ON UPDATE CASCADE ON DELETE CASCADE;

COMMIT;
