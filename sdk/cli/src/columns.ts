import { factsOf } from './facts.ts';

/** By the `type` of a resource, or by the operation where rows have no type; `title=a.b|c`. */
const declared: Readonly<Record<string, string>> = {
  account: 'id unique_id name kind status balance_cents currency opened_at',
  archived_message: 'id contact_id channel provider to_masked content_status sent_at',
  audit_event: 'occurred_at action resource_type resource_id actor reason',
  batch_operation: 'id operation_kind status total_count succeeded_count failed_count inserted_at',
  cohort: 'id name kind evaluation_status member_count last_evaluated_at',
  cohort_member: 'contact_id joined_at',
  contact: 'id unique_id email first_name last_name status inserted_at',
  contact_consent_change:
    'inserted_at channel from=previous.status to=consent.status source=consent.source client_id',
  contact_topic_consent_change:
    'inserted_at topic_id channel from=previous.status to=consent.status source=consent.source',
  device: 'id platform app_id is_active last_seen_at',
  content_block: 'id key name kind version is_archived updated_at',
  contact_read: 'read_at operation contact_id client_id',
  custom_event_type: 'id name description inserted_at',
  engagement_event: 'occurred_at kind channel source contact_id journey_id',
  export: 'id kind format status row_count size_bytes inserted_at',
  file_source: 'id name source_kind host purpose is_active last_fetched_at test_status',
  inbound_delivery:
    'id receiver_kind event_type status signature_status attempts error=error.code|last_error received_at',
  incoming_webhook_receiver: 'id receiver_kind name is_active last_received_at',
  journey: 'id status contact_id template_id next=next_action.kind due=next_action.due_at',
  inbound_replay: 'id status dry_run matched succeeded failed inserted_at',
  landing_page: 'id name slug status has_unpublished_changes published_at',
  legal_hold: 'id contact_id status reason inserted_at released_at',
  message: 'id name channel status purpose trigger=trigger.kind subject',
  message_delivery:
    'id contact_id channel message_id status reason=skip_reason|bounce.code time=failed_at|delivered_at|sent_at|scheduled_at|inserted_at',
  objective: 'id key name category value_cents is_active completion_count',
  objective_completion: 'id contact_id objective_id source attribution value_cents completed_at',
  operation_execution:
    'id operation_kind status input_count failed=summary.failed error=error.code inserted_at',
  page: 'id name path kind position completion_rule',
  sending_domain: 'id domain status is_signed verified_at next_check_at',
  sending_provider: 'id name channel kind priority is_active test_status halt_code',
  sftp_credential: 'id name username purpose status upload_count last_used_at',
  sftp_upload: 'id path size_bytes status error=error.code batch_operation_id completed_at',
  suppression: 'id channel address|contact_id reason source inserted_at',
  template: 'id name status enrolled_count active_journey_count scheduled_at launched_at',
  template_status_change: 'sequence from_status to_status action cause occurred_at',
  template_version: 'version name inserted_at',
  test_recipient: 'id channel name status to_masked confirmed_at',
  topic: 'id name default_consent position is_archived',
  user: 'id email name role status last_signed_in_at',
  webhook_attempt:
    'number requested_at http_status duration_ms error=error_detail|error_code next=next_attempt_at id',
  webhook_delivery:
    'id event_type status attempts=attempt_count http_status next=next_attempt_at created=inserted_at',
  webhook_replay: 'id status dry_run matched succeeded failed inserted_at',
  webhook_subscription: 'id name target_url event_types is_active is_disabled_for_failures',
  widget_instance: 'id name widget_kind template_id is_active bootstrap_count',
  getExecutionResult: 'index status resource_type resource_id error=errors.0.detail',
  listBatchOperationItems: 'index status resource_id error=errors.0.detail',
  listErrorCodes: 'code status title',
  listEventTypes: 'name description since required_scope',
  listExecutionItems: 'index status resource_id error=errors.0.detail',
  listInsights: 'name summary',
  listOperations: 'kind summary idempotency_mode',
  listRequests: 'occurred_at status method path operation error_codes duration_ms request_id',
  listWebhookEventTypes: 'name description since required_scope',
};

export const declaredKeys = Object.keys(declared);

/** Columns of the rows of an operation: those of their type, or those that their schema suggests. */
export function columnsFor(operationId: string, rows: readonly object[]): readonly string[] {
  const [first = {}] = rows;
  const type: unknown = Object.entries(first).find(([name]) => name === 'type')?.[1];
  const own = typeof type === 'string' ? declared[type] : undefined;
  const chosen = own ?? declared[operationId];
  return chosen?.split(' ') ?? factsOf(operationId).columns;
}
