-- What an editor writes to the author of an event that is returned as a draft.
BEGIN;

ALTER TABLE event ADD COLUMN review_message text;

COMMIT;
