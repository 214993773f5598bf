-- Kinds of credentials of people: what their browsers send, and links that sign in once.
BEGIN;

ALTER TYPE credential_kind ADD VALUE 'session';
ALTER TYPE credential_kind ADD VALUE 'sign_in_link';

COMMIT;
