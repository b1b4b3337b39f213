-- Legal holds, which keep archived messages and contacts from being deleted.

create table legal_holds (
  team_id uuid not null references teams (id),
  id uuid not null default gen_random_uuid(),
  -- Null: the hold is on everything of the team.
  contact_id uuid,
  reason text not null,
  status text collate "C" not null
    generated always as (case when released_at is null then 'active' else 'released' end) stored,
  placed_by_client_id uuid,
  released_by_client_id uuid,
  released_at timestamptz(3),
  lock_version bigint not null default 1,
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (team_id, id)
);
comment on table legal_holds is 'Holds that keep archived messages and contacts.';
-- The order of the list.
create index legal_holds_default on legal_holds (team_id, inserted_at desc, id desc);
-- The holds that stand, for erasures and the maintenance.
create index legal_holds_active on legal_holds (team_id, contact_id) where released_at is null;
-- The holds of contacts, for the filter, mergers and the erasure of events.
create index legal_holds_contact on legal_holds (team_id, contact_id, inserted_at desc, id desc)
  where contact_id is not null;
