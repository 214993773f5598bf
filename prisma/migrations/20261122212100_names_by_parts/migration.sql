-- Names of venues and organizers by parts and by similarity, for search suggestions.
BEGIN;

CREATE INDEX "venue_text_name_parts_idx" ON "venue_text" USING gin ("folded_name" gin_trgm_ops);
CREATE INDEX "organizer_text_name_parts_idx" ON "organizer_text" USING gin ("folded_name" gin_trgm_ops);

-- Names with a word that resembles the searched one. Categories and tags are so few that they need no index.
CREATE FUNCTION similar_names(word TEXT, name_language TEXT) RETURNS TABLE (kind TEXT, id INTEGER) LANGUAGE sql STABLE
  SET pg_trgm.word_similarity_threshold = 0.45 AS $$
  SELECT 'venue', venue_id FROM venue_text WHERE language = name_language AND word <% folded_name
  UNION ALL SELECT 'organizer', organizer_id FROM organizer_text WHERE language = name_language AND word <% folded_name
  UNION ALL SELECT 'category', category_id FROM category_text
    WHERE language = name_language AND word <% split_part(folded, E'\n', 1)
  UNION ALL SELECT 'tag', tag_id FROM tag_text WHERE language = name_language AND word <% split_part(folded, E'\n', 1)
$$;

COMMIT;
