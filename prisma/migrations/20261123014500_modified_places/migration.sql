BEGIN;

-- For the filter `modifiedAt` of venues and organizers.
CREATE INDEX "venue_modified_at_published_at_id_idx" ON "venue"("modified_at", "published_at", "id");
CREATE INDEX "organizer_modified_at_published_at_id_idx" ON "organizer"("modified_at", "published_at", "id");

COMMIT;
