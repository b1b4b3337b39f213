-- An opt-out of a recipient belongs to the address, so it is kept when its contact gets another one.
create table former_opt_outs (
  team_id uuid not null,
  contact_id uuid not null,
  channel text collate "C" not null check (channel in ('email', 'sms')),
  -- The address or number that the contact had, folded.
  address text not null,
  consent jsonb not null,
  inserted_at timestamptz(3) not null default now(),
  primary key (team_id, contact_id, channel, address)
);
-- Those of an address that a contact gets.
create index former_opt_outs_address on former_opt_outs (team_id, channel, address);
comment on table former_opt_outs is 'Opt-outs of recipients, by an address or number that their contact has no longer.';
