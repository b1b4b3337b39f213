-- Sending: lanes begin journeys and decide over their steps; what is to be sent waits in a small
-- queue beside the large table of deliveries, which says what became of it.

-- By contact, so that one lane alone decides what a contact gets: what it has had already is then
-- counted without a lock.
create function lane_of_contact(contact uuid) returns smallint
language sql immutable strict parallel safe as $$
  select (get_byte(uuid_send(contact), 15) / 64)::smallint
$$;

drop index journeys_due;
create index journeys_due on journeys (lane_of_contact(contact_id), next_due_at)
  where next_due_at is not null;
-- Fairly between teams and templates.
create index journeys_due_of_template
  on journeys (lane_of_contact(contact_id), team_id, template_id, next_due_at)
  where next_due_at is not null;

-- Who drains them: each lane has a quarter of all contacts.
create table journey_lanes (
  lane smallint primary key,
  signaled_at timestamptz(3) not null default '-infinity',
  leased_until timestamptz(3) not null default '-infinity'
);
insert into journey_lanes (lane) select generate_series(0, 3);

-- The first moment that is left of the pace at which a template may send.
create table template_rate_windows (
  team_id uuid not null,
  template_id uuid not null,
  next_at timestamptz(3) not null,
  primary key (team_id, template_id),
  foreign key (team_id, template_id) references templates (team_id, id)
);

-- What waits to be sent: ids only, gone as soon as its delivery says what became of it.
create table message_sends (
  team_id uuid not null,
  -- That of the delivery; a test has one of its own.
  id uuid not null,
  lane smallint not null,
  channel text collate "C" not null,
  -- The month of the delivery spares a look into all others.
  delivery_inserted_at timestamptz(3) not null,
  -- While it is taken: when whoever took it has lost it.
  next_attempt_at timestamptz(3) not null,
  is_claimed boolean not null default false,
  attempts int not null default 0,
  inserted_at timestamptz(3) not null default now(),
  -- Of a test: the message, and the address, sealed.
  test_message_id uuid,
  sealed_test_address text,
  primary key (team_id, id),
  check ((test_message_id is null) = (sealed_test_address is null))
) with (fillfactor = 70);
create index message_sends_due on message_sends (lane, channel, team_id, next_attempt_at);
create index message_sends_next on message_sends (lane, next_attempt_at);

-- What was sent where no provider is configured, for a developer to look at.
create table mailbox_messages (
  team_id uuid not null,
  -- That of the delivery: sending it again changes nothing.
  id uuid not null,
  contact_id uuid,
  channel text collate "C" not null,
  recipient text not null,
  content jsonb not null,
  inserted_at timestamptz(3) not null default now(),
  primary key (team_id, id)
);
create index mailbox_messages_newest on mailbox_messages (inserted_at desc, id desc);
create index mailbox_messages_contact on mailbox_messages (team_id, contact_id);
