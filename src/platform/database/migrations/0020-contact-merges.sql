-- Contacts that are the same person: the one that was merged points to the one that stays.

alter table contacts
  add column merged_into_id uuid,
  add constraint contacts_merged check (merged_into_id is null or status = 'archived');
create index contacts_merged_into on contacts (team_id, merged_into_id)
  where merged_into_id is not null;
-- The key of a merged contact goes on naming the person.
create index contacts_merged_key on contacts (team_id, unique_id)
  where merged_into_id is not null;

-- Gives the one that stays what is append-only of the one that was merged into it. With the owner's
-- rights, and so for nobody else.
create function move_contact_history(team uuid, loser uuid) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  winner uuid;
begin
  select merged_into_id into winner from contacts where team_id = team and id = loser;
  if winner is null then
    raise exception 'the contact is not merged';
  end if;
  update engagement_events set contact_id = winner where team_id = team and contact_id = loser;
  update contact_consent_changes set contact_id = winner
  where team_id = team and contact_id = loser;
end $$;
