-- What visitors propose: new events, and corrections of published ones.
BEGIN;

CREATE TYPE proposal_kind AS ENUM ('event', 'change');
CREATE TYPE proposal_state AS ENUM ('pending', 'asked', 'accepted', 'declined');

CREATE TABLE proposal (
  id serial,
  kind proposal_kind NOT NULL,
  state proposal_state DEFAULT 'pending' NOT NULL,
  language text NOT NULL,
  -- The event to correct, or the event that was created.
  event_id integer,
  -- The proposed values by name of their field.
  proposed jsonb NOT NULL,
  message text DEFAULT '' NOT NULL,
  reply text DEFAULT '' NOT NULL,
  token_hash text NOT NULL,
  -- The challenge whose solution was sent, which is used once.
  challenge text NOT NULL,
  -- Whether the proposal was sent without a solution.
  unproven boolean NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  modified_at timestamp(3) with time zone NOT NULL,
  decided_at timestamp(3) with time zone,
  decided_by_id integer,
  CONSTRAINT proposal_pkey PRIMARY KEY (id),
  CONSTRAINT proposal_event_id_fkey FOREIGN KEY (event_id) REFERENCES event(id) ON UPDATE CASCADE ON DELETE SET NULL,
  CONSTRAINT proposal_decided_by_id_fkey FOREIGN KEY (decided_by_id) REFERENCES "user"(id) ON UPDATE CASCADE ON DELETE SET NULL
);
CREATE UNIQUE INDEX proposal_token_hash_key ON proposal (token_hash);
CREATE UNIQUE INDEX proposal_challenge_key ON proposal (challenge);
CREATE INDEX proposal_state_id_idx ON proposal (state, id);
CREATE INDEX proposal_created_at_idx ON proposal (created_at);
CREATE INDEX proposal_event_id_idx ON proposal (event_id);
CREATE INDEX proposal_decided_by_id_idx ON proposal (decided_by_id);

-- Who sent a proposal, which is deleted after PROPOSAL_CONTACT_DAYS.
CREATE TABLE proposal_contact (
  proposal_id integer NOT NULL,
  name text NOT NULL,
  email text NOT NULL,
  -- HMAC of the network, to limit how much one sends.
  sender text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT proposal_contact_pkey PRIMARY KEY (proposal_id),
  CONSTRAINT proposal_contact_proposal_id_fkey FOREIGN KEY (proposal_id) REFERENCES proposal(id) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX proposal_contact_sender_created_at_idx ON proposal_contact (sender, created_at);
CREATE INDEX proposal_contact_created_at_idx ON proposal_contact (created_at);

COMMIT;
