-- When the text of each language was last written. A translation that is older than the text in the original language is outdated.
-- Texts that were written before this migration have no time, and count as translated together.
BEGIN;

DO $$
DECLARE
  owner text;
BEGIN
  FOREACH owner IN ARRAY ARRAY['content', 'venue', 'organizer', 'category', 'tag'] LOOP
    EXECUTE format('ALTER TABLE %I
      ADD COLUMN revised_at timestamp(6) with time zone,
      ADD COLUMN in_review boolean DEFAULT false NOT NULL', owner || '_text');
  END LOOP;
END $$;

COMMIT;
