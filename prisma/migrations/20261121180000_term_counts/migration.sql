-- How many events carry a term, kept as they are written: counting the links of a list's terms took longer than the list.
BEGIN;

CREATE TABLE "category_count" (
    "category_id" INTEGER NOT NULL,
    "part" INTEGER NOT NULL,
    "events" INTEGER NOT NULL,

    CONSTRAINT "category_count_pkey" PRIMARY KEY ("category_id","part")
);

CREATE TABLE "tag_count" (
    "tag_id" INTEGER NOT NULL,
    "part" INTEGER NOT NULL,
    "events" INTEGER NOT NULL,

    CONSTRAINT "tag_count_pkey" PRIMARY KEY ("tag_id","part")
);

ALTER TABLE "category_count" ADD CONSTRAINT "category_count_category_id_fkey" FOREIGN KEY ("category_id") REFERENCES "category"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "tag_count" ADD CONSTRAINT "tag_count_tag_id_fkey" FOREIGN KEY ("tag_id") REFERENCES "tag"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The few whose links are counted apart, for those who may open them.
CREATE INDEX "event_locked_idx" ON "event"("password_key") WHERE "password_key" IS NOT NULL;

-- Links that are made or removed; those of a term that is being deleted go with its counts.
CREATE FUNCTION count_links() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format(
    'INSERT INTO %1$I (%2$I, part, events)
       SELECT l.%2$I, l.event_id %% 16, $1 * count(*) FROM changed l
         JOIN event e ON e.id = l.event_id JOIN %3$I t ON t.id = l.%2$I
       WHERE e.live AND e.password_key IS NULL GROUP BY 1, 2 ORDER BY 1, 2
     ON CONFLICT (%2$I, part) DO UPDATE SET events = %1$I.events + excluded.events',
    TG_ARGV[0] || '_count', TG_ARGV[0] || '_id', TG_ARGV[0])
    USING CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
  RETURN NULL;
END $$;

CREATE TRIGGER count_made AFTER INSERT ON "event_category" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_links('category');
CREATE TRIGGER count_removed AFTER DELETE ON "event_category" REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_links('category');
CREATE TRIGGER count_made AFTER INSERT ON "event_tag" REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_links('tag');
CREATE TRIGGER count_removed AFTER DELETE ON "event_tag" REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_links('tag');

-- The links of an event that is deleted are removed while it is still there to be looked at.
CREATE FUNCTION unlink_terms() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM event_category WHERE event_id = OLD.id;
  DELETE FROM event_tag WHERE event_id = OLD.id;
  RETURN OLD;
END $$;

CREATE TRIGGER unlink_terms BEFORE DELETE ON "event" FOR EACH ROW EXECUTE FUNCTION unlink_terms();

-- An event that is published, withdrawn, locked or opened.
CREATE FUNCTION recount_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  change int := CASE WHEN NEW.live AND NEW.password_key IS NULL THEN 1 ELSE -1 END;
BEGIN
  INSERT INTO category_count (category_id, part, events)
    SELECT category_id, event_id % 16, change FROM event_category WHERE event_id = NEW.id ORDER BY 1
    ON CONFLICT (category_id, part) DO UPDATE SET events = category_count.events + excluded.events;
  INSERT INTO tag_count (tag_id, part, events)
    SELECT tag_id, event_id % 16, change FROM event_tag WHERE event_id = NEW.id ORDER BY 1
    ON CONFLICT (tag_id, part) DO UPDATE SET events = tag_count.events + excluded.events;
  RETURN NULL;
END $$;

CREATE TRIGGER recount_event AFTER UPDATE ON "event" FOR EACH ROW
  WHEN ((OLD.live AND OLD.password_key IS NULL) IS DISTINCT FROM (NEW.live AND NEW.password_key IS NULL))
  EXECUTE FUNCTION recount_event();

INSERT INTO "category_count" ("category_id", "part", "events")
  SELECT l.category_id, l.event_id % 16, count(*) FROM event_category l JOIN event e ON e.id = l.event_id
  WHERE e.live AND e.password_key IS NULL GROUP BY 1, 2;
INSERT INTO "tag_count" ("tag_id", "part", "events")
  SELECT l.tag_id, l.event_id % 16, count(*) FROM event_tag l JOIN event e ON e.id = l.event_id
  WHERE e.live AND e.password_key IS NULL GROUP BY 1, 2;

COMMIT;
