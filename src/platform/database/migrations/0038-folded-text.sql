-- Indexes of text that is compared by the function `folded`.
drop index users_email_taken;
-- An address belongs to one user of a team, compared without case.
create unique index users_email_taken on users (team_id, folded(email)) where deleted_at is null;
drop index users_email_text;
-- Filters by a part of the email.
create index users_email_text on users using gin (team_id, folded(email) gin_trgm_ops)
  where deleted_at is null;

drop index contacts_email_text;
-- Filters by a part of the email.
create index contacts_email_text on contacts using gin (team_id, folded(email) gin_trgm_ops);
drop index contacts_email_start;
-- Filters by the start of the email, and those who have an address: one range, while the trigrams of
-- a common word fill lists that grow with the table.
create index contacts_email_start on contacts (team_id, folded(email) text_pattern_ops);
drop index contacts_email_end;
-- Filters by the end of the email, for the same reason.
create index contacts_email_end on contacts (team_id, reverse(folded(email)) text_pattern_ops);

-- Names that differ in the case of letters beyond ASCII were two: the later one gets a part of its id.
update cohorts later
set name = left(name, 100) || ' ' || left(id::text, 8), lock_version = lock_version + 1,
  updated_at = now()
where deleted_at is null and exists (
  select from cohorts c
  where c.team_id = later.team_id and c.deleted_at is null and folded(c.name) = folded(later.name)
    and (c.inserted_at, c.id) < (later.inserted_at, later.id));
drop index cohorts_name;
-- A name belongs to one cohort of a team, compared without case.
create unique index cohorts_name on cohorts (team_id, folded(name)) where deleted_at is null;

-- The first suppression of an address in several letter cases stays.
update suppressions later
set deleted_at = now(), lock_version = lock_version + 1, updated_at = now()
where deleted_at is null and address is not null and exists (
  select from suppressions s
  where s.team_id = later.team_id and s.channel = later.channel and s.deleted_at is null
    and folded(s.address) = folded(later.address)
    and (s.inserted_at, s.id) < (later.inserted_at, later.id));
drop index suppressions_address;
-- An address is suppressed once for each channel; sending looks here.
create unique index suppressions_address on suppressions (team_id, channel, folded(address))
  where deleted_at is null and address is not null;

-- Soft bounces are counted by the address as it is compared.
create temporary table bounces on commit drop as
  select distinct on (team_id, folded(address), delivery_id) team_id, folded(address) as address,
    delivery_id, bounced_at
  from inbound_soft_bounces;
truncate inbound_soft_bounces;
insert into inbound_soft_bounces (team_id, address, delivery_id, bounced_at)
select team_id, address, delivery_id, bounced_at from bounces;
