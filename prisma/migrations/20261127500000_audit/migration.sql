-- Indexes for the audit log and for the deletion of old entries, and the role that a new user gets.
BEGIN;

CREATE INDEX change_created_at_id_idx ON change (created_at, id);
-- Entries that are no revisions, which are deleted earlier.
CREATE INDEX change_created_at_idx ON change (created_at)
  WHERE kind NOT IN ('event', 'series', 'venue', 'organizer', 'category', 'tag', 'image');
-- Entries from another server, whose order among later transactions is unknown.
CREATE INDEX change_restored_idx ON change (id) WHERE transaction = 0;

CREATE FUNCTION log_role() RETURNS trigger
  LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE change SET fields = fields || jsonb_build_object('role', jsonb_build_array(NULL, n.role)) FROM new_rows n
  WHERE transaction = pg_current_xact_id()::text::bigint AND kind = 'user' AND record_id = n.id AND action = 'created';
  RETURN NULL;
END $$;

-- Triggers run in the order of their names: this one after log_insert.
CREATE TRIGGER log_role AFTER INSERT ON "user" REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION log_role();

COMMIT;
