-- Endpoints that are told of changes, and the messages to them.
BEGIN;

CREATE TYPE webhook_message AS ENUM ('created', 'updated', 'deleted', 'ping');
CREATE TYPE delivery_state AS ENUM ('pending', 'delivered', 'failed', 'replaced');

CREATE TABLE webhook (
  id serial,
  url text NOT NULL,
  -- A ChangeFilter as JSON.
  filter jsonb DEFAULT '{}' NOT NULL,
  language text NOT NULL,
  -- NULL for what visitors see.
  user_id integer,
  enabled boolean DEFAULT true NOT NULL,
  disabled_reason text,
  -- [{"secret", "until"}], the newest first. They sign, so that a hash would not do.
  secrets jsonb NOT NULL,
  -- Up to where the log of changes was read for this endpoint.
  token text NOT NULL,
  -- Until when an instance reads the log for this endpoint.
  leased_until timestamp(3) with time zone,
  -- Until when the endpoint asked to wait, with Retry-After.
  paused_until timestamp(3) with time zone,
  created_at timestamp(3) with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
  CONSTRAINT webhook_pkey PRIMARY KEY (id),
  -- Without its user, an endpoint must not see what visitors see, or anything else.
  CONSTRAINT webhook_user_id_fkey FOREIGN KEY (user_id) REFERENCES "user"(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX webhook_user_id_idx ON webhook (user_id);

CREATE TABLE webhook_delivery (
  id serial,
  webhook_id integer NOT NULL,
  message_id uuid DEFAULT gen_random_uuid() NOT NULL,
  type webhook_message NOT NULL,
  -- '' and 0 for a ping.
  kind text NOT NULL,
  record_id integer NOT NULL,
  data jsonb NOT NULL,
  state delivery_state DEFAULT 'pending' NOT NULL,
  tries integer DEFAULT 0 NOT NULL,
  due_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
  -- Until when no other instance sends it.
  leased_until timestamp(3) with time zone,
  tried_at timestamp(3) with time zone,
  last_status integer,
  last_error text,
  created_at timestamp(3) with time zone DEFAULT clock_timestamp() NOT NULL,
  CONSTRAINT webhook_delivery_pkey PRIMARY KEY (id),
  CONSTRAINT webhook_delivery_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhook(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX webhook_delivery_webhook_id_state_id_idx ON webhook_delivery (webhook_id, state, id);
CREATE INDEX webhook_delivery_created_at_idx ON webhook_delivery (created_at);
CREATE INDEX webhook_delivery_due_idx ON webhook_delivery (webhook_id, due_at, id) WHERE state = 'pending';
CREATE INDEX webhook_delivery_webhook_id_kind_record_id_id_idx ON webhook_delivery (webhook_id, kind, record_id, id);
-- Changes of a record join the message that nobody has sent yet.
CREATE UNIQUE INDEX webhook_delivery_unsent_idx ON webhook_delivery (webhook_id, kind, record_id) WHERE state = 'pending' AND tries = 0;

-- What two messages about a record say together.
CREATE FUNCTION merge_messages(earlier webhook_message, later webhook_message) RETURNS webhook_message
  LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path FROM CURRENT AS $$
  SELECT CASE
    WHEN earlier = 'created' AND later = 'updated' THEN 'created'
    WHEN earlier = 'deleted' AND later = 'created' THEN 'updated'
    ELSE later END
$$;

COMMIT;
