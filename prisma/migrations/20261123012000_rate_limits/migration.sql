-- What clients used of their limits in the current minute, with RATE_LIMIT_STORE=database. Unlogged: after a crash of the
-- server everyone starts again, and backups and replicas do not contain it. The columns are those of rate-limiter-flexible.
BEGIN;

CREATE UNLOGGED TABLE "rate_limit" (
  "key" text PRIMARY KEY,
  "points" double precision NOT NULL,
  "expire" bigint NOT NULL
) WITH (fillfactor = 50);

COMMIT;
