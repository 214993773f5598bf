-- Whether an image has no alternative text because it needs none.
BEGIN;

ALTER TABLE image ADD COLUMN decorative boolean DEFAULT false NOT NULL;

COMMIT;
