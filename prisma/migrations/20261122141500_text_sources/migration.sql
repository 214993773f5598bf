-- Languages of the description and of the excerpt.
BEGIN;

ALTER TABLE "event_text" ADD COLUMN "description_source" TEXT, ADD COLUMN "excerpt_source" TEXT;
ALTER TABLE "venue_text" ADD COLUMN "description_source" TEXT, ADD COLUMN "excerpt_source" TEXT;
ALTER TABLE "organizer_text" ADD COLUMN "description_source" TEXT, ADD COLUMN "excerpt_source" TEXT;
ALTER TABLE "category_text" ADD COLUMN "description_source" TEXT;
ALTER TABLE "tag_text" ADD COLUMN "description_source" TEXT;

-- Fills the columns of rows that are otherwise up to date, which takes less time than rebuilding them at the next start.
DO $do$
DECLARE
  of_kind record;
BEGIN
  IF (SELECT text_rules FROM site) IS DISTINCT FROM 3 THEN
    RETURN;
  END IF;
  FOR of_kind IN SELECT * FROM (VALUES
    ('event', ARRAY['description', 'excerpt']), ('venue', ARRAY['description', 'excerpt']),
    ('organizer', ARRAY['description', 'excerpt']), ('category', ARRAY['description']), ('tag', ARRAY['description'])
  ) AS t (name, fields)
  LOOP
    EXECUTE (
      SELECT format('UPDATE %1$I AS t SET %3$s FROM %2$I r, site WHERE r.id = t.%4$I AND (%5$s)',
        of_kind.name || '_text', of_kind.name,
        string_agg(format($$%1$I = CASE WHEN t.%2$I <> '' THEN (
            SELECT w.language
            FROM unnest(ARRAY[t.language, site.default_language, r.original_language]) WITH ORDINALITY AS c(language, place)
              JOIN %3$I w ON w.%4$I = t.%4$I AND w.language = c.language
            WHERE %2$L = ANY(w.written) ORDER BY c.place LIMIT 1) END$$,
          field || '_source', field, of_kind.name || '_text', of_kind.name || '_id'), ', '),
        of_kind.name || '_id', string_agg(format($$t.%I <> ''$$, field), ' OR '))
      FROM unnest(of_kind.fields) AS field);
  END LOOP;
  UPDATE site SET text_rules = 4;
END $do$;

COMMIT;
