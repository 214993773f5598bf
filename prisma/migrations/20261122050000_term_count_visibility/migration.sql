-- Counts of the events of a term, by what decides who sees them: an event that is scheduled counts from its publication on,
-- one with a password for those who may open it. So a count is a sum of rows, whoever asks, at any time.
BEGIN;

DROP TRIGGER recount_event ON "event";
DROP FUNCTION recount_event();
TRUNCATE "category_count", "tag_count";

ALTER TABLE "category_count" DROP CONSTRAINT "category_count_pkey",
    ADD COLUMN "published_at" TIMESTAMPTZ(3) NOT NULL,
    ADD COLUMN "password_key" TEXT NOT NULL,
    ADD COLUMN "author_id" INTEGER NOT NULL,
    ADD CONSTRAINT "category_count_pkey" PRIMARY KEY ("category_id","published_at","password_key","author_id","part");
ALTER TABLE "tag_count" DROP CONSTRAINT "tag_count_pkey",
    ADD COLUMN "published_at" TIMESTAMPTZ(3) NOT NULL,
    ADD COLUMN "password_key" TEXT NOT NULL,
    ADD COLUMN "author_id" INTEGER NOT NULL,
    ADD CONSTRAINT "tag_count_pkey" PRIMARY KEY ("tag_id","published_at","password_key","author_id","part");

-- From when on an event counts. Of one that was published in the past it does not matter when.
CREATE FUNCTION counts_from(e "event") RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN e.status = 'future' OR e.published_at > now() THEN e.published_at ELSE '0001-01-01 00:00:00+00' END
$$;

-- Adds `change` to the counts of the terms of an event.
CREATE FUNCTION add_to_counts(e "event", change integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  opened_by text := coalesce(e.password_key, '');
  owner integer := CASE WHEN e.password_key IS NULL THEN 0 ELSE coalesce(e.author_id, 0) END;
BEGIN
  IF e.live IS NOT TRUE THEN RETURN; END IF;
  INSERT INTO category_count AS c (category_id, published_at, password_key, author_id, part, events)
    SELECT category_id, counts_from(e), opened_by, owner, e.id % 16, change FROM event_category WHERE event_id = e.id ORDER BY 1
    ON CONFLICT ON CONSTRAINT category_count_pkey DO UPDATE SET events = c.events + excluded.events;
  INSERT INTO tag_count AS c (tag_id, published_at, password_key, author_id, part, events)
    SELECT tag_id, counts_from(e), opened_by, owner, e.id % 16, change FROM event_tag WHERE event_id = e.id ORDER BY 1
    ON CONFLICT ON CONSTRAINT tag_count_pkey DO UPDATE SET events = c.events + excluded.events;
END $$;

-- Links that are created or deleted; those of a term that is being deleted go with its counts.
CREATE OR REPLACE FUNCTION count_links() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format(
    'INSERT INTO %1$I AS c (%2$I, published_at, password_key, author_id, part, events)
       SELECT l.%2$I, counts_from(e), coalesce(e.password_key, ''''),
         CASE WHEN e.password_key IS NULL THEN 0 ELSE coalesce(e.author_id, 0) END, l.event_id %% 16, $1 * count(*)
       FROM changed l JOIN event e ON e.id = l.event_id JOIN %3$I t ON t.id = l.%2$I
       WHERE e.live GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
     ON CONFLICT ON CONSTRAINT %4$I DO UPDATE SET events = c.events + excluded.events',
    TG_ARGV[0] || '_count', TG_ARGV[0] || '_id', TG_ARGV[0], TG_ARGV[0] || '_count_pkey')
    USING CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
  RETURN NULL;
END $$;

-- An event that is published, rescheduled, withdrawn, protected or opened, or whose author changes while it is protected.
CREATE FUNCTION recount_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_to_counts(OLD, -1);
  PERFORM add_to_counts(NEW, 1);
  RETURN NULL;
END $$;

CREATE TRIGGER recount_event AFTER UPDATE ON "event" FOR EACH ROW
  WHEN ((OLD.status, OLD.published_at, OLD.password_key) IS DISTINCT FROM (NEW.status, NEW.published_at, NEW.password_key)
    OR (NEW.password_key IS NOT NULL AND OLD.author_id IS DISTINCT FROM NEW.author_id))
  EXECUTE FUNCTION recount_event();

INSERT INTO "category_count" ("category_id", "published_at", "password_key", "author_id", "part", "events")
  SELECT l.category_id, counts_from(e), coalesce(e.password_key, ''),
    CASE WHEN e.password_key IS NULL THEN 0 ELSE coalesce(e.author_id, 0) END, l.event_id % 16, count(*)
  FROM event_category l JOIN event e ON e.id = l.event_id WHERE e.live GROUP BY 1, 2, 3, 4, 5;
INSERT INTO "tag_count" ("tag_id", "published_at", "password_key", "author_id", "part", "events")
  SELECT l.tag_id, counts_from(e), coalesce(e.password_key, ''),
    CASE WHEN e.password_key IS NULL THEN 0 ELSE coalesce(e.author_id, 0) END, l.event_id % 16, count(*)
  FROM event_tag l JOIN event e ON e.id = l.event_id WHERE e.live GROUP BY 1, 2, 3, 4, 5;

COMMIT;
