-- A record keeps the slugs of those that were merged into it, and finds them by their IDs: as slugs such as #12.
BEGIN;

DO $$
DECLARE
  kind text;
BEGIN
  FOREACH kind IN ARRAY ARRAY['venue', 'organizer', 'category', 'tag'] LOOP
    EXECUTE format('ALTER TABLE %I ADD COLUMN merged boolean DEFAULT false NOT NULL', kind || '_slug');
  END LOOP;
END $$;

COMMIT;
