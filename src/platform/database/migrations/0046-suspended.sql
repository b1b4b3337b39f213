-- Teams and clients have the word that users have: an operator suspends and resumes all three.
alter table teams rename column disabled_at to suspended_at;
alter table clients add column suspended_at timestamptz(3);
update clients set suspended_at = updated_at where not is_active;
alter table clients drop column is_active;
create index teams_suspended on teams (id) where suspended_at is not null;
create index clients_suspended on clients (id) where suspended_at is not null;

-- The client that last set address or event types: its present rights count at each delivery.
alter table webhook_subscriptions add column set_by_client_id uuid;

-- The client that last set the definition: without its present rights there is no evaluation.
alter table cohorts add column set_by_client_id uuid;
