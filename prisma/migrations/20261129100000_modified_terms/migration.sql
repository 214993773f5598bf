-- When categories and tags were last modified, so that the last of two writers does not win.
BEGIN;

ALTER TABLE category ADD COLUMN modified_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL;
ALTER TABLE tag ADD COLUMN modified_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL;

COMMIT;
