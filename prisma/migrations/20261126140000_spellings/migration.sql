-- Spellings of one word compare as equal: `oe` for `œ`, `l` for `ł`, a typewriter apostrophe or hyphen for a typographic one, and
-- nothing for a soft hyphen or a zero-width character. `fold` in src/calendar/text/fold.ts has the same rules; the next start folds
-- the texts of all records again.
BEGIN;

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

COMMIT;
