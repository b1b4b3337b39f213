-- Deprecated parts of the interface that a team has been notified of, each once. The sequence orders
-- the events of a team.

create sequence deprecation_notice_sequence;
create table deprecation_notices (
  team_id uuid not null references teams (id),
  item text not null,
  sequence bigint not null default nextval('deprecation_notice_sequence'),
  inserted_at timestamptz(3) not null default now(),
  primary key (team_id, item)
);
comment on table deprecation_notices is 'append-only: notices of deprecated parts of the interface';
