-- Each lookup reads the whole pending list of a GIN index, which by default has up to 4 MB: 1.5 to 3 ms. The terms of an
-- event are many, and shorter lists make its write dearer; the other indexes get few entries by a write.
BEGIN;

DO $do$
DECLARE
  gin_index record;
BEGIN
  FOR gin_index IN
    SELECT i.indexrelid::regclass AS name,
      CASE WHEN i.indrelid = 'event_search'::regclass THEN 1024 ELSE 128 END AS kilobytes
    FROM pg_index i
      JOIN pg_class c ON c.oid = i.indexrelid
      JOIN pg_am a ON a.oid = c.relam
    WHERE a.amname = 'gin' AND c.relnamespace = current_schema()::regnamespace
  LOOP
    EXECUTE format('ALTER INDEX %s SET (gin_pending_list_limit = %s)', gin_index.name, gin_index.kilobytes);
    PERFORM gin_clean_pending_list(gin_index.name);
  END LOOP;
END $do$;

COMMIT;
