BEGIN;

-- The language that a user prefers; null if they have not chosen one. It may be one that the site no longer has.
ALTER TABLE "user" ADD COLUMN locale text;

COMMIT;
