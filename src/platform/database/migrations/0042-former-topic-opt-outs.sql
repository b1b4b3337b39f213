-- Opt-outs from topics belong to the address as well, see former_opt_outs.
create table former_topic_opt_outs (
  team_id uuid not null,
  contact_id uuid not null,
  topic_id uuid not null,
  channel text collate "C" not null check (channel in ('email', 'sms')),
  -- The address or number that the contact had, folded.
  address text not null,
  source text not null,
  -- When the recipient opted out.
  updated_at timestamptz(3) not null,
  inserted_at timestamptz(3) not null default now(),
  primary key (team_id, contact_id, topic_id, channel, address),
  foreign key (team_id, topic_id) references topics (team_id, id)
);
-- Those of an address that a contact gets.
create index former_topic_opt_outs_address
  on former_topic_opt_outs (team_id, channel, address, updated_at);
comment on table former_topic_opt_outs is 'Opt-outs of recipients from topics, by an address or number that their contact has no longer.';
