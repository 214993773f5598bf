-- A venue or organizer that visitors do not see yet is deleted like one that they never see. A minute earlier than its
-- publication, because the clocks of instances may be ahead of that of the database.
BEGIN;

DROP TRIGGER unlink_hidden ON "venue";
DROP TRIGGER unlink_hidden ON "organizer";
CREATE TRIGGER unlink_hidden BEFORE DELETE ON "venue" FOR EACH ROW
  WHEN (NOT OLD.live OR OLD.published_at > now() + interval '1 minute') EXECUTE FUNCTION unlink_hidden();
CREATE TRIGGER unlink_hidden BEFORE DELETE ON "organizer" FOR EACH ROW
  WHEN (NOT OLD.live OR OLD.published_at > now() + interval '1 minute') EXECUTE FUNCTION unlink_hidden();

COMMIT;
