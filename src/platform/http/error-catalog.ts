/**
 * The catalog of every error a client can receive: code → HTTP status, constant title, and what
 * to do about it (shown on the code's documentation page). ADR 6.
 */
export const errorCatalog = {
  // 400: invalid syntax or query
  invalid_json: [
    400,
    'The body is not valid JSON',
    'Send one JSON document in UTF-8, at most 32 levels deep and without repeated keys.',
  ],
  invalid_request: [
    400,
    'The request cannot be understood',
    'Correct what the detail names and send the request again.',
  ],
  invalid_sort_field: [
    400,
    'The list cannot be sorted by this field',
    'Sort by the fields in meta.allowed, "-" in front for descending, separated by commas.',
  ],
  invalid_filter_field: [
    400,
    'The list cannot be filtered by this field',
    'Use filter[<field>] with a field of meta.allowed.',
  ],
  invalid_filter_op: [
    400,
    'The operator does not apply to this field',
    'Use filter[<field>][<op>] with an operator of meta.allowed.',
  ],
  invalid_filter_value: [
    400,
    'The filter value cannot be read',
    'Send a value of the type that the detail names.',
  ],
  invalid_page_size: [
    400,
    'The page size is out of range',
    'Send page[size] between 1 and meta.max.',
  ],
  invalid_page_params: [
    400,
    'The page parameters contradict each other',
    'Send page[after] or page[before], not both, each at most once.',
  ],
  invalid_include: [
    400,
    'The relation cannot be included',
    'Use include with the relations in meta.allowed.',
  ],
  invalid_meta: [400, 'The meta parameter is not understood', 'The only value is meta=count.'],
  invalid_query_parameter: [
    400,
    'The query parameter is not understood',
    'Remove the parameter or correct its name; meta.allowed lists what this endpoint takes.',
  ],
  invalid_period: [
    400,
    'The period cannot be read',
    'Send one of the forms in meta.examples; it spans at most 731 days.',
  ],
  invalid_timezone: [
    400,
    'The time zone does not exist',
    'Send an IANA name such as Europe/Berlin; offsets are no time zones.',
  ],
  idempotency_key_required: [
    400,
    'An Idempotency-Key is required',
    'Send the header Idempotency-Key with a new UUID, and the same value when you repeat the request.',
  ],
  idempotency_key_invalid: [
    400,
    'The Idempotency-Key is malformed',
    'Send 1 to 255 visible ASCII characters, bare or in double quotes, once.',
  ],
  unsupported_grant_type: [
    400,
    'The grant type is not supported',
    'Use grant_type=client_credentials.',
  ],
  invalid_scope: [
    400,
    'The scope is malformed',
    'Send scopes of the form <surface>:<resource>:<action>, separated by single spaces.',
  ],
  // 401
  scope_missing: [
    401,
    'A required scope is absent',
    'Request a token with the scope in meta.required_scope; the client must be entitled to it.',
  ],
  token_missing: [
    401,
    'An access token is required',
    'Send Authorization: Bearer <ACCESS_TOKEN>; get one at POST /oauth2/token.',
  ],
  token_invalid: [
    401,
    'The access token is not valid',
    'Request a new token at POST /oauth2/token.',
  ],
  token_expired: [
    401,
    'The access token has expired',
    'Request a new token at POST /oauth2/token; tokens are valid for one hour.',
  ],
  token_kind_not_allowed: [
    401,
    'This kind of token is not accepted on this surface',
    'Use a token of a kind that is accepted on meta.surface.',
  ],
  token_in_query_rejected: [
    401,
    'Tokens are not accepted in the query string',
    'Send the token in the Authorization header only, and replace it: query strings end up in logs.',
  ],
  address_not_allowed: [
    401,
    'The client may not be used from this address',
    'Call from one of the networks of the client, or let the operator change them.',
  ],
  session_expired: [
    401,
    'The recipient’s session has ended',
    'Start a new session at POST /v2/widget/bootstrap with a new widget token or the latest link.',
  ],
  csrf_invalid: [
    401,
    'The request does not prove which page it comes from',
    'Send session.csrf_token of the bootstrap as X-CSRF-Token, from a page that the widget admits.',
  ],
  invalid_client: [
    401,
    'Client authentication failed',
    'Check client_id and client_secret; send them in the form body or by HTTP Basic, not both.',
  ],
  signature_missing: [
    401,
    'The request is not signed',
    'Let the provider sign, relay with the receiver’s whsec_ secret, or send a token with partner:incoming-webhooks:write.',
  ],
  signature_invalid: [
    401,
    'The signature is not valid',
    'Compare the keys and secrets on both sides, and send exactly the bytes that were signed.',
  ],
  signature_expired: [
    401,
    'The signature is too old or from the future',
    'Sign each attempt with the current time, and check the clock.',
  ],
  // 404, 405, 406
  not_found: [
    404,
    'The resource does not exist',
    'Check the id; resources of other teams do not exist for this token.',
  ],
  route_not_found: [
    404,
    'There is no such endpoint',
    'Check method and path against /v2/meta/openapi.json.',
  ],
  operation_unknown: [
    404,
    'There is no such operation',
    'Use a kind that GET /v2/ipaas/operations lists.',
  ],
  method_not_allowed: [405, 'The method is not allowed here', 'Use a method of the Allow header.'],
  not_acceptable: [
    406,
    'Only application/json is available',
    'Send Accept: application/json or */*.',
  ],
  callback_refused: [
    406,
    'The callback is refused; do not send it again',
    'Read meta.reason; the receiver’s stop_status replaces the status of that code.',
  ],
  request_timeout: [
    408,
    'The request was sent too slowly',
    'Send the whole request within 30 seconds; of a file, 16 KB in each 30 seconds.',
  ],
  request_head_too_large: [
    431,
    'The address and the headers are too large',
    'Send at most 16 KB of address and headers, for example with fewer values in a filter.',
  ],
  // 409: state
  invalid_state_transition: [
    409,
    'The action is not possible in the current state',
    'Use an action of meta.allowed_actions.',
  ],
  template_locked: [
    409,
    'The template is locked',
    'Unlock it first, or change only name, description, deadline_at and send_rate_per_minute.',
  ],
  template_has_history: [
    409,
    'The template was launched and cannot be deleted',
    'Archive it instead.',
  ],
  already_enrolled: [
    409,
    'The contact is already enrolled in the template',
    'Use the journey in meta.journey_id, or cancel it first.',
  ],
  enrollment_refused: [
    409,
    'A rule of the template excludes the contact',
    'meta.rule names it; GET …/enrollments/{contact_id}/explain shows every rule.',
  ],
  deadline_passed: [
    409,
    'The deadline has passed',
    'Set a deadline_at in the future where the state still allows it, or duplicate the template.',
  ],
  unique_id_taken: [
    409,
    'The unique_id is in use',
    'Use another unique_id, or update the resource in meta.id.',
  ],
  email_taken: [
    409,
    'The e-mail address is in use',
    'Use another address, or update the user in meta.id.',
  ],
  slug_taken: [409, 'The slug is in use', 'Use another slug, or archive the page in meta.id.'],
  content_block_in_use: [
    409,
    'The content block is in use',
    'Remove it from its uses first; meta.used_by counts them and GET …/usage lists them.',
  ],
  public_key_taken: [
    409,
    'The public key is in use',
    'Use another key, or delete the credentials in meta.id.',
  ],
  file_source_taken: [
    409,
    'Another file source already covers these files',
    'Change the source in meta.id, or name another server_id, server_username or server_path.',
  ],
  topic_in_use: [
    409,
    'A message uses the topic',
    'Remove the topic from the message in meta.message_id first, or archive the topic instead.',
  ],
  key_taken: [409, 'The key is in use', 'Use another key.'],
  cohort_in_use: [
    409,
    'A template uses the cohort',
    'Remove the cohort from the template in meta.template_id, or expire the template, first.',
  ],
  cohort_is_dynamic: [
    409,
    'The members of the cohort follow its definition',
    'Change the definition, or use a static cohort for a list.',
  ],
  domain_taken: [
    409,
    'The domain is in use',
    'Use another domain. A team keeps its tracking domain until it changes it or the domain is no longer verified.',
  ],
  name_taken: [409, 'The name is in use', 'Use another name.'],
  last_admin: [
    409,
    'The team would be left without an active admin',
    'Make another active user an admin first.',
  ],
  invite_expired: [409, 'The invitation has expired', 'Send it again with resend-invite.'],
  subscription_disabled: [
    409,
    'The subscription is disabled',
    'Fix the receiver, then PATCH is_disabled_for_failures to false.',
  ],
  subscription_inactive: [409, 'The subscription is inactive', 'PATCH is_active to true first.'],
  rotation_in_progress: [
    409,
    'A rotation is still in its overlap',
    'Wait until meta.previous_expires_at, or send force: true to end the older secret now.',
  ],
  idempotency_in_progress: [
    409,
    'A request with this Idempotency-Key is still running',
    'Repeat the same request after the time in Retry-After.',
  ],
  replay_in_progress: [
    409,
    'Another replay is still running',
    'Wait until the replay in meta.id has finished, or cancel it.',
  ],
  delivery_not_replayable: [
    409,
    'The deliveries have nothing to replay',
    'Name accepted deliveries; rejected calls have no stored payload.',
  ],
  execution_not_finished: [
    409,
    'The operation has not finished',
    'Request it again after the time in Retry-After, until its status is final.',
  ],
  execution_finished: [
    409,
    'The operation has finished',
    'There is nothing left to cancel; read its result.',
  ],
  legal_hold: [
    409,
    'A legal hold is active',
    'Release the hold in meta.legal_hold_id before you erase the contact.',
  ],
  widget_inactive: [409, 'The widget is inactive', 'Activate or unarchive it.'],
  journey_not_open: [
    409,
    'The contact has no open journey there',
    'Enroll the contact first, or name a journey that has not ended.',
  ],
  conflict: [
    409,
    'The request conflicts with the current state',
    'Read the resource again and repeat.',
  ],
  // 410
  cursor_invalid: [
    410,
    'The cursor is no longer valid',
    'Fetch the first page again; keep sort and filters the same while paging.',
  ],
  version_retired: [
    410,
    'This version of the interface is retired',
    'Use the endpoints under /v2/.',
  ],
  receiver_disabled: [
    410,
    'The receiver is inactive',
    'PATCH is_active of the receiver to true, or remove its address from the provider.',
  ],
  result_expired: [
    410,
    'The results are no longer kept',
    'Results are kept for seven days, or the shorter term of the team; run the operation again.',
  ],
  contact_merged: [
    410,
    'The contact was merged into another one',
    'Use the contact in meta.contact_id; it has the data of both.',
  ],
  resource_erased: [
    410,
    'The resource was permanently erased',
    'Delete your reference to it; it cannot be restored.',
  ],
  payload_expired: [
    410,
    'The payload is no longer kept',
    'Read the resource itself, or have the event sent again.',
  ],
  // 403 … 423
  team_suspended: [
    403,
    'The team is suspended',
    'Ask the operator of the service to resume the team.',
  ],
  precondition_failed: [
    412,
    'The resource has changed',
    'Read it again and send its ETag in If-Match.',
  ],
  payload_too_large: [413, 'The body is too large', 'Send at most meta.limit_bytes bytes.'],
  unsupported_media_type: [
    415,
    'The media type is not supported',
    'Send the Content-Type that the detail names, without Content-Encoding.',
  ],
  identity_locked: [
    423,
    'Too many wrong answers were given',
    'Wait until meta.retry_at; answers are rejected before that.',
  ],
  misdirected_request: [
    421,
    'The host does not serve this request',
    'Send the request to the address of the service. An operator adds further host names with PUBLIC_HOSTS.',
  ],
  // 422: bodies that break the schema
  validation_failed: [
    422,
    'A field is not valid',
    'Correct the field at meta.pointer as the detail says.',
  ],
  immutable_field: [
    422,
    'The field cannot be changed',
    'Leave the field at meta.pointer as it is, or leave it out.',
  ],
  template_incomplete: [
    422,
    'The template is not complete',
    'Add the parts listed in meta.missing, then repeat the action.',
  ],
  landing_page_incomplete: [
    422,
    'The landing page is not complete',
    'Add or correct the parts listed in meta.missing, then publish again.',
  ],
  invalid_event_type: [
    422,
    'The event type does not exist',
    'Use a name of GET /v2/partner/webhook-event-types or /v2/partner/custom-event-types; subscriptions also take a "prefix.*" and "*".',
  ],
  replay_window_too_large: [
    422,
    'The window is too large',
    'Replay windows of at most meta.max_days days, one after the other.',
  ],
  target_not_allowed: [
    422,
    'The address is not allowed as a target',
    'Use an https URL with a public host name, without user info, on port 443, 8443 or from 1024 up.',
  ],
  sender_not_verified: [
    422,
    'The sender is not verified for the team',
    'Add the domain of an e-mail address with POST /v2/partner/sending-domains, publish its records, and repeat the request once it is verified. For a text message, name one of the senders of an active SMS provider (GET /v2/partner/sending-providers).',
  ],
  origin_not_allowed: [
    422,
    'The widget does not allow this page',
    'Add the origin to allowed_origins of the widget, exactly as browsers send it.',
  ],
  idempotency_key_reused: [
    422,
    'The Idempotency-Key was used for another request',
    'Use a new key for a different request.',
  ],
  too_many_items: [
    422,
    'The request has too many items',
    'Send at most meta.max items per request.',
  ],
  operation_failed: [
    422,
    'The operation failed and nothing was applied',
    'Correct the items in meta.items, then repeat the request.',
  ],
  upload_unreadable: [
    422,
    'The file cannot be used for this operation',
    'Correct what the detail names in the file or in mapping, and send the file again.',
  ],
  record_unreadable: [
    422,
    'A record of the file cannot be read',
    'Correct the record at the index, and send it again.',
  ],
  quota_exceeded: [
    422,
    'A quota is exhausted',
    'Remove what is no longer needed, or ask for a higher tier; meta.limit is the bound.',
  ],
  // 429, 5xx
  rate_limited: [429, 'Too many requests', 'Wait for the time in Retry-After.'],
  too_many_operations: [
    429,
    'Too many operations are waiting',
    'Wait for the time in Retry-After; at most meta.max operations of a team can wait at a time.',
  ],
  internal_error: [
    500,
    'An internal error occurred',
    'Repeat the request with the same Idempotency-Key; if the error persists, report meta.request_id.',
  ],
  item_failed: [
    500,
    'An item could not be applied',
    'The other items were applied. Send this item again; if it fails again, report the request id.',
  ],
  unavailable: [
    503,
    'The service is briefly unavailable',
    'Repeat the request with the same Idempotency-Key after the time in Retry-After.',
  ],
} as const satisfies Record<string, readonly [status: number, title: string, remedy: string]>;

export type ErrorCode = keyof typeof errorCatalog;
