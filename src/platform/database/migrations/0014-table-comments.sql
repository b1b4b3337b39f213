-- The purpose of each table, for `\d+` of psql and for docs/generated/tables.md. A comment that begins
-- with "append-only" also denies the role of the application to change or delete rows.

-- Foundation.
comment on table teams is 'Teams: the tenants of the installation, with their tier and their defaults.';
comment on table clients is 'API clients of a team, with their scopes.';
comment on table client_secrets is 'Keyed digests of the secrets of clients, at most two live ones for each client.';
comment on table revoked_tokens is 'Access tokens that were revoked before they expire.';
comment on table signing_keys is 'Keys that sign access tokens, each with the time of its first use and of its retirement.';
comment on table idempotency_keys is 'Responses of finished requests with an Idempotency-Key, for repetitions of the request.';
comment on table rate_budgets is 'Remaining requests of each team and rate class.';
comment on table workflow_outbox is 'Outbox entries: requests to signal a workflow, stored with the change that the workflow watches.';
comment on table request_log is 'append-only: requests of each team of the last seven days, partitioned by day.';
comment on table deprecation_notices is 'append-only: deprecated parts of the interface that a team was notified of, each once.';
comment on table file_bytes is 'Bytes of the uploads and exports of a team, which its quota limits.';

-- Team.
comment on table users is 'Users of a team, with their role and status.';
comment on table audit_events is 'append-only: administrative changes and refused requests, with the client or operator.';
comment on table audit_unsealed is 'Audit events that wait for their place in the hash chain.';
comment on table audit_seals is 'append-only: the hash chain over the audit events of a team.';

-- Contacts.
comment on table contacts is 'Contacts of a team: persons with their addresses, consents and attributes.';
comment on table accounts is 'Accounts of contacts at the partner, with product, status and balance.';
comment on table contact_consent_changes is 'append-only: each recorded consent and the one that it replaced, as proof.';
comment on table consent_confirmations is 'Consents that the recipient was asked to confirm by a message.';
comment on table contact_devices is 'Devices of contacts that receive push messages, with their sealed tokens.';
comment on table suppressions is 'Addresses and contacts that no message is sent to, with the reason.';
comment on table earlier_identities is 'Addresses, numbers and keys that a contact had before, so that an erasure finds their copies.';
comment on table contact_erasures is 'Requests to erase contacts, with their progress.';
comment on table erased_suppressions is 'Keyed digests of suppressed addresses of erased contacts, which stay suppressed.';

-- Cohorts.
comment on table cohorts is 'Cohorts: rules that select contacts, and the state of their evaluation.';
comment on table cohort_members is 'Contacts that belong to a cohort.';
comment on table cohort_changes is 'Changed contacts whose membership of realtime cohorts is to be evaluated.';
comment on table cohort_lanes is 'Lanes that evaluate changed contacts, each for a range of teams, with their leases.';
comment on table cohort_arrivals is 'Contacts that joined a cohort from which a template enrolls.';

-- Engagement.
comment on table objectives is 'Objectives that contacts can complete, with value and attribution rules.';
comment on table objective_completion_counts is 'Number of completions of an objective, as the sum of several rows.';
comment on table objective_completions is 'Completions of objectives by contacts, with their attribution to a journey.';
comment on table engagement_events is 'append-only: engagement of contacts with messages and pages, partitioned by month.';
comment on table engagement_event_keys is 'Unique ids of engagement events, which reject duplicates.';

-- Campaigns.
comment on table templates is 'Templates of journeys, with status, schedule and enrollment rules.';
comment on table template_objectives is 'Objectives of a template, in their order.';
comment on table template_versions is 'append-only: the content of a template at each launch, which its journeys use.';
comment on table template_status_changes is 'append-only: status changes of templates, with their cause.';
comment on table content_blocks is 'Reusable parts of pages and messages.';
comment on table pages is 'Pages of a template.';
comment on table messages is 'Messages of a template, with their content and trigger.';
comment on table landing_pages is 'Landing pages of a team, with their draft content.';
comment on table landing_page_versions is 'append-only: the published content of landing pages, by version.';

-- Journeys.
comment on table journeys is 'Journeys of contacts through a template, with their next due time.';
comment on table template_journey_counts is 'Numbers of enrolled and open journeys of a template, as the sum of several rows.';
comment on table enrollment_scans is 'Progress of enrollments of the members of cohorts.';
comment on table journey_resyncs is 'Templates whose journeys are to be started, moved or ended together.';
comment on table journey_lanes is 'Lanes that process due journeys, each for a quarter of all contacts, with their leases.';
comment on table template_rate_windows is 'Earliest time of the next message of a template with a send rate.';

-- Messaging.
comment on table message_deliveries is 'Sends of a message to a contact, with their outcome, partitioned by month.';
comment on table message_stats is 'Figures of all deliveries of a message, as the sum of several rows.';
comment on table message_sends is 'The send queue: messages that wait for a provider or a further attempt.';
comment on table notice_budgets is 'Codes and confirmations sent within a day for an address, a network or a team.';
comment on table mailbox_messages is 'Messages of channels without a provider, for developers to read.';

-- Webhooks.
comment on table webhook_subscriptions is 'Webhook subscriptions: target URL, event types and status.';
comment on table webhook_subscription_states is 'State of a subscription that its deliveries change: failures, circuit breaker, recovery.';
comment on table webhook_secrets is 'Sealed signing secrets of subscriptions, two while one is being replaced.';
comment on table webhook_delivery_settings is 'Settings of the deliveries to a subscription: timeout, headers, order and limits.';
comment on table webhook_events is 'append-only: events with the bytes that are sent, partitioned by day.';
comment on table webhook_deliveries is 'Deliveries of an event to a subscription, with status and next attempt, partitioned by day.';
comment on table webhook_attempts is 'append-only: attempts to send a delivery, with the answer of the receiver, partitioned by day.';
comment on table webhook_replays is 'Requests to replay webhook deliveries, with their progress.';
comment on table webhook_lanes is 'Lanes that send first attempts, each for a range of shards, with their leases.';

-- Inbound.
comment on table incoming_webhook_receivers is 'Receivers of provider callbacks, with kind and settings.';
comment on table incoming_webhook_receiver_states is 'State of a receiver that its callbacks change.';
comment on table incoming_webhook_receiver_secrets is 'Sealed secrets of receivers, two while one is being replaced.';
comment on table inbound_deliveries is 'Events of provider callbacks, with status and effects, partitioned by day.';
comment on table inbound_raw is 'Sealed bytes of callbacks, stored for a week, partitioned by day.';
comment on table inbound_dedup_keys is 'Deduplication keys of callbacks, with the end of their window.';
comment on table inbound_tokens is 'Tokens of signatures that do not cover the body, each accepted for one event.';
comment on table inbound_proofs is 'Digests of signatures that do not cover the body, each accepted for one body.';
comment on table inbound_rejections is 'Numbers of refused callbacks of a receiver by the hour.';
comment on table inbound_soft_bounces is 'Soft bounces of an address, which suppress it after three in a fortnight.';
comment on table inbound_replays is 'Requests to replay callbacks, with their progress.';

-- Operations.
comment on table uploads is 'Uploaded files for batches, with format, status and size.';
comment on table upload_parts is 'Bytes of uploaded files, in parts.';
comment on table operation_runs is 'Runs of operations: batches and executions, with progress and result.';
comment on table operation_chunks is 'Items of a run in chunks of some hundred: the items, or their place in the upload.';
comment on table operation_items is 'Result of each item of a run.';
comment on table sftp_credentials is 'Credentials with which partners send files by SFTP.';
comment on table sftp_host_keys is 'Sealed host keys of the SFTP server.';
comment on table file_sources is 'Servers of partners from which files are fetched.';
comment on table sftp_uploads is 'Files that arrived by SFTP or were fetched, with the run that imports each.';
comment on table file_fetches is 'Fetches of files from file sources, with attempts and lease.';
comment on table exports is 'Exports of the data of a team, with their progress.';
comment on table export_parts is 'Bytes of export files, in parts.';

-- Insights.
comment on table delivery_counts_hourly is 'Sums of message deliveries by hour, for insights.';
comment on table delivery_rollup_progress is 'Watermark of a team, up to which its deliveries are summed.';
comment on table delivery_rollup_dirty_hours is 'Hours whose sums are to be computed again.';
comment on table objective_rates is 'Completion rate of each objective of a team, for comparisons between teams.';
comment on table insight_cache is 'Answers of slow insights, with the end of their validity.';

-- Widget.
comment on table widget_instances is 'Widget instances of a team, with origins, theme and publishable key.';
comment on table recipient_sessions is 'Sessions of recipients in a journey.';
comment on table identity_challenges is 'Questions and codes that prove the identity of a recipient.';
comment on table identity_failures is 'Numbers of wrong answers about a contact in all sessions.';
comment on table identity_sources is 'Wrong answers and codes about a contact by network, with locks.';
