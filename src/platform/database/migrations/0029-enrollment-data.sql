-- Data of enrollments, which the messages of their journeys show.

create table journey_data (
  team_id uuid not null,
  journey_id uuid not null,
  sealed_data text not null,
  primary key (team_id, journey_id),
  -- Data belongs to a journey of the same team, and is deleted with it.
  foreign key (team_id, journey_id) references journeys (team_id, id) on delete cascade
);
comment on table journey_data is 'Data of enrollments for the messages of journeys, until they end.';
