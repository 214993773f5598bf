-- PostgreSQL estimates that a plan for the names of the columns is better than a generic one, and planned the statements of the log
-- again for each change, which took as long as their execution.
BEGIN;

ALTER FUNCTION log_insert() SET plan_cache_mode TO force_generic_plan;
ALTER FUNCTION log_update() SET plan_cache_mode TO force_generic_plan;
ALTER FUNCTION log_delete() SET plan_cache_mode TO force_generic_plan;

COMMIT;
