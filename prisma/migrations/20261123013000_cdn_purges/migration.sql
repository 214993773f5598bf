-- Purges of CDNs. Whatever notifies the service of a change also queues it here for each target, in the transaction of the
-- writer, so that no purge is lost. Without targets, nothing is queued.
BEGIN;

CREATE TABLE "cdn_target" (
  "name" TEXT NOT NULL,
  "fingerprint" TEXT NOT NULL,
  "changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "cdn_target_pkey" PRIMARY KEY ("name")
);

-- Without a foreign key: removing a target must not make the transaction of a writer fail.
CREATE TABLE "cdn_purge" (
  "id" BIGSERIAL NOT NULL,
  "target" TEXT NOT NULL,
  "change" TEXT NOT NULL,
  "transaction" BIGINT NOT NULL,
  "round" INTEGER NOT NULL DEFAULT 0,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),
  "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT "cdn_purge_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "cdn_purge_target_due_at_idx" ON "cdn_purge" ("target", "due_at");
CREATE INDEX "cdn_purge_transaction_change_idx" ON "cdn_purge" ("transaction", "change");

-- Queues a change once per transaction. After 200 changes of one transaction, only their kinds are queued.
CREATE FUNCTION queue_purge(message text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  own bigint;
  queued int;
  added int;
BEGIN
  IF NOT EXISTS (SELECT FROM cdn_target) THEN
    RETURN;
  END IF;
  own := pg_current_xact_id()::text::bigint;
  queued := coalesce(nullif(current_setting('calendar.queued_purges', true), ''), '0')::int;
  IF queued >= 200 THEN
    message := split_part(message, ':', 1);
  END IF;
  INSERT INTO cdn_purge (target, change, transaction)
    SELECT t.name, message, own FROM cdn_target t
    WHERE NOT EXISTS (
      SELECT FROM cdn_purge p WHERE p.transaction = own AND p.change = message AND p.target = t.name);
  GET DIAGNOSTICS added = ROW_COUNT;
  IF added > 0 THEN
    PERFORM set_config('calendar.queued_purges', (queued + 1)::text, true);
  END IF;
END $$;

CREATE FUNCTION send_change(message text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('calendar_changes', message);
  PERFORM queue_purge(message);
END $$;

-- The functions that notify, with send_change instead of pg_notify.
CREATE OR REPLACE FUNCTION tell_change(kind text, ids int[]) RETURNS void LANGUAGE sql AS $$
  SELECT send_change(CASE
    WHEN cardinality(ids) > 100 THEN kind
    ELSE kind || ':' || array_to_string(ids, ',')
  END) WHERE cardinality(ids) > 0
$$;

CREATE OR REPLACE FUNCTION notify_all() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  kind text;
BEGIN
  FOREACH kind IN ARRAY TG_ARGV LOOP
    PERFORM send_change(kind);
  END LOOP;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION notify_event_moved() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  moved int[] := ARRAY(
    SELECT id FROM (
      SELECT id, published_at, live, password_key FROM new_rows
      EXCEPT SELECT id, published_at, live, password_key FROM old_rows
    ) AS changed LIMIT 101);
BEGIN
  IF cardinality(moved) > 100 THEN
    PERFORM send_change('category');
    PERFORM send_change('tag');
  ELSIF cardinality(moved) > 0 THEN
    PERFORM tell_change('category', ARRAY(
      SELECT DISTINCT category_id FROM event_category WHERE event_id = ANY (moved) LIMIT 101));
    PERFORM tell_change('tag', ARRAY(SELECT DISTINCT tag_id FROM event_tag WHERE event_id = ANY (moved) LIMIT 101));
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION notify_shown() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT id, published_at, live, password_key FROM new_rows
    EXCEPT SELECT id, published_at, live, password_key FROM old_rows
  ) THEN
    PERFORM send_change(TG_ARGV[0]);
  END IF;
  RETURN NULL;
END $$;

COMMIT;
