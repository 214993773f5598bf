-- Passkeys are credentials: the hash is the ID that the browser gave to the passkey.
BEGIN;

ALTER TYPE credential_kind ADD VALUE 'passkey';
ALTER TABLE credential ADD COLUMN public_key text;

COMMIT;
