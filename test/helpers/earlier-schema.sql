SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
CREATE EXTENSION IF NOT EXISTS btree_gin WITH SCHEMA public;
CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;
CREATE TYPE public.attendance_mode AS ENUM (
    'offline',
    'online',
    'mixed'
);
CREATE TYPE public.credential_kind AS ENUM (
    'application_password',
    'api_token'
);
CREATE TYPE public.event_status AS ENUM (
    'scheduled',
    'cancelled',
    'postponed',
    'rescheduled',
    'moved_online'
);
CREATE TYPE public.role AS ENUM (
    'administrator',
    'editor',
    'author',
    'contributor',
    'subscriber'
);
CREATE TYPE public.status AS ENUM (
    'publish',
    'future',
    'draft',
    'pending',
    'private',
    'trash'
);
CREATE FUNCTION public.add_facet_keys() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  INSERT INTO event_facet_keys (event_id, starts_at) SELECT id, CASE WHEN NOT lasts_long THEN starts_at END FROM changed;
  RETURN NULL;
END $$;
CREATE FUNCTION public.cost_currency(cost text[]) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS $_$
BEGIN
  RETURN (
    SELECT CASE WHEN count(DISTINCT symbol) = 1 AND min(symbol) ~ '^[^[:space:]0-9]{1,4}$'
      THEN upper(min(symbol) COLLATE "und-x-icu") ELSE '' END
    FROM unnest(cost) AS item,
      regexp_split_to_table(regexp_replace(item, '</?[a-zA-Z!][^<>]*>', '', 'g'), '(?<![0-9]),|,(?![0-9])|\s+[-–—]\s+') AS piece,
      LATERAL (SELECT nullif(btrim(regexp_replace(piece, '[0-9]+(?:[.,][0-9]+)*', '', 'g')), '') AS symbol) AS symbols
    WHERE piece ~ '[0-9]'
  );
END $_$;
CREATE FUNCTION public.cost_range(cost text[]) RETURNS double precision[]
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
    AS $_$
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
END $_$;
CREATE SEQUENCE public.post_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE public.event (
    id integer DEFAULT nextval('public.post_id_seq'::regclass) NOT NULL,
    author_id integer,
    status public.status NOT NULL,
    live boolean GENERATED ALWAYS AS ((status = ANY (ARRAY['publish'::public.status, 'future'::public.status]))) STORED,
    trashed_from public.status,
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
    event_status public.event_status DEFAULT 'scheduled'::public.event_status NOT NULL,
    attendance_mode public.attendance_mode DEFAULT 'offline'::public.attendance_mode NOT NULL,
    online_url text,
    previous_starts_at timestamp(0) with time zone,
    uid text,
    sequence integer DEFAULT 0 NOT NULL,
    lowest_cost double precision GENERATED ALWAYS AS (
CASE
    WHEN (cost <> '{}'::text[]) THEN (public.cost_range(cost))[1]
    ELSE NULL::double precision
END) STORED,
    highest_cost double precision GENERATED ALWAYS AS (
CASE
    WHEN (cost <> '{}'::text[]) THEN (public.cost_range(cost))[2]
    ELSE NULL::double precision
END) STORED,
    cost_currency text GENERATED ALWAYS AS (
CASE
    WHEN (cost <> '{}'::text[]) THEN public.cost_currency(cost)
    ELSE NULL::text
END) STORED,
    lasts_long boolean GENERATED ALWAYS AS ((ends_local > (starts_local + '31 days'::interval))) STORED,
    lowest_ticket double precision,
    CONSTRAINT event_ends_after_start CHECK ((ends_local >= starts_local)),
    CONSTRAINT event_not_its_own_parent CHECK ((parent_id <> id))
);
CREATE FUNCTION public.add_to_counts(e public.event, change integer) RETURNS void
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION public.count_links() RETURNS trigger
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    AS $$
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
CREATE FUNCTION public.counts_from(e public.event) RETURNS timestamp with time zone
    LANGUAGE sql STABLE
    AS $$
  SELECT CASE WHEN e.status = 'future' OR e.published_at > now() THEN e.published_at ELSE '0001-01-01 00:00:00+00' END
$$;
CREATE FUNCTION public.fold_line(line text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
  SELECT btrim(regexp_replace(
    lower(normalize(regexp_replace(normalize(left(line, 1000), NFKD), '[\u0300-\u036f]', '', 'g'), NFC) COLLATE "und-x-icu"),
    '\s+', ' ', 'g'))
$$;
CREATE FUNCTION public.index_event_texts() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION public.index_events(ids integer[]) RETURNS void
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
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
CREATE FUNCTION public.move_facet_keys() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  UPDATE event_facet_keys SET starts_at = CASE WHEN NOT NEW.lasts_long THEN NEW.starts_at END WHERE event_id = NEW.id;
  RETURN NULL;
END $$;
CREATE FUNCTION public.name_terms(folded text, stems tsvector) RETURNS text[]
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS $$
BEGIN
  RETURN ARRAY(
    SELECT '~' || stem FROM unnest(tsvector_to_array(stems)) AS stem
    UNION ALL SELECT '!' || stem FROM unnest(tsvector_to_array(ts_filter(stems, '{a}'))) AS stem
    UNION ALL SELECT '^' || prefix FROM word_prefixes(split_part(folded, E'\n', 1), 6) AS prefix);
END $$;
CREATE FUNCTION public.name_words(folded text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS $$
DECLARE
  name TEXT := split_part(folded, E'\n', 1);
BEGIN
  RETURN CASE WHEN octet_length(name) <= 1000
    THEN left(' ' || btrim(regexp_replace(name COLLATE "und-x-icu", '[^[:alnum:]]+', ' ', 'g')), 80) END;
END $$;
CREATE FUNCTION public.notify_all() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
  kind text;
BEGIN
  FOREACH kind IN ARRAY TG_ARGV LOOP
    PERFORM send_change(kind);
  END LOOP;
  RETURN NULL;
END $$;
CREATE FUNCTION public.notify_branch() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  PERFORM tell_change('category', ARRAY(
    SELECT DISTINCT p.descendant_id FROM changed n JOIN category_path p ON p.ancestor_id = n.category_id
    WHERE p.depth > 0 LIMIT 101));
  RETURN NULL;
END $$;
CREATE FUNCTION public.notify_by_category_id() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION public.notify_by_descendant_id() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION public.notify_by_event_id() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION public.notify_by_id() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION public.notify_by_image_id() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION public.notify_by_organizer_id() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION public.notify_by_tag_id() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION public.notify_by_venue_id() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION public.notify_credential_delete() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  PERFORM tell_change('user', ARRAY(SELECT DISTINCT user_id FROM old_rows LIMIT 101));
  RETURN NULL;
END $$;
CREATE FUNCTION public.notify_credential_update() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  PERFORM tell_change('user', ARRAY(
    SELECT DISTINCT user_id FROM (
      SELECT id, user_id, hash, expires_at, revoked_at FROM old_rows
      EXCEPT SELECT id, user_id, hash, expires_at, revoked_at FROM new_rows
    ) AS changed LIMIT 101));
  RETURN NULL;
END $$;
CREATE FUNCTION public.notify_event_moved() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION public.notify_shown() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF EXISTS (
    SELECT id, published_at, live, password_key FROM new_rows
    EXCEPT SELECT id, published_at, live, password_key FROM old_rows
  ) THEN
    PERFORM send_change(TG_ARGV[0]);
  END IF;
  RETURN NULL;
END $$;
CREATE FUNCTION public.queue_purge(message text) RETURNS void
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION public.recount_event() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  PERFORM add_to_counts(OLD, -1);
  PERFORM add_to_counts(NEW, 1);
  RETURN NULL;
END $$;
CREATE FUNCTION public.renew_facet_keys() RETURNS trigger
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    AS $$
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
CREATE FUNCTION public.renew_lowest_ticket() RETURNS trigger
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    AS $$
BEGIN
  -- A transaction that changes the same event waits here, so that the next statement reads what the other one wrote.
  PERFORM FROM event WHERE id IN (SELECT event_id FROM changed) ORDER BY id FOR NO KEY UPDATE;
  UPDATE event e SET lowest_ticket = source.lowest
  FROM (SELECT event_id, (SELECT min(price) FROM ticket t WHERE t.event_id = events.event_id)::float8 AS lowest
        FROM (SELECT DISTINCT event_id FROM changed) events) source
  WHERE e.id = source.event_id AND e.lowest_ticket IS DISTINCT FROM source.lowest;
  RETURN NULL;
END $$;
CREATE FUNCTION public.search_tokens(folded text) RETURNS SETOF text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  SELECT word FROM string_to_table(translate(folded, E'\n', ' '), ' ') AS word WHERE word <> '' AND length(word) <= 100
  UNION ALL
  -- Partitioned by number: to compare long words with each other for each piece takes time that grows with their square.
  SELECT piece[1] || coalesce((lead(piece) OVER (PARTITION BY number ORDER BY position))[1], '')
  FROM string_to_table(translate(folded, E'\n', ' '), ' ') WITH ORDINALITY AS words(word, number),
    regexp_matches(word, '.{1,50}', 'g') WITH ORDINALITY AS pieces(piece, position)
  WHERE length(word) > 100
$$;
CREATE FUNCTION public.send_change(message text) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  PERFORM pg_notify('calendar_changes', message);
  PERFORM queue_purge(message);
END $$;
CREATE FUNCTION public.similar_names(word text, name_language text) RETURNS TABLE(kind text, id integer)
    LANGUAGE sql STABLE
    SET "pg_trgm.word_similarity_threshold" TO '0.45'
    AS $$
  SELECT 'venue', venue_id FROM venue_text WHERE language = name_language AND word <% folded_name
  UNION ALL SELECT 'organizer', organizer_id FROM organizer_text WHERE language = name_language AND word <% folded_name
  UNION ALL SELECT 'category', category_id FROM category_text
    WHERE language = name_language AND word <% split_part(folded, E'\n', 1)
  UNION ALL SELECT 'tag', tag_id FROM tag_text WHERE language = name_language AND word <% split_part(folded, E'\n', 1)
$$;
CREATE FUNCTION public.tell_change(kind text, ids integer[]) RETURNS void
    LANGUAGE sql
    AS $$
  SELECT send_change(CASE
    WHEN cardinality(ids) > 100 THEN kind
    ELSE kind || ':' || array_to_string(ids, ',')
  END) WHERE cardinality(ids) > 0
$$;
CREATE FUNCTION public.token_array(folded text) RETURNS text[]
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS $$
DECLARE
  words TEXT[] := array_remove(string_to_array(translate(folded, E'\n\x01', '  '), ' '), '');
BEGIN
  IF length(folded) > 100 AND folded ~ '[^ \n\x01]{101}' THEN
    RETURN ARRAY(SELECT search_tokens(translate(folded, E'\x01', ' ')));
  END IF;
  RETURN words;
END $$;
CREATE FUNCTION public.unlink_hidden() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION public.unlink_terms() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
  DELETE FROM event_category WHERE event_id = OLD.id;
  DELETE FROM event_tag WHERE event_id = OLD.id;
  RETURN OLD;
END $$;
CREATE FUNCTION public.with_prefix(prefix text, texts text[]) RETURNS text[]
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS $$
BEGIN
  RETURN CASE WHEN cardinality(texts) = 0 THEN texts
    ELSE string_to_array(prefix || array_to_string(texts, E'\x01' || prefix), E'\x01') END;
END $$;
CREATE FUNCTION public.word_prefixes(name text, size integer) RETURNS SETOF text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$
  SELECT left(word, length) FROM regexp_split_to_table(name COLLATE "und-x-icu", '[^[:alnum:]]+') AS word,
    generate_series(1, least(size, length(word))) AS length
$$;
CREATE TABLE public._prisma_migrations (
    id character varying(36) NOT NULL,
    checksum character varying(64) NOT NULL,
    finished_at timestamp with time zone,
    migration_name character varying(255) NOT NULL,
    logs text,
    rolled_back_at timestamp with time zone,
    started_at timestamp with time zone DEFAULT now() NOT NULL,
    applied_steps_count integer DEFAULT 0 NOT NULL
);
CREATE SEQUENCE public.term_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE public.category (
    id integer DEFAULT nextval('public.term_id_seq'::regclass) NOT NULL,
    original_language text NOT NULL,
    parent_id integer
);
CREATE TABLE public.category_count (
    category_id integer NOT NULL,
    part integer NOT NULL,
    events integer NOT NULL,
    published_at timestamp(3) with time zone NOT NULL,
    password_key text NOT NULL,
    author_id integer NOT NULL
);
CREATE TABLE public.category_path (
    ancestor_id integer NOT NULL,
    descendant_id integer NOT NULL,
    depth integer NOT NULL
);
CREATE TABLE public.category_slug (
    slug text NOT NULL,
    category_id integer NOT NULL
);
CREATE TABLE public.category_text (
    category_id integer NOT NULL,
    language text NOT NULL,
    name text NOT NULL COLLATE pg_catalog."und-x-icu",
    description text NOT NULL COLLATE pg_catalog."und-x-icu",
    slug text NOT NULL COLLATE pg_catalog."C",
    written text[] NOT NULL,
    source text NOT NULL,
    folded text NOT NULL,
    stems tsvector,
    description_source text,
    terms text[] GENERATED ALWAYS AS (public.name_terms(folded, stems)) STORED COLLATE pg_catalog."C"
);
CREATE TABLE public.cdn_purge (
    id bigint NOT NULL,
    target text NOT NULL,
    change text NOT NULL,
    transaction bigint NOT NULL,
    round integer DEFAULT 0 NOT NULL,
    created_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
    due_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL
);
CREATE SEQUENCE public.cdn_purge_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.cdn_purge_id_seq OWNED BY public.cdn_purge.id;
CREATE TABLE public.cdn_target (
    name text NOT NULL,
    fingerprint text NOT NULL,
    changed_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);
CREATE TABLE public.credential (
    id integer NOT NULL,
    user_id integer NOT NULL,
    kind public.credential_kind NOT NULL,
    name text NOT NULL,
    hash text NOT NULL,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    last_used_at timestamp(3) with time zone,
    expires_at timestamp(3) with time zone,
    revoked_at timestamp(3) with time zone
);
CREATE SEQUENCE public.credential_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.credential_id_seq OWNED BY public.credential.id;
CREATE TABLE public.event_category (
    event_id integer NOT NULL,
    category_id integer NOT NULL
);
CREATE TABLE public.event_facet_keys (
    event_id integer NOT NULL,
    category_ids text DEFAULT '{}'::text NOT NULL COLLATE pg_catalog."C",
    tag_ids text DEFAULT '{}'::text NOT NULL COLLATE pg_catalog."C",
    venue_ids integer[] DEFAULT ARRAY[]::integer[] NOT NULL,
    organizer_ids integer[] DEFAULT ARRAY[]::integer[] NOT NULL,
    languages text DEFAULT '{}'::text NOT NULL COLLATE pg_catalog."C",
    paid_tickets boolean,
    starts_at timestamp(0) with time zone,
    indexed boolean GENERATED ALWAYS AS (((starts_at IS NOT NULL) AND ((((octet_length(category_ids) + octet_length(tag_ids)) + octet_length(languages)) + (4 * (cardinality(venue_ids) + cardinality(organizer_ids)))) < 2000))) STORED
)
WITH (fillfactor='80');
CREATE TABLE public.event_organizer (
    event_id integer NOT NULL,
    organizer_id integer NOT NULL,
    "position" integer NOT NULL
);
CREATE TABLE public.event_search (
    event_id integer NOT NULL,
    terms text[] NOT NULL COLLATE pg_catalog."C"
)
WITH (toast_tuple_target='128');
CREATE TABLE public.event_slug (
    slug text NOT NULL,
    event_id integer NOT NULL
);
CREATE TABLE public.event_tag (
    event_id integer NOT NULL,
    tag_id integer NOT NULL
);
CREATE TABLE public.event_text (
    event_id integer NOT NULL,
    language text NOT NULL,
    name text NOT NULL COLLATE pg_catalog."und-x-icu",
    description text NOT NULL,
    excerpt text NOT NULL,
    slug text NOT NULL,
    written text[] NOT NULL,
    source text NOT NULL,
    folded text NOT NULL,
    stems tsvector,
    folded_name text GENERATED ALWAYS AS (split_part(folded, '
'::text, 1)) STORED,
    description_source text,
    excerpt_source text
);
CREATE TABLE public.event_venue (
    event_id integer NOT NULL,
    venue_id integer NOT NULL,
    "position" integer NOT NULL
);
CREATE TABLE public.idempotency_key (
    user_id integer NOT NULL,
    key text NOT NULL,
    fingerprint text NOT NULL,
    outcomes jsonb DEFAULT '{}'::jsonb NOT NULL,
    status integer,
    headers jsonb,
    body text,
    created_at timestamp(3) with time zone NOT NULL,
    CONSTRAINT idempotency_key_key_check CHECK (((length(key) >= 1) AND (length(key) <= 255)))
);
CREATE TABLE public.image (
    id integer DEFAULT nextval('public.post_id_seq'::regclass) NOT NULL,
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
    former_url text
);
CREATE TABLE public.image_text (
    image_id integer NOT NULL,
    language text NOT NULL,
    title text DEFAULT ''::text NOT NULL,
    alt_text text DEFAULT ''::text NOT NULL,
    caption text DEFAULT ''::text NOT NULL,
    credit text DEFAULT ''::text NOT NULL,
    written text[] DEFAULT ARRAY[]::text[] NOT NULL
);
CREATE TABLE public.imported_record (
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
    CONSTRAINT imported_record_kind_check CHECK ((kind = ANY (ARRAY['event'::text, 'venue'::text, 'organizer'::text, 'category'::text, 'tag'::text, 'user'::text])))
);
CREATE TABLE public.organizer (
    id integer DEFAULT nextval('public.post_id_seq'::regclass) NOT NULL,
    author_id integer,
    status public.status NOT NULL,
    live boolean GENERATED ALWAYS AS ((status = ANY (ARRAY['publish'::public.status, 'future'::public.status]))) STORED,
    trashed_from public.status,
    published_at timestamp(3) with time zone NOT NULL,
    modified_at timestamp(3) with time zone NOT NULL,
    original_language text NOT NULL,
    password_key text,
    image_id integer,
    phone text DEFAULT ''::text NOT NULL,
    website text DEFAULT ''::text NOT NULL,
    email text DEFAULT ''::text NOT NULL
);
CREATE TABLE public.organizer_slug (
    slug text NOT NULL,
    organizer_id integer NOT NULL
);
CREATE TABLE public.organizer_text (
    organizer_id integer NOT NULL,
    language text NOT NULL,
    name text NOT NULL COLLATE pg_catalog."und-x-icu",
    description text NOT NULL,
    excerpt text NOT NULL,
    slug text NOT NULL,
    written text[] NOT NULL,
    source text NOT NULL,
    folded text NOT NULL,
    stems tsvector,
    folded_name text GENERATED ALWAYS AS (split_part(folded, '
'::text, 1)) STORED,
    description_source text,
    excerpt_source text,
    terms text[] GENERATED ALWAYS AS (public.name_terms(folded, stems)) STORED COLLATE pg_catalog."C",
    words text GENERATED ALWAYS AS (public.name_words(folded)) STORED
);
CREATE UNLOGGED TABLE public.rate_limit (
    key text NOT NULL,
    points double precision NOT NULL,
    expire bigint NOT NULL
)
WITH (fillfactor='50');
CREATE TABLE public.search_token (
    id integer NOT NULL,
    token text NOT NULL COLLATE pg_catalog."C"
);
CREATE SEQUENCE public.search_token_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.search_token_id_seq OWNED BY public.search_token.id;
CREATE TABLE public.site (
    id integer DEFAULT 1 NOT NULL,
    password_salt bytea NOT NULL,
    languages text[] NOT NULL,
    default_language text NOT NULL,
    seeded_at timestamp(3) with time zone,
    text_rules integer DEFAULT 1 NOT NULL,
    CONSTRAINT site_single_row CHECK ((id = 1))
);
CREATE TABLE public.tag (
    id integer DEFAULT nextval('public.term_id_seq'::regclass) NOT NULL,
    original_language text NOT NULL
);
CREATE TABLE public.tag_count (
    tag_id integer NOT NULL,
    part integer NOT NULL,
    events integer NOT NULL,
    published_at timestamp(3) with time zone NOT NULL,
    password_key text NOT NULL,
    author_id integer NOT NULL
);
CREATE TABLE public.tag_slug (
    slug text NOT NULL,
    tag_id integer NOT NULL
);
CREATE TABLE public.tag_text (
    tag_id integer NOT NULL,
    language text NOT NULL,
    name text NOT NULL COLLATE pg_catalog."und-x-icu",
    description text NOT NULL COLLATE pg_catalog."und-x-icu",
    slug text NOT NULL COLLATE pg_catalog."C",
    written text[] NOT NULL,
    source text NOT NULL,
    folded text NOT NULL,
    stems tsvector,
    description_source text,
    terms text[] GENERATED ALWAYS AS (public.name_terms(folded, stems)) STORED COLLATE pg_catalog."C"
);
CREATE TABLE public.ticket (
    id integer NOT NULL,
    event_id integer NOT NULL,
    "position" integer NOT NULL,
    name text NOT NULL,
    price numeric(12,2) NOT NULL,
    currency character(3) NOT NULL,
    capacity integer,
    sales_start timestamp(0) with time zone,
    sales_end timestamp(0) with time zone
);
CREATE SEQUENCE public.ticket_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.ticket_id_seq OWNED BY public.ticket.id;
CREATE TABLE public."user" (
    id integer NOT NULL,
    login text NOT NULL,
    name text NOT NULL,
    email text,
    role public.role NOT NULL,
    oidc_subject text,
    created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    locale text
);
CREATE SEQUENCE public.user_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.user_id_seq OWNED BY public."user".id;
CREATE TABLE public.venue (
    id integer DEFAULT nextval('public.post_id_seq'::regclass) NOT NULL,
    author_id integer,
    status public.status NOT NULL,
    live boolean GENERATED ALWAYS AS ((status = ANY (ARRAY['publish'::public.status, 'future'::public.status]))) STORED,
    trashed_from public.status,
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
    folded_address text GENERATED ALWAYS AS (public.fold_line(address)) STORED,
    folded_city text GENERATED ALWAYS AS (public.fold_line(city)) STORED,
    CONSTRAINT venue_coordinates CHECK (((latitude IS NULL) = (longitude IS NULL))),
    CONSTRAINT venue_latitude CHECK (((latitude >= ('-90'::integer)::double precision) AND (latitude <= (90)::double precision))),
    CONSTRAINT venue_longitude CHECK (((longitude >= ('-180'::integer)::double precision) AND (longitude <= (180)::double precision)))
);
CREATE TABLE public.venue_slug (
    slug text NOT NULL,
    venue_id integer NOT NULL
);
CREATE TABLE public.venue_text (
    venue_id integer NOT NULL,
    language text NOT NULL,
    name text NOT NULL COLLATE pg_catalog."und-x-icu",
    description text NOT NULL,
    excerpt text NOT NULL,
    slug text NOT NULL,
    written text[] NOT NULL,
    source text NOT NULL,
    folded text NOT NULL,
    stems tsvector,
    folded_name text GENERATED ALWAYS AS (split_part(folded, '
'::text, 1)) STORED,
    description_source text,
    excerpt_source text,
    terms text[] GENERATED ALWAYS AS (public.name_terms(folded, stems)) STORED COLLATE pg_catalog."C",
    words text GENERATED ALWAYS AS (public.name_words(folded)) STORED
);
ALTER TABLE ONLY public.cdn_purge ALTER COLUMN id SET DEFAULT nextval('public.cdn_purge_id_seq'::regclass);
ALTER TABLE ONLY public.credential ALTER COLUMN id SET DEFAULT nextval('public.credential_id_seq'::regclass);
ALTER TABLE ONLY public.search_token ALTER COLUMN id SET DEFAULT nextval('public.search_token_id_seq'::regclass);
ALTER TABLE ONLY public.ticket ALTER COLUMN id SET DEFAULT nextval('public.ticket_id_seq'::regclass);
ALTER TABLE ONLY public."user" ALTER COLUMN id SET DEFAULT nextval('public.user_id_seq'::regclass);
INSERT INTO public._prisma_migrations VALUES ('c42e8d13-42b8-44f9-8e69-01c5c8e2d155', 'dbf6f5c21cf1d931edb6e537b95fc78a5620185b9feb1ac4d28be8353f4f3cfd', '2026-11-26 23:23:07.435702+00', '20261121000000_initial', NULL, NULL, '2026-11-26 23:23:07.290251+00', 1);
INSERT INTO public._prisma_migrations VALUES ('d3410348-b036-444c-9141-4b5d67a0d601', '66f2469847b9f4ad9c3903707ecb18a2efc147625e3c26624d1bda86ac3e2540', '2026-11-26 23:23:07.466917+00', '20261121120000_finding', NULL, NULL, '2026-11-26 23:23:07.44022+00', 1);
INSERT INTO public._prisma_migrations VALUES ('5ea7ba3a-7ae6-4396-bbf7-a43f18a9cb21', 'b67545f830f1059be1f0b15b113b166320422bb4b3f8e287579740030f3ed69d', '2026-11-26 23:23:07.486159+00', '20261121180000_term_counts', NULL, NULL, '2026-11-26 23:23:07.470361+00', 1);
INSERT INTO public._prisma_migrations VALUES ('4066584d-b30c-4766-bc65-62af6e8f47f2', 'e9e3c259d3b6cd262c175788bba8848fc5f74e698016e0620ef3a5e5761cf750', '2026-11-26 23:23:07.562612+00', '20261121210000_changes', NULL, NULL, '2026-11-26 23:23:07.48839+00', 1);
INSERT INTO public._prisma_migrations VALUES ('1203a620-3013-4fb4-bbce-41b9a276849f', '26fff3f06fd8d1b77f25dbe202e9e4ad18425b454d335c9258cf0b81033d6d67', '2026-11-26 23:23:07.608199+00', '20261122031400_idempotency_keys', NULL, NULL, '2026-11-26 23:23:07.57073+00', 1);
INSERT INTO public._prisma_migrations VALUES ('3cdd4fe6-ef2a-45b7-8ed0-00e58115e4a8', '1a0c907d716e69a6c6a72d464a3be044a3a2015cf6cd154e6b1ea1761f6f0323', '2026-11-26 23:23:07.68893+00', '20261122042307_folded_name', NULL, NULL, '2026-11-26 23:23:07.610855+00', 1);
INSERT INTO public._prisma_migrations VALUES ('a2331f63-a44e-4700-ba16-e5094f3206f2', 'c2b761f6a2b06a7853eb4b593b3dac380a598b1e633f40d754bf2a2d93a12974', '2026-11-26 23:23:07.712997+00', '20261122044500_password_keys', NULL, NULL, '2026-11-26 23:23:07.696729+00', 1);
INSERT INTO public._prisma_migrations VALUES ('b030d3af-0623-4837-9d32-cef507b6fc00', 'f4d1ab5585b24839154d0432fa1c37a96b07ac847074f96782c60f9a2e01cf43', '2026-11-26 23:23:07.777526+00', '20261122050000_term_count_visibility', NULL, NULL, '2026-11-26 23:23:07.714628+00', 1);
INSERT INTO public._prisma_migrations VALUES ('2a6ca67f-2170-41ef-a1a2-f88f193c1991', '807c32c31e97798d45539fc5d81f4901afc53432ab5c4e5195bda6d421a277e5', '2026-11-26 23:23:07.78782+00', '20261122084730_one_event_password_index', NULL, NULL, '2026-11-26 23:23:07.782516+00', 1);
INSERT INTO public._prisma_migrations VALUES ('275da760-32ca-40c5-9aee-5024e73cb524', '2c546d2df255fb8b33e348970771e810a8a657bebcb8dc994e0f973605fe8f73', '2026-11-26 23:23:07.833892+00', '20261122141000_event_state', NULL, NULL, '2026-11-26 23:23:07.792582+00', 1);
INSERT INTO public._prisma_migrations VALUES ('62e0c753-426b-415c-b286-4b9b73db63b1', '848b1bb0ed682b06a7e060063f80ffb7f60e55f1389e039145bb69d8db48d332', '2026-11-26 23:23:07.836346+00', '20261122141500_text_sources', NULL, NULL, '2026-11-26 23:23:07.834632+00', 1);
INSERT INTO public._prisma_migrations VALUES ('c7c451e5-1c5c-4dc2-ab17-f35d649aacae', 'c11b019381a9de3d61f8f372693ee1c3460a5e73da203128d3047d633933c3c1', '2026-11-26 23:23:07.838125+00', '20261122142000_user_locale', NULL, NULL, '2026-11-26 23:23:07.836938+00', 1);
INSERT INTO public._prisma_migrations VALUES ('0fffd3d1-41fd-41e8-a19a-405e4e3d7170', 'b2cb01084a86d7ed7e1b5c9fe1843fbc18bdd18adf830b5bc0b471b494dc3e24', '2026-11-26 23:23:07.842905+00', '20261122171500_event_uid', NULL, NULL, '2026-11-26 23:23:07.839144+00', 1);
INSERT INTO public._prisma_migrations VALUES ('a262f968-b450-4207-b3b6-6a238e7655cc', '2b6c46f15c46ecc4cb4fd970b77f7b5afddd711480fd640fbcf72cc33dc95889', '2026-11-26 23:23:07.853778+00', '20261122172300_imported_records', NULL, NULL, '2026-11-26 23:23:07.844307+00', 1);
INSERT INTO public._prisma_migrations VALUES ('88fe641f-5d1a-4501-89c7-70229ec5a851', '03f6b9edc4708b6fce8b23529db3d81df32821bcac6a1def7c2fd026cd135ec1', '2026-11-26 23:23:07.875113+00', '20261122174500_image_title', NULL, NULL, '2026-11-26 23:23:07.856633+00', 1);
INSERT INTO public._prisma_migrations VALUES ('94e0d883-3ec2-4a16-b29e-decfccbec9cb', 'd1929ecdc9ab4b16937f6495057ecdcb5a6c535f115fdef22a4b666e7c5617be', '2026-11-26 23:23:07.951288+00', '20261122210000_event_prices', NULL, NULL, '2026-11-26 23:23:07.878511+00', 1);
INSERT INTO public._prisma_migrations VALUES ('848170f5-2f58-406f-bae6-c512891bf440', 'bb9706bd52e7fe8796075cf55f01c19ce46a31ff6e69b874f9e8158f07b336a5', '2026-11-26 23:23:07.979057+00', '20261122211000_long_events', NULL, NULL, '2026-11-26 23:23:07.958617+00', 1);
INSERT INTO public._prisma_migrations VALUES ('07f2c6b6-b907-4227-b66d-3c65d58e84a0', '1561c33acbed7715483f15645ff5e2f355770e7fe783c7435ab679f7aa97c6fa', '2026-11-26 23:23:08.016876+00', '20261122212000_search', NULL, NULL, '2026-11-26 23:23:07.981136+00', 1);
INSERT INTO public._prisma_migrations VALUES ('eca92f77-8aa2-49ee-8e68-015d246a868c', 'ae725ee7f155ff68c7244fd21fcf375324b4bff01b4a6d139d115fd78ffa039e', '2026-11-26 23:23:08.02917+00', '20261122212100_names_by_parts', NULL, NULL, '2026-11-26 23:23:08.022493+00', 1);
INSERT INTO public._prisma_migrations VALUES ('437e610a-c0fa-4b5b-9761-998fced4e297', '9724645b665e9fc331f8c534e5562ac4c51655fa97c4caa7c3ca64b9e643add0', '2026-11-26 23:23:08.047817+00', '20261122213000_image_library', NULL, NULL, '2026-11-26 23:23:08.03068+00', 1);
INSERT INTO public._prisma_migrations VALUES ('03c2066d-29c9-41d0-b702-543b1dac5773', '3b006839c21b1f82561aa84a3b38f7ae01547322520fd45e812f41ec68be2869', '2026-11-26 23:23:08.054719+00', '20261122214000_credential_changes', NULL, NULL, '2026-11-26 23:23:08.05019+00', 1);
INSERT INTO public._prisma_migrations VALUES ('de2814e5-f70a-4110-be24-cf43bd990b7a', '4c20d43ad02b5cb6b797d5acb313152c6b9d71a606e522fa9f9b5cb12a3f75a6', '2026-11-26 23:23:08.089986+00', '20261122215000_event_facet_keys', NULL, NULL, '2026-11-26 23:23:08.056501+00', 1);
INSERT INTO public._prisma_migrations VALUES ('a9504051-5b98-4bb7-bf55-a708503234fa', 'ac99a537a2aac6b1a5f8f4bf557c63aa13b814e279c3eed32542f77784ec5fac', '2026-11-26 23:23:08.116568+00', '20261123011000_compact_facet_keys', NULL, NULL, '2026-11-26 23:23:08.094818+00', 1);
INSERT INTO public._prisma_migrations VALUES ('605a3ea1-552f-4fde-ba52-e7a2e5d470cb', 'b1ed445019c1b0538489b948eeb6d42bc36816667a3640a410f8a97f6058c969', '2026-11-26 23:23:08.122026+00', '20261123011001_name_words', NULL, NULL, '2026-11-26 23:23:08.118336+00', 1);
INSERT INTO public._prisma_migrations VALUES ('86889e8b-5e0e-488c-b0bf-e66e61972d99', 'cb485f6ec6c8bf0448110dfa871ccb2433662d85d5a6e6dcc7f04de336b22a68', '2026-11-26 23:23:08.1248+00', '20261123011002_cheaper_writes', NULL, NULL, '2026-11-26 23:23:08.123467+00', 1);
INSERT INTO public._prisma_migrations VALUES ('a6bf0733-092a-4aa2-94c0-4b0340c734d7', '7ef76dc8291b6943e9c5d6d5fa58691851b92787277196e271998418c0e8fe95', '2026-11-26 23:23:08.126501+00', '20261123012000_rate_limits', NULL, NULL, '2026-11-26 23:23:08.124997+00', 1);
INSERT INTO public._prisma_migrations VALUES ('b9f0a0da-409c-4d85-8f23-9540e584f61c', '9d8e6be816a557663cc068b79f3ece4161a94b01f6bbc34593ea98396b5fd9c7', '2026-11-26 23:23:08.133821+00', '20261123013000_cdn_purges', NULL, NULL, '2026-11-26 23:23:08.127134+00', 1);
INSERT INTO public._prisma_migrations VALUES ('852152ae-0c95-40bf-b62f-1df1101ae0d8', '4afd86eb88ec08208cb58b67ce2adc225a8f678838cfc32474c251f103948327', '2026-11-26 23:23:08.138066+00', '20261123014000_image_former_url', NULL, NULL, '2026-11-26 23:23:08.134483+00', 1);
INSERT INTO public._prisma_migrations VALUES ('23a5f6de-d189-4572-baa8-3c989fb97774', 'eb42c7caed3880f4a6f28ccb02c90dd6bd34cefae66c5f54340b13646fdc231c', '2026-11-26 23:23:08.146787+00', '20261123014500_modified_places', NULL, NULL, '2026-11-26 23:23:08.139745+00', 1);
INSERT INTO public._prisma_migrations VALUES ('52d52f1a-0af6-42e8-a473-d28daa76bcf2', 'd113b82cf3faa47f9f1cc09923b1d4614e802b9a1d90457b001dff4f5e54aa4e', '2026-11-26 23:23:08.152878+00', '20261123023000_hidden_links', NULL, NULL, '2026-11-26 23:23:08.148694+00', 1);
INSERT INTO public._prisma_migrations VALUES ('def48a1a-1275-4630-a78b-e127330b9dbc', 'ec85cfc5061c0e579de896ffe5947910f9ed543856379fb5da0498000061c45a', '2026-11-26 23:23:08.158132+00', '20261124010000_calendar_indexes', NULL, NULL, '2026-11-26 23:23:08.153644+00', 1);
INSERT INTO public._prisma_migrations VALUES ('c6b1eaa9-1b31-4a99-ba4c-5adecf867c6d', '1161a04eac0d0cf71be2046cbf37c29b8dddafa80980b7e25deaec59ee68d960', '2026-11-26 23:23:08.191248+00', '20261124010001_facet_keys_by_start', NULL, NULL, '2026-11-26 23:23:08.159704+00', 1);
INSERT INTO public._prisma_migrations VALUES ('63ad4cc8-e4f3-4e05-a044-81315bd6d2fc', '36e8f3e68da5b70e0cd7ac66e8d0cb88c13c4fea939f5b96d2c33ad0a0fd958e', '2026-11-26 23:23:08.198219+00', '20261124011000_locked_ids', NULL, NULL, '2026-11-26 23:23:08.193948+00', 1);
INSERT INTO public._prisma_migrations VALUES ('fbdccec7-b1fb-41fc-91c9-978e7ff06973', '37017f4fb248624f43f0540d22998934f25139c88f5f61a7b8eabecbcd602737', '2026-11-26 23:23:08.200529+00', '20261124014000_scheduled_links', NULL, NULL, '2026-11-26 23:23:08.198728+00', 1);
INSERT INTO public._prisma_migrations VALUES ('dac80c99-a8df-48d5-9d98-7277618d19aa', '17e3f52cd6be1b1ef7752324a239bed2fe921a94da09f184d700ace015df15f4', '2026-11-26 23:23:08.208306+00', '20261125010000_pending_lists', NULL, NULL, '2026-11-26 23:23:08.201558+00', 1);
INSERT INTO public._prisma_migrations VALUES ('ed3a633f-7670-49c4-89ca-2ab9f134da96', 'cb40bb59e283f4757bfb4c71cd369c50ebfef4f40c9efec88a4e361ffbfbac33', '2026-11-26 23:23:08.21959+00', '20261125020000_local_starts_in_index', NULL, NULL, '2026-11-26 23:23:08.209972+00', 1);
INSERT INTO public._prisma_migrations VALUES ('971a10b8-0931-4b92-b66f-a24af6bf1c80', 'fe0b4c2cacbfc402df2979efa259c205d616921e984de4eee92ca0e432cdcb76', '2026-11-26 23:23:08.232077+00', '20261125070000_event_orders', NULL, NULL, '2026-11-26 23:23:08.221281+00', 1);
INSERT INTO public._prisma_migrations VALUES ('2d5d496a-4d81-43b3-82d9-cd9e8cf8a99c', '6c496aeb297cca0de9a73333608d64fd805c78e38ce30df8a7ebeeea8a534b88', '2026-11-26 23:23:08.2388+00', '20261125080000_ends_in_start_indexes', NULL, NULL, '2026-11-26 23:23:08.233543+00', 1);
INSERT INTO public._prisma_migrations VALUES ('b25ab83e-fb2e-4f1e-8a10-309e19dcd932', '4d4f603c4ac150d6bf517365129ca22771d1c6c33ab2eb394789abd01ae084c7', '2026-11-26 23:23:08.243865+00', '20261125090000_ends_in_order', NULL, NULL, '2026-11-26 23:23:08.240513+00', 1);
INSERT INTO public._prisma_migrations VALUES ('37ffe615-100e-41ff-9a2f-c63fdc7e64ca', '17fa3740382157a0ec0cfc2546ed1353e25b7d2310fd82d2ce55f73da1f4e632', '2026-11-26 23:23:08.247919+00', '20261126010000_written_languages_in_index', NULL, NULL, '2026-11-26 23:23:08.245225+00', 1);
ALTER TABLE ONLY public._prisma_migrations
    ADD CONSTRAINT _prisma_migrations_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.category_count
    ADD CONSTRAINT category_count_pkey PRIMARY KEY (category_id, published_at, password_key, author_id, part);
ALTER TABLE ONLY public.category_path
    ADD CONSTRAINT category_path_pkey PRIMARY KEY (ancestor_id, descendant_id);
ALTER TABLE ONLY public.category
    ADD CONSTRAINT category_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.category_slug
    ADD CONSTRAINT category_slug_pkey PRIMARY KEY (slug);
ALTER TABLE ONLY public.category_text
    ADD CONSTRAINT category_text_pkey PRIMARY KEY (category_id, language);
ALTER TABLE ONLY public.cdn_purge
    ADD CONSTRAINT cdn_purge_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.cdn_target
    ADD CONSTRAINT cdn_target_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.credential
    ADD CONSTRAINT credential_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.event_category
    ADD CONSTRAINT event_category_pkey PRIMARY KEY (event_id, category_id);
ALTER TABLE ONLY public.event_facet_keys
    ADD CONSTRAINT event_facet_keys_pkey PRIMARY KEY (event_id);
ALTER TABLE ONLY public.event_organizer
    ADD CONSTRAINT event_organizer_pkey PRIMARY KEY (event_id, organizer_id);
ALTER TABLE ONLY public.event
    ADD CONSTRAINT event_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.event_search
    ADD CONSTRAINT event_search_pkey PRIMARY KEY (event_id);
ALTER TABLE ONLY public.event_slug
    ADD CONSTRAINT event_slug_pkey PRIMARY KEY (slug);
ALTER TABLE ONLY public.event_tag
    ADD CONSTRAINT event_tag_pkey PRIMARY KEY (event_id, tag_id);
ALTER TABLE ONLY public.event_text
    ADD CONSTRAINT event_text_pkey PRIMARY KEY (event_id, language);
ALTER TABLE ONLY public.event_venue
    ADD CONSTRAINT event_venue_pkey PRIMARY KEY (event_id, venue_id);
ALTER TABLE ONLY public.idempotency_key
    ADD CONSTRAINT idempotency_key_pkey PRIMARY KEY (user_id, key);
ALTER TABLE ONLY public.image
    ADD CONSTRAINT image_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.image_text
    ADD CONSTRAINT image_text_pkey PRIMARY KEY (image_id, language);
ALTER TABLE ONLY public.imported_record
    ADD CONSTRAINT imported_record_pkey PRIMARY KEY (site, kind, source_id);
ALTER TABLE ONLY public.organizer
    ADD CONSTRAINT organizer_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.organizer_slug
    ADD CONSTRAINT organizer_slug_pkey PRIMARY KEY (slug);
ALTER TABLE ONLY public.organizer_text
    ADD CONSTRAINT organizer_text_pkey PRIMARY KEY (organizer_id, language);
ALTER TABLE ONLY public.rate_limit
    ADD CONSTRAINT rate_limit_pkey PRIMARY KEY (key);
ALTER TABLE ONLY public.search_token
    ADD CONSTRAINT search_token_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.site
    ADD CONSTRAINT site_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.tag_count
    ADD CONSTRAINT tag_count_pkey PRIMARY KEY (tag_id, published_at, password_key, author_id, part);
ALTER TABLE ONLY public.tag
    ADD CONSTRAINT tag_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.tag_slug
    ADD CONSTRAINT tag_slug_pkey PRIMARY KEY (slug);
ALTER TABLE ONLY public.tag_text
    ADD CONSTRAINT tag_text_pkey PRIMARY KEY (tag_id, language);
ALTER TABLE ONLY public.ticket
    ADD CONSTRAINT ticket_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public."user"
    ADD CONSTRAINT user_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.venue
    ADD CONSTRAINT venue_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.venue_slug
    ADD CONSTRAINT venue_slug_pkey PRIMARY KEY (slug);
ALTER TABLE ONLY public.venue_text
    ADD CONSTRAINT venue_text_pkey PRIMARY KEY (venue_id, language);
CREATE INDEX category_parent_id_idx ON public.category USING btree (parent_id);
CREATE INDEX category_path_descendant_id_idx ON public.category_path USING btree (descendant_id);
CREATE INDEX category_slug_category_id_idx ON public.category_slug USING btree (category_id);
CREATE INDEX category_text_language_name_category_id_idx ON public.category_text USING btree (language, name, category_id);
CREATE INDEX category_text_search_idx ON public.category_text USING gin (language, folded public.gin_trgm_ops) WITH (gin_pending_list_limit='128');
CREATE INDEX category_text_terms_idx ON public.category_text USING gin (language, terms) WITH (gin_pending_list_limit='128');
CREATE INDEX cdn_purge_target_due_at_idx ON public.cdn_purge USING btree (target, due_at);
CREATE INDEX cdn_purge_transaction_change_idx ON public.cdn_purge USING btree (transaction, change);
CREATE UNIQUE INDEX credential_hash_key ON public.credential USING btree (hash);
CREATE INDEX credential_user_id_idx ON public.credential USING btree (user_id);
CREATE INDEX event_attendance_mode_idx ON public.event USING btree (attendance_mode, starts_at) WHERE (attendance_mode <> 'offline'::public.attendance_mode);
CREATE INDEX event_author_id_idx ON public.event USING btree (author_id, starts_at, published_at, id);
CREATE INDEX event_category_category_id_event_id_idx ON public.event_category USING btree (category_id, event_id);
CREATE INDEX event_ends_at_idx ON public.event USING btree (ends_at, published_at, id, live, hide_from_listings, password_key);
CREATE INDEX event_ends_local_idx ON public.event USING btree (ends_local);
CREATE INDEX event_event_status_idx ON public.event USING btree (event_status, starts_at) WHERE (event_status <> 'scheduled'::public.event_status);
CREATE INDEX event_facet_keys_others_idx ON public.event_facet_keys USING btree (event_id) WHERE (NOT indexed);
CREATE INDEX event_facet_keys_starts_at_idx ON public.event_facet_keys USING btree (starts_at, event_id) INCLUDE (category_ids, tag_ids, venue_ids, organizer_ids, languages, paid_tickets) WHERE indexed;
CREATE INDEX event_highest_price_idx ON public.event USING btree (LEAST(lowest_cost, lowest_ticket) DESC, starts_at, published_at, id) WHERE (LEAST(lowest_cost, lowest_ticket) IS NOT NULL);
CREATE INDEX event_image_id_idx ON public.event USING btree (image_id);
CREATE INDEX event_lasts_long_idx ON public.event USING btree (starts_local) WHERE lasts_long;
CREATE INDEX event_locked_idx ON public.event USING btree (password_key, id) WHERE (password_key IS NOT NULL);
CREATE INDEX event_long_idx ON public.event USING btree (ends_at, starts_at) WHERE ((ends_at - starts_at) > '1 day'::interval);
CREATE INDEX event_long_local_idx ON public.event USING btree (ends_local, starts_local) WHERE ((ends_local - starts_local) > '1 day'::interval);
CREATE INDEX event_lowest_price_idx ON public.event USING btree (LEAST(lowest_cost, lowest_ticket), starts_at, published_at, id) WHERE (LEAST(lowest_cost, lowest_ticket) IS NOT NULL);
CREATE INDEX event_modified_at_published_at_id_idx ON public.event USING btree (modified_at, published_at, id);
CREATE INDEX event_organizer_organizer_id_event_id_idx ON public.event_organizer USING btree (organizer_id, event_id);
CREATE INDEX event_parent_id_idx ON public.event USING btree (parent_id);
CREATE INDEX event_published_at_id_idx ON public.event USING btree (published_at, id);
CREATE INDEX event_search_terms_idx ON public.event_search USING gin (terms) WITH (gin_pending_list_limit='1024');
CREATE INDEX event_slug_event_id_idx ON public.event_slug USING btree (event_id);
CREATE INDEX event_starts_at_idx ON public.event USING btree (starts_at, published_at, id, live, hide_from_listings, ends_at, password_key, lowest_cost, highest_cost, sticky, all_day, starts_local, ends_local);
CREATE INDEX event_starts_local_idx ON public.event USING btree (starts_local, published_at, id, live, hide_from_listings, ends_local, password_key, sticky, all_day, ends_at);
CREATE INDEX event_tag_tag_id_event_id_idx ON public.event_tag USING btree (tag_id, event_id);
CREATE INDEX event_text_language_event_id_idx ON public.event_text USING btree (language, event_id) INCLUDE (written);
CREATE INDEX event_text_language_name_event_id_idx ON public.event_text USING btree (language, name, event_id);
CREATE UNIQUE INDEX event_uid_idx ON public.event USING btree (uid) WHERE (uid IS NOT NULL);
CREATE INDEX event_unpublished_idx ON public.event USING btree (starts_local, published_at, id) WHERE (NOT live);
CREATE INDEX event_venue_venue_id_event_id_idx ON public.event_venue USING btree (venue_id, event_id);
CREATE INDEX idempotency_key_created_at_idx ON public.idempotency_key USING btree (created_at);
CREATE INDEX image_author_id_idx ON public.image USING btree (author_id);
CREATE INDEX image_former_url_idx ON public.image USING btree (former_url);
CREATE INDEX image_slug_idx ON public.image USING btree (slug);
CREATE INDEX image_source_url_idx ON public.image USING btree (source_url);
CREATE INDEX image_url_idx ON public.image USING btree (url);
CREATE INDEX organizer_author_id_idx ON public.organizer USING btree (author_id);
CREATE INDEX organizer_image_id_idx ON public.organizer USING btree (image_id);
CREATE INDEX organizer_modified_at_published_at_id_idx ON public.organizer USING btree (modified_at, published_at, id);
CREATE INDEX organizer_password_key_idx ON public.organizer USING btree (password_key) WHERE (password_key IS NOT NULL);
CREATE INDEX organizer_published_at_id_idx ON public.organizer USING btree (published_at, id);
CREATE INDEX organizer_slug_organizer_id_idx ON public.organizer_slug USING btree (organizer_id);
CREATE INDEX organizer_text_language_name_organizer_id_words_idx ON public.organizer_text USING btree (language, name, organizer_id, words);
CREATE INDEX organizer_text_name_parts_idx ON public.organizer_text USING gin (folded_name public.gin_trgm_ops) WITH (gin_pending_list_limit='128');
CREATE INDEX organizer_text_search_idx ON public.organizer_text USING gin (language, folded public.gin_trgm_ops) WITH (gin_pending_list_limit='128');
CREATE INDEX organizer_text_terms_idx ON public.organizer_text USING gin (language, terms) WITH (gin_pending_list_limit='128');
CREATE INDEX organizer_unpublished_idx ON public.organizer USING btree (published_at, id) WHERE (NOT live);
CREATE INDEX search_token_parts_idx ON public.search_token USING gin (token public.gin_trgm_ops) WITH (gin_pending_list_limit='128');
CREATE INDEX search_token_token_idx ON public.search_token USING btree (token);
CREATE INDEX tag_slug_tag_id_idx ON public.tag_slug USING btree (tag_id);
CREATE INDEX tag_text_language_name_tag_id_idx ON public.tag_text USING btree (language, name, tag_id);
CREATE INDEX tag_text_search_idx ON public.tag_text USING gin (language, folded public.gin_trgm_ops) WITH (gin_pending_list_limit='128');
CREATE INDEX tag_text_terms_idx ON public.tag_text USING gin (language, terms) WITH (gin_pending_list_limit='128');
CREATE INDEX ticket_event_id_idx ON public.ticket USING btree (event_id);
CREATE UNIQUE INDEX user_login_key ON public."user" USING btree (login);
CREATE UNIQUE INDEX user_oidc_subject_key ON public."user" USING btree (oidc_subject);
CREATE INDEX venue_author_id_idx ON public.venue USING btree (author_id);
CREATE INDEX venue_folded_city_idx ON public.venue USING btree (folded_city);
CREATE INDEX venue_image_id_idx ON public.venue USING btree (image_id);
CREATE INDEX venue_location_idx ON public.venue USING gist (point(longitude, latitude));
CREATE INDEX venue_modified_at_published_at_id_idx ON public.venue USING btree (modified_at, published_at, id);
CREATE INDEX venue_password_key_idx ON public.venue USING btree (password_key) WHERE (password_key IS NOT NULL);
CREATE INDEX venue_published_at_id_idx ON public.venue USING btree (published_at, id);
CREATE INDEX venue_slug_venue_id_idx ON public.venue_slug USING btree (venue_id);
CREATE INDEX venue_text_language_name_venue_id_words_idx ON public.venue_text USING btree (language, name, venue_id, words);
CREATE INDEX venue_text_name_parts_idx ON public.venue_text USING gin (folded_name public.gin_trgm_ops) WITH (gin_pending_list_limit='128');
CREATE INDEX venue_text_search_idx ON public.venue_text USING gin (language, folded public.gin_trgm_ops) WITH (gin_pending_list_limit='128');
CREATE INDEX venue_text_terms_idx ON public.venue_text USING gin (language, terms) WITH (gin_pending_list_limit='128');
CREATE INDEX venue_unpublished_idx ON public.venue USING btree (published_at, id) WHERE (NOT live);
CREATE STATISTICS public.event_duration ON (ends_at - starts_at) FROM public.event;
CREATE STATISTICS public.event_local_duration ON (ends_local - starts_local) FROM public.event;
CREATE TRIGGER count_made AFTER INSERT ON public.event_category REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.count_links('category');
CREATE TRIGGER count_made AFTER INSERT ON public.event_tag REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.count_links('tag');
CREATE TRIGGER count_removed AFTER DELETE ON public.event_category REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.count_links('category');
CREATE TRIGGER count_removed AFTER DELETE ON public.event_tag REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.count_links('tag');
CREATE TRIGGER facet_keys_delete AFTER DELETE ON public.event_category REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.renew_facet_keys();
CREATE TRIGGER facet_keys_delete AFTER DELETE ON public.event_organizer REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.renew_facet_keys();
CREATE TRIGGER facet_keys_delete AFTER DELETE ON public.event_tag REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.renew_facet_keys();
CREATE TRIGGER facet_keys_delete AFTER DELETE ON public.event_text REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.renew_facet_keys();
CREATE TRIGGER facet_keys_delete AFTER DELETE ON public.event_venue REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.renew_facet_keys();
CREATE TRIGGER facet_keys_delete AFTER DELETE ON public.ticket REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.renew_facet_keys();
CREATE TRIGGER facet_keys_insert AFTER INSERT ON public.event REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.add_facet_keys();
CREATE TRIGGER facet_keys_insert AFTER INSERT ON public.event_category REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.renew_facet_keys();
CREATE TRIGGER facet_keys_insert AFTER INSERT ON public.event_organizer REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.renew_facet_keys();
CREATE TRIGGER facet_keys_insert AFTER INSERT ON public.event_tag REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.renew_facet_keys();
CREATE TRIGGER facet_keys_insert AFTER INSERT ON public.event_text REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.renew_facet_keys();
CREATE TRIGGER facet_keys_insert AFTER INSERT ON public.event_venue REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.renew_facet_keys();
CREATE TRIGGER facet_keys_insert AFTER INSERT ON public.ticket REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.renew_facet_keys();
CREATE TRIGGER facet_keys_move AFTER UPDATE ON public.event FOR EACH ROW WHEN (((old.starts_at IS DISTINCT FROM new.starts_at) OR (old.lasts_long IS DISTINCT FROM new.lasts_long))) EXECUTE FUNCTION public.move_facet_keys();
CREATE TRIGGER facet_keys_update AFTER UPDATE ON public.event_text REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.renew_facet_keys();
CREATE TRIGGER facet_keys_update AFTER UPDATE ON public.ticket REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.renew_facet_keys();
CREATE TRIGGER index_deleted AFTER DELETE ON public.event_text REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.index_event_texts();
CREATE TRIGGER index_inserted AFTER INSERT ON public.event_text REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.index_event_texts();
CREATE TRIGGER index_updated AFTER UPDATE ON public.event_text REFERENCING OLD TABLE AS previous NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.index_event_texts();
CREATE TRIGGER lowest_ticket_delete AFTER DELETE ON public.ticket REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.renew_lowest_ticket();
CREATE TRIGGER lowest_ticket_insert AFTER INSERT ON public.ticket REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.renew_lowest_ticket();
CREATE TRIGGER lowest_ticket_update AFTER UPDATE ON public.ticket REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.renew_lowest_ticket();
CREATE TRIGGER notify_branch_delete AFTER DELETE ON public.category_text REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.notify_branch();
CREATE TRIGGER notify_branch_insert AFTER INSERT ON public.category_text REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.notify_branch();
CREATE TRIGGER notify_branch_update AFTER UPDATE ON public.category_text REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.notify_branch();
CREATE TRIGGER notify_delete AFTER DELETE ON public.category REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_id('category');
CREATE TRIGGER notify_delete AFTER DELETE ON public.category_count REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_category_id('category');
CREATE TRIGGER notify_delete AFTER DELETE ON public.category_path REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_descendant_id('category');
CREATE TRIGGER notify_delete AFTER DELETE ON public.category_slug REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_category_id('category');
CREATE TRIGGER notify_delete AFTER DELETE ON public.category_text REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_category_id('category');
CREATE TRIGGER notify_delete AFTER DELETE ON public.credential REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_credential_delete();
CREATE TRIGGER notify_delete AFTER DELETE ON public.event REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_id('event');
CREATE TRIGGER notify_delete AFTER DELETE ON public.event_category REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_event_id('event');
CREATE TRIGGER notify_delete AFTER DELETE ON public.event_organizer REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_event_id('event');
CREATE TRIGGER notify_delete AFTER DELETE ON public.event_slug REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_event_id('event');
CREATE TRIGGER notify_delete AFTER DELETE ON public.event_tag REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_event_id('event');
CREATE TRIGGER notify_delete AFTER DELETE ON public.event_text REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_event_id('event');
CREATE TRIGGER notify_delete AFTER DELETE ON public.event_venue REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_event_id('event');
CREATE TRIGGER notify_delete AFTER DELETE ON public.image REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_id('image');
CREATE TRIGGER notify_delete AFTER DELETE ON public.image_text REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_image_id('image');
CREATE TRIGGER notify_delete AFTER DELETE ON public.organizer REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_id('organizer');
CREATE TRIGGER notify_delete AFTER DELETE ON public.organizer_slug REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_organizer_id('organizer');
CREATE TRIGGER notify_delete AFTER DELETE ON public.organizer_text REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_organizer_id('organizer');
CREATE TRIGGER notify_delete AFTER DELETE ON public.tag REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_id('tag');
CREATE TRIGGER notify_delete AFTER DELETE ON public.tag_count REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_tag_id('tag');
CREATE TRIGGER notify_delete AFTER DELETE ON public.tag_slug REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_tag_id('tag');
CREATE TRIGGER notify_delete AFTER DELETE ON public.tag_text REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_tag_id('tag');
CREATE TRIGGER notify_delete AFTER DELETE ON public.ticket REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_event_id('event');
CREATE TRIGGER notify_delete AFTER DELETE ON public."user" REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_id('user');
CREATE TRIGGER notify_delete AFTER DELETE ON public.venue REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_id('venue');
CREATE TRIGGER notify_delete AFTER DELETE ON public.venue_slug REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_venue_id('venue');
CREATE TRIGGER notify_delete AFTER DELETE ON public.venue_text REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_venue_id('venue');
CREATE TRIGGER notify_insert AFTER INSERT ON public.category REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_id('category');
CREATE TRIGGER notify_insert AFTER INSERT ON public.category_count REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_category_id('category');
CREATE TRIGGER notify_insert AFTER INSERT ON public.category_path REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_descendant_id('category');
CREATE TRIGGER notify_insert AFTER INSERT ON public.category_slug REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_category_id('category');
CREATE TRIGGER notify_insert AFTER INSERT ON public.category_text REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_category_id('category');
CREATE TRIGGER notify_insert AFTER INSERT ON public.event REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_id('event');
CREATE TRIGGER notify_insert AFTER INSERT ON public.event_category REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_event_id('event');
CREATE TRIGGER notify_insert AFTER INSERT ON public.event_organizer REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_event_id('event');
CREATE TRIGGER notify_insert AFTER INSERT ON public.event_slug REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_event_id('event');
CREATE TRIGGER notify_insert AFTER INSERT ON public.event_tag REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_event_id('event');
CREATE TRIGGER notify_insert AFTER INSERT ON public.event_text REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_event_id('event');
CREATE TRIGGER notify_insert AFTER INSERT ON public.event_venue REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_event_id('event');
CREATE TRIGGER notify_insert AFTER INSERT ON public.image_text REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_image_id('image');
CREATE TRIGGER notify_insert AFTER INSERT ON public.organizer REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_id('organizer');
CREATE TRIGGER notify_insert AFTER INSERT ON public.organizer_slug REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_organizer_id('organizer');
CREATE TRIGGER notify_insert AFTER INSERT ON public.organizer_text REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_organizer_id('organizer');
CREATE TRIGGER notify_insert AFTER INSERT ON public.tag REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_id('tag');
CREATE TRIGGER notify_insert AFTER INSERT ON public.tag_count REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_tag_id('tag');
CREATE TRIGGER notify_insert AFTER INSERT ON public.tag_slug REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_tag_id('tag');
CREATE TRIGGER notify_insert AFTER INSERT ON public.tag_text REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_tag_id('tag');
CREATE TRIGGER notify_insert AFTER INSERT ON public.ticket REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_event_id('event');
CREATE TRIGGER notify_insert AFTER INSERT ON public.venue REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_id('venue');
CREATE TRIGGER notify_insert AFTER INSERT ON public.venue_slug REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_venue_id('venue');
CREATE TRIGGER notify_insert AFTER INSERT ON public.venue_text REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_venue_id('venue');
CREATE TRIGGER notify_moved AFTER UPDATE ON public.event REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_event_moved();
CREATE TRIGGER notify_shown AFTER UPDATE ON public.organizer REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_shown('organizer');
CREATE TRIGGER notify_shown AFTER UPDATE ON public.venue REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_shown('venue');
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON public.category FOR EACH STATEMENT EXECUTE FUNCTION public.notify_all('category');
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON public.category_count FOR EACH STATEMENT EXECUTE FUNCTION public.notify_all('category');
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON public.category_path FOR EACH STATEMENT EXECUTE FUNCTION public.notify_all('category');
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON public.category_slug FOR EACH STATEMENT EXECUTE FUNCTION public.notify_all('category');
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON public.category_text FOR EACH STATEMENT EXECUTE FUNCTION public.notify_all('category');
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON public.credential FOR EACH STATEMENT EXECUTE FUNCTION public.notify_all('user');
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON public.event FOR EACH STATEMENT EXECUTE FUNCTION public.notify_all('event');
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON public.event_category FOR EACH STATEMENT EXECUTE FUNCTION public.notify_all('event');
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON public.event_organizer FOR EACH STATEMENT EXECUTE FUNCTION public.notify_all('event');
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON public.event_slug FOR EACH STATEMENT EXECUTE FUNCTION public.notify_all('event');
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON public.event_tag FOR EACH STATEMENT EXECUTE FUNCTION public.notify_all('event');
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON public.event_text FOR EACH STATEMENT EXECUTE FUNCTION public.notify_all('event');
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON public.event_venue FOR EACH STATEMENT EXECUTE FUNCTION public.notify_all('event');
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON public.image FOR EACH STATEMENT EXECUTE FUNCTION public.notify_all('image');
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON public.image_text FOR EACH STATEMENT EXECUTE FUNCTION public.notify_all('image');
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON public.organizer FOR EACH STATEMENT EXECUTE FUNCTION public.notify_all('organizer');
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON public.organizer_slug FOR EACH STATEMENT EXECUTE FUNCTION public.notify_all('organizer');
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON public.organizer_text FOR EACH STATEMENT EXECUTE FUNCTION public.notify_all('organizer');
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON public.tag FOR EACH STATEMENT EXECUTE FUNCTION public.notify_all('tag');
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON public.tag_count FOR EACH STATEMENT EXECUTE FUNCTION public.notify_all('tag');
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON public.tag_slug FOR EACH STATEMENT EXECUTE FUNCTION public.notify_all('tag');
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON public.tag_text FOR EACH STATEMENT EXECUTE FUNCTION public.notify_all('tag');
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON public.ticket FOR EACH STATEMENT EXECUTE FUNCTION public.notify_all('event');
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON public."user" FOR EACH STATEMENT EXECUTE FUNCTION public.notify_all('user');
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON public.venue FOR EACH STATEMENT EXECUTE FUNCTION public.notify_all('venue');
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON public.venue_slug FOR EACH STATEMENT EXECUTE FUNCTION public.notify_all('venue');
CREATE TRIGGER notify_truncate AFTER TRUNCATE ON public.venue_text FOR EACH STATEMENT EXECUTE FUNCTION public.notify_all('venue');
CREATE TRIGGER notify_truncate_term AFTER TRUNCATE ON public.event_category FOR EACH STATEMENT EXECUTE FUNCTION public.notify_all('category');
CREATE TRIGGER notify_truncate_term AFTER TRUNCATE ON public.event_tag FOR EACH STATEMENT EXECUTE FUNCTION public.notify_all('tag');
CREATE TRIGGER notify_update AFTER UPDATE ON public.category REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_id('category');
CREATE TRIGGER notify_update AFTER UPDATE ON public.category_count REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_category_id('category');
CREATE TRIGGER notify_update AFTER UPDATE ON public.category_path REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_descendant_id('category');
CREATE TRIGGER notify_update AFTER UPDATE ON public.category_slug REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_category_id('category');
CREATE TRIGGER notify_update AFTER UPDATE ON public.category_text REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_category_id('category');
CREATE TRIGGER notify_update AFTER UPDATE ON public.credential REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_credential_update();
CREATE TRIGGER notify_update AFTER UPDATE ON public.event REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_id('event');
CREATE TRIGGER notify_update AFTER UPDATE ON public.event_category REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_event_id('event');
CREATE TRIGGER notify_update AFTER UPDATE ON public.event_organizer REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_event_id('event');
CREATE TRIGGER notify_update AFTER UPDATE ON public.event_slug REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_event_id('event');
CREATE TRIGGER notify_update AFTER UPDATE ON public.event_tag REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_event_id('event');
CREATE TRIGGER notify_update AFTER UPDATE ON public.event_text REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_event_id('event');
CREATE TRIGGER notify_update AFTER UPDATE ON public.event_venue REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_event_id('event');
CREATE TRIGGER notify_update AFTER UPDATE ON public.image REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_id('image');
CREATE TRIGGER notify_update AFTER UPDATE ON public.image_text REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_image_id('image');
CREATE TRIGGER notify_update AFTER UPDATE ON public.organizer REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_id('organizer');
CREATE TRIGGER notify_update AFTER UPDATE ON public.organizer_slug REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_organizer_id('organizer');
CREATE TRIGGER notify_update AFTER UPDATE ON public.organizer_text REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_organizer_id('organizer');
CREATE TRIGGER notify_update AFTER UPDATE ON public.tag REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_id('tag');
CREATE TRIGGER notify_update AFTER UPDATE ON public.tag_count REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_tag_id('tag');
CREATE TRIGGER notify_update AFTER UPDATE ON public.tag_slug REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_tag_id('tag');
CREATE TRIGGER notify_update AFTER UPDATE ON public.tag_text REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_tag_id('tag');
CREATE TRIGGER notify_update AFTER UPDATE ON public.ticket REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_event_id('event');
CREATE TRIGGER notify_update AFTER UPDATE ON public."user" REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_id('user');
CREATE TRIGGER notify_update AFTER UPDATE ON public.venue REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_id('venue');
CREATE TRIGGER notify_update AFTER UPDATE ON public.venue_slug REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_venue_id('venue');
CREATE TRIGGER notify_update AFTER UPDATE ON public.venue_text REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION public.notify_by_venue_id('venue');
CREATE TRIGGER recount_event AFTER UPDATE ON public.event FOR EACH ROW WHEN (((((old.status IS DISTINCT FROM new.status) OR (old.published_at IS DISTINCT FROM new.published_at)) OR (old.password_key IS DISTINCT FROM new.password_key)) OR ((new.password_key IS NOT NULL) AND (old.author_id IS DISTINCT FROM new.author_id)))) EXECUTE FUNCTION public.recount_event();
CREATE TRIGGER unlink_hidden BEFORE DELETE ON public.organizer FOR EACH ROW WHEN (((NOT old.live) OR (old.published_at > (now() + '00:01:00'::interval)))) EXECUTE FUNCTION public.unlink_hidden();
CREATE TRIGGER unlink_hidden BEFORE DELETE ON public.venue FOR EACH ROW WHEN (((NOT old.live) OR (old.published_at > (now() + '00:01:00'::interval)))) EXECUTE FUNCTION public.unlink_hidden();
CREATE TRIGGER unlink_terms BEFORE DELETE ON public.event FOR EACH ROW EXECUTE FUNCTION public.unlink_terms();
ALTER TABLE ONLY public.category_count
    ADD CONSTRAINT category_count_category_id_fkey FOREIGN KEY (category_id) REFERENCES public.category(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY public.category
    ADD CONSTRAINT category_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES public.category(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE ONLY public.category_path
    ADD CONSTRAINT category_path_ancestor_id_fkey FOREIGN KEY (ancestor_id) REFERENCES public.category(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY public.category_path
    ADD CONSTRAINT category_path_descendant_id_fkey FOREIGN KEY (descendant_id) REFERENCES public.category(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY public.category_slug
    ADD CONSTRAINT category_slug_category_id_fkey FOREIGN KEY (category_id) REFERENCES public.category(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY public.category_text
    ADD CONSTRAINT category_text_category_id_fkey FOREIGN KEY (category_id) REFERENCES public.category(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY public.credential
    ADD CONSTRAINT credential_user_id_fkey FOREIGN KEY (user_id) REFERENCES public."user"(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY public.event
    ADD CONSTRAINT event_author_id_fkey FOREIGN KEY (author_id) REFERENCES public."user"(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE ONLY public.event_category
    ADD CONSTRAINT event_category_category_id_fkey FOREIGN KEY (category_id) REFERENCES public.category(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY public.event_category
    ADD CONSTRAINT event_category_event_id_fkey FOREIGN KEY (event_id) REFERENCES public.event(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY public.event_facet_keys
    ADD CONSTRAINT event_facet_keys_event_id_fkey FOREIGN KEY (event_id) REFERENCES public.event(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY public.event
    ADD CONSTRAINT event_image_id_fkey FOREIGN KEY (image_id) REFERENCES public.image(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE ONLY public.event_organizer
    ADD CONSTRAINT event_organizer_event_id_fkey FOREIGN KEY (event_id) REFERENCES public.event(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY public.event_organizer
    ADD CONSTRAINT event_organizer_organizer_id_fkey FOREIGN KEY (organizer_id) REFERENCES public.organizer(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY public.event
    ADD CONSTRAINT event_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES public.event(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE ONLY public.event_search
    ADD CONSTRAINT event_search_event_id_fkey FOREIGN KEY (event_id) REFERENCES public.event(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY public.event_slug
    ADD CONSTRAINT event_slug_event_id_fkey FOREIGN KEY (event_id) REFERENCES public.event(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY public.event_tag
    ADD CONSTRAINT event_tag_event_id_fkey FOREIGN KEY (event_id) REFERENCES public.event(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY public.event_tag
    ADD CONSTRAINT event_tag_tag_id_fkey FOREIGN KEY (tag_id) REFERENCES public.tag(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY public.event_text
    ADD CONSTRAINT event_text_event_id_fkey FOREIGN KEY (event_id) REFERENCES public.event(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY public.event_venue
    ADD CONSTRAINT event_venue_event_id_fkey FOREIGN KEY (event_id) REFERENCES public.event(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY public.event_venue
    ADD CONSTRAINT event_venue_venue_id_fkey FOREIGN KEY (venue_id) REFERENCES public.venue(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY public.idempotency_key
    ADD CONSTRAINT idempotency_key_user_id_fkey FOREIGN KEY (user_id) REFERENCES public."user"(id) ON DELETE CASCADE;
ALTER TABLE ONLY public.image
    ADD CONSTRAINT image_author_id_fkey FOREIGN KEY (author_id) REFERENCES public."user"(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE ONLY public.image_text
    ADD CONSTRAINT image_text_image_id_fkey FOREIGN KEY (image_id) REFERENCES public.image(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY public.organizer
    ADD CONSTRAINT organizer_author_id_fkey FOREIGN KEY (author_id) REFERENCES public."user"(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE ONLY public.organizer
    ADD CONSTRAINT organizer_image_id_fkey FOREIGN KEY (image_id) REFERENCES public.image(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE ONLY public.organizer_slug
    ADD CONSTRAINT organizer_slug_organizer_id_fkey FOREIGN KEY (organizer_id) REFERENCES public.organizer(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY public.organizer_text
    ADD CONSTRAINT organizer_text_organizer_id_fkey FOREIGN KEY (organizer_id) REFERENCES public.organizer(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY public.tag_count
    ADD CONSTRAINT tag_count_tag_id_fkey FOREIGN KEY (tag_id) REFERENCES public.tag(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY public.tag_slug
    ADD CONSTRAINT tag_slug_tag_id_fkey FOREIGN KEY (tag_id) REFERENCES public.tag(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY public.tag_text
    ADD CONSTRAINT tag_text_tag_id_fkey FOREIGN KEY (tag_id) REFERENCES public.tag(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY public.ticket
    ADD CONSTRAINT ticket_event_id_fkey FOREIGN KEY (event_id) REFERENCES public.event(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY public.venue
    ADD CONSTRAINT venue_author_id_fkey FOREIGN KEY (author_id) REFERENCES public."user"(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE ONLY public.venue
    ADD CONSTRAINT venue_image_id_fkey FOREIGN KEY (image_id) REFERENCES public.image(id) ON UPDATE CASCADE ON DELETE SET NULL;
ALTER TABLE ONLY public.venue_slug
    ADD CONSTRAINT venue_slug_venue_id_fkey FOREIGN KEY (venue_id) REFERENCES public.venue(id) ON UPDATE CASCADE ON DELETE CASCADE;
ALTER TABLE ONLY public.venue_text
    ADD CONSTRAINT venue_text_venue_id_fkey FOREIGN KEY (venue_id) REFERENCES public.venue(id) ON UPDATE CASCADE ON DELETE CASCADE;
