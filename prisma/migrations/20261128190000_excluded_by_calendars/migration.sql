-- Which dates of a series a calendar file excludes: a later file can bring them back, but no dates that were deleted here.
BEGIN;
ALTER TABLE imported_record ADD COLUMN excluded_dates text[] DEFAULT ARRAY[]::text[];
COMMIT;
