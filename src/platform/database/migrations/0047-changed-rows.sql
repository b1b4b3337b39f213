-- Lists that partners poll are filtered and sorted by `updated_at`; the id breaks ties.
create index accounts_updated on accounts (team_id, updated_at, id) where deleted_at is null;
create index cohorts_updated on cohorts (team_id, updated_at, id) where deleted_at is null;
create index custom_event_types_updated on custom_event_types (team_id, updated_at, id)
  where deleted_at is null;
create index exports_updated on exports (team_id, updated_at, id) where deleted_at is null;
create index file_sources_updated on file_sources (team_id, updated_at, id)
  where deleted_at is null;
create index incoming_webhook_receivers_updated
  on incoming_webhook_receivers (team_id, updated_at, id) where deleted_at is null;
create index journeys_updated on journeys (team_id, updated_at, id);
create index landing_pages_updated on landing_pages (team_id, updated_at, id)
  where deleted_at is null;
create index legal_holds_updated on legal_holds (team_id, updated_at, id);
create index message_deliveries_updated on message_deliveries (team_id, updated_at, id);
create index objective_completions_updated on objective_completions (team_id, updated_at, id);
create index objectives_updated on objectives (team_id, updated_at, id) where deleted_at is null;
create index operation_runs_updated on operation_runs (team_id, surface, updated_at, id);
create index portal_sessions_updated on portal_sessions (team_id, updated_at, id)
  where ended_at is null;
create index sending_domains_updated on sending_domains (team_id, updated_at, id)
  where deleted_at is null;
create index sending_providers_updated on sending_providers (team_id, updated_at, id)
  where deleted_at is null;
create index sftp_credentials_updated on sftp_credentials (team_id, updated_at, id)
  where deleted_at is null;
create index sftp_uploads_updated on sftp_uploads (team_id, updated_at, id);
create index suppressions_updated on suppressions (team_id, updated_at, id)
  where deleted_at is null;
create index test_recipients_updated on test_recipients (team_id, updated_at, id);
create index topics_updated on topics (team_id, updated_at, id) where deleted_at is null;
create index users_updated on users (team_id, updated_at, id) where deleted_at is null;
create index widget_instances_updated on widget_instances (team_id, updated_at, id)
  where deleted_at is null and archived_at is null;
create index webhook_subscriptions_updated on webhook_subscriptions (team_id, updated_at, id)
  where deleted_at is null;
-- The domains of a team are its verified sending domains.
comment on column teams.domains is 'Not used: see sending_domains.';
