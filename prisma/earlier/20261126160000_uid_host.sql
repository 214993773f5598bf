-- The database has the schema of the initial migration already.
BEGIN;

COMMIT;
