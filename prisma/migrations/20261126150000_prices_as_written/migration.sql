-- Prices as people write them: a currency beside any of several amounts (`10 € / 8 €`, `Adults: 10 €`), thousands with blanks
-- and apostrophes, and no times, ages, other counts and percentages. src/calendar/event/cost.ts has the same rules for texts.
BEGIN;

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

COMMIT;
