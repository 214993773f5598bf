-- Functions find tables, other functions and operators in the schemas of this migration, whatever the search path of the session
-- is: pg_dump, pg_restore and the subscriber of a logical replication run them with an empty one.
BEGIN;

DO $do$
DECLARE
  schemas text := (
    SELECT string_agg(quote_ident(name), ', ' ORDER BY position)
    FROM unnest(current_schemas(false)) WITH ORDINALITY AS effective(name, position));
  own text;
BEGIN
  FOR own IN
    SELECT p.oid::regprocedure FROM pg_proc p
    WHERE p.pronamespace = quote_ident(current_schema())::regnamespace AND p.prokind IN ('f', 'p') AND pg_has_role(p.proowner, 'USAGE')
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
  LOOP
    EXECUTE format('ALTER ROUTINE %s SET search_path = %s, pg_temp', own, schemas);
  END LOOP;
END $do$;

COMMIT;
