-- Filters and orders by price read numbers, and filters by place read folded text. Both are derived from columns that
-- clients write, so that each way of writing keeps them right.
BEGIN;

-- Amounts are read from the entries as EventCost.values shows them. Words such as "Free" are the amount 0. Longer amounts
-- than 15 characters are no prices.
CREATE FUNCTION cost_range(cost text[]) RETURNS float8[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  WITH entry AS (
    SELECT btrim(regexp_replace(regexp_replace(item, '</?[a-zA-Z!][^<>]*>', '', 'g'), '\s+', ' ', 'g')) AS text
    FROM unnest(cost) AS item
  ), written AS (
    SELECT found[1] AS text, right(regexp_replace(found[1], '[0-9]', '', 'g'), 1) AS separator,
      regexp_replace(found[1], '[0-9]', '', 'g') AS separators
    FROM entry, regexp_matches(entry.text, '[0-9]+(?:[.,][0-9]+)*', 'g') AS found
    WHERE length(found[1]) <= 15
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
$$;

-- The currency in upper case; empty unless all amounts with a currency have the same.
CREATE FUNCTION cost_currency(cost text[]) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT CASE WHEN count(DISTINCT symbol) = 1 AND min(symbol) ~ '^[^[:space:]0-9]{1,4}$'
    THEN upper(min(symbol) COLLATE "und-x-icu") ELSE '' END
  FROM unnest(cost) AS item,
    regexp_split_to_table(regexp_replace(item, '</?[a-zA-Z!][^<>]*>', '', 'g'), '(?<![0-9]),|,(?![0-9])|\s+[-–—]\s+') AS piece,
    LATERAL (SELECT nullif(btrim(regexp_replace(piece, '[0-9]+(?:[.,][0-9]+)*', '', 'g')), '') AS symbol) AS symbols
  WHERE piece ~ '[0-9]'
$$;

ALTER TABLE "event"
  ADD COLUMN "lowest_cost" DOUBLE PRECISION
    GENERATED ALWAYS AS (CASE WHEN "cost" <> '{}' THEN (cost_range("cost"))[1] END) STORED,
  ADD COLUMN "highest_cost" DOUBLE PRECISION
    GENERATED ALWAYS AS (CASE WHEN "cost" <> '{}' THEN (cost_range("cost"))[2] END) STORED,
  ADD COLUMN "cost_currency" TEXT
    GENERATED ALWAYS AS (CASE WHEN "cost" <> '{}' THEN cost_currency("cost") END) STORED;

-- The same folding as that of search: lower case without accents, on one line.
CREATE FUNCTION fold_line(line text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT btrim(regexp_replace(
    lower(normalize(regexp_replace(normalize(left(line, 1000), NFKD), '[\u0300-\u036f]', '', 'g'), NFC) COLLATE "und-x-icu"),
    '\s+', ' ', 'g'))
$$;

ALTER TABLE "venue"
  ADD COLUMN "folded_address" TEXT GENERATED ALWAYS AS (fold_line("address")) STORED,
  ADD COLUMN "folded_city" TEXT GENERATED ALWAYS AS (fold_line("city")) STORED;

CREATE INDEX "venue_folded_city_idx" ON "venue"("folded_city");
CREATE INDEX "event_modified_at_published_at_id_idx" ON "event"("modified_at", "published_at", "id");

COMMIT;
