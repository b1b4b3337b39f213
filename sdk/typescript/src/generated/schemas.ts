// Written by `npm run generate -- sdk` from the OpenAPI document.
/** One page of a list. */
export interface Paged<Item> {
  data: Item[];
  page: ListPage;
  meta?: ListMeta;
}
export type ErrorItem = {
  code: ErrorCodeName;
  /** Constant text of the code */
  title: string;
  /** Names the part at fault, the rule and the fix */
  detail: string;
  meta: {
    /** X-Request-Id of the request */
    request_id: string;
    /** Page that says what to do about the code */
    docs_url: string;
    /** JSON Pointer into the body */
    pointer?: string;
    /** Query, path or header parameter */
    parameter?: string;
    [key: string]: unknown;
  };
};

/** Every code, with its meaning and remedy, is listed at GET /v2/meta/error-codes. */
export type ErrorCodeName =
  | 'invalid_json'
  | 'invalid_request'
  | 'invalid_sort_field'
  | 'invalid_filter_field'
  | 'invalid_filter_op'
  | 'invalid_filter_value'
  | 'invalid_page_size'
  | 'invalid_page_params'
  | 'invalid_include'
  | 'invalid_meta'
  | 'invalid_query_parameter'
  | 'invalid_period'
  | 'invalid_timezone'
  | 'idempotency_key_required'
  | 'idempotency_key_invalid'
  | 'unsupported_grant_type'
  | 'invalid_scope'
  | 'scope_missing'
  | 'token_missing'
  | 'token_invalid'
  | 'token_expired'
  | 'token_kind_not_allowed'
  | 'token_in_query_rejected'
  | 'address_not_allowed'
  | 'session_expired'
  | 'csrf_invalid'
  | 'invalid_client'
  | 'signature_missing'
  | 'signature_invalid'
  | 'signature_expired'
  | 'not_found'
  | 'route_not_found'
  | 'operation_unknown'
  | 'method_not_allowed'
  | 'not_acceptable'
  | 'callback_refused'
  | 'request_timeout'
  | 'request_head_too_large'
  | 'invalid_state_transition'
  | 'template_locked'
  | 'template_has_history'
  | 'already_enrolled'
  | 'enrollment_refused'
  | 'deadline_passed'
  | 'unique_id_taken'
  | 'email_taken'
  | 'slug_taken'
  | 'content_block_in_use'
  | 'public_key_taken'
  | 'file_source_taken'
  | 'topic_in_use'
  | 'key_taken'
  | 'cohort_in_use'
  | 'cohort_is_dynamic'
  | 'domain_taken'
  | 'name_taken'
  | 'last_admin'
  | 'invite_expired'
  | 'subscription_disabled'
  | 'subscription_inactive'
  | 'rotation_in_progress'
  | 'idempotency_in_progress'
  | 'replay_in_progress'
  | 'delivery_not_replayable'
  | 'execution_not_finished'
  | 'execution_finished'
  | 'legal_hold'
  | 'widget_inactive'
  | 'journey_not_open'
  | 'conflict'
  | 'cursor_invalid'
  | 'version_retired'
  | 'receiver_disabled'
  | 'result_expired'
  | 'contact_merged'
  | 'resource_erased'
  | 'payload_expired'
  | 'team_suspended'
  | 'precondition_failed'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'identity_locked'
  | 'misdirected_request'
  | 'validation_failed'
  | 'immutable_field'
  | 'template_incomplete'
  | 'landing_page_incomplete'
  | 'invalid_event_type'
  | 'replay_window_too_large'
  | 'target_not_allowed'
  | 'sender_not_verified'
  | 'origin_not_allowed'
  | 'idempotency_key_reused'
  | 'too_many_items'
  | 'operation_failed'
  | 'upload_unreadable'
  | 'record_unreadable'
  | 'quota_exceeded'
  | 'rate_limited'
  | 'too_many_operations'
  | 'internal_error'
  | 'item_failed'
  | 'unavailable';
export type TokenRequest = {
  grant_type: 'client_credentials';
  client_id?: string;
  client_secret?: string;
  /** Scopes separated by single spaces */
  scope?: string;
};
export type TokenResponse = {
  access_token: string;
  token_type: 'Bearer';
  /** Seconds */
  expires_in: number;
  /** Granted scopes separated by spaces */
  scope: string;
};
export type RevokeAccessTokenRequest = { token: string; token_type_hint?: string };
export type RevokeAccessTokenResponse = Record<string, unknown>;
export type GetJwksResponse = { keys: unknown[] };
export type GetAuthorizationServerMetadataResponse = {
  issuer: string;
  token_endpoint: string;
  revocation_endpoint: string;
  jwks_uri: string;
  grant_types_supported: string[];
  response_types_supported: string[];
  token_endpoint_auth_methods_supported: string[];
  scopes_supported: string[];
};

/** An endpoint has `method` and `path`, an event type has `event_type`, a version has `version` */
export type DeprecationTarget = {
  version?: string;
  method?: string;
  path?: string;
  event_type?: string;
};
export type Capabilities = {
  surfaces: string[];
  /** Effective scopes, implied ones included */
  scopes: string[];
  endpoints: {
    method: string;
    path: string;
    required_scope: string;
    operation_id: string;
    rate_limit_class: string;
    /** per_operation: required for operations whose `idempotency_mode` is keyed */
    idempotency: 'none' | 'optional' | 'required' | 'per_operation';
  }[];
  deprecations: {
    /** The same for every team and every answer */
    id: string;
    kind: 'version' | 'endpoint' | 'event_type';
    target: DeprecationTarget;
    /** sunset: `sunset_at` is in the past */
    status: 'deprecated' | 'sunset';
    deprecated_at: string;
    /** It works until then; at least 12 months after `deprecated_at` */
    sunset_at: string;
    replacement: DeprecationTarget | null;
    /** Why, and what to do, in full sentences */
    reason: string;
    docs_url: string;
  }[];
  rate_limits: {
    /** Contract tier */
    class: string;
    limits: {
      class: string;
      /** Requests per window */
      limit: number;
      window_seconds: number;
      /** Requests per burst window */
      burst: number;
      burst_window_seconds: number;
      /** Whose budget it is */
      scope: 'team' | 'receiver' | 'widget_instance' | 'session' | 'client_and_address';
    }[];
  };
};
export type ErrorCode = {
  code: string;
  /** HTTP status where the code stands first */
  status: number;
  /** Constant; the detail of an error says more */
  title: string;
  /** Steps that resolve the error */
  remedy: string;
  docs_url: string;
};
export type ListErrorCodesResponse = { data: ErrorCode[] };
export type Deprecation = {
  deprecated_at: string;
  /** It works until then; at least 12 months after `deprecated_at` */
  sunset_at: string;
  replacement: DeprecationTarget | null;
  /** Why, and what to do, in full sentences */
  reason: string;
};
export type EventType = {
  name: string;
  description: string;
  /** Date since which it is sent */
  since: string;
  /** Reads the resource; without it `data` is thin */
  required_scope: string;
  deprecation?: Deprecation;
  /** JSON Schema of `data`, the resource */
  data_schema: unknown;
  /** A whole body, made up, with every field */
  example: unknown;
};
export type ListEventTypesResponse = { data: EventType[] };
export type ServerTime = { now: string };
export type GetOpenApiResponse = unknown;
export type LoggedRequest = {
  id: string;
  type: 'logged_request';
  team_id: string;
  /** The client whose token was used */
  client_id: string;
  /** X-Request-Id of the request */
  request_id: string;
  /** The id that the service gave the request */
  server_request_id?: string;
  /** Address of the client */
  source_ip?: string;
  /** User-Agent, cut to 200 characters */
  user_agent?: string;
  occurred_at: string;
  method: string;
  /** Operation id */
  operation: string;
  path: string;
  /** Parameters; texts, and values of persons, by their length */
  query?: string;
  status: number;
  error_codes: string[];
  duration_ms: number;
  request_bytes: number;
  response_bytes: number;
  /** Contacts that the path, the body or the answer names */
  contact_ids?: string[];
  /** JSON cut to 2048 characters; texts, and all values of persons, by their form */
  request_body?: string;
  /** JSON cut to 2048 characters; texts, and all values of persons, by their form */
  response_body?: string;
};
export type ListPage = {
  next_cursor: string | null;
  prev_cursor: string | null;
  has_more: boolean;
  size: number;
};
export type ListMeta = {
  count: number;
  /** True where there are more; absent where the count is exact */
  count_is_lower_bound?: boolean;
};
export type ListRequestsResponse = Paged<LoggedRequest>;
export type Account = {
  id: string;
  type: 'account';
  team_id: string;
  contact_id: string;
  /** The partner’s own key; unique among those of the contact */
  unique_id?: string;
  name?: string;
  kind: 'deposit' | 'loan' | 'credit' | 'investment' | 'other';
  product_id?: string;
  /** Follows from opened_at and closed_at */
  status: 'pending' | 'open' | 'closed';
  opened_at?: string;
  /** Not before opened_at */
  closed_at?: string;
  /** Amount in cents of the currency of the account */
  balance_cents?: number;
  /** ISO 4217; the team’s when the account was created */
  currency: string;
  is_primary: boolean;
  attributes?: { [key: string]: string | number | boolean | string[] };
  inserted_at: string;
  updated_at: string;
};

/** A group {"op": "all|any|none", "rules": […]} or one rule, such as {"field": "contact.locale", "op": "eq", "value": "en"}; see docs/cohorts.md */
export type CohortDefinition = { [key: string]: unknown };
export type Cohort = {
  id: string;
  type: 'cohort';
  team_id: string;
  /** Unique in the team, compared without case */
  name: string;
  description?: string;
  /** dynamic: by a definition; static: by a list. Fixed */
  kind: 'dynamic' | 'static';
  definition?: CohortDefinition;
  /** Rises with each change */
  definition_version: number;
  /** realtime unless given: follows every change, and the clock by the interval. Static ones are on_demand */
  evaluation_mode: 'realtime' | 'scheduled' | 'on_demand';
  /** Between evaluations of all contacts; of realtime and scheduled ones */
  refresh_interval_seconds?: number;
  /** State of the members of a dynamic cohort; failed keeps those of the last evaluation */
  evaluation_status: 'never' | 'queued' | 'evaluating' | 'ready' | 'failed';
  member_count: number;
  /** The members are those of this time */
  last_evaluated_at?: string;
  /** Duration of the last evaluation in milliseconds */
  last_evaluation_ms?: number;
  last_error?: string;
  is_archived: boolean;
  archived_at?: string;
  inserted_at: string;
  updated_at: string;
};
export type Journey = {
  id: string;
  type: 'journey';
  team_id: string;
  template_id: string;
  /** Version of the content; later edits do not change it */
  template_version: number;
  contact_id: string;
  /** Which enrollment of the contact in the template */
  seq: number;
  /** scheduled: its first steps are not known yet */
  status:
    'scheduled' | 'active' | 'paused' | 'completed' | 'exited' | 'expired' | 'canceled' | 'failed';
  exit_reason?:
    | 'objectives_completed'
    | 'unsubscribed'
    | 'suppressed'
    | 'left_cohort'
    | 'canceled_by_user'
    | 'template_archived'
    | 'deadline'
    | 'contact_archived'
    | 'error';
  enrolled_via: 'api' | 'cohort' | 'batch' | 'ipaas' | 'widget';
  /** The cohort that it came through */
  cohort_id?: string;
  /** Held back for comparison: nothing is sent */
  is_holdout: boolean;
  enrolled_at: string;
  started_at?: string;
  /** Only while paused */
  paused_at?: string;
  completed_at?: string;
  /** When it ended in any other way */
  exited_at?: string;
  /** That of the template */
  deadline_at?: string;
  /** The page that was seen last */
  current_page_id?: string;
  /** Last event made by the person */
  last_engaged_at?: string;
  next_action?: { kind: 'start' | 'message'; message_id?: string; due_at: string };
  objectives: {
    objective_id: string;
    key: string;
    status: 'pending' | 'completed';
    completed_at?: string;
    /** Amount in cents of the team’s currency */
    value_cents?: number;
  }[];
  progress: {
    pages_viewed: number;
    pages_total: number;
    objectives_completed: number;
    objectives_total: number;
  };
  inserted_at: string;
  updated_at: string;
};
export type ListContactsResponse = Paged<
  Contact & {
    relationships?: { accounts?: Account[]; cohorts?: Cohort[]; journeys?: Journey[] };
    /** Relations with more than the 25 resources that are shown; absent if there are none */
    truncated_relationships?: ('accounts' | 'cohorts' | 'journeys')[];
  }
>;
export type ContactCreate = {
  type?: 'contact';
  unique_id?: string | null;
  email?: string | null;
  first_name?: string | null;
  last_name?: string | null;
  preferred_name?: string | null;
  phone?: string | null;
  locale?: string | null;
  timezone?: string | null;
  postal_code?: string | null;
  tags?: string[] | null;
  attributes?: { [key: string]: string | number | boolean | string[] | null } | null;
  consents?: {
    email?: {
      status: 'never' | 'pending' | 'subscribed' | 'unsubscribed';
      /** Where it was given or withdrawn; required with a status */
      source?: string;
      /** When the service recorded it; ignored in bodies */
      updated_at?: string;
      /** Evidence, such as the wording shown or a reference to it */
      evidence?: string;
    };
    sms?: {
      status: 'never' | 'pending' | 'subscribed' | 'unsubscribed';
      /** Where it was given or withdrawn; required with a status */
      source?: string;
      /** When the service recorded it; ignored in bodies */
      updated_at?: string;
      /** Evidence, such as the wording shown or a reference to it */
      evidence?: string;
    };
    push?: {
      status: 'never' | 'pending' | 'subscribed' | 'unsubscribed';
      /** Where it was given or withdrawn; required with a status */
      source?: string;
      /** When the service recorded it; ignored in bodies */
      updated_at?: string;
      /** Evidence, such as the wording shown or a reference to it */
      evidence?: string;
    };
  };
  date_of_birth?: string | null;
};
export type ContactDetails = {
  id: string;
  type: 'contact';
  team_id: string;
  /** The partner’s own key; unique in the team, case-sensitive */
  unique_id?: string;
  email?: string;
  email_status: 'unknown' | 'soft_bouncing' | 'bounced' | 'complained' | 'suppressed';
  first_name?: string;
  last_name?: string;
  preferred_name?: string;
  /** E.164 */
  phone?: string;
  /** BCP 47; the team’s if absent */
  locale?: string;
  /** IANA; the team’s if absent */
  timezone?: string;
  postal_code?: string;
  tags?: string[];
  attributes?: { [key: string]: string | number | boolean | string[] };
  consents: {
    email: {
      status: 'never' | 'pending' | 'subscribed' | 'unsubscribed';
      /** Where it was given or withdrawn; required with a status */
      source?: string;
      /** When the service recorded it; ignored in bodies */
      updated_at?: string;
      /** Evidence, such as the wording shown or a reference to it */
      evidence?: string;
    };
    sms: {
      status: 'never' | 'pending' | 'subscribed' | 'unsubscribed';
      /** Where it was given or withdrawn; required with a status */
      source?: string;
      /** When the service recorded it; ignored in bodies */
      updated_at?: string;
      /** Evidence, such as the wording shown or a reference to it */
      evidence?: string;
    };
    push: {
      status: 'never' | 'pending' | 'subscribed' | 'unsubscribed';
      /** Where it was given or withdrawn; required with a status */
      source?: string;
      /** When the service recorded it; ignored in bodies */
      updated_at?: string;
      /** Evidence, such as the wording shown or a reference to it */
      evidence?: string;
    };
  };
  /** Deleting archives */
  status: 'active' | 'suppressed' | 'archived';
  account_count: number;
  open_journey_count: number;
  /** Last event made by a person */
  last_engaged_at?: string;
  /** The contact that this one was merged into; it is archived */
  merged_into_id?: string;
  inserted_at: string;
  updated_at: string;
  /** Sealed; shown only to tokens with partner:contacts_sensitive:read */
  date_of_birth?: string;
};
export type ContactPatch = {
  type?: 'contact';
  unique_id?: string | null;
  email?: string | null;
  first_name?: string | null;
  last_name?: string | null;
  preferred_name?: string | null;
  phone?: string | null;
  locale?: string | null;
  timezone?: string | null;
  postal_code?: string | null;
  tags?: string[] | null;
  attributes?: { [key: string]: string | number | boolean | string[] | null } | null;
  consents?: {
    email?: {
      status: 'never' | 'pending' | 'subscribed' | 'unsubscribed';
      /** Where it was given or withdrawn; required with a status */
      source?: string;
      /** When the service recorded it; ignored in bodies */
      updated_at?: string;
      /** Evidence, such as the wording shown or a reference to it */
      evidence?: string;
    };
    sms?: {
      status: 'never' | 'pending' | 'subscribed' | 'unsubscribed';
      /** Where it was given or withdrawn; required with a status */
      source?: string;
      /** When the service recorded it; ignored in bodies */
      updated_at?: string;
      /** Evidence, such as the wording shown or a reference to it */
      evidence?: string;
    };
    push?: {
      status: 'never' | 'pending' | 'subscribed' | 'unsubscribed';
      /** Where it was given or withdrawn; required with a status */
      source?: string;
      /** When the service recorded it; ignored in bodies */
      updated_at?: string;
      /** Evidence, such as the wording shown or a reference to it */
      evidence?: string;
    };
  };
  date_of_birth?: string | null;
};
export type MergeContactRequest = {
  /** The contact that goes; it answers 410 from then on */
  source_contact_id: string;
};
export type ContactErasure = {
  id: string;
  type: 'contact_erasure';
  team_id: string;
  /** The contact, of which nothing but ids is left */
  contact_id: string;
  /** completed: no copy is left */
  status: 'pending' | 'sweeping' | 'completed';
  requested_by_client_id?: string;
  completed_at?: string;
  inserted_at: string;
  updated_at: string;
};
export type SetContactConsentRequest = {
  status: 'pending' | 'subscribed' | 'unsubscribed';
  /** Where it was given or withdrawn */
  source: string;
  /** Evidence, such as the wording shown or a reference to it */
  evidence?: string;
};
export type ContactConsentChange = {
  id: string;
  type: 'contact_consent_change';
  team_id: string;
  contact_id: string;
  channel: 'email' | 'sms' | 'push';
  consent: {
    status: 'never' | 'pending' | 'subscribed' | 'unsubscribed';
    /** Where it was given or withdrawn; required with a status */
    source?: string;
    /** When the service recorded it; ignored in bodies */
    updated_at?: string;
    /** Evidence, such as the wording shown or a reference to it */
    evidence?: string;
  };
  previous: {
    status: 'never' | 'pending' | 'subscribed' | 'unsubscribed';
    /** Where it was given or withdrawn; required with a status */
    source?: string;
    /** When the service recorded it; ignored in bodies */
    updated_at?: string;
    /** Evidence, such as the wording shown or a reference to it */
    evidence?: string;
  };
  /** Who recorded it */
  client_id?: string;
  inserted_at: string;
};
export type ListContactConsentChangesResponse = Paged<ContactConsentChange>;
export type ContactTopicConsents = {
  id: string;
  type: 'contact_topic_consents';
  team_id: string;
  contact_id: string;
  /** In the order of the topics, the archived ones as well */
  topics: {
    topic_id: string;
    consents: {
      email: {
        /** In effect: the choice of the contact, else that of the topic */
        status: 'subscribed' | 'unsubscribed';
        /** Whether the contact has made no choice */
        is_default: boolean;
        /** Where it was given or withdrawn */
        source?: string;
        /** Evidence, such as the wording shown or a reference to it */
        evidence?: string;
        /** When the service recorded it */
        updated_at?: string;
      };
      sms: {
        /** In effect: the choice of the contact, else that of the topic */
        status: 'subscribed' | 'unsubscribed';
        /** Whether the contact has made no choice */
        is_default: boolean;
        /** Where it was given or withdrawn */
        source?: string;
        /** Evidence, such as the wording shown or a reference to it */
        evidence?: string;
        /** When the service recorded it */
        updated_at?: string;
      };
      push: {
        /** In effect: the choice of the contact, else that of the topic */
        status: 'subscribed' | 'unsubscribed';
        /** Whether the contact has made no choice */
        is_default: boolean;
        /** Where it was given or withdrawn */
        source?: string;
        /** Evidence, such as the wording shown or a reference to it */
        evidence?: string;
        /** When the service recorded it */
        updated_at?: string;
      };
    };
  }[];
  inserted_at: string;
  updated_at: string;
};
export type SetContactTopicConsentRequest = {
  status: 'subscribed' | 'unsubscribed';
  /** Where it was given or withdrawn */
  source: string;
  /** Evidence, such as the wording shown or a reference to it */
  evidence?: string;
};
export type ContactTopicConsentChange = {
  id: string;
  type: 'contact_topic_consent_change';
  team_id: string;
  contact_id: string;
  topic_id: string;
  channel: 'email' | 'sms' | 'push';
  consent: {
    status: 'subscribed' | 'unsubscribed';
    /** Where it was given or withdrawn */
    source: string;
    /** Evidence, such as the wording shown or a reference to it */
    evidence?: string;
    /** When the service recorded it */
    updated_at: string;
  };
  previous?: {
    status: 'subscribed' | 'unsubscribed';
    /** Where it was given or withdrawn */
    source: string;
    /** Evidence, such as the wording shown or a reference to it */
    evidence?: string;
    /** When the service recorded it */
    updated_at: string;
  };
  /** Who recorded it; absent where the recipient did */
  client_id?: string;
  inserted_at: string;
};
export type ListContactTopicConsentChangesResponse = Paged<ContactTopicConsentChange>;
export type Topic = {
  id: string;
  type: 'topic';
  team_id: string;
  /** Shown to recipients; unique in the team */
  name: string;
  /** Shown to recipients below the name */
  description?: string;
  /** Order in the preference center, the lowest first; last by default */
  position: number;
  /** Fixed. In effect for contacts that have made no choice: `subscribed` for a topic that they opt out of, `unsubscribed` for one that they opt in to */
  default_consent: 'subscribed' | 'unsubscribed';
  /** Name and description in other languages */
  localizations: {
    [key: string]: {
      name?: string;
      /** Shown to recipients below the name */
      description?: string;
    };
  };
  is_archived: boolean;
  archived_at?: string;
  inserted_at: string;
  updated_at: string;
};
export type ListTopicsResponse = Paged<Topic>;
export type TopicCreate = {
  type?: 'topic';
  /** Shown to recipients; unique in the team */
  name: string;
  description?: string | null;
  /** Order in the preference center, the lowest first; last by default */
  position?: number;
  /** Fixed. In effect for contacts that have made no choice: `subscribed` for a topic that they opt out of, `unsubscribed` for one that they opt in to */
  default_consent?: 'subscribed' | 'unsubscribed';
  /** Name and description in other languages */
  localizations?: {
    [key: string]: {
      name?: string;
      /** Shown to recipients below the name */
      description?: string;
    };
  };
};
export type TopicPatch = {
  type?: 'topic';
  /** Shown to recipients; unique in the team */
  name?: string;
  description?: string | null;
  /** Order in the preference center, the lowest first; last by default */
  position?: number;
  /** Fixed. In effect for contacts that have made no choice: `subscribed` for a topic that they opt out of, `unsubscribed` for one that they opt in to */
  default_consent?: 'subscribed' | 'unsubscribed';
  /** Name and description in other languages */
  localizations?: {
    [key: string]: {
      name?: string;
      /** Shown to recipients below the name */
      description?: string;
    };
  };
};
export type Device = {
  id: string;
  type: 'device';
  team_id: string;
  contact_id: string;
  /** SHA-256 of the token, in hex */
  token_hash: string;
  platform: 'ios' | 'android' | 'web';
  app_id?: string;
  /** False once the provider calls the token invalid */
  is_active: boolean;
  /** When it was registered last */
  last_seen_at: string;
  inserted_at: string;
  updated_at: string;
};
export type ListContactDevicesResponse = Paged<Device>;
export type ContactDeviceCreate = {
  type?: 'device';
  platform: 'ios' | 'android' | 'web';
  app_id?: string | null;
  /** As the push provider gave it; never shown */
  token: string;
};
export type Suppression = {
  id: string;
  type: 'suppression';
  team_id: string;
  /** email and sms stop an address, all stops a contact altogether */
  channel: 'email' | 'sms' | 'all';
  /** E-mail address or E.164 number; with channel email or sms */
  address?: string;
  /** With channel all */
  contact_id?: string;
  reason: 'manual' | 'hard_bounce' | 'soft_bounces' | 'complaint' | 'unsubscribe';
  note?: string;
  source: 'api' | 'inbound';
  inserted_at: string;
  updated_at: string;
};
export type ListSuppressionsResponse = Paged<Suppression>;
export type SuppressionCreate = {
  type?: 'suppression';
  /** email and sms stop an address, all stops a contact altogether */
  channel: 'email' | 'sms' | 'all';
  address?: string | null;
  contact_id?: string | null;
  reason?: 'manual' | 'hard_bounce' | 'soft_bounces' | 'complaint' | 'unsubscribe' | null;
  note?: string | null;
};
export type Contact = {
  id: string;
  type: 'contact';
  team_id: string;
  /** The partner’s own key; unique in the team, case-sensitive */
  unique_id?: string;
  email?: string;
  email_status: 'unknown' | 'soft_bouncing' | 'bounced' | 'complained' | 'suppressed';
  first_name?: string;
  last_name?: string;
  preferred_name?: string;
  /** E.164 */
  phone?: string;
  /** BCP 47; the team’s if absent */
  locale?: string;
  /** IANA; the team’s if absent */
  timezone?: string;
  postal_code?: string;
  tags?: string[];
  attributes?: { [key: string]: string | number | boolean | string[] };
  consents: {
    email: {
      status: 'never' | 'pending' | 'subscribed' | 'unsubscribed';
      /** Where it was given or withdrawn; required with a status */
      source?: string;
      /** When the service recorded it; ignored in bodies */
      updated_at?: string;
      /** Evidence, such as the wording shown or a reference to it */
      evidence?: string;
    };
    sms: {
      status: 'never' | 'pending' | 'subscribed' | 'unsubscribed';
      /** Where it was given or withdrawn; required with a status */
      source?: string;
      /** When the service recorded it; ignored in bodies */
      updated_at?: string;
      /** Evidence, such as the wording shown or a reference to it */
      evidence?: string;
    };
    push: {
      status: 'never' | 'pending' | 'subscribed' | 'unsubscribed';
      /** Where it was given or withdrawn; required with a status */
      source?: string;
      /** When the service recorded it; ignored in bodies */
      updated_at?: string;
      /** Evidence, such as the wording shown or a reference to it */
      evidence?: string;
    };
  };
  /** Deleting archives */
  status: 'active' | 'suppressed' | 'archived';
  account_count: number;
  open_journey_count: number;
  /** Last event made by a person */
  last_engaged_at?: string;
  /** The contact that this one was merged into; it is archived */
  merged_into_id?: string;
  inserted_at: string;
  updated_at: string;
};
export type ListAccountsResponse = Paged<
  Account & { relationships?: { contact?: Contact | null } }
>;
export type ListContactAccountsResponse = Paged<
  Account & { relationships?: { contact?: Contact | null } }
>;
export type ContactAccountCreate = {
  type?: 'account';
  unique_id?: string | null;
  name?: string | null;
  kind: 'deposit' | 'loan' | 'credit' | 'investment' | 'other';
  product_id?: string | null;
  opened_at?: string | null;
  closed_at?: string | null;
  balance_cents?: number | null;
  is_primary?: boolean;
  attributes?: { [key: string]: string | number | boolean | string[] | null } | null;
};
export type AccountPatch = {
  type?: 'account';
  unique_id?: string | null;
  name?: string | null;
  kind?: 'deposit' | 'loan' | 'credit' | 'investment' | 'other';
  product_id?: string | null;
  opened_at?: string | null;
  closed_at?: string | null;
  balance_cents?: number | null;
  is_primary?: boolean;
  attributes?: { [key: string]: string | number | boolean | string[] | null } | null;
};
export type CloseAccountRequest = {
  /** Now if absent */
  closed_at?: string;
};
export type ListCohortsResponse = Paged<Cohort>;
export type CohortCreate = {
  type?: 'cohort';
  /** Unique in the team, compared without case */
  name: string;
  description?: string | null;
  /** dynamic: by a definition; static: by a list. Fixed */
  kind: 'dynamic' | 'static';
  definition?: CohortDefinition | null;
  /** realtime unless given: follows every change, and the clock by the interval. Static ones are on_demand */
  evaluation_mode?: 'realtime' | 'scheduled' | 'on_demand';
  refresh_interval_seconds?: number | null;
};
export type CohortPatch = {
  type?: 'cohort';
  /** Unique in the team, compared without case */
  name?: string;
  description?: string | null;
  /** dynamic: by a definition; static: by a list. Fixed */
  kind?: 'dynamic' | 'static';
  definition?: CohortDefinition | null;
  /** realtime unless given: follows every change, and the clock by the interval. Static ones are on_demand */
  evaluation_mode?: 'realtime' | 'scheduled' | 'on_demand';
  refresh_interval_seconds?: number | null;
};
export type PreviewCohortRequest = { definition: CohortDefinition };
export type CohortPreview = {
  /** Contacts of the team that the definition means at this moment */
  count: number;
  /** Up to 25 of them */
  sample_contact_ids: string[];
};
export type CohortAsked = {
  id: string;
  type: 'cohort';
  team_id: string;
  /** Unique in the team, compared without case */
  name: string;
  description?: string;
  /** dynamic: by a definition; static: by a list. Fixed */
  kind: 'dynamic' | 'static';
  definition?: CohortDefinition;
  /** Rises with each change */
  definition_version: number;
  /** realtime unless given: follows every change, and the clock by the interval. Static ones are on_demand */
  evaluation_mode: 'realtime' | 'scheduled' | 'on_demand';
  /** Between evaluations of all contacts; of realtime and scheduled ones */
  refresh_interval_seconds?: number;
  /** State of the members of a dynamic cohort; failed keeps those of the last evaluation */
  evaluation_status: 'never' | 'queued' | 'evaluating' | 'ready' | 'failed';
  member_count: number;
  /** The members are those of this time */
  last_evaluated_at?: string;
  /** Duration of the last evaluation in milliseconds */
  last_evaluation_ms?: number;
  last_error?: string;
  is_archived: boolean;
  archived_at?: string;
  inserted_at: string;
  updated_at: string;
  /** Ends when the members are found */
  execution_id: string;
};
export type OperationExecution = {
  id: string;
  type: 'operation_execution';
  team_id: string;
  operation_kind: string;
  /** succeeded_with_errors: some items failed; failed: all did, or the execution as a whole */
  status:
    | 'queued'
    | 'running'
    | 'succeeded'
    | 'succeeded_with_errors'
    | 'failed'
    | 'canceling'
    | 'canceled';
  execution_mode: 'sync' | 'async';
  idempotency_key?: string;
  /** Nothing was applied: the results show what a real run would do */
  dry_run: boolean;
  /** The execution whose failed items this one retries */
  retry_of_id?: string;
  /** Items that were sent */
  input_count?: number;
  summary: {
    total?: number;
    /** Items that were created, updated or unchanged */
    succeeded: number;
    failed: number;
    skipped: number;
  };
  progress: {
    /** Items with a result */
    processed: number;
    total?: number;
  };
  /** Why it failed as a whole; shown to callers with the scopes of the operation */
  error?: { code: string; detail: string; meta?: { [key: string]: unknown } };
  requested_by_client_id?: string;
  started_at?: string;
  completed_at?: string;
  /** Time after which the results of the items are deleted */
  expires_at?: string;
  inserted_at: string;
  updated_at: string;
};
export type ListCohortMembersResponse = Paged<
  CohortMember & { relationships?: { contact?: Contact | null } }
>;
export type ListContactCohortsResponse = Paged<Cohort>;
export type AddCohortMembersRequest = { contact_ids: string[] };
export type CohortMembersChanged = {
  cohort_id: string;
  /** Members that were added or removed; the others were so before */
  changed: number;
  member_count: number;
};
export type RemoveCohortMembersRequest = { contact_ids: string[] };
export type CohortExplanation = {
  cohort_id: string;
  contact_id: string;
  /** Since the last evaluation */
  is_member: boolean;
  /** By the definition, at this moment */
  belongs: boolean;
  leaves: {
    /** Where the rule stands in the definition */
    pointer: string;
    holds: boolean;
  }[];
};
export type Objective = {
  id: string;
  type: 'objective';
  team_id: string;
  name: string;
  /** Unique in the team, and fixed: kebab-case */
  key: string;
  description?: string;
  category:
    | 'cards'
    | 'deposits'
    | 'digital_banking'
    | 'payments'
    | 'lending'
    | 'communication'
    | 'business'
    | 'other';
  /** Value credited for each completion, in cents of the team’s currency */
  value_cents: number;
  attribution_window_days: number;
  attribution_model: 'any_touch' | 'last_touch';
  /** Whether a contact can complete it more than once */
  is_repeatable: boolean;
  /** Completed by itself when an account of this kind opens within the window */
  product_kind?: 'deposit' | 'loan' | 'credit' | 'investment' | 'other';
  /** One of those that every team has from the start */
  is_standard: boolean;
  /** Whether it can be completed */
  is_active: boolean;
  completion_count: number;
  archived_at?: string;
  inserted_at: string;
  updated_at: string;
};
export type Page = {
  id: string;
  type: 'page';
  team_id: string;
  template_id: string;
  name: string;
  /** May hold Liquid */
  title?: string;
  /** Unique in the template */
  path?: string;
  kind: 'welcome' | 'step' | 'form' | 'checklist' | 'widget' | 'completion';
  /** Order within the template, from 0 */
  position: number;
  /** The objective that completing the page counts for */
  objective_id?: string;
  /** In the order in which they are shown */
  content_block_ids: string[];
  completion_rule: 'viewed' | 'cta_clicked' | 'form_submitted' | 'objective_completed';
  /** Whether it is shown only to recipients who have proved who they are */
  requires_identity_challenge: boolean;
  widget_instance_id?: string;
  /** Rises with every change of its content */
  version: number;
  inserted_at: string;
  updated_at: string;
};
export type ContentWarning = {
  /** JSON Pointer to the HTML, such as /body_html */
  pointer: string;
  /** The kind of the part that was removed */
  kind: 'element' | 'attribute' | 'style' | 'rule' | 'address' | 'comment';
  /** The part, such as video, div[id], position, #top a or [if mso]; cut to 80 characters */
  name: string;
  /** Number of times that the HTML has it */
  count: number;
  /** A sentence for people */
  detail: string;
};
export type Message = {
  id: string;
  type: 'message';
  team_id: string;
  template_id: string;
  name: string;
  /** Fixed; fields of other channels stay empty */
  channel: 'email' | 'sms' | 'push';
  /** Active once its template is launched */
  status: 'draft' | 'active' | 'archived';
  /** Marketing is sent with consent only */
  purpose: 'marketing' | 'transactional' | 'servicing';
  /** Marketing only: a topic of the team, by whose consents the message is sent as well */
  topic_id?: string;
  /** Order within the template, from 0 */
  position: number;
  trigger: {
    /** Journeys never send on_request; it is sent by the operation sendMessage only */
    kind:
      | 'on_enroll'
      | 'delay'
      | 'date'
      | 'on_event'
      | 'on_objective_incomplete'
      | 'on_page'
      | 'on_request';
    /** ISO 8601 duration of weeks, or days, hours and minutes */
    delay?: string;
    /** For kind date; at most 3653 days ahead */
    date?: string;
    /** In the contact’s zone */
    at_local_time?: string;
    /** Monday is 1, Tuesday 2, Sunday 64 */
    weekday_mask?: number;
    /** For kind on_event */
    event_kind?: string;
    /** For kind on_page: a page of the template */
    page_id?: string;
    /** For kind on_objective_incomplete */
    objective_id?: string;
  };
  /** Rule on the recipient as in a cohort’s definition, asked when it is sent; 16 KB at most */
  condition?: { [key: string]: unknown };
  /** True by default, but for on_request unless it is marketing */
  respect_quiet_hours: boolean;
  frequency_cap_exempt: boolean;
  subject?: string;
  preheader?: string;
  from_name?: string;
  /** Sanitized when it is written; followed by the blocks */
  body_html?: string;
  body_text?: string;
  /** Text of an SMS, or of a push (at most 1,000) */
  body?: string;
  title?: string;
  image_url?: string;
  deep_link?: string;
  /** Address of a verified sending domain of the team */
  from_email?: string;
  reply_to?: string;
  /** Whether an e-mail carries one-click unsubscribe (RFC 8058) */
  list_unsubscribe: boolean;
  /** Number or name of an SMS provider of the team, from which a text message comes */
  sender?: string;
  /** Number of parts of the text message before values are inserted */
  sms_segments?: number;
  /** For the app; at most 4 KB */
  data?: { [key: string]: unknown };
  /** JSON Schema of the data that texts show as {{ data.<name> }}: that of a send for the trigger on_request, else that of the enrollment, whose type is "object". At most 8 KB of JSON, 5 levels and 50 properties of an object. Keywords: type, title, description, properties, required, additionalProperties (true or false), items, enum, minimum, maximum, exclusiveMinimum, exclusiveMaximum, minLength, maxLength, minItems, maxItems */
  data_schema?: { [key: string]: unknown };
  /** Blocks of an e-mail, behind its body */
  content_block_ids: string[];
  localizations: {
    [key: string]: {
      subject?: string;
      preheader?: string;
      from_name?: string;
      /** Sanitized when it is written; followed by the blocks */
      body_html?: string;
      body_text?: string;
      /** Text of an SMS, or of a push (at most 1,000) */
      body?: string;
      title?: string;
      image_url?: string;
      deep_link?: string;
    };
  };
  /** Each recipient keeps the one that the weights give them. Overrides replace the texts of the message itself: a recipient who gets a localization gets it unchanged */
  variants: {
    key: string;
    weight: number;
    overrides: {
      subject?: string;
      preheader?: string;
      from_name?: string;
      /** Sanitized when it is written; followed by the blocks */
      body_html?: string;
      body_text?: string;
      /** Text of an SMS, or of a push (at most 1,000) */
      body?: string;
      title?: string;
      image_url?: string;
      deep_link?: string;
    };
  }[];
  /** Rises with every change of its content */
  version: number;
  /** Parts that were removed from the HTML of this request; absent where none was, and in all other responses */
  warnings?: ContentWarning[];
  inserted_at: string;
  updated_at: string;
};
export type ListTemplatesResponse = Paged<
  Template & {
    relationships?: { objectives?: Objective[]; pages?: Page[]; messages?: Message[] };
    /** Relations with more than the 25 resources that are shown; absent if there are none */
    truncated_relationships?: ('objectives' | 'pages' | 'messages')[];
  }
>;
export type TemplateCreate = {
  type?: 'template';
  name: string;
  use_case?: string | null;
  description?: string | null;
  scheduled_at?: string | null;
  deadline_at?: string | null;
  holdout_percent?: number | null;
  send_rate_per_minute?: number | null;
  /** Whether a journey ends when its objectives are completed */
  exit_on_objectives?: boolean;
  /** Whether a journey ends when its contact leaves the cohort that brought it */
  exit_on_leaving_cohort?: boolean;
  /** Route by which recipients enter */
  entry?: 'manual' | 'on_launch_snapshot' | 'on_cohort_entry';
  /** Whether they may come in again */
  reentry?: 'never' | 'after_exit' | 'after_interval';
  reentry_interval?: string | null;
  /** Needed unless entry is manual */
  target_cohort_ids?: string[];
  exclusion_cohort_ids?: string[];
  secure_personalization?: {
    enabled?: boolean;
    factors?: ('postal_code' | 'date_of_birth' | 'unique_id_last4' | 'otp_sms' | 'otp_email')[];
    /** Wrong answers from one network until it is locked */
    max_attempts?: number;
    /** Length of the first lock; each further one lasts twice as long, up to a day */
    lockout_minutes?: number;
  };
  objective_ids?: string[];
  /** In their order; a PATCH can only reorder them */
  page_ids?: string[];
  /** In their order; a PATCH can only reorder them */
  message_ids?: string[];
};
export type Template = {
  id: string;
  type: 'template';
  team_id: string;
  name: string;
  use_case?: string;
  description?: string;
  status: 'draft' | 'scheduled' | 'launched' | 'paused' | 'archived' | 'expired';
  is_archived: boolean;
  /** While true only name, description, deadline_at and send_rate_per_minute change */
  is_locked: boolean;
  /** When it launches by itself, within a year; only while scheduled */
  scheduled_at?: string;
  /** First launch */
  launched_at?: string;
  /** Only while paused */
  paused_at?: string;
  expired_at?: string;
  /** Only while archived */
  archived_at?: string;
  locked_at?: string;
  /** The client that locked it */
  locked_by?: string;
  /** When it expires by itself, once scheduled or launched */
  deadline_at?: string;
  /** Number of the newest version; 0 before the first launch */
  template_version: number;
  /** Share of recipients held back for comparison; fixed by the launch */
  holdout_percent?: number;
  send_rate_per_minute?: number;
  /** Whether a journey ends when its objectives are completed */
  exit_on_objectives: boolean;
  /** Whether a journey ends when its contact leaves the cohort that brought it */
  exit_on_leaving_cohort: boolean;
  /** Route by which recipients enter */
  entry: 'manual' | 'on_launch_snapshot' | 'on_cohort_entry';
  /** Whether they may come in again */
  reentry: 'never' | 'after_exit' | 'after_interval';
  /** ISO 8601 duration of days or weeks, with reentry after_interval */
  reentry_interval?: string;
  /** Needed unless entry is manual */
  target_cohort_ids: string[];
  exclusion_cohort_ids: string[];
  secure_personalization: {
    enabled: boolean;
    factors: ('postal_code' | 'date_of_birth' | 'unique_id_last4' | 'otp_sms' | 'otp_email')[];
    max_attempts: number;
    lockout_minutes: number;
  };
  /** Recipients so far */
  enrolled_count: number;
  /** Recipients who are under way */
  active_journey_count: number;
  objective_ids: string[];
  /** In their order; a PATCH can only reorder them */
  page_ids: string[];
  /** In their order; a PATCH can only reorder them */
  message_ids: string[];
  inserted_at: string;
  updated_at: string;
};
export type TemplatePatch = {
  type?: 'template';
  name?: string;
  use_case?: string | null;
  description?: string | null;
  scheduled_at?: string | null;
  deadline_at?: string | null;
  holdout_percent?: number | null;
  send_rate_per_minute?: number | null;
  /** Whether a journey ends when its objectives are completed */
  exit_on_objectives?: boolean;
  /** Whether a journey ends when its contact leaves the cohort that brought it */
  exit_on_leaving_cohort?: boolean;
  /** Route by which recipients enter */
  entry?: 'manual' | 'on_launch_snapshot' | 'on_cohort_entry';
  /** Whether they may come in again */
  reentry?: 'never' | 'after_exit' | 'after_interval';
  reentry_interval?: string | null;
  /** Needed unless entry is manual */
  target_cohort_ids?: string[];
  exclusion_cohort_ids?: string[];
  secure_personalization?: {
    enabled?: boolean;
    factors?: ('postal_code' | 'date_of_birth' | 'unique_id_last4' | 'otp_sms' | 'otp_email')[];
    /** Wrong answers from one network until it is locked */
    max_attempts?: number;
    /** Length of the first lock; each further one lasts twice as long, up to a day */
    lockout_minutes?: number;
  };
  objective_ids?: string[];
  /** In their order; a PATCH can only reorder them */
  page_ids?: string[];
  /** In their order; a PATCH can only reorder them */
  message_ids?: string[];
};
export type TemplateStatusRollup = {
  team_id: string;
  by_status: {
    draft: number;
    scheduled: number;
    launched: number;
    paused: number;
    archived: number;
    expired: number;
  };
  total: number;
  computed_at: string;
};
export type TemplateCompleteness = { complete: boolean; missing: string[] };
export type ScheduleTemplateRequest = { scheduled_at: string };
export type DuplicateTemplateRequest = { name?: string };
export type TemplateVersionSummary = {
  id: string;
  type: 'template_version';
  team_id: string;
  template_id: string;
  version: number;
  name: string;
  inserted_at: string;
};
export type ListTemplateVersionsResponse = Paged<TemplateVersionSummary>;
export type TemplateVersion = {
  id: string;
  type: 'template_version';
  team_id: string;
  template_id: string;
  version: number;
  name: string;
  inserted_at: string;
  use_case?: string;
  /** Share of recipients held back for comparison; fixed by the launch */
  holdout_percent?: number;
  /** Whether a journey ends when its objectives are completed */
  exit_on_objectives: boolean;
  /** Whether a journey ends when its contact leaves the cohort that brought it */
  exit_on_leaving_cohort: boolean;
  /** Route by which recipients enter */
  entry: 'manual' | 'on_launch_snapshot' | 'on_cohort_entry';
  /** Whether they may come in again */
  reentry: 'never' | 'after_exit' | 'after_interval';
  /** ISO 8601 duration of days or weeks, with reentry after_interval */
  reentry_interval?: string;
  target_cohort_ids: string[];
  exclusion_cohort_ids: string[];
  secure_personalization: {
    enabled: boolean;
    factors: ('postal_code' | 'date_of_birth' | 'unique_id_last4' | 'otp_sms' | 'otp_email')[];
    max_attempts: number;
    lockout_minutes: number;
  };
  objective_ids: string[];
  /** Needs partner:pages:read */
  pages?: Page[];
  /** Needs partner:messages:read */
  messages?: Message[];
  /** Those that pages and messages show; needs partner:content_blocks:read */
  content_blocks?: {
    id: string;
    /** Unique in the team */
    key: string;
    kind:
      | 'rich_text'
      | 'image'
      | 'video'
      | 'button'
      | 'disclosure'
      | 'form'
      | 'objective_checklist'
      | 'product_card'
      | 'html';
    name: string;
    /** By kind. rich_text, html: {html}; disclosure: {html, title?}; image: {url, alt?, link_url?}; video: {url, title, poster_url?}; button: {label, url}; product_card: {title, description?, image_url?, button?}; objective_checklist: {items: [{objective_key, label}], title?}; form: {fields: [{name, label, kind, is_required?, options?, consent?}], submit_label, title?, success_message?}, where consent names the channel (email, sms) that a ticked checkbox agrees to. HTML is sanitized when it is written; text and HTML may hold Liquid. */
    body: { [key: string]: unknown };
    /** Fields of the body in other languages */
    localizations: { [key: string]: { [key: string]: unknown } };
    /** Liquid variables that it uses; checked when something that uses it is published */
    variables: string[];
    /** Rises with every change of its content */
    version: number;
  }[];
  /** The sections that the token may not read */
  omitted_sections: { section: 'pages' | 'messages' | 'content_blocks'; required_scope: string }[];
};
export type TemplateStatusChange = {
  id: string;
  type: 'template_status_change';
  team_id: string;
  template_id: string;
  /** Rises with every change of the template */
  sequence: number;
  /** Absent where it was created */
  from_status?: 'draft' | 'scheduled' | 'launched' | 'paused' | 'archived' | 'expired';
  to_status: 'draft' | 'scheduled' | 'launched' | 'paused' | 'archived' | 'expired';
  action: string;
  /** A client, the clock, or an operator of the service */
  cause: 'api' | 'timer' | 'operator';
  /** The client that requested it */
  client_id?: string;
  occurred_at: string;
};
export type ListTemplateStatusHistoryResponse = Paged<TemplateStatusChange>;
export type EnrollInTemplateRequest = {
  /** One of the four fields */
  contact_id?: string;
  /** The partner’s own key of the contact. One of the four fields */
  contact_unique_id?: string;
  /** The same as contact_unique_id */
  unique_id?: string;
  /** All members of a cohort, by an execution, without data */
  cohort_id?: string;
  /** At most 8 KB of JSON, by the data_schema of every message of the journey that has one; texts show it as {{ data.<name> }}. Not checked if absent. Stored encrypted, and deleted when the journey ends */
  data?: { [key: string]: unknown };
};
export type JourneyDetails = {
  id: string;
  type: 'journey';
  team_id: string;
  template_id: string;
  /** Version of the content; later edits do not change it */
  template_version: number;
  contact_id: string;
  /** Which enrollment of the contact in the template */
  seq: number;
  /** scheduled: its first steps are not known yet */
  status:
    'scheduled' | 'active' | 'paused' | 'completed' | 'exited' | 'expired' | 'canceled' | 'failed';
  exit_reason?:
    | 'objectives_completed'
    | 'unsubscribed'
    | 'suppressed'
    | 'left_cohort'
    | 'canceled_by_user'
    | 'template_archived'
    | 'deadline'
    | 'contact_archived'
    | 'error';
  enrolled_via: 'api' | 'cohort' | 'batch' | 'ipaas' | 'widget';
  /** The cohort that it came through */
  cohort_id?: string;
  /** Held back for comparison: nothing is sent */
  is_holdout: boolean;
  enrolled_at: string;
  started_at?: string;
  /** Only while paused */
  paused_at?: string;
  completed_at?: string;
  /** When it ended in any other way */
  exited_at?: string;
  /** That of the template */
  deadline_at?: string;
  /** The page that was seen last */
  current_page_id?: string;
  /** Last event made by the person */
  last_engaged_at?: string;
  next_action?: { kind: 'start' | 'message'; message_id?: string; due_at: string };
  objectives: {
    objective_id: string;
    key: string;
    status: 'pending' | 'completed';
    completed_at?: string;
    /** Amount in cents of the team’s currency */
    value_cents?: number;
  }[];
  progress: {
    pages_viewed: number;
    pages_total: number;
    objectives_completed: number;
    objectives_total: number;
  };
  inserted_at: string;
  updated_at: string;
  /** The recipient’s page; anyone with the link can see the journey */
  link_url?: string;
};
export type EnrollmentExplanation = {
  template_id: string;
  contact_id: string;
  /** Whether an enrollment would be accepted now */
  may_enroll: boolean;
  /** The first rule that refuses */
  rule?:
    | 'template_not_launched'
    | 'contact_archived'
    | 'already_enrolled'
    | 'reentry_never'
    | 'reentry_interval'
    | 'excluded';
  detail: string;
  /** Whether an enrollment would be, or is, held back */
  is_holdout: boolean;
  /** Every rule of entry, in their order */
  rules: {
    rule:
      | 'template_not_launched'
      | 'contact_archived'
      | 'already_enrolled'
      | 'reentry_never'
      | 'reentry_interval'
      | 'excluded';
    refuses: boolean;
    detail: string;
  }[];
  /** The latest journey of the contact in the template */
  journey_id?: string;
  journey_status?:
    'scheduled' | 'active' | 'paused' | 'completed' | 'exited' | 'expired' | 'canceled' | 'failed';
  exit_reason?:
    | 'objectives_completed'
    | 'unsubscribed'
    | 'suppressed'
    | 'left_cohort'
    | 'canceled_by_user'
    | 'template_archived'
    | 'deadline'
    | 'contact_archived'
    | 'error';
  /** The messages that the latest journey sends */
  messages: {
    message_id: string;
    /** Needs partner:messages:read */
    name?: string;
    /** decided: sent or skipped; not_due: it has not been requested yet */
    state: 'waiting' | 'decided' | 'not_due';
    due_at?: string;
    delivery_id?: string;
    delivery_status?: string;
    skip_reason?: string;
  }[];
};
export type MessageDelivery = {
  id: string;
  type: 'message_delivery';
  team_id: string;
  message_id: string;
  template_id: string;
  journey_id?: string;
  contact_id: string;
  /** The topic of the message when the delivery was decided */
  topic_id?: string;
  channel: 'email' | 'sms' | 'push';
  /** Never goes back; opens and clicks do not change it */
  status:
    | 'scheduled'
    | 'queued'
    | 'sent'
    | 'delayed'
    | 'delivered'
    | 'bounced'
    | 'failed'
    | 'suppressed'
    | 'skipped'
    | 'canceled';
  provider?:
    | 'email_a'
    | 'email_b'
    | 'email_c'
    | 'sms_a'
    | 'sms_b'
    | 'push_a'
    | 'push_b'
    | 'generic_hmac'
    | 'smtp'
    | 'mailbox';
  provider_message_id?: string;
  /** The address, most of it hidden */
  to_masked?: string;
  variant_key?: string;
  skip_reason?:
    | 'no_consent'
    | 'topic_unsubscribed'
    | 'suppressed'
    | 'missing_address'
    | 'quiet_hours_expired'
    | 'frequency_cap'
    | 'holdout'
    | 'condition_false'
    | 'objective_completed'
    | 'template_paused_stale'
    | 'deadline_passed'
    | 'sender_not_verified';
  bounce?: { class?: string; code?: string; diagnostic?: string };
  scheduled_at?: string;
  sent_at?: string;
  delivered_at?: string;
  /** By a person */
  first_opened_at?: string;
  first_clicked_at?: string;
  failed_at?: string;
  unsubscribed_at?: string;
  complained_at?: string;
  /** By a person */
  open_count: number;
  click_count: number;
  /** By programs that fetch mail ahead */
  machine_open_count: number;
  inserted_at: string;
  updated_at: string;
};
export type ListJourneysResponse = Paged<
  Journey & {
    relationships?: {
      contact?: Contact | null;
      template?: Template | null;
      message_deliveries?: MessageDelivery[];
    };
    /** Relations with more than the 25 resources that are shown; absent if there are none */
    truncated_relationships?: 'message_deliveries'[];
  }
>;
export type ListTemplateJourneysResponse = Paged<
  Journey & {
    relationships?: {
      contact?: Contact | null;
      template?: Template | null;
      message_deliveries?: MessageDelivery[];
    };
    /** Relations with more than the 25 resources that are shown; absent if there are none */
    truncated_relationships?: 'message_deliveries'[];
  }
>;
export type ListContactJourneysResponse = Paged<
  Journey & {
    relationships?: {
      contact?: Contact | null;
      template?: Template | null;
      message_deliveries?: MessageDelivery[];
    };
    /** Relations with more than the 25 resources that are shown; absent if there are none */
    truncated_relationships?: 'message_deliveries'[];
  }
>;
export type EngagementEvent = {
  id: string;
  type: 'engagement_event';
  team_id: string;
  kind:
    | 'message.queued'
    | 'message.sent'
    | 'message.delivered'
    | 'message.delayed'
    | 'message.opened'
    | 'message.clicked'
    | 'message.bounced'
    | 'message.failed'
    | 'message.complained'
    | 'message.unsubscribed'
    | 'device.invalidated'
    | 'contact.replied'
    | 'page.viewed'
    | 'page.cta_clicked'
    | 'page.form_submitted'
    | 'page.continued'
    | 'landing_page.viewed'
    | 'landing_page.cta_clicked'
    | 'widget.loaded'
    | 'widget.started'
    | 'widget.submitted'
    | 'widget.completed'
    | 'widget.failed'
    | 'widget.dismissed'
    | 'opt_in.granted'
    | 'opt_in.revoked'
    | 'identity.challenge_presented'
    | 'identity.challenge_passed'
    | 'identity.challenge_failed'
    | 'identity.challenge_locked'
    | 'custom'
    | 'journey.enrolled'
    | 'journey.started'
    | 'journey.completed'
    | 'journey.exited'
    | 'journey.expired'
    | 'objective.completed'
    | 'objective.voided'
    | 'account.opened'
    | 'account.closed'
    | string;
  channel?: 'email' | 'sms' | 'push' | 'web' | 'widget' | 'system';
  contact_id?: string;
  journey_id?: string;
  /** That of the message, page or journey, where one is named */
  template_id?: string;
  message_id?: string;
  message_delivery_id?: string;
  page_id?: string;
  landing_page_id?: string;
  widget_instance_id?: string;
  objective_id?: string;
  account_id?: string;
  receiver_id?: string;
  inbound_delivery_id?: string;
  /** At most 25 months ago */
  occurred_at: string;
  received_at: string;
  source: 'inbound' | 'widget' | 'landing_page' | 'api' | 'batch' | 'system';
  /** Made by a scanner or proxy, not by a person */
  is_machine: boolean;
  url?: string;
  user_agent?: string;
  /** The network only: /24 or /48 */
  ip_truncated?: string;
  /** At most 8 KB of JSON */
  properties?: { [key: string]: unknown };
  /** Amount in cents of the team’s currency */
  value_cents?: number;
  /** Repeats of it within team and kind are dropped */
  unique_id?: string;
};
export type GetJourneyTimelineResponse = Paged<EngagementEvent>;
export type JourneyLink = {
  journey_id: string;
  /** Ends every earlier link of the journey */
  link_url: string;
};
export type JourneyWatch = {
  journey_id: string;
  /** The watch ends then, or with the journey */
  watched_until: string;
};
export type ContentBlock = {
  id: string;
  type: 'content_block';
  team_id: string;
  name: string;
  /** Unique in the team */
  key: string;
  kind:
    | 'rich_text'
    | 'image'
    | 'video'
    | 'button'
    | 'disclosure'
    | 'form'
    | 'objective_checklist'
    | 'product_card'
    | 'html';
  /** By kind. rich_text, html: {html}; disclosure: {html, title?}; image: {url, alt?, link_url?}; video: {url, title, poster_url?}; button: {label, url}; product_card: {title, description?, image_url?, button?}; objective_checklist: {items: [{objective_key, label}], title?}; form: {fields: [{name, label, kind, is_required?, options?, consent?}], submit_label, title?, success_message?}, where consent names the channel (email, sms) that a ticked checkbox agrees to. HTML is sanitized when it is written; text and HTML may hold Liquid. */
  body: { [key: string]: unknown };
  /** Fields of the body in other languages */
  localizations: { [key: string]: { [key: string]: unknown } };
  /** Liquid variables that it uses; checked when something that uses it is published */
  variables: string[];
  /** Rises with every change of its content */
  version: number;
  /** Number of references to it */
  used_by: { pages: number; messages: number; landing_pages: number };
  is_archived: boolean;
  archived_at?: string;
  /** Parts that were removed from the HTML of this request; absent where none was, and in all other responses */
  warnings?: ContentWarning[];
  inserted_at: string;
  updated_at: string;
};
export type ListContentBlocksResponse = Paged<ContentBlock>;
export type ContentBlockCreate = {
  type?: 'content_block';
  name: string;
  /** Unique in the team */
  key: string;
  kind:
    | 'rich_text'
    | 'image'
    | 'video'
    | 'button'
    | 'disclosure'
    | 'form'
    | 'objective_checklist'
    | 'product_card'
    | 'html';
  /** By kind. rich_text, html: {html}; disclosure: {html, title?}; image: {url, alt?, link_url?}; video: {url, title, poster_url?}; button: {label, url}; product_card: {title, description?, image_url?, button?}; objective_checklist: {items: [{objective_key, label}], title?}; form: {fields: [{name, label, kind, is_required?, options?, consent?}], submit_label, title?, success_message?}, where consent names the channel (email, sms) that a ticked checkbox agrees to. HTML is sanitized when it is written; text and HTML may hold Liquid. */
  body: { [key: string]: unknown };
  /** Fields of the body in other languages */
  localizations?: { [key: string]: { [key: string]: unknown } };
};
export type ContentBlockPatch = {
  type?: 'content_block';
  name?: string;
  /** Unique in the team */
  key?: string;
  kind?:
    | 'rich_text'
    | 'image'
    | 'video'
    | 'button'
    | 'disclosure'
    | 'form'
    | 'objective_checklist'
    | 'product_card'
    | 'html';
  /** By kind. rich_text, html: {html}; disclosure: {html, title?}; image: {url, alt?, link_url?}; video: {url, title, poster_url?}; button: {label, url}; product_card: {title, description?, image_url?, button?}; objective_checklist: {items: [{objective_key, label}], title?}; form: {fields: [{name, label, kind, is_required?, options?, consent?}], submit_label, title?, success_message?}, where consent names the channel (email, sms) that a ticked checkbox agrees to. HTML is sanitized when it is written; text and HTML may hold Liquid. */
  body?: { [key: string]: unknown };
  /** Fields of the body in other languages */
  localizations?: { [key: string]: { [key: string]: unknown } };
};
export type ContentBlockUsage = {
  pages: { id: string; name: string; status?: string; template_id: string }[];
  messages: { id: string; name: string; status?: string; template_id: string }[];
  landing_pages: { id: string; name: string; status?: string }[];
};
export type DuplicateContentBlockRequest = {
  /** Unique in the team */
  key: string;
  name?: string;
};
export type RenderContentBlockRequest = {
  /** Whose data to use; needs partner:contacts:read. Without one, a sample person’s */
  contact_id?: string;
  /** Values to use instead, such as {"contact": {"first_name": "Ada"}} */
  data?: { [key: string]: unknown };
  /** The contact’s if absent, or else the team’s */
  locale?: string;
};
export type RenderedContent = {
  html: string;
  variables: string[];
  /** They prevent publication */
  unknown_variables: string[];
  /** Parts that were removed from the HTML of this request; absent where none was, and in all other responses */
  warnings?: ContentWarning[];
};
export type PreviewContentBlockRequest = {
  /** Whose data to use; needs partner:contacts:read. Without one, a sample person’s */
  contact_id?: string;
  /** Values to use instead, such as {"contact": {"first_name": "Ada"}} */
  data?: { [key: string]: unknown };
  /** The contact’s if absent, or else the team’s */
  locale?: string;
  kind:
    | 'rich_text'
    | 'image'
    | 'video'
    | 'button'
    | 'disclosure'
    | 'form'
    | 'objective_checklist'
    | 'product_card'
    | 'html';
  /** By kind. rich_text, html: {html}; disclosure: {html, title?}; image: {url, alt?, link_url?}; video: {url, title, poster_url?}; button: {label, url}; product_card: {title, description?, image_url?, button?}; objective_checklist: {items: [{objective_key, label}], title?}; form: {fields: [{name, label, kind, is_required?, options?, consent?}], submit_label, title?, success_message?}, where consent names the channel (email, sms) that a ticked checkbox agrees to. HTML is sanitized when it is written; text and HTML may hold Liquid. */
  body: { [key: string]: unknown };
  /** Fields of the body in other languages */
  localizations?: { [key: string]: { [key: string]: unknown } };
};
export type ListLandingPagesResponse = Paged<
  LandingPage & {
    relationships?: { content_blocks?: ContentBlock[] };
    /** Relations with more than the 25 resources that are shown; absent if there are none */
    truncated_relationships?: 'content_blocks'[];
  }
>;
export type LandingPageCreate = {
  type?: 'landing_page';
  name: string;
  /** Part of the url immediately; unique among the pages that are not archived */
  slug: string;
  title?: string | null;
  description?: string | null;
  locale?: string | null;
  /** Look of the page: primary_color, on_primary_color, link_color, text_color, background_color, focus_color, font_family and radius, as values of CSS */
  theme?: { [key: string]: string };
  seo?: { title?: string; description?: string; image_url?: string; noindex?: boolean };
  /** In the order in which they are shown */
  content_block_ids?: string[];
};
export type LandingPage = {
  id: string;
  type: 'landing_page';
  team_id: string;
  name: string;
  /** Part of the url immediately; unique among the pages that are not archived */
  slug: string;
  status: 'draft' | 'published' | 'archived';
  /** Title that visitors see; the name of the page if absent */
  title?: string;
  description?: string;
  /** BCP 47 */
  locale?: string;
  /** Look of the page: primary_color, on_primary_color, link_color, text_color, background_color, focus_color, font_family and radius, as values of CSS */
  theme: { [key: string]: string };
  seo: {
    title?: string;
    description?: string;
    image_url?: string;
    /** Whether search engines leave it out; the default */
    noindex: boolean;
  };
  /** In the order in which they are shown */
  content_block_ids: string[];
  /** Where visitors find what is published */
  url: string;
  /** Number of the newest snapshot; 0 before the first */
  version: number;
  /** Whether the page or a block of it has changed since the newest snapshot */
  has_unpublished_changes: boolean;
  /** Latest publication */
  published_at?: string;
  /** Only while archived */
  archived_at?: string;
  inserted_at: string;
  updated_at: string;
};
export type LandingPagePatch = {
  type?: 'landing_page';
  name?: string;
  /** Part of the url immediately; unique among the pages that are not archived */
  slug?: string;
  title?: string | null;
  description?: string | null;
  locale?: string | null;
  /** Look of the page: primary_color, on_primary_color, link_color, text_color, background_color, focus_color, font_family and radius, as values of CSS */
  theme?: { [key: string]: string };
  seo?: { title?: string; description?: string; image_url?: string; noindex?: boolean };
  /** In the order in which they are shown */
  content_block_ids?: string[];
};
export type DuplicateLandingPageRequest = {
  name?: string;
  /** Part of the url immediately; unique among the pages that are not archived */
  slug?: string;
};
export type LandingPagePreview = {
  /** The whole document, as publishing now would show it */
  html: string;
  /** Reasons that prevent its publication */
  missing: string[];
};
export type RenderLandingPageRequest = {
  /** Whose data to use; needs partner:contacts:read. Without one, a sample person’s */
  contact_id?: string;
  /** Values to use instead, such as {"contact": {"first_name": "Ada"}} */
  data?: { [key: string]: unknown };
  /** The contact’s if absent, or else the team’s */
  locale?: string;
};
export type ListMessagesResponse = Paged<
  Message & {
    relationships?: { template?: Template | null; content_blocks?: ContentBlock[] };
    /** Relations with more than the 25 resources that are shown; absent if there are none */
    truncated_relationships?: 'content_blocks'[];
  }
>;
export type ListTemplateMessagesResponse = Paged<{
  id: string;
  type: 'message';
  team_id: string;
  template_id: string;
  name: string;
  /** Fixed; fields of other channels stay empty */
  channel: 'email' | 'sms' | 'push';
  /** Active once its template is launched */
  status: 'draft' | 'active' | 'archived';
  /** Marketing is sent with consent only */
  purpose: 'marketing' | 'transactional' | 'servicing';
  /** Marketing only: a topic of the team, by whose consents the message is sent as well */
  topic_id?: string;
  /** Order within the template, from 0 */
  position: number;
  trigger: {
    /** Journeys never send on_request; it is sent by the operation sendMessage only */
    kind:
      | 'on_enroll'
      | 'delay'
      | 'date'
      | 'on_event'
      | 'on_objective_incomplete'
      | 'on_page'
      | 'on_request';
    /** ISO 8601 duration of weeks, or days, hours and minutes */
    delay?: string;
    /** For kind date; at most 3653 days ahead */
    date?: string;
    /** In the contact’s zone */
    at_local_time?: string;
    /** Monday is 1, Tuesday 2, Sunday 64 */
    weekday_mask?: number;
    /** For kind on_event */
    event_kind?: string;
    /** For kind on_page: a page of the template */
    page_id?: string;
    /** For kind on_objective_incomplete */
    objective_id?: string;
  };
  /** Rule on the recipient as in a cohort’s definition, asked when it is sent; 16 KB at most */
  condition?: { [key: string]: unknown };
  /** True by default, but for on_request unless it is marketing */
  respect_quiet_hours: boolean;
  frequency_cap_exempt: boolean;
  subject?: string;
  preheader?: string;
  from_name?: string;
  /** Sanitized when it is written; followed by the blocks */
  body_html?: string;
  body_text?: string;
  /** Text of an SMS, or of a push (at most 1,000) */
  body?: string;
  title?: string;
  image_url?: string;
  deep_link?: string;
  /** Address of a verified sending domain of the team */
  from_email?: string;
  reply_to?: string;
  /** Whether an e-mail carries one-click unsubscribe (RFC 8058) */
  list_unsubscribe: boolean;
  /** Number or name of an SMS provider of the team, from which a text message comes */
  sender?: string;
  /** Number of parts of the text message before values are inserted */
  sms_segments?: number;
  /** For the app; at most 4 KB */
  data?: { [key: string]: unknown };
  /** JSON Schema of the data that texts show as {{ data.<name> }}: that of a send for the trigger on_request, else that of the enrollment, whose type is "object". At most 8 KB of JSON, 5 levels and 50 properties of an object. Keywords: type, title, description, properties, required, additionalProperties (true or false), items, enum, minimum, maximum, exclusiveMinimum, exclusiveMaximum, minLength, maxLength, minItems, maxItems */
  data_schema?: { [key: string]: unknown };
  /** Blocks of an e-mail, behind its body */
  content_block_ids: string[];
  localizations: {
    [key: string]: {
      subject?: string;
      preheader?: string;
      from_name?: string;
      /** Sanitized when it is written; followed by the blocks */
      body_html?: string;
      body_text?: string;
      /** Text of an SMS, or of a push (at most 1,000) */
      body?: string;
      title?: string;
      image_url?: string;
      deep_link?: string;
    };
  };
  /** Each recipient keeps the one that the weights give them. Overrides replace the texts of the message itself: a recipient who gets a localization gets it unchanged */
  variants: {
    key: string;
    weight: number;
    overrides: {
      subject?: string;
      preheader?: string;
      from_name?: string;
      /** Sanitized when it is written; followed by the blocks */
      body_html?: string;
      body_text?: string;
      /** Text of an SMS, or of a push (at most 1,000) */
      body?: string;
      title?: string;
      image_url?: string;
      deep_link?: string;
    };
  }[];
  /** Rises with every change of its content */
  version: number;
  /** Parts that were removed from the HTML of this request; absent where none was, and in all other responses */
  warnings?: ContentWarning[];
  inserted_at: string;
  updated_at: string;
  stats: {
    /** Handed over to be sent */
    queued: number;
    sent: number;
    delivered: number;
    bounced: number;
    failed: number;
    /** By a person, once each */
    opened: number;
    opened_machine: number;
    clicked: number;
    unsubscribed: number;
    complained: number;
    skipped: number;
  };
  /** The same for each variant with deliveries; empty where no delivery has one */
  stats_by_variant: {
    /** Absent for deliveries without a variant */
    variant_key?: string;
    /** Handed over to be sent */
    queued: number;
    sent: number;
    delivered: number;
    bounced: number;
    failed: number;
    /** By a person, once each */
    opened: number;
    opened_machine: number;
    clicked: number;
    unsubscribed: number;
    complained: number;
    skipped: number;
  }[];
  relationships?: { template?: Template | null; content_blocks?: ContentBlock[] };
  /** Relations with more than the 25 resources that are shown; absent if there are none */
  truncated_relationships?: 'content_blocks'[];
}>;
export type TemplateMessageCreate = {
  type?: 'message';
  name: string;
  /** Fixed; fields of other channels stay empty */
  channel: 'email' | 'sms' | 'push';
  /** Marketing is sent with consent only */
  purpose?: 'marketing' | 'transactional' | 'servicing';
  topic_id?: string | null;
  /** Order within the template, from 0 */
  position?: number;
  trigger?: {
    /** Journeys never send on_request; it is sent by the operation sendMessage only */
    kind:
      | 'on_enroll'
      | 'delay'
      | 'date'
      | 'on_event'
      | 'on_objective_incomplete'
      | 'on_page'
      | 'on_request';
    /** ISO 8601 duration of weeks, or days, hours and minutes */
    delay?: string;
    /** For kind date; at most 3653 days ahead */
    date?: string;
    /** In the contact’s zone */
    at_local_time?: string;
    /** Monday is 1, Tuesday 2, Sunday 64 */
    weekday_mask?: number;
    /** For kind on_event */
    event_kind?: string;
    /** For kind on_page: a page of the template */
    page_id?: string;
    /** For kind on_objective_incomplete */
    objective_id?: string;
  };
  condition?: { [key: string]: unknown } | null;
  /** True by default, but for on_request unless it is marketing */
  respect_quiet_hours?: boolean;
  frequency_cap_exempt?: boolean;
  subject?: string | null;
  preheader?: string | null;
  from_name?: string | null;
  body_html?: string | null;
  body_text?: string | null;
  body?: string | null;
  title?: string | null;
  image_url?: string | null;
  deep_link?: string | null;
  from_email?: string | null;
  reply_to?: string | null;
  /** Whether an e-mail carries one-click unsubscribe (RFC 8058) */
  list_unsubscribe?: boolean;
  sender?: string | null;
  data?: { [key: string]: unknown } | null;
  data_schema?: { [key: string]: unknown } | null;
  /** Blocks of an e-mail, behind its body */
  content_block_ids?: string[];
  localizations?: {
    [key: string]: {
      subject?: string;
      preheader?: string;
      from_name?: string;
      /** Sanitized when it is written; followed by the blocks */
      body_html?: string;
      body_text?: string;
      /** Text of an SMS, or of a push (at most 1,000) */
      body?: string;
      title?: string;
      image_url?: string;
      deep_link?: string;
    };
  };
  /** Each recipient keeps the one that the weights give them. Overrides replace the texts of the message itself: a recipient who gets a localization gets it unchanged */
  variants?: {
    key: string;
    weight: number;
    overrides: {
      subject?: string;
      preheader?: string;
      from_name?: string;
      /** Sanitized when it is written; followed by the blocks */
      body_html?: string;
      body_text?: string;
      /** Text of an SMS, or of a push (at most 1,000) */
      body?: string;
      title?: string;
      image_url?: string;
      deep_link?: string;
    };
  }[];
};
export type MessagePatch = {
  type?: 'message';
  name?: string;
  /** Fixed; fields of other channels stay empty */
  channel?: 'email' | 'sms' | 'push';
  /** Marketing is sent with consent only */
  purpose?: 'marketing' | 'transactional' | 'servicing';
  topic_id?: string | null;
  /** Order within the template, from 0 */
  position?: number;
  trigger?: {
    /** Journeys never send on_request; it is sent by the operation sendMessage only */
    kind:
      | 'on_enroll'
      | 'delay'
      | 'date'
      | 'on_event'
      | 'on_objective_incomplete'
      | 'on_page'
      | 'on_request';
    /** ISO 8601 duration of weeks, or days, hours and minutes */
    delay?: string;
    /** For kind date; at most 3653 days ahead */
    date?: string;
    /** In the contact’s zone */
    at_local_time?: string;
    /** Monday is 1, Tuesday 2, Sunday 64 */
    weekday_mask?: number;
    /** For kind on_event */
    event_kind?: string;
    /** For kind on_page: a page of the template */
    page_id?: string;
    /** For kind on_objective_incomplete */
    objective_id?: string;
  };
  condition?: { [key: string]: unknown } | null;
  /** True by default, but for on_request unless it is marketing */
  respect_quiet_hours?: boolean;
  frequency_cap_exempt?: boolean;
  subject?: string | null;
  preheader?: string | null;
  from_name?: string | null;
  body_html?: string | null;
  body_text?: string | null;
  body?: string | null;
  title?: string | null;
  image_url?: string | null;
  deep_link?: string | null;
  from_email?: string | null;
  reply_to?: string | null;
  /** Whether an e-mail carries one-click unsubscribe (RFC 8058) */
  list_unsubscribe?: boolean;
  sender?: string | null;
  data?: { [key: string]: unknown } | null;
  data_schema?: { [key: string]: unknown } | null;
  /** Blocks of an e-mail, behind its body */
  content_block_ids?: string[];
  localizations?: {
    [key: string]: {
      subject?: string;
      preheader?: string;
      from_name?: string;
      /** Sanitized when it is written; followed by the blocks */
      body_html?: string;
      body_text?: string;
      /** Text of an SMS, or of a push (at most 1,000) */
      body?: string;
      title?: string;
      image_url?: string;
      deep_link?: string;
    };
  };
  /** Each recipient keeps the one that the weights give them. Overrides replace the texts of the message itself: a recipient who gets a localization gets it unchanged */
  variants?: {
    key: string;
    weight: number;
    overrides: {
      subject?: string;
      preheader?: string;
      from_name?: string;
      /** Sanitized when it is written; followed by the blocks */
      body_html?: string;
      body_text?: string;
      /** Text of an SMS, or of a push (at most 1,000) */
      body?: string;
      title?: string;
      image_url?: string;
      deep_link?: string;
    };
  }[];
};
export type RenderMessageRequest = {
  /** Whose data to use; needs partner:contacts:read. Without one, a sample person’s */
  contact_id?: string;
  /** Values to use instead, such as {"contact": {"first_name": "Ada"}} */
  data?: { [key: string]: unknown };
  /** The contact’s if absent, or else the team’s */
  locale?: string;
  variant_key?: string;
};
export type RenderedMessage = {
  channel: 'email' | 'sms' | 'push';
  subject?: string;
  preheader?: string;
  from_name?: string;
  /** Body and blocks of an e-mail */
  html?: string;
  /** Plain text of an e-mail, made from the HTML without body_text */
  text?: string;
  body?: string;
  title?: string;
  image_url?: string;
  deep_link?: string;
  sms_segments?: number;
  variables: string[];
  /** They keep it from a launch */
  unknown_variables: string[];
};
export type SendTestMessageRequest = { to: string[] };
export type MessageTestSends = {
  message_id: string;
  channel: 'email' | 'sms' | 'push';
  sends: {
    id: string;
    /** Most of it hidden */
    to_masked: string;
  }[];
};

/** One of contact_id, contact_unique_id, email and phone names the recipient. An email or phone that no contact has creates a contact, and needs the scope partner:contacts:write. */
export type SendMessageRequest = {
  /** This or contact_unique_id */
  contact_id?: string;
  /** The partner’s own key of the contact */
  contact_unique_id?: string;
  email?: string;
  /** E.164 */
  phone?: string;
  /** At most 8 KB of JSON, by the data_schema of the message. Stored encrypted, and deleted after the send */
  data?: { [key: string]: unknown };
  /** At most 30 days ahead; now if absent */
  scheduled_at?: string;
};
export type SendMessageBatchRequest = {
  sends: {
    /** This or contact_unique_id */
    contact_id?: string;
    /** The partner’s own key of the contact */
    contact_unique_id?: string;
    email?: string;
    /** E.164 */
    phone?: string;
    /** At most 8 KB of JSON, by the data_schema of the message. Stored encrypted, and deleted after the send */
    data?: { [key: string]: unknown };
    /** At most 30 days ahead; now if absent */
    scheduled_at?: string;
  }[];
};
export type MessageSendReport = {
  summary: {
    total: number;
    /** Deliveries that wait to be sent */
    created: number;
    /** Deliveries that are not sent */
    skipped: number;
    /** Sends that were refused */
    failed: number;
  };
  results: {
    /** Place among the sends */
    index: number;
    status: 'created' | 'skipped' | 'failed';
    resource_type?: string;
    /** The message delivery */
    id?: string;
    /** Pointers begin at the body */
    errors: { code: string; title: string; detail: string; meta?: { [key: string]: unknown } }[];
    output?: MessageDelivery;
  }[];
};
export type TestRecipient = {
  id: string;
  type: 'test_recipient';
  team_id: string;
  channel: 'email' | 'sms' | 'push';
  name?: string;
  /** confirmed after the owner of the address has opened the link and pressed the button */
  status: 'pending' | 'confirmed';
  /** Most of the address is hidden */
  to_masked: string;
  /** End of the link, 7 days after the latest message with it; absent once confirmed */
  link_expires_at?: string;
  confirmed_at?: string;
  inserted_at: string;
  updated_at: string;
};
export type ListTestRecipientsResponse = Paged<TestRecipient>;
export type TestRecipientCreate = {
  type?: 'test_recipient';
  channel: 'email' | 'sms' | 'push';
  name?: string | null;
  /** E-mail address, E.164 number or push token; never shown */
  address: string;
};
export type ArchivedMessage = {
  id: string;
  type: 'archived_message';
  team_id: string;
  contact_id: string;
  message_id: string;
  template_id: string;
  /** The version that was rendered */
  template_version: number;
  journey_id?: string;
  channel: 'email' | 'sms' | 'push';
  provider:
    | 'email_a'
    | 'email_b'
    | 'email_c'
    | 'sms_a'
    | 'sms_b'
    | 'push_a'
    | 'push_b'
    | 'generic_hmac'
    | 'smtp'
    | 'mailbox';
  provider_message_id?: string;
  /** Address, number or name that it was from */
  sender?: string;
  /** The address, most of it hidden */
  to_masked?: string;
  /** Consent for the channel right before the message was sent */
  consent_status?: 'never' | 'pending' | 'subscribed' | 'unsubscribed';
  /** unavailable: the process ended before it was stored */
  content_status: 'stored' | 'unavailable' | 'erased';
  /** Time when the provider took it */
  sent_at: string;
  /** It is deleted after this time, unless a legal hold stands */
  expires_at: string;
  /** Time when content and address were erased */
  erased_at?: string;
  inserted_at: string;
  updated_at: string;
};
export type ListArchivedMessagesResponse = Paged<ArchivedMessage>;
export type ArchivedContent = {
  from_name?: string;
  from_email?: string;
  reply_to?: string;
  subject?: string;
  html?: string;
  text?: string;
  /** As in the header of the e-mail */
  unsubscribe_url?: string;
  sender?: string;
  title?: string;
  body?: string;
  image_url?: string;
  deep_link?: string;
  data?: { [key: string]: unknown };
};
export type ArchivedMessageDetails = {
  id: string;
  type: 'archived_message';
  team_id: string;
  contact_id: string;
  message_id: string;
  template_id: string;
  /** The version that was rendered */
  template_version: number;
  journey_id?: string;
  channel: 'email' | 'sms' | 'push';
  provider:
    | 'email_a'
    | 'email_b'
    | 'email_c'
    | 'sms_a'
    | 'sms_b'
    | 'push_a'
    | 'push_b'
    | 'generic_hmac'
    | 'smtp'
    | 'mailbox';
  provider_message_id?: string;
  /** Address, number or name that it was from */
  sender?: string;
  /** The address, most of it hidden */
  to_masked?: string;
  /** Consent for the channel right before the message was sent */
  consent_status?: 'never' | 'pending' | 'subscribed' | 'unsubscribed';
  /** unavailable: the process ended before it was stored */
  content_status: 'stored' | 'unavailable' | 'erased';
  /** Time when the provider took it */
  sent_at: string;
  /** It is deleted after this time, unless a legal hold stands */
  expires_at: string;
  /** Time when content and address were erased */
  erased_at?: string;
  inserted_at: string;
  updated_at: string;
  /** The e-mail address or number, or the tokens of the devices */
  addresses?: string[];
  content?: ArchivedContent;
};
export type ContactRead = {
  id: string;
  type: 'contact_read';
  team_id: string;
  contact_id: string;
  /** The client that got the answer */
  client_id: string;
  /** The operationId of the endpoint */
  operation: string;
  /** The id that the service gave the request */
  server_request_id?: string;
  /** Time of the first such answer within an hour of the clock (UTC) */
  read_at: string;
  /** The line is deleted after this time */
  expires_at: string;
};
export type ListContactReadsResponse = Paged<ContactRead>;
export type LegalHold = {
  id: string;
  type: 'legal_hold';
  team_id: string;
  /** The contact; absent: everything of the team */
  contact_id?: string;
  /** For the records of the team; it outlives the contact, so it contains no personal data */
  reason: string;
  /** released: it contains nothing any longer */
  status: 'active' | 'released';
  placed_by_client_id?: string;
  released_by_client_id?: string;
  released_at?: string;
  inserted_at: string;
  updated_at: string;
};
export type ListLegalHoldsResponse = Paged<LegalHold>;
export type LegalHoldCreate = {
  type?: 'legal_hold';
  contact_id?: string | null;
  /** For the records of the team; it outlives the contact, so it contains no personal data */
  reason: string;
};
export type ListMessageDeliveriesResponse = Paged<
  MessageDelivery & { relationships?: { contact?: Contact | null; message?: Message | null } }
>;
export type ListContactMessageDeliveriesResponse = Paged<
  MessageDelivery & { relationships?: { contact?: Contact | null; message?: Message | null } }
>;
export type MessageDeliveryExplanation = {
  delivery_id: string;
  /** Never goes back; opens and clicks do not change it */
  status:
    | 'scheduled'
    | 'queued'
    | 'sent'
    | 'delayed'
    | 'delivered'
    | 'bounced'
    | 'failed'
    | 'suppressed'
    | 'skipped'
    | 'canceled';
  summary: string;
  timeline: { what: string; at: string }[];
};
export type ListPagesResponse = Paged<
  Page & {
    relationships?: { template?: Template | null; content_blocks?: ContentBlock[] };
    /** Relations with more than the 25 resources that are shown; absent if there are none */
    truncated_relationships?: 'content_blocks'[];
  }
>;
export type ListTemplatePagesResponse = Paged<
  Page & {
    relationships?: { template?: Template | null; content_blocks?: ContentBlock[] };
    /** Relations with more than the 25 resources that are shown; absent if there are none */
    truncated_relationships?: 'content_blocks'[];
  }
>;
export type TemplatePageCreate = {
  type?: 'page';
  name: string;
  title?: string | null;
  path?: string | null;
  kind?: 'welcome' | 'step' | 'form' | 'checklist' | 'widget' | 'completion';
  /** Order within the template, from 0 */
  position?: number;
  objective_id?: string | null;
  /** In the order in which they are shown */
  content_block_ids?: string[];
  completion_rule?: 'viewed' | 'cta_clicked' | 'form_submitted' | 'objective_completed';
  /** Whether it is shown only to recipients who have proved who they are */
  requires_identity_challenge?: boolean;
  widget_instance_id?: string | null;
};
export type PagePatch = {
  type?: 'page';
  name?: string;
  title?: string | null;
  path?: string | null;
  kind?: 'welcome' | 'step' | 'form' | 'checklist' | 'widget' | 'completion';
  /** Order within the template, from 0 */
  position?: number;
  objective_id?: string | null;
  /** In the order in which they are shown */
  content_block_ids?: string[];
  completion_rule?: 'viewed' | 'cta_clicked' | 'form_submitted' | 'objective_completed';
  /** Whether it is shown only to recipients who have proved who they are */
  requires_identity_challenge?: boolean;
  widget_instance_id?: string | null;
};
export type RenderPageRequest = {
  /** Whose data to use; needs partner:contacts:read. Without one, a sample person’s */
  contact_id?: string;
  /** Values to use instead, such as {"contact": {"first_name": "Ada"}} */
  data?: { [key: string]: unknown };
  /** The contact’s if absent, or else the team’s */
  locale?: string;
};
export type RenderedPage = {
  html: string;
  variables: string[];
  /** They keep it from a launch */
  unknown_variables: string[];
};
export type ListObjectivesResponse = Paged<Objective>;
export type ObjectiveCreate = {
  type?: 'objective';
  name: string;
  /** Unique in the team, and fixed: kebab-case */
  key: string;
  description?: string | null;
  category?:
    | 'cards'
    | 'deposits'
    | 'digital_banking'
    | 'payments'
    | 'lending'
    | 'communication'
    | 'business'
    | 'other';
  /** Value credited for each completion, in cents of the team’s currency */
  value_cents?: number;
  attribution_window_days?: number;
  attribution_model?: 'any_touch' | 'last_touch';
  /** Whether a contact can complete it more than once */
  is_repeatable?: boolean;
  product_kind?: 'deposit' | 'loan' | 'credit' | 'investment' | 'other' | null;
  /** Whether it can be completed */
  is_active?: boolean;
};
export type ObjectivePatch = {
  type?: 'objective';
  name?: string;
  /** Unique in the team, and fixed: kebab-case */
  key?: string;
  description?: string | null;
  category?:
    | 'cards'
    | 'deposits'
    | 'digital_banking'
    | 'payments'
    | 'lending'
    | 'communication'
    | 'business'
    | 'other';
  /** Value credited for each completion, in cents of the team’s currency */
  value_cents?: number;
  attribution_window_days?: number;
  attribution_model?: 'any_touch' | 'last_touch';
  /** Whether a contact can complete it more than once */
  is_repeatable?: boolean;
  product_kind?: 'deposit' | 'loan' | 'credit' | 'investment' | 'other' | null;
  /** Whether it can be completed */
  is_active?: boolean;
};
export type QuietHours = {
  /** HH:MM, local to the contact */
  start: string;
  /** May lie on the next day */
  end: string;
};
export type FrequencyCap = {
  per_day: number;
  /** In any seven days */
  per_week: number;
};
export type Retention = {
  /** Days for which each message is archived from the time it is sent; absent: not archived */
  archived_messages_days?: number;
  /** Whether archived messages stay until their term when their contact is erased; false if absent */
  archived_messages_survive_erasure?: boolean;
  /** Days for which callbacks of providers are stored; 90 if absent */
  inbound_deliveries_days?: number;
  /** Days for which events, their deliveries and the attempts are stored; 90 if absent */
  webhook_events_days?: number;
  /** Days for which engagement events and message deliveries are stored, and shown by insights; 760 if absent */
  engagement_days?: number;
  /** Days for which it is recorded which client reads which contact; absent: not recorded */
  contact_reads_days?: number;
  /** Days for which results of executions and batches that end from now on are stored; 7 if absent */
  operation_results_days?: number;
};
export type Tracking = {
  /** Whether a picture in each e-mail counts its opens */
  opens: boolean;
  /** Whether links in e-mails lead through the service */
  clicks: boolean;
  /** Host of these links: a verified sending domain of the team, or one below it, that leads to the service and that no other team has; absent: the address of the service */
  domain?: string;
  /** Days from the making of a message delivery after which its links lead nowhere, those of earlier e-mails included; 395 if absent */
  links_expire_after_days?: number;
};
export type Team = {
  id: string;
  type: 'team';
  team_id: string;
  name: string;
  /** The tier of the contract; decides the rate limits */
  tier: string;
  /** Time zone of reports, and of contacts that have none */
  timezone: string;
  /** Locale of contacts that have none */
  locale: string;
  /** Currency of amounts; accounts keep the one that they were created with */
  currency: string;
  quiet_hours?: QuietHours;
  frequency_cap?: FrequencyCap;
  retention?: Retention;
  tracking?: Tracking;
  /** Numbers that codes and confirmations may be sent to by SMS, by their first digits (E.164); empty: every number */
  sms_allowed_prefixes: string[];
  /** Whether a second client or an operator must release a sending provider before messages leave through it; only an operator ends it */
  requires_provider_release: boolean;
  /** Whether its rates count, without its name, in comparisons between teams */
  is_in_benchmarks: boolean;
  inserted_at: string;
  updated_at: string;
};
export type TeamPatch = {
  type?: 'team';
  name?: string;
  /** Time zone of reports, and of contacts that have none */
  timezone?: string;
  /** Locale of contacts that have none */
  locale?: string;
  /** Currency of amounts; accounts keep the one that they were created with */
  currency?: string;
  quiet_hours?: QuietHours | null;
  frequency_cap?: FrequencyCap | null;
  retention?: Retention | null;
  tracking?: Tracking | null;
  /** Numbers that codes and confirmations may be sent to by SMS, by their first digits (E.164); empty: every number */
  sms_allowed_prefixes?: string[];
  /** Whether a second client or an operator must release a sending provider before messages leave through it; only an operator ends it */
  requires_provider_release?: boolean;
  /** Whether its rates count, without its name, in comparisons between teams */
  is_in_benchmarks?: boolean;
};
export type User = {
  id: string;
  type: 'user';
  team_id: string;
  email: string;
  name?: string;
  /** Role of the user in the applications of the team. The service grants nothing by it: access to the API is by the scopes of clients. It only sees that the last active admin stays */
  role: 'admin' | 'editor' | 'viewer';
  status: 'active' | 'invited' | 'suspended';
  /** Whether the sign-in that activated the user had a second factor, as the client has said. It is recorded only: the service signs no user in and asks for no second factor */
  mfa_enabled?: boolean;
  /** When the user was invited last */
  invited_at: string;
  /** Seven days after the latest invitation */
  invite_expires_at: string;
  last_signed_in_at?: string;
  suspended_at?: string;
  inserted_at: string;
  updated_at: string;
};
export type ListUsersResponse = Paged<User>;
export type UserCreate = {
  type?: 'user';
  email: string;
  name?: string | null;
  /** Role of the user in the applications of the team. The service grants nothing by it: access to the API is by the scopes of clients. It only sees that the last active admin stays */
  role?: 'admin' | 'editor' | 'viewer';
};
export type UserPatch = {
  type?: 'user';
  email?: string;
  name?: string | null;
  /** Role of the user in the applications of the team. The service grants nothing by it: access to the API is by the scopes of clients. It only sees that the last active admin stays */
  role?: 'admin' | 'editor' | 'viewer';
};
export type ActivateUserRequest = { mfa_enabled?: boolean };
export type PortalSessionCreate = {
  /** Rights of the pages: scopes of the token that makes the session */
  scopes?: string[];
  /** The page that the link opens */
  page?: 'requests' | 'webhooks' | 'batches' | 'callbacks' | 'campaigns' | 'people' | 'insights';
  /** A name for people who read the list of sessions */
  label?: string;
  /** Pages that may show the session in a frame: https origins such as https://www.example.com */
  allowed_origins?: string[];
  /** Life of the session in seconds; 1,800 if absent */
  expires_in_seconds?: number;
};
export type NewPortalSession = {
  id: string;
  type: 'portal_session';
  team_id: string;
  /** A name for people who read the list of sessions */
  label?: string;
  /** The page that the link opens */
  page: 'requests' | 'webhooks' | 'batches' | 'callbacks' | 'campaigns' | 'people' | 'insights';
  /** Rights of the pages: scopes of the token that makes the session */
  scopes: string[];
  /** Pages that may show the session in a frame: https origins such as https://www.example.com */
  allowed_origins: string[];
  /** The client that made the session */
  client_id: string;
  /** The link opens the session once, until then */
  link_expires_at: string;
  /** The pages stop to show data then */
  expires_at: string;
  /** When the link was opened */
  opened_at?: string;
  inserted_at: string;
  updated_at: string;
  /** The link, to be opened once. Its secret is after the #, and is not shown again. */
  url: string;
};
export type PortalSession = {
  id: string;
  type: 'portal_session';
  team_id: string;
  /** A name for people who read the list of sessions */
  label?: string;
  /** The page that the link opens */
  page: 'requests' | 'webhooks' | 'batches' | 'callbacks' | 'campaigns' | 'people' | 'insights';
  /** Rights of the pages: scopes of the token that makes the session */
  scopes: string[];
  /** Pages that may show the session in a frame: https origins such as https://www.example.com */
  allowed_origins: string[];
  /** The client that made the session */
  client_id: string;
  /** The link opens the session once, until then */
  link_expires_at: string;
  /** The pages stop to show data then */
  expires_at: string;
  /** When the link was opened */
  opened_at?: string;
  inserted_at: string;
  updated_at: string;
};
export type ListPortalSessionsResponse = Paged<PortalSession>;
export type PortalSessionOpen = {
  /** The part of the link after the # */
  secret: string;
};
export type OpenedPortalSession = {
  /** The token of the pages, with the scopes of the session */
  access_token: string;
  token_type: 'Bearer';
  /** Seconds */
  expires_in: number;
  /** Granted scopes separated by spaces */
  scope: string;
  /** The name of the team */
  team_name: string;
  /** The page that the link opens */
  page: 'requests' | 'webhooks' | 'batches' | 'callbacks' | 'campaigns' | 'people' | 'insights';
};
export type AuditEvent = {
  id: string;
  type: 'audit_event';
  team_id: string;
  /** <resource type>.<verb>, such as user.suspended */
  action: string;
  resource_type: string;
  resource_id: string;
  /** Names of the fields that changed, of something new those that were written */
  changed_fields: string[];
  /** The client whose token was used; absent where none acted */
  client_id?: string;
  /** The operator of the service who acted, as `<user>@<host>` */
  actor?: string;
  /** X-Request-Id of the request, which its caller may choose */
  request_id: string;
  /** The id that the service gave the request */
  server_request_id?: string;
  /** Address of the client */
  source_ip?: string;
  /** User-Agent, cut to 200 characters */
  user_agent?: string;
  /** For refused requests: the error code of the refusal. For suspensions, and changes of templates by an operator: the reason that the operator gave */
  reason?: string;
  /** For refused requests: how many of the client there were within the minute */
  occurrence_count?: number;
  /** For bulk actions, downloads and counted reads: the number of items or rows */
  item_count?: number;
  occurred_at: string;
};
export type ListAuditEventsResponse = Paged<AuditEvent>;
export type SendingDomainRecord = {
  /** `ownership` verifies the domain. With `dkim`, e-mails by SMTP are signed. `spf` and `dmarc` are advice */
  purpose: 'ownership' | 'dkim' | 'spf' | 'dmarc';
  record_type: 'TXT';
  /** Full name of the record, without the final dot */
  name: string;
  /** Text of the record */
  value: string;
  /** Result of the last check. `different`: records of that name exist, but none fits. `unknown`: the name servers did not answer */
  status: 'unchecked' | 'found' | 'different' | 'missing' | 'unknown';
};
export type SendingDomain = {
  id: string;
  type: 'sending_domain';
  team_id: string;
  /** Returned in ASCII (punycode) and in lower case. Its subdomains may send as well */
  domain: string;
  /** `verified`: messages may be sent from it. `failed`: its ownership record has disappeared, and e-mails from it are skipped until the record is back */
  status: 'pending' | 'verified' | 'failed';
  /** The records to publish in its zone */
  dns_records: SendingDomainRecord[];
  /** Whether e-mails by SMTP get a DKIM signature: once the `dkim` record is found */
  is_signed: boolean;
  /** The first or the latest verification after a failure */
  verified_at?: string;
  /** For status failed: when the record was missed */
  failed_at?: string;
  last_checked_at?: string;
  /** When the records are looked up next */
  next_check_at: string;
  inserted_at: string;
  updated_at: string;
};
export type ListSendingDomainsResponse = Paged<SendingDomain>;
export type SendingDomainCreate = {
  type?: 'sending_domain';
  /** Returned in ASCII (punycode) and in lower case. Its subdomains may send as well */
  domain: string;
};
export type SendingProvider = {
  id: string;
  type: 'sending_provider';
  team_id: string;
  name: string;
  /** Fixed once the provider is made */
  channel: 'email' | 'sms' | 'push';
  /** Fixed. E-mail: `smtp`, `email_a`, `email_b`, `email_c`. SMS: `sms_a`, `sms_b`. Push: `push_a`, `push_b` */
  kind: 'smtp' | 'email_a' | 'email_b' | 'email_c' | 'sms_a' | 'sms_b' | 'push_a' | 'push_b';
  /** 1 by default, the first choice. The next provider of the channel is used while those before it accept nothing */
  priority: number;
  /** Through an inactive provider nothing is sent */
  is_active: boolean;
  /** For smtp, `smtp://host:port` (with STARTTLS) or `smtps://host:port` on port 25, 465, 587 or 2525. For other kinds, the https address without the path of messages */
  url: string;
  /** User name (`smtp`), access key id (`email_a`), mail domain (`email_c`), account (`sms_a`), messaging profile (`sms_b`, optional) or application (`push_b`). `email_b` and `push_a` have none */
  account?: string;
  /** For smtp: the provider behind the server, whose headers carry the ids of the service */
  family?: 'email_a' | 'email_b' | 'email_c';
  /** E-mail: one address of a verified sending domain, for messages without `from_email`. SMS: numbers (E.164) and names of at most 11 characters that messages may have as `sender`; the first is for those that have none. Push: empty */
  senders: string[];
  secret_changed_at: string;
  /** Until then the secret before the rotation is used where the new one is rejected */
  previous_secret_expires_at?: string;
  /** When a second client or an operator released the settings; without it, nothing is sent through the provider where the team has requires_provider_release */
  released_at?: string;
  /** Outcome of the last test; absent before the first one and after a change of the connection */
  test_status?: 'pending' | 'succeeded' | 'failed';
  /** When the last test ended */
  tested_at?: string;
  /** Reason of a failed test, such as `http_401` or `timeout` */
  test_error_code?: string;
  /** Present while the provider accepts nothing */
  halted_at?: string;
  /** The last failure, such as `http_503` or `connection_refused` */
  halt_code?: string;
  /** When a halted provider gets the next message, which shows whether it has resumed */
  next_probe_at?: string;
  inserted_at: string;
  updated_at: string;
};
export type ListSendingProvidersResponse = Paged<SendingProvider>;
export type SendingProviderCreate = {
  type?: 'sending_provider';
  name: string;
  /** Fixed once the provider is made */
  channel: 'email' | 'sms' | 'push';
  /** Fixed. E-mail: `smtp`, `email_a`, `email_b`, `email_c`. SMS: `sms_a`, `sms_b`. Push: `push_a`, `push_b` */
  kind: 'smtp' | 'email_a' | 'email_b' | 'email_c' | 'sms_a' | 'sms_b' | 'push_a' | 'push_b';
  priority?: number | null;
  is_active?: boolean | null;
  /** For smtp, `smtp://host:port` (with STARTTLS) or `smtps://host:port` on port 25, 465, 587 or 2525. For other kinds, the https address without the path of messages */
  url: string;
  account?: string | null;
  family?: 'email_a' | 'email_b' | 'email_c' | null;
  senders?: string[] | null;
  secret?: string | null;
};
export type SendingProviderPatch = {
  type?: 'sending_provider';
  name?: string;
  /** Fixed once the provider is made */
  channel?: 'email' | 'sms' | 'push';
  /** Fixed. E-mail: `smtp`, `email_a`, `email_b`, `email_c`. SMS: `sms_a`, `sms_b`. Push: `push_a`, `push_b` */
  kind?: 'smtp' | 'email_a' | 'email_b' | 'email_c' | 'sms_a' | 'sms_b' | 'push_a' | 'push_b';
  /** 1 by default, the first choice. The next provider of the channel is used while those before it accept nothing */
  priority?: number;
  /** Through an inactive provider nothing is sent */
  is_active?: boolean;
  /** For smtp, `smtp://host:port` (with STARTTLS) or `smtps://host:port` on port 25, 465, 587 or 2525. For other kinds, the https address without the path of messages */
  url?: string;
  account?: string | null;
  family?: 'email_a' | 'email_b' | 'email_c' | null;
  /** E-mail: one address of a verified sending domain, for messages without `from_email`. SMS: numbers (E.164) and names of at most 11 characters that messages may have as `sender`; the first is for those that have none. Push: empty */
  senders?: string[];
  secret?: string | null;
};
export type RotateSendingProviderSecretRequest = {
  /** Stored encrypted and never returned: password, API key, or for push_a the JSON of the key of a service account */
  secret: string;
  overlap_seconds?: number;
  /** Ends a rotation that is under way */
  force?: boolean;
};
export type ListCompletionsResponse = Paged<
  ObjectiveCompletion & {
    relationships?: { objective?: Objective | null; contact?: Contact | null };
  }
>;
export type ListObjectiveCompletionsResponse = Paged<
  ObjectiveCompletion & {
    relationships?: { objective?: Objective | null; contact?: Contact | null };
  }
>;
export type ListContactCompletionsResponse = Paged<
  ObjectiveCompletion & {
    relationships?: { objective?: Objective | null; contact?: Contact | null };
  }
>;
export type ObjectiveCompletionCreate = {
  type?: 'objective_completion';
  contact_id: string;
  completed_at?: string | null;
  value_cents?: number | null;
  account_id?: string | null;
  unique_id?: string | null;
};
export type ObjectiveCompletion = {
  id: string;
  type: 'objective_completion';
  team_id: string;
  objective_id: string;
  contact_id: string;
  completed_at: string;
  /** Credited value, in cents of the team’s currency */
  value_cents: number;
  source: 'api' | 'batch' | 'sftp' | 'ipaas' | 'widget' | 'inbound' | 'rule';
  /** Whether a journey of the contact led to it */
  attribution: 'journey' | 'organic';
  journey_id?: string;
  template_id?: string;
  message_id?: string;
  /** An account of the contact */
  account_id?: string;
  /** Distinguishes repeats of a repeatable objective */
  unique_id?: string;
  /** Counts and insights leave it out from then on */
  voided_at?: string;
  void_reason?: string;
  inserted_at: string;
  updated_at: string;
};
export type VoidObjectiveCompletionRequest = {
  /** Kept with the completion */
  reason: string;
};
export type ObjectiveCompletionsCounts = {
  team_id: string;
  window: {
    /** Inclusive */
    start: string;
    /** Exclusive */
    end: string;
  };
  /** Every active objective, and what else was completed; most completed first */
  by_objective: {
    objective_id: string;
    key: string;
    name: string;
    completions: number;
    unique_contacts: number;
    /** Sum in cents of the team’s currency. A sum beyond ±(2^53−1) is shown as that limit */
    value_cents: number;
    /** Those with attribution journey */
    attributed_completions: number;
    /** Sum in cents of the team’s currency. A sum beyond ±(2^53−1) is shown as that limit */
    attributed_value_cents: number;
  }[];
  total_completions: number;
  /** Sum in cents of the team’s currency. A sum beyond ±(2^53−1) is shown as that limit */
  total_value_cents: number;
  computed_at: string;
};
export type ListEngagementEventsResponse = Paged<
  EngagementEvent & {
    relationships?: { contact?: Contact | null; message?: Message | null; page?: Page | null };
  }
>;
export type ListContactEventsResponse = Paged<
  EngagementEvent & {
    relationships?: { contact?: Contact | null; message?: Message | null; page?: Page | null };
  }
>;
export type ListTemplateEngagementEventsResponse = Paged<
  EngagementEvent & {
    relationships?: { contact?: Contact | null; message?: Message | null; page?: Page | null };
  }
>;
export type RecordEngagementEventsRequest = {
  /** At most 500; recorded all or none */
  events: {
    type?: 'engagement_event';
    kind:
      | 'message.queued'
      | 'message.sent'
      | 'message.delivered'
      | 'message.delayed'
      | 'message.opened'
      | 'message.clicked'
      | 'message.bounced'
      | 'message.failed'
      | 'message.complained'
      | 'message.unsubscribed'
      | 'device.invalidated'
      | 'contact.replied'
      | 'page.viewed'
      | 'page.cta_clicked'
      | 'page.form_submitted'
      | 'page.continued'
      | 'landing_page.viewed'
      | 'landing_page.cta_clicked'
      | 'widget.loaded'
      | 'widget.started'
      | 'widget.submitted'
      | 'widget.completed'
      | 'widget.failed'
      | 'widget.dismissed'
      | 'opt_in.granted'
      | 'opt_in.revoked'
      | 'identity.challenge_presented'
      | 'identity.challenge_passed'
      | 'identity.challenge_failed'
      | 'identity.challenge_locked'
      | 'custom';
    channel?: 'email' | 'sms' | 'push' | 'web' | 'widget' | 'system' | null;
    contact_id?: string | null;
    journey_id?: string | null;
    template_id?: string | null;
    message_id?: string | null;
    message_delivery_id?: string | null;
    page_id?: string | null;
    landing_page_id?: string | null;
    widget_instance_id?: string | null;
    objective_id?: string | null;
    account_id?: string | null;
    /** At most 25 months ago */
    occurred_at?: string;
    /** Made by a scanner or proxy, not by a person */
    is_machine?: boolean;
    url?: string | null;
    user_agent?: string | null;
    ip_truncated?: string | null;
    properties?: { [key: string]: unknown } | null;
    value_cents?: number | null;
    unique_id?: string | null;
  }[];
};
export type RecordEngagementEventsResponse = {
  data: {
    /** Place in the request */
    index: number;
    /** The event, or the earlier one with its unique_id */
    id: string;
    status: 'created' | 'duplicate';
  }[];
};
export type CustomEventType = {
  id: string;
  type: 'custom_event_type';
  team_id: string;
  /** Unique in the team, and fixed: "custom." and words of lower-case letters, digits and underscores, joined by dots */
  name: string;
  description?: string;
  /** JSON Schema of the data of its events, whose type is "object". At most 8 KB of JSON, 5 levels and 50 properties of an object. Keywords: type, title, description, properties, required, additionalProperties (true or false), items, enum, minimum, maximum, exclusiveMinimum, exclusiveMaximum, minLength, maxLength, minItems, maxItems */
  schema: { [key: string]: unknown };
  inserted_at: string;
  updated_at: string;
};
export type ListCustomEventTypesResponse = Paged<CustomEventType>;
export type CustomEventTypeCreate = {
  type?: 'custom_event_type';
  /** Unique in the team, and fixed: "custom." and words of lower-case letters, digits and underscores, joined by dots */
  name: string;
  description?: string | null;
  /** JSON Schema of the data of its events, whose type is "object". At most 8 KB of JSON, 5 levels and 50 properties of an object. Keywords: type, title, description, properties, required, additionalProperties (true or false), items, enum, minimum, maximum, exclusiveMinimum, exclusiveMaximum, minLength, maxLength, minItems, maxItems */
  schema?: { [key: string]: unknown };
};
export type CustomEventTypePatch = {
  type?: 'custom_event_type';
  /** Unique in the team, and fixed: "custom." and words of lower-case letters, digits and underscores, joined by dots */
  name?: string;
  description?: string | null;
  /** JSON Schema of the data of its events, whose type is "object". At most 8 KB of JSON, 5 levels and 50 properties of an object. Keywords: type, title, description, properties, required, additionalProperties (true or false), items, enum, minimum, maximum, exclusiveMinimum, exclusiveMaximum, minLength, maxLength, minItems, maxItems */
  schema?: { [key: string]: unknown };
};
export type PublishEventsRequest = {
  /** At most 500; published all or none */
  events: {
    /** The partner’s own id of the event; repeats of it in the team are dropped */
    unique_id: string;
    /** Name of a custom event type of the team */
    type: string;
    /** Now if absent; at most 25 months ago */
    occurred_at?: string;
    /** This or contact_unique_id */
    contact_id?: string;
    /** The partner’s own key of the contact */
    contact_unique_id?: string;
    /** At most 8 KB of JSON, by the schema of the event type; an empty object if absent */
    data?: { [key: string]: unknown };
  }[];
};
export type PublishEventsResponse = {
  data: {
    /** Place in the request */
    index: number;
    /** The event, or the earlier one with its unique_id */
    id: string;
    status: 'created' | 'duplicate';
  }[];
};
export type SftpCredential = {
  id: string;
  type: 'sftp_credential';
  team_id: string;
  name: string;
  username: string;
  host: string;
  port: number;
  home_directory: string;
  /** One line in the form of OpenSSH; the comment is dropped */
  public_key: string;
  key_type:
    | 'ssh-ed25519'
    | 'ecdsa-sha2-nistp256'
    | 'ecdsa-sha2-nistp384'
    | 'ecdsa-sha2-nistp521'
    | 'ssh-rsa';
  /** As ssh-keygen -l shows it */
  fingerprint_sha256: string;
  /** By which to know the server */
  host_key_fingerprints: string[];
  /** Which drop folders it may use; `contacts` by default. A named one needs the scopes of its operations */
  purpose: 'contacts' | 'accounts' | 'objective_completions' | 'mixed';
  /** Networks that may connect; none means all */
  allowed_cidrs: string[];
  /** Whether the status is active */
  is_active: boolean;
  /** Follows from revoked_at and the clock */
  status: 'active' | 'revoked' | 'expired';
  expires_at?: string;
  revoked_at?: string;
  last_used_at?: string;
  last_upload_at?: string;
  upload_count: number;
  inserted_at: string;
  updated_at: string;
};
export type ListSftpCredentialsResponse = Paged<SftpCredential>;
export type SftpCredentialsCreate = {
  type?: 'sftp_credential';
  name: string;
  public_key?: string | null;
  /** Which drop folders it may use; `contacts` by default. A named one needs the scopes of its operations */
  purpose?: 'contacts' | 'accounts' | 'objective_completions' | 'mixed';
  /** Networks that may connect; none means all */
  allowed_cidrs?: string[];
  expires_at?: string | null;
  generate_key_pair?: boolean | null;
};
export type CreatedSftpCredential = {
  id: string;
  type: 'sftp_credential';
  team_id: string;
  name: string;
  username: string;
  host: string;
  port: number;
  home_directory: string;
  /** One line in the form of OpenSSH; the comment is dropped */
  public_key: string;
  key_type:
    | 'ssh-ed25519'
    | 'ecdsa-sha2-nistp256'
    | 'ecdsa-sha2-nistp384'
    | 'ecdsa-sha2-nistp521'
    | 'ssh-rsa';
  /** As ssh-keygen -l shows it */
  fingerprint_sha256: string;
  /** By which to know the server */
  host_key_fingerprints: string[];
  /** Which drop folders it may use; `contacts` by default. A named one needs the scopes of its operations */
  purpose: 'contacts' | 'accounts' | 'objective_completions' | 'mixed';
  /** Networks that may connect; none means all */
  allowed_cidrs: string[];
  /** Whether the status is active */
  is_active: boolean;
  /** Follows from revoked_at and the clock */
  status: 'active' | 'revoked' | 'expired';
  expires_at?: string;
  revoked_at?: string;
  last_used_at?: string;
  last_upload_at?: string;
  upload_count: number;
  inserted_at: string;
  updated_at: string;
  /** In the form of OpenSSH; shown only here */
  private_key?: string;
};
export type SftpCredentialPatch = {
  type?: 'sftp_credential';
  name?: string;
  /** One line in the form of OpenSSH; the comment is dropped */
  public_key?: string;
  /** Which drop folders it may use; `contacts` by default. A named one needs the scopes of its operations */
  purpose?: 'contacts' | 'accounts' | 'objective_completions' | 'mixed';
  /** Networks that may connect; none means all */
  allowed_cidrs?: string[];
  expires_at?: string | null;
};
export type SftpUploadError = { code: string; detail: string };

/** A sign that an imported file may not be whole: no_line_end, for a last record without a line end */
export type SftpUploadWarning = { code: string; detail: string };
export type SftpUpload = {
  id: string;
  type: 'sftp_upload';
  team_id: string;
  /** By which it came */
  sftp_credential_id?: string;
  /** From which it was fetched */
  file_source_id?: string;
  /** From the home directory, such as /in/contacts/june.csv; of a fetched file, as the callback named it */
  path: string;
  size_bytes?: number;
  /** SHA-256 of its content in hexadecimal */
  sha256?: string;
  status: 'receiving' | 'received' | 'processing' | 'processed' | 'failed';
  /** The operation that imports it */
  batch_operation_id?: string;
  error?: SftpUploadError;
  warning?: SftpUploadWarning;
  /** When it was processed, or failed */
  completed_at?: string;
  inserted_at: string;
  updated_at: string;
};
export type ListSftpUploadsResponse = Paged<SftpUpload>;

/** Why the last test failed */
export type FileSourceTestError = { code: string; detail: string };
export type FileSource = {
  id: string;
  type: 'file_source';
  team_id: string;
  name: string;
  /** Fixed once the source is made */
  source_kind: 'sftp' | 'https';
  /** From an inactive source nothing is fetched */
  is_active: boolean;
  /** The `server_id` of the callbacks whose files it has */
  server_id: string;
  /** Only files that this `username` of callbacks has put; without it, those of all */
  server_username?: string;
  /** Only files below this folder of the callback’s `path` */
  server_path: string;
  /** The kind of record that the rows of its files become, as in the drop folders of SFTP credentials */
  purpose: 'contacts' | 'accounts' | 'objective_completions';
  /** A public name, or an address; an IPv6 address stands in brackets */
  host: string;
  /** 22, 443 or another from 1024 up; 22 by default for sftp, 443 for https */
  port: number;
  /** Where `server_path` is on the host: the rest of a path is appended to it */
  base_path: string;
  /** Name of the login; required for sftp and for a password */
  username?: string;
  /** As ssh-keygen -l shows them. A server with none of these keys gets no login; required for sftp, empty for https */
  host_key_fingerprints: string[];
  /** Follows from the credential */
  authentication: 'password' | 'private_key' | 'bearer_token';
  /** Public key of the private key. Enter it at the server */
  public_key?: string;
  credential_changed_at: string;
  /** When a file was last fetched */
  last_fetched_at?: string;
  /** Outcome of the last test; absent before the first one */
  test_status?: 'pending' | 'succeeded' | 'failed';
  /** When the last test ended */
  tested_at?: string;
  test_error?: FileSourceTestError;
  inserted_at: string;
  updated_at: string;
};
export type ListFileSourcesResponse = Paged<FileSource>;
export type FileSourceCreate = {
  type?: 'file_source';
  name: string;
  /** Fixed once the source is made */
  source_kind: 'sftp' | 'https';
  is_active?: boolean | null;
  /** The `server_id` of the callbacks whose files it has */
  server_id: string;
  server_username?: string | null;
  server_path?: string | null;
  /** The kind of record that the rows of its files become, as in the drop folders of SFTP credentials */
  purpose: 'contacts' | 'accounts' | 'objective_completions';
  /** A public name, or an address; an IPv6 address stands in brackets */
  host: string;
  port?: number | null;
  base_path?: string | null;
  username?: string | null;
  host_key_fingerprints?: string[] | null;
  password?: string | null;
  private_key?: string | null;
  generate_key_pair?: boolean | null;
  bearer_token?: string | null;
};
export type FileSourcePatch = {
  type?: 'file_source';
  name?: string;
  /** Fixed once the source is made */
  source_kind?: 'sftp' | 'https';
  /** From an inactive source nothing is fetched */
  is_active?: boolean;
  /** The `server_id` of the callbacks whose files it has */
  server_id?: string;
  server_username?: string | null;
  /** Only files below this folder of the callback’s `path` */
  server_path?: string;
  /** The kind of record that the rows of its files become, as in the drop folders of SFTP credentials */
  purpose?: 'contacts' | 'accounts' | 'objective_completions';
  /** A public name, or an address; an IPv6 address stands in brackets */
  host?: string;
  /** 22, 443 or another from 1024 up; 22 by default for sftp, 443 for https */
  port?: number;
  /** Where `server_path` is on the host: the rest of a path is appended to it */
  base_path?: string;
  username?: string | null;
  /** As ssh-keygen -l shows them. A server with none of these keys gets no login; required for sftp, empty for https */
  host_key_fingerprints?: string[];
  password?: string | null;
  private_key?: string | null;
  generate_key_pair?: boolean | null;
  bearer_token?: string | null;
};
export type CardOnFile = { merchants: string[] };
export type OptIn = { channels: ('email' | 'sms' | 'push')[]; double_opt_in: boolean };
export type MobileApp = {
  /** An app store’s page, or a deep link such as mybank://start */
  ios_url?: string;
  /** The same for Android */
  android_url?: string;
};
export type WidgetInstance = {
  id: string;
  type: 'widget_instance';
  team_id: string;
  name: string;
  widget_kind:
    'journey' | 'enrollment' | 'opt_in' | 'card_on_file' | 'mobile_app' | 'secure_personalization';
  template_id?: string;
  /** Pages that may embed the widget: https origins such as https://www.example.com */
  allowed_origins: string[];
  is_active: boolean;
  is_archived: boolean;
  theme?: { [key: string]: string | number | boolean };
  /** The team’s if absent */
  locale?: string;
  /** wpk_…; names the widget, no secret */
  publishable_key: string;
  token_ttl_seconds: number;
  /** Days that a session lasts at most; absent, it lasts as long as its journey */
  session_max_days?: number;
  card_on_file?: CardOnFile;
  opt_in?: OptIn;
  mobile_app?: MobileApp;
  last_bootstrapped_at?: string;
  bootstrap_count: number;
  archived_at?: string;
  inserted_at: string;
  updated_at: string;
};
export type ListWidgetInstancesResponse = Paged<WidgetInstance>;
export type WidgetInstanceCreate = {
  type?: 'widget_instance';
  name: string;
  widget_kind:
    'journey' | 'enrollment' | 'opt_in' | 'card_on_file' | 'mobile_app' | 'secure_personalization';
  template_id?: string | null;
  /** Pages that may embed the widget: https origins such as https://www.example.com */
  allowed_origins?: string[];
  is_active?: boolean;
  theme?: { [key: string]: string | number | boolean } | null;
  locale?: string | null;
  session_max_days?: number | null;
  card_on_file?: CardOnFile | null;
  opt_in?: OptIn | null;
  mobile_app?: MobileApp | null;
};
export type WidgetInstancePatch = {
  type?: 'widget_instance';
  name?: string;
  widget_kind?:
    'journey' | 'enrollment' | 'opt_in' | 'card_on_file' | 'mobile_app' | 'secure_personalization';
  template_id?: string | null;
  /** Pages that may embed the widget: https origins such as https://www.example.com */
  allowed_origins?: string[];
  is_active?: boolean;
  theme?: { [key: string]: string | number | boolean } | null;
  locale?: string | null;
  session_max_days?: number | null;
  card_on_file?: CardOnFile | null;
  opt_in?: OptIn | null;
  mobile_app?: MobileApp | null;
};
export type ListInsightsResponse = {
  data: {
    name: string;
    operation_id: string;
    path: string;
    summary: string;
    /** Definition of each figure in words */
    definition: string;
    datasets: string[];
    /** Rises when the definition changes */
    version: number;
    filters: string[];
    /** JSON Schema of value; the title of each field is its name for people */
    value_schema: unknown;
  }[];
};

/** Completions within the period that a journey led to, voided ones left out. */
export type InsightAddedValueByTime = {
  name: 'added-value-by-time';
  value: {
    bucket: 'hour' | 'day' | 'week' | 'month';
    series: {
      /** Start of the bucket in UTC */
      start: string;
      completions: number;
      /** Sum in cents of the team’s currency. A sum beyond ±(2^53−1) is shown as that limit */
      value_cents: number;
      /** Since the start of the period. A sum beyond ±(2^53−1) is shown as that limit */
      cumulative_value_cents: number;
    }[];
    total_completions: number;
    /** Sum in cents of the team’s currency. A sum beyond ±(2^53−1) is shown as that limit */
    total_value_cents: number;
  };
  computed_at: string;
  /** Until when it is kept, or may be; absent for live figures */
  expires_at?: string;
  source: {
    /** live: From rows; cache: Worked out a while ago */
    kind: 'live' | 'cache';
    /** Tables that it was read from, by commas */
    dataset: string;
    /** <name>@<version of its definition> */
    query: string;
    window: {
      /** Inclusive */
      start: string;
      /** Exclusive */
      end: string;
    };
    timezone: string;
    bucket: 'hour' | 'day' | 'week' | 'month';
    /** Time up to which recorded data is included */
    data_through: string;
    filters: { [key: string]: string };
    /** Length of the longest list or series of the value */
    row_count: number;
    sampled: boolean;
  };
};

/** Journeys that began before the end of the period and did not end before its start, without those held back. Engaged is who of their contacts has an event of a person within the period about the template: message.opened, message.clicked, page.*, widget.*, contact.replied. The other figures count such events, and totals add up the campaigns. */
export type InsightCampaignEngagement = {
  name: 'campaign-engagement';
  value: {
    /** Most first; 200 at most */
    campaigns: {
      template_id: string;
      name: string;
      status: string;
      /** Journeys that were open at some time of the period */
      enrolled: number;
      /** Contacts of these journeys who did something */
      engaged: number;
      /** engaged / enrolled */
      engagement_rate: number | null;
      opens: number;
      clicks: number;
      page_views: number;
      widget_interactions: number;
      replies: number;
    }[];
    /** Whether there are more rows than are shown */
    truncated: boolean;
    totals: {
      /** Journeys that were open at some time of the period */
      enrolled: number;
      /** Contacts of these journeys who did something */
      engaged: number;
      /** engaged / enrolled */
      engagement_rate: number | null;
      opens: number;
      clicks: number;
      page_views: number;
      widget_interactions: number;
      replies: number;
    };
  };
  computed_at: string;
  /** Until when it is kept, or may be; absent for live figures */
  expires_at?: string;
  source: {
    /** live: From rows; cache: Worked out a while ago */
    kind: 'live' | 'cache';
    /** Tables that it was read from, by commas */
    dataset: string;
    /** <name>@<version of its definition> */
    query: string;
    window: {
      /** Inclusive */
      start: string;
      /** Exclusive */
      end: string;
    };
    timezone: string;
    bucket: 'hour' | 'day' | 'week' | 'month';
    /** Time up to which recorded data is included */
    data_through: string;
    filters: { [key: string]: string };
    /** Length of the longest list or series of the value */
    row_count: number;
    sampled: boolean;
  };
};

/** Journeys that began within the period. Those held back for comparison count as holdout only. */
export type InsightCampaignEnrollment = {
  name: 'campaign-enrollment';
  value: {
    bucket: 'hour' | 'day' | 'week' | 'month';
    total_enrolled: number;
    unique_contacts: number;
    by_source: { api: number; cohort: number; batch: number; ipaas: number; widget: number };
    /** Most first; 200 at most */
    campaigns: {
      template_id: string;
      name: string;
      enrolled: number;
      /** Enrollments that are not the contact’s first in the campaign */
      reenrolled: number;
      /** Journeys of the holdout, not counted above */
      holdout: number;
    }[];
    /** Whether there are more rows than are shown */
    truncated: boolean;
    series: {
      /** Start of the bucket in UTC */
      start: string;
      enrolled: number;
    }[];
  };
  computed_at: string;
  /** Until when it is kept, or may be; absent for live figures */
  expires_at?: string;
  source: {
    /** live: From rows; cache: Worked out a while ago */
    kind: 'live' | 'cache';
    /** Tables that it was read from, by commas */
    dataset: string;
    /** <name>@<version of its definition> */
    query: string;
    window: {
      /** Inclusive */
      start: string;
      /** Exclusive */
      end: string;
    };
    timezone: string;
    bucket: 'hour' | 'day' | 'week' | 'month';
    /** Time up to which recorded data is included */
    data_through: string;
    filters: { [key: string]: string };
    /** Length of the longest list or series of the value */
    row_count: number;
    sampled: boolean;
  };
};

/** Journeys that began within the period, without those held back; of them all messages and all completions that they led to, up to now. Messages are counted by contact. Totals add up the campaigns. */
export type InsightCampaignPerformance = {
  name: 'campaign-performance';
  value: {
    /** Most first; 200 at most */
    campaigns: {
      template_id: string;
      name: string;
      /** Journeys */
      enrolled: number;
      /** Contacts that a message was sent to */
      reached: number;
      /** Contacts that a message was delivered to */
      delivered: number;
      /** delivered / reached */
      delivery_rate: number | null;
      /** Contacts */
      opened: number;
      /** opened / delivered */
      open_rate: number | null;
      /** Contacts */
      clicked: number;
      /** clicked / delivered */
      click_rate: number | null;
      /** Contacts */
      unsubscribed: number;
      /** Completions that these journeys led to */
      objectives_completed: number;
      /** Journeys with one at least */
      completed_journeys: number;
      /** completed_journeys / enrolled */
      completion_rate: number | null;
      /** Sum in cents of the team’s currency. A sum beyond ±(2^53−1) is shown as that limit */
      value_cents: number;
      value_cents_per_enrolled: number | null;
    }[];
    /** Whether there are more rows than are shown */
    truncated: boolean;
    totals: {
      /** Journeys */
      enrolled: number;
      /** Contacts that a message was sent to */
      reached: number;
      /** Contacts that a message was delivered to */
      delivered: number;
      /** delivered / reached */
      delivery_rate: number | null;
      /** Contacts */
      opened: number;
      /** opened / delivered */
      open_rate: number | null;
      /** Contacts */
      clicked: number;
      /** clicked / delivered */
      click_rate: number | null;
      /** Contacts */
      unsubscribed: number;
      /** Completions that these journeys led to */
      objectives_completed: number;
      /** Journeys with one at least */
      completed_journeys: number;
      /** completed_journeys / enrolled */
      completion_rate: number | null;
      /** Sum in cents of the team’s currency. A sum beyond ±(2^53−1) is shown as that limit */
      value_cents: number;
      value_cents_per_enrolled: number | null;
    };
  };
  computed_at: string;
  /** Until when it is kept, or may be; absent for live figures */
  expires_at?: string;
  source: {
    /** live: From rows; cache: Worked out a while ago */
    kind: 'live' | 'cache';
    /** Tables that it was read from, by commas */
    dataset: string;
    /** <name>@<version of its definition> */
    query: string;
    window: {
      /** Inclusive */
      start: string;
      /** Exclusive */
      end: string;
    };
    timezone: string;
    bucket: 'hour' | 'day' | 'week' | 'month';
    /** Time up to which recorded data is included */
    data_through: string;
    filters: { [key: string]: string };
    /** Length of the longest list or series of the value */
    row_count: number;
    sampled: boolean;
  };
};

/** Events of people in widgets of the kind card_on_file: widget.loaded, widget.started, widget.submitted (a merchant is selected), widget.completed and widget.failed, the merchant being properties.merchant. */
export type InsightCardOnFileWidget = {
  name: 'card-on-file-widget';
  value: {
    bucket: 'hour' | 'day' | 'week' | 'month';
    loads: number;
    /** Who loaded it */
    unique_contacts: number;
    starts: number;
    merchants_selected: number;
    completed: number;
    failed: number;
    /** starts / loads */
    start_rate: number | null;
    /** completed / starts */
    completion_rate: number | null;
    /** Most first; 200 at most */
    by_merchant: { merchant: string; started: number; completed: number; failed: number }[];
    /** Whether there are more rows than are shown */
    truncated: boolean;
    series: {
      /** Start of the bucket in UTC */
      start: string;
      loads: number;
      completed: number;
    }[];
  };
  computed_at: string;
  /** Until when it is kept, or may be; absent for live figures */
  expires_at?: string;
  source: {
    /** live: From rows; cache: Worked out a while ago */
    kind: 'live' | 'cache';
    /** Tables that it was read from, by commas */
    dataset: string;
    /** <name>@<version of its definition> */
    query: string;
    window: {
      /** Inclusive */
      start: string;
      /** Exclusive */
      end: string;
    };
    timezone: string;
    bucket: 'hour' | 'day' | 'week' | 'month';
    /** Time up to which recorded data is included */
    data_through: string;
    filters: { [key: string]: string };
    /** Length of the longest list or series of the value */
    row_count: number;
    sampled: boolean;
  };
};

/** Journeys that began within the period; one is completed when it led to a completion, and the baseline are all but those held back. A journey is exposed to a message, page, widget or channel by an event of a person about it before its first completion, or by its cohort or its way of entry. The field lift is the rate of the exposed divided by that of the others, minus 1; lift_pp their difference in points of 100, ci95 its interval (Newcombe); groups below 30 are left out, and only the holdout shows what causes what. */
export type InsightDrivers = {
  name: 'drivers';
  value: {
    outcome: 'objective.completed';
    baseline: { contacts: number; completion_rate: number | null };
    holdout: { contacts: number; completion_rate: number | null } | null;
    /** Most first; 200 at most */
    drivers: {
      dimension: 'message' | 'page' | 'channel' | 'widget' | 'cohort' | 'entry';
      id: string;
      label: string;
      /** Journeys */
      exposed: number;
      exposed_rate: number | null;
      unexposed_rate: number | null;
      lift: number | null;
      lift_pp: number;
      ci95: number[];
      /** Whether ci95 leaves out 0 */
      significant: boolean;
    }[];
    /** Whether there are more rows than are shown */
    truncated: boolean;
    minimum_sample: number;
  };
  computed_at: string;
  /** Until when it is kept, or may be; absent for live figures */
  expires_at?: string;
  source: {
    /** live: From rows; cache: Worked out a while ago */
    kind: 'live' | 'cache';
    /** Tables that it was read from, by commas */
    dataset: string;
    /** <name>@<version of its definition> */
    query: string;
    window: {
      /** Inclusive */
      start: string;
      /** Exclusive */
      end: string;
    };
    timezone: string;
    bucket: 'hour' | 'day' | 'week' | 'month';
    /** Time up to which recorded data is included */
    data_through: string;
    filters: { [key: string]: string };
    /** Length of the longest list or series of the value */
    row_count: number;
    sampled: boolean;
  };
};

/** Events of people in widgets of the kind enrollment: widget.loaded, widget.started and widget.submitted; a visitor is a contact, or else properties.session_id. Enrolled are the journeys that began by a widget; duplicates are submissions with properties.outcome "duplicate", of people who were enrolled already. */
export type InsightEnrollmentWidget = {
  name: 'enrollment-widget';
  value: {
    bucket: 'hour' | 'day' | 'week' | 'month';
    loads: number;
    unique_visitors: number;
    form_starts: number;
    submissions: number;
    enrolled: number;
    duplicates: number;
    /** enrolled / unique_visitors */
    conversion_rate: number | null;
    /** Most first; 200 at most */
    by_instance: {
      widget_instance_id: string;
      name: string;
      loads: number;
      unique_visitors: number;
      form_starts: number;
      submissions: number;
    }[];
    /** Whether there are more rows than are shown */
    truncated: boolean;
    series: {
      /** Start of the bucket in UTC */
      start: string;
      loads: number;
      submissions: number;
      enrolled: number;
    }[];
  };
  computed_at: string;
  /** Until when it is kept, or may be; absent for live figures */
  expires_at?: string;
  source: {
    /** live: From rows; cache: Worked out a while ago */
    kind: 'live' | 'cache';
    /** Tables that it was read from, by commas */
    dataset: string;
    /** <name>@<version of its definition> */
    query: string;
    window: {
      /** Inclusive */
      start: string;
      /** Exclusive */
      end: string;
    };
    timezone: string;
    bucket: 'hour' | 'day' | 'week' | 'month';
    /** Time up to which recorded data is included */
    data_through: string;
    filters: { [key: string]: string };
    /** Length of the longest list or series of the value */
    row_count: number;
    sampled: boolean;
  };
};

/** As of the end of the period, eligible for an objective is who is an active contact and has had a journey, not held back, of a template with the objective; completed, who of them has completed it. The gap times what a completion is credited with now is potential_value_cents. Products are open accounts of active contacts, by kind. */
export type InsightGapAnalysis = {
  name: 'gap-analysis';
  value: {
    /** Most first; 200 at most */
    objectives: {
      objective_id: string;
      key: string;
      name: string;
      eligible: number;
      completed: number;
      /** eligible - completed */
      gap: number;
      /** gap / eligible */
      gap_rate: number | null;
      /** Sum in cents of the team’s currency. A sum beyond ±(2^53−1) is shown as that limit */
      potential_value_cents: number;
    }[];
    /** Whether there are more rows than are shown */
    truncated: boolean;
    products: {
      kind: 'deposit' | 'loan' | 'credit' | 'investment' | 'other';
      contacts_with: number;
      contacts_without: number;
      /** contacts_with / active contacts */
      penetration_rate: number | null;
    }[];
    totals: {
      /** Sum in cents of the team’s currency. A sum beyond ±(2^53−1) is shown as that limit */
      potential_value_cents: number;
    };
  };
  computed_at: string;
  /** Until when it is kept, or may be; absent for live figures */
  expires_at?: string;
  source: {
    /** live: From rows; cache: Worked out a while ago */
    kind: 'live' | 'cache';
    /** Tables that it was read from, by commas */
    dataset: string;
    /** <name>@<version of its definition> */
    query: string;
    window: {
      /** Inclusive */
      start: string;
      /** Exclusive */
      end: string;
    };
    timezone: string;
    bucket: 'hour' | 'day' | 'week' | 'month';
    /** Time up to which recorded data is included */
    data_through: string;
    filters: { [key: string]: string };
    /** Length of the longest list or series of the value */
    row_count: number;
    sampled: boolean;
  };
};

/** Deliveries whose sending, or failure to send, lies within the period, with all that is known of them up to now; skipped_by_reason counts those that were decided within the period and not sent. The field by_variant has the figures of a message for each variant that was sent, and is empty where none was; they add up to those of the message, and totals add up the messages. The field topics adds up the messages of each topic that they have now. */
export type InsightMessages = {
  name: 'messages';
  value: {
    channels: {
      channel: 'email' | 'sms' | 'push';
      sent: number;
      delivered: number;
      bounced: number;
      failed: number;
      /** By a person */
      opened: number;
      /** By a program that fetches mail ahead */
      opened_machine: number;
      /** By a person */
      clicked: number;
      unsubscribed: number;
      complained: number;
      /** delivered / sent */
      delivery_rate: number | null;
      /** opened / delivered */
      open_rate: number | null;
      /** clicked / delivered */
      click_rate: number | null;
      /** clicked / opened */
      click_to_open_rate: number | null;
      /** bounced / sent */
      bounce_rate: number | null;
      /** complained / delivered */
      complaint_rate: number | null;
      /** unsubscribed / delivered */
      unsubscribe_rate: number | null;
    }[];
    /** Most first; 200 at most */
    messages: {
      message_id: string;
      name: string;
      template_id: string;
      channel: 'email' | 'sms' | 'push';
      sent: number;
      delivered: number;
      bounced: number;
      failed: number;
      /** By a person */
      opened: number;
      /** By a program that fetches mail ahead */
      opened_machine: number;
      /** By a person */
      clicked: number;
      unsubscribed: number;
      complained: number;
      /** delivered / sent */
      delivery_rate: number | null;
      /** opened / delivered */
      open_rate: number | null;
      /** clicked / delivered */
      click_rate: number | null;
      /** clicked / opened */
      click_to_open_rate: number | null;
      /** bounced / sent */
      bounce_rate: number | null;
      /** complained / delivered */
      complaint_rate: number | null;
      /** unsubscribed / delivered */
      unsubscribe_rate: number | null;
      by_variant: {
        /** Absent for deliveries without a variant */
        variant_key?: string;
        sent: number;
        delivered: number;
        bounced: number;
        failed: number;
        /** By a person */
        opened: number;
        /** By a program that fetches mail ahead */
        opened_machine: number;
        /** By a person */
        clicked: number;
        unsubscribed: number;
        complained: number;
        /** delivered / sent */
        delivery_rate: number | null;
        /** opened / delivered */
        open_rate: number | null;
        /** clicked / delivered */
        click_rate: number | null;
        /** clicked / opened */
        click_to_open_rate: number | null;
        /** bounced / sent */
        bounce_rate: number | null;
        /** complained / delivered */
        complaint_rate: number | null;
        /** unsubscribed / delivered */
        unsubscribe_rate: number | null;
      }[];
    }[];
    /** Whether there are more rows than are shown */
    truncated: boolean;
    /** Most first; 200 at most */
    topics: {
      topic_id: string;
      name: string;
      sent: number;
      delivered: number;
      bounced: number;
      failed: number;
      /** By a person */
      opened: number;
      /** By a program that fetches mail ahead */
      opened_machine: number;
      /** By a person */
      clicked: number;
      unsubscribed: number;
      complained: number;
      /** delivered / sent */
      delivery_rate: number | null;
      /** opened / delivered */
      open_rate: number | null;
      /** clicked / delivered */
      click_rate: number | null;
      /** clicked / opened */
      click_to_open_rate: number | null;
      /** bounced / sent */
      bounce_rate: number | null;
      /** complained / delivered */
      complaint_rate: number | null;
      /** unsubscribed / delivered */
      unsubscribe_rate: number | null;
    }[];
    skipped_by_reason: {
      no_consent: number;
      topic_unsubscribed: number;
      suppressed: number;
      missing_address: number;
      quiet_hours_expired: number;
      frequency_cap: number;
      holdout: number;
      condition_false: number;
      objective_completed: number;
      template_paused_stale: number;
      deadline_passed: number;
      sender_not_verified: number;
    };
    totals: {
      sent: number;
      delivered: number;
      bounced: number;
      failed: number;
      /** By a person */
      opened: number;
      /** By a program that fetches mail ahead */
      opened_machine: number;
      /** By a person */
      clicked: number;
      unsubscribed: number;
      complained: number;
      /** delivered / sent */
      delivery_rate: number | null;
      /** opened / delivered */
      open_rate: number | null;
      /** clicked / delivered */
      click_rate: number | null;
      /** clicked / opened */
      click_to_open_rate: number | null;
      /** bounced / sent */
      bounce_rate: number | null;
      /** complained / delivered */
      complaint_rate: number | null;
      /** unsubscribed / delivered */
      unsubscribe_rate: number | null;
    };
  };
  computed_at: string;
  /** Until when it is kept, or may be; absent for live figures */
  expires_at?: string;
  source: {
    /** live: From rows; rollup: From sums; cache: Worked out a while ago */
    kind: 'live' | 'rollup' | 'cache';
    /** Tables that it was read from, by commas */
    dataset: string;
    /** <name>@<version of its definition> */
    query: string;
    window: {
      /** Inclusive */
      start: string;
      /** Exclusive */
      end: string;
    };
    timezone: string;
    bucket: 'hour' | 'day' | 'week' | 'month';
    /** Time up to which recorded data is included */
    data_through: string;
    filters: { [key: string]: string };
    /** Length of the longest list or series of the value */
    row_count: number;
    sampled: boolean;
  };
};

/** Events of people in widgets of the kind mobile_app: widget.loaded, and widget.submitted for a click to a store, the platform being properties.platform (ios, android, anything else is other). A conversion is a contact who clicked and completed the objective mobile-banking within its attribution window after that. */
export type InsightMobileAppWidget = {
  name: 'mobile-app-widget';
  value: {
    bucket: 'hour' | 'day' | 'week' | 'month';
    loads: number;
    /** Who loaded it */
    unique_contacts: number;
    store_clicks: number;
    by_platform: { ios: number; android: number; other: number };
    /** Contacts who clicked / unique_contacts */
    click_rate: number | null;
    mobile_banking_completions: number;
    /** mobile_banking_completions / contacts who clicked */
    conversion_rate: number | null;
    series: {
      /** Start of the bucket in UTC */
      start: string;
      loads: number;
      store_clicks: number;
    }[];
  };
  computed_at: string;
  /** Until when it is kept, or may be; absent for live figures */
  expires_at?: string;
  source: {
    /** live: From rows; cache: Worked out a while ago */
    kind: 'live' | 'cache';
    /** Tables that it was read from, by commas */
    dataset: string;
    /** <name>@<version of its definition> */
    query: string;
    window: {
      /** Inclusive */
      start: string;
      /** Exclusive */
      end: string;
    };
    timezone: string;
    bucket: 'hour' | 'day' | 'week' | 'month';
    /** Time up to which recorded data is included */
    data_through: string;
    filters: { [key: string]: string };
    /** Length of the longest list or series of the value */
    row_count: number;
    sampled: boolean;
  };
};

/** team_rate is completed / eligible of gap-analysis. Peers are the teams that take part (is_in_benchmarks) with 100 eligible contacts or more for an objective of the same key, by their figures of the last night; fewer than five give no result, and they are never named. percentile is the share of them, in 100, whose rate is not above that of the team. */
export type InsightObjectiveCompletionBenchmarks = {
  name: 'objective-completion-benchmarks';
  value: {
    objectives: {
      key: string;
      name: string;
      team_rate: number | null;
      peer_p25: number | null;
      peer_p50: number | null;
      peer_p75: number | null;
      percentile: number | null;
      sample_teams: number | null;
    }[];
    minimum_teams: number;
  };
  computed_at: string;
  /** Until when it is kept, or may be; absent for live figures */
  expires_at?: string;
  source: {
    /** live: From rows; cache: Worked out a while ago */
    kind: 'live' | 'cache';
    /** Tables that it was read from, by commas */
    dataset: string;
    /** <name>@<version of its definition> */
    query: string;
    window: {
      /** Inclusive */
      start: string;
      /** Exclusive */
      end: string;
    };
    timezone: string;
    bucket: 'hour' | 'day' | 'week' | 'month';
    /** Time up to which recorded data is included */
    data_through: string;
    filters: { [key: string]: string };
    /** Length of the longest list or series of the value */
    row_count: number;
    sampled: boolean;
  };
};

/** Journeys that began within the period, without those held back, once for each objective of their template. It is completed when the contact did so after the enrollment and within the attribution window of the objective. */
export type InsightObjectiveCompletionRate = {
  name: 'objective-completion-rate';
  value: {
    bucket: 'hour' | 'day' | 'week' | 'month';
    /** Most first; 200 at most */
    objectives: {
      objective_id: string;
      key: string;
      name: string;
      /** With the objective */
      journeys: number;
      completed: number;
      /** completed / journeys */
      completion_rate: number | null;
      /** Days of 24 hours from enrollment to the first completion */
      median_days_to_complete: number | null;
      /** Within which nine of ten of them completed it */
      p90_days: number | null;
    }[];
    /** Whether there are more rows than are shown */
    truncated: boolean;
    overall: {
      /** With the objective */
      journeys: number;
      completed: number;
      /** completed / journeys */
      completion_rate: number | null;
      /** Days of 24 hours from enrollment to the first completion */
      median_days_to_complete: number | null;
      /** Within which nine of ten of them completed it */
      p90_days: number | null;
    };
    series: {
      /** Start of the bucket in UTC */
      start: string;
      journeys: number;
      completed: number;
      rate: number | null;
    }[];
  };
  computed_at: string;
  /** Until when it is kept, or may be; absent for live figures */
  expires_at?: string;
  source: {
    /** live: From rows; cache: Worked out a while ago */
    kind: 'live' | 'cache';
    /** Tables that it was read from, by commas */
    dataset: string;
    /** <name>@<version of its definition> */
    query: string;
    window: {
      /** Inclusive */
      start: string;
      /** Exclusive */
      end: string;
    };
    timezone: string;
    bucket: 'hour' | 'day' | 'week' | 'month';
    /** Time up to which recorded data is included */
    data_through: string;
    filters: { [key: string]: string };
    /** Length of the longest list or series of the value */
    row_count: number;
    sampled: boolean;
  };
};

/** For each completion within the period the last event of a person by its contact before it, within the attribution window of the objective, about a message, a page or a landing page. exposed are contacts with a delivered message or a view of the page within the period; clicked, contacts with a click. */
export type InsightObjectiveContent = {
  name: 'objective-content';
  value: {
    objectives: {
      objective_id: string;
      key: string;
      content: {
        content_type: 'message' | 'page' | 'landing_page';
        id: string;
        name?: string;
        exposed: number;
        clicked: number;
        completions_last_touch: number;
        /** completions_last_touch / exposed */
        completion_rate: number | null;
      }[];
    }[];
  };
  computed_at: string;
  /** Until when it is kept, or may be; absent for live figures */
  expires_at?: string;
  source: {
    /** live: From rows; cache: Worked out a while ago */
    kind: 'live' | 'cache';
    /** Tables that it was read from, by commas */
    dataset: string;
    /** <name>@<version of its definition> */
    query: string;
    window: {
      /** Inclusive */
      start: string;
      /** Exclusive */
      end: string;
    };
    timezone: string;
    bucket: 'hour' | 'day' | 'week' | 'month';
    /** Time up to which recorded data is included */
    data_through: string;
    filters: { [key: string]: string };
    /** Length of the longest list or series of the value */
    row_count: number;
    sampled: boolean;
  };
};

/** Completions within the period by objective, voided ones left out, and the value that each was credited with; attributed is what journeys led to. Every active objective is there. */
export type InsightObjectiveTotalValue = {
  name: 'objective-total-value';
  value: {
    /** Most first; 200 at most */
    objectives: {
      objective_id: string;
      key: string;
      name: string;
      completions: number;
      /** Value that a completion is credited with now */
      unit_value_cents: number;
      /** Sum in cents of the team’s currency. A sum beyond ±(2^53−1) is shown as that limit */
      value_cents: number;
      /** Sum in cents of the team’s currency. A sum beyond ±(2^53−1) is shown as that limit */
      attributed_value_cents: number;
    }[];
    /** Whether there are more rows than are shown */
    truncated: boolean;
    total_completions: number;
    /** Sum in cents of the team’s currency. A sum beyond ±(2^53−1) is shown as that limit */
    total_value_cents: number;
    /** Sum in cents of the team’s currency. A sum beyond ±(2^53−1) is shown as that limit */
    attributed_value_cents: number;
  };
  computed_at: string;
  /** Until when it is kept, or may be; absent for live figures */
  expires_at?: string;
  source: {
    /** live: From rows; cache: Worked out a while ago */
    kind: 'live' | 'cache';
    /** Tables that it was read from, by commas */
    dataset: string;
    /** <name>@<version of its definition> */
    query: string;
    window: {
      /** Inclusive */
      start: string;
      /** Exclusive */
      end: string;
    };
    timezone: string;
    bucket: 'hour' | 'day' | 'week' | 'month';
    /** Time up to which recorded data is included */
    data_through: string;
    filters: { [key: string]: string };
    /** Length of the longest list or series of the value */
    row_count: number;
    sampled: boolean;
  };
};

/** Events of people in widgets of the kind opt_in: widget.loaded, widget.submitted, opt_in.granted and opt_in.revoked, the channel being properties.channel; properties.confirmed marks an opt-in that was confirmed by a second step. */
export type InsightOptInWidget = {
  name: 'opt-in-widget';
  value: {
    bucket: 'hour' | 'day' | 'week' | 'month';
    loads: number;
    /** Who loaded it or answered */
    unique_contacts: number;
    submissions: number;
    opt_ins: { email: number; sms: number; push: number };
    opt_outs: { email: number; sms: number; push: number };
    confirmed_double_opt_in: number;
    /** Contacts who opted in to a channel / unique_contacts */
    opt_in_rate: number | null;
    series: {
      /** Start of the bucket in UTC */
      start: string;
      loads: number;
      opt_ins: number;
      opt_outs: number;
    }[];
  };
  computed_at: string;
  /** Until when it is kept, or may be; absent for live figures */
  expires_at?: string;
  source: {
    /** live: From rows; cache: Worked out a while ago */
    kind: 'live' | 'cache';
    /** Tables that it was read from, by commas */
    dataset: string;
    /** <name>@<version of its definition> */
    query: string;
    window: {
      /** Inclusive */
      start: string;
      /** Exclusive */
      end: string;
    };
    timezone: string;
    bucket: 'hour' | 'day' | 'week' | 'month';
    /** Time up to which recorded data is included */
    data_through: string;
    filters: { [key: string]: string };
    /** Length of the longest list or series of the value */
    row_count: number;
    sampled: boolean;
  };
};

/** Templates that were made before the end of the period and are not deleted, by the status that they had at its end. launched, archived and expired count changes to that status within the period, so that a template can count twice; resuming is no launch. active is how many were launched at the end of a bucket. */
export type InsightOverallNumberOfCampaigns = {
  name: 'overall-number-of-campaigns';
  value: {
    bucket: 'hour' | 'day' | 'week' | 'month';
    total: number;
    by_status: {
      draft: number;
      scheduled: number;
      launched: number;
      paused: number;
      archived: number;
      expired: number;
    };
    launched_in_period: number;
    archived_in_period: number;
    expired_in_period: number;
    active_at_end: number;
    series: {
      /** Start of the bucket in UTC */
      start: string;
      launched: number;
      active: number;
    }[];
  };
  computed_at: string;
  /** Until when it is kept, or may be; absent for live figures */
  expires_at?: string;
  source: {
    /** live: From rows; cache: Worked out a while ago */
    kind: 'live' | 'cache';
    /** Tables that it was read from, by commas */
    dataset: string;
    /** <name>@<version of its definition> */
    query: string;
    window: {
      /** Inclusive */
      start: string;
      /** Exclusive */
      end: string;
    };
    timezone: string;
    bucket: 'hour' | 'day' | 'week' | 'month';
    /** Time up to which recorded data is included */
    data_through: string;
    filters: { [key: string]: string };
    /** Length of the longest list or series of the value */
    row_count: number;
    sampled: boolean;
  };
};

/** Events of people within the period, by page: page.viewed, page.cta_clicked, page.form_submitted. A contact completes a page by its completion_rule; an objective counts when it is completed within the period, after a view. Totals add up the pages, so that a contact counts once for each. */
export type InsightPages = {
  name: 'pages';
  value: {
    /** Most first; 200 at most */
    pages: {
      page_id: string;
      template_id: string;
      name: string;
      views: number;
      /** Who viewed it */
      unique_contacts: number;
      cta_clicks: number;
      unique_clickers: number;
      /** unique_clickers / unique_contacts */
      click_rate: number | null;
      /** Contacts who did what completes the page */
      completions: number;
      /** completions / unique_contacts */
      completion_rate: number | null;
    }[];
    /** Whether there are more rows than are shown */
    truncated: boolean;
    totals: {
      views: number;
      /** Who viewed it */
      unique_contacts: number;
      cta_clicks: number;
      unique_clickers: number;
      /** unique_clickers / unique_contacts */
      click_rate: number | null;
      /** Contacts who did what completes the page */
      completions: number;
      /** completions / unique_contacts */
      completion_rate: number | null;
    };
  };
  computed_at: string;
  /** Until when it is kept, or may be; absent for live figures */
  expires_at?: string;
  source: {
    /** live: From rows; cache: Worked out a while ago */
    kind: 'live' | 'cache';
    /** Tables that it was read from, by commas */
    dataset: string;
    /** <name>@<version of its definition> */
    query: string;
    window: {
      /** Inclusive */
      start: string;
      /** Exclusive */
      end: string;
    };
    timezone: string;
    bucket: 'hour' | 'day' | 'week' | 'month';
    /** Time up to which recorded data is included */
    data_through: string;
    filters: { [key: string]: string };
    /** Length of the longest list or series of the value */
    row_count: number;
    sampled: boolean;
  };
};

/** The figures of other insights over the period, and over the one of equal length just before it. Value is of all completions within the period, whether a journey led to them or not. change is (current - previous) / previous, null where there was nothing before. */
export type InsightPerformance = {
  name: 'performance';
  value: {
    current: {
      /** Active ones, made before the end */
      contacts: number;
      /** total_enrolled of campaign-enrollment */
      enrolled: number;
      /** From the totals of campaign-performance */
      reached: number;
      /** From the totals of campaign-engagement */
      engaged: number;
      /** From the totals of messages */
      messages_delivered: number;
      /** clicked of the totals of messages */
      clicks: number;
      /** total_completions of objective-total-value */
      completions: number;
      /** Sum in cents of the team’s currency. A sum beyond ±(2^53−1) is shown as that limit */
      value_cents: number;
      /** From total-value-of-opened-products */
      accounts_opened: number;
      /** Sum in cents of the team’s currency. A sum beyond ±(2^53−1) is shown as that limit */
      opened_balance_cents: number;
      /** From the totals of campaign-engagement */
      engagement_rate: number | null;
      /** From the totals of campaign-performance */
      completion_rate: number | null;
    };
    previous: {
      /** Active ones, made before the end */
      contacts: number;
      /** total_enrolled of campaign-enrollment */
      enrolled: number;
      /** From the totals of campaign-performance */
      reached: number;
      /** From the totals of campaign-engagement */
      engaged: number;
      /** From the totals of messages */
      messages_delivered: number;
      /** clicked of the totals of messages */
      clicks: number;
      /** total_completions of objective-total-value */
      completions: number;
      /** Sum in cents of the team’s currency. A sum beyond ±(2^53−1) is shown as that limit */
      value_cents: number;
      /** From total-value-of-opened-products */
      accounts_opened: number;
      /** Sum in cents of the team’s currency. A sum beyond ±(2^53−1) is shown as that limit */
      opened_balance_cents: number;
      /** From the totals of campaign-engagement */
      engagement_rate: number | null;
      /** From the totals of campaign-performance */
      completion_rate: number | null;
    };
    change: {
      contacts: number | null;
      enrolled: number | null;
      reached: number | null;
      engaged: number | null;
      messages_delivered: number | null;
      clicks: number | null;
      completions: number | null;
      value_cents: number | null;
      accounts_opened: number | null;
      opened_balance_cents: number | null;
      engagement_rate: number | null;
      completion_rate: number | null;
    };
  };
  computed_at: string;
  /** Until when it is kept, or may be; absent for live figures */
  expires_at?: string;
  source: {
    /** live: From rows; rollup: From sums; cache: Worked out a while ago */
    kind: 'live' | 'rollup' | 'cache';
    /** Tables that it was read from, by commas */
    dataset: string;
    /** <name>@<version of its definition> */
    query: string;
    window: {
      /** Inclusive */
      start: string;
      /** Exclusive */
      end: string;
    };
    timezone: string;
    bucket: 'hour' | 'day' | 'week' | 'month';
    /** Time up to which recorded data is included */
    data_through: string;
    filters: { [key: string]: string };
    /** Length of the longest list or series of the value */
    row_count: number;
    sampled: boolean;
  };
};

/** Accounts that were opened within the period, with their present balance, none counting as 0. An account is attributed when its contact had a journey, not held back, that began in the 90 days before it was opened. */
export type InsightTotalValueOfOpenedProducts = {
  name: 'total-value-of-opened-products';
  value: {
    bucket: 'hour' | 'day' | 'week' | 'month';
    accounts_opened: number;
    /** Sum in cents of the team’s currency. A sum beyond ±(2^53−1) is shown as that limit */
    total_balance_cents: number;
    average_balance_cents: number | null;
    attributed_accounts: number;
    /** Sum in cents of the team’s currency. A sum beyond ±(2^53−1) is shown as that limit */
    attributed_balance_cents: number;
    series: {
      /** Start of the bucket in UTC */
      start: string;
      accounts_opened: number;
      /** Sum in cents of the team’s currency. A sum beyond ±(2^53−1) is shown as that limit */
      balance_cents: number;
    }[];
  };
  computed_at: string;
  /** Until when it is kept, or may be; absent for live figures */
  expires_at?: string;
  source: {
    /** live: From rows; cache: Worked out a while ago */
    kind: 'live' | 'cache';
    /** Tables that it was read from, by commas */
    dataset: string;
    /** <name>@<version of its definition> */
    query: string;
    window: {
      /** Inclusive */
      start: string;
      /** Exclusive */
      end: string;
    };
    timezone: string;
    bucket: 'hour' | 'day' | 'week' | 'month';
    /** Time up to which recorded data is included */
    data_through: string;
    filters: { [key: string]: string };
    /** Length of the longest list or series of the value */
    row_count: number;
    sampled: boolean;
  };
};

/** Accounts that were opened within the period, with their present balance, none counting as 0. An account is attributed when its contact had a journey, not held back, that began in the 90 days before it was opened. */
export type InsightValueOfOpenedProducts = {
  name: 'value-of-opened-products';
  value: {
    /** Most first; 200 at most */
    products: {
      kind: 'deposit' | 'loan' | 'credit' | 'investment' | 'other';
      product_id?: string;
      accounts_opened: number;
      /** Sum in cents of the team’s currency. A sum beyond ±(2^53−1) is shown as that limit */
      balance_cents: number;
      average_balance_cents: number | null;
      attributed_accounts: number;
      /** Sum in cents of the team’s currency. A sum beyond ±(2^53−1) is shown as that limit */
      attributed_balance_cents: number;
      /** Share of the balance of all */
      share: number | null;
    }[];
    /** Whether there are more rows than are shown */
    truncated: boolean;
    totals: {
      accounts_opened: number;
      /** Sum in cents of the team’s currency. A sum beyond ±(2^53−1) is shown as that limit */
      balance_cents: number;
      average_balance_cents: number | null;
      attributed_accounts: number;
      /** Sum in cents of the team’s currency. A sum beyond ±(2^53−1) is shown as that limit */
      attributed_balance_cents: number;
    };
  };
  computed_at: string;
  /** Until when it is kept, or may be; absent for live figures */
  expires_at?: string;
  source: {
    /** live: From rows; cache: Worked out a while ago */
    kind: 'live' | 'cache';
    /** Tables that it was read from, by commas */
    dataset: string;
    /** <name>@<version of its definition> */
    query: string;
    window: {
      /** Inclusive */
      start: string;
      /** Exclusive */
      end: string;
    };
    timezone: string;
    bucket: 'hour' | 'day' | 'week' | 'month';
    /** Time up to which recorded data is included */
    data_through: string;
    filters: { [key: string]: string };
    /** Length of the longest list or series of the value */
    row_count: number;
    sampled: boolean;
  };
};

/** Events of people in widgets of the kind opt_in: widget.loaded, widget.submitted, opt_in.granted and opt_in.revoked, the channel being properties.channel; properties.confirmed marks an opt-in that was confirmed by a second step. */
export type TemplateInsightOptInWidget = {
  name: 'opt-in-widget';
  value: {
    template_id: string;
    bucket: 'hour' | 'day' | 'week' | 'month';
    loads: number;
    /** Who loaded it or answered */
    unique_contacts: number;
    submissions: number;
    opt_ins: { email: number; sms: number; push: number };
    opt_outs: { email: number; sms: number; push: number };
    confirmed_double_opt_in: number;
    /** Contacts who opted in to a channel / unique_contacts */
    opt_in_rate: number | null;
    series: {
      /** Start of the bucket in UTC */
      start: string;
      loads: number;
      opt_ins: number;
      opt_outs: number;
    }[];
  };
  computed_at: string;
  /** Until when it is kept, or may be; absent for live figures */
  expires_at?: string;
  source: {
    /** live: From rows; cache: Worked out a while ago */
    kind: 'live' | 'cache';
    /** Tables that it was read from, by commas */
    dataset: string;
    /** <name>@<version of its definition> */
    query: string;
    window: {
      /** Inclusive */
      start: string;
      /** Exclusive */
      end: string;
    };
    timezone: string;
    bucket: 'hour' | 'day' | 'week' | 'month';
    /** Time up to which recorded data is included */
    data_through: string;
    filters: { [key: string]: string };
    /** Length of the longest list or series of the value */
    row_count: number;
    sampled: boolean;
  };
};

/** Counts the events identity.challenge_* of the contacts of the template. The time to pass is measured from the latest challenge of the contact; by_factor counts by properties.factor. */
export type TemplateInsightSecurePersonalization = {
  name: 'secure-personalization';
  value: {
    template_id: string;
    bucket: 'hour' | 'day' | 'week' | 'month';
    challenges_presented: number;
    passed: number;
    failed: number;
    locked: number;
    /** passed / challenges_presented */
    pass_rate: number | null;
    unique_contacts: number;
    median_seconds_to_pass: number | null;
    by_factor: { factor: string; presented: number; passed: number; failed: number }[];
    series: {
      /** Start of the bucket in UTC */
      start: string;
      presented: number;
      passed: number;
    }[];
  };
  computed_at: string;
  /** Until when it is kept, or may be; absent for live figures */
  expires_at?: string;
  source: {
    /** live: From rows; cache: Worked out a while ago */
    kind: 'live' | 'cache';
    /** Tables that it was read from, by commas */
    dataset: string;
    /** <name>@<version of its definition> */
    query: string;
    window: {
      /** Inclusive */
      start: string;
      /** Exclusive */
      end: string;
    };
    timezone: string;
    bucket: 'hour' | 'day' | 'week' | 'month';
    /** Time up to which recorded data is included */
    data_through: string;
    filters: { [key: string]: string };
    /** Length of the longest list or series of the value */
    row_count: number;
    sampled: boolean;
  };
};
export type WidgetTokenCreate = {
  /** The recipient; not needed for a widget of kind enrollment */
  contact_id?: string;
  /** Instead of contact_id: the partner’s own key */
  contact_unique_id?: string;
  /** The newest open one of the contact if absent */
  journey_id?: string;
  /** The template, where the widget names none */
  template_id?: string;
  /** The only page that may use it; one of allowed_origins */
  origin?: string;
  /** Both if absent */
  scopes?: ('widget:journey:render' | 'widget:events:write')[];
  /** The contact’s if absent */
  locale?: string;
  /** authenticated: your own login verifies the recipient, who answers no further question. It is written to the audit trail */
  assurance?: 'none' | 'authenticated';
};
export type WidgetToken = {
  /** dow_… */
  access_token: string;
  token_type: 'Bearer';
  /** Seconds */
  expires_in: number;
  expires_at: string;
  scope: string;
  widget_instance_id: string;
  contact_id?: string;
  journey_id?: string;
};
export type RevokeWidgetTokensRequest = {
  /** One token; all of the widget if absent */
  access_token?: string;
};
export type BootstrapWidgetRequest = {
  /** The part after # of the link of the recipient; instead of a widget token */
  link_token?: string;
};
export type RecipientWidget = {
  type: 'recipient_widget';
  team_id: string;
  id: string;
  widget_kind:
    'journey' | 'enrollment' | 'opt_in' | 'card_on_file' | 'mobile_app' | 'secure_personalization';
  card_on_file?: CardOnFile;
  opt_in?: OptIn;
  mobile_app?: MobileApp;
};
export type RecipientPageSummary = {
  type: 'recipient_page_summary';
  team_id: string;
  id: string;
  /** Rendered */
  title: string;
  /** Unique in the template */
  path?: string;
  kind: 'welcome' | 'step' | 'form' | 'checklist' | 'widget' | 'completion';
  position: number;
  /** The objective that completing the page counts for */
  objective_id?: string;
  completion_rule: 'viewed' | 'cta_clicked' | 'form_submitted' | 'objective_completed';
  is_viewed: boolean;
  /** By its completion_rule */
  is_completed: boolean;
  /** Whether the recipient has done the step: by its completion_rule, and with the rule viewed by its content (a form was sent, the listed objectives are completed, a button was clicked, or else the recipient went on) */
  is_done: boolean;
  /** Shown only once the recipient has passed an identity challenge */
  is_locked: boolean;
};
export type RecipientSession = {
  /** When the cookie expires; absent before the bootstrap */
  expires_at?: string;
  /** To be sent as X-CSRF-Token with every change by cookie */
  csrf_token?: string;
  /** Assurance of the identity of the recipient; with none, personal fields are not shown */
  assurance: 'none' | 'recognized' | 'authenticated' | 'verified';
  /** Whether there is an identity challenge that would raise the assurance */
  can_verify: boolean;
};
export type RecipientJourney = {
  type: 'recipient_journey';
  team_id: string;
  journey: {
    id: string;
    status: string;
    enrolled_at: string;
    completed_at?: string;
    deadline_at?: string;
    /** Seen last */
    current_page_id?: string;
    objectives: {
      id: string;
      key: string;
      name: string;
      /** Absent while it is pending */
      completed_at?: string;
    }[];
    progress: {
      pages_viewed: number;
      /** Pages whose step is_done */
      pages_done: number;
      pages_total: number;
      objectives_completed: number;
      objectives_total: number;
    };
  };
  team: { name: string };
  template: {
    id: string;
    name: string;
    /** The settings of the widget that the session began with; with a link, of the first open widget of the team that has a theme, one of the template before others */
    theme: { [key: string]: unknown };
  };
  locale: string;
  widget?: RecipientWidget;
  pages: RecipientPageSummary[];
  session: RecipientSession;
};
export type RecipientPage = {
  type: 'recipient_page';
  team_id: string;
  id: string;
  /** Rendered */
  title: string;
  /** Unique in the template */
  path?: string;
  kind: 'welcome' | 'step' | 'form' | 'checklist' | 'widget' | 'completion';
  position: number;
  /** The objective that completing the page counts for */
  objective_id?: string;
  completion_rule: 'viewed' | 'cta_clicked' | 'form_submitted' | 'objective_completed';
  is_viewed: boolean;
  /** By its completion_rule */
  is_completed: boolean;
  /** Whether the recipient has done the step: by its completion_rule, and with the rule viewed by its content (a form was sent, the listed objectives are completed, a button was clicked, or else the recipient went on) */
  is_done: boolean;
  /** Shown only once the recipient has passed an identity challenge */
  is_locked: boolean;
  /** Whether it contains data of the recipient; else defaults stand there */
  is_personalized: boolean;
  /** Sanitized; absent while it is locked */
  html?: string;
  widget?: RecipientWidget;
};
export type RecordRecipientEventsRequest = {
  /** At most 50; recorded all or none */
  events: {
    /** Repeats of it within journey and kind are dropped */
    unique_id: string;
    kind:
      | 'page.viewed'
      | 'page.cta_clicked'
      | 'page.form_submitted'
      | 'page.continued'
      | 'widget.loaded'
      | 'widget.started'
      | 'widget.submitted'
      | 'widget.completed'
      | 'widget.failed'
      | 'widget.dismissed'
      | 'opt_in.granted'
      | 'opt_in.revoked';
    /** Now if absent */
    occurred_at?: string;
    /** A page of the journey */
    page_id?: string;
    /** At most 8 KB of JSON */
    properties?: { [key: string]: unknown };
  }[];
};
export type RecordRecipientEventsResponse = { accepted: number; duplicates: number };
export type SetRecipientConsentRequest = {
  status: 'subscribed' | 'unsubscribed';
  /** The wording that was shown; kept as evidence */
  disclosure?: string;
};
export type RecipientConsent = {
  type: 'recipient_consent';
  team_id: string;
  channel: 'email' | 'sms' | 'push';
  status: 'pending' | 'subscribed' | 'unsubscribed';
  updated_at?: string;
};
export type IdentityChallengeCreate = {
  /** postal_code, date_of_birth (2000-01-31), the last four characters of the customer number, or a code of six digits that this request sends: to the number (otp_sms) or the address (otp_email) */
  factor?: 'postal_code' | 'date_of_birth' | 'unique_id_last4' | 'otp_sms' | 'otp_email';
};
export type IdentityChallenge = {
  type: 'identity_challenge';
  team_id: string;
  id: string;
  /** postal_code, date_of_birth (2000-01-31), the last four characters of the customer number, or a code of six digits that this request sends: to the number (otp_sms) or the address (otp_email) */
  factor: 'postal_code' | 'date_of_birth' | 'unique_id_last4' | 'otp_sms' | 'otp_email';
  /** Factors that can be requested instead */
  offered_factors: (
    'postal_code' | 'date_of_birth' | 'unique_id_last4' | 'otp_sms' | 'otp_email'
  )[];
  /** Wrong answers until the lock: of a network, or of all for questions about recorded data */
  attempts_left: number;
  expires_at: string;
};
export type AnswerIdentityChallengeRequest = { answer: string };
export type IdentityVerdict = {
  status: 'passed' | 'failed';
  /** After a wrong answer */
  attempts_left?: number;
  session?: RecipientSession;
};

/** Fields of a new contact, who needs email or phone; ignored where the token names one */
export type EnrollRecipientRequest = {
  first_name?: string;
  last_name?: string;
  email?: string;
  /** As people write it; without a country code, by the rules of the country in the locale of the team */
  phone?: string;
  postal_code?: string;
  /** BCP 47; the team’s if absent */
  locale?: string;
};
export type ExportCreate = {
  kind: 'contacts' | 'accounts' | 'objective_completions' | 'archived_messages' | 'contact_reads';
  /** csv if absent; archived_messages are ndjson only */
  format?: 'csv' | 'ndjson';
  /** The filters of the list, by the names of its parameters: filter[status][in] */
  filters?: { [key: string]: string };
};
export type Export = {
  id: string;
  type: 'export';
  team_id: string;
  kind:
    | 'contacts'
    | 'accounts'
    | 'objective_completions'
    | 'archived_messages'
    | 'contact_reads'
    | 'contact';
  /** json: of one contact only */
  format: 'csv' | 'ndjson' | 'json';
  status: 'queued' | 'running' | 'succeeded' | 'failed';
  filters?: { [key: string]: string };
  /** Whom it is about, with kind contact */
  contact_id?: string;
  /** Rows so far */
  row_count: number;
  /** Size of the file so far */
  size_bytes: number;
  /** SHA-256 of the last line so far, of archived_messages: the end of the chain */
  chain_sha256?: string;
  error?: { code: string; detail: string };
  requested_by_client_id: string;
  started_at?: string;
  completed_at?: string;
  /** The file is kept until then */
  expires_at: string;
  inserted_at: string;
  updated_at: string;
};
export type ListExportsResponse = Paged<Export>;
export type WebhookSubscription = {
  id: string;
  type: 'webhook_subscription';
  team_id: string;
  name?: string;
  description?: string;
  /** https URL that receives the events by POST. A change removes the headers of the delivery settings */
  target_url: string;
  /** Exact event types, "prefix.*" or "*" */
  event_types: string[];
  is_active: boolean;
  /** Set by the service; PATCH false enables the subscription again */
  is_disabled_for_failures: boolean;
  /** Deliveries that failed permanently since the last success */
  consecutive_permanent_failures: number;
  last_delivered_at?: string;
  /** Event types of `event_types` that are sent without their data, since the client that last set `event_types` or `target_url` lacked the scope that reads the resource */
  thin_event_types: { event_type: string; required_scope: string }[];
  /** Event types of `event_types` that are sent only until their `sunset_at` */
  deprecated_event_types: {
    event_type: string;
    sunset_at: string;
    /** The event type to list instead */
    replacement?: string;
    reason: string;
  }[];
  inserted_at: string;
  updated_at: string;
};
export type ListWebhookSubscriptionsResponse = Paged<WebhookSubscription>;
export type WebhookSubscriptionCreate = {
  type?: 'webhook_subscription';
  name?: string | null;
  description?: string | null;
  /** https URL that receives the events by POST. A change removes the headers of the delivery settings */
  target_url: string;
  /** Exact event types, "prefix.*" or "*" */
  event_types: string[];
  is_active?: boolean;
};
export type CreatedWebhookSubscription = {
  id: string;
  type: 'webhook_subscription';
  team_id: string;
  name?: string;
  description?: string;
  /** https URL that receives the events by POST. A change removes the headers of the delivery settings */
  target_url: string;
  /** Exact event types, "prefix.*" or "*" */
  event_types: string[];
  is_active: boolean;
  /** Set by the service; PATCH false enables the subscription again */
  is_disabled_for_failures: boolean;
  /** Deliveries that failed permanently since the last success */
  consecutive_permanent_failures: number;
  last_delivered_at?: string;
  /** Event types of `event_types` that are sent without their data, since the client that last set `event_types` or `target_url` lacked the scope that reads the resource */
  thin_event_types: { event_type: string; required_scope: string }[];
  /** Event types of `event_types` that are sent only until their `sunset_at` */
  deprecated_event_types: {
    event_type: string;
    sunset_at: string;
    /** The event type to list instead */
    replacement?: string;
    reason: string;
  }[];
  inserted_at: string;
  updated_at: string;
  /** whsec_… (Standard Webhooks); shown only here */
  signing_secret: string;
};
export type WebhookSubscriptionPatch = {
  type?: 'webhook_subscription';
  name?: string | null;
  description?: string | null;
  /** https URL that receives the events by POST. A change removes the headers of the delivery settings */
  target_url?: string;
  /** Exact event types, "prefix.*" or "*" */
  event_types?: string[];
  is_active?: boolean;
  /** Set by the service; PATCH false enables the subscription again */
  is_disabled_for_failures?: boolean;
};
export type ListWebhookEventTypesResponse = {
  data: {
    name: string;
    description: string;
    since: string;
    deprecation?: Deprecation;
    /** Reads the resource; without it the event is sent thin */
    required_scope: string;
    schema: unknown;
  }[];
};
export type RotateWebhookSecretRequest = {
  overlap_seconds?: number;
  /** Ends a rotation that is under way */
  force?: boolean;
};
export type RotatedSecret = {
  /** whsec_…; shown only here */
  signing_secret: string;
  /** Until then the old secret signs too */
  previous_expires_at?: string;
};
export type TestWebhookSubscriptionRequest = {
  /** A name of the catalog; the body is then its example */
  event_type?: string;
};
export type WebhookDelivery = {
  id: string;
  type: 'webhook_delivery';
  team_id: string;
  subscription_id: string;
  /** Also the webhook-id header */
  event_id: string;
  event_type: string;
  status: 'pending' | 'retrying' | 'delivered' | 'failed' | 'suppressed';
  trigger: 'event' | 'test' | 'replay' | 'manual';
  attempt_count: number;
  next_attempt_at?: string;
  last_attempt_at?: string;
  /** Status of the last attempt */
  http_status?: number;
  /** Why the last attempt failed, or why it was not made */
  error_code?: string;
  completed_at?: string;
  inserted_at: string;
  updated_at: string;
};
export type ListWebhookDeliveriesResponse = Paged<WebhookDelivery>;
export type WebhookDeliveryCounts = {
  subscription_id: string;
  window: {
    /** Inclusive */
    start: string;
    /** Exclusive */
    end: string;
  };
  /** Deliveries that were recorded in the window */
  total: number;
  /** As they stand now */
  by_status: {
    pending: number;
    retrying: number;
    delivered: number;
    failed: number;
    suppressed: number;
  };
  by_event_type: { [key: string]: number };
  /** Share of delivered among deliveries that were delivered or failed permanently; null where none are */
  success_rate: number | null;
  /** Attempts for these deliveries, whenever they were made */
  attempts: number;
  /** Half of the attempts took no longer, of the newest 10,000 deliveries; null where none were made */
  p50_ms: number | null;
  /** The same of 95 % */
  p95_ms: number | null;
  computed_at: string;
};
export type WebhookAttempt = {
  id: string;
  type: 'webhook_attempt';
  team_id: string;
  subscription_id: string;
  /** 1, 2, 3 … without gaps */
  number: number;
  trigger: 'scheduled' | 'probe' | 'test' | 'replay' | 'manual';
  url: string;
  remote_ip?: string;
  requested_at: string;
  responded_at?: string;
  duration_ms: number;
  http_status?: number;
  response_headers?: { [key: string]: string };
  response_body?: string;
  response_truncated: boolean;
  error_code?: string;
  error_detail?: string;
  next_attempt_at?: string;
};
export type WebhookDeliveryDetails = {
  id: string;
  type: 'webhook_delivery';
  team_id: string;
  subscription_id: string;
  /** Also the webhook-id header */
  event_id: string;
  event_type: string;
  status: 'pending' | 'retrying' | 'delivered' | 'failed' | 'suppressed';
  trigger: 'event' | 'test' | 'replay' | 'manual';
  attempt_count: number;
  next_attempt_at?: string;
  last_attempt_at?: string;
  /** Status of the last attempt */
  http_status?: number;
  /** Why the last attempt failed, or why it was not made */
  error_code?: string;
  completed_at?: string;
  inserted_at: string;
  updated_at: string;
  /** While it is in trouble: the workflow that looks after it */
  workflow_id?: string;
  /** With include=attempts; the newest 100 */
  attempts?: WebhookAttempt[];
  /** With include=event, for partner:webhooks:write: the body as it is sent */
  event?: { [key: string]: unknown };
};
export type ListWebhookAttemptsResponse = Paged<WebhookAttempt>;
export type WebhookDeliverySettings = {
  id: string;
  type: 'webhook_delivery_settings';
  team_id: string;
  /** Attempts, evenly spread */
  rate_limit_per_second?: number;
  /** Attempts at the same time; 48 where it is not set */
  max_concurrency?: number;
  /** fifo: one at a time, in the order in which events were recorded; what fails holds up the rest */
  ordering: 'none' | 'fifo';
  /** Time limit of an attempt, connection and whole answer included; the service has a default */
  timeout_seconds: number;
  /** Names of the further headers in lower case; their values are never shown */
  header_names: string[];
  /** When the further headers were last changed */
  headers_changed_at?: string;
  /** Every call carries a second signature, v1a, that the public key verifies */
  asymmetric_signing: boolean;
  /** whpk_… (Ed25519); another one each time signing is switched on */
  public_key?: string;
  inserted_at: string;
  updated_at: string;
};
export type WebhookDeliverySettingsPatch = {
  type?: 'webhook_delivery_settings';
  rate_limit_per_second?: number | null;
  max_concurrency?: number | null;
  /** fifo: one at a time, in the order in which events were recorded; what fails holds up the rest */
  ordering?: 'none' | 'fifo';
  timeout_seconds?: number | null;
  /** Every call carries a second signature, v1a, that the public key verifies */
  asymmetric_signing?: boolean;
  headers?: { [key: string]: string } | null;
};
export type ReplayWebhooksRequest = {
  delivery_ids?: string[];
  /** Deliveries of a window of 30 days at most */
  filter?: {
    /** Inclusive, by inserted_at; 30 days before the end if absent */
    since?: string;
    /** Exclusive; now if absent or later */
    until?: string;
    status?: ('pending' | 'retrying' | 'delivered' | 'failed' | 'suppressed')[];
    event_type?: string[];
  };
  /** Deliveries a second, on average over some seconds */
  rate_per_second?: number;
  /** Only say what would be replayed */
  dry_run?: boolean;
};
export type AskedWebhookReplay = {
  /** Absent in a dry run, which is not stored */
  id?: string;
  type: 'webhook_replay';
  team_id: string;
  subscription_id: string;
  /** failed: an internal error occurred repeatedly; what was replayed before stays so */
  status: 'pending' | 'running' | 'completed' | 'canceled' | 'failed';
  /** Nothing was replayed: the counts show what a replay would do */
  dry_run: boolean;
  /** Deliveries that were requested */
  matched: number;
  /** Started over so far; completed says that all of them are */
  replayed: number;
  /** Deliveries among them that have been delivered */
  succeeded: number;
  /** Deliveries among them that failed permanently, were suppressed or canceled */
  failed: number;
  /** Deliveries whose event has been deleted */
  skipped: number;
  /** Start of the window, inclusive */
  since?: string;
  /** End of the window, exclusive */
  until?: string;
  rate_per_second: number;
  inserted_at: string;
  started_at?: string;
  finished_at?: string;
};
export type WebhookReplay = {
  id: string;
  type: 'webhook_replay';
  team_id: string;
  subscription_id: string;
  /** failed: an internal error occurred repeatedly; what was replayed before stays so */
  status: 'pending' | 'running' | 'completed' | 'canceled' | 'failed';
  /** Nothing was replayed: the counts show what a replay would do */
  dry_run: boolean;
  /** Deliveries that were requested */
  matched: number;
  /** Started over so far; completed says that all of them are */
  replayed: number;
  /** Deliveries among them that have been delivered */
  succeeded: number;
  /** Deliveries among them that failed permanently, were suppressed or canceled */
  failed: number;
  /** Deliveries whose event has been deleted */
  skipped: number;
  /** Start of the window, inclusive */
  since?: string;
  /** End of the window, exclusive */
  until?: string;
  rate_per_second: number;
  inserted_at: string;
  started_at?: string;
  finished_at?: string;
};
export type ListWebhookReplaysResponse = Paged<WebhookReplay>;
export type IncomingWebhookReceiver = {
  id: string;
  type: 'incoming_webhook_receiver';
  team_id: string;
  /** Fixed once the receiver is made */
  receiver_kind:
    | 'email_a'
    | 'email_b'
    | 'email_c'
    | 'sms_a'
    | 'sms_b'
    | 'push_a'
    | 'push_b'
    | 'file_transfer_a'
    | 'generic_hmac';
  name?: string;
  /** Calls to an inactive receiver answer 410 */
  is_active: boolean;
  /** Counted from the first acceptance of a key; 0 accepts every call */
  dedup_window_seconds: number;
  /** False accepts unsigned calls, but never a call with a wrong signature */
  signature_required: boolean;
  /** The address to configure at the provider */
  receive_url: string;
  /** When the last call was accepted */
  last_received_at?: string;
  last_signature_failure_at?: string;
  /** Calls with an invalid signature since the last valid one */
  consecutive_signature_failures: number;
  inserted_at: string;
  updated_at: string;
};
export type ListIncomingWebhookReceiversResponse = Paged<IncomingWebhookReceiver>;
export type IncomingWebhookReceiverCreate = {
  type?: 'incoming_webhook_receiver';
  /** Fixed once the receiver is made */
  receiver_kind:
    | 'email_a'
    | 'email_b'
    | 'email_c'
    | 'sms_a'
    | 'sms_b'
    | 'push_a'
    | 'push_b'
    | 'file_transfer_a'
    | 'generic_hmac';
  name?: string | null;
  is_active?: boolean | null;
  dedup_window_seconds?: number | null;
  signature_required?: boolean | null;
  verification?: {
    /** The topics that may send here */
    topic_arns?: unknown;
    /** The account whose topics may send here */
    topic_account_id?: unknown;
    /** Confirm and pin the first topic of topic_account_id, within 24 hours of creation */
    auto_confirm?: unknown;
    /** Accept SignatureVersion 1, which is SHA-1. Set the attribute SignatureVersion of the topic to 2 instead, where that is possible */
    allow_signature_version_1?: unknown;
    max_age_seconds?: unknown;
    /** Ed25519, base64 of 32 bytes, as the provider shows it */
    public_key?: unknown;
    /** The secret, where the sender makes it; else ours is used, as it is shown */
    signing_key?: unknown;
    /** Answered instead of 401 and 410: the provider then stops sending a call again */
    stop_status?: unknown;
    /** The account’s auth token */
    auth_token?: unknown;
    /** The account that callbacks must name */
    account_id?: unknown;
    /** Replies that revoke the SMS consent, in addition to STOP and the like */
    opt_out_words?: unknown;
    /** Replies that give the SMS consent, in addition to START and UNSTOP */
    opt_in_words?: unknown;
    /** Signature that the bus sends; oidc if absent */
    profile?: unknown;
    /** For the profile vonage_jwt */
    signature_secret?: unknown;
    /** Default: the receiver’s URL */
    audience?: unknown;
    /** The account whose tokens the bus sends */
    service_account_email?: unknown;
    /** The only subscription that may send here */
    subscription?: unknown;
    /** Default standard (Standard Webhooks); the settings below change details of the others */
    preset?: unknown;
    /** Header of the signature */
    signature_header?: unknown;
    algorithm?: unknown;
    encoding?: unknown;
    /** Before the signature, such as sha256= */
    prefix?: unknown;
    /** Content that is signed */
    content?: unknown;
    /** Header of the timestamp, in Unix seconds */
    timestamp_header?: unknown;
    /** Header of the id that is signed */
    id_header?: unknown;
    /** Where a body of the sender’s own form holds the id of the event: a header, or a JSON Pointer */
    event_id_at?: unknown;
    /** Where a body of the sender’s own form holds the type of the event: a header, or a JSON Pointer */
    event_type_at?: unknown;
    type?: 'receiver_verification';
    /** Ignored */
    team_id?: unknown;
    /** Ignored */
    scheme?: unknown;
    /** Ignored */
    status?: unknown;
    /** Ignored */
    accepted_headers?: unknown;
    /** Ignored */
    secrets?: unknown;
    /** Ignored */
    pending_confirmation?: unknown;
  } | null;
};

/** Settings are those of the kind */
export type ReceiverVerification = {
  type: 'receiver_verification';
  team_id: string;
  /** The topics that may send here */
  topic_arns?: string[];
  /** The account whose topics may send here */
  topic_account_id?: string;
  /** Confirm and pin the first topic of topic_account_id, within 24 hours of creation */
  auto_confirm?: boolean;
  /** Accept SignatureVersion 1, which is SHA-1. Set the attribute SignatureVersion of the topic to 2 instead, where that is possible */
  allow_signature_version_1?: boolean;
  max_age_seconds?: unknown;
  public_key?: unknown;
  /** Answered instead of 401 and 410: the provider then stops sending a call again */
  stop_status?: 406;
  /** The account that callbacks must name */
  account_id?: string;
  /** Replies that revoke the SMS consent, in addition to STOP and the like */
  opt_out_words?: string[];
  /** Replies that give the SMS consent, in addition to START and UNSTOP */
  opt_in_words?: string[];
  profile?: unknown;
  /** Default: the receiver’s URL */
  audience?: string;
  /** The account whose tokens the bus sends */
  service_account_email?: string;
  /** The only subscription that may send here */
  subscription?: string;
  /** Default standard (Standard Webhooks); the settings below change details of the others */
  preset?: 'standard' | 'hex_prefixed' | 'base64_body' | 'timestamped';
  /** Header of the signature */
  signature_header?: string;
  algorithm?: 'sha256' | 'sha512';
  encoding?: 'hex' | 'base64';
  /** Before the signature, such as sha256= */
  prefix?: string;
  /** Content that is signed */
  content?: 'body' | 'timestamp.body' | 'id.timestamp.body';
  /** Header of the timestamp, in Unix seconds */
  timestamp_header?: string;
  /** Header of the id that is signed */
  id_header?: string;
  /** Where a body of the sender’s own form holds the id of the event: a header, or a JSON Pointer */
  event_id_at?: string;
  /** Where a body of the sender’s own form holds the type of the event: a header, or a JSON Pointer */
  event_type_at?: string;
  /** Name of the native scheme of the kind */
  scheme: string;
  /** Whether native calls can be verified; relayed calls and those with a token always can */
  status: 'configured' | 'unconfigured' | 'pending_confirmation';
  /** Headers that carry the signature */
  accepted_headers: string[];
  /** The material that is set, newest first */
  secrets: {
    name: string;
    /** Its last four characters */
    hint: string;
    /** A replaced secret is accepted until then */
    expires_at?: string;
    inserted_at: string;
  }[];
  /** A topic subscription waits for confirmation: POST …/confirm-subscription */
  pending_confirmation?: { delivery_id: string; topic_arn: string; received_at: string };
};
export type CreatedIncomingWebhookReceiver = {
  id: string;
  type: 'incoming_webhook_receiver';
  team_id: string;
  /** Fixed once the receiver is made */
  receiver_kind:
    | 'email_a'
    | 'email_b'
    | 'email_c'
    | 'sms_a'
    | 'sms_b'
    | 'push_a'
    | 'push_b'
    | 'file_transfer_a'
    | 'generic_hmac';
  name?: string;
  /** Calls to an inactive receiver answer 410 */
  is_active: boolean;
  /** Counted from the first acceptance of a key; 0 accepts every call */
  dedup_window_seconds: number;
  /** False accepts unsigned calls, but never a call with a wrong signature */
  signature_required: boolean;
  /** The address to configure at the provider */
  receive_url: string;
  /** When the last call was accepted */
  last_received_at?: string;
  last_signature_failure_at?: string;
  /** Calls with an invalid signature since the last valid one */
  consecutive_signature_failures: number;
  inserted_at: string;
  updated_at: string;
  verification: ReceiverVerification;
  /** Shown only here */
  secrets: {
    /** whsec_… (Standard Webhooks): signs normalized bodies of any kind */
    relay_secret: string;
    /** dors_…, for kinds that prove themselves by a token */
    receiver_token?: string;
  };
};
export type IncomingWebhookReceiverPatch = {
  type?: 'incoming_webhook_receiver';
  /** Fixed once the receiver is made */
  receiver_kind?:
    | 'email_a'
    | 'email_b'
    | 'email_c'
    | 'sms_a'
    | 'sms_b'
    | 'push_a'
    | 'push_b'
    | 'file_transfer_a'
    | 'generic_hmac';
  name?: string | null;
  /** Calls to an inactive receiver answer 410 */
  is_active?: boolean;
  /** Counted from the first acceptance of a key; 0 accepts every call */
  dedup_window_seconds?: number;
  /** False accepts unsigned calls, but never a call with a wrong signature */
  signature_required?: boolean;
  verification?: {
    /** The topics that may send here */
    topic_arns?: unknown;
    /** The account whose topics may send here */
    topic_account_id?: unknown;
    /** Confirm and pin the first topic of topic_account_id, within 24 hours of creation */
    auto_confirm?: unknown;
    /** Accept SignatureVersion 1, which is SHA-1. Set the attribute SignatureVersion of the topic to 2 instead, where that is possible */
    allow_signature_version_1?: unknown;
    max_age_seconds?: unknown;
    /** Ed25519, base64 of 32 bytes, as the provider shows it */
    public_key?: unknown;
    /** The secret, where the sender makes it; else ours is used, as it is shown */
    signing_key?: unknown;
    /** Answered instead of 401 and 410: the provider then stops sending a call again */
    stop_status?: unknown;
    /** The account’s auth token */
    auth_token?: unknown;
    /** The account that callbacks must name */
    account_id?: unknown;
    /** Replies that revoke the SMS consent, in addition to STOP and the like */
    opt_out_words?: unknown;
    /** Replies that give the SMS consent, in addition to START and UNSTOP */
    opt_in_words?: unknown;
    /** Signature that the bus sends; oidc if absent */
    profile?: unknown;
    /** For the profile vonage_jwt */
    signature_secret?: unknown;
    /** Default: the receiver’s URL */
    audience?: unknown;
    /** The account whose tokens the bus sends */
    service_account_email?: unknown;
    /** The only subscription that may send here */
    subscription?: unknown;
    /** Default standard (Standard Webhooks); the settings below change details of the others */
    preset?: unknown;
    /** Header of the signature */
    signature_header?: unknown;
    algorithm?: unknown;
    encoding?: unknown;
    /** Before the signature, such as sha256= */
    prefix?: unknown;
    /** Content that is signed */
    content?: unknown;
    /** Header of the timestamp, in Unix seconds */
    timestamp_header?: unknown;
    /** Header of the id that is signed */
    id_header?: unknown;
    /** Where a body of the sender’s own form holds the id of the event: a header, or a JSON Pointer */
    event_id_at?: unknown;
    /** Where a body of the sender’s own form holds the type of the event: a header, or a JSON Pointer */
    event_type_at?: unknown;
    type?: 'receiver_verification';
    /** Ignored */
    team_id?: unknown;
    /** Ignored */
    scheme?: unknown;
    /** Ignored */
    status?: unknown;
    /** Ignored */
    accepted_headers?: unknown;
    /** Ignored */
    secrets?: unknown;
    /** Ignored */
    pending_confirmation?: unknown;
  } | null;
};
export type TestIncomingWebhookReceiverRequest = {
  /** An event that the kind has a sample of */
  event?: string;
};
export type InboundDelivery = {
  id: string;
  type: 'inbound_delivery';
  team_id: string;
  receiver_id: string;
  receiver_kind:
    | 'email_a'
    | 'email_b'
    | 'email_c'
    | 'sms_a'
    | 'sms_b'
    | 'push_a'
    | 'push_b'
    | 'file_transfer_a'
    | 'generic_hmac';
  /** failed: taken, but not applied; it is tried again, and can be replayed */
  status:
    | 'processed'
    | 'failed'
    | 'ignored'
    | 'pending_confirmation'
    | 'rejected_signature'
    | 'rejected_invalid';
  /** Route by which it was submitted; absent where it was refused */
  mode?: 'native' | 'normalized' | 'normalized_enveloped' | 'bearer';
  signature_status: 'verified' | 'unsigned' | 'invalid' | 'missing' | 'expired';
  /** A sample of the service, without side effects */
  is_test: boolean;
  http_status: number;
  /** The provider’s word */
  event_type?: string;
  /** The call, where it held several events */
  batch_id?: string;
  /** The place in that call */
  event_index?: number;
  provider_event_id?: string;
  dedup_key?: string;
  /** Calls with the same key within the window, which changed nothing */
  duplicate_count: number;
  /** As the provider echoed it */
  do_message_id?: string;
  /** As the provider echoed it */
  do_contact_id?: string;
  /** As the provider echoed it */
  do_journey_id?: string;
  /** The resources of the team that it was found to be about */
  linked: {
    message_id?: string;
    message_delivery_id?: string;
    contact_id?: string;
    journey_id?: string;
    engagement_event_id?: string;
  };
  /** Ids that match nothing here */
  link_error?: string;
  size_bytes: number;
  body_sha256?: string;
  /** Whether the bytes are still stored */
  raw_available: boolean;
  raw_expires_at?: string;
  attempts: number;
  next_attempt_at?: string;
  error?: { code: string; detail: string };
  /** The code of the error */
  last_error?: string;
  received_at: string;
  processed_at?: string;
  replay_count: number;
};

/** Settings and secrets of the kind; merged, null clears one */
export type ReceiverVerificationPatch = {
  /** The topics that may send here */
  topic_arns?: unknown;
  /** The account whose topics may send here */
  topic_account_id?: unknown;
  /** Confirm and pin the first topic of topic_account_id, within 24 hours of creation */
  auto_confirm?: unknown;
  /** Accept SignatureVersion 1, which is SHA-1. Set the attribute SignatureVersion of the topic to 2 instead, where that is possible */
  allow_signature_version_1?: unknown;
  max_age_seconds?: unknown;
  /** Ed25519, base64 of 32 bytes, as the provider shows it */
  public_key?: unknown;
  /** The secret, where the sender makes it; else ours is used, as it is shown */
  signing_key?: unknown;
  /** Answered instead of 401 and 410: the provider then stops sending a call again */
  stop_status?: unknown;
  /** The account’s auth token */
  auth_token?: unknown;
  /** The account that callbacks must name */
  account_id?: unknown;
  /** Replies that revoke the SMS consent, in addition to STOP and the like */
  opt_out_words?: unknown;
  /** Replies that give the SMS consent, in addition to START and UNSTOP */
  opt_in_words?: unknown;
  /** Signature that the bus sends; oidc if absent */
  profile?: unknown;
  /** For the profile vonage_jwt */
  signature_secret?: unknown;
  /** Default: the receiver’s URL */
  audience?: unknown;
  /** The account whose tokens the bus sends */
  service_account_email?: unknown;
  /** The only subscription that may send here */
  subscription?: unknown;
  /** Default standard (Standard Webhooks); the settings below change details of the others */
  preset?: unknown;
  /** Header of the signature */
  signature_header?: unknown;
  algorithm?: unknown;
  encoding?: unknown;
  /** Before the signature, such as sha256= */
  prefix?: unknown;
  /** Content that is signed */
  content?: unknown;
  /** Header of the timestamp, in Unix seconds */
  timestamp_header?: unknown;
  /** Header of the id that is signed */
  id_header?: unknown;
  /** Where a body of the sender’s own form holds the id of the event: a header, or a JSON Pointer */
  event_id_at?: unknown;
  /** Where a body of the sender’s own form holds the type of the event: a header, or a JSON Pointer */
  event_type_at?: unknown;
  type?: 'receiver_verification';
  /** Ignored */
  team_id?: unknown;
  /** Ignored */
  scheme?: unknown;
  /** Ignored */
  status?: unknown;
  /** Ignored */
  accepted_headers?: unknown;
  /** Ignored */
  secrets?: unknown;
  /** Ignored */
  pending_confirmation?: unknown;
};
export type RotateReceiverSecretRequest = {
  /** Ends a rotation that is under way */
  force?: boolean;
};
export type RotatedReceiverSecrets = {
  /** Shown only here */
  secrets: {
    /** whsec_… */
    relay_secret: string;
    /** dors_… */
    receiver_token?: string;
  };
  /** Until then the old secrets are accepted too */
  previous_expires_at?: string;
};
export type ConfirmReceiverSubscriptionRequest = {
  /** Which of several; it is pinned */
  topic_arn?: string;
};
export type Upload = {
  id: string;
  type: 'upload';
  team_id: string;
  format: 'csv' | 'ndjson';
  /** Received in full; a file that was cut off is no upload */
  status: 'received';
  /** Size of the file, at most 200,000,000 */
  size_bytes: number;
  /** SHA-256 of the file in hexadecimal */
  sha256: string;
  /** It is deleted then, unless an operation is still reading it */
  expires_at: string;
  inserted_at: string;
  updated_at: string;
};
export type EmailA = {
  kind: 'email_a';
  email_a_event_type:
    | 'Send'
    | 'Delivery'
    | 'Bounce'
    | 'Complaint'
    | 'Open'
    | 'Click'
    | 'Reject'
    | 'RenderingFailure'
    | 'DeliveryDelay';
  email_a_message_id: string;
  source: string;
  destination: string[];
  timestamp: string;
  do_message_id?: string;
  do_contact_id?: string;
  do_journey_id?: string;
  raw_topic_message_id: string;
  /** The untouched envelope: its X.509 signature then proves this body */
  raw_topic_envelope?: { [key: string]: unknown };
  bounce?: {
    /** Permanent, Transient or Undetermined */
    bounce_type?: string;
    bounce_sub_type?: string;
    feedback_id?: string;
    timestamp?: string;
    remote_mta_ip?: string;
    reporting_mta?: string;
    recipients?: {
      email_address?: string;
      status?: string;
      action?: string;
      diagnostic_code?: string;
    }[];
  };
  complaint?: {
    feedback_type?: string;
    sub_type?: string;
    feedback_id?: string;
    user_agent?: string;
    arrival_date?: string;
    timestamp?: string;
    recipients?: {
      email_address?: string;
      status?: string;
      action?: string;
      diagnostic_code?: string;
    }[];
  };
  open?: { ip_address?: string; user_agent?: string; timestamp?: string };
  click?: {
    ip_address?: string;
    user_agent?: string;
    timestamp?: string;
    link?: string;
    link_tags?: unknown;
  };
  delivery?: { [key: string]: unknown };
  reject?: { [key: string]: unknown };
  failure?: { [key: string]: unknown };
  delivery_delay?: { [key: string]: unknown };
};

/** HTTP notification of Amazon SNS */
export type TopicEnvelope = {
  Type: 'Notification' | 'SubscriptionConfirmation' | 'UnsubscribeConfirmation';
  MessageId: string;
  /** Must be one of topic_arns of the receiver */
  TopicArn: string;
  /** The event of the provider, as JSON text */
  Message: string;
  Timestamp: string;
  SignatureVersion: string;
  /** X.509 signature in base64 */
  Signature: string;
  SigningCertURL: string;
  /** Address that confirms the subscription */
  SubscribeURL?: string;
  [key: string]: unknown;
};
export type InboundReceipt = {
  /** Duplicate: every event was received before */
  status: 'accepted' | 'duplicate';
  /** The first delivery that was created; for a duplicate, the earlier delivery */
  delivery_id: string;
  accepted: number;
  duplicates: number;
  /** In the order of the events */
  delivery_ids: string[];
};
export type EmailB = {
  kind: 'email_b';
  event:
    | 'processed'
    | 'deferred'
    | 'delivered'
    | 'dropped'
    | 'bounce'
    | 'blocked'
    | 'open'
    | 'click'
    | 'spamreport'
    | 'unsubscribe'
    | 'group_unsubscribe'
    | 'group_resubscribe';
  recipient: string;
  /** Unix seconds */
  timestamp: number;
  /** An event without one is known by the digest of its content */
  email_b_event_id?: string;
  /** Links the event to a message that was sent */
  message_id?: string;
  smtp_id?: string;
  bounce_type?: 'bounce' | 'blocked' | 'expired';
  bounce_classification?: string;
  reason?: string;
  /** RFC 3463, x.y.z */
  status?: string;
  response?: string;
  attempt?: number;
  url?: string;
  user_agent?: string;
  ip?: string;
  unsubscribe_group_id?: number;
  is_machine_open?: boolean;
  categories?: string[];
  do_message_id?: string;
  do_contact_id?: string;
  do_journey_id?: string;
};
export type ReceiveEmailBRequest = EmailB | EmailB[];

/** Event of the Twilio SendGrid event webhook */
export type EmailBNativeEvent = {
  email: string;
  /** Seconds since 1970 */
  timestamp: number;
  /** processed, delivered, deferred, bounce, dropped, open, click, spamreport … */
  event: string;
  sg_event_id?: string;
  sg_message_id?: string;
  url?: string;
  reason?: string;
  useragent?: string;
  ip?: string;
  [key: string]: unknown;
};
export type EmailC = {
  kind: 'email_c';
  event:
    | 'delivered'
    | 'opened'
    | 'clicked'
    | 'failed'
    | 'unsubscribed'
    | 'complained'
    | 'accepted'
    | 'rejected';
  recipient: string;
  /** Unix seconds */
  timestamp: number;
  email_c_event_id: string;
  message_id: string;
  do_message_id?: string;
  do_contact_id?: string;
  do_journey_id?: string;
  severity?: 'permanent' | 'temporary';
  reason?: string;
  delivery_status?: {
    code?: unknown;
    message?: string;
    description?: string;
    enhanced_code?: string;
    mx_host?: string;
    attempt_no?: unknown;
    tls?: unknown;
    session_seconds?: unknown;
    certificate_verified?: unknown;
    bounce_type?: string;
  };
  url?: string;
  client_info?: {
    client_name?: string;
    client_os?: string;
    client_type?: string;
    device_type?: string;
    user_agent?: string;
    bot?: string;
  };
  ip?: string;
};

/** Webhook of Mailgun */
export type EmailCNativeEvent = {
  signature: { timestamp: string; token: string; signature: string };
  'event-data': {
    id?: string;
    /** delivered, opened, clicked, unsubscribed, complained or failed */
    event: string;
    /** Seconds since 1970 */
    timestamp: number;
    recipient?: string;
    /** For failed: permanent or temporary */
    severity?: string;
    'user-variables'?: { [key: string]: unknown };
    [key: string]: unknown;
  };
  [key: string]: unknown;
};

/** Older form post of Mailgun */
export type EmailCForm = {
  /** delivered, opened, clicked, unsubscribed, complained, dropped or bounced */
  event: string;
  /** Seconds since 1970 */
  timestamp: string;
  token: string;
  signature: string;
  recipient?: string;
  'Message-Id'?: string;
  [key: string]: unknown;
};
export type SmsA = {
  kind: 'sms_a';
  event:
    | 'accepted'
    | 'scheduled'
    | 'queued'
    | 'sending'
    | 'sent'
    | 'delivered'
    | 'undelivered'
    | 'failed'
    | 'canceled'
    | 'read'
    | 'received';
  sms_a_message_id: string;
  sms_a_account_id?: string;
  messaging_service_id?: string;
  to: string;
  from?: string;
  error_code?: string | null;
  error_message?: string | null;
  /** To the minute */
  carrier_done_at?: string;
  /** The time of receipt, where the provider sends none */
  timestamp?: string;
  text?: string;
  segments?: number;
  opt_out?: boolean;
  opt_in?: boolean;
  do_message_id?: string;
  do_contact_id?: string;
  do_journey_id?: string;
};

/** Status callback or incoming message of Twilio */
export type SmsAForm = {
  MessageSid: string;
  /** queued, sent, delivered, undelivered, failed or received */
  MessageStatus: string;
  AccountSid: string;
  /** E.164 */
  To: string;
  /** E.164 */
  From: string;
  /** Text of a message that was received */
  Body?: string;
  ErrorCode?: string;
  [key: string]: unknown;
};
export type SmsB = {
  kind: 'sms_b';
  event_type: 'message_sent' | 'message_finalized' | 'message_received';
  status:
    | 'queued'
    | 'sending'
    | 'sent'
    | 'delivered'
    | 'sending_failed'
    | 'delivery_failed'
    | 'delivery_unconfirmed'
    | 'expired'
    | 'received';
  sms_b_event_id: string;
  sms_b_message_id: string;
  occurred_at: string;
  to: string;
  from?: string;
  text?: string;
  parts?: number;
  carrier?: string;
  error_code?: string;
  error_detail?: string;
  attempt?: number;
  opt_out?: boolean;
  opt_in?: boolean;
  do_message_id?: string;
  do_contact_id?: string;
  do_journey_id?: string;
};

/** Messaging webhook of Telnyx; the profile vonage_jwt takes those of Vonage */
export type SmsBNativeEvent = {
  data: {
    record_type: 'event';
    id: string;
    /** message.sent, message.finalized or message.received */
    event_type: string;
    occurred_at: string;
    payload: { [key: string]: unknown };
    [key: string]: unknown;
  };
  meta?: { [key: string]: unknown };
  [key: string]: unknown;
};
export type PushA = {
  kind: 'push_a';
  event:
    | 'accepted'
    | 'sent'
    | 'delivered'
    | 'received'
    | 'opened'
    | 'dismissed'
    | 'failed'
    | 'token_invalid';
  push_a_message_id: string;
  timestamp: string;
  raw_bus_message_id: string;
  bus_subscription?: string;
  bus_publish_time?: string;
  delivery_attempt?: number;
  /** SHA-256 of the token, hex */
  device_token_hash?: string;
  platform?: 'ios' | 'android' | 'web' | 'other';
  app_id?: string;
  error_code?: string;
  error_message?: string;
  do_message_id?: string;
  do_contact_id?: string;
  do_journey_id?: string;
};

/** Push request of Google Cloud Pub/Sub */
export type PushAMessage = {
  message: {
    /** The delivery event as JSON in base64 */
    data: string;
    attributes?: { [key: string]: string };
    messageId: string;
    publishTime?: string;
    [key: string]: unknown;
  };
  subscription: string;
  [key: string]: unknown;
};
export type PushB = {
  kind: 'push_b';
  event: 'sent' | 'received' | 'clicked' | 'failed' | 'unsubscribed' | 'token_invalid';
  push_b_event_id: string;
  push_b_message_id: string;
  /** Unix seconds */
  timestamp: number;
  app_id?: string;
  subscription_id?: string;
  /** Our contact’s unique_id, where there is no do_contact_id */
  external_id?: string;
  platform?: string;
  failure_reason?: string;
  url?: string;
  do_message_id?: string;
  do_contact_id?: string;
  do_journey_id?: string;
};

/** Event stream of OneSignal */
export type PushBNativeEvent = {
  event: {
    /** message.push. and the event */
    kind: string;
    id: string;
    timestamp: number;
    [key: string]: unknown;
  };
  message?: { [key: string]: unknown };
  [key: string]: unknown;
};
export type FileTransferA = {
  kind: 'file_transfer_a';
  event_type: 'file_uploaded' | 'file_upload_failed';
  server_id: string;
  username: string;
  path: string;
  size_bytes?: number;
  sha256?: string;
  upload_started_at: string;
  upload_completed_at: string;
  raw_topic_message_id: string;
  /** The untouched envelope: its X.509 signature then proves this body */
  raw_topic_envelope?: { [key: string]: unknown };
  client_ip?: string;
  failure_code?: string;
  failure_message?: string;
  do_message_id?: string;
  do_contact_id?: string;
  do_journey_id?: string;
};
export type GenericHmac = {
  kind: 'generic_hmac';
  vendor?: string;
  event_type: string;
  event_id: string;
  occurred_at: string;
  channel?: 'email' | 'sms' | 'push' | 'file' | 'web' | 'other';
  status?:
    | 'queued'
    | 'sent'
    | 'delivered'
    | 'opened'
    | 'clicked'
    | 'bounced'
    | 'failed'
    | 'complained'
    | 'unsubscribed'
    | 'received'
    | 'other';
  recipient?: string;
  contact_unique_id?: string;
  /** Key of an objective that the contact completed */
  objective_key?: string;
  /** Value of the completion; another one is left out */
  value_cents?: number;
  data?: { [key: string]: unknown };
  do_message_id?: string;
  do_contact_id?: string;
  do_journey_id?: string;
};
export type ListInboundDeliveriesResponse = Paged<
  InboundDelivery & { relationships?: { payload?: { [key: string]: unknown } | null } }
>;
export type InboundDeliveryDetails = {
  id: string;
  type: 'inbound_delivery';
  team_id: string;
  receiver_id: string;
  receiver_kind:
    | 'email_a'
    | 'email_b'
    | 'email_c'
    | 'sms_a'
    | 'sms_b'
    | 'push_a'
    | 'push_b'
    | 'file_transfer_a'
    | 'generic_hmac';
  /** failed: taken, but not applied; it is tried again, and can be replayed */
  status:
    | 'processed'
    | 'failed'
    | 'ignored'
    | 'pending_confirmation'
    | 'rejected_signature'
    | 'rejected_invalid';
  /** Route by which it was submitted; absent where it was refused */
  mode?: 'native' | 'normalized' | 'normalized_enveloped' | 'bearer';
  signature_status: 'verified' | 'unsigned' | 'invalid' | 'missing' | 'expired';
  /** A sample of the service, without side effects */
  is_test: boolean;
  http_status: number;
  /** The provider’s word */
  event_type?: string;
  /** The call, where it held several events */
  batch_id?: string;
  /** The place in that call */
  event_index?: number;
  provider_event_id?: string;
  dedup_key?: string;
  /** Calls with the same key within the window, which changed nothing */
  duplicate_count: number;
  /** As the provider echoed it */
  do_message_id?: string;
  /** As the provider echoed it */
  do_contact_id?: string;
  /** As the provider echoed it */
  do_journey_id?: string;
  /** The resources of the team that it was found to be about */
  linked: {
    message_id?: string;
    message_delivery_id?: string;
    contact_id?: string;
    journey_id?: string;
    engagement_event_id?: string;
  };
  /** Ids that match nothing here */
  link_error?: string;
  size_bytes: number;
  body_sha256?: string;
  /** Whether the bytes are still stored */
  raw_available: boolean;
  raw_expires_at?: string;
  attempts: number;
  next_attempt_at?: string;
  error?: { code: string; detail: string };
  /** The code of the error */
  last_error?: string;
  received_at: string;
  processed_at?: string;
  replay_count: number;
  /** The event in the normalized form of its kind */
  payload?: { [key: string]: unknown };
  /** Some; signatures are removed */
  headers?: { [key: string]: string };
  /** The call as it came; with include=raw, for partner:incoming-webhooks:write */
  raw?: {
    /** With the query */
    path: string;
    content_type?: string;
    encoding: 'utf8' | 'base64';
    body: string;
  };
};
export type InboundDeliveryCounts = {
  receiver_id: string;
  window: {
    /** Inclusive */
    start: string;
    /** Exclusive */
    end: string;
  };
  /** Events that came, duplicates and refused calls included */
  total: number;
  /** duplicate: events that were here before */
  by_status: {
    processed: number;
    failed: number;
    ignored: number;
    pending_confirmation: number;
    rejected_signature: number;
    rejected_invalid: number;
    duplicate: number;
  };
  by_event_type: { [key: string]: number };
  by_signature_status: {
    verified: number;
    unsigned: number;
    invalid: number;
    missing: number;
    expired: number;
  };
  /** Refused calls beyond 100 an hour, which have no row and are in no other count; whole hours */
  dropped_rejections: number;
  computed_at: string;
};
export type ReplayInboundWebhooksRequest = {
  delivery_ids?: string[];
  /** Deliveries of a window of 30 days at most */
  filter?: {
    /** Inclusive, by received_at; 30 days before the end if absent */
    since?: string;
    /** Exclusive; now if absent or later */
    until?: string;
    status?: (
      | 'processed'
      | 'failed'
      | 'ignored'
      | 'pending_confirmation'
      | 'rejected_signature'
      | 'rejected_invalid'
    )[];
    event_type?: string[];
  };
  /** Deliveries a second, on average over some seconds */
  rate_per_second?: number;
  /** Only say what would be replayed */
  dry_run?: boolean;
};
export type AskedInboundReplay = {
  /** Absent in a dry run, which is not stored */
  id?: string;
  type: 'inbound_replay';
  team_id: string;
  receiver_id: string;
  /** failed: an internal error occurred repeatedly; what was replayed before stays so */
  status: 'pending' | 'running' | 'completed' | 'canceled' | 'failed';
  /** Nothing was replayed: the counts show what a replay would do */
  dry_run: boolean;
  /** Deliveries that were requested */
  matched: number;
  /** Applied again so far, well or not */
  replayed: number;
  /** Deliveries among them that could be applied */
  succeeded: number;
  /** Deliveries among them that could not; they can be replayed again */
  failed: number;
  /** Rejected calls, samples, and deliveries whose payload was deleted */
  skipped: number;
  /** Start of the window, inclusive */
  since?: string;
  /** End of the window, exclusive */
  until?: string;
  rate_per_second: number;
  inserted_at: string;
  started_at?: string;
  finished_at?: string;
};
export type InboundReplay = {
  id: string;
  type: 'inbound_replay';
  team_id: string;
  receiver_id: string;
  /** failed: an internal error occurred repeatedly; what was replayed before stays so */
  status: 'pending' | 'running' | 'completed' | 'canceled' | 'failed';
  /** Nothing was replayed: the counts show what a replay would do */
  dry_run: boolean;
  /** Deliveries that were requested */
  matched: number;
  /** Applied again so far, well or not */
  replayed: number;
  /** Deliveries among them that could be applied */
  succeeded: number;
  /** Deliveries among them that could not; they can be replayed again */
  failed: number;
  /** Rejected calls, samples, and deliveries whose payload was deleted */
  skipped: number;
  /** Start of the window, inclusive */
  since?: string;
  /** End of the window, exclusive */
  until?: string;
  rate_per_second: number;
  inserted_at: string;
  started_at?: string;
  finished_at?: string;
};
export type ListInboundReplaysResponse = Paged<InboundReplay>;
export type OperationDescriptor = {
  kind: string;
  category?: string;
  summary: string;
  /** natural: repeats do no harm; keyed: an Idempotency-Key is required */
  idempotency_mode: 'natural' | 'keyed';
  /** partial_ok: each item stands for itself; transactional: all or nothing */
  failure_mode: 'partial_ok' | 'transactional';
  /** More items are run by themselves; absent: one item in a request */
  bulk_threshold?: number;
  execution_mode?: 'sync' | 'async';
  /** In addition to ipaas:operations:execute */
  required_scopes: string[];
  /** The rate budget of the team that it uses */
  rate_limit_class?: 'read' | 'write' | 'bulk' | 'execute';
  /** JSON Schema 2020-12 of `input`, and of each of `items` */
  input_schema: { [key: string]: unknown };
  /** JSON Schema 2020-12 of `output` in each result */
  output_schema: { [key: string]: unknown };
  notes?: string;
};
export type ListOperationsResponse = Paged<OperationDescriptor>;
export type ExecuteOperationRequest = {
  /** By the input_schema of the operation */
  input?: unknown;
  /** Instead of input; at most 10000 */
  items?: unknown[];
  options?: {
    /** Try everything and keep nothing; false if absent */
    dry_run?: boolean;
    /** full: with the output of each item; ids: without; none: only the items that failed */
    return?: 'full' | 'ids' | 'none';
  };
};
export type OperationReport = {
  /** Null: it is done, and there is nothing to poll */
  execution_id: string | null;
  /** succeeded_with_errors: some items failed; failed: all did */
  status: 'succeeded' | 'succeeded_with_errors' | 'failed';
  dry_run: boolean;
  summary: { total: number; succeeded: number; failed: number; skipped: number };
  results: {
    /** Place among the items */
    index: number;
    status: 'created' | 'updated' | 'unchanged' | 'skipped' | 'failed';
    resource_type?: string;
    /** The resource */
    id?: string;
    /** Pointers begin at the body */
    errors: { code: string; title: string; detail: string; meta?: { [key: string]: unknown } }[];
    /** By the output_schema */
    output?: unknown;
  }[];
};
export type ListExecutionsResponse = Paged<OperationExecution>;
export type OperationResult = {
  /** Its place among the items, counted from 0 */
  index: number;
  status: 'created' | 'updated' | 'unchanged' | 'skipped' | 'failed';
  resource_type?: string;
  resource_id?: string;
  /** Pointers begin at the item */
  errors: { code: string; detail: string; meta?: { [key: string]: unknown } }[];
  /** By the output_schema of the operation */
  output?: unknown;
};
export type GetExecutionResultResponse = Paged<OperationResult>;
export type OperationItem = {
  /** Its place among the items, counted from 0 */
  index: number;
  status: 'created' | 'updated' | 'unchanged' | 'skipped' | 'failed';
  resource_type?: string;
  resource_id?: string;
  /** Pointers begin at the item */
  errors: { code: string; detail: string; meta?: { [key: string]: unknown } }[];
};
export type ListExecutionItemsResponse = Paged<OperationItem>;
export type BatchOperationCreate = {
  /** As GET /v2/ipaas/operations lists them */
  operation_kind: string;
  /** At most 10000; more come as an upload */
  items?: unknown[];
  /** Instead of items: of a file that was sent to /v2/batch/uploads */
  upload_id?: string;
  /** Names of fields by names of columns, for a CSV file whose columns have others; null leaves a column out */
  mapping?: { [key: string]: string | null };
  /** For a CSV file of contacts: by the names of columns of yes and no, the consents that they are. Yes is subscribed, no is unsubscribed, and an empty cell changes nothing */
  consent_columns?: {
    [key: string]: {
      channel: 'email' | 'sms' | 'push';
      /** Where the consents were given, which is stored with each */
      source: string;
      /** Evidence, such as the wording shown or a reference to it, which is stored with each */
      evidence?: string;
    };
  };
  options?: {
    /** The operation’s own if absent; transactional takes 1,000 items */
    failure_mode?: 'partial_ok' | 'transactional';
    /** Try every item and keep nothing; false if absent */
    dry_run?: boolean;
    /** Send batch_operation.started, and the event of the state it ends in; false if absent */
    notify_webhook?: boolean;
  };
};
export type BatchOperation = {
  id: string;
  type: 'batch_operation';
  team_id: string;
  operation_kind: string;
  /** succeeded_with_errors: some items failed; failed: all did, or the run as a whole */
  status:
    | 'queued'
    | 'validating'
    | 'running'
    | 'succeeded'
    | 'succeeded_with_errors'
    | 'failed'
    | 'canceling'
    | 'canceled';
  /** Route by which the items were submitted */
  source: 'inline' | 'upload' | 'sftp';
  /** transactional: all items or none */
  failure_mode: 'partial_ok' | 'transactional';
  /** Nothing was applied: the results show what a real run would do */
  dry_run: boolean;
  upload_id?: string;
  /** The batch whose failed items these are */
  retry_of_id?: string;
  /** Items; absent until an upload has been read once */
  total_count?: number;
  /** Items with a result */
  processed_count: number;
  /** Items that were created, updated or unchanged */
  succeeded_count: number;
  failed_count: number;
  skipped_count: number;
  /** The first 20 codes */
  error_summary: {
    code: string;
    count: number;
    /** The first item that failed so */
    sample_index: number;
  }[];
  /** Why it failed as a whole; shown to callers with the scopes of the operation */
  error?: { code: string; detail: string; meta?: { [key: string]: unknown } };
  started_at?: string;
  /** While it is running */
  estimated_completion_at?: string;
  completed_at?: string;
  /** Until then the results of the items are kept */
  expires_at?: string;
  inserted_at: string;
  updated_at: string;
};
export type ValidateBatchOperationRequest = {
  /** As GET /v2/ipaas/operations lists them */
  operation_kind: string;
  /** At most 10000; more come as an upload */
  items?: unknown[];
  /** Instead of items: of a file that was sent to /v2/batch/uploads */
  upload_id?: string;
  /** Names of fields by names of columns, for a CSV file whose columns have others; null leaves a column out */
  mapping?: { [key: string]: string | null };
  /** For a CSV file of contacts: by the names of columns of yes and no, the consents that they are. Yes is subscribed, no is unsubscribed, and an empty cell changes nothing */
  consent_columns?: {
    [key: string]: {
      channel: 'email' | 'sms' | 'push';
      /** Where the consents were given, which is stored with each */
      source: string;
      /** Evidence, such as the wording shown or a reference to it, which is stored with each */
      evidence?: string;
    };
  };
  options?: {
    /** The operation’s own if absent; transactional takes 1,000 items */
    failure_mode?: 'partial_ok' | 'transactional';
    /** Try every item and keep nothing; false if absent */
    dry_run?: boolean;
    /** Send batch_operation.started, and the event of the state it ends in; false if absent */
    notify_webhook?: boolean;
  };
};
export type BatchValidation = {
  /** Absent where it ran synchronously, which is not stored */
  id?: string;
  type: 'batch_operation';
  team_id: string;
  operation_kind: string;
  /** succeeded_with_errors: some items failed; failed: all did, or the run as a whole */
  status:
    | 'queued'
    | 'validating'
    | 'running'
    | 'succeeded'
    | 'succeeded_with_errors'
    | 'failed'
    | 'canceling'
    | 'canceled';
  /** Route by which the items were submitted */
  source: 'inline' | 'upload' | 'sftp';
  /** transactional: all items or none */
  failure_mode: 'partial_ok' | 'transactional';
  /** Nothing was applied: the results show what a real run would do */
  dry_run: boolean;
  upload_id?: string;
  /** The batch whose failed items these are */
  retry_of_id?: string;
  /** Items; absent until an upload has been read once */
  total_count?: number;
  /** Items with a result */
  processed_count: number;
  /** Items that were created, updated or unchanged */
  succeeded_count: number;
  failed_count: number;
  skipped_count: number;
  /** The first 20 codes */
  error_summary: {
    code: string;
    count: number;
    /** The first item that failed so */
    sample_index: number;
  }[];
  /** Why it failed as a whole; shown to callers with the scopes of the operation */
  error?: { code: string; detail: string; meta?: { [key: string]: unknown } };
  started_at?: string;
  /** While it is running */
  estimated_completion_at?: string;
  completed_at?: string;
  /** Until then the results of the items are kept */
  expires_at?: string;
  inserted_at: string;
  updated_at: string;
  /** The outcome that each would have, if it ran synchronously */
  items?: OperationItem[];
};
export type ListBatchOperationsResponse = Paged<BatchOperation>;
export type ListBatchOperationItemsResponse = Paged<OperationItem>;
export type ErasedContact = { id: string; type: 'contact'; team_id: string; erased_at: string };
export type ContactTopicConsentsChanged = {
  /** The contact */
  id: string;
  type: 'contact_topic_consents';
  team_id: string;
  contact_id: string;
  changes: {
    topic_id: string;
    channel: 'email' | 'sms' | 'push';
    consent: {
      status: 'subscribed' | 'unsubscribed';
      /** Where it was given or withdrawn */
      source: string;
      /** Evidence, such as the wording shown or a reference to it */
      evidence?: string;
      /** When the service recorded it */
      updated_at: string;
    };
    previous?: {
      status: 'subscribed' | 'unsubscribed';
      /** Where it was given or withdrawn */
      source: string;
      /** Evidence, such as the wording shown or a reference to it */
      evidence?: string;
      /** When the service recorded it */
      updated_at: string;
    };
  }[];
};
export type FailedTemplate = {
  id: string;
  type: 'template';
  team_id: string;
  name: string;
  use_case?: string;
  description?: string;
  status: 'draft' | 'scheduled' | 'launched' | 'paused' | 'archived' | 'expired';
  is_archived: boolean;
  /** While true only name, description, deadline_at and send_rate_per_minute change */
  is_locked: boolean;
  /** When it launches by itself, within a year; only while scheduled */
  scheduled_at?: string;
  /** First launch */
  launched_at?: string;
  /** Only while paused */
  paused_at?: string;
  expired_at?: string;
  /** Only while archived */
  archived_at?: string;
  locked_at?: string;
  /** The client that locked it */
  locked_by?: string;
  /** When it expires by itself, once scheduled or launched */
  deadline_at?: string;
  /** Number of the newest version; 0 before the first launch */
  template_version: number;
  /** Share of recipients held back for comparison; fixed by the launch */
  holdout_percent?: number;
  send_rate_per_minute?: number;
  /** Whether a journey ends when its objectives are completed */
  exit_on_objectives: boolean;
  /** Whether a journey ends when its contact leaves the cohort that brought it */
  exit_on_leaving_cohort: boolean;
  /** Route by which recipients enter */
  entry: 'manual' | 'on_launch_snapshot' | 'on_cohort_entry';
  /** Whether they may come in again */
  reentry: 'never' | 'after_exit' | 'after_interval';
  /** ISO 8601 duration of days or weeks, with reentry after_interval */
  reentry_interval?: string;
  /** Needed unless entry is manual */
  target_cohort_ids: string[];
  exclusion_cohort_ids: string[];
  secure_personalization: {
    enabled: boolean;
    factors: ('postal_code' | 'date_of_birth' | 'unique_id_last4' | 'otp_sms' | 'otp_email')[];
    max_attempts: number;
    lockout_minutes: number;
  };
  /** Recipients so far */
  enrolled_count: number;
  /** Recipients who are under way */
  active_journey_count: number;
  objective_ids: string[];
  /** In their order; a PATCH can only reorder them */
  page_ids: string[];
  /** In their order; a PATCH can only reorder them */
  message_ids: string[];
  inserted_at: string;
  updated_at: string;
  missing: string[];
};
export type CohortMember = {
  /** The contact */
  id: string;
  type: 'cohort_member';
  team_id: string;
  cohort_id: string;
  contact_id: string;
  /** When it was found to belong */
  joined_at: string;
};
export type CustomEngagementEvent = {
  id: string;
  type: 'engagement_event';
  team_id: string;
  /** Name of the custom event type, as the type of the event */
  kind: string;
  contact_id?: string;
  /** At most 25 months ago */
  occurred_at: string;
  received_at: string;
  source: 'inbound' | 'widget' | 'landing_page' | 'api' | 'batch' | 'system';
  /** Made by a scanner or proxy, not by a person */
  is_machine: boolean;
  /** The published data, by the schema of the custom event type */
  properties: { [key: string]: unknown };
  /** The partner’s own id of the event */
  unique_id: string;
};
export type EndedExport = {
  id: string;
  type: 'export';
  team_id: string;
  kind:
    | 'contacts'
    | 'accounts'
    | 'objective_completions'
    | 'archived_messages'
    | 'contact_reads'
    | 'contact';
  /** json: of one contact only */
  format: 'csv' | 'ndjson' | 'json';
  status: 'queued' | 'running' | 'succeeded' | 'failed';
  /** Whom it is about, with kind contact */
  contact_id?: string;
  /** Rows so far */
  row_count: number;
  /** Size of the file so far */
  size_bytes: number;
  /** SHA-256 of the last line so far, of archived_messages: the end of the chain */
  chain_sha256?: string;
  error?: { code: string; detail: string };
  requested_by_client_id: string;
  started_at?: string;
  completed_at?: string;
  /** The file is kept until then */
  expires_at: string;
  inserted_at: string;
  updated_at: string;
};
export type DeprecatedItem = {
  /** The same for every team and every answer */
  id: string;
  kind: 'endpoint' | 'event_type';
  target: DeprecationTarget;
  /** sunset: `sunset_at` is in the past */
  status: 'deprecated' | 'sunset';
  deprecated_at: string;
  /** It works until then; at least 12 months after `deprecated_at` */
  sunset_at: string;
  replacement: DeprecationTarget | null;
  /** Why, and what to do, in full sentences */
  reason: string;
};
export type DeprecationNotice = {
  /** The team */
  id: string;
  type: 'team';
  team_id: string;
  deprecation: DeprecatedItem;
};
