-- Who has the form of a record open, for a minute. Unlogged: nobody misses it after a crash.
BEGIN;

CREATE UNLOGGED TABLE presence (
  kind text NOT NULL,
  record_id integer NOT NULL,
  user_id integer NOT NULL,
  since timestamp(3) with time zone NOT NULL,
  seen_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT presence_pkey PRIMARY KEY (kind, record_id, user_id),
  CONSTRAINT presence_user_id_fkey FOREIGN KEY (user_id) REFERENCES "user"(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX presence_user_id_idx ON presence (user_id);
CREATE INDEX presence_seen_at_idx ON presence (seen_at);

COMMIT;
