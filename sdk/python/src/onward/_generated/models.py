"""Written by `npm run generate -- sdk` from the OpenAPI document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Literal, TypedDict

if TYPE_CHECKING:
    from typing_extensions import NotRequired, TypeAlias


class TokenResponse(TypedDict):
    access_token: str
    token_type: Literal["Bearer"]
    # Seconds
    expires_in: int
    # Granted scopes separated by spaces
    scope: str


class GetJwksResponse(TypedDict):
    keys: list[Any]


class GetAuthorizationServerMetadataResponse(TypedDict):
    issuer: str
    token_endpoint: str
    revocation_endpoint: str
    jwks_uri: str
    grant_types_supported: list[str]
    response_types_supported: list[str]
    token_endpoint_auth_methods_supported: list[str]
    scopes_supported: list[str]


class CapabilitiesEndpoints(TypedDict):
    method: str
    path: str
    required_scope: str
    operation_id: str
    rate_limit_class: str
    # per_operation: required for operations whose `idempotency_mode` is keyed
    idempotency: Literal["none", "optional", "required", "per_operation"]


class DeprecationTarget(TypedDict):
    version: NotRequired[str]
    method: NotRequired[str]
    path: NotRequired[str]
    event_type: NotRequired[str]


class CapabilitiesDeprecations(TypedDict):
    # The same for every team and every answer
    id: str
    kind: Literal["version", "endpoint", "event_type"]
    target: DeprecationTarget
    # sunset: `sunset_at` is in the past
    status: Literal["deprecated", "sunset"]
    deprecated_at: str
    # It works until then; at least 12 months after `deprecated_at`
    sunset_at: str
    replacement: DeprecationTarget | None
    # Why, and what to do, in full sentences
    reason: str
    docs_url: str


CapabilitiesRateLimitsLimits = TypedDict(
    "CapabilitiesRateLimitsLimits",
    {
        "class": "str",
        "limit": "int",
        "window_seconds": "int",
        "burst": "int",
        "burst_window_seconds": "int",
        "scope": "Literal['team', 'receiver', 'widget_instance', 'session', 'client_and_address']",
    },
)


CapabilitiesRateLimits = TypedDict(
    "CapabilitiesRateLimits",
    {
        "class": "str",
        "limits": "list[CapabilitiesRateLimitsLimits]",
    },
)


class Capabilities(TypedDict):
    surfaces: list[str]
    # Effective scopes, implied ones included
    scopes: list[str]
    endpoints: list[CapabilitiesEndpoints]
    deprecations: list[CapabilitiesDeprecations]
    rate_limits: CapabilitiesRateLimits


class ErrorCode(TypedDict):
    code: str
    # HTTP status where the code stands first
    status: int
    # Constant; the detail of an error says more
    title: str
    # Steps that resolve the error
    remedy: str
    docs_url: str


class ListErrorCodesResponse(TypedDict):
    data: list[ErrorCode]


class Deprecation(TypedDict):
    deprecated_at: str
    # It works until then; at least 12 months after `deprecated_at`
    sunset_at: str
    replacement: DeprecationTarget | None
    # Why, and what to do, in full sentences
    reason: str


class EventType(TypedDict):
    name: str
    description: str
    # Date since which it is sent
    since: str
    # Reads the resource; without it `data` is thin
    required_scope: str
    deprecation: NotRequired[Deprecation]
    # JSON Schema of `data`, the resource
    data_schema: Any
    # A whole body, made up, with every field
    example: Any


class ListEventTypesResponse(TypedDict):
    data: list[EventType]


class ServerTime(TypedDict):
    now: str


class ContactDetailsConsentsEmail(TypedDict):
    status: Literal["never", "pending", "subscribed", "unsubscribed"]
    # Where it was given or withdrawn; required with a status
    source: NotRequired[str]
    # When the service recorded it; ignored in bodies
    updated_at: NotRequired[str]
    # Evidence, such as the wording shown or a reference to it
    evidence: NotRequired[str]


class ContactDetailsConsents(TypedDict):
    email: ContactDetailsConsentsEmail
    sms: ContactDetailsConsentsEmail
    push: ContactDetailsConsentsEmail


class ContactDetails(TypedDict):
    id: str
    type: Literal["contact"]
    team_id: str
    # The partner’s own key; unique in the team, case-sensitive
    unique_id: NotRequired[str]
    email: NotRequired[str]
    email_status: Literal["unknown", "soft_bouncing", "bounced", "complained", "suppressed"]
    first_name: NotRequired[str]
    last_name: NotRequired[str]
    preferred_name: NotRequired[str]
    # E.164
    phone: NotRequired[str]
    # BCP 47; the team’s if absent
    locale: NotRequired[str]
    # IANA; the team’s if absent
    timezone: NotRequired[str]
    postal_code: NotRequired[str]
    tags: NotRequired[list[str]]
    attributes: NotRequired[dict[str, str | float | bool | list[str]]]
    consents: ContactDetailsConsents
    # Deleting archives
    status: Literal["active", "suppressed", "archived"]
    account_count: int
    open_journey_count: int
    # Last event made by a person
    last_engaged_at: NotRequired[str]
    # The contact that this one was merged into; it is archived
    merged_into_id: NotRequired[str]
    inserted_at: str
    updated_at: str
    # Sealed; shown only to tokens with partner:contacts_sensitive:read
    date_of_birth: NotRequired[str]


class ContactErasure(TypedDict):
    id: str
    type: Literal["contact_erasure"]
    team_id: str
    # The contact, of which nothing but ids is left
    contact_id: str
    # completed: no copy is left
    status: Literal["pending", "sweeping", "completed"]
    requested_by_client_id: NotRequired[str]
    completed_at: NotRequired[str]
    inserted_at: str
    updated_at: str


class ContactTopicConsentsTopicsConsentsEmail(TypedDict):
    # In effect: the choice of the contact, else that of the topic
    status: Literal["subscribed", "unsubscribed"]
    # Whether the contact has made no choice
    is_default: bool
    # Where it was given or withdrawn
    source: NotRequired[str]
    # Evidence, such as the wording shown or a reference to it
    evidence: NotRequired[str]
    # When the service recorded it
    updated_at: NotRequired[str]


class ContactTopicConsentsTopicsConsents(TypedDict):
    email: ContactTopicConsentsTopicsConsentsEmail
    sms: ContactTopicConsentsTopicsConsentsEmail
    push: ContactTopicConsentsTopicsConsentsEmail


class ContactTopicConsentsTopics(TypedDict):
    topic_id: str
    consents: ContactTopicConsentsTopicsConsents


class ContactTopicConsents(TypedDict):
    id: str
    type: Literal["contact_topic_consents"]
    team_id: str
    contact_id: str
    # In the order of the topics, the archived ones as well
    topics: list[ContactTopicConsentsTopics]
    inserted_at: str
    updated_at: str


class TopicLocalizationsValue(TypedDict):
    name: NotRequired[str]
    # Shown to recipients below the name
    description: NotRequired[str]


class Topic(TypedDict):
    id: str
    type: Literal["topic"]
    team_id: str
    # Shown to recipients; unique in the team
    name: str
    # Shown to recipients below the name
    description: NotRequired[str]
    # Order in the preference center, the lowest first; last by default
    position: int
    # Fixed. In effect for contacts that have made no choice: `subscribed` for a topic that they opt out of, `unsubscribed` for one that they opt in to
    default_consent: Literal["subscribed", "unsubscribed"]
    # Name and description in other languages
    localizations: dict[str, TopicLocalizationsValue]
    is_archived: bool
    archived_at: NotRequired[str]
    inserted_at: str
    updated_at: str


class Device(TypedDict):
    id: str
    type: Literal["device"]
    team_id: str
    contact_id: str
    # SHA-256 of the token, in hex
    token_hash: str
    platform: Literal["ios", "android", "web"]
    app_id: NotRequired[str]
    # False once the provider calls the token invalid
    is_active: bool
    # When it was registered last
    last_seen_at: str
    inserted_at: str
    updated_at: str


class Suppression(TypedDict):
    id: str
    type: Literal["suppression"]
    team_id: str
    # email and sms stop an address, all stops a contact altogether
    channel: Literal["email", "sms", "all"]
    # E-mail address or E.164 number; with channel email or sms
    address: NotRequired[str]
    # With channel all
    contact_id: NotRequired[str]
    reason: Literal["manual", "hard_bounce", "soft_bounces", "complaint", "unsubscribe"]
    note: NotRequired[str]
    source: Literal["api", "inbound"]
    inserted_at: str
    updated_at: str


class Account(TypedDict):
    id: str
    type: Literal["account"]
    team_id: str
    contact_id: str
    # The partner’s own key; unique among those of the contact
    unique_id: NotRequired[str]
    name: NotRequired[str]
    kind: Literal["deposit", "loan", "credit", "investment", "other"]
    product_id: NotRequired[str]
    # Follows from opened_at and closed_at
    status: Literal["pending", "open", "closed"]
    opened_at: NotRequired[str]
    # Not before opened_at
    closed_at: NotRequired[str]
    # Amount in cents of the currency of the account
    balance_cents: NotRequired[int]
    # ISO 4217; the team’s when the account was created
    currency: str
    is_primary: bool
    attributes: NotRequired[dict[str, str | float | bool | list[str]]]
    inserted_at: str
    updated_at: str


class Cohort(TypedDict):
    id: str
    type: Literal["cohort"]
    team_id: str
    # Unique in the team, compared without case
    name: str
    description: NotRequired[str]
    # dynamic: by a definition; static: by a list. Fixed
    kind: Literal["dynamic", "static"]
    definition: NotRequired[dict[str, Any]]
    # Rises with each change
    definition_version: int
    # realtime unless given: follows every change, and the clock by the interval. Static ones are on_demand
    evaluation_mode: Literal["realtime", "scheduled", "on_demand"]
    # Between evaluations of all contacts; of realtime and scheduled ones
    refresh_interval_seconds: NotRequired[int]
    # State of the members of a dynamic cohort; failed keeps those of the last evaluation
    evaluation_status: Literal["never", "queued", "evaluating", "ready", "failed"]
    member_count: int
    # The members are those of this time
    last_evaluated_at: NotRequired[str]
    # Duration of the last evaluation in milliseconds
    last_evaluation_ms: NotRequired[int]
    last_error: NotRequired[str]
    is_archived: bool
    archived_at: NotRequired[str]
    inserted_at: str
    updated_at: str


class CohortPreview(TypedDict):
    # Contacts of the team that the definition means at this moment
    count: int
    # Up to 25 of them
    sample_contact_ids: list[str]


class CohortAsked(TypedDict):
    id: str
    type: Literal["cohort"]
    team_id: str
    # Unique in the team, compared without case
    name: str
    description: NotRequired[str]
    # dynamic: by a definition; static: by a list. Fixed
    kind: Literal["dynamic", "static"]
    definition: NotRequired[dict[str, Any]]
    # Rises with each change
    definition_version: int
    # realtime unless given: follows every change, and the clock by the interval. Static ones are on_demand
    evaluation_mode: Literal["realtime", "scheduled", "on_demand"]
    # Between evaluations of all contacts; of realtime and scheduled ones
    refresh_interval_seconds: NotRequired[int]
    # State of the members of a dynamic cohort; failed keeps those of the last evaluation
    evaluation_status: Literal["never", "queued", "evaluating", "ready", "failed"]
    member_count: int
    # The members are those of this time
    last_evaluated_at: NotRequired[str]
    # Duration of the last evaluation in milliseconds
    last_evaluation_ms: NotRequired[int]
    last_error: NotRequired[str]
    is_archived: bool
    archived_at: NotRequired[str]
    inserted_at: str
    updated_at: str
    # Ends when the members are found
    execution_id: str


class OperationExecutionSummary(TypedDict):
    total: NotRequired[int]
    # Items that were created, updated or unchanged
    succeeded: int
    failed: int
    skipped: int


class OperationExecutionProgress(TypedDict):
    # Items with a result
    processed: int
    total: NotRequired[int]


class OperationExecutionError(TypedDict):
    code: str
    detail: str
    meta: NotRequired[dict[str, Any]]


class OperationExecution(TypedDict):
    id: str
    type: Literal["operation_execution"]
    team_id: str
    operation_kind: str
    # succeeded_with_errors: some items failed; failed: all did, or the execution as a whole
    status: Literal["queued", "running", "succeeded", "succeeded_with_errors", "failed", "canceling", "canceled"]
    execution_mode: Literal["sync", "async"]
    idempotency_key: NotRequired[str]
    # Nothing was applied: the results show what a real run would do
    dry_run: bool
    # The execution whose failed items this one retries
    retry_of_id: NotRequired[str]
    # Items that were sent
    input_count: NotRequired[int]
    summary: OperationExecutionSummary
    progress: OperationExecutionProgress
    # Why it failed as a whole; shown to callers with the scopes of the operation
    error: NotRequired[OperationExecutionError]
    requested_by_client_id: NotRequired[str]
    started_at: NotRequired[str]
    completed_at: NotRequired[str]
    # Time after which the results of the items are deleted
    expires_at: NotRequired[str]
    inserted_at: str
    updated_at: str


class CohortMembersChanged(TypedDict):
    cohort_id: str
    # Members that were added or removed; the others were so before
    changed: int
    member_count: int


class CohortExplanationLeaves(TypedDict):
    # Where the rule stands in the definition
    pointer: str
    holds: bool


class CohortExplanation(TypedDict):
    cohort_id: str
    contact_id: str
    # Since the last evaluation
    is_member: bool
    # By the definition, at this moment
    belongs: bool
    leaves: list[CohortExplanationLeaves]


class TemplateSecurePersonalization(TypedDict):
    enabled: bool
    factors: list[Literal["postal_code", "date_of_birth", "unique_id_last4", "otp_sms", "otp_email"]]
    max_attempts: int
    lockout_minutes: int


class Template(TypedDict):
    id: str
    type: Literal["template"]
    team_id: str
    name: str
    use_case: NotRequired[str]
    description: NotRequired[str]
    status: Literal["draft", "scheduled", "launched", "paused", "archived", "expired"]
    is_archived: bool
    # While true only name, description, deadline_at and send_rate_per_minute change
    is_locked: bool
    # When it launches by itself, within a year; only while scheduled
    scheduled_at: NotRequired[str]
    # First launch
    launched_at: NotRequired[str]
    # Only while paused
    paused_at: NotRequired[str]
    expired_at: NotRequired[str]
    # Only while archived
    archived_at: NotRequired[str]
    locked_at: NotRequired[str]
    # The client that locked it
    locked_by: NotRequired[str]
    # When it expires by itself, once scheduled or launched
    deadline_at: NotRequired[str]
    # Number of the newest version; 0 before the first launch
    template_version: int
    # Share of recipients held back for comparison; fixed by the launch
    holdout_percent: NotRequired[int]
    send_rate_per_minute: NotRequired[int]
    # Whether a journey ends when its objectives are completed
    exit_on_objectives: bool
    # Whether a journey ends when its contact leaves the cohort that brought it
    exit_on_leaving_cohort: bool
    # Route by which recipients enter
    entry: Literal["manual", "on_launch_snapshot", "on_cohort_entry"]
    # Whether they may come in again
    reentry: Literal["never", "after_exit", "after_interval"]
    # ISO 8601 duration of days or weeks, with reentry after_interval
    reentry_interval: NotRequired[str]
    # Needed unless entry is manual
    target_cohort_ids: list[str]
    exclusion_cohort_ids: list[str]
    secure_personalization: TemplateSecurePersonalization
    # Recipients so far
    enrolled_count: int
    # Recipients who are under way
    active_journey_count: int
    objective_ids: list[str]
    # In their order; a PATCH can only reorder them
    page_ids: list[str]
    # In their order; a PATCH can only reorder them
    message_ids: list[str]
    inserted_at: str
    updated_at: str


class TemplateStatusRollupByStatus(TypedDict):
    draft: int
    scheduled: int
    launched: int
    paused: int
    archived: int
    expired: int


class TemplateStatusRollup(TypedDict):
    team_id: str
    by_status: TemplateStatusRollupByStatus
    total: int
    computed_at: str


class TemplateCompleteness(TypedDict):
    complete: bool
    missing: list[str]


class Page(TypedDict):
    id: str
    type: Literal["page"]
    team_id: str
    template_id: str
    name: str
    # May hold Liquid
    title: NotRequired[str]
    # Unique in the template
    path: NotRequired[str]
    kind: Literal["welcome", "step", "form", "checklist", "widget", "completion"]
    # Order within the template, from 0
    position: int
    # The objective that completing the page counts for
    objective_id: NotRequired[str]
    # In the order in which they are shown
    content_block_ids: list[str]
    completion_rule: Literal["viewed", "cta_clicked", "form_submitted", "objective_completed"]
    # Whether it is shown only to recipients who have proved who they are
    requires_identity_challenge: bool
    widget_instance_id: NotRequired[str]
    # Rises with every change of its content
    version: int
    inserted_at: str
    updated_at: str


class MessageTrigger(TypedDict):
    # Journeys never send on_request; it is sent by the operation sendMessage only
    kind: Literal["on_enroll", "delay", "date", "on_event", "on_objective_incomplete", "on_page", "on_request"]
    # ISO 8601 duration of weeks, or days, hours and minutes
    delay: NotRequired[str]
    # For kind date; at most 3653 days ahead
    date: NotRequired[str]
    # In the contact’s zone
    at_local_time: NotRequired[str]
    # Monday is 1, Tuesday 2, Sunday 64
    weekday_mask: NotRequired[int]
    # For kind on_event
    event_kind: NotRequired[str]
    # For kind on_page: a page of the template
    page_id: NotRequired[str]
    # For kind on_objective_incomplete
    objective_id: NotRequired[str]


class MessageLocalizationsValue(TypedDict):
    subject: NotRequired[str]
    preheader: NotRequired[str]
    from_name: NotRequired[str]
    # Sanitized when it is written; followed by the blocks
    body_html: NotRequired[str]
    body_text: NotRequired[str]
    # Text of an SMS, or of a push (at most 1,000)
    body: NotRequired[str]
    title: NotRequired[str]
    image_url: NotRequired[str]
    deep_link: NotRequired[str]


class MessageVariants(TypedDict):
    key: str
    weight: int
    overrides: MessageLocalizationsValue


class ContentWarning(TypedDict):
    # JSON Pointer to the HTML, such as /body_html
    pointer: str
    # The kind of the part that was removed
    kind: Literal["element", "attribute", "style", "rule", "address", "comment"]
    # The part, such as video, div[id], position, #top a or [if mso]; cut to 80 characters
    name: str
    # Number of times that the HTML has it
    count: int
    # A sentence for people
    detail: str


class Message(TypedDict):
    id: str
    type: Literal["message"]
    team_id: str
    template_id: str
    name: str
    # Fixed; fields of other channels stay empty
    channel: Literal["email", "sms", "push"]
    # Active once its template is launched
    status: Literal["draft", "active", "archived"]
    # Marketing is sent with consent only
    purpose: Literal["marketing", "transactional", "servicing"]
    # Marketing only: a topic of the team, by whose consents the message is sent as well
    topic_id: NotRequired[str]
    # Order within the template, from 0
    position: int
    trigger: MessageTrigger
    # Rule on the recipient as in a cohort’s definition, asked when it is sent; 16 KB at most
    condition: NotRequired[dict[str, Any]]
    # True by default, but for on_request unless it is marketing
    respect_quiet_hours: bool
    frequency_cap_exempt: bool
    subject: NotRequired[str]
    preheader: NotRequired[str]
    from_name: NotRequired[str]
    # Sanitized when it is written; followed by the blocks
    body_html: NotRequired[str]
    body_text: NotRequired[str]
    # Text of an SMS, or of a push (at most 1,000)
    body: NotRequired[str]
    title: NotRequired[str]
    image_url: NotRequired[str]
    deep_link: NotRequired[str]
    # Address of a verified sending domain of the team
    from_email: NotRequired[str]
    reply_to: NotRequired[str]
    # Whether an e-mail carries one-click unsubscribe (RFC 8058)
    list_unsubscribe: bool
    # Number or name of an SMS provider of the team, from which a text message comes
    sender: NotRequired[str]
    # Number of parts of the text message before values are inserted
    sms_segments: NotRequired[int]
    # For the app; at most 4 KB
    data: NotRequired[dict[str, Any]]
    # JSON Schema of the data that texts show as {{ data.<name> }}: that of a send for the trigger on_request, else that of the enrollment, whose type is "object". At most 8 KB of JSON, 5 levels and 50 properties of an object. Keywords: type, title, description, properties, required, additionalProperties (true or false), items, enum, minimum, maximum, exclusiveMinimum, exclusiveMaximum, minLength, maxLength, minItems, maxItems
    data_schema: NotRequired[dict[str, Any]]
    # Blocks of an e-mail, behind its body
    content_block_ids: list[str]
    localizations: dict[str, MessageLocalizationsValue]
    # Each recipient keeps the one that the weights give them. Overrides replace the texts of the message itself: a recipient who gets a localization gets it unchanged
    variants: list[MessageVariants]
    # Rises with every change of its content
    version: int
    # Parts that were removed from the HTML of this request; absent where none was, and in all other responses
    warnings: NotRequired[list[ContentWarning]]
    inserted_at: str
    updated_at: str


class TemplateVersionContentBlocks(TypedDict):
    id: str
    # Unique in the team
    key: str
    kind: Literal["rich_text", "image", "video", "button", "disclosure", "form", "objective_checklist", "product_card", "html"]
    name: str
    # By kind. rich_text, html: {html}; disclosure: {html, title?}; image: {url, alt?, link_url?}; video: {url, title, poster_url?}; button: {label, url}; product_card: {title, description?, image_url?, button?}; objective_checklist: {items: [{objective_key, label}], title?}; form: {fields: [{name, label, kind, is_required?, options?, consent?}], submit_label, title?, success_message?}, where consent names the channel (email, sms) that a ticked checkbox agrees to. HTML is sanitized when it is written; text and HTML may hold Liquid.
    body: dict[str, Any]
    # Fields of the body in other languages
    localizations: dict[str, dict[str, Any]]
    # Liquid variables that it uses; checked when something that uses it is published
    variables: list[str]
    # Rises with every change of its content
    version: int


class TemplateVersionOmittedSections(TypedDict):
    section: Literal["pages", "messages", "content_blocks"]
    required_scope: str


class TemplateVersion(TypedDict):
    id: str
    type: Literal["template_version"]
    team_id: str
    template_id: str
    version: int
    name: str
    inserted_at: str
    use_case: NotRequired[str]
    # Share of recipients held back for comparison; fixed by the launch
    holdout_percent: NotRequired[int]
    # Whether a journey ends when its objectives are completed
    exit_on_objectives: bool
    # Whether a journey ends when its contact leaves the cohort that brought it
    exit_on_leaving_cohort: bool
    # Route by which recipients enter
    entry: Literal["manual", "on_launch_snapshot", "on_cohort_entry"]
    # Whether they may come in again
    reentry: Literal["never", "after_exit", "after_interval"]
    # ISO 8601 duration of days or weeks, with reentry after_interval
    reentry_interval: NotRequired[str]
    target_cohort_ids: list[str]
    exclusion_cohort_ids: list[str]
    secure_personalization: TemplateSecurePersonalization
    objective_ids: list[str]
    # Needs partner:pages:read
    pages: NotRequired[list[Page]]
    # Needs partner:messages:read
    messages: NotRequired[list[Message]]
    # Those that pages and messages show; needs partner:content_blocks:read
    content_blocks: NotRequired[list[TemplateVersionContentBlocks]]
    # The sections that the token may not read
    omitted_sections: list[TemplateVersionOmittedSections]


class JourneyDetailsNextAction(TypedDict):
    kind: Literal["start", "message"]
    message_id: NotRequired[str]
    due_at: str


class JourneyDetailsObjectives(TypedDict):
    objective_id: str
    key: str
    status: Literal["pending", "completed"]
    completed_at: NotRequired[str]
    # Amount in cents of the team’s currency
    value_cents: NotRequired[int]


class JourneyDetailsProgress(TypedDict):
    pages_viewed: int
    pages_total: int
    objectives_completed: int
    objectives_total: int


class JourneyDetails(TypedDict):
    id: str
    type: Literal["journey"]
    team_id: str
    template_id: str
    # Version of the content; later edits do not change it
    template_version: int
    contact_id: str
    # Which enrollment of the contact in the template
    seq: int
    # scheduled: its first steps are not known yet
    status: Literal["scheduled", "active", "paused", "completed", "exited", "expired", "canceled", "failed"]
    exit_reason: NotRequired[Literal["objectives_completed", "unsubscribed", "suppressed", "left_cohort", "canceled_by_user", "template_archived", "deadline", "contact_archived", "error"]]
    enrolled_via: Literal["api", "cohort", "batch", "ipaas", "widget"]
    # The cohort that it came through
    cohort_id: NotRequired[str]
    # Held back for comparison: nothing is sent
    is_holdout: bool
    enrolled_at: str
    started_at: NotRequired[str]
    # Only while paused
    paused_at: NotRequired[str]
    completed_at: NotRequired[str]
    # When it ended in any other way
    exited_at: NotRequired[str]
    # That of the template
    deadline_at: NotRequired[str]
    # The page that was seen last
    current_page_id: NotRequired[str]
    # Last event made by the person
    last_engaged_at: NotRequired[str]
    next_action: NotRequired[JourneyDetailsNextAction]
    objectives: list[JourneyDetailsObjectives]
    progress: JourneyDetailsProgress
    inserted_at: str
    updated_at: str
    # The recipient’s page; anyone with the link can see the journey
    link_url: NotRequired[str]


class EnrollmentExplanationRules(TypedDict):
    rule: Literal["template_not_launched", "contact_archived", "already_enrolled", "reentry_never", "reentry_interval", "excluded"]
    refuses: bool
    detail: str


class EnrollmentExplanationMessages(TypedDict):
    message_id: str
    # Needs partner:messages:read
    name: NotRequired[str]
    # decided: sent or skipped; not_due: it has not been requested yet
    state: Literal["waiting", "decided", "not_due"]
    due_at: NotRequired[str]
    delivery_id: NotRequired[str]
    delivery_status: NotRequired[str]
    skip_reason: NotRequired[str]


class EnrollmentExplanation(TypedDict):
    template_id: str
    contact_id: str
    # Whether an enrollment would be accepted now
    may_enroll: bool
    # The first rule that refuses
    rule: NotRequired[Literal["template_not_launched", "contact_archived", "already_enrolled", "reentry_never", "reentry_interval", "excluded"]]
    detail: str
    # Whether an enrollment would be, or is, held back
    is_holdout: bool
    # Every rule of entry, in their order
    rules: list[EnrollmentExplanationRules]
    # The latest journey of the contact in the template
    journey_id: NotRequired[str]
    journey_status: NotRequired[Literal["scheduled", "active", "paused", "completed", "exited", "expired", "canceled", "failed"]]
    exit_reason: NotRequired[Literal["objectives_completed", "unsubscribed", "suppressed", "left_cohort", "canceled_by_user", "template_archived", "deadline", "contact_archived", "error"]]
    # The messages that the latest journey sends
    messages: list[EnrollmentExplanationMessages]


class Journey(TypedDict):
    id: str
    type: Literal["journey"]
    team_id: str
    template_id: str
    # Version of the content; later edits do not change it
    template_version: int
    contact_id: str
    # Which enrollment of the contact in the template
    seq: int
    # scheduled: its first steps are not known yet
    status: Literal["scheduled", "active", "paused", "completed", "exited", "expired", "canceled", "failed"]
    exit_reason: NotRequired[Literal["objectives_completed", "unsubscribed", "suppressed", "left_cohort", "canceled_by_user", "template_archived", "deadline", "contact_archived", "error"]]
    enrolled_via: Literal["api", "cohort", "batch", "ipaas", "widget"]
    # The cohort that it came through
    cohort_id: NotRequired[str]
    # Held back for comparison: nothing is sent
    is_holdout: bool
    enrolled_at: str
    started_at: NotRequired[str]
    # Only while paused
    paused_at: NotRequired[str]
    completed_at: NotRequired[str]
    # When it ended in any other way
    exited_at: NotRequired[str]
    # That of the template
    deadline_at: NotRequired[str]
    # The page that was seen last
    current_page_id: NotRequired[str]
    # Last event made by the person
    last_engaged_at: NotRequired[str]
    next_action: NotRequired[JourneyDetailsNextAction]
    objectives: list[JourneyDetailsObjectives]
    progress: JourneyDetailsProgress
    inserted_at: str
    updated_at: str


class JourneyLink(TypedDict):
    journey_id: str
    # Ends every earlier link of the journey
    link_url: str


class JourneyWatch(TypedDict):
    journey_id: str
    # The watch ends then, or with the journey
    watched_until: str


class ContentBlockUsedBy(TypedDict):
    pages: int
    messages: int
    landing_pages: int


class ContentBlock(TypedDict):
    id: str
    type: Literal["content_block"]
    team_id: str
    name: str
    # Unique in the team
    key: str
    kind: Literal["rich_text", "image", "video", "button", "disclosure", "form", "objective_checklist", "product_card", "html"]
    # By kind. rich_text, html: {html}; disclosure: {html, title?}; image: {url, alt?, link_url?}; video: {url, title, poster_url?}; button: {label, url}; product_card: {title, description?, image_url?, button?}; objective_checklist: {items: [{objective_key, label}], title?}; form: {fields: [{name, label, kind, is_required?, options?, consent?}], submit_label, title?, success_message?}, where consent names the channel (email, sms) that a ticked checkbox agrees to. HTML is sanitized when it is written; text and HTML may hold Liquid.
    body: dict[str, Any]
    # Fields of the body in other languages
    localizations: dict[str, dict[str, Any]]
    # Liquid variables that it uses; checked when something that uses it is published
    variables: list[str]
    # Rises with every change of its content
    version: int
    # Number of references to it
    used_by: ContentBlockUsedBy
    is_archived: bool
    archived_at: NotRequired[str]
    # Parts that were removed from the HTML of this request; absent where none was, and in all other responses
    warnings: NotRequired[list[ContentWarning]]
    inserted_at: str
    updated_at: str


class ContentBlockUsagePages(TypedDict):
    id: str
    name: str
    status: NotRequired[str]
    template_id: str


class ContentBlockUsageLandingPages(TypedDict):
    id: str
    name: str
    status: NotRequired[str]


class ContentBlockUsage(TypedDict):
    pages: list[ContentBlockUsagePages]
    messages: list[ContentBlockUsagePages]
    landing_pages: list[ContentBlockUsageLandingPages]


class RenderedContent(TypedDict):
    html: str
    variables: list[str]
    # They prevent publication
    unknown_variables: list[str]
    # Parts that were removed from the HTML of this request; absent where none was, and in all other responses
    warnings: NotRequired[list[ContentWarning]]


class LandingPageSeo(TypedDict):
    title: NotRequired[str]
    description: NotRequired[str]
    image_url: NotRequired[str]
    # Whether search engines leave it out; the default
    noindex: bool


class LandingPage(TypedDict):
    id: str
    type: Literal["landing_page"]
    team_id: str
    name: str
    # Part of the url immediately; unique among the pages that are not archived
    slug: str
    status: Literal["draft", "published", "archived"]
    # Title that visitors see; the name of the page if absent
    title: NotRequired[str]
    description: NotRequired[str]
    # BCP 47
    locale: NotRequired[str]
    # Look of the page: primary_color, on_primary_color, link_color, text_color, background_color, focus_color, font_family and radius, as values of CSS
    theme: dict[str, str]
    seo: LandingPageSeo
    # In the order in which they are shown
    content_block_ids: list[str]
    # Where visitors find what is published
    url: str
    # Number of the newest snapshot; 0 before the first
    version: int
    # Whether the page or a block of it has changed since the newest snapshot
    has_unpublished_changes: bool
    # Latest publication
    published_at: NotRequired[str]
    # Only while archived
    archived_at: NotRequired[str]
    inserted_at: str
    updated_at: str


class LandingPagePreview(TypedDict):
    # The whole document, as publishing now would show it
    html: str
    # Reasons that prevent its publication
    missing: list[str]


class RenderedMessage(TypedDict):
    channel: Literal["email", "sms", "push"]
    subject: NotRequired[str]
    preheader: NotRequired[str]
    from_name: NotRequired[str]
    # Body and blocks of an e-mail
    html: NotRequired[str]
    # Plain text of an e-mail, made from the HTML without body_text
    text: NotRequired[str]
    body: NotRequired[str]
    title: NotRequired[str]
    image_url: NotRequired[str]
    deep_link: NotRequired[str]
    sms_segments: NotRequired[int]
    variables: list[str]
    # They keep it from a launch
    unknown_variables: list[str]


class MessageTestSendsSends(TypedDict):
    id: str
    # Most of it hidden
    to_masked: str


class MessageTestSends(TypedDict):
    message_id: str
    channel: Literal["email", "sms", "push"]
    sends: list[MessageTestSendsSends]


MessageDeliveryBounce = TypedDict(
    "MessageDeliveryBounce",
    {
        "class": "NotRequired[str]",
        "code": "NotRequired[str]",
        "diagnostic": "NotRequired[str]",
    },
)


class MessageDelivery(TypedDict):
    id: str
    type: Literal["message_delivery"]
    team_id: str
    message_id: str
    template_id: str
    journey_id: NotRequired[str]
    contact_id: str
    # The topic of the message when the delivery was decided
    topic_id: NotRequired[str]
    channel: Literal["email", "sms", "push"]
    # Never goes back; opens and clicks do not change it
    status: Literal["scheduled", "queued", "sent", "delayed", "delivered", "bounced", "failed", "suppressed", "skipped", "canceled"]
    provider: NotRequired[Literal["email_a", "email_b", "email_c", "sms_a", "sms_b", "push_a", "push_b", "generic_hmac", "smtp", "mailbox"]]
    provider_message_id: NotRequired[str]
    # The address, most of it hidden
    to_masked: NotRequired[str]
    variant_key: NotRequired[str]
    skip_reason: NotRequired[Literal["no_consent", "topic_unsubscribed", "suppressed", "missing_address", "quiet_hours_expired", "frequency_cap", "holdout", "condition_false", "objective_completed", "template_paused_stale", "deadline_passed", "sender_not_verified"]]
    bounce: NotRequired[MessageDeliveryBounce]
    scheduled_at: NotRequired[str]
    sent_at: NotRequired[str]
    delivered_at: NotRequired[str]
    # By a person
    first_opened_at: NotRequired[str]
    first_clicked_at: NotRequired[str]
    failed_at: NotRequired[str]
    unsubscribed_at: NotRequired[str]
    complained_at: NotRequired[str]
    # By a person
    open_count: int
    click_count: int
    # By programs that fetch mail ahead
    machine_open_count: int
    inserted_at: str
    updated_at: str


class MessageSendReportSummary(TypedDict):
    total: int
    # Deliveries that wait to be sent
    created: int
    # Deliveries that are not sent
    skipped: int
    # Sends that were refused
    failed: int


class MessageSendReportResultsErrors(TypedDict):
    code: str
    title: str
    detail: str
    meta: NotRequired[dict[str, Any]]


class MessageSendReportResults(TypedDict):
    # Place among the sends
    index: int
    status: Literal["created", "skipped", "failed"]
    resource_type: NotRequired[str]
    # The message delivery
    id: NotRequired[str]
    # Pointers begin at the body
    errors: list[MessageSendReportResultsErrors]
    output: NotRequired[MessageDelivery]


class MessageSendReport(TypedDict):
    summary: MessageSendReportSummary
    results: list[MessageSendReportResults]


class TestRecipient(TypedDict):
    id: str
    type: Literal["test_recipient"]
    team_id: str
    channel: Literal["email", "sms", "push"]
    name: NotRequired[str]
    # confirmed after the owner of the address has opened the link and pressed the button
    status: Literal["pending", "confirmed"]
    # Most of the address is hidden
    to_masked: str
    # End of the link, 7 days after the latest message with it; absent once confirmed
    link_expires_at: NotRequired[str]
    confirmed_at: NotRequired[str]
    inserted_at: str
    updated_at: str


class ArchivedContent(TypedDict):
    from_name: NotRequired[str]
    from_email: NotRequired[str]
    reply_to: NotRequired[str]
    subject: NotRequired[str]
    html: NotRequired[str]
    text: NotRequired[str]
    # As in the header of the e-mail
    unsubscribe_url: NotRequired[str]
    sender: NotRequired[str]
    title: NotRequired[str]
    body: NotRequired[str]
    image_url: NotRequired[str]
    deep_link: NotRequired[str]
    data: NotRequired[dict[str, Any]]


class ArchivedMessageDetails(TypedDict):
    id: str
    type: Literal["archived_message"]
    team_id: str
    contact_id: str
    message_id: str
    template_id: str
    # The version that was rendered
    template_version: int
    journey_id: NotRequired[str]
    channel: Literal["email", "sms", "push"]
    provider: Literal["email_a", "email_b", "email_c", "sms_a", "sms_b", "push_a", "push_b", "generic_hmac", "smtp", "mailbox"]
    provider_message_id: NotRequired[str]
    # Address, number or name that it was from
    sender: NotRequired[str]
    # The address, most of it hidden
    to_masked: NotRequired[str]
    # Consent for the channel right before the message was sent
    consent_status: NotRequired[Literal["never", "pending", "subscribed", "unsubscribed"]]
    # unavailable: the process ended before it was stored
    content_status: Literal["stored", "unavailable", "erased"]
    # Time when the provider took it
    sent_at: str
    # It is deleted after this time, unless a legal hold stands
    expires_at: str
    # Time when content and address were erased
    erased_at: NotRequired[str]
    inserted_at: str
    updated_at: str
    # The e-mail address or number, or the tokens of the devices
    addresses: NotRequired[list[str]]
    content: NotRequired[ArchivedContent]


class LegalHold(TypedDict):
    id: str
    type: Literal["legal_hold"]
    team_id: str
    # The contact; absent: everything of the team
    contact_id: NotRequired[str]
    # For the records of the team; it outlives the contact, so it contains no personal data
    reason: str
    # released: it contains nothing any longer
    status: Literal["active", "released"]
    placed_by_client_id: NotRequired[str]
    released_by_client_id: NotRequired[str]
    released_at: NotRequired[str]
    inserted_at: str
    updated_at: str


class MessageDeliveryExplanationTimeline(TypedDict):
    what: str
    at: str


class MessageDeliveryExplanation(TypedDict):
    delivery_id: str
    # Never goes back; opens and clicks do not change it
    status: Literal["scheduled", "queued", "sent", "delayed", "delivered", "bounced", "failed", "suppressed", "skipped", "canceled"]
    summary: str
    timeline: list[MessageDeliveryExplanationTimeline]


class RenderedPage(TypedDict):
    html: str
    variables: list[str]
    # They keep it from a launch
    unknown_variables: list[str]


class Objective(TypedDict):
    id: str
    type: Literal["objective"]
    team_id: str
    name: str
    # Unique in the team, and fixed: kebab-case
    key: str
    description: NotRequired[str]
    category: Literal["cards", "deposits", "digital_banking", "payments", "lending", "communication", "business", "other"]
    # Value credited for each completion, in cents of the team’s currency
    value_cents: int
    attribution_window_days: int
    attribution_model: Literal["any_touch", "last_touch"]
    # Whether a contact can complete it more than once
    is_repeatable: bool
    # Completed by itself when an account of this kind opens within the window
    product_kind: NotRequired[Literal["deposit", "loan", "credit", "investment", "other"]]
    # One of those that every team has from the start
    is_standard: bool
    # Whether it can be completed
    is_active: bool
    completion_count: int
    archived_at: NotRequired[str]
    inserted_at: str
    updated_at: str


class QuietHours(TypedDict):
    # HH:MM, local to the contact
    start: str
    # May lie on the next day
    end: str


class FrequencyCap(TypedDict):
    per_day: int
    # In any seven days
    per_week: int


class Retention(TypedDict):
    # Days for which each message is archived from the time it is sent; absent: not archived
    archived_messages_days: NotRequired[int]
    # Whether archived messages stay until their term when their contact is erased; false if absent
    archived_messages_survive_erasure: NotRequired[bool]
    # Days for which callbacks of providers are stored; 90 if absent
    inbound_deliveries_days: NotRequired[int]
    # Days for which events, their deliveries and the attempts are stored; 90 if absent
    webhook_events_days: NotRequired[int]
    # Days for which engagement events and message deliveries are stored, and shown by insights; 760 if absent
    engagement_days: NotRequired[int]
    # Days for which it is recorded which client reads which contact; absent: not recorded
    contact_reads_days: NotRequired[int]
    # Days for which results of executions and batches that end from now on are stored; 7 if absent
    operation_results_days: NotRequired[int]


class Tracking(TypedDict):
    # Whether a picture in each e-mail counts its opens
    opens: bool
    # Whether links in e-mails lead through the service
    clicks: bool
    # Host of these links: a verified sending domain of the team, or one below it, that leads to the service and that no other team has; absent: the address of the service
    domain: NotRequired[str]
    # Days from the making of a message delivery after which its links lead nowhere, those of earlier e-mails included; 395 if absent
    links_expire_after_days: NotRequired[int]


class Team(TypedDict):
    id: str
    type: Literal["team"]
    team_id: str
    name: str
    # The tier of the contract; decides the rate limits
    tier: str
    # Time zone of reports, and of contacts that have none
    timezone: str
    # Locale of contacts that have none
    locale: str
    # Currency of amounts; accounts keep the one that they were created with
    currency: str
    quiet_hours: NotRequired[QuietHours]
    frequency_cap: NotRequired[FrequencyCap]
    retention: NotRequired[Retention]
    tracking: NotRequired[Tracking]
    # Numbers that codes and confirmations may be sent to by SMS, by their first digits (E.164); empty: every number
    sms_allowed_prefixes: list[str]
    # Whether a second client or an operator must release a sending provider before messages leave through it; only an operator ends it
    requires_provider_release: bool
    # Whether its rates count, without its name, in comparisons between teams
    is_in_benchmarks: bool
    inserted_at: str
    updated_at: str


class User(TypedDict):
    id: str
    type: Literal["user"]
    team_id: str
    email: str
    name: NotRequired[str]
    # Role of the user in the applications of the team. The service grants nothing by it: access to the API is by the scopes of clients. It only sees that the last active admin stays
    role: Literal["admin", "editor", "viewer"]
    status: Literal["active", "invited", "suspended"]
    # Whether the sign-in that activated the user had a second factor, as the client has said. It is recorded only: the service signs no user in and asks for no second factor
    mfa_enabled: NotRequired[bool]
    # When the user was invited last
    invited_at: str
    # Seven days after the latest invitation
    invite_expires_at: str
    last_signed_in_at: NotRequired[str]
    suspended_at: NotRequired[str]
    inserted_at: str
    updated_at: str


class NewPortalSession(TypedDict):
    id: str
    type: Literal["portal_session"]
    team_id: str
    # A name for people who read the list of sessions
    label: NotRequired[str]
    # The page that the link opens
    page: Literal["requests", "webhooks", "batches", "callbacks", "campaigns", "people", "insights"]
    # Rights of the pages: scopes of the token that makes the session
    scopes: list[str]
    # Pages that may show the session in a frame: https origins such as https://www.example.com
    allowed_origins: list[str]
    # The client that made the session
    client_id: str
    # The link opens the session once, until then
    link_expires_at: str
    # The pages stop to show data then
    expires_at: str
    # When the link was opened
    opened_at: NotRequired[str]
    inserted_at: str
    updated_at: str
    # The link, to be opened once. Its secret is after the #, and is not shown again.
    url: str


class PortalSession(TypedDict):
    id: str
    type: Literal["portal_session"]
    team_id: str
    # A name for people who read the list of sessions
    label: NotRequired[str]
    # The page that the link opens
    page: Literal["requests", "webhooks", "batches", "callbacks", "campaigns", "people", "insights"]
    # Rights of the pages: scopes of the token that makes the session
    scopes: list[str]
    # Pages that may show the session in a frame: https origins such as https://www.example.com
    allowed_origins: list[str]
    # The client that made the session
    client_id: str
    # The link opens the session once, until then
    link_expires_at: str
    # The pages stop to show data then
    expires_at: str
    # When the link was opened
    opened_at: NotRequired[str]
    inserted_at: str
    updated_at: str


class OpenedPortalSession(TypedDict):
    # The token of the pages, with the scopes of the session
    access_token: str
    token_type: Literal["Bearer"]
    # Seconds
    expires_in: int
    # Granted scopes separated by spaces
    scope: str
    # The name of the team
    team_name: str
    # The page that the link opens
    page: Literal["requests", "webhooks", "batches", "callbacks", "campaigns", "people", "insights"]


class AuditEvent(TypedDict):
    id: str
    type: Literal["audit_event"]
    team_id: str
    # <resource type>.<verb>, such as user.suspended
    action: str
    resource_type: str
    resource_id: str
    # Names of the fields that changed, of something new those that were written
    changed_fields: list[str]
    # The client whose token was used; absent where none acted
    client_id: NotRequired[str]
    # The operator of the service who acted, as `<user>@<host>`
    actor: NotRequired[str]
    # X-Request-Id of the request, which its caller may choose
    request_id: str
    # The id that the service gave the request
    server_request_id: NotRequired[str]
    # Address of the client
    source_ip: NotRequired[str]
    # User-Agent, cut to 200 characters
    user_agent: NotRequired[str]
    # For refused requests: the error code of the refusal. For suspensions, and changes of templates by an operator: the reason that the operator gave
    reason: NotRequired[str]
    # For refused requests: how many of the client there were within the minute
    occurrence_count: NotRequired[int]
    # For bulk actions, downloads and counted reads: the number of items or rows
    item_count: NotRequired[int]
    occurred_at: str


class SendingDomainRecord(TypedDict):
    # `ownership` verifies the domain. With `dkim`, e-mails by SMTP are signed. `spf` and `dmarc` are advice
    purpose: Literal["ownership", "dkim", "spf", "dmarc"]
    record_type: Literal["TXT"]
    # Full name of the record, without the final dot
    name: str
    # Text of the record
    value: str
    # Result of the last check. `different`: records of that name exist, but none fits. `unknown`: the name servers did not answer
    status: Literal["unchecked", "found", "different", "missing", "unknown"]


class SendingDomain(TypedDict):
    id: str
    type: Literal["sending_domain"]
    team_id: str
    # Returned in ASCII (punycode) and in lower case. Its subdomains may send as well
    domain: str
    # `verified`: messages may be sent from it. `failed`: its ownership record has disappeared, and e-mails from it are skipped until the record is back
    status: Literal["pending", "verified", "failed"]
    # The records to publish in its zone
    dns_records: list[SendingDomainRecord]
    # Whether e-mails by SMTP get a DKIM signature: once the `dkim` record is found
    is_signed: bool
    # The first or the latest verification after a failure
    verified_at: NotRequired[str]
    # For status failed: when the record was missed
    failed_at: NotRequired[str]
    last_checked_at: NotRequired[str]
    # When the records are looked up next
    next_check_at: str
    inserted_at: str
    updated_at: str


class SendingProvider(TypedDict):
    id: str
    type: Literal["sending_provider"]
    team_id: str
    name: str
    # Fixed once the provider is made
    channel: Literal["email", "sms", "push"]
    # Fixed. E-mail: `smtp`, `email_a`, `email_b`, `email_c`. SMS: `sms_a`, `sms_b`. Push: `push_a`, `push_b`
    kind: Literal["smtp", "email_a", "email_b", "email_c", "sms_a", "sms_b", "push_a", "push_b"]
    # 1 by default, the first choice. The next provider of the channel is used while those before it accept nothing
    priority: int
    # Through an inactive provider nothing is sent
    is_active: bool
    # For smtp, `smtp://host:port` (with STARTTLS) or `smtps://host:port` on port 25, 465, 587 or 2525. For other kinds, the https address without the path of messages
    url: str
    # User name (`smtp`), access key id (`email_a`), mail domain (`email_c`), account (`sms_a`), messaging profile (`sms_b`, optional) or application (`push_b`). `email_b` and `push_a` have none
    account: NotRequired[str]
    # For smtp: the provider behind the server, whose headers carry the ids of the service
    family: NotRequired[Literal["email_a", "email_b", "email_c"]]
    # E-mail: one address of a verified sending domain, for messages without `from_email`. SMS: numbers (E.164) and names of at most 11 characters that messages may have as `sender`; the first is for those that have none. Push: empty
    senders: list[str]
    secret_changed_at: str
    # Until then the secret before the rotation is used where the new one is rejected
    previous_secret_expires_at: NotRequired[str]
    # When a second client or an operator released the settings; without it, nothing is sent through the provider where the team has requires_provider_release
    released_at: NotRequired[str]
    # Outcome of the last test; absent before the first one and after a change of the connection
    test_status: NotRequired[Literal["pending", "succeeded", "failed"]]
    # When the last test ended
    tested_at: NotRequired[str]
    # Reason of a failed test, such as `http_401` or `timeout`
    test_error_code: NotRequired[str]
    # Present while the provider accepts nothing
    halted_at: NotRequired[str]
    # The last failure, such as `http_503` or `connection_refused`
    halt_code: NotRequired[str]
    # When a halted provider gets the next message, which shows whether it has resumed
    next_probe_at: NotRequired[str]
    inserted_at: str
    updated_at: str


class ObjectiveCompletion(TypedDict):
    id: str
    type: Literal["objective_completion"]
    team_id: str
    objective_id: str
    contact_id: str
    completed_at: str
    # Credited value, in cents of the team’s currency
    value_cents: int
    source: Literal["api", "batch", "sftp", "ipaas", "widget", "inbound", "rule"]
    # Whether a journey of the contact led to it
    attribution: Literal["journey", "organic"]
    journey_id: NotRequired[str]
    template_id: NotRequired[str]
    message_id: NotRequired[str]
    # An account of the contact
    account_id: NotRequired[str]
    # Distinguishes repeats of a repeatable objective
    unique_id: NotRequired[str]
    # Counts and insights leave it out from then on
    voided_at: NotRequired[str]
    void_reason: NotRequired[str]
    inserted_at: str
    updated_at: str


class ObjectiveCompletionsCountsByObjective(TypedDict):
    objective_id: str
    key: str
    name: str
    completions: int
    unique_contacts: int
    # Sum in cents of the team’s currency. A sum beyond ±(2^53−1) is shown as that limit
    value_cents: int
    # Those with attribution journey
    attributed_completions: int
    # Sum in cents of the team’s currency. A sum beyond ±(2^53−1) is shown as that limit
    attributed_value_cents: int


class ObjectiveCompletionsCounts(TypedDict):
    team_id: str
    window: QuietHours
    # Every active objective, and what else was completed; most completed first
    by_objective: list[ObjectiveCompletionsCountsByObjective]
    total_completions: int
    # Sum in cents of the team’s currency. A sum beyond ±(2^53−1) is shown as that limit
    total_value_cents: int
    computed_at: str


class RecordEngagementEventsResponseData(TypedDict):
    # Place in the request
    index: int
    # The event, or the earlier one with its unique_id
    id: str
    status: Literal["created", "duplicate"]


class RecordEngagementEventsResponse(TypedDict):
    accepted: int
    duplicates: int
    data: list[RecordEngagementEventsResponseData]


class EngagementEvent(TypedDict):
    id: str
    type: Literal["engagement_event"]
    team_id: str
    kind: Literal["message.queued", "message.sent", "message.delivered", "message.delayed", "message.opened", "message.clicked", "message.bounced", "message.failed", "message.complained", "message.unsubscribed", "device.invalidated", "contact.replied", "page.viewed", "page.cta_clicked", "page.form_submitted", "page.continued", "landing_page.viewed", "landing_page.cta_clicked", "widget.loaded", "widget.started", "widget.submitted", "widget.completed", "widget.failed", "widget.dismissed", "opt_in.granted", "opt_in.revoked", "identity.challenge_presented", "identity.challenge_passed", "identity.challenge_failed", "identity.challenge_locked", "custom", "journey.enrolled", "journey.started", "journey.completed", "journey.exited", "journey.expired", "objective.completed", "objective.voided", "account.opened", "account.closed"] | str
    channel: NotRequired[Literal["email", "sms", "push", "web", "widget", "system"]]
    contact_id: NotRequired[str]
    journey_id: NotRequired[str]
    # That of the message, page or journey, where one is named
    template_id: NotRequired[str]
    message_id: NotRequired[str]
    message_delivery_id: NotRequired[str]
    page_id: NotRequired[str]
    landing_page_id: NotRequired[str]
    widget_instance_id: NotRequired[str]
    objective_id: NotRequired[str]
    account_id: NotRequired[str]
    receiver_id: NotRequired[str]
    inbound_delivery_id: NotRequired[str]
    # At most 25 months ago
    occurred_at: str
    received_at: str
    source: Literal["inbound", "widget", "landing_page", "api", "batch", "system"]
    # Made by a scanner or proxy, not by a person
    is_machine: bool
    url: NotRequired[str]
    user_agent: NotRequired[str]
    # The network only: /24 or /48
    ip_truncated: NotRequired[str]
    # At most 8 KB of JSON
    properties: NotRequired[dict[str, Any]]
    # Amount in cents of the team’s currency
    value_cents: NotRequired[int]
    # Repeats of it within team and kind are dropped
    unique_id: NotRequired[str]


class CustomEventType(TypedDict):
    id: str
    type: Literal["custom_event_type"]
    team_id: str
    # Unique in the team, and fixed: "custom." and words of lower-case letters, digits and underscores, joined by dots
    name: str
    description: NotRequired[str]
    # JSON Schema of the data of its events, whose type is "object". At most 8 KB of JSON, 5 levels and 50 properties of an object. Keywords: type, title, description, properties, required, additionalProperties (true or false), items, enum, minimum, maximum, exclusiveMinimum, exclusiveMaximum, minLength, maxLength, minItems, maxItems
    schema: dict[str, Any]
    inserted_at: str
    updated_at: str


class CreatedSftpCredential(TypedDict):
    id: str
    type: Literal["sftp_credential"]
    team_id: str
    name: str
    username: str
    host: str
    port: int
    home_directory: str
    # One line in the form of OpenSSH; the comment is dropped
    public_key: str
    key_type: Literal["ssh-ed25519", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521", "ssh-rsa"]
    # As ssh-keygen -l shows it
    fingerprint_sha256: str
    # By which to know the server
    host_key_fingerprints: list[str]
    # Which drop folders it may use; `contacts` by default. A named one needs the scopes of its operations
    purpose: Literal["contacts", "accounts", "objective_completions", "mixed"]
    # Networks that may connect; none means all
    allowed_cidrs: list[str]
    # Whether the status is active
    is_active: bool
    # Follows from revoked_at and the clock
    status: Literal["active", "revoked", "expired"]
    expires_at: NotRequired[str]
    revoked_at: NotRequired[str]
    last_used_at: NotRequired[str]
    last_upload_at: NotRequired[str]
    upload_count: int
    inserted_at: str
    updated_at: str
    # In the form of OpenSSH; shown only here
    private_key: NotRequired[str]


class SftpCredential(TypedDict):
    id: str
    type: Literal["sftp_credential"]
    team_id: str
    name: str
    username: str
    host: str
    port: int
    home_directory: str
    # One line in the form of OpenSSH; the comment is dropped
    public_key: str
    key_type: Literal["ssh-ed25519", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521", "ssh-rsa"]
    # As ssh-keygen -l shows it
    fingerprint_sha256: str
    # By which to know the server
    host_key_fingerprints: list[str]
    # Which drop folders it may use; `contacts` by default. A named one needs the scopes of its operations
    purpose: Literal["contacts", "accounts", "objective_completions", "mixed"]
    # Networks that may connect; none means all
    allowed_cidrs: list[str]
    # Whether the status is active
    is_active: bool
    # Follows from revoked_at and the clock
    status: Literal["active", "revoked", "expired"]
    expires_at: NotRequired[str]
    revoked_at: NotRequired[str]
    last_used_at: NotRequired[str]
    last_upload_at: NotRequired[str]
    upload_count: int
    inserted_at: str
    updated_at: str


class SftpUploadError(TypedDict):
    code: str
    detail: str


class SftpUpload(TypedDict):
    id: str
    type: Literal["sftp_upload"]
    team_id: str
    # By which it came
    sftp_credential_id: NotRequired[str]
    # From which it was fetched
    file_source_id: NotRequired[str]
    # From the home directory, such as /in/contacts/june.csv; of a fetched file, as the callback named it
    path: str
    size_bytes: NotRequired[int]
    # SHA-256 of its content in hexadecimal
    sha256: NotRequired[str]
    status: Literal["receiving", "received", "processing", "processed", "failed"]
    # The operation that imports it
    batch_operation_id: NotRequired[str]
    error: NotRequired[SftpUploadError]
    warning: NotRequired[SftpUploadError]
    # When it was processed, or failed
    completed_at: NotRequired[str]
    inserted_at: str
    updated_at: str


class FileSource(TypedDict):
    id: str
    type: Literal["file_source"]
    team_id: str
    name: str
    # Fixed once the source is made
    source_kind: Literal["sftp", "https"]
    # From an inactive source nothing is fetched
    is_active: bool
    # The `server_id` of the callbacks whose files it has
    server_id: str
    # Only files that this `username` of callbacks has put; without it, those of all
    server_username: NotRequired[str]
    # Only files below this folder of the callback’s `path`
    server_path: str
    # The kind of record that the rows of its files become, as in the drop folders of SFTP credentials
    purpose: Literal["contacts", "accounts", "objective_completions"]
    # A public name, or an address; an IPv6 address stands in brackets
    host: str
    # 22, 443 or another from 1024 up; 22 by default for sftp, 443 for https
    port: int
    # Where `server_path` is on the host: the rest of a path is appended to it
    base_path: str
    # Name of the login; required for sftp and for a password
    username: NotRequired[str]
    # As ssh-keygen -l shows them. A server with none of these keys gets no login; required for sftp, empty for https
    host_key_fingerprints: list[str]
    # Follows from the credential
    authentication: Literal["password", "private_key", "bearer_token"]
    # Public key of the private key. Enter it at the server
    public_key: NotRequired[str]
    credential_changed_at: str
    # When a file was last fetched
    last_fetched_at: NotRequired[str]
    # Outcome of the last test; absent before the first one
    test_status: NotRequired[Literal["pending", "succeeded", "failed"]]
    # When the last test ended
    tested_at: NotRequired[str]
    test_error: NotRequired[SftpUploadError]
    inserted_at: str
    updated_at: str


class CardOnFile(TypedDict):
    merchants: list[str]


class OptIn(TypedDict):
    channels: list[Literal["email", "sms", "push"]]
    double_opt_in: bool


class MobileApp(TypedDict):
    # An app store’s page, or a deep link such as mybank://start
    ios_url: NotRequired[str]
    # The same for Android
    android_url: NotRequired[str]


class WidgetInstance(TypedDict):
    id: str
    type: Literal["widget_instance"]
    team_id: str
    name: str
    widget_kind: Literal["journey", "enrollment", "opt_in", "card_on_file", "mobile_app", "secure_personalization"]
    template_id: NotRequired[str]
    # Pages that may embed the widget: https origins such as https://www.example.com
    allowed_origins: list[str]
    is_active: bool
    is_archived: bool
    theme: NotRequired[dict[str, str | float | bool]]
    # The team’s if absent
    locale: NotRequired[str]
    # wpk_…; names the widget, no secret
    publishable_key: str
    token_ttl_seconds: int
    # Days that a session lasts at most; absent, it lasts as long as its journey
    session_max_days: NotRequired[int]
    card_on_file: NotRequired[CardOnFile]
    opt_in: NotRequired[OptIn]
    mobile_app: NotRequired[MobileApp]
    last_bootstrapped_at: NotRequired[str]
    bootstrap_count: int
    archived_at: NotRequired[str]
    inserted_at: str
    updated_at: str


class ListInsightsResponseData(TypedDict):
    name: str
    operation_id: str
    path: str
    summary: str
    # Definition of each figure in words
    definition: str
    datasets: list[str]
    # Rises when the definition changes
    version: int
    filters: list[str]
    # JSON Schema of value; the title of each field is its name for people
    value_schema: Any


class ListInsightsResponse(TypedDict):
    data: list[ListInsightsResponseData]


class InsightAddedValueByTimeValueSeries(TypedDict):
    # Start of the bucket in UTC
    start: str
    completions: int
    # Sum in cents of the team’s currency. A sum beyond ±(2^53−1) is shown as that limit
    value_cents: int
    # Since the start of the period. A sum beyond ±(2^53−1) is shown as that limit
    cumulative_value_cents: int


class InsightAddedValueByTimeValue(TypedDict):
    bucket: Literal["hour", "day", "week", "month"]
    series: list[InsightAddedValueByTimeValueSeries]
    total_completions: int
    # Sum in cents of the team’s currency. A sum beyond ±(2^53−1) is shown as that limit
    total_value_cents: int


class InsightAddedValueByTimeSource(TypedDict):
    # live: From rows; cache: Worked out a while ago
    kind: Literal["live", "cache"]
    # Tables that it was read from, by commas
    dataset: str
    # <name>@<version of its definition>
    query: str
    window: QuietHours
    timezone: str
    bucket: Literal["hour", "day", "week", "month"]
    # Time up to which recorded data is included
    data_through: str
    filters: dict[str, str]
    # Length of the longest list or series of the value
    row_count: int
    sampled: bool


class InsightAddedValueByTime(TypedDict):
    name: Literal["added-value-by-time"]
    value: InsightAddedValueByTimeValue
    computed_at: str
    # Until when it is kept, or may be; absent for live figures
    expires_at: NotRequired[str]
    source: InsightAddedValueByTimeSource


class InsightCampaignEngagementValueCampaigns(TypedDict):
    template_id: str
    name: str
    status: str
    # Journeys that were open at some time of the period
    enrolled: int
    # Contacts of these journeys who did something
    engaged: int
    # engaged / enrolled
    engagement_rate: float | None
    opens: int
    clicks: int
    page_views: int
    widget_interactions: int
    replies: int


class InsightCampaignEngagementValueTotals(TypedDict):
    # Journeys that were open at some time of the period
    enrolled: int
    # Contacts of these journeys who did something
    engaged: int
    # engaged / enrolled
    engagement_rate: float | None
    opens: int
    clicks: int
    page_views: int
    widget_interactions: int
    replies: int


class InsightCampaignEngagementValue(TypedDict):
    # Most first; 200 at most
    campaigns: list[InsightCampaignEngagementValueCampaigns]
    # Whether there are more rows than are shown
    truncated: bool
    totals: InsightCampaignEngagementValueTotals


class InsightCampaignEngagement(TypedDict):
    name: Literal["campaign-engagement"]
    value: InsightCampaignEngagementValue
    computed_at: str
    # Until when it is kept, or may be; absent for live figures
    expires_at: NotRequired[str]
    source: InsightAddedValueByTimeSource


class InsightCampaignEnrollmentValueBySource(TypedDict):
    api: int
    cohort: int
    batch: int
    ipaas: int
    widget: int


class InsightCampaignEnrollmentValueCampaigns(TypedDict):
    template_id: str
    name: str
    enrolled: int
    # Enrollments that are not the contact’s first in the campaign
    reenrolled: int
    # Journeys of the holdout, not counted above
    holdout: int


class InsightCampaignEnrollmentValueSeries(TypedDict):
    # Start of the bucket in UTC
    start: str
    enrolled: int


class InsightCampaignEnrollmentValue(TypedDict):
    bucket: Literal["hour", "day", "week", "month"]
    total_enrolled: int
    unique_contacts: int
    by_source: InsightCampaignEnrollmentValueBySource
    # Most first; 200 at most
    campaigns: list[InsightCampaignEnrollmentValueCampaigns]
    # Whether there are more rows than are shown
    truncated: bool
    series: list[InsightCampaignEnrollmentValueSeries]


class InsightCampaignEnrollment(TypedDict):
    name: Literal["campaign-enrollment"]
    value: InsightCampaignEnrollmentValue
    computed_at: str
    # Until when it is kept, or may be; absent for live figures
    expires_at: NotRequired[str]
    source: InsightAddedValueByTimeSource


class InsightCampaignPerformanceValueCampaigns(TypedDict):
    template_id: str
    name: str
    # Journeys
    enrolled: int
    # Contacts that a message was sent to
    reached: int
    # Contacts that a message was delivered to
    delivered: int
    # delivered / reached
    delivery_rate: float | None
    # Contacts
    opened: int
    # opened / delivered
    open_rate: float | None
    # Contacts
    clicked: int
    # clicked / delivered
    click_rate: float | None
    # Contacts
    unsubscribed: int
    # Completions that these journeys led to
    objectives_completed: int
    # Journeys with one at least
    completed_journeys: int
    # completed_journeys / enrolled
    completion_rate: float | None
    # Sum in cents of the team’s currency. A sum beyond ±(2^53−1) is shown as that limit
    value_cents: int
    value_cents_per_enrolled: int | None


class InsightCampaignPerformanceValueTotals(TypedDict):
    # Journeys
    enrolled: int
    # Contacts that a message was sent to
    reached: int
    # Contacts that a message was delivered to
    delivered: int
    # delivered / reached
    delivery_rate: float | None
    # Contacts
    opened: int
    # opened / delivered
    open_rate: float | None
    # Contacts
    clicked: int
    # clicked / delivered
    click_rate: float | None
    # Contacts
    unsubscribed: int
    # Completions that these journeys led to
    objectives_completed: int
    # Journeys with one at least
    completed_journeys: int
    # completed_journeys / enrolled
    completion_rate: float | None
    # Sum in cents of the team’s currency. A sum beyond ±(2^53−1) is shown as that limit
    value_cents: int
    value_cents_per_enrolled: int | None


class InsightCampaignPerformanceValue(TypedDict):
    # Most first; 200 at most
    campaigns: list[InsightCampaignPerformanceValueCampaigns]
    # Whether there are more rows than are shown
    truncated: bool
    totals: InsightCampaignPerformanceValueTotals


class InsightCampaignPerformance(TypedDict):
    name: Literal["campaign-performance"]
    value: InsightCampaignPerformanceValue
    computed_at: str
    # Until when it is kept, or may be; absent for live figures
    expires_at: NotRequired[str]
    source: InsightAddedValueByTimeSource


class InsightCardOnFileWidgetValueByMerchant(TypedDict):
    merchant: str
    started: int
    completed: int
    failed: int


class InsightCardOnFileWidgetValueSeries(TypedDict):
    # Start of the bucket in UTC
    start: str
    loads: int
    completed: int


class InsightCardOnFileWidgetValue(TypedDict):
    bucket: Literal["hour", "day", "week", "month"]
    loads: int
    # Who loaded it
    unique_contacts: int
    starts: int
    merchants_selected: int
    completed: int
    failed: int
    # starts / loads
    start_rate: float | None
    # completed / starts
    completion_rate: float | None
    # Most first; 200 at most
    by_merchant: list[InsightCardOnFileWidgetValueByMerchant]
    # Whether there are more rows than are shown
    truncated: bool
    series: list[InsightCardOnFileWidgetValueSeries]


class InsightCardOnFileWidget(TypedDict):
    name: Literal["card-on-file-widget"]
    value: InsightCardOnFileWidgetValue
    computed_at: str
    # Until when it is kept, or may be; absent for live figures
    expires_at: NotRequired[str]
    source: InsightAddedValueByTimeSource


class InsightDriversValueBaseline(TypedDict):
    contacts: int
    completion_rate: float | None


class InsightDriversValueDrivers(TypedDict):
    dimension: Literal["message", "page", "channel", "widget", "cohort", "entry"]
    id: str
    label: str
    # Journeys
    exposed: int
    exposed_rate: float | None
    unexposed_rate: float | None
    lift: float | None
    lift_pp: float
    ci95: list[float]
    # Whether ci95 leaves out 0
    significant: bool


class InsightDriversValue(TypedDict):
    outcome: Literal["objective.completed"]
    baseline: InsightDriversValueBaseline
    holdout: InsightDriversValueBaseline | None
    # Most first; 200 at most
    drivers: list[InsightDriversValueDrivers]
    # Whether there are more rows than are shown
    truncated: bool
    minimum_sample: int


class InsightDrivers(TypedDict):
    name: Literal["drivers"]
    value: InsightDriversValue
    computed_at: str
    # Until when it is kept, or may be; absent for live figures
    expires_at: NotRequired[str]
    source: InsightAddedValueByTimeSource


class InsightEnrollmentWidgetValueByInstance(TypedDict):
    widget_instance_id: str
    name: str
    loads: int
    unique_visitors: int
    form_starts: int
    submissions: int


class InsightEnrollmentWidgetValueSeries(TypedDict):
    # Start of the bucket in UTC
    start: str
    loads: int
    submissions: int
    enrolled: int


class InsightEnrollmentWidgetValue(TypedDict):
    bucket: Literal["hour", "day", "week", "month"]
    loads: int
    unique_visitors: int
    form_starts: int
    submissions: int
    enrolled: int
    duplicates: int
    # enrolled / unique_visitors
    conversion_rate: float | None
    # Most first; 200 at most
    by_instance: list[InsightEnrollmentWidgetValueByInstance]
    # Whether there are more rows than are shown
    truncated: bool
    series: list[InsightEnrollmentWidgetValueSeries]


class InsightEnrollmentWidget(TypedDict):
    name: Literal["enrollment-widget"]
    value: InsightEnrollmentWidgetValue
    computed_at: str
    # Until when it is kept, or may be; absent for live figures
    expires_at: NotRequired[str]
    source: InsightAddedValueByTimeSource


class InsightGapAnalysisValueObjectives(TypedDict):
    objective_id: str
    key: str
    name: str
    eligible: int
    completed: int
    # eligible - completed
    gap: int
    # gap / eligible
    gap_rate: float | None
    # Sum in cents of the team’s currency. A sum beyond ±(2^53−1) is shown as that limit
    potential_value_cents: int


class InsightGapAnalysisValueProducts(TypedDict):
    kind: Literal["deposit", "loan", "credit", "investment", "other"]
    contacts_with: int
    contacts_without: int
    # contacts_with / active contacts
    penetration_rate: float | None


class InsightGapAnalysisValueTotals(TypedDict):
    # Sum in cents of the team’s currency. A sum beyond ±(2^53−1) is shown as that limit
    potential_value_cents: int


class InsightGapAnalysisValue(TypedDict):
    # Most first; 200 at most
    objectives: list[InsightGapAnalysisValueObjectives]
    # Whether there are more rows than are shown
    truncated: bool
    products: list[InsightGapAnalysisValueProducts]
    totals: InsightGapAnalysisValueTotals


class InsightGapAnalysis(TypedDict):
    name: Literal["gap-analysis"]
    value: InsightGapAnalysisValue
    computed_at: str
    # Until when it is kept, or may be; absent for live figures
    expires_at: NotRequired[str]
    source: InsightAddedValueByTimeSource


class InsightMessagesValueChannels(TypedDict):
    channel: Literal["email", "sms", "push"]
    sent: int
    delivered: int
    bounced: int
    failed: int
    # By a person
    opened: int
    # By a program that fetches mail ahead
    opened_machine: int
    # By a person
    clicked: int
    unsubscribed: int
    complained: int
    # delivered / sent
    delivery_rate: float | None
    # opened / delivered
    open_rate: float | None
    # clicked / delivered
    click_rate: float | None
    # clicked / opened
    click_to_open_rate: float | None
    # bounced / sent
    bounce_rate: float | None
    # complained / delivered
    complaint_rate: float | None
    # unsubscribed / delivered
    unsubscribe_rate: float | None


class InsightMessagesValueMessagesByVariant(TypedDict):
    # Absent for deliveries without a variant
    variant_key: NotRequired[str]
    sent: int
    delivered: int
    bounced: int
    failed: int
    # By a person
    opened: int
    # By a program that fetches mail ahead
    opened_machine: int
    # By a person
    clicked: int
    unsubscribed: int
    complained: int
    # delivered / sent
    delivery_rate: float | None
    # opened / delivered
    open_rate: float | None
    # clicked / delivered
    click_rate: float | None
    # clicked / opened
    click_to_open_rate: float | None
    # bounced / sent
    bounce_rate: float | None
    # complained / delivered
    complaint_rate: float | None
    # unsubscribed / delivered
    unsubscribe_rate: float | None


class InsightMessagesValueMessages(TypedDict):
    message_id: str
    name: str
    template_id: str
    channel: Literal["email", "sms", "push"]
    sent: int
    delivered: int
    bounced: int
    failed: int
    # By a person
    opened: int
    # By a program that fetches mail ahead
    opened_machine: int
    # By a person
    clicked: int
    unsubscribed: int
    complained: int
    # delivered / sent
    delivery_rate: float | None
    # opened / delivered
    open_rate: float | None
    # clicked / delivered
    click_rate: float | None
    # clicked / opened
    click_to_open_rate: float | None
    # bounced / sent
    bounce_rate: float | None
    # complained / delivered
    complaint_rate: float | None
    # unsubscribed / delivered
    unsubscribe_rate: float | None
    by_variant: list[InsightMessagesValueMessagesByVariant]


class InsightMessagesValueTopics(TypedDict):
    topic_id: str
    name: str
    sent: int
    delivered: int
    bounced: int
    failed: int
    # By a person
    opened: int
    # By a program that fetches mail ahead
    opened_machine: int
    # By a person
    clicked: int
    unsubscribed: int
    complained: int
    # delivered / sent
    delivery_rate: float | None
    # opened / delivered
    open_rate: float | None
    # clicked / delivered
    click_rate: float | None
    # clicked / opened
    click_to_open_rate: float | None
    # bounced / sent
    bounce_rate: float | None
    # complained / delivered
    complaint_rate: float | None
    # unsubscribed / delivered
    unsubscribe_rate: float | None


class InsightMessagesValueSkippedByReason(TypedDict):
    no_consent: int
    topic_unsubscribed: int
    suppressed: int
    missing_address: int
    quiet_hours_expired: int
    frequency_cap: int
    holdout: int
    condition_false: int
    objective_completed: int
    template_paused_stale: int
    deadline_passed: int
    sender_not_verified: int


class InsightMessagesValueTotals(TypedDict):
    sent: int
    delivered: int
    bounced: int
    failed: int
    # By a person
    opened: int
    # By a program that fetches mail ahead
    opened_machine: int
    # By a person
    clicked: int
    unsubscribed: int
    complained: int
    # delivered / sent
    delivery_rate: float | None
    # opened / delivered
    open_rate: float | None
    # clicked / delivered
    click_rate: float | None
    # clicked / opened
    click_to_open_rate: float | None
    # bounced / sent
    bounce_rate: float | None
    # complained / delivered
    complaint_rate: float | None
    # unsubscribed / delivered
    unsubscribe_rate: float | None


class InsightMessagesValue(TypedDict):
    channels: list[InsightMessagesValueChannels]
    # Most first; 200 at most
    messages: list[InsightMessagesValueMessages]
    # Whether there are more rows than are shown
    truncated: bool
    # Most first; 200 at most
    topics: list[InsightMessagesValueTopics]
    skipped_by_reason: InsightMessagesValueSkippedByReason
    totals: InsightMessagesValueTotals


class InsightMessagesSource(TypedDict):
    # live: From rows; rollup: From sums; cache: Worked out a while ago
    kind: Literal["live", "rollup", "cache"]
    # Tables that it was read from, by commas
    dataset: str
    # <name>@<version of its definition>
    query: str
    window: QuietHours
    timezone: str
    bucket: Literal["hour", "day", "week", "month"]
    # Time up to which recorded data is included
    data_through: str
    filters: dict[str, str]
    # Length of the longest list or series of the value
    row_count: int
    sampled: bool


class InsightMessages(TypedDict):
    name: Literal["messages"]
    value: InsightMessagesValue
    computed_at: str
    # Until when it is kept, or may be; absent for live figures
    expires_at: NotRequired[str]
    source: InsightMessagesSource


class InsightMobileAppWidgetValueByPlatform(TypedDict):
    ios: int
    android: int
    other: int


class InsightMobileAppWidgetValueSeries(TypedDict):
    # Start of the bucket in UTC
    start: str
    loads: int
    store_clicks: int


class InsightMobileAppWidgetValue(TypedDict):
    bucket: Literal["hour", "day", "week", "month"]
    loads: int
    # Who loaded it
    unique_contacts: int
    store_clicks: int
    by_platform: InsightMobileAppWidgetValueByPlatform
    # Contacts who clicked / unique_contacts
    click_rate: float | None
    mobile_banking_completions: int
    # mobile_banking_completions / contacts who clicked
    conversion_rate: float | None
    series: list[InsightMobileAppWidgetValueSeries]


class InsightMobileAppWidget(TypedDict):
    name: Literal["mobile-app-widget"]
    value: InsightMobileAppWidgetValue
    computed_at: str
    # Until when it is kept, or may be; absent for live figures
    expires_at: NotRequired[str]
    source: InsightAddedValueByTimeSource


class InsightObjectiveCompletionBenchmarksValueObjectives(TypedDict):
    key: str
    name: str
    team_rate: float | None
    peer_p25: float | None
    peer_p50: float | None
    peer_p75: float | None
    percentile: float | None
    sample_teams: int | None


class InsightObjectiveCompletionBenchmarksValue(TypedDict):
    objectives: list[InsightObjectiveCompletionBenchmarksValueObjectives]
    minimum_teams: int


class InsightObjectiveCompletionBenchmarks(TypedDict):
    name: Literal["objective-completion-benchmarks"]
    value: InsightObjectiveCompletionBenchmarksValue
    computed_at: str
    # Until when it is kept, or may be; absent for live figures
    expires_at: NotRequired[str]
    source: InsightAddedValueByTimeSource


class InsightObjectiveCompletionRateValueObjectives(TypedDict):
    objective_id: str
    key: str
    name: str
    # With the objective
    journeys: int
    completed: int
    # completed / journeys
    completion_rate: float | None
    # Days of 24 hours from enrollment to the first completion
    median_days_to_complete: float | None
    # Within which nine of ten of them completed it
    p90_days: float | None


class InsightObjectiveCompletionRateValueOverall(TypedDict):
    # With the objective
    journeys: int
    completed: int
    # completed / journeys
    completion_rate: float | None
    # Days of 24 hours from enrollment to the first completion
    median_days_to_complete: float | None
    # Within which nine of ten of them completed it
    p90_days: float | None


class InsightObjectiveCompletionRateValueSeries(TypedDict):
    # Start of the bucket in UTC
    start: str
    journeys: int
    completed: int
    rate: float | None


class InsightObjectiveCompletionRateValue(TypedDict):
    bucket: Literal["hour", "day", "week", "month"]
    # Most first; 200 at most
    objectives: list[InsightObjectiveCompletionRateValueObjectives]
    # Whether there are more rows than are shown
    truncated: bool
    overall: InsightObjectiveCompletionRateValueOverall
    series: list[InsightObjectiveCompletionRateValueSeries]


class InsightObjectiveCompletionRate(TypedDict):
    name: Literal["objective-completion-rate"]
    value: InsightObjectiveCompletionRateValue
    computed_at: str
    # Until when it is kept, or may be; absent for live figures
    expires_at: NotRequired[str]
    source: InsightAddedValueByTimeSource


class InsightObjectiveContentValueObjectivesContent(TypedDict):
    content_type: Literal["message", "page", "landing_page"]
    id: str
    name: NotRequired[str]
    exposed: int
    clicked: int
    completions_last_touch: int
    # completions_last_touch / exposed
    completion_rate: float | None


class InsightObjectiveContentValueObjectives(TypedDict):
    objective_id: str
    key: str
    content: list[InsightObjectiveContentValueObjectivesContent]


class InsightObjectiveContentValue(TypedDict):
    objectives: list[InsightObjectiveContentValueObjectives]


class InsightObjectiveContent(TypedDict):
    name: Literal["objective-content"]
    value: InsightObjectiveContentValue
    computed_at: str
    # Until when it is kept, or may be; absent for live figures
    expires_at: NotRequired[str]
    source: InsightAddedValueByTimeSource


class InsightObjectiveTotalValueValueObjectives(TypedDict):
    objective_id: str
    key: str
    name: str
    completions: int
    # Value that a completion is credited with now
    unit_value_cents: int
    # Sum in cents of the team’s currency. A sum beyond ±(2^53−1) is shown as that limit
    value_cents: int
    # Sum in cents of the team’s currency. A sum beyond ±(2^53−1) is shown as that limit
    attributed_value_cents: int


class InsightObjectiveTotalValueValue(TypedDict):
    # Most first; 200 at most
    objectives: list[InsightObjectiveTotalValueValueObjectives]
    # Whether there are more rows than are shown
    truncated: bool
    total_completions: int
    # Sum in cents of the team’s currency. A sum beyond ±(2^53−1) is shown as that limit
    total_value_cents: int
    # Sum in cents of the team’s currency. A sum beyond ±(2^53−1) is shown as that limit
    attributed_value_cents: int


class InsightObjectiveTotalValue(TypedDict):
    name: Literal["objective-total-value"]
    value: InsightObjectiveTotalValueValue
    computed_at: str
    # Until when it is kept, or may be; absent for live figures
    expires_at: NotRequired[str]
    source: InsightAddedValueByTimeSource


class InsightOptInWidgetValueOptIns(TypedDict):
    email: int
    sms: int
    push: int


class InsightOptInWidgetValueSeries(TypedDict):
    # Start of the bucket in UTC
    start: str
    loads: int
    opt_ins: int
    opt_outs: int


class InsightOptInWidgetValue(TypedDict):
    bucket: Literal["hour", "day", "week", "month"]
    loads: int
    # Who loaded it or answered
    unique_contacts: int
    submissions: int
    opt_ins: InsightOptInWidgetValueOptIns
    opt_outs: InsightOptInWidgetValueOptIns
    confirmed_double_opt_in: int
    # Contacts who opted in to a channel / unique_contacts
    opt_in_rate: float | None
    series: list[InsightOptInWidgetValueSeries]


class InsightOptInWidget(TypedDict):
    name: Literal["opt-in-widget"]
    value: InsightOptInWidgetValue
    computed_at: str
    # Until when it is kept, or may be; absent for live figures
    expires_at: NotRequired[str]
    source: InsightAddedValueByTimeSource


class InsightOverallNumberOfCampaignsValueSeries(TypedDict):
    # Start of the bucket in UTC
    start: str
    launched: int
    active: int


class InsightOverallNumberOfCampaignsValue(TypedDict):
    bucket: Literal["hour", "day", "week", "month"]
    total: int
    by_status: TemplateStatusRollupByStatus
    launched_in_period: int
    archived_in_period: int
    expired_in_period: int
    active_at_end: int
    series: list[InsightOverallNumberOfCampaignsValueSeries]


class InsightOverallNumberOfCampaigns(TypedDict):
    name: Literal["overall-number-of-campaigns"]
    value: InsightOverallNumberOfCampaignsValue
    computed_at: str
    # Until when it is kept, or may be; absent for live figures
    expires_at: NotRequired[str]
    source: InsightAddedValueByTimeSource


class InsightPagesValuePages(TypedDict):
    page_id: str
    template_id: str
    name: str
    views: int
    # Who viewed it
    unique_contacts: int
    cta_clicks: int
    unique_clickers: int
    # unique_clickers / unique_contacts
    click_rate: float | None
    # Contacts who did what completes the page
    completions: int
    # completions / unique_contacts
    completion_rate: float | None


class InsightPagesValueTotals(TypedDict):
    views: int
    # Who viewed it
    unique_contacts: int
    cta_clicks: int
    unique_clickers: int
    # unique_clickers / unique_contacts
    click_rate: float | None
    # Contacts who did what completes the page
    completions: int
    # completions / unique_contacts
    completion_rate: float | None


class InsightPagesValue(TypedDict):
    # Most first; 200 at most
    pages: list[InsightPagesValuePages]
    # Whether there are more rows than are shown
    truncated: bool
    totals: InsightPagesValueTotals


class InsightPages(TypedDict):
    name: Literal["pages"]
    value: InsightPagesValue
    computed_at: str
    # Until when it is kept, or may be; absent for live figures
    expires_at: NotRequired[str]
    source: InsightAddedValueByTimeSource


class InsightPerformanceValueCurrent(TypedDict):
    # Active ones, made before the end
    contacts: int
    # total_enrolled of campaign-enrollment
    enrolled: int
    # From the totals of campaign-performance
    reached: int
    # From the totals of campaign-engagement
    engaged: int
    # From the totals of messages
    messages_delivered: int
    # clicked of the totals of messages
    clicks: int
    # total_completions of objective-total-value
    completions: int
    # Sum in cents of the team’s currency. A sum beyond ±(2^53−1) is shown as that limit
    value_cents: int
    # From total-value-of-opened-products
    accounts_opened: int
    # Sum in cents of the team’s currency. A sum beyond ±(2^53−1) is shown as that limit
    opened_balance_cents: int
    # From the totals of campaign-engagement
    engagement_rate: float | None
    # From the totals of campaign-performance
    completion_rate: float | None


class InsightPerformanceValueChange(TypedDict):
    contacts: float | None
    enrolled: float | None
    reached: float | None
    engaged: float | None
    messages_delivered: float | None
    clicks: float | None
    completions: float | None
    value_cents: float | None
    accounts_opened: float | None
    opened_balance_cents: float | None
    engagement_rate: float | None
    completion_rate: float | None


class InsightPerformanceValue(TypedDict):
    current: InsightPerformanceValueCurrent
    previous: InsightPerformanceValueCurrent
    change: InsightPerformanceValueChange


class InsightPerformance(TypedDict):
    name: Literal["performance"]
    value: InsightPerformanceValue
    computed_at: str
    # Until when it is kept, or may be; absent for live figures
    expires_at: NotRequired[str]
    source: InsightMessagesSource


class InsightTotalValueOfOpenedProductsValueSeries(TypedDict):
    # Start of the bucket in UTC
    start: str
    accounts_opened: int
    # Sum in cents of the team’s currency. A sum beyond ±(2^53−1) is shown as that limit
    balance_cents: int


class InsightTotalValueOfOpenedProductsValue(TypedDict):
    bucket: Literal["hour", "day", "week", "month"]
    accounts_opened: int
    # Sum in cents of the team’s currency. A sum beyond ±(2^53−1) is shown as that limit
    total_balance_cents: int
    average_balance_cents: int | None
    attributed_accounts: int
    # Sum in cents of the team’s currency. A sum beyond ±(2^53−1) is shown as that limit
    attributed_balance_cents: int
    series: list[InsightTotalValueOfOpenedProductsValueSeries]


class InsightTotalValueOfOpenedProducts(TypedDict):
    name: Literal["total-value-of-opened-products"]
    value: InsightTotalValueOfOpenedProductsValue
    computed_at: str
    # Until when it is kept, or may be; absent for live figures
    expires_at: NotRequired[str]
    source: InsightAddedValueByTimeSource


class InsightValueOfOpenedProductsValueProducts(TypedDict):
    kind: Literal["deposit", "loan", "credit", "investment", "other"]
    product_id: NotRequired[str]
    accounts_opened: int
    # Sum in cents of the team’s currency. A sum beyond ±(2^53−1) is shown as that limit
    balance_cents: int
    average_balance_cents: int | None
    attributed_accounts: int
    # Sum in cents of the team’s currency. A sum beyond ±(2^53−1) is shown as that limit
    attributed_balance_cents: int
    # Share of the balance of all
    share: float | None


class InsightValueOfOpenedProductsValueTotals(TypedDict):
    accounts_opened: int
    # Sum in cents of the team’s currency. A sum beyond ±(2^53−1) is shown as that limit
    balance_cents: int
    average_balance_cents: int | None
    attributed_accounts: int
    # Sum in cents of the team’s currency. A sum beyond ±(2^53−1) is shown as that limit
    attributed_balance_cents: int


class InsightValueOfOpenedProductsValue(TypedDict):
    # Most first; 200 at most
    products: list[InsightValueOfOpenedProductsValueProducts]
    # Whether there are more rows than are shown
    truncated: bool
    totals: InsightValueOfOpenedProductsValueTotals


class InsightValueOfOpenedProducts(TypedDict):
    name: Literal["value-of-opened-products"]
    value: InsightValueOfOpenedProductsValue
    computed_at: str
    # Until when it is kept, or may be; absent for live figures
    expires_at: NotRequired[str]
    source: InsightAddedValueByTimeSource


class TemplateInsightOptInWidgetValue(TypedDict):
    template_id: str
    bucket: Literal["hour", "day", "week", "month"]
    loads: int
    # Who loaded it or answered
    unique_contacts: int
    submissions: int
    opt_ins: InsightOptInWidgetValueOptIns
    opt_outs: InsightOptInWidgetValueOptIns
    confirmed_double_opt_in: int
    # Contacts who opted in to a channel / unique_contacts
    opt_in_rate: float | None
    series: list[InsightOptInWidgetValueSeries]


class TemplateInsightOptInWidget(TypedDict):
    name: Literal["opt-in-widget"]
    value: TemplateInsightOptInWidgetValue
    computed_at: str
    # Until when it is kept, or may be; absent for live figures
    expires_at: NotRequired[str]
    source: InsightAddedValueByTimeSource


class TemplateInsightSecurePersonalizationValueByFactor(TypedDict):
    factor: str
    presented: int
    passed: int
    failed: int


class TemplateInsightSecurePersonalizationValueSeries(TypedDict):
    # Start of the bucket in UTC
    start: str
    presented: int
    passed: int


class TemplateInsightSecurePersonalizationValue(TypedDict):
    template_id: str
    bucket: Literal["hour", "day", "week", "month"]
    challenges_presented: int
    passed: int
    failed: int
    locked: int
    # passed / challenges_presented
    pass_rate: float | None
    unique_contacts: int
    median_seconds_to_pass: float | None
    by_factor: list[TemplateInsightSecurePersonalizationValueByFactor]
    series: list[TemplateInsightSecurePersonalizationValueSeries]


class TemplateInsightSecurePersonalization(TypedDict):
    name: Literal["secure-personalization"]
    value: TemplateInsightSecurePersonalizationValue
    computed_at: str
    # Until when it is kept, or may be; absent for live figures
    expires_at: NotRequired[str]
    source: InsightAddedValueByTimeSource


class WidgetToken(TypedDict):
    # dow_…
    access_token: str
    token_type: Literal["Bearer"]
    # Seconds
    expires_in: int
    expires_at: str
    scope: str
    widget_instance_id: str
    contact_id: NotRequired[str]
    journey_id: NotRequired[str]


class RecipientJourneyJourneyObjectives(TypedDict):
    id: str
    key: str
    name: str
    # Absent while it is pending
    completed_at: NotRequired[str]


class RecipientJourneyJourneyProgress(TypedDict):
    pages_viewed: int
    # Pages whose step is_done
    pages_done: int
    pages_total: int
    objectives_completed: int
    objectives_total: int


class RecipientJourneyJourney(TypedDict):
    id: str
    status: str
    enrolled_at: str
    completed_at: NotRequired[str]
    deadline_at: NotRequired[str]
    # Seen last
    current_page_id: NotRequired[str]
    objectives: list[RecipientJourneyJourneyObjectives]
    progress: RecipientJourneyJourneyProgress


class RecipientJourneyTeam(TypedDict):
    name: str


class RecipientJourneyTemplate(TypedDict):
    id: str
    name: str
    # The settings of the widget that the session began with; with a link, of the first open widget of the team that has a theme, one of the template before others
    theme: dict[str, Any]


class RecipientWidget(TypedDict):
    type: Literal["recipient_widget"]
    team_id: str
    id: str
    widget_kind: Literal["journey", "enrollment", "opt_in", "card_on_file", "mobile_app", "secure_personalization"]
    card_on_file: NotRequired[CardOnFile]
    opt_in: NotRequired[OptIn]
    mobile_app: NotRequired[MobileApp]


class RecipientPageSummary(TypedDict):
    type: Literal["recipient_page_summary"]
    team_id: str
    id: str
    # Rendered
    title: str
    # Unique in the template
    path: NotRequired[str]
    kind: Literal["welcome", "step", "form", "checklist", "widget", "completion"]
    position: int
    # The objective that completing the page counts for
    objective_id: NotRequired[str]
    completion_rule: Literal["viewed", "cta_clicked", "form_submitted", "objective_completed"]
    is_viewed: bool
    # By its completion_rule
    is_completed: bool
    # Whether the recipient has done the step: by its completion_rule, and with the rule viewed by its content (a form was sent, the listed objectives are completed, a button was clicked, or else the recipient went on)
    is_done: bool
    # Shown only once the recipient has passed an identity challenge
    is_locked: bool


class RecipientSession(TypedDict):
    # When the cookie expires; absent before the bootstrap
    expires_at: NotRequired[str]
    # To be sent as X-CSRF-Token with every change by cookie
    csrf_token: NotRequired[str]
    # Assurance of the identity of the recipient; with none, personal fields are not shown
    assurance: Literal["none", "recognized", "authenticated", "verified"]
    # Whether there is an identity challenge that would raise the assurance
    can_verify: bool


class RecipientJourney(TypedDict):
    type: Literal["recipient_journey"]
    team_id: str
    journey: RecipientJourneyJourney
    team: RecipientJourneyTeam
    template: RecipientJourneyTemplate
    locale: str
    widget: NotRequired[RecipientWidget]
    pages: list[RecipientPageSummary]
    session: RecipientSession


class RecipientPage(TypedDict):
    type: Literal["recipient_page"]
    team_id: str
    id: str
    # Rendered
    title: str
    # Unique in the template
    path: NotRequired[str]
    kind: Literal["welcome", "step", "form", "checklist", "widget", "completion"]
    position: int
    # The objective that completing the page counts for
    objective_id: NotRequired[str]
    completion_rule: Literal["viewed", "cta_clicked", "form_submitted", "objective_completed"]
    is_viewed: bool
    # By its completion_rule
    is_completed: bool
    # Whether the recipient has done the step: by its completion_rule, and with the rule viewed by its content (a form was sent, the listed objectives are completed, a button was clicked, or else the recipient went on)
    is_done: bool
    # Shown only once the recipient has passed an identity challenge
    is_locked: bool
    # Whether it contains data of the recipient; else defaults stand there
    is_personalized: bool
    # Sanitized; absent while it is locked
    html: NotRequired[str]
    widget: NotRequired[RecipientWidget]


class RecordRecipientEventsResponse(TypedDict):
    accepted: int
    duplicates: int


class RecipientConsent(TypedDict):
    type: Literal["recipient_consent"]
    team_id: str
    channel: Literal["email", "sms", "push"]
    status: Literal["pending", "subscribed", "unsubscribed"]
    updated_at: NotRequired[str]


class IdentityChallenge(TypedDict):
    type: Literal["identity_challenge"]
    team_id: str
    id: str
    # postal_code, date_of_birth (2000-01-31), the last four characters of the customer number, or a code of six digits that this request sends: to the number (otp_sms) or the address (otp_email)
    factor: Literal["postal_code", "date_of_birth", "unique_id_last4", "otp_sms", "otp_email"]
    # Factors that can be requested instead
    offered_factors: list[Literal["postal_code", "date_of_birth", "unique_id_last4", "otp_sms", "otp_email"]]
    # Wrong answers until the lock: of a network, or of all for questions about recorded data
    attempts_left: int
    expires_at: str


class IdentityVerdict(TypedDict):
    status: Literal["passed", "failed"]
    # After a wrong answer
    attempts_left: NotRequired[int]
    session: NotRequired[RecipientSession]


class Export(TypedDict):
    id: str
    type: Literal["export"]
    team_id: str
    kind: Literal["contacts", "accounts", "objective_completions", "archived_messages", "contact_reads", "contact"]
    # json: of one contact only
    format: Literal["csv", "ndjson", "json"]
    status: Literal["queued", "running", "succeeded", "failed"]
    filters: NotRequired[dict[str, str]]
    # Whom it is about, with kind contact
    contact_id: NotRequired[str]
    # Rows so far
    row_count: int
    # Size of the file so far
    size_bytes: int
    # SHA-256 of the last line so far, of archived_messages: the end of the chain
    chain_sha256: NotRequired[str]
    error: NotRequired[SftpUploadError]
    requested_by_client_id: str
    started_at: NotRequired[str]
    completed_at: NotRequired[str]
    # The file is kept until then
    expires_at: str
    inserted_at: str
    updated_at: str


class CreatedWebhookSubscriptionThinEventTypes(TypedDict):
    event_type: str
    required_scope: str


class CreatedWebhookSubscriptionDeprecatedEventTypes(TypedDict):
    event_type: str
    sunset_at: str
    # The event type to list instead
    replacement: NotRequired[str]
    reason: str


class CreatedWebhookSubscription(TypedDict):
    id: str
    type: Literal["webhook_subscription"]
    team_id: str
    name: NotRequired[str]
    description: NotRequired[str]
    # https URL that receives the events by POST. A change removes the headers of the delivery settings
    target_url: str
    # Exact event types, "prefix.*" or "*"
    event_types: list[str]
    is_active: bool
    # Set by the service; PATCH false enables the subscription again
    is_disabled_for_failures: bool
    # Deliveries that failed permanently since the last success
    consecutive_permanent_failures: int
    last_delivered_at: NotRequired[str]
    # Event types of `event_types` that are sent without their data, since the client that last set `event_types` or `target_url` lacked the scope that reads the resource
    thin_event_types: list[CreatedWebhookSubscriptionThinEventTypes]
    # Event types of `event_types` that are sent only until their `sunset_at`
    deprecated_event_types: list[CreatedWebhookSubscriptionDeprecatedEventTypes]
    inserted_at: str
    updated_at: str
    # whsec_… (Standard Webhooks); shown only here
    signing_secret: str


class WebhookSubscription(TypedDict):
    id: str
    type: Literal["webhook_subscription"]
    team_id: str
    name: NotRequired[str]
    description: NotRequired[str]
    # https URL that receives the events by POST. A change removes the headers of the delivery settings
    target_url: str
    # Exact event types, "prefix.*" or "*"
    event_types: list[str]
    is_active: bool
    # Set by the service; PATCH false enables the subscription again
    is_disabled_for_failures: bool
    # Deliveries that failed permanently since the last success
    consecutive_permanent_failures: int
    last_delivered_at: NotRequired[str]
    # Event types of `event_types` that are sent without their data, since the client that last set `event_types` or `target_url` lacked the scope that reads the resource
    thin_event_types: list[CreatedWebhookSubscriptionThinEventTypes]
    # Event types of `event_types` that are sent only until their `sunset_at`
    deprecated_event_types: list[CreatedWebhookSubscriptionDeprecatedEventTypes]
    inserted_at: str
    updated_at: str


class ListWebhookEventTypesResponseData(TypedDict):
    name: str
    description: str
    since: str
    deprecation: NotRequired[Deprecation]
    # Reads the resource; without it the event is sent thin
    required_scope: str
    schema: Any


class ListWebhookEventTypesResponse(TypedDict):
    data: list[ListWebhookEventTypesResponseData]


class RotatedSecret(TypedDict):
    # whsec_…; shown only here
    signing_secret: str
    # Until then the old secret signs too
    previous_expires_at: NotRequired[str]


class WebhookDelivery(TypedDict):
    id: str
    type: Literal["webhook_delivery"]
    team_id: str
    subscription_id: str
    # Also the webhook-id header
    event_id: str
    event_type: str
    status: Literal["pending", "retrying", "delivered", "failed", "suppressed"]
    trigger: Literal["event", "test", "replay", "manual"]
    attempt_count: int
    next_attempt_at: NotRequired[str]
    last_attempt_at: NotRequired[str]
    # Status of the last attempt
    http_status: NotRequired[int]
    # Why the last attempt failed, or why it was not made
    error_code: NotRequired[str]
    completed_at: NotRequired[str]
    inserted_at: str
    updated_at: str


class WebhookDeliveryCountsByStatus(TypedDict):
    pending: int
    retrying: int
    delivered: int
    failed: int
    suppressed: int


class WebhookDeliveryCounts(TypedDict):
    subscription_id: str
    window: QuietHours
    # Deliveries that were recorded in the window
    total: int
    # As they stand now
    by_status: WebhookDeliveryCountsByStatus
    by_event_type: dict[str, int]
    # Share of delivered among deliveries that were delivered or failed permanently; null where none are
    success_rate: float | None
    # Attempts for these deliveries, whenever they were made
    attempts: int
    # Half of the attempts took no longer, of the newest 10,000 deliveries; null where none were made
    p50_ms: int | None
    # The same of 95 %
    p95_ms: int | None
    computed_at: str


class WebhookAttempt(TypedDict):
    id: str
    type: Literal["webhook_attempt"]
    team_id: str
    subscription_id: str
    # 1, 2, 3 … without gaps
    number: int
    trigger: Literal["scheduled", "probe", "test", "replay", "manual"]
    url: str
    remote_ip: NotRequired[str]
    requested_at: str
    responded_at: NotRequired[str]
    duration_ms: int
    http_status: NotRequired[int]
    response_headers: NotRequired[dict[str, str]]
    response_body: NotRequired[str]
    response_truncated: bool
    error_code: NotRequired[str]
    error_detail: NotRequired[str]
    next_attempt_at: NotRequired[str]


class WebhookDeliveryDetails(TypedDict):
    id: str
    type: Literal["webhook_delivery"]
    team_id: str
    subscription_id: str
    # Also the webhook-id header
    event_id: str
    event_type: str
    status: Literal["pending", "retrying", "delivered", "failed", "suppressed"]
    trigger: Literal["event", "test", "replay", "manual"]
    attempt_count: int
    next_attempt_at: NotRequired[str]
    last_attempt_at: NotRequired[str]
    # Status of the last attempt
    http_status: NotRequired[int]
    # Why the last attempt failed, or why it was not made
    error_code: NotRequired[str]
    completed_at: NotRequired[str]
    inserted_at: str
    updated_at: str
    # While it is in trouble: the workflow that looks after it
    workflow_id: NotRequired[str]
    # With include=attempts; the newest 100
    attempts: NotRequired[list[WebhookAttempt]]
    # With include=event, for partner:webhooks:write: the body as it is sent
    event: NotRequired[dict[str, Any]]


class WebhookDeliverySettings(TypedDict):
    id: str
    type: Literal["webhook_delivery_settings"]
    team_id: str
    # Attempts, evenly spread
    rate_limit_per_second: NotRequired[int]
    # Attempts at the same time; 48 where it is not set
    max_concurrency: NotRequired[int]
    # fifo: one at a time, in the order in which events were recorded; what fails holds up the rest
    ordering: Literal["none", "fifo"]
    # Time limit of an attempt, connection and whole answer included; the service has a default
    timeout_seconds: int
    # Names of the further headers in lower case; their values are never shown
    header_names: list[str]
    # When the further headers were last changed
    headers_changed_at: NotRequired[str]
    # Every call carries a second signature, v1a, that the public key verifies
    asymmetric_signing: bool
    # whpk_… (Ed25519); another one each time signing is switched on
    public_key: NotRequired[str]
    inserted_at: str
    updated_at: str


class AskedWebhookReplay(TypedDict):
    # Absent in a dry run, which is not stored
    id: NotRequired[str]
    type: Literal["webhook_replay"]
    team_id: str
    subscription_id: str
    # failed: an internal error occurred repeatedly; what was replayed before stays so
    status: Literal["pending", "running", "completed", "canceled", "failed"]
    # Nothing was replayed: the counts show what a replay would do
    dry_run: bool
    # Deliveries that were requested
    matched: int
    # Started over so far; completed says that all of them are
    replayed: int
    # Deliveries among them that have been delivered
    succeeded: int
    # Deliveries among them that failed permanently, were suppressed or canceled
    failed: int
    # Deliveries whose event has been deleted
    skipped: int
    # Start of the window, inclusive
    since: NotRequired[str]
    # End of the window, exclusive
    until: NotRequired[str]
    rate_per_second: int
    inserted_at: str
    started_at: NotRequired[str]
    finished_at: NotRequired[str]


class WebhookReplay(TypedDict):
    id: str
    type: Literal["webhook_replay"]
    team_id: str
    subscription_id: str
    # failed: an internal error occurred repeatedly; what was replayed before stays so
    status: Literal["pending", "running", "completed", "canceled", "failed"]
    # Nothing was replayed: the counts show what a replay would do
    dry_run: bool
    # Deliveries that were requested
    matched: int
    # Started over so far; completed says that all of them are
    replayed: int
    # Deliveries among them that have been delivered
    succeeded: int
    # Deliveries among them that failed permanently, were suppressed or canceled
    failed: int
    # Deliveries whose event has been deleted
    skipped: int
    # Start of the window, inclusive
    since: NotRequired[str]
    # End of the window, exclusive
    until: NotRequired[str]
    rate_per_second: int
    inserted_at: str
    started_at: NotRequired[str]
    finished_at: NotRequired[str]


class ReceiverVerificationSecrets(TypedDict):
    name: str
    # Its last four characters
    hint: str
    # A replaced secret is accepted until then
    expires_at: NotRequired[str]
    inserted_at: str


class ReceiverVerificationPendingConfirmation(TypedDict):
    delivery_id: str
    topic_arn: str
    received_at: str


class ReceiverVerification(TypedDict):
    type: Literal["receiver_verification"]
    team_id: str
    # The topics that may send here
    topic_arns: NotRequired[list[str]]
    # The account whose topics may send here
    topic_account_id: NotRequired[str]
    # Confirm and pin the first topic of topic_account_id, within 24 hours of creation
    auto_confirm: NotRequired[bool]
    # Accept SignatureVersion 1, which is SHA-1. Set the attribute SignatureVersion of the topic to 2 instead, where that is possible
    allow_signature_version_1: NotRequired[bool]
    max_age_seconds: NotRequired[Any]
    public_key: NotRequired[Any]
    # Answered instead of 401 and 410: the provider then stops sending a call again
    stop_status: NotRequired[Literal[406]]
    # The account that callbacks must name
    account_id: NotRequired[str]
    # Replies that revoke the SMS consent, in addition to STOP and the like
    opt_out_words: NotRequired[list[str]]
    # Replies that give the SMS consent, in addition to START and UNSTOP
    opt_in_words: NotRequired[list[str]]
    profile: NotRequired[Any]
    # Default: the receiver’s URL
    audience: NotRequired[str]
    # The account whose tokens the bus sends
    service_account_email: NotRequired[str]
    # The only subscription that may send here
    subscription: NotRequired[str]
    # Default standard (Standard Webhooks); the settings below change details of the others
    preset: NotRequired[Literal["standard", "hex_prefixed", "base64_body", "timestamped"]]
    # Header of the signature
    signature_header: NotRequired[str]
    algorithm: NotRequired[Literal["sha256", "sha512"]]
    encoding: NotRequired[Literal["hex", "base64"]]
    # Before the signature, such as sha256=
    prefix: NotRequired[str]
    # Content that is signed
    content: NotRequired[Literal["body", "timestamp.body", "id.timestamp.body"]]
    # Header of the timestamp, in Unix seconds
    timestamp_header: NotRequired[str]
    # Header of the id that is signed
    id_header: NotRequired[str]
    # Where a body of the sender’s own form holds the id of the event: a header, or a JSON Pointer
    event_id_at: NotRequired[str]
    # Where a body of the sender’s own form holds the type of the event: a header, or a JSON Pointer
    event_type_at: NotRequired[str]
    # Name of the native scheme of the kind
    scheme: str
    # Whether native calls can be verified; relayed calls and those with a token always can
    status: Literal["configured", "unconfigured", "pending_confirmation"]
    # Headers that carry the signature
    accepted_headers: list[str]
    # The material that is set, newest first
    secrets: list[ReceiverVerificationSecrets]
    # A topic subscription waits for confirmation: POST …/confirm-subscription
    pending_confirmation: NotRequired[ReceiverVerificationPendingConfirmation]


class CreatedIncomingWebhookReceiverSecrets(TypedDict):
    # whsec_… (Standard Webhooks): signs normalized bodies of any kind
    relay_secret: str
    # dors_…, for kinds that prove themselves by a token
    receiver_token: NotRequired[str]


class CreatedIncomingWebhookReceiver(TypedDict):
    id: str
    type: Literal["incoming_webhook_receiver"]
    team_id: str
    # Fixed once the receiver is made
    receiver_kind: Literal["email_a", "email_b", "email_c", "sms_a", "sms_b", "push_a", "push_b", "file_transfer_a", "generic_hmac"]
    name: NotRequired[str]
    # Calls to an inactive receiver answer 410
    is_active: bool
    # Counted from the first acceptance of a key; 0 accepts every call
    dedup_window_seconds: int
    # False accepts unsigned calls, but never a call with a wrong signature
    signature_required: bool
    # The address to configure at the provider
    receive_url: str
    # When the last call was accepted
    last_received_at: NotRequired[str]
    last_signature_failure_at: NotRequired[str]
    # Calls with an invalid signature since the last valid one
    consecutive_signature_failures: int
    inserted_at: str
    updated_at: str
    verification: ReceiverVerification
    # Shown only here
    secrets: CreatedIncomingWebhookReceiverSecrets


class IncomingWebhookReceiver(TypedDict):
    id: str
    type: Literal["incoming_webhook_receiver"]
    team_id: str
    # Fixed once the receiver is made
    receiver_kind: Literal["email_a", "email_b", "email_c", "sms_a", "sms_b", "push_a", "push_b", "file_transfer_a", "generic_hmac"]
    name: NotRequired[str]
    # Calls to an inactive receiver answer 410
    is_active: bool
    # Counted from the first acceptance of a key; 0 accepts every call
    dedup_window_seconds: int
    # False accepts unsigned calls, but never a call with a wrong signature
    signature_required: bool
    # The address to configure at the provider
    receive_url: str
    # When the last call was accepted
    last_received_at: NotRequired[str]
    last_signature_failure_at: NotRequired[str]
    # Calls with an invalid signature since the last valid one
    consecutive_signature_failures: int
    inserted_at: str
    updated_at: str


class InboundDeliveryLinked(TypedDict):
    message_id: NotRequired[str]
    message_delivery_id: NotRequired[str]
    contact_id: NotRequired[str]
    journey_id: NotRequired[str]
    engagement_event_id: NotRequired[str]


class InboundDelivery(TypedDict):
    id: str
    type: Literal["inbound_delivery"]
    team_id: str
    receiver_id: str
    receiver_kind: Literal["email_a", "email_b", "email_c", "sms_a", "sms_b", "push_a", "push_b", "file_transfer_a", "generic_hmac"]
    # failed: taken, but not applied; it is tried again, and can be replayed
    status: Literal["processed", "failed", "ignored", "pending_confirmation", "rejected_signature", "rejected_invalid"]
    # Route by which it was submitted; absent where it was refused
    mode: NotRequired[Literal["native", "normalized", "normalized_enveloped", "bearer"]]
    signature_status: Literal["verified", "unsigned", "invalid", "missing", "expired"]
    # A sample of the service, without side effects
    is_test: bool
    http_status: int
    # The provider’s word
    event_type: NotRequired[str]
    # The call, where it held several events
    batch_id: NotRequired[str]
    # The place in that call
    event_index: NotRequired[int]
    provider_event_id: NotRequired[str]
    dedup_key: NotRequired[str]
    # Calls with the same key within the window, which changed nothing
    duplicate_count: int
    # As the provider echoed it
    do_message_id: NotRequired[str]
    # As the provider echoed it
    do_contact_id: NotRequired[str]
    # As the provider echoed it
    do_journey_id: NotRequired[str]
    # The resources of the team that it was found to be about
    linked: InboundDeliveryLinked
    # Ids that match nothing here
    link_error: NotRequired[str]
    size_bytes: int
    body_sha256: NotRequired[str]
    # Whether the bytes are still stored
    raw_available: bool
    raw_expires_at: NotRequired[str]
    attempts: int
    next_attempt_at: NotRequired[str]
    error: NotRequired[SftpUploadError]
    # The code of the error
    last_error: NotRequired[str]
    received_at: str
    processed_at: NotRequired[str]
    replay_count: int


class RotatedReceiverSecrets(TypedDict):
    # Shown only here
    secrets: CreatedIncomingWebhookReceiverSecrets
    # Until then the old secrets are accepted too
    previous_expires_at: NotRequired[str]


class Upload(TypedDict):
    id: str
    type: Literal["upload"]
    team_id: str
    format: Literal["csv", "ndjson"]
    # Received in full; a file that was cut off is no upload
    status: Literal["received"]
    # Size of the file, at most 200,000,000
    size_bytes: int
    # SHA-256 of the file in hexadecimal
    sha256: str
    # It is deleted then, unless an operation is still reading it
    expires_at: str
    inserted_at: str
    updated_at: str


class InboundReceipt(TypedDict):
    # Duplicate: every event was received before
    status: Literal["accepted", "duplicate"]
    # The first delivery that was created; for a duplicate, the earlier delivery
    delivery_id: str
    accepted: int
    duplicates: int
    # In the order of the events
    delivery_ids: list[str]


class InboundDeliveryDetailsRaw(TypedDict):
    # With the query
    path: str
    content_type: NotRequired[str]
    encoding: Literal["utf8", "base64"]
    body: str


class InboundDeliveryDetails(TypedDict):
    id: str
    type: Literal["inbound_delivery"]
    team_id: str
    receiver_id: str
    receiver_kind: Literal["email_a", "email_b", "email_c", "sms_a", "sms_b", "push_a", "push_b", "file_transfer_a", "generic_hmac"]
    # failed: taken, but not applied; it is tried again, and can be replayed
    status: Literal["processed", "failed", "ignored", "pending_confirmation", "rejected_signature", "rejected_invalid"]
    # Route by which it was submitted; absent where it was refused
    mode: NotRequired[Literal["native", "normalized", "normalized_enveloped", "bearer"]]
    signature_status: Literal["verified", "unsigned", "invalid", "missing", "expired"]
    # A sample of the service, without side effects
    is_test: bool
    http_status: int
    # The provider’s word
    event_type: NotRequired[str]
    # The call, where it held several events
    batch_id: NotRequired[str]
    # The place in that call
    event_index: NotRequired[int]
    provider_event_id: NotRequired[str]
    dedup_key: NotRequired[str]
    # Calls with the same key within the window, which changed nothing
    duplicate_count: int
    # As the provider echoed it
    do_message_id: NotRequired[str]
    # As the provider echoed it
    do_contact_id: NotRequired[str]
    # As the provider echoed it
    do_journey_id: NotRequired[str]
    # The resources of the team that it was found to be about
    linked: InboundDeliveryLinked
    # Ids that match nothing here
    link_error: NotRequired[str]
    size_bytes: int
    body_sha256: NotRequired[str]
    # Whether the bytes are still stored
    raw_available: bool
    raw_expires_at: NotRequired[str]
    attempts: int
    next_attempt_at: NotRequired[str]
    error: NotRequired[SftpUploadError]
    # The code of the error
    last_error: NotRequired[str]
    received_at: str
    processed_at: NotRequired[str]
    replay_count: int
    # The event in the normalized form of its kind
    payload: NotRequired[dict[str, Any]]
    # Some; signatures are removed
    headers: NotRequired[dict[str, str]]
    # The call as it came; with include=raw, for partner:incoming-webhooks:write
    raw: NotRequired[InboundDeliveryDetailsRaw]


class InboundDeliveryCountsByStatus(TypedDict):
    processed: int
    failed: int
    ignored: int
    pending_confirmation: int
    rejected_signature: int
    rejected_invalid: int
    duplicate: int


class InboundDeliveryCountsBySignatureStatus(TypedDict):
    verified: int
    unsigned: int
    invalid: int
    missing: int
    expired: int


class InboundDeliveryCounts(TypedDict):
    receiver_id: str
    window: QuietHours
    # Events that came, duplicates and refused calls included
    total: int
    # duplicate: events that were here before
    by_status: InboundDeliveryCountsByStatus
    by_event_type: dict[str, int]
    by_signature_status: InboundDeliveryCountsBySignatureStatus
    # Refused calls beyond 100 an hour, which have no row and are in no other count; whole hours
    dropped_rejections: int
    computed_at: str


class AskedInboundReplay(TypedDict):
    # Absent in a dry run, which is not stored
    id: NotRequired[str]
    type: Literal["inbound_replay"]
    team_id: str
    receiver_id: str
    # failed: an internal error occurred repeatedly; what was replayed before stays so
    status: Literal["pending", "running", "completed", "canceled", "failed"]
    # Nothing was replayed: the counts show what a replay would do
    dry_run: bool
    # Deliveries that were requested
    matched: int
    # Applied again so far, well or not
    replayed: int
    # Deliveries among them that could be applied
    succeeded: int
    # Deliveries among them that could not; they can be replayed again
    failed: int
    # Rejected calls, samples, and deliveries whose payload was deleted
    skipped: int
    # Start of the window, inclusive
    since: NotRequired[str]
    # End of the window, exclusive
    until: NotRequired[str]
    rate_per_second: int
    inserted_at: str
    started_at: NotRequired[str]
    finished_at: NotRequired[str]


class InboundReplay(TypedDict):
    id: str
    type: Literal["inbound_replay"]
    team_id: str
    receiver_id: str
    # failed: an internal error occurred repeatedly; what was replayed before stays so
    status: Literal["pending", "running", "completed", "canceled", "failed"]
    # Nothing was replayed: the counts show what a replay would do
    dry_run: bool
    # Deliveries that were requested
    matched: int
    # Applied again so far, well or not
    replayed: int
    # Deliveries among them that could be applied
    succeeded: int
    # Deliveries among them that could not; they can be replayed again
    failed: int
    # Rejected calls, samples, and deliveries whose payload was deleted
    skipped: int
    # Start of the window, inclusive
    since: NotRequired[str]
    # End of the window, exclusive
    until: NotRequired[str]
    rate_per_second: int
    inserted_at: str
    started_at: NotRequired[str]
    finished_at: NotRequired[str]


class OperationDescriptor(TypedDict):
    kind: str
    category: NotRequired[str]
    summary: str
    # natural: repeats do no harm; keyed: an Idempotency-Key is required
    idempotency_mode: Literal["natural", "keyed"]
    # partial_ok: each item stands for itself; transactional: all or nothing
    failure_mode: Literal["partial_ok", "transactional"]
    # More items are run by themselves; absent: one item in a request
    bulk_threshold: NotRequired[int]
    execution_mode: NotRequired[Literal["sync", "async"]]
    # In addition to ipaas:operations:execute
    required_scopes: list[str]
    # The rate budget of the team that it uses
    rate_limit_class: NotRequired[Literal["read", "write", "bulk", "execute"]]
    # JSON Schema 2020-12 of `input`, and of each of `items`
    input_schema: dict[str, Any]
    # JSON Schema 2020-12 of `output` in each result
    output_schema: dict[str, Any]
    notes: NotRequired[str]


class OperationReportSummary(TypedDict):
    total: int
    succeeded: int
    failed: int
    skipped: int


class OperationReportResults(TypedDict):
    # Place among the items
    index: int
    status: Literal["created", "updated", "unchanged", "skipped", "failed"]
    resource_type: NotRequired[str]
    # The resource
    id: NotRequired[str]
    # Pointers begin at the body
    errors: list[MessageSendReportResultsErrors]
    # By the output_schema
    output: NotRequired[Any]


class OperationReport(TypedDict):
    # Null: it is done, and there is nothing to poll
    execution_id: str | None
    # succeeded_with_errors: some items failed; failed: all did
    status: Literal["succeeded", "succeeded_with_errors", "failed"]
    dry_run: bool
    summary: OperationReportSummary
    results: list[OperationReportResults]


class BatchOperationErrorSummary(TypedDict):
    code: str
    count: int
    # The first item that failed so
    sample_index: int


class BatchOperation(TypedDict):
    id: str
    type: Literal["batch_operation"]
    team_id: str
    operation_kind: str
    # succeeded_with_errors: some items failed; failed: all did, or the run as a whole
    status: Literal["queued", "validating", "running", "succeeded", "succeeded_with_errors", "failed", "canceling", "canceled"]
    # Route by which the items were submitted
    source: Literal["inline", "upload", "sftp"]
    # transactional: all items or none
    failure_mode: Literal["partial_ok", "transactional"]
    # Nothing was applied: the results show what a real run would do
    dry_run: bool
    upload_id: NotRequired[str]
    # The batch whose failed items these are
    retry_of_id: NotRequired[str]
    # Items; absent until an upload has been read once
    total_count: NotRequired[int]
    # Items with a result
    processed_count: int
    # Items that were created, updated or unchanged
    succeeded_count: int
    failed_count: int
    skipped_count: int
    # The first 20 codes
    error_summary: list[BatchOperationErrorSummary]
    # Why it failed as a whole; shown to callers with the scopes of the operation
    error: NotRequired[OperationExecutionError]
    started_at: NotRequired[str]
    # While it is running
    estimated_completion_at: NotRequired[str]
    completed_at: NotRequired[str]
    # Until then the results of the items are kept
    expires_at: NotRequired[str]
    inserted_at: str
    updated_at: str


class OperationItem(TypedDict):
    # Its place among the items, counted from 0
    index: int
    status: Literal["created", "updated", "unchanged", "skipped", "failed"]
    resource_type: NotRequired[str]
    resource_id: NotRequired[str]
    # Pointers begin at the item
    errors: list[OperationExecutionError]


class BatchValidation(TypedDict):
    # Absent where it ran synchronously, which is not stored
    id: NotRequired[str]
    type: Literal["batch_operation"]
    team_id: str
    operation_kind: str
    # succeeded_with_errors: some items failed; failed: all did, or the run as a whole
    status: Literal["queued", "validating", "running", "succeeded", "succeeded_with_errors", "failed", "canceling", "canceled"]
    # Route by which the items were submitted
    source: Literal["inline", "upload", "sftp"]
    # transactional: all items or none
    failure_mode: Literal["partial_ok", "transactional"]
    # Nothing was applied: the results show what a real run would do
    dry_run: bool
    upload_id: NotRequired[str]
    # The batch whose failed items these are
    retry_of_id: NotRequired[str]
    # Items; absent until an upload has been read once
    total_count: NotRequired[int]
    # Items with a result
    processed_count: int
    # Items that were created, updated or unchanged
    succeeded_count: int
    failed_count: int
    skipped_count: int
    # The first 20 codes
    error_summary: list[BatchOperationErrorSummary]
    # Why it failed as a whole; shown to callers with the scopes of the operation
    error: NotRequired[OperationExecutionError]
    started_at: NotRequired[str]
    # While it is running
    estimated_completion_at: NotRequired[str]
    completed_at: NotRequired[str]
    # Until then the results of the items are kept
    expires_at: NotRequired[str]
    inserted_at: str
    updated_at: str
    # The outcome that each would have, if it ran synchronously
    items: NotRequired[list[OperationItem]]


class TokenRequest(TypedDict):
    grant_type: Literal["client_credentials"]
    client_id: NotRequired[str]
    client_secret: NotRequired[str]
    # Scopes separated by single spaces
    scope: NotRequired[str]


class RevokeAccessTokenRequest(TypedDict):
    token: str
    token_type_hint: NotRequired[str]


ListRequestsSort: TypeAlias = "Literal['occurred_at', '-occurred_at'] | Sequence[Literal['occurred_at', '-occurred_at']]"


TimeOperators = TypedDict(
    "TimeOperators",
    {
        "eq": "NotRequired[str | datetime]",
        "neq": "NotRequired[str | datetime]",
        "in": "NotRequired[Sequence[str | datetime]]",
        "nin": "NotRequired[Sequence[str | datetime]]",
        "present": "NotRequired[bool]",
        "missing": "NotRequired[bool]",
        "lt": "NotRequired[str | datetime]",
        "lte": "NotRequired[str | datetime]",
        "gt": "NotRequired[str | datetime]",
        "gte": "NotRequired[str | datetime]",
    },
)


TextOperators = TypedDict(
    "TextOperators",
    {
        "eq": "NotRequired[str]",
        "in": "NotRequired[Sequence[str]]",
    },
)


TextOperators2 = TypedDict(
    "TextOperators2",
    {
        "eq": "NotRequired[str]",
        "neq": "NotRequired[str]",
        "in": "NotRequired[Sequence[str]]",
        "nin": "NotRequired[Sequence[str]]",
    },
)


IntegerOperators = TypedDict(
    "IntegerOperators",
    {
        "eq": "NotRequired[int]",
        "neq": "NotRequired[int]",
        "in": "NotRequired[Sequence[int]]",
        "nin": "NotRequired[Sequence[int]]",
        "lt": "NotRequired[int]",
        "lte": "NotRequired[int]",
        "gt": "NotRequired[int]",
        "gte": "NotRequired[int]",
    },
)


class ListRequestsErrorCodesOperators(TypedDict):
    contains: NotRequired[str]


class ListRequestsFilter(TypedDict):
    occurred_at: NotRequired[str | datetime | TimeOperators]
    request_id: NotRequired[str | TextOperators]
    operation: NotRequired[str | TextOperators2]
    method: NotRequired[str | TextOperators2]
    client_id: NotRequired[str | TextOperators2]
    status: NotRequired[int | IntegerOperators]
    error_codes: NotRequired[ListRequestsErrorCodesOperators]


class LoggedRequest(TypedDict):
    id: str
    type: Literal["logged_request"]
    team_id: str
    # The client whose token was used
    client_id: str
    # X-Request-Id of the request
    request_id: str
    # The id that the service gave the request
    server_request_id: NotRequired[str]
    # Address of the client
    source_ip: NotRequired[str]
    # User-Agent, cut to 200 characters
    user_agent: NotRequired[str]
    occurred_at: str
    method: str
    # Operation id
    operation: str
    path: str
    # Parameters; texts, and values of persons, by their length
    query: NotRequired[str]
    status: int
    error_codes: list[str]
    duration_ms: int
    request_bytes: int
    response_bytes: int
    # Contacts that the path, the body or the answer names
    contact_ids: NotRequired[list[str]]
    # JSON cut to 2048 characters; texts, and all values of persons, by their form
    request_body: NotRequired[str]
    # JSON cut to 2048 characters; texts, and all values of persons, by their form
    response_body: NotRequired[str]


ListContactsSort: TypeAlias = "Literal['email', '-email', 'last_name', '-last_name', 'inserted_at', '-inserted_at', 'updated_at', '-updated_at', 'last_engaged_at', '-last_engaged_at'] | Sequence[Literal['email', '-email', 'last_name', '-last_name', 'inserted_at', '-inserted_at', 'updated_at', '-updated_at', 'last_engaged_at', '-last_engaged_at']]"


ListContactsInclude: TypeAlias = "Literal['accounts', 'cohorts', 'journeys'] | Sequence[Literal['accounts', 'cohorts', 'journeys']]"


TextOperators3 = TypedDict(
    "TextOperators3",
    {
        "eq": "NotRequired[str]",
        "neq": "NotRequired[str]",
        "in": "NotRequired[Sequence[str]]",
        "nin": "NotRequired[Sequence[str]]",
        "present": "NotRequired[bool]",
        "missing": "NotRequired[bool]",
    },
)


TextOperators4 = TypedDict(
    "TextOperators4",
    {
        "eq": "NotRequired[str]",
        "neq": "NotRequired[str]",
        "in": "NotRequired[Sequence[str]]",
        "nin": "NotRequired[Sequence[str]]",
        "present": "NotRequired[bool]",
        "missing": "NotRequired[bool]",
        "contains": "NotRequired[str]",
        "starts_with": "NotRequired[str]",
        "ends_with": "NotRequired[str]",
    },
)


ListContactsStatusOperators = TypedDict(
    "ListContactsStatusOperators",
    {
        "eq": "NotRequired[Literal['active', 'suppressed', 'archived']]",
        "neq": "NotRequired[Literal['active', 'suppressed', 'archived']]",
        "in": "NotRequired[Sequence[Literal['active', 'suppressed', 'archived']]]",
        "nin": "NotRequired[Sequence[Literal['active', 'suppressed', 'archived']]]",
        "present": "NotRequired[bool]",
        "missing": "NotRequired[bool]",
    },
)


ListContactsEmailStatusOperators = TypedDict(
    "ListContactsEmailStatusOperators",
    {
        "eq": "NotRequired[Literal['unknown', 'soft_bouncing', 'bounced', 'complained', 'suppressed']]",
        "neq": "NotRequired[Literal['unknown', 'soft_bouncing', 'bounced', 'complained', 'suppressed']]",
        "in": "NotRequired[Sequence[Literal['unknown', 'soft_bouncing', 'bounced', 'complained', 'suppressed']]]",
        "nin": "NotRequired[Sequence[Literal['unknown', 'soft_bouncing', 'bounced', 'complained', 'suppressed']]]",
        "present": "NotRequired[bool]",
        "missing": "NotRequired[bool]",
    },
)


class TextOperators5(TypedDict):
    eq: NotRequired[str]
    contains: NotRequired[str]
    present: NotRequired[bool]
    missing: NotRequired[bool]


class ListContactsFilter(TypedDict):
    unique_id: NotRequired[str | TextOperators3]
    email: NotRequired[str | TextOperators4]
    phone: NotRequired[str | TextOperators3]
    status: NotRequired[Literal["active", "suppressed", "archived"] | ListContactsStatusOperators]
    email_status: NotRequired[Literal["unknown", "soft_bouncing", "bounced", "complained", "suppressed"] | ListContactsEmailStatusOperators]
    tags: NotRequired[str | TextOperators5]
    locale: NotRequired[str | TextOperators3]
    cohort_id: NotRequired[str | TextOperators3]
    inserted_at: NotRequired[str | datetime | TimeOperators]
    updated_at: NotRequired[str | datetime | TimeOperators]
    last_engaged_at: NotRequired[str | datetime | TimeOperators]


class ContactRowRelationships(TypedDict):
    accounts: NotRequired[list[Account]]
    cohorts: NotRequired[list[Cohort]]
    journeys: NotRequired[list[Journey]]


class ContactRow(TypedDict):
    id: str
    type: Literal["contact"]
    team_id: str
    # The partner’s own key; unique in the team, case-sensitive
    unique_id: NotRequired[str]
    email: NotRequired[str]
    email_status: Literal["unknown", "soft_bouncing", "bounced", "complained", "suppressed"]
    first_name: NotRequired[str]
    last_name: NotRequired[str]
    preferred_name: NotRequired[str]
    # E.164
    phone: NotRequired[str]
    # BCP 47; the team’s if absent
    locale: NotRequired[str]
    # IANA; the team’s if absent
    timezone: NotRequired[str]
    postal_code: NotRequired[str]
    tags: NotRequired[list[str]]
    attributes: NotRequired[dict[str, str | float | bool | list[str]]]
    consents: ContactDetailsConsents
    # Deleting archives
    status: Literal["active", "suppressed", "archived"]
    account_count: int
    open_journey_count: int
    # Last event made by a person
    last_engaged_at: NotRequired[str]
    # The contact that this one was merged into; it is archived
    merged_into_id: NotRequired[str]
    inserted_at: str
    updated_at: str
    relationships: NotRequired[ContactRowRelationships]
    # Relations with more than the 25 resources that are shown; absent if there are none
    truncated_relationships: NotRequired[list[Literal["accounts", "cohorts", "journeys"]]]


class ContactCreateConsentsEmail(TypedDict):
    status: Literal["never", "pending", "subscribed", "unsubscribed"]
    # Where it was given or withdrawn; required with a status
    source: NotRequired[str]
    # When the service recorded it; ignored in bodies
    updated_at: NotRequired[str | datetime]
    # Evidence, such as the wording shown or a reference to it
    evidence: NotRequired[str]


class ContactCreateConsents(TypedDict):
    email: NotRequired[ContactCreateConsentsEmail]
    sms: NotRequired[ContactCreateConsentsEmail]
    push: NotRequired[ContactCreateConsentsEmail]


class ContactCreate(TypedDict):
    type: NotRequired[Literal["contact"]]
    unique_id: NotRequired[str | None]
    email: NotRequired[str | None]
    first_name: NotRequired[str | None]
    last_name: NotRequired[str | None]
    preferred_name: NotRequired[str | None]
    phone: NotRequired[str | None]
    locale: NotRequired[str | None]
    timezone: NotRequired[str | None]
    postal_code: NotRequired[str | None]
    tags: NotRequired[Sequence[str] | None]
    attributes: NotRequired[Mapping[str, str | float | bool | Sequence[str] | None] | None]
    consents: NotRequired[ContactCreateConsents]
    date_of_birth: NotRequired[str | date | None]


class MergeContactRequest(TypedDict):
    # The contact that goes; it answers 410 from then on
    source_contact_id: str


class SetContactConsentRequest(TypedDict):
    status: Literal["pending", "subscribed", "unsubscribed"]
    # Where it was given or withdrawn
    source: str
    # Evidence, such as the wording shown or a reference to it
    evidence: NotRequired[str]


ListContactConsentChangesSort: TypeAlias = "Literal['inserted_at', '-inserted_at'] | Sequence[Literal['inserted_at', '-inserted_at']]"


ListContactConsentChangesChannelOperators = TypedDict(
    "ListContactConsentChangesChannelOperators",
    {
        "eq": "NotRequired[Literal['email', 'sms', 'push']]",
        "neq": "NotRequired[Literal['email', 'sms', 'push']]",
        "in": "NotRequired[Sequence[Literal['email', 'sms', 'push']]]",
        "nin": "NotRequired[Sequence[Literal['email', 'sms', 'push']]]",
        "present": "NotRequired[bool]",
        "missing": "NotRequired[bool]",
    },
)


class ListContactConsentChangesFilter(TypedDict):
    inserted_at: NotRequired[str | datetime | TimeOperators]
    channel: NotRequired[Literal["email", "sms", "push"] | ListContactConsentChangesChannelOperators]


class ContactConsentChange(TypedDict):
    id: str
    type: Literal["contact_consent_change"]
    team_id: str
    contact_id: str
    channel: Literal["email", "sms", "push"]
    consent: ContactDetailsConsentsEmail
    previous: ContactDetailsConsentsEmail
    # Who recorded it
    client_id: NotRequired[str]
    inserted_at: str


class SetContactTopicConsentRequest(TypedDict):
    status: Literal["subscribed", "unsubscribed"]
    # Where it was given or withdrawn
    source: str
    # Evidence, such as the wording shown or a reference to it
    evidence: NotRequired[str]


class ListContactTopicConsentChangesFilter(TypedDict):
    inserted_at: NotRequired[str | datetime | TimeOperators]
    topic_id: NotRequired[str | TextOperators3]
    channel: NotRequired[Literal["email", "sms", "push"] | ListContactConsentChangesChannelOperators]


class ContactTopicConsentChangeConsent(TypedDict):
    status: Literal["subscribed", "unsubscribed"]
    # Where it was given or withdrawn
    source: str
    # Evidence, such as the wording shown or a reference to it
    evidence: NotRequired[str]
    # When the service recorded it
    updated_at: str


class ContactTopicConsentChange(TypedDict):
    id: str
    type: Literal["contact_topic_consent_change"]
    team_id: str
    contact_id: str
    topic_id: str
    channel: Literal["email", "sms", "push"]
    consent: ContactTopicConsentChangeConsent
    previous: NotRequired[ContactTopicConsentChangeConsent]
    # Who recorded it; absent where the recipient did
    client_id: NotRequired[str]
    inserted_at: str


ListTopicsSort: TypeAlias = "Literal['position', '-position', 'inserted_at', '-inserted_at', 'updated_at', '-updated_at', 'name', '-name'] | Sequence[Literal['position', '-position', 'inserted_at', '-inserted_at', 'updated_at', '-updated_at', 'name', '-name']]"


IntegerOperators2 = TypedDict(
    "IntegerOperators2",
    {
        "eq": "NotRequired[int]",
        "neq": "NotRequired[int]",
        "in": "NotRequired[Sequence[int]]",
        "nin": "NotRequired[Sequence[int]]",
        "present": "NotRequired[bool]",
        "missing": "NotRequired[bool]",
        "lt": "NotRequired[int]",
        "lte": "NotRequired[int]",
        "gt": "NotRequired[int]",
        "gte": "NotRequired[int]",
    },
)


ListTopicsDefaultConsentOperators = TypedDict(
    "ListTopicsDefaultConsentOperators",
    {
        "eq": "NotRequired[Literal['subscribed', 'unsubscribed']]",
        "neq": "NotRequired[Literal['subscribed', 'unsubscribed']]",
        "in": "NotRequired[Sequence[Literal['subscribed', 'unsubscribed']]]",
        "nin": "NotRequired[Sequence[Literal['subscribed', 'unsubscribed']]]",
        "present": "NotRequired[bool]",
        "missing": "NotRequired[bool]",
    },
)


class BooleanOperators(TypedDict):
    eq: NotRequired[bool]
    neq: NotRequired[bool]


class ListTopicsFilter(TypedDict):
    position: NotRequired[int | IntegerOperators2]
    inserted_at: NotRequired[str | datetime | TimeOperators]
    updated_at: NotRequired[str | datetime | TimeOperators]
    name: NotRequired[str | TextOperators4]
    default_consent: NotRequired[Literal["subscribed", "unsubscribed"] | ListTopicsDefaultConsentOperators]
    is_archived: NotRequired[bool | BooleanOperators]


class TopicCreate(TypedDict):
    type: NotRequired[Literal["topic"]]
    # Shown to recipients; unique in the team
    name: str
    description: NotRequired[str | None]
    # Order in the preference center, the lowest first; last by default
    position: NotRequired[int]
    # Fixed. In effect for contacts that have made no choice: `subscribed` for a topic that they opt out of, `unsubscribed` for one that they opt in to
    default_consent: NotRequired[Literal["subscribed", "unsubscribed"]]
    # Name and description in other languages
    localizations: NotRequired[Mapping[str, TopicLocalizationsValue]]


class TopicPatch(TypedDict):
    type: NotRequired[Literal["topic"]]
    # Shown to recipients; unique in the team
    name: NotRequired[str]
    description: NotRequired[str | None]
    # Order in the preference center, the lowest first; last by default
    position: NotRequired[int]
    # Fixed. In effect for contacts that have made no choice: `subscribed` for a topic that they opt out of, `unsubscribed` for one that they opt in to
    default_consent: NotRequired[Literal["subscribed", "unsubscribed"]]
    # Name and description in other languages
    localizations: NotRequired[Mapping[str, TopicLocalizationsValue]]


ListContactDevicesSort: TypeAlias = "Literal['inserted_at', '-inserted_at', 'updated_at', '-updated_at'] | Sequence[Literal['inserted_at', '-inserted_at', 'updated_at', '-updated_at']]"


ListContactDevicesPlatformOperators = TypedDict(
    "ListContactDevicesPlatformOperators",
    {
        "eq": "NotRequired[Literal['ios', 'android', 'web']]",
        "neq": "NotRequired[Literal['ios', 'android', 'web']]",
        "in": "NotRequired[Sequence[Literal['ios', 'android', 'web']]]",
        "nin": "NotRequired[Sequence[Literal['ios', 'android', 'web']]]",
        "present": "NotRequired[bool]",
        "missing": "NotRequired[bool]",
    },
)


class BooleanOperators2(TypedDict):
    eq: NotRequired[bool]
    neq: NotRequired[bool]
    present: NotRequired[bool]
    missing: NotRequired[bool]


class ListContactDevicesFilter(TypedDict):
    inserted_at: NotRequired[str | datetime | TimeOperators]
    updated_at: NotRequired[str | datetime | TimeOperators]
    platform: NotRequired[Literal["ios", "android", "web"] | ListContactDevicesPlatformOperators]
    is_active: NotRequired[bool | BooleanOperators2]
    token_hash: NotRequired[str | TextOperators]


class ContactDeviceCreate(TypedDict):
    type: NotRequired[Literal["device"]]
    platform: Literal["ios", "android", "web"]
    app_id: NotRequired[str | None]
    # As the push provider gave it; never shown
    token: str


ListSuppressionsChannelOperators = TypedDict(
    "ListSuppressionsChannelOperators",
    {
        "eq": "NotRequired[Literal['email', 'sms', 'all']]",
        "neq": "NotRequired[Literal['email', 'sms', 'all']]",
        "in": "NotRequired[Sequence[Literal['email', 'sms', 'all']]]",
        "nin": "NotRequired[Sequence[Literal['email', 'sms', 'all']]]",
    },
)


ListSuppressionsReasonOperators = TypedDict(
    "ListSuppressionsReasonOperators",
    {
        "eq": "NotRequired[Literal['manual', 'hard_bounce', 'soft_bounces', 'complaint', 'unsubscribe']]",
        "neq": "NotRequired[Literal['manual', 'hard_bounce', 'soft_bounces', 'complaint', 'unsubscribe']]",
        "in": "NotRequired[Sequence[Literal['manual', 'hard_bounce', 'soft_bounces', 'complaint', 'unsubscribe']]]",
        "nin": "NotRequired[Sequence[Literal['manual', 'hard_bounce', 'soft_bounces', 'complaint', 'unsubscribe']]]",
    },
)


ListSuppressionsSourceOperators = TypedDict(
    "ListSuppressionsSourceOperators",
    {
        "eq": "NotRequired[Literal['api', 'inbound']]",
        "neq": "NotRequired[Literal['api', 'inbound']]",
        "in": "NotRequired[Sequence[Literal['api', 'inbound']]]",
        "nin": "NotRequired[Sequence[Literal['api', 'inbound']]]",
    },
)


class ListSuppressionsFilter(TypedDict):
    inserted_at: NotRequired[str | datetime | TimeOperators]
    updated_at: NotRequired[str | datetime | TimeOperators]
    channel: NotRequired[Literal["email", "sms", "all"] | ListSuppressionsChannelOperators]
    address: NotRequired[str | TextOperators]
    contact_id: NotRequired[str | TextOperators]
    reason: NotRequired[Literal["manual", "hard_bounce", "soft_bounces", "complaint", "unsubscribe"] | ListSuppressionsReasonOperators]
    source: NotRequired[Literal["api", "inbound"] | ListSuppressionsSourceOperators]


class SuppressionCreate(TypedDict):
    type: NotRequired[Literal["suppression"]]
    # email and sms stop an address, all stops a contact altogether
    channel: Literal["email", "sms", "all"]
    address: NotRequired[str | None]
    contact_id: NotRequired[str | None]
    reason: NotRequired[Literal["manual", "hard_bounce", "soft_bounces", "complaint", "unsubscribe"] | None]
    note: NotRequired[str | None]


ListAccountsSort: TypeAlias = "Literal['opened_at', '-opened_at', 'closed_at', '-closed_at', 'balance_cents', '-balance_cents', 'inserted_at', '-inserted_at', 'updated_at', '-updated_at'] | Sequence[Literal['opened_at', '-opened_at', 'closed_at', '-closed_at', 'balance_cents', '-balance_cents', 'inserted_at', '-inserted_at', 'updated_at', '-updated_at']]"


ListAccountsKindOperators = TypedDict(
    "ListAccountsKindOperators",
    {
        "eq": "NotRequired[Literal['deposit', 'loan', 'credit', 'investment', 'other']]",
        "neq": "NotRequired[Literal['deposit', 'loan', 'credit', 'investment', 'other']]",
        "in": "NotRequired[Sequence[Literal['deposit', 'loan', 'credit', 'investment', 'other']]]",
        "nin": "NotRequired[Sequence[Literal['deposit', 'loan', 'credit', 'investment', 'other']]]",
    },
)


ListAccountsStatusOperators = TypedDict(
    "ListAccountsStatusOperators",
    {
        "eq": "NotRequired[Literal['pending', 'open', 'closed']]",
        "neq": "NotRequired[Literal['pending', 'open', 'closed']]",
        "in": "NotRequired[Sequence[Literal['pending', 'open', 'closed']]]",
        "nin": "NotRequired[Sequence[Literal['pending', 'open', 'closed']]]",
    },
)


class ListAccountsFilter(TypedDict):
    contact_id: NotRequired[str | TextOperators2]
    unique_id: NotRequired[str | TextOperators3]
    kind: NotRequired[Literal["deposit", "loan", "credit", "investment", "other"] | ListAccountsKindOperators]
    product_id: NotRequired[str | TextOperators3]
    status: NotRequired[Literal["pending", "open", "closed"] | ListAccountsStatusOperators]
    opened_at: NotRequired[str | datetime | TimeOperators]
    closed_at: NotRequired[str | datetime | TimeOperators]
    balance_cents: NotRequired[int | IntegerOperators2]
    updated_at: NotRequired[str | datetime | TimeOperators]


class Contact(TypedDict):
    id: str
    type: Literal["contact"]
    team_id: str
    # The partner’s own key; unique in the team, case-sensitive
    unique_id: NotRequired[str]
    email: NotRequired[str]
    email_status: Literal["unknown", "soft_bouncing", "bounced", "complained", "suppressed"]
    first_name: NotRequired[str]
    last_name: NotRequired[str]
    preferred_name: NotRequired[str]
    # E.164
    phone: NotRequired[str]
    # BCP 47; the team’s if absent
    locale: NotRequired[str]
    # IANA; the team’s if absent
    timezone: NotRequired[str]
    postal_code: NotRequired[str]
    tags: NotRequired[list[str]]
    attributes: NotRequired[dict[str, str | float | bool | list[str]]]
    consents: ContactDetailsConsents
    # Deleting archives
    status: Literal["active", "suppressed", "archived"]
    account_count: int
    open_journey_count: int
    # Last event made by a person
    last_engaged_at: NotRequired[str]
    # The contact that this one was merged into; it is archived
    merged_into_id: NotRequired[str]
    inserted_at: str
    updated_at: str


class AccountRowRelationships(TypedDict):
    contact: NotRequired[Contact | None]


class AccountRow(Account):
    relationships: NotRequired[AccountRowRelationships]


class ContactAccountCreate(TypedDict):
    type: NotRequired[Literal["account"]]
    unique_id: NotRequired[str | None]
    name: NotRequired[str | None]
    kind: Literal["deposit", "loan", "credit", "investment", "other"]
    product_id: NotRequired[str | None]
    opened_at: NotRequired[str | datetime | None]
    closed_at: NotRequired[str | datetime | None]
    balance_cents: NotRequired[int | None]
    is_primary: NotRequired[bool]
    attributes: NotRequired[Mapping[str, str | float | bool | Sequence[str] | None] | None]


class AccountPatch(TypedDict):
    type: NotRequired[Literal["account"]]
    unique_id: NotRequired[str | None]
    name: NotRequired[str | None]
    kind: NotRequired[Literal["deposit", "loan", "credit", "investment", "other"]]
    product_id: NotRequired[str | None]
    opened_at: NotRequired[str | datetime | None]
    closed_at: NotRequired[str | datetime | None]
    balance_cents: NotRequired[int | None]
    is_primary: NotRequired[bool]
    attributes: NotRequired[Mapping[str, str | float | bool | Sequence[str] | None] | None]


class CloseAccountRequest(TypedDict):
    # Now if absent
    closed_at: NotRequired[str | datetime]


ListCohortsSort: TypeAlias = "Literal['inserted_at', '-inserted_at', 'updated_at', '-updated_at', 'name', '-name', 'member_count', '-member_count', 'last_evaluated_at', '-last_evaluated_at'] | Sequence[Literal['inserted_at', '-inserted_at', 'updated_at', '-updated_at', 'name', '-name', 'member_count', '-member_count', 'last_evaluated_at', '-last_evaluated_at']]"


ListCohortsKindOperators = TypedDict(
    "ListCohortsKindOperators",
    {
        "eq": "NotRequired[Literal['dynamic', 'static']]",
        "neq": "NotRequired[Literal['dynamic', 'static']]",
        "in": "NotRequired[Sequence[Literal['dynamic', 'static']]]",
        "nin": "NotRequired[Sequence[Literal['dynamic', 'static']]]",
    },
)


ListCohortsEvaluationStatusOperators = TypedDict(
    "ListCohortsEvaluationStatusOperators",
    {
        "eq": "NotRequired[Literal['never', 'queued', 'evaluating', 'ready', 'failed']]",
        "neq": "NotRequired[Literal['never', 'queued', 'evaluating', 'ready', 'failed']]",
        "in": "NotRequired[Sequence[Literal['never', 'queued', 'evaluating', 'ready', 'failed']]]",
        "nin": "NotRequired[Sequence[Literal['never', 'queued', 'evaluating', 'ready', 'failed']]]",
    },
)


class ListCohortsFilter(TypedDict):
    inserted_at: NotRequired[str | datetime | TimeOperators]
    updated_at: NotRequired[str | datetime | TimeOperators]
    name: NotRequired[str | TextOperators4]
    kind: NotRequired[Literal["dynamic", "static"] | ListCohortsKindOperators]
    evaluation_status: NotRequired[Literal["never", "queued", "evaluating", "ready", "failed"] | ListCohortsEvaluationStatusOperators]
    is_archived: NotRequired[bool | BooleanOperators]


class CohortCreate(TypedDict):
    type: NotRequired[Literal["cohort"]]
    # Unique in the team, compared without case
    name: str
    description: NotRequired[str | None]
    # dynamic: by a definition; static: by a list. Fixed
    kind: Literal["dynamic", "static"]
    definition: NotRequired[Mapping[str, Any] | None]
    # realtime unless given: follows every change, and the clock by the interval. Static ones are on_demand
    evaluation_mode: NotRequired[Literal["realtime", "scheduled", "on_demand"]]
    refresh_interval_seconds: NotRequired[int | None]


class CohortPatch(TypedDict):
    type: NotRequired[Literal["cohort"]]
    # Unique in the team, compared without case
    name: NotRequired[str]
    description: NotRequired[str | None]
    # dynamic: by a definition; static: by a list. Fixed
    kind: NotRequired[Literal["dynamic", "static"]]
    definition: NotRequired[Mapping[str, Any] | None]
    # realtime unless given: follows every change, and the clock by the interval. Static ones are on_demand
    evaluation_mode: NotRequired[Literal["realtime", "scheduled", "on_demand"]]
    refresh_interval_seconds: NotRequired[int | None]


class PreviewCohortRequest(TypedDict):
    definition: Mapping[str, Any]


ListCohortMembersSort: TypeAlias = "Literal['joined_at', '-joined_at'] | Sequence[Literal['joined_at', '-joined_at']]"


class ListCohortMembersFilter(TypedDict):
    joined_at: NotRequired[str | datetime | TimeOperators]
    contact_id: NotRequired[str | TextOperators]


class CohortMemberRow(TypedDict):
    # The contact
    id: str
    type: Literal["cohort_member"]
    team_id: str
    cohort_id: str
    contact_id: str
    # When it was found to belong
    joined_at: str
    relationships: NotRequired[AccountRowRelationships]


class AddCohortMembersRequest(TypedDict):
    contact_ids: Sequence[str]


ListTemplatesSort: TypeAlias = "Literal['inserted_at', '-inserted_at', 'updated_at', '-updated_at', 'name', '-name', 'launched_at', '-launched_at', 'deadline_at', '-deadline_at'] | Sequence[Literal['inserted_at', '-inserted_at', 'updated_at', '-updated_at', 'name', '-name', 'launched_at', '-launched_at', 'deadline_at', '-deadline_at']]"


ListTemplatesInclude: TypeAlias = "Literal['objectives', 'pages', 'messages'] | Sequence[Literal['objectives', 'pages', 'messages']]"


ListTemplatesStatusOperators = TypedDict(
    "ListTemplatesStatusOperators",
    {
        "eq": "NotRequired[Literal['draft', 'scheduled', 'launched', 'paused', 'archived', 'expired']]",
        "neq": "NotRequired[Literal['draft', 'scheduled', 'launched', 'paused', 'archived', 'expired']]",
        "in": "NotRequired[Sequence[Literal['draft', 'scheduled', 'launched', 'paused', 'archived', 'expired']]]",
        "nin": "NotRequired[Sequence[Literal['draft', 'scheduled', 'launched', 'paused', 'archived', 'expired']]]",
        "present": "NotRequired[bool]",
        "missing": "NotRequired[bool]",
    },
)


class ListTemplatesFilter(TypedDict):
    inserted_at: NotRequired[str | datetime | TimeOperators]
    updated_at: NotRequired[str | datetime | TimeOperators]
    name: NotRequired[str | TextOperators4]
    launched_at: NotRequired[str | datetime | TimeOperators]
    deadline_at: NotRequired[str | datetime | TimeOperators]
    status: NotRequired[Literal["draft", "scheduled", "launched", "paused", "archived", "expired"] | ListTemplatesStatusOperators]
    use_case: NotRequired[str | TextOperators4]
    is_locked: NotRequired[bool | BooleanOperators2]
    is_archived: NotRequired[bool | BooleanOperators2]
    objective_id: NotRequired[str | TextOperators3]


class TemplateRowRelationships(TypedDict):
    objectives: NotRequired[list[Objective]]
    pages: NotRequired[list[Page]]
    messages: NotRequired[list[Message]]


class TemplateRow(Template):
    relationships: NotRequired[TemplateRowRelationships]
    # Relations with more than the 25 resources that are shown; absent if there are none
    truncated_relationships: NotRequired[list[Literal["objectives", "pages", "messages"]]]


class TemplateCreateSecurePersonalization(TypedDict):
    enabled: NotRequired[bool]
    factors: NotRequired[Sequence[Literal["postal_code", "date_of_birth", "unique_id_last4", "otp_sms", "otp_email"]]]
    # Wrong answers from one network until it is locked
    max_attempts: NotRequired[int]
    # Length of the first lock; each further one lasts twice as long, up to a day
    lockout_minutes: NotRequired[int]


class TemplateCreate(TypedDict):
    type: NotRequired[Literal["template"]]
    name: str
    use_case: NotRequired[str | None]
    description: NotRequired[str | None]
    scheduled_at: NotRequired[str | datetime | None]
    deadline_at: NotRequired[str | datetime | None]
    holdout_percent: NotRequired[int | None]
    send_rate_per_minute: NotRequired[int | None]
    # Whether a journey ends when its objectives are completed
    exit_on_objectives: NotRequired[bool]
    # Whether a journey ends when its contact leaves the cohort that brought it
    exit_on_leaving_cohort: NotRequired[bool]
    # Route by which recipients enter
    entry: NotRequired[Literal["manual", "on_launch_snapshot", "on_cohort_entry"]]
    # Whether they may come in again
    reentry: NotRequired[Literal["never", "after_exit", "after_interval"]]
    reentry_interval: NotRequired[str | None]
    # Needed unless entry is manual
    target_cohort_ids: NotRequired[Sequence[str]]
    exclusion_cohort_ids: NotRequired[Sequence[str]]
    secure_personalization: NotRequired[TemplateCreateSecurePersonalization]
    objective_ids: NotRequired[Sequence[str]]
    # In their order; a PATCH can only reorder them
    page_ids: NotRequired[Sequence[str]]
    # In their order; a PATCH can only reorder them
    message_ids: NotRequired[Sequence[str]]


class TemplatePatch(TypedDict):
    type: NotRequired[Literal["template"]]
    name: NotRequired[str]
    use_case: NotRequired[str | None]
    description: NotRequired[str | None]
    scheduled_at: NotRequired[str | datetime | None]
    deadline_at: NotRequired[str | datetime | None]
    holdout_percent: NotRequired[int | None]
    send_rate_per_minute: NotRequired[int | None]
    # Whether a journey ends when its objectives are completed
    exit_on_objectives: NotRequired[bool]
    # Whether a journey ends when its contact leaves the cohort that brought it
    exit_on_leaving_cohort: NotRequired[bool]
    # Route by which recipients enter
    entry: NotRequired[Literal["manual", "on_launch_snapshot", "on_cohort_entry"]]
    # Whether they may come in again
    reentry: NotRequired[Literal["never", "after_exit", "after_interval"]]
    reentry_interval: NotRequired[str | None]
    # Needed unless entry is manual
    target_cohort_ids: NotRequired[Sequence[str]]
    exclusion_cohort_ids: NotRequired[Sequence[str]]
    secure_personalization: NotRequired[TemplateCreateSecurePersonalization]
    objective_ids: NotRequired[Sequence[str]]
    # In their order; a PATCH can only reorder them
    page_ids: NotRequired[Sequence[str]]
    # In their order; a PATCH can only reorder them
    message_ids: NotRequired[Sequence[str]]


class ScheduleTemplateRequest(TypedDict):
    scheduled_at: str | datetime


class DuplicateTemplateRequest(TypedDict):
    name: NotRequired[str]


ListTemplateVersionsSort: TypeAlias = "Literal['version', '-version'] | Sequence[Literal['version', '-version']]"


class ListTemplateVersionsFilter(TypedDict):
    version: NotRequired[int | IntegerOperators2]


class TemplateVersionSummary(TypedDict):
    id: str
    type: Literal["template_version"]
    team_id: str
    template_id: str
    version: int
    name: str
    inserted_at: str


ListTemplateStatusHistorySort: TypeAlias = "Literal['sequence', '-sequence'] | Sequence[Literal['sequence', '-sequence']]"


ListTemplateStatusHistoryCauseOperators = TypedDict(
    "ListTemplateStatusHistoryCauseOperators",
    {
        "eq": "NotRequired[Literal['api', 'timer', 'operator']]",
        "neq": "NotRequired[Literal['api', 'timer', 'operator']]",
        "in": "NotRequired[Sequence[Literal['api', 'timer', 'operator']]]",
        "nin": "NotRequired[Sequence[Literal['api', 'timer', 'operator']]]",
        "present": "NotRequired[bool]",
        "missing": "NotRequired[bool]",
    },
)


class ListTemplateStatusHistoryFilter(TypedDict):
    sequence: NotRequired[int | IntegerOperators2]
    occurred_at: NotRequired[str | datetime | TimeOperators]
    to_status: NotRequired[Literal["draft", "scheduled", "launched", "paused", "archived", "expired"] | ListTemplatesStatusOperators]
    cause: NotRequired[Literal["api", "timer", "operator"] | ListTemplateStatusHistoryCauseOperators]


class TemplateStatusChange(TypedDict):
    id: str
    type: Literal["template_status_change"]
    team_id: str
    template_id: str
    # Rises with every change of the template
    sequence: int
    # Absent where it was created
    from_status: NotRequired[Literal["draft", "scheduled", "launched", "paused", "archived", "expired"]]
    to_status: Literal["draft", "scheduled", "launched", "paused", "archived", "expired"]
    action: str
    # A client, the clock, or an operator of the service
    cause: Literal["api", "timer", "operator"]
    # The client that requested it
    client_id: NotRequired[str]
    occurred_at: str


class EnrollInTemplateRequest(TypedDict):
    # One of the four fields
    contact_id: NotRequired[str]
    # The partner’s own key of the contact. One of the four fields
    contact_unique_id: NotRequired[str]
    # The same as contact_unique_id
    unique_id: NotRequired[str]
    # All members of a cohort, by an execution, without data
    cohort_id: NotRequired[str]
    # At most 8 KB of JSON, by the data_schema of every message of the journey that has one; texts show it as {{ data.<name> }}. Not checked if absent. Stored encrypted, and deleted when the journey ends
    data: NotRequired[Mapping[str, Any]]


ListJourneysSort: TypeAlias = "Literal['enrolled_at', '-enrolled_at', 'updated_at', '-updated_at', 'last_engaged_at', '-last_engaged_at', 'deadline_at', '-deadline_at'] | Sequence[Literal['enrolled_at', '-enrolled_at', 'updated_at', '-updated_at', 'last_engaged_at', '-last_engaged_at', 'deadline_at', '-deadline_at']]"


ListJourneysInclude: TypeAlias = "Literal['contact', 'template', 'message_deliveries'] | Sequence[Literal['contact', 'template', 'message_deliveries']]"


ListJourneysStatusOperators = TypedDict(
    "ListJourneysStatusOperators",
    {
        "eq": "NotRequired[Literal['scheduled', 'active', 'paused', 'completed', 'exited', 'expired', 'canceled', 'failed']]",
        "neq": "NotRequired[Literal['scheduled', 'active', 'paused', 'completed', 'exited', 'expired', 'canceled', 'failed']]",
        "in": "NotRequired[Sequence[Literal['scheduled', 'active', 'paused', 'completed', 'exited', 'expired', 'canceled', 'failed']]]",
        "nin": "NotRequired[Sequence[Literal['scheduled', 'active', 'paused', 'completed', 'exited', 'expired', 'canceled', 'failed']]]",
        "present": "NotRequired[bool]",
        "missing": "NotRequired[bool]",
    },
)


ListJourneysEnrolledViaOperators = TypedDict(
    "ListJourneysEnrolledViaOperators",
    {
        "eq": "NotRequired[Literal['api', 'cohort', 'batch', 'ipaas', 'widget']]",
        "neq": "NotRequired[Literal['api', 'cohort', 'batch', 'ipaas', 'widget']]",
        "in": "NotRequired[Sequence[Literal['api', 'cohort', 'batch', 'ipaas', 'widget']]]",
        "nin": "NotRequired[Sequence[Literal['api', 'cohort', 'batch', 'ipaas', 'widget']]]",
        "present": "NotRequired[bool]",
        "missing": "NotRequired[bool]",
    },
)


class ListJourneysFilter(TypedDict):
    enrolled_at: NotRequired[str | datetime | TimeOperators]
    updated_at: NotRequired[str | datetime | TimeOperators]
    template_id: NotRequired[str | TextOperators3]
    contact_id: NotRequired[str | TextOperators3]
    status: NotRequired[Literal["scheduled", "active", "paused", "completed", "exited", "expired", "canceled", "failed"] | ListJourneysStatusOperators]
    enrolled_via: NotRequired[Literal["api", "cohort", "batch", "ipaas", "widget"] | ListJourneysEnrolledViaOperators]
    cohort_id: NotRequired[str | TextOperators3]
    is_holdout: NotRequired[bool | BooleanOperators2]
    completed_at: NotRequired[str | datetime | TimeOperators]


class JourneyRowRelationships(TypedDict):
    contact: NotRequired[Contact | None]
    template: NotRequired[Template | None]
    message_deliveries: NotRequired[list[MessageDelivery]]


class JourneyRow(Journey):
    relationships: NotRequired[JourneyRowRelationships]
    # Relations with more than the 25 resources that are shown; absent if there are none
    truncated_relationships: NotRequired[list[Literal["message_deliveries"]]]


GetJourneyTimelineKindOperators = TypedDict(
    "GetJourneyTimelineKindOperators",
    {
        "eq": "NotRequired[Literal['message.queued', 'message.sent', 'message.delivered', 'message.delayed', 'message.opened', 'message.clicked', 'message.bounced', 'message.failed', 'message.complained', 'message.unsubscribed', 'device.invalidated', 'contact.replied', 'page.viewed', 'page.cta_clicked', 'page.form_submitted', 'page.continued', 'landing_page.viewed', 'landing_page.cta_clicked', 'widget.loaded', 'widget.started', 'widget.submitted', 'widget.completed', 'widget.failed', 'widget.dismissed', 'opt_in.granted', 'opt_in.revoked', 'identity.challenge_presented', 'identity.challenge_passed', 'identity.challenge_failed', 'identity.challenge_locked', 'custom', 'journey.enrolled', 'journey.started', 'journey.completed', 'journey.exited', 'journey.expired', 'objective.completed', 'objective.voided', 'account.opened', 'account.closed'] | str]",
        "neq": "NotRequired[Literal['message.queued', 'message.sent', 'message.delivered', 'message.delayed', 'message.opened', 'message.clicked', 'message.bounced', 'message.failed', 'message.complained', 'message.unsubscribed', 'device.invalidated', 'contact.replied', 'page.viewed', 'page.cta_clicked', 'page.form_submitted', 'page.continued', 'landing_page.viewed', 'landing_page.cta_clicked', 'widget.loaded', 'widget.started', 'widget.submitted', 'widget.completed', 'widget.failed', 'widget.dismissed', 'opt_in.granted', 'opt_in.revoked', 'identity.challenge_presented', 'identity.challenge_passed', 'identity.challenge_failed', 'identity.challenge_locked', 'custom', 'journey.enrolled', 'journey.started', 'journey.completed', 'journey.exited', 'journey.expired', 'objective.completed', 'objective.voided', 'account.opened', 'account.closed'] | str]",
        "in": "NotRequired[Sequence[Literal['message.queued', 'message.sent', 'message.delivered', 'message.delayed', 'message.opened', 'message.clicked', 'message.bounced', 'message.failed', 'message.complained', 'message.unsubscribed', 'device.invalidated', 'contact.replied', 'page.viewed', 'page.cta_clicked', 'page.form_submitted', 'page.continued', 'landing_page.viewed', 'landing_page.cta_clicked', 'widget.loaded', 'widget.started', 'widget.submitted', 'widget.completed', 'widget.failed', 'widget.dismissed', 'opt_in.granted', 'opt_in.revoked', 'identity.challenge_presented', 'identity.challenge_passed', 'identity.challenge_failed', 'identity.challenge_locked', 'custom', 'journey.enrolled', 'journey.started', 'journey.completed', 'journey.exited', 'journey.expired', 'objective.completed', 'objective.voided', 'account.opened', 'account.closed'] | str]]",
        "nin": "NotRequired[Sequence[Literal['message.queued', 'message.sent', 'message.delivered', 'message.delayed', 'message.opened', 'message.clicked', 'message.bounced', 'message.failed', 'message.complained', 'message.unsubscribed', 'device.invalidated', 'contact.replied', 'page.viewed', 'page.cta_clicked', 'page.form_submitted', 'page.continued', 'landing_page.viewed', 'landing_page.cta_clicked', 'widget.loaded', 'widget.started', 'widget.submitted', 'widget.completed', 'widget.failed', 'widget.dismissed', 'opt_in.granted', 'opt_in.revoked', 'identity.challenge_presented', 'identity.challenge_passed', 'identity.challenge_failed', 'identity.challenge_locked', 'custom', 'journey.enrolled', 'journey.started', 'journey.completed', 'journey.exited', 'journey.expired', 'objective.completed', 'objective.voided', 'account.opened', 'account.closed'] | str]]",
    },
)


GetJourneyTimelineChannelOperators = TypedDict(
    "GetJourneyTimelineChannelOperators",
    {
        "eq": "NotRequired[Literal['email', 'sms', 'push', 'web', 'widget', 'system']]",
        "neq": "NotRequired[Literal['email', 'sms', 'push', 'web', 'widget', 'system']]",
        "in": "NotRequired[Sequence[Literal['email', 'sms', 'push', 'web', 'widget', 'system']]]",
        "nin": "NotRequired[Sequence[Literal['email', 'sms', 'push', 'web', 'widget', 'system']]]",
        "present": "NotRequired[bool]",
        "missing": "NotRequired[bool]",
    },
)


class GetJourneyTimelineFilter(TypedDict):
    occurred_at: NotRequired[str | datetime | TimeOperators]
    kind: NotRequired[Literal["message.queued", "message.sent", "message.delivered", "message.delayed", "message.opened", "message.clicked", "message.bounced", "message.failed", "message.complained", "message.unsubscribed", "device.invalidated", "contact.replied", "page.viewed", "page.cta_clicked", "page.form_submitted", "page.continued", "landing_page.viewed", "landing_page.cta_clicked", "widget.loaded", "widget.started", "widget.submitted", "widget.completed", "widget.failed", "widget.dismissed", "opt_in.granted", "opt_in.revoked", "identity.challenge_presented", "identity.challenge_passed", "identity.challenge_failed", "identity.challenge_locked", "custom", "journey.enrolled", "journey.started", "journey.completed", "journey.exited", "journey.expired", "objective.completed", "objective.voided", "account.opened", "account.closed"] | str | GetJourneyTimelineKindOperators]
    channel: NotRequired[Literal["email", "sms", "push", "web", "widget", "system"] | GetJourneyTimelineChannelOperators]
    is_machine: NotRequired[bool | BooleanOperators]


ListContentBlocksSort: TypeAlias = "Literal['updated_at', '-updated_at', 'inserted_at', '-inserted_at', 'name', '-name'] | Sequence[Literal['updated_at', '-updated_at', 'inserted_at', '-inserted_at', 'name', '-name']]"


ListContentBlocksKindOperators = TypedDict(
    "ListContentBlocksKindOperators",
    {
        "eq": "NotRequired[Literal['rich_text', 'image', 'video', 'button', 'disclosure', 'form', 'objective_checklist', 'product_card', 'html']]",
        "neq": "NotRequired[Literal['rich_text', 'image', 'video', 'button', 'disclosure', 'form', 'objective_checklist', 'product_card', 'html']]",
        "in": "NotRequired[Sequence[Literal['rich_text', 'image', 'video', 'button', 'disclosure', 'form', 'objective_checklist', 'product_card', 'html']]]",
        "nin": "NotRequired[Sequence[Literal['rich_text', 'image', 'video', 'button', 'disclosure', 'form', 'objective_checklist', 'product_card', 'html']]]",
        "present": "NotRequired[bool]",
        "missing": "NotRequired[bool]",
    },
)


class ListContentBlocksFilter(TypedDict):
    updated_at: NotRequired[str | datetime | TimeOperators]
    inserted_at: NotRequired[str | datetime | TimeOperators]
    name: NotRequired[str | TextOperators4]
    key: NotRequired[str | TextOperators4]
    kind: NotRequired[Literal["rich_text", "image", "video", "button", "disclosure", "form", "objective_checklist", "product_card", "html"] | ListContentBlocksKindOperators]
    is_archived: NotRequired[bool | BooleanOperators2]


class ContentBlockCreate(TypedDict):
    type: NotRequired[Literal["content_block"]]
    name: str
    # Unique in the team
    key: str
    kind: Literal["rich_text", "image", "video", "button", "disclosure", "form", "objective_checklist", "product_card", "html"]
    # By kind. rich_text, html: {html}; disclosure: {html, title?}; image: {url, alt?, link_url?}; video: {url, title, poster_url?}; button: {label, url}; product_card: {title, description?, image_url?, button?}; objective_checklist: {items: [{objective_key, label}], title?}; form: {fields: [{name, label, kind, is_required?, options?, consent?}], submit_label, title?, success_message?}, where consent names the channel (email, sms) that a ticked checkbox agrees to. HTML is sanitized when it is written; text and HTML may hold Liquid.
    body: Mapping[str, Any]
    # Fields of the body in other languages
    localizations: NotRequired[Mapping[str, Mapping[str, Any]]]


class ContentBlockPatch(TypedDict):
    type: NotRequired[Literal["content_block"]]
    name: NotRequired[str]
    # Unique in the team
    key: NotRequired[str]
    kind: NotRequired[Literal["rich_text", "image", "video", "button", "disclosure", "form", "objective_checklist", "product_card", "html"]]
    # By kind. rich_text, html: {html}; disclosure: {html, title?}; image: {url, alt?, link_url?}; video: {url, title, poster_url?}; button: {label, url}; product_card: {title, description?, image_url?, button?}; objective_checklist: {items: [{objective_key, label}], title?}; form: {fields: [{name, label, kind, is_required?, options?, consent?}], submit_label, title?, success_message?}, where consent names the channel (email, sms) that a ticked checkbox agrees to. HTML is sanitized when it is written; text and HTML may hold Liquid.
    body: NotRequired[Mapping[str, Any]]
    # Fields of the body in other languages
    localizations: NotRequired[Mapping[str, Mapping[str, Any]]]


class DuplicateContentBlockRequest(TypedDict):
    # Unique in the team
    key: str
    name: NotRequired[str]


class RenderContentBlockRequest(TypedDict):
    # Whose data to use; needs partner:contacts:read. Without one, a sample person’s
    contact_id: NotRequired[str]
    # Values to use instead, such as {"contact": {"first_name": "Ada"}}
    data: NotRequired[Mapping[str, Any]]
    # The contact’s if absent, or else the team’s
    locale: NotRequired[str]


class PreviewContentBlockRequest(TypedDict):
    # Whose data to use; needs partner:contacts:read. Without one, a sample person’s
    contact_id: NotRequired[str]
    # Values to use instead, such as {"contact": {"first_name": "Ada"}}
    data: NotRequired[Mapping[str, Any]]
    # The contact’s if absent, or else the team’s
    locale: NotRequired[str]
    kind: Literal["rich_text", "image", "video", "button", "disclosure", "form", "objective_checklist", "product_card", "html"]
    # By kind. rich_text, html: {html}; disclosure: {html, title?}; image: {url, alt?, link_url?}; video: {url, title, poster_url?}; button: {label, url}; product_card: {title, description?, image_url?, button?}; objective_checklist: {items: [{objective_key, label}], title?}; form: {fields: [{name, label, kind, is_required?, options?, consent?}], submit_label, title?, success_message?}, where consent names the channel (email, sms) that a ticked checkbox agrees to. HTML is sanitized when it is written; text and HTML may hold Liquid.
    body: Mapping[str, Any]
    # Fields of the body in other languages
    localizations: NotRequired[Mapping[str, Mapping[str, Any]]]


ListLandingPagesSort: TypeAlias = "Literal['inserted_at', '-inserted_at', 'updated_at', '-updated_at', 'name', '-name', 'published_at', '-published_at'] | Sequence[Literal['inserted_at', '-inserted_at', 'updated_at', '-updated_at', 'name', '-name', 'published_at', '-published_at']]"


ListLandingPagesInclude: TypeAlias = "Literal['content_blocks'] | Sequence[Literal['content_blocks']]"


ListLandingPagesStatusOperators = TypedDict(
    "ListLandingPagesStatusOperators",
    {
        "eq": "NotRequired[Literal['draft', 'published', 'archived']]",
        "neq": "NotRequired[Literal['draft', 'published', 'archived']]",
        "in": "NotRequired[Sequence[Literal['draft', 'published', 'archived']]]",
        "nin": "NotRequired[Sequence[Literal['draft', 'published', 'archived']]]",
        "present": "NotRequired[bool]",
        "missing": "NotRequired[bool]",
    },
)


class ListLandingPagesFilter(TypedDict):
    inserted_at: NotRequired[str | datetime | TimeOperators]
    updated_at: NotRequired[str | datetime | TimeOperators]
    name: NotRequired[str | TextOperators4]
    published_at: NotRequired[str | datetime | TimeOperators]
    status: NotRequired[Literal["draft", "published", "archived"] | ListLandingPagesStatusOperators]
    slug: NotRequired[str | TextOperators4]


class LandingPageRowRelationships(TypedDict):
    content_blocks: NotRequired[list[ContentBlock]]


class LandingPageRow(LandingPage):
    relationships: NotRequired[LandingPageRowRelationships]
    # Relations with more than the 25 resources that are shown; absent if there are none
    truncated_relationships: NotRequired[list[Literal["content_blocks"]]]


class LandingPageCreateSeo(TypedDict):
    title: NotRequired[str]
    description: NotRequired[str]
    image_url: NotRequired[str]
    noindex: NotRequired[bool]


class LandingPageCreate(TypedDict):
    type: NotRequired[Literal["landing_page"]]
    name: str
    # Part of the url immediately; unique among the pages that are not archived
    slug: str
    title: NotRequired[str | None]
    description: NotRequired[str | None]
    locale: NotRequired[str | None]
    # Look of the page: primary_color, on_primary_color, link_color, text_color, background_color, focus_color, font_family and radius, as values of CSS
    theme: NotRequired[Mapping[str, str]]
    seo: NotRequired[LandingPageCreateSeo]
    # In the order in which they are shown
    content_block_ids: NotRequired[Sequence[str]]


class LandingPagePatch(TypedDict):
    type: NotRequired[Literal["landing_page"]]
    name: NotRequired[str]
    # Part of the url immediately; unique among the pages that are not archived
    slug: NotRequired[str]
    title: NotRequired[str | None]
    description: NotRequired[str | None]
    locale: NotRequired[str | None]
    # Look of the page: primary_color, on_primary_color, link_color, text_color, background_color, focus_color, font_family and radius, as values of CSS
    theme: NotRequired[Mapping[str, str]]
    seo: NotRequired[LandingPageCreateSeo]
    # In the order in which they are shown
    content_block_ids: NotRequired[Sequence[str]]


class DuplicateLandingPageRequest(TypedDict):
    name: NotRequired[str]
    # Part of the url immediately; unique among the pages that are not archived
    slug: NotRequired[str]


ListMessagesInclude: TypeAlias = "Literal['template', 'content_blocks'] | Sequence[Literal['template', 'content_blocks']]"


ListMessagesStatusOperators = TypedDict(
    "ListMessagesStatusOperators",
    {
        "eq": "NotRequired[Literal['draft', 'active', 'archived']]",
        "neq": "NotRequired[Literal['draft', 'active', 'archived']]",
        "in": "NotRequired[Sequence[Literal['draft', 'active', 'archived']]]",
        "nin": "NotRequired[Sequence[Literal['draft', 'active', 'archived']]]",
        "present": "NotRequired[bool]",
        "missing": "NotRequired[bool]",
    },
)


ListMessagesPurposeOperators = TypedDict(
    "ListMessagesPurposeOperators",
    {
        "eq": "NotRequired[Literal['marketing', 'transactional', 'servicing']]",
        "neq": "NotRequired[Literal['marketing', 'transactional', 'servicing']]",
        "in": "NotRequired[Sequence[Literal['marketing', 'transactional', 'servicing']]]",
        "nin": "NotRequired[Sequence[Literal['marketing', 'transactional', 'servicing']]]",
        "present": "NotRequired[bool]",
        "missing": "NotRequired[bool]",
    },
)


class ListMessagesFilter(TypedDict):
    position: NotRequired[int | IntegerOperators2]
    inserted_at: NotRequired[str | datetime | TimeOperators]
    updated_at: NotRequired[str | datetime | TimeOperators]
    name: NotRequired[str | TextOperators4]
    channel: NotRequired[Literal["email", "sms", "push"] | ListContactConsentChangesChannelOperators]
    status: NotRequired[Literal["draft", "active", "archived"] | ListMessagesStatusOperators]
    purpose: NotRequired[Literal["marketing", "transactional", "servicing"] | ListMessagesPurposeOperators]
    topic_id: NotRequired[str | TextOperators3]
    template_id: NotRequired[str | TextOperators3]


class MessageRowRelationships(TypedDict):
    template: NotRequired[Template | None]
    content_blocks: NotRequired[list[ContentBlock]]


class MessageRow(Message):
    relationships: NotRequired[MessageRowRelationships]
    # Relations with more than the 25 resources that are shown; absent if there are none
    truncated_relationships: NotRequired[list[Literal["content_blocks"]]]


class ListTemplateMessagesFilter(TypedDict):
    position: NotRequired[int | IntegerOperators2]
    inserted_at: NotRequired[str | datetime | TimeOperators]
    updated_at: NotRequired[str | datetime | TimeOperators]
    name: NotRequired[str | TextOperators4]
    channel: NotRequired[Literal["email", "sms", "push"] | ListContactConsentChangesChannelOperators]
    status: NotRequired[Literal["draft", "active", "archived"] | ListMessagesStatusOperators]
    purpose: NotRequired[Literal["marketing", "transactional", "servicing"] | ListMessagesPurposeOperators]
    topic_id: NotRequired[str | TextOperators3]


class MessageStats(TypedDict):
    # Handed over to be sent
    queued: int
    sent: int
    delivered: int
    bounced: int
    failed: int
    # By a person, once each
    opened: int
    opened_machine: int
    clicked: int
    unsubscribed: int
    complained: int
    skipped: int


class MessageStatsByVariant(TypedDict):
    # Absent for deliveries without a variant
    variant_key: NotRequired[str]
    # Handed over to be sent
    queued: int
    sent: int
    delivered: int
    bounced: int
    failed: int
    # By a person, once each
    opened: int
    opened_machine: int
    clicked: int
    unsubscribed: int
    complained: int
    skipped: int


class MessageRow2(TypedDict):
    id: str
    type: Literal["message"]
    team_id: str
    template_id: str
    name: str
    # Fixed; fields of other channels stay empty
    channel: Literal["email", "sms", "push"]
    # Active once its template is launched
    status: Literal["draft", "active", "archived"]
    # Marketing is sent with consent only
    purpose: Literal["marketing", "transactional", "servicing"]
    # Marketing only: a topic of the team, by whose consents the message is sent as well
    topic_id: NotRequired[str]
    # Order within the template, from 0
    position: int
    trigger: MessageTrigger
    # Rule on the recipient as in a cohort’s definition, asked when it is sent; 16 KB at most
    condition: NotRequired[dict[str, Any]]
    # True by default, but for on_request unless it is marketing
    respect_quiet_hours: bool
    frequency_cap_exempt: bool
    subject: NotRequired[str]
    preheader: NotRequired[str]
    from_name: NotRequired[str]
    # Sanitized when it is written; followed by the blocks
    body_html: NotRequired[str]
    body_text: NotRequired[str]
    # Text of an SMS, or of a push (at most 1,000)
    body: NotRequired[str]
    title: NotRequired[str]
    image_url: NotRequired[str]
    deep_link: NotRequired[str]
    # Address of a verified sending domain of the team
    from_email: NotRequired[str]
    reply_to: NotRequired[str]
    # Whether an e-mail carries one-click unsubscribe (RFC 8058)
    list_unsubscribe: bool
    # Number or name of an SMS provider of the team, from which a text message comes
    sender: NotRequired[str]
    # Number of parts of the text message before values are inserted
    sms_segments: NotRequired[int]
    # For the app; at most 4 KB
    data: NotRequired[dict[str, Any]]
    # JSON Schema of the data that texts show as {{ data.<name> }}: that of a send for the trigger on_request, else that of the enrollment, whose type is "object". At most 8 KB of JSON, 5 levels and 50 properties of an object. Keywords: type, title, description, properties, required, additionalProperties (true or false), items, enum, minimum, maximum, exclusiveMinimum, exclusiveMaximum, minLength, maxLength, minItems, maxItems
    data_schema: NotRequired[dict[str, Any]]
    # Blocks of an e-mail, behind its body
    content_block_ids: list[str]
    localizations: dict[str, MessageLocalizationsValue]
    # Each recipient keeps the one that the weights give them. Overrides replace the texts of the message itself: a recipient who gets a localization gets it unchanged
    variants: list[MessageVariants]
    # Rises with every change of its content
    version: int
    # Parts that were removed from the HTML of this request; absent where none was, and in all other responses
    warnings: NotRequired[list[ContentWarning]]
    inserted_at: str
    updated_at: str
    stats: MessageStats
    # The same for each variant with deliveries; empty where no delivery has one
    stats_by_variant: list[MessageStatsByVariant]
    relationships: NotRequired[MessageRowRelationships]
    # Relations with more than the 25 resources that are shown; absent if there are none
    truncated_relationships: NotRequired[list[Literal["content_blocks"]]]


class TemplateMessageCreateTrigger(TypedDict):
    # Journeys never send on_request; it is sent by the operation sendMessage only
    kind: Literal["on_enroll", "delay", "date", "on_event", "on_objective_incomplete", "on_page", "on_request"]
    # ISO 8601 duration of weeks, or days, hours and minutes
    delay: NotRequired[str]
    # For kind date; at most 3653 days ahead
    date: NotRequired[str | datetime]
    # In the contact’s zone
    at_local_time: NotRequired[str]
    # Monday is 1, Tuesday 2, Sunday 64
    weekday_mask: NotRequired[int]
    # For kind on_event
    event_kind: NotRequired[str]
    # For kind on_page: a page of the template
    page_id: NotRequired[str]
    # For kind on_objective_incomplete
    objective_id: NotRequired[str]


class TemplateMessageCreate(TypedDict):
    type: NotRequired[Literal["message"]]
    name: str
    # Fixed; fields of other channels stay empty
    channel: Literal["email", "sms", "push"]
    # Marketing is sent with consent only
    purpose: NotRequired[Literal["marketing", "transactional", "servicing"]]
    topic_id: NotRequired[str | None]
    # Order within the template, from 0
    position: NotRequired[int]
    trigger: NotRequired[TemplateMessageCreateTrigger]
    condition: NotRequired[Mapping[str, Any] | None]
    # True by default, but for on_request unless it is marketing
    respect_quiet_hours: NotRequired[bool]
    frequency_cap_exempt: NotRequired[bool]
    subject: NotRequired[str | None]
    preheader: NotRequired[str | None]
    from_name: NotRequired[str | None]
    body_html: NotRequired[str | None]
    body_text: NotRequired[str | None]
    body: NotRequired[str | None]
    title: NotRequired[str | None]
    image_url: NotRequired[str | None]
    deep_link: NotRequired[str | None]
    from_email: NotRequired[str | None]
    reply_to: NotRequired[str | None]
    # Whether an e-mail carries one-click unsubscribe (RFC 8058)
    list_unsubscribe: NotRequired[bool]
    sender: NotRequired[str | None]
    data: NotRequired[Mapping[str, Any] | None]
    data_schema: NotRequired[Mapping[str, Any] | None]
    # Blocks of an e-mail, behind its body
    content_block_ids: NotRequired[Sequence[str]]
    localizations: NotRequired[Mapping[str, MessageLocalizationsValue]]
    # Each recipient keeps the one that the weights give them. Overrides replace the texts of the message itself: a recipient who gets a localization gets it unchanged
    variants: NotRequired[Sequence[MessageVariants]]


class MessagePatch(TypedDict):
    type: NotRequired[Literal["message"]]
    name: NotRequired[str]
    # Fixed; fields of other channels stay empty
    channel: NotRequired[Literal["email", "sms", "push"]]
    # Marketing is sent with consent only
    purpose: NotRequired[Literal["marketing", "transactional", "servicing"]]
    topic_id: NotRequired[str | None]
    # Order within the template, from 0
    position: NotRequired[int]
    trigger: NotRequired[TemplateMessageCreateTrigger]
    condition: NotRequired[Mapping[str, Any] | None]
    # True by default, but for on_request unless it is marketing
    respect_quiet_hours: NotRequired[bool]
    frequency_cap_exempt: NotRequired[bool]
    subject: NotRequired[str | None]
    preheader: NotRequired[str | None]
    from_name: NotRequired[str | None]
    body_html: NotRequired[str | None]
    body_text: NotRequired[str | None]
    body: NotRequired[str | None]
    title: NotRequired[str | None]
    image_url: NotRequired[str | None]
    deep_link: NotRequired[str | None]
    from_email: NotRequired[str | None]
    reply_to: NotRequired[str | None]
    # Whether an e-mail carries one-click unsubscribe (RFC 8058)
    list_unsubscribe: NotRequired[bool]
    sender: NotRequired[str | None]
    data: NotRequired[Mapping[str, Any] | None]
    data_schema: NotRequired[Mapping[str, Any] | None]
    # Blocks of an e-mail, behind its body
    content_block_ids: NotRequired[Sequence[str]]
    localizations: NotRequired[Mapping[str, MessageLocalizationsValue]]
    # Each recipient keeps the one that the weights give them. Overrides replace the texts of the message itself: a recipient who gets a localization gets it unchanged
    variants: NotRequired[Sequence[MessageVariants]]


class RenderMessageRequest(TypedDict):
    # Whose data to use; needs partner:contacts:read. Without one, a sample person’s
    contact_id: NotRequired[str]
    # Values to use instead, such as {"contact": {"first_name": "Ada"}}
    data: NotRequired[Mapping[str, Any]]
    # The contact’s if absent, or else the team’s
    locale: NotRequired[str]
    variant_key: NotRequired[str]


class SendTestMessageRequest(TypedDict):
    to: Sequence[str]


class SendMessageRequest(TypedDict):
    # This or contact_unique_id
    contact_id: NotRequired[str]
    # The partner’s own key of the contact
    contact_unique_id: NotRequired[str]
    email: NotRequired[str]
    # E.164
    phone: NotRequired[str]
    # At most 8 KB of JSON, by the data_schema of the message. Stored encrypted, and deleted after the send
    data: NotRequired[Mapping[str, Any]]
    # At most 30 days ahead; now if absent
    scheduled_at: NotRequired[str | datetime]


class SendMessageBatchRequest(TypedDict):
    sends: Sequence[SendMessageRequest]


ListTestRecipientsChannelOperators = TypedDict(
    "ListTestRecipientsChannelOperators",
    {
        "eq": "NotRequired[Literal['email', 'sms', 'push']]",
        "neq": "NotRequired[Literal['email', 'sms', 'push']]",
        "in": "NotRequired[Sequence[Literal['email', 'sms', 'push']]]",
        "nin": "NotRequired[Sequence[Literal['email', 'sms', 'push']]]",
    },
)


ListTestRecipientsStatusOperators = TypedDict(
    "ListTestRecipientsStatusOperators",
    {
        "eq": "NotRequired[Literal['pending', 'confirmed']]",
        "neq": "NotRequired[Literal['pending', 'confirmed']]",
        "in": "NotRequired[Sequence[Literal['pending', 'confirmed']]]",
        "nin": "NotRequired[Sequence[Literal['pending', 'confirmed']]]",
    },
)


class ListTestRecipientsFilter(TypedDict):
    inserted_at: NotRequired[str | datetime | TimeOperators]
    updated_at: NotRequired[str | datetime | TimeOperators]
    channel: NotRequired[Literal["email", "sms", "push"] | ListTestRecipientsChannelOperators]
    status: NotRequired[Literal["pending", "confirmed"] | ListTestRecipientsStatusOperators]


class TestRecipientCreate(TypedDict):
    type: NotRequired[Literal["test_recipient"]]
    channel: Literal["email", "sms", "push"]
    name: NotRequired[str | None]
    # E-mail address, E.164 number or push token; never shown
    address: str


ListArchivedMessagesSort: TypeAlias = "Literal['sent_at', '-sent_at'] | Sequence[Literal['sent_at', '-sent_at']]"


class ListArchivedMessagesSentAtOperators(TypedDict):
    lt: NotRequired[str | datetime]
    lte: NotRequired[str | datetime]
    gt: NotRequired[str | datetime]
    gte: NotRequired[str | datetime]


ListArchivedMessagesChannelOperators = TypedDict(
    "ListArchivedMessagesChannelOperators",
    {
        "eq": "NotRequired[Literal['email', 'sms', 'push']]",
        "in": "NotRequired[Sequence[Literal['email', 'sms', 'push']]]",
    },
)


class ListArchivedMessagesFilter(TypedDict):
    sent_at: NotRequired[ListArchivedMessagesSentAtOperators]
    contact_id: NotRequired[str | TextOperators]
    message_id: NotRequired[str | TextOperators]
    channel: NotRequired[Literal["email", "sms", "push"] | ListArchivedMessagesChannelOperators]


class ArchivedMessage(TypedDict):
    id: str
    type: Literal["archived_message"]
    team_id: str
    contact_id: str
    message_id: str
    template_id: str
    # The version that was rendered
    template_version: int
    journey_id: NotRequired[str]
    channel: Literal["email", "sms", "push"]
    provider: Literal["email_a", "email_b", "email_c", "sms_a", "sms_b", "push_a", "push_b", "generic_hmac", "smtp", "mailbox"]
    provider_message_id: NotRequired[str]
    # Address, number or name that it was from
    sender: NotRequired[str]
    # The address, most of it hidden
    to_masked: NotRequired[str]
    # Consent for the channel right before the message was sent
    consent_status: NotRequired[Literal["never", "pending", "subscribed", "unsubscribed"]]
    # unavailable: the process ended before it was stored
    content_status: Literal["stored", "unavailable", "erased"]
    # Time when the provider took it
    sent_at: str
    # It is deleted after this time, unless a legal hold stands
    expires_at: str
    # Time when content and address were erased
    erased_at: NotRequired[str]
    inserted_at: str
    updated_at: str


ListContactReadsSort: TypeAlias = "Literal['read_at', '-read_at'] | Sequence[Literal['read_at', '-read_at']]"


class ListContactReadsFilter(TypedDict):
    read_at: NotRequired[ListArchivedMessagesSentAtOperators]
    contact_id: NotRequired[str | TextOperators]
    client_id: NotRequired[str | TextOperators]


class ContactRead(TypedDict):
    id: str
    type: Literal["contact_read"]
    team_id: str
    contact_id: str
    # The client that got the answer
    client_id: str
    # The operationId of the endpoint
    operation: str
    # The id that the service gave the request
    server_request_id: NotRequired[str]
    # Time of the first such answer within an hour of the clock (UTC)
    read_at: str
    # The line is deleted after this time
    expires_at: str


TextOperators6 = TypedDict(
    "TextOperators6",
    {
        "eq": "NotRequired[str]",
        "in": "NotRequired[Sequence[str]]",
        "missing": "NotRequired[bool]",
        "present": "NotRequired[bool]",
    },
)


class ListLegalHoldsStatusOperators(TypedDict):
    eq: NotRequired[Literal["active", "released"]]


class ListLegalHoldsFilter(TypedDict):
    inserted_at: NotRequired[str | datetime | TimeOperators]
    updated_at: NotRequired[str | datetime | TimeOperators]
    contact_id: NotRequired[str | TextOperators6]
    status: NotRequired[Literal["active", "released"] | ListLegalHoldsStatusOperators]


class LegalHoldCreate(TypedDict):
    type: NotRequired[Literal["legal_hold"]]
    contact_id: NotRequired[str | None]
    # For the records of the team; it outlives the contact, so it contains no personal data
    reason: str


ListMessageDeliveriesSort: TypeAlias = "Literal['inserted_at', '-inserted_at', 'updated_at', '-updated_at', 'sent_at', '-sent_at'] | Sequence[Literal['inserted_at', '-inserted_at', 'updated_at', '-updated_at', 'sent_at', '-sent_at']]"


ListMessageDeliveriesInclude: TypeAlias = "Literal['contact', 'message'] | Sequence[Literal['contact', 'message']]"


ListMessageDeliveriesStatusOperators = TypedDict(
    "ListMessageDeliveriesStatusOperators",
    {
        "eq": "NotRequired[Literal['scheduled', 'queued', 'sent', 'delayed', 'delivered', 'bounced', 'failed', 'suppressed', 'skipped', 'canceled']]",
        "neq": "NotRequired[Literal['scheduled', 'queued', 'sent', 'delayed', 'delivered', 'bounced', 'failed', 'suppressed', 'skipped', 'canceled']]",
        "in": "NotRequired[Sequence[Literal['scheduled', 'queued', 'sent', 'delayed', 'delivered', 'bounced', 'failed', 'suppressed', 'skipped', 'canceled']]]",
        "nin": "NotRequired[Sequence[Literal['scheduled', 'queued', 'sent', 'delayed', 'delivered', 'bounced', 'failed', 'suppressed', 'skipped', 'canceled']]]",
        "present": "NotRequired[bool]",
        "missing": "NotRequired[bool]",
    },
)


ListMessageDeliveriesSkipReasonOperators = TypedDict(
    "ListMessageDeliveriesSkipReasonOperators",
    {
        "eq": "NotRequired[Literal['no_consent', 'topic_unsubscribed', 'suppressed', 'missing_address', 'quiet_hours_expired', 'frequency_cap', 'holdout', 'condition_false', 'objective_completed', 'template_paused_stale', 'deadline_passed', 'sender_not_verified']]",
        "neq": "NotRequired[Literal['no_consent', 'topic_unsubscribed', 'suppressed', 'missing_address', 'quiet_hours_expired', 'frequency_cap', 'holdout', 'condition_false', 'objective_completed', 'template_paused_stale', 'deadline_passed', 'sender_not_verified']]",
        "in": "NotRequired[Sequence[Literal['no_consent', 'topic_unsubscribed', 'suppressed', 'missing_address', 'quiet_hours_expired', 'frequency_cap', 'holdout', 'condition_false', 'objective_completed', 'template_paused_stale', 'deadline_passed', 'sender_not_verified']]]",
        "nin": "NotRequired[Sequence[Literal['no_consent', 'topic_unsubscribed', 'suppressed', 'missing_address', 'quiet_hours_expired', 'frequency_cap', 'holdout', 'condition_false', 'objective_completed', 'template_paused_stale', 'deadline_passed', 'sender_not_verified']]]",
        "present": "NotRequired[bool]",
        "missing": "NotRequired[bool]",
    },
)


class ListMessageDeliveriesFilter(TypedDict):
    inserted_at: NotRequired[str | datetime | TimeOperators]
    updated_at: NotRequired[str | datetime | TimeOperators]
    sent_at: NotRequired[str | datetime | TimeOperators]
    status: NotRequired[Literal["scheduled", "queued", "sent", "delayed", "delivered", "bounced", "failed", "suppressed", "skipped", "canceled"] | ListMessageDeliveriesStatusOperators]
    channel: NotRequired[Literal["email", "sms", "push"] | ListContactConsentChangesChannelOperators]
    message_id: NotRequired[str | TextOperators3]
    template_id: NotRequired[str | TextOperators3]
    contact_id: NotRequired[str | TextOperators3]
    topic_id: NotRequired[str | TextOperators3]
    journey_id: NotRequired[str | TextOperators3]
    skip_reason: NotRequired[Literal["no_consent", "topic_unsubscribed", "suppressed", "missing_address", "quiet_hours_expired", "frequency_cap", "holdout", "condition_false", "objective_completed", "template_paused_stale", "deadline_passed", "sender_not_verified"] | ListMessageDeliveriesSkipReasonOperators]


class MessageDeliveryRowRelationships(TypedDict):
    contact: NotRequired[Contact | None]
    message: NotRequired[Message | None]


class MessageDeliveryRow(MessageDelivery):
    relationships: NotRequired[MessageDeliveryRowRelationships]


ListPagesKindOperators = TypedDict(
    "ListPagesKindOperators",
    {
        "eq": "NotRequired[Literal['welcome', 'step', 'form', 'checklist', 'widget', 'completion']]",
        "neq": "NotRequired[Literal['welcome', 'step', 'form', 'checklist', 'widget', 'completion']]",
        "in": "NotRequired[Sequence[Literal['welcome', 'step', 'form', 'checklist', 'widget', 'completion']]]",
        "nin": "NotRequired[Sequence[Literal['welcome', 'step', 'form', 'checklist', 'widget', 'completion']]]",
        "present": "NotRequired[bool]",
        "missing": "NotRequired[bool]",
    },
)


class ListPagesFilter(TypedDict):
    position: NotRequired[int | IntegerOperators2]
    inserted_at: NotRequired[str | datetime | TimeOperators]
    updated_at: NotRequired[str | datetime | TimeOperators]
    name: NotRequired[str | TextOperators4]
    kind: NotRequired[Literal["welcome", "step", "form", "checklist", "widget", "completion"] | ListPagesKindOperators]
    objective_id: NotRequired[str | TextOperators3]
    template_id: NotRequired[str | TextOperators3]


class PageRow(Page):
    relationships: NotRequired[MessageRowRelationships]
    # Relations with more than the 25 resources that are shown; absent if there are none
    truncated_relationships: NotRequired[list[Literal["content_blocks"]]]


class ListTemplatePagesFilter(TypedDict):
    position: NotRequired[int | IntegerOperators2]
    inserted_at: NotRequired[str | datetime | TimeOperators]
    updated_at: NotRequired[str | datetime | TimeOperators]
    name: NotRequired[str | TextOperators4]
    kind: NotRequired[Literal["welcome", "step", "form", "checklist", "widget", "completion"] | ListPagesKindOperators]
    objective_id: NotRequired[str | TextOperators3]


class TemplatePageCreate(TypedDict):
    type: NotRequired[Literal["page"]]
    name: str
    title: NotRequired[str | None]
    path: NotRequired[str | None]
    kind: NotRequired[Literal["welcome", "step", "form", "checklist", "widget", "completion"]]
    # Order within the template, from 0
    position: NotRequired[int]
    objective_id: NotRequired[str | None]
    # In the order in which they are shown
    content_block_ids: NotRequired[Sequence[str]]
    completion_rule: NotRequired[Literal["viewed", "cta_clicked", "form_submitted", "objective_completed"]]
    # Whether it is shown only to recipients who have proved who they are
    requires_identity_challenge: NotRequired[bool]
    widget_instance_id: NotRequired[str | None]


class PagePatch(TypedDict):
    type: NotRequired[Literal["page"]]
    name: NotRequired[str]
    title: NotRequired[str | None]
    path: NotRequired[str | None]
    kind: NotRequired[Literal["welcome", "step", "form", "checklist", "widget", "completion"]]
    # Order within the template, from 0
    position: NotRequired[int]
    objective_id: NotRequired[str | None]
    # In the order in which they are shown
    content_block_ids: NotRequired[Sequence[str]]
    completion_rule: NotRequired[Literal["viewed", "cta_clicked", "form_submitted", "objective_completed"]]
    # Whether it is shown only to recipients who have proved who they are
    requires_identity_challenge: NotRequired[bool]
    widget_instance_id: NotRequired[str | None]


ListObjectivesSort: TypeAlias = "Literal['inserted_at', '-inserted_at', 'updated_at', '-updated_at', 'name', '-name'] | Sequence[Literal['inserted_at', '-inserted_at', 'updated_at', '-updated_at', 'name', '-name']]"


ListObjectivesCategoryOperators = TypedDict(
    "ListObjectivesCategoryOperators",
    {
        "eq": "NotRequired[Literal['cards', 'deposits', 'digital_banking', 'payments', 'lending', 'communication', 'business', 'other']]",
        "neq": "NotRequired[Literal['cards', 'deposits', 'digital_banking', 'payments', 'lending', 'communication', 'business', 'other']]",
        "in": "NotRequired[Sequence[Literal['cards', 'deposits', 'digital_banking', 'payments', 'lending', 'communication', 'business', 'other']]]",
        "nin": "NotRequired[Sequence[Literal['cards', 'deposits', 'digital_banking', 'payments', 'lending', 'communication', 'business', 'other']]]",
        "present": "NotRequired[bool]",
        "missing": "NotRequired[bool]",
    },
)


class ListObjectivesFilter(TypedDict):
    inserted_at: NotRequired[str | datetime | TimeOperators]
    updated_at: NotRequired[str | datetime | TimeOperators]
    name: NotRequired[str | TextOperators4]
    key: NotRequired[str | TextOperators4]
    category: NotRequired[Literal["cards", "deposits", "digital_banking", "payments", "lending", "communication", "business", "other"] | ListObjectivesCategoryOperators]
    is_standard: NotRequired[bool | BooleanOperators2]
    is_active: NotRequired[bool | BooleanOperators2]


class ObjectiveCreate(TypedDict):
    type: NotRequired[Literal["objective"]]
    name: str
    # Unique in the team, and fixed: kebab-case
    key: str
    description: NotRequired[str | None]
    category: NotRequired[Literal["cards", "deposits", "digital_banking", "payments", "lending", "communication", "business", "other"]]
    # Value credited for each completion, in cents of the team’s currency
    value_cents: NotRequired[int]
    attribution_window_days: NotRequired[int]
    attribution_model: NotRequired[Literal["any_touch", "last_touch"]]
    # Whether a contact can complete it more than once
    is_repeatable: NotRequired[bool]
    product_kind: NotRequired[Literal["deposit", "loan", "credit", "investment", "other"] | None]
    # Whether it can be completed
    is_active: NotRequired[bool]


class ObjectivePatch(TypedDict):
    type: NotRequired[Literal["objective"]]
    name: NotRequired[str]
    # Unique in the team, and fixed: kebab-case
    key: NotRequired[str]
    description: NotRequired[str | None]
    category: NotRequired[Literal["cards", "deposits", "digital_banking", "payments", "lending", "communication", "business", "other"]]
    # Value credited for each completion, in cents of the team’s currency
    value_cents: NotRequired[int]
    attribution_window_days: NotRequired[int]
    attribution_model: NotRequired[Literal["any_touch", "last_touch"]]
    # Whether a contact can complete it more than once
    is_repeatable: NotRequired[bool]
    product_kind: NotRequired[Literal["deposit", "loan", "credit", "investment", "other"] | None]
    # Whether it can be completed
    is_active: NotRequired[bool]


class TeamPatch(TypedDict):
    type: NotRequired[Literal["team"]]
    name: NotRequired[str]
    # Time zone of reports, and of contacts that have none
    timezone: NotRequired[str]
    # Locale of contacts that have none
    locale: NotRequired[str]
    # Currency of amounts; accounts keep the one that they were created with
    currency: NotRequired[str]
    quiet_hours: NotRequired[QuietHours | None]
    frequency_cap: NotRequired[FrequencyCap | None]
    retention: NotRequired[Retention | None]
    tracking: NotRequired[Tracking | None]
    # Numbers that codes and confirmations may be sent to by SMS, by their first digits (E.164); empty: every number
    sms_allowed_prefixes: NotRequired[Sequence[str]]
    # Whether a second client or an operator must release a sending provider before messages leave through it; only an operator ends it
    requires_provider_release: NotRequired[bool]
    # Whether its rates count, without its name, in comparisons between teams
    is_in_benchmarks: NotRequired[bool]


ListUsersSort: TypeAlias = "Literal['email', '-email', 'inserted_at', '-inserted_at', 'updated_at', '-updated_at', 'last_signed_in_at', '-last_signed_in_at'] | Sequence[Literal['email', '-email', 'inserted_at', '-inserted_at', 'updated_at', '-updated_at', 'last_signed_in_at', '-last_signed_in_at']]"


ListUsersRoleOperators = TypedDict(
    "ListUsersRoleOperators",
    {
        "eq": "NotRequired[Literal['admin', 'editor', 'viewer']]",
        "neq": "NotRequired[Literal['admin', 'editor', 'viewer']]",
        "in": "NotRequired[Sequence[Literal['admin', 'editor', 'viewer']]]",
        "nin": "NotRequired[Sequence[Literal['admin', 'editor', 'viewer']]]",
    },
)


ListUsersStatusOperators = TypedDict(
    "ListUsersStatusOperators",
    {
        "eq": "NotRequired[Literal['active', 'invited', 'suspended']]",
        "neq": "NotRequired[Literal['active', 'invited', 'suspended']]",
        "in": "NotRequired[Sequence[Literal['active', 'invited', 'suspended']]]",
        "nin": "NotRequired[Sequence[Literal['active', 'invited', 'suspended']]]",
    },
)


class ListUsersFilter(TypedDict):
    email: NotRequired[str | TextOperators4]
    role: NotRequired[Literal["admin", "editor", "viewer"] | ListUsersRoleOperators]
    status: NotRequired[Literal["active", "invited", "suspended"] | ListUsersStatusOperators]
    inserted_at: NotRequired[str | datetime | TimeOperators]
    updated_at: NotRequired[str | datetime | TimeOperators]
    last_signed_in_at: NotRequired[str | datetime | TimeOperators]


class UserCreate(TypedDict):
    type: NotRequired[Literal["user"]]
    email: str
    name: NotRequired[str | None]
    # Role of the user in the applications of the team. The service grants nothing by it: access to the API is by the scopes of clients. It only sees that the last active admin stays
    role: NotRequired[Literal["admin", "editor", "viewer"]]


class UserPatch(TypedDict):
    type: NotRequired[Literal["user"]]
    email: NotRequired[str]
    name: NotRequired[str | None]
    # Role of the user in the applications of the team. The service grants nothing by it: access to the API is by the scopes of clients. It only sees that the last active admin stays
    role: NotRequired[Literal["admin", "editor", "viewer"]]


class ActivateUserRequest(TypedDict):
    mfa_enabled: NotRequired[bool]


class PortalSessionCreate(TypedDict):
    # Rights of the pages: scopes of the token that makes the session
    scopes: NotRequired[Sequence[str]]
    # The page that the link opens
    page: NotRequired[Literal["requests", "webhooks", "batches", "callbacks", "campaigns", "people", "insights"]]
    # A name for people who read the list of sessions
    label: NotRequired[str]
    # Pages that may show the session in a frame: https origins such as https://www.example.com
    allowed_origins: NotRequired[Sequence[str]]
    # Life of the session in seconds; 1,800 if absent
    expires_in_seconds: NotRequired[int]


ListPortalSessionsSort: TypeAlias = "Literal['inserted_at', '-inserted_at', 'updated_at', '-updated_at', 'expires_at', '-expires_at'] | Sequence[Literal['inserted_at', '-inserted_at', 'updated_at', '-updated_at', 'expires_at', '-expires_at']]"


class ListPortalSessionsFilter(TypedDict):
    inserted_at: NotRequired[str | datetime | TimeOperators]
    updated_at: NotRequired[str | datetime | TimeOperators]
    expires_at: NotRequired[str | datetime | TimeOperators]
    client_id: NotRequired[str | TextOperators3]


class PortalSessionOpen(TypedDict):
    # The part of the link after the #
    secret: str


class ListAuditEventsFilter(TypedDict):
    occurred_at: NotRequired[str | datetime | TimeOperators]
    action: NotRequired[str | TextOperators2]
    resource_type: NotRequired[str | TextOperators2]
    resource_id: NotRequired[str | TextOperators2]
    client_id: NotRequired[str | TextOperators2]
    request_id: NotRequired[str | TextOperators2]
    source_ip: NotRequired[str | TextOperators]


ListSendingDomainsStatusOperators = TypedDict(
    "ListSendingDomainsStatusOperators",
    {
        "eq": "NotRequired[Literal['pending', 'verified', 'failed']]",
        "neq": "NotRequired[Literal['pending', 'verified', 'failed']]",
        "in": "NotRequired[Sequence[Literal['pending', 'verified', 'failed']]]",
        "nin": "NotRequired[Sequence[Literal['pending', 'verified', 'failed']]]",
        "present": "NotRequired[bool]",
        "missing": "NotRequired[bool]",
    },
)


class ListSendingDomainsFilter(TypedDict):
    domain: NotRequired[str | TextOperators4]
    status: NotRequired[Literal["pending", "verified", "failed"] | ListSendingDomainsStatusOperators]
    inserted_at: NotRequired[str | datetime | TimeOperators]
    updated_at: NotRequired[str | datetime | TimeOperators]


class SendingDomainCreate(TypedDict):
    type: NotRequired[Literal["sending_domain"]]
    # Returned in ASCII (punycode) and in lower case. Its subdomains may send as well
    domain: str


ListSendingProvidersKindOperators = TypedDict(
    "ListSendingProvidersKindOperators",
    {
        "eq": "NotRequired[Literal['smtp', 'email_a', 'email_b', 'email_c', 'sms_a', 'sms_b', 'push_a', 'push_b']]",
        "neq": "NotRequired[Literal['smtp', 'email_a', 'email_b', 'email_c', 'sms_a', 'sms_b', 'push_a', 'push_b']]",
        "in": "NotRequired[Sequence[Literal['smtp', 'email_a', 'email_b', 'email_c', 'sms_a', 'sms_b', 'push_a', 'push_b']]]",
        "nin": "NotRequired[Sequence[Literal['smtp', 'email_a', 'email_b', 'email_c', 'sms_a', 'sms_b', 'push_a', 'push_b']]]",
    },
)


class ListSendingProvidersFilter(TypedDict):
    inserted_at: NotRequired[str | datetime | TimeOperators]
    updated_at: NotRequired[str | datetime | TimeOperators]
    name: NotRequired[str | TextOperators4]
    channel: NotRequired[Literal["email", "sms", "push"] | ListTestRecipientsChannelOperators]
    kind: NotRequired[Literal["smtp", "email_a", "email_b", "email_c", "sms_a", "sms_b", "push_a", "push_b"] | ListSendingProvidersKindOperators]
    is_active: NotRequired[bool | BooleanOperators]


class SendingProviderCreate(TypedDict):
    type: NotRequired[Literal["sending_provider"]]
    name: str
    # Fixed once the provider is made
    channel: Literal["email", "sms", "push"]
    # Fixed. E-mail: `smtp`, `email_a`, `email_b`, `email_c`. SMS: `sms_a`, `sms_b`. Push: `push_a`, `push_b`
    kind: Literal["smtp", "email_a", "email_b", "email_c", "sms_a", "sms_b", "push_a", "push_b"]
    priority: NotRequired[int | None]
    is_active: NotRequired[bool | None]
    # For smtp, `smtp://host:port` (with STARTTLS) or `smtps://host:port` on port 25, 465, 587 or 2525. For other kinds, the https address without the path of messages
    url: str
    account: NotRequired[str | None]
    family: NotRequired[Literal["email_a", "email_b", "email_c"] | None]
    senders: NotRequired[Sequence[str] | None]
    secret: NotRequired[str | None]


class SendingProviderPatch(TypedDict):
    type: NotRequired[Literal["sending_provider"]]
    name: NotRequired[str]
    # Fixed once the provider is made
    channel: NotRequired[Literal["email", "sms", "push"]]
    # Fixed. E-mail: `smtp`, `email_a`, `email_b`, `email_c`. SMS: `sms_a`, `sms_b`. Push: `push_a`, `push_b`
    kind: NotRequired[Literal["smtp", "email_a", "email_b", "email_c", "sms_a", "sms_b", "push_a", "push_b"]]
    # 1 by default, the first choice. The next provider of the channel is used while those before it accept nothing
    priority: NotRequired[int]
    # Through an inactive provider nothing is sent
    is_active: NotRequired[bool]
    # For smtp, `smtp://host:port` (with STARTTLS) or `smtps://host:port` on port 25, 465, 587 or 2525. For other kinds, the https address without the path of messages
    url: NotRequired[str]
    account: NotRequired[str | None]
    family: NotRequired[Literal["email_a", "email_b", "email_c"] | None]
    # E-mail: one address of a verified sending domain, for messages without `from_email`. SMS: numbers (E.164) and names of at most 11 characters that messages may have as `sender`; the first is for those that have none. Push: empty
    senders: NotRequired[Sequence[str]]
    secret: NotRequired[str | None]


class RotateSendingProviderSecretRequest(TypedDict):
    # Stored encrypted and never returned: password, API key, or for push_a the JSON of the key of a service account
    secret: str
    overlap_seconds: NotRequired[int]
    # Ends a rotation that is under way
    force: NotRequired[bool]


ListCompletionsSort: TypeAlias = "Literal['completed_at', '-completed_at', 'updated_at', '-updated_at'] | Sequence[Literal['completed_at', '-completed_at', 'updated_at', '-updated_at']]"


ListCompletionsInclude: TypeAlias = "Literal['objective', 'contact'] | Sequence[Literal['objective', 'contact']]"


ListCompletionsSourceOperators = TypedDict(
    "ListCompletionsSourceOperators",
    {
        "eq": "NotRequired[Literal['api', 'batch', 'sftp', 'ipaas', 'widget', 'inbound', 'rule']]",
        "neq": "NotRequired[Literal['api', 'batch', 'sftp', 'ipaas', 'widget', 'inbound', 'rule']]",
        "in": "NotRequired[Sequence[Literal['api', 'batch', 'sftp', 'ipaas', 'widget', 'inbound', 'rule']]]",
        "nin": "NotRequired[Sequence[Literal['api', 'batch', 'sftp', 'ipaas', 'widget', 'inbound', 'rule']]]",
    },
)


ListCompletionsAttributionOperators = TypedDict(
    "ListCompletionsAttributionOperators",
    {
        "eq": "NotRequired[Literal['journey', 'organic']]",
        "neq": "NotRequired[Literal['journey', 'organic']]",
        "in": "NotRequired[Sequence[Literal['journey', 'organic']]]",
        "nin": "NotRequired[Sequence[Literal['journey', 'organic']]]",
    },
)


class ListCompletionsFilter(TypedDict):
    completed_at: NotRequired[str | datetime | TimeOperators]
    updated_at: NotRequired[str | datetime | TimeOperators]
    objective_id: NotRequired[str | TextOperators2]
    contact_id: NotRequired[str | TextOperators2]
    template_id: NotRequired[str | TextOperators3]
    source: NotRequired[Literal["api", "batch", "sftp", "ipaas", "widget", "inbound", "rule"] | ListCompletionsSourceOperators]
    attribution: NotRequired[Literal["journey", "organic"] | ListCompletionsAttributionOperators]
    value_cents: NotRequired[int | IntegerOperators2]
    voided_at: NotRequired[str | datetime | TimeOperators]


class ObjectiveCompletionRowRelationships(TypedDict):
    objective: NotRequired[Objective | None]
    contact: NotRequired[Contact | None]


class ObjectiveCompletionRow(ObjectiveCompletion):
    relationships: NotRequired[ObjectiveCompletionRowRelationships]


class ObjectiveCompletionCreate(TypedDict):
    type: NotRequired[Literal["objective_completion"]]
    contact_id: str
    completed_at: NotRequired[str | datetime | None]
    value_cents: NotRequired[int | None]
    account_id: NotRequired[str | None]
    unique_id: NotRequired[str | None]


class VoidObjectiveCompletionRequest(TypedDict):
    # Kept with the completion
    reason: str


ListEngagementEventsInclude: TypeAlias = "Literal['contact', 'message', 'page'] | Sequence[Literal['contact', 'message', 'page']]"


ListEngagementEventsSourceOperators = TypedDict(
    "ListEngagementEventsSourceOperators",
    {
        "eq": "NotRequired[Literal['inbound', 'widget', 'landing_page', 'api', 'batch', 'system']]",
        "neq": "NotRequired[Literal['inbound', 'widget', 'landing_page', 'api', 'batch', 'system']]",
        "in": "NotRequired[Sequence[Literal['inbound', 'widget', 'landing_page', 'api', 'batch', 'system']]]",
        "nin": "NotRequired[Sequence[Literal['inbound', 'widget', 'landing_page', 'api', 'batch', 'system']]]",
    },
)


class ListEngagementEventsFilter(TypedDict):
    occurred_at: NotRequired[str | datetime | TimeOperators]
    kind: NotRequired[Literal["message.queued", "message.sent", "message.delivered", "message.delayed", "message.opened", "message.clicked", "message.bounced", "message.failed", "message.complained", "message.unsubscribed", "device.invalidated", "contact.replied", "page.viewed", "page.cta_clicked", "page.form_submitted", "page.continued", "landing_page.viewed", "landing_page.cta_clicked", "widget.loaded", "widget.started", "widget.submitted", "widget.completed", "widget.failed", "widget.dismissed", "opt_in.granted", "opt_in.revoked", "identity.challenge_presented", "identity.challenge_passed", "identity.challenge_failed", "identity.challenge_locked", "custom", "journey.enrolled", "journey.started", "journey.completed", "journey.exited", "journey.expired", "objective.completed", "objective.voided", "account.opened", "account.closed"] | str | GetJourneyTimelineKindOperators]
    channel: NotRequired[Literal["email", "sms", "push", "web", "widget", "system"] | GetJourneyTimelineChannelOperators]
    contact_id: NotRequired[str | TextOperators3]
    template_id: NotRequired[str | TextOperators3]
    journey_id: NotRequired[str | TextOperators3]
    message_id: NotRequired[str | TextOperators3]
    page_id: NotRequired[str | TextOperators3]
    source: NotRequired[Literal["inbound", "widget", "landing_page", "api", "batch", "system"] | ListEngagementEventsSourceOperators]
    is_machine: NotRequired[bool | BooleanOperators]


class EngagementEventRowRelationships(TypedDict):
    contact: NotRequired[Contact | None]
    message: NotRequired[Message | None]
    page: NotRequired[Page | None]


class EngagementEventRow(EngagementEvent):
    relationships: NotRequired[EngagementEventRowRelationships]


class RecordEngagementEventsRequestEvents(TypedDict):
    type: NotRequired[Literal["engagement_event"]]
    kind: Literal["message.queued", "message.sent", "message.delivered", "message.delayed", "message.opened", "message.clicked", "message.bounced", "message.failed", "message.complained", "message.unsubscribed", "device.invalidated", "contact.replied", "page.viewed", "page.cta_clicked", "page.form_submitted", "page.continued", "landing_page.viewed", "landing_page.cta_clicked", "widget.loaded", "widget.started", "widget.submitted", "widget.completed", "widget.failed", "widget.dismissed", "opt_in.granted", "opt_in.revoked", "identity.challenge_presented", "identity.challenge_passed", "identity.challenge_failed", "identity.challenge_locked", "custom"]
    channel: NotRequired[Literal["email", "sms", "push", "web", "widget", "system"] | None]
    contact_id: NotRequired[str | None]
    journey_id: NotRequired[str | None]
    template_id: NotRequired[str | None]
    message_id: NotRequired[str | None]
    message_delivery_id: NotRequired[str | None]
    page_id: NotRequired[str | None]
    landing_page_id: NotRequired[str | None]
    widget_instance_id: NotRequired[str | None]
    objective_id: NotRequired[str | None]
    account_id: NotRequired[str | None]
    # At most 25 months ago
    occurred_at: NotRequired[str | datetime]
    # Made by a scanner or proxy, not by a person
    is_machine: NotRequired[bool]
    url: NotRequired[str | None]
    user_agent: NotRequired[str | None]
    ip_truncated: NotRequired[str | None]
    properties: NotRequired[Mapping[str, Any] | None]
    value_cents: NotRequired[int | None]
    unique_id: NotRequired[str | None]


class RecordEngagementEventsRequest(TypedDict):
    # At most 500; recorded all or none
    events: Sequence[RecordEngagementEventsRequestEvents]


class ListCustomEventTypesFilter(TypedDict):
    inserted_at: NotRequired[str | datetime | TimeOperators]
    updated_at: NotRequired[str | datetime | TimeOperators]
    name: NotRequired[str | TextOperators4]


class CustomEventTypeCreate(TypedDict):
    type: NotRequired[Literal["custom_event_type"]]
    # Unique in the team, and fixed: "custom." and words of lower-case letters, digits and underscores, joined by dots
    name: str
    description: NotRequired[str | None]
    # JSON Schema of the data of its events, whose type is "object". At most 8 KB of JSON, 5 levels and 50 properties of an object. Keywords: type, title, description, properties, required, additionalProperties (true or false), items, enum, minimum, maximum, exclusiveMinimum, exclusiveMaximum, minLength, maxLength, minItems, maxItems
    schema: NotRequired[Mapping[str, Any]]


class CustomEventTypePatch(TypedDict):
    type: NotRequired[Literal["custom_event_type"]]
    # Unique in the team, and fixed: "custom." and words of lower-case letters, digits and underscores, joined by dots
    name: NotRequired[str]
    description: NotRequired[str | None]
    # JSON Schema of the data of its events, whose type is "object". At most 8 KB of JSON, 5 levels and 50 properties of an object. Keywords: type, title, description, properties, required, additionalProperties (true or false), items, enum, minimum, maximum, exclusiveMinimum, exclusiveMaximum, minLength, maxLength, minItems, maxItems
    schema: NotRequired[Mapping[str, Any]]


class PublishEventsRequestEvents(TypedDict):
    # The partner’s own id of the event; repeats of it in the team are dropped
    unique_id: str
    # Name of a custom event type of the team
    type: str
    # Now if absent; at most 25 months ago
    occurred_at: NotRequired[str | datetime]
    # This or contact_unique_id
    contact_id: NotRequired[str]
    # The partner’s own key of the contact
    contact_unique_id: NotRequired[str]
    # At most 8 KB of JSON, by the schema of the event type; an empty object if absent
    data: NotRequired[Mapping[str, Any]]


class PublishEventsRequest(TypedDict):
    # At most 500; published all or none
    events: Sequence[PublishEventsRequestEvents]


ListSftpCredentialsStatusOperators = TypedDict(
    "ListSftpCredentialsStatusOperators",
    {
        "eq": "NotRequired[Literal['active', 'revoked', 'expired']]",
        "neq": "NotRequired[Literal['active', 'revoked', 'expired']]",
        "in": "NotRequired[Sequence[Literal['active', 'revoked', 'expired']]]",
        "nin": "NotRequired[Sequence[Literal['active', 'revoked', 'expired']]]",
    },
)


ListSftpCredentialsPurposeOperators = TypedDict(
    "ListSftpCredentialsPurposeOperators",
    {
        "eq": "NotRequired[Literal['contacts', 'accounts', 'objective_completions', 'mixed']]",
        "neq": "NotRequired[Literal['contacts', 'accounts', 'objective_completions', 'mixed']]",
        "in": "NotRequired[Sequence[Literal['contacts', 'accounts', 'objective_completions', 'mixed']]]",
        "nin": "NotRequired[Sequence[Literal['contacts', 'accounts', 'objective_completions', 'mixed']]]",
    },
)


class ListSftpCredentialsFilter(TypedDict):
    inserted_at: NotRequired[str | datetime | TimeOperators]
    updated_at: NotRequired[str | datetime | TimeOperators]
    name: NotRequired[str | TextOperators4]
    username: NotRequired[str | TextOperators2]
    status: NotRequired[Literal["active", "revoked", "expired"] | ListSftpCredentialsStatusOperators]
    is_active: NotRequired[bool | BooleanOperators]
    purpose: NotRequired[Literal["contacts", "accounts", "objective_completions", "mixed"] | ListSftpCredentialsPurposeOperators]


class SftpCredentialsCreate(TypedDict):
    type: NotRequired[Literal["sftp_credential"]]
    name: str
    public_key: NotRequired[str | None]
    # Which drop folders it may use; `contacts` by default. A named one needs the scopes of its operations
    purpose: NotRequired[Literal["contacts", "accounts", "objective_completions", "mixed"]]
    # Networks that may connect; none means all
    allowed_cidrs: NotRequired[Sequence[str]]
    expires_at: NotRequired[str | datetime | None]
    generate_key_pair: NotRequired[bool | None]


class SftpCredentialPatch(TypedDict):
    type: NotRequired[Literal["sftp_credential"]]
    name: NotRequired[str]
    # One line in the form of OpenSSH; the comment is dropped
    public_key: NotRequired[str]
    # Which drop folders it may use; `contacts` by default. A named one needs the scopes of its operations
    purpose: NotRequired[Literal["contacts", "accounts", "objective_completions", "mixed"]]
    # Networks that may connect; none means all
    allowed_cidrs: NotRequired[Sequence[str]]
    expires_at: NotRequired[str | datetime | None]


ListSftpUploadsSort: TypeAlias = "Literal['inserted_at', '-inserted_at', 'updated_at', '-updated_at', 'path', '-path'] | Sequence[Literal['inserted_at', '-inserted_at', 'updated_at', '-updated_at', 'path', '-path']]"


ListSftpUploadsStatusOperators = TypedDict(
    "ListSftpUploadsStatusOperators",
    {
        "eq": "NotRequired[Literal['receiving', 'received', 'processing', 'processed', 'failed']]",
        "neq": "NotRequired[Literal['receiving', 'received', 'processing', 'processed', 'failed']]",
        "in": "NotRequired[Sequence[Literal['receiving', 'received', 'processing', 'processed', 'failed']]]",
        "nin": "NotRequired[Sequence[Literal['receiving', 'received', 'processing', 'processed', 'failed']]]",
    },
)


class ListSftpUploadsFilter(TypedDict):
    inserted_at: NotRequired[str | datetime | TimeOperators]
    updated_at: NotRequired[str | datetime | TimeOperators]
    path: NotRequired[str | TextOperators2]
    status: NotRequired[Literal["receiving", "received", "processing", "processed", "failed"] | ListSftpUploadsStatusOperators]
    sftp_credential_id: NotRequired[str | TextOperators2]
    file_source_id: NotRequired[str | TextOperators2]


ListFileSourcesSourceKindOperators = TypedDict(
    "ListFileSourcesSourceKindOperators",
    {
        "eq": "NotRequired[Literal['sftp', 'https']]",
        "neq": "NotRequired[Literal['sftp', 'https']]",
        "in": "NotRequired[Sequence[Literal['sftp', 'https']]]",
        "nin": "NotRequired[Sequence[Literal['sftp', 'https']]]",
    },
)


ListFileSourcesPurposeOperators = TypedDict(
    "ListFileSourcesPurposeOperators",
    {
        "eq": "NotRequired[Literal['contacts', 'accounts', 'objective_completions']]",
        "neq": "NotRequired[Literal['contacts', 'accounts', 'objective_completions']]",
        "in": "NotRequired[Sequence[Literal['contacts', 'accounts', 'objective_completions']]]",
        "nin": "NotRequired[Sequence[Literal['contacts', 'accounts', 'objective_completions']]]",
    },
)


class ListFileSourcesFilter(TypedDict):
    inserted_at: NotRequired[str | datetime | TimeOperators]
    updated_at: NotRequired[str | datetime | TimeOperators]
    name: NotRequired[str | TextOperators4]
    source_kind: NotRequired[Literal["sftp", "https"] | ListFileSourcesSourceKindOperators]
    server_id: NotRequired[str | TextOperators2]
    purpose: NotRequired[Literal["contacts", "accounts", "objective_completions"] | ListFileSourcesPurposeOperators]
    is_active: NotRequired[bool | BooleanOperators]


class FileSourceCreate(TypedDict):
    type: NotRequired[Literal["file_source"]]
    name: str
    # Fixed once the source is made
    source_kind: Literal["sftp", "https"]
    is_active: NotRequired[bool | None]
    # The `server_id` of the callbacks whose files it has
    server_id: str
    server_username: NotRequired[str | None]
    server_path: NotRequired[str | None]
    # The kind of record that the rows of its files become, as in the drop folders of SFTP credentials
    purpose: Literal["contacts", "accounts", "objective_completions"]
    # A public name, or an address; an IPv6 address stands in brackets
    host: str
    port: NotRequired[int | None]
    base_path: NotRequired[str | None]
    username: NotRequired[str | None]
    host_key_fingerprints: NotRequired[Sequence[str] | None]
    password: NotRequired[str | None]
    private_key: NotRequired[str | None]
    generate_key_pair: NotRequired[bool | None]
    bearer_token: NotRequired[str | None]


class FileSourcePatch(TypedDict):
    type: NotRequired[Literal["file_source"]]
    name: NotRequired[str]
    # Fixed once the source is made
    source_kind: NotRequired[Literal["sftp", "https"]]
    # From an inactive source nothing is fetched
    is_active: NotRequired[bool]
    # The `server_id` of the callbacks whose files it has
    server_id: NotRequired[str]
    server_username: NotRequired[str | None]
    # Only files below this folder of the callback’s `path`
    server_path: NotRequired[str]
    # The kind of record that the rows of its files become, as in the drop folders of SFTP credentials
    purpose: NotRequired[Literal["contacts", "accounts", "objective_completions"]]
    # A public name, or an address; an IPv6 address stands in brackets
    host: NotRequired[str]
    # 22, 443 or another from 1024 up; 22 by default for sftp, 443 for https
    port: NotRequired[int]
    # Where `server_path` is on the host: the rest of a path is appended to it
    base_path: NotRequired[str]
    username: NotRequired[str | None]
    # As ssh-keygen -l shows them. A server with none of these keys gets no login; required for sftp, empty for https
    host_key_fingerprints: NotRequired[Sequence[str]]
    password: NotRequired[str | None]
    private_key: NotRequired[str | None]
    generate_key_pair: NotRequired[bool | None]
    bearer_token: NotRequired[str | None]


ListWidgetInstancesWidgetKindOperators = TypedDict(
    "ListWidgetInstancesWidgetKindOperators",
    {
        "eq": "NotRequired[Literal['journey', 'enrollment', 'opt_in', 'card_on_file', 'mobile_app', 'secure_personalization']]",
        "neq": "NotRequired[Literal['journey', 'enrollment', 'opt_in', 'card_on_file', 'mobile_app', 'secure_personalization']]",
        "in": "NotRequired[Sequence[Literal['journey', 'enrollment', 'opt_in', 'card_on_file', 'mobile_app', 'secure_personalization']]]",
        "nin": "NotRequired[Sequence[Literal['journey', 'enrollment', 'opt_in', 'card_on_file', 'mobile_app', 'secure_personalization']]]",
    },
)


class ListWidgetInstancesFilter(TypedDict):
    inserted_at: NotRequired[str | datetime | TimeOperators]
    updated_at: NotRequired[str | datetime | TimeOperators]
    name: NotRequired[str | TextOperators2]
    widget_kind: NotRequired[Literal["journey", "enrollment", "opt_in", "card_on_file", "mobile_app", "secure_personalization"] | ListWidgetInstancesWidgetKindOperators]
    template_id: NotRequired[str | TextOperators3]
    is_active: NotRequired[bool | BooleanOperators]
    is_archived: NotRequired[bool | BooleanOperators]


class CardOnFileInput(TypedDict):
    merchants: Sequence[str]


class OptInInput(TypedDict):
    channels: Sequence[Literal["email", "sms", "push"]]
    double_opt_in: bool


class WidgetInstanceCreate(TypedDict):
    type: NotRequired[Literal["widget_instance"]]
    name: str
    widget_kind: Literal["journey", "enrollment", "opt_in", "card_on_file", "mobile_app", "secure_personalization"]
    template_id: NotRequired[str | None]
    # Pages that may embed the widget: https origins such as https://www.example.com
    allowed_origins: NotRequired[Sequence[str]]
    is_active: NotRequired[bool]
    theme: NotRequired[Mapping[str, str | float | bool] | None]
    locale: NotRequired[str | None]
    session_max_days: NotRequired[int | None]
    card_on_file: NotRequired[CardOnFileInput | None]
    opt_in: NotRequired[OptInInput | None]
    mobile_app: NotRequired[MobileApp | None]


class WidgetInstancePatch(TypedDict):
    type: NotRequired[Literal["widget_instance"]]
    name: NotRequired[str]
    widget_kind: NotRequired[Literal["journey", "enrollment", "opt_in", "card_on_file", "mobile_app", "secure_personalization"]]
    template_id: NotRequired[str | None]
    # Pages that may embed the widget: https origins such as https://www.example.com
    allowed_origins: NotRequired[Sequence[str]]
    is_active: NotRequired[bool]
    theme: NotRequired[Mapping[str, str | float | bool] | None]
    locale: NotRequired[str | None]
    session_max_days: NotRequired[int | None]
    card_on_file: NotRequired[CardOnFileInput | None]
    opt_in: NotRequired[OptInInput | None]
    mobile_app: NotRequired[MobileApp | None]


TextOperators7 = TypedDict(
    "TextOperators7",
    {
        "in": "NotRequired[str]",
    },
)


class GetAdvancedInsightAddedValueByTimeFilter(TypedDict):
    template_id: NotRequired[str | TextOperators7]
    cohort_id: NotRequired[str]


class GetAdvancedInsightMessagesFilter(TypedDict):
    template_id: NotRequired[str | TextOperators7]
    cohort_id: NotRequired[str]
    channel: NotRequired[str]


class GetAdvancedInsightOverallNumberOfCampaignsFilter(TypedDict):
    template_id: NotRequired[str | TextOperators7]


class GetAdvancedInsightTotalValueOfOpenedProductsFilter(TypedDict):
    cohort_id: NotRequired[str]


class WidgetTokenCreate(TypedDict):
    # The recipient; not needed for a widget of kind enrollment
    contact_id: NotRequired[str]
    # Instead of contact_id: the partner’s own key
    contact_unique_id: NotRequired[str]
    # The newest open one of the contact if absent
    journey_id: NotRequired[str]
    # The template, where the widget names none
    template_id: NotRequired[str]
    # The only page that may use it; one of allowed_origins
    origin: NotRequired[str]
    # Both if absent
    scopes: NotRequired[Sequence[Literal["widget:journey:render", "widget:events:write"]]]
    # The contact’s if absent
    locale: NotRequired[str]
    # authenticated: your own login verifies the recipient, who answers no further question. It is written to the audit trail
    assurance: NotRequired[Literal["none", "authenticated"]]


class RevokeWidgetTokensRequest(TypedDict):
    # One token; all of the widget if absent
    access_token: NotRequired[str]


class BootstrapWidgetRequest(TypedDict):
    # The part after # of the link of the recipient; instead of a widget token
    link_token: NotRequired[str]


class RecordRecipientEventsRequestEvents(TypedDict):
    # Repeats of it within journey and kind are dropped
    unique_id: str
    kind: Literal["page.viewed", "page.cta_clicked", "page.form_submitted", "page.continued", "widget.loaded", "widget.started", "widget.submitted", "widget.completed", "widget.failed", "widget.dismissed", "opt_in.granted", "opt_in.revoked"]
    # Now if absent
    occurred_at: NotRequired[str | datetime]
    # A page of the journey
    page_id: NotRequired[str]
    # At most 8 KB of JSON
    properties: NotRequired[Mapping[str, Any]]


class RecordRecipientEventsRequest(TypedDict):
    # At most 50; recorded all or none
    events: Sequence[RecordRecipientEventsRequestEvents]


class SetRecipientConsentRequest(TypedDict):
    status: Literal["subscribed", "unsubscribed"]
    # The wording that was shown; kept as evidence
    disclosure: NotRequired[str]


class IdentityChallengeCreate(TypedDict):
    # postal_code, date_of_birth (2000-01-31), the last four characters of the customer number, or a code of six digits that this request sends: to the number (otp_sms) or the address (otp_email)
    factor: NotRequired[Literal["postal_code", "date_of_birth", "unique_id_last4", "otp_sms", "otp_email"]]


class AnswerIdentityChallengeRequest(TypedDict):
    answer: str


class EnrollRecipientRequest(TypedDict):
    first_name: NotRequired[str]
    last_name: NotRequired[str]
    email: NotRequired[str]
    # As people write it; without a country code, by the rules of the country in the locale of the team
    phone: NotRequired[str]
    postal_code: NotRequired[str]
    # BCP 47; the team’s if absent
    locale: NotRequired[str]


class ExportCreate(TypedDict):
    kind: Literal["contacts", "accounts", "objective_completions", "archived_messages", "contact_reads"]
    # csv if absent; archived_messages are ndjson only
    format: NotRequired[Literal["csv", "ndjson"]]
    # The filters of the list, by the names of its parameters: filter[status][in]
    filters: NotRequired[Mapping[str, str]]


ListExportsKindOperators = TypedDict(
    "ListExportsKindOperators",
    {
        "eq": "NotRequired[Literal['contacts', 'accounts', 'objective_completions', 'archived_messages', 'contact_reads', 'contact']]",
        "neq": "NotRequired[Literal['contacts', 'accounts', 'objective_completions', 'archived_messages', 'contact_reads', 'contact']]",
        "in": "NotRequired[Sequence[Literal['contacts', 'accounts', 'objective_completions', 'archived_messages', 'contact_reads', 'contact']]]",
        "nin": "NotRequired[Sequence[Literal['contacts', 'accounts', 'objective_completions', 'archived_messages', 'contact_reads', 'contact']]]",
    },
)


ListExportsStatusOperators = TypedDict(
    "ListExportsStatusOperators",
    {
        "eq": "NotRequired[Literal['queued', 'running', 'succeeded', 'failed']]",
        "neq": "NotRequired[Literal['queued', 'running', 'succeeded', 'failed']]",
        "in": "NotRequired[Sequence[Literal['queued', 'running', 'succeeded', 'failed']]]",
        "nin": "NotRequired[Sequence[Literal['queued', 'running', 'succeeded', 'failed']]]",
    },
)


class ListExportsFilter(TypedDict):
    inserted_at: NotRequired[str | datetime | TimeOperators]
    updated_at: NotRequired[str | datetime | TimeOperators]
    kind: NotRequired[Literal["contacts", "accounts", "objective_completions", "archived_messages", "contact_reads", "contact"] | ListExportsKindOperators]
    status: NotRequired[Literal["queued", "running", "succeeded", "failed"] | ListExportsStatusOperators]
    contact_id: NotRequired[str | TextOperators]


ListWebhookSubscriptionsSort: TypeAlias = "Literal['inserted_at', '-inserted_at', 'updated_at', '-updated_at', 'last_delivered_at', '-last_delivered_at', 'name', '-name'] | Sequence[Literal['inserted_at', '-inserted_at', 'updated_at', '-updated_at', 'last_delivered_at', '-last_delivered_at', 'name', '-name']]"


class ListWebhookSubscriptionsFilter(TypedDict):
    inserted_at: NotRequired[str | datetime | TimeOperators]
    updated_at: NotRequired[str | datetime | TimeOperators]
    last_delivered_at: NotRequired[str | datetime | TimeOperators]
    name: NotRequired[str | TextOperators4]
    target_url: NotRequired[str | TextOperators4]
    event_types: NotRequired[str | TextOperators5]
    is_active: NotRequired[bool | BooleanOperators2]
    is_disabled_for_failures: NotRequired[bool | BooleanOperators2]


class WebhookSubscriptionCreate(TypedDict):
    type: NotRequired[Literal["webhook_subscription"]]
    name: NotRequired[str | None]
    description: NotRequired[str | None]
    # https URL that receives the events by POST. A change removes the headers of the delivery settings
    target_url: str
    # Exact event types, "prefix.*" or "*"
    event_types: Sequence[str]
    is_active: NotRequired[bool]


class WebhookSubscriptionPatch(TypedDict):
    type: NotRequired[Literal["webhook_subscription"]]
    name: NotRequired[str | None]
    description: NotRequired[str | None]
    # https URL that receives the events by POST. A change removes the headers of the delivery settings
    target_url: NotRequired[str]
    # Exact event types, "prefix.*" or "*"
    event_types: NotRequired[Sequence[str]]
    is_active: NotRequired[bool]
    # Set by the service; PATCH false enables the subscription again
    is_disabled_for_failures: NotRequired[bool]


class RotateWebhookSecretRequest(TypedDict):
    overlap_seconds: NotRequired[int]
    # Ends a rotation that is under way
    force: NotRequired[bool]


class TestWebhookSubscriptionRequest(TypedDict):
    # A name of the catalog; the body is then its example
    event_type: NotRequired[str]


ListWebhookDeliveriesSort: TypeAlias = "Literal['inserted_at', '-inserted_at', 'last_attempt_at', '-last_attempt_at'] | Sequence[Literal['inserted_at', '-inserted_at', 'last_attempt_at', '-last_attempt_at']]"


ListWebhookDeliveriesStatusOperators = TypedDict(
    "ListWebhookDeliveriesStatusOperators",
    {
        "eq": "NotRequired[Literal['pending', 'retrying', 'delivered', 'failed', 'suppressed']]",
        "neq": "NotRequired[Literal['pending', 'retrying', 'delivered', 'failed', 'suppressed']]",
        "in": "NotRequired[Sequence[Literal['pending', 'retrying', 'delivered', 'failed', 'suppressed']]]",
        "nin": "NotRequired[Sequence[Literal['pending', 'retrying', 'delivered', 'failed', 'suppressed']]]",
        "present": "NotRequired[bool]",
        "missing": "NotRequired[bool]",
    },
)


class ListWebhookDeliveriesFilter(TypedDict):
    inserted_at: NotRequired[str | datetime | TimeOperators]
    last_attempt_at: NotRequired[str | datetime | TimeOperators]
    next_attempt_at: NotRequired[str | datetime | TimeOperators]
    status: NotRequired[Literal["pending", "retrying", "delivered", "failed", "suppressed"] | ListWebhookDeliveriesStatusOperators]
    event_type: NotRequired[str | TextOperators4]
    event_id: NotRequired[str | TextOperators3]
    http_status: NotRequired[int | IntegerOperators2]
    error_code: NotRequired[str | TextOperators4]


class GetWebhookDeliveryCountsInsertedAtOperators(TypedDict):
    gte: NotRequired[str | datetime]
    lt: NotRequired[str | datetime]


class GetWebhookDeliveryCountsFilter(TypedDict):
    inserted_at: NotRequired[GetWebhookDeliveryCountsInsertedAtOperators]


ListWebhookAttemptsSort: TypeAlias = "Literal['number', '-number', 'requested_at', '-requested_at'] | Sequence[Literal['number', '-number', 'requested_at', '-requested_at']]"


class ListWebhookAttemptsFilter(TypedDict):
    number: NotRequired[int | IntegerOperators2]
    requested_at: NotRequired[str | datetime | TimeOperators]


class WebhookDeliverySettingsPatch(TypedDict):
    type: NotRequired[Literal["webhook_delivery_settings"]]
    rate_limit_per_second: NotRequired[int | None]
    max_concurrency: NotRequired[int | None]
    # fifo: one at a time, in the order in which events were recorded; what fails holds up the rest
    ordering: NotRequired[Literal["none", "fifo"]]
    timeout_seconds: NotRequired[int | None]
    # Every call carries a second signature, v1a, that the public key verifies
    asymmetric_signing: NotRequired[bool]
    headers: NotRequired[Mapping[str, str] | None]


class ReplayWebhooksRequestFilter(TypedDict):
    # Inclusive, by inserted_at; 30 days before the end if absent
    since: NotRequired[str | datetime]
    # Exclusive; now if absent or later
    until: NotRequired[str | datetime]
    status: NotRequired[Sequence[Literal["pending", "retrying", "delivered", "failed", "suppressed"]]]
    event_type: NotRequired[Sequence[str]]


class ReplayWebhooksRequest(TypedDict):
    delivery_ids: NotRequired[Sequence[str]]
    # Deliveries of a window of 30 days at most
    filter: NotRequired[ReplayWebhooksRequestFilter]
    # Deliveries a second, on average over some seconds
    rate_per_second: NotRequired[int]
    # Only say what would be replayed
    dry_run: NotRequired[bool]


ListWebhookReplaysStatusOperators = TypedDict(
    "ListWebhookReplaysStatusOperators",
    {
        "eq": "NotRequired[Literal['pending', 'running', 'completed', 'canceled', 'failed']]",
        "neq": "NotRequired[Literal['pending', 'running', 'completed', 'canceled', 'failed']]",
        "in": "NotRequired[Sequence[Literal['pending', 'running', 'completed', 'canceled', 'failed']]]",
        "nin": "NotRequired[Sequence[Literal['pending', 'running', 'completed', 'canceled', 'failed']]]",
        "present": "NotRequired[bool]",
        "missing": "NotRequired[bool]",
    },
)


class ListWebhookReplaysFilter(TypedDict):
    inserted_at: NotRequired[str | datetime | TimeOperators]
    status: NotRequired[Literal["pending", "running", "completed", "canceled", "failed"] | ListWebhookReplaysStatusOperators]


ListIncomingWebhookReceiversReceiverKindOperators = TypedDict(
    "ListIncomingWebhookReceiversReceiverKindOperators",
    {
        "eq": "NotRequired[Literal['email_a', 'email_b', 'email_c', 'sms_a', 'sms_b', 'push_a', 'push_b', 'file_transfer_a', 'generic_hmac']]",
        "neq": "NotRequired[Literal['email_a', 'email_b', 'email_c', 'sms_a', 'sms_b', 'push_a', 'push_b', 'file_transfer_a', 'generic_hmac']]",
        "in": "NotRequired[Sequence[Literal['email_a', 'email_b', 'email_c', 'sms_a', 'sms_b', 'push_a', 'push_b', 'file_transfer_a', 'generic_hmac']]]",
        "nin": "NotRequired[Sequence[Literal['email_a', 'email_b', 'email_c', 'sms_a', 'sms_b', 'push_a', 'push_b', 'file_transfer_a', 'generic_hmac']]]",
    },
)


class ListIncomingWebhookReceiversFilter(TypedDict):
    inserted_at: NotRequired[str | datetime | TimeOperators]
    updated_at: NotRequired[str | datetime | TimeOperators]
    name: NotRequired[str | TextOperators4]
    receiver_kind: NotRequired[Literal["email_a", "email_b", "email_c", "sms_a", "sms_b", "push_a", "push_b", "file_transfer_a", "generic_hmac"] | ListIncomingWebhookReceiversReceiverKindOperators]
    is_active: NotRequired[bool | BooleanOperators2]


class IncomingWebhookReceiverCreateVerification(TypedDict):
    # The topics that may send here
    topic_arns: NotRequired[Any]
    # The account whose topics may send here
    topic_account_id: NotRequired[Any]
    # Confirm and pin the first topic of topic_account_id, within 24 hours of creation
    auto_confirm: NotRequired[Any]
    # Accept SignatureVersion 1, which is SHA-1. Set the attribute SignatureVersion of the topic to 2 instead, where that is possible
    allow_signature_version_1: NotRequired[Any]
    max_age_seconds: NotRequired[Any]
    # Ed25519, base64 of 32 bytes, as the provider shows it
    public_key: NotRequired[Any]
    # The secret, where the sender makes it; else ours is used, as it is shown
    signing_key: NotRequired[Any]
    # Answered instead of 401 and 410: the provider then stops sending a call again
    stop_status: NotRequired[Any]
    # The account’s auth token
    auth_token: NotRequired[Any]
    # The account that callbacks must name
    account_id: NotRequired[Any]
    # Replies that revoke the SMS consent, in addition to STOP and the like
    opt_out_words: NotRequired[Any]
    # Replies that give the SMS consent, in addition to START and UNSTOP
    opt_in_words: NotRequired[Any]
    # Signature that the bus sends; oidc if absent
    profile: NotRequired[Any]
    # For the profile vonage_jwt
    signature_secret: NotRequired[Any]
    # Default: the receiver’s URL
    audience: NotRequired[Any]
    # The account whose tokens the bus sends
    service_account_email: NotRequired[Any]
    # The only subscription that may send here
    subscription: NotRequired[Any]
    # Default standard (Standard Webhooks); the settings below change details of the others
    preset: NotRequired[Any]
    # Header of the signature
    signature_header: NotRequired[Any]
    algorithm: NotRequired[Any]
    encoding: NotRequired[Any]
    # Before the signature, such as sha256=
    prefix: NotRequired[Any]
    # Content that is signed
    content: NotRequired[Any]
    # Header of the timestamp, in Unix seconds
    timestamp_header: NotRequired[Any]
    # Header of the id that is signed
    id_header: NotRequired[Any]
    # Where a body of the sender’s own form holds the id of the event: a header, or a JSON Pointer
    event_id_at: NotRequired[Any]
    # Where a body of the sender’s own form holds the type of the event: a header, or a JSON Pointer
    event_type_at: NotRequired[Any]
    type: NotRequired[Literal["receiver_verification"]]
    # Ignored
    team_id: NotRequired[Any]
    # Ignored
    scheme: NotRequired[Any]
    # Ignored
    status: NotRequired[Any]
    # Ignored
    accepted_headers: NotRequired[Any]
    # Ignored
    secrets: NotRequired[Any]
    # Ignored
    pending_confirmation: NotRequired[Any]


class IncomingWebhookReceiverCreate(TypedDict):
    type: NotRequired[Literal["incoming_webhook_receiver"]]
    # Fixed once the receiver is made
    receiver_kind: Literal["email_a", "email_b", "email_c", "sms_a", "sms_b", "push_a", "push_b", "file_transfer_a", "generic_hmac"]
    name: NotRequired[str | None]
    is_active: NotRequired[bool | None]
    dedup_window_seconds: NotRequired[int | None]
    signature_required: NotRequired[bool | None]
    verification: NotRequired[IncomingWebhookReceiverCreateVerification | None]


class IncomingWebhookReceiverPatch(TypedDict):
    type: NotRequired[Literal["incoming_webhook_receiver"]]
    # Fixed once the receiver is made
    receiver_kind: NotRequired[Literal["email_a", "email_b", "email_c", "sms_a", "sms_b", "push_a", "push_b", "file_transfer_a", "generic_hmac"]]
    name: NotRequired[str | None]
    # Calls to an inactive receiver answer 410
    is_active: NotRequired[bool]
    # Counted from the first acceptance of a key; 0 accepts every call
    dedup_window_seconds: NotRequired[int]
    # False accepts unsigned calls, but never a call with a wrong signature
    signature_required: NotRequired[bool]
    verification: NotRequired[IncomingWebhookReceiverCreateVerification | None]


class TestIncomingWebhookReceiverRequest(TypedDict):
    # An event that the kind has a sample of
    event: NotRequired[str]


class RotateReceiverSecretRequest(TypedDict):
    # Ends a rotation that is under way
    force: NotRequired[bool]


class ConfirmReceiverSubscriptionRequest(TypedDict):
    # Which of several; it is pinned
    topic_arn: NotRequired[str]


class EmailABounceRecipients(TypedDict):
    email_address: NotRequired[str]
    status: NotRequired[str]
    action: NotRequired[str]
    diagnostic_code: NotRequired[str]


class EmailABounce(TypedDict):
    # Permanent, Transient or Undetermined
    bounce_type: NotRequired[str]
    bounce_sub_type: NotRequired[str]
    feedback_id: NotRequired[str]
    timestamp: NotRequired[str]
    remote_mta_ip: NotRequired[str]
    reporting_mta: NotRequired[str]
    recipients: NotRequired[Sequence[EmailABounceRecipients]]


class EmailAComplaint(TypedDict):
    feedback_type: NotRequired[str]
    sub_type: NotRequired[str]
    feedback_id: NotRequired[str]
    user_agent: NotRequired[str]
    arrival_date: NotRequired[str]
    timestamp: NotRequired[str]
    recipients: NotRequired[Sequence[EmailABounceRecipients]]


class EmailAOpen(TypedDict):
    ip_address: NotRequired[str]
    user_agent: NotRequired[str]
    timestamp: NotRequired[str]


class EmailAClick(TypedDict):
    ip_address: NotRequired[str]
    user_agent: NotRequired[str]
    timestamp: NotRequired[str]
    link: NotRequired[str]
    link_tags: NotRequired[Any]


class EmailA(TypedDict):
    kind: Literal["email_a"]
    email_a_event_type: Literal["Send", "Delivery", "Bounce", "Complaint", "Open", "Click", "Reject", "RenderingFailure", "DeliveryDelay"]
    email_a_message_id: str
    source: str
    destination: Sequence[str]
    timestamp: str | datetime
    do_message_id: NotRequired[str]
    do_contact_id: NotRequired[str]
    do_journey_id: NotRequired[str]
    raw_topic_message_id: str
    # The untouched envelope: its X.509 signature then proves this body
    raw_topic_envelope: NotRequired[Mapping[str, Any]]
    bounce: NotRequired[EmailABounce]
    complaint: NotRequired[EmailAComplaint]
    open: NotRequired[EmailAOpen]
    click: NotRequired[EmailAClick]
    delivery: NotRequired[Mapping[str, Any]]
    reject: NotRequired[Mapping[str, Any]]
    failure: NotRequired[Mapping[str, Any]]
    delivery_delay: NotRequired[Mapping[str, Any]]


class EmailB(TypedDict):
    kind: Literal["email_b"]
    event: Literal["processed", "deferred", "delivered", "dropped", "bounce", "blocked", "open", "click", "spamreport", "unsubscribe", "group_unsubscribe", "group_resubscribe"]
    recipient: str
    # Unix seconds
    timestamp: int
    # An event without one is known by the digest of its content
    email_b_event_id: NotRequired[str]
    # Links the event to a message that was sent
    message_id: NotRequired[str]
    smtp_id: NotRequired[str]
    bounce_type: NotRequired[Literal["bounce", "blocked", "expired"]]
    bounce_classification: NotRequired[str]
    reason: NotRequired[str]
    # RFC 3463, x.y.z
    status: NotRequired[str]
    response: NotRequired[str]
    attempt: NotRequired[int]
    url: NotRequired[str]
    user_agent: NotRequired[str]
    ip: NotRequired[str]
    unsubscribe_group_id: NotRequired[int]
    is_machine_open: NotRequired[bool]
    categories: NotRequired[Sequence[str]]
    do_message_id: NotRequired[str]
    do_contact_id: NotRequired[str]
    do_journey_id: NotRequired[str]


class EmailCDeliveryStatus(TypedDict):
    code: NotRequired[Any]
    message: NotRequired[str]
    description: NotRequired[str]
    enhanced_code: NotRequired[str]
    mx_host: NotRequired[str]
    attempt_no: NotRequired[Any]
    tls: NotRequired[Any]
    session_seconds: NotRequired[Any]
    certificate_verified: NotRequired[Any]
    bounce_type: NotRequired[str]


class EmailCClientInfo(TypedDict):
    client_name: NotRequired[str]
    client_os: NotRequired[str]
    client_type: NotRequired[str]
    device_type: NotRequired[str]
    user_agent: NotRequired[str]
    bot: NotRequired[str]


class EmailC(TypedDict):
    kind: Literal["email_c"]
    event: Literal["delivered", "opened", "clicked", "failed", "unsubscribed", "complained", "accepted", "rejected"]
    recipient: str
    # Unix seconds
    timestamp: int
    email_c_event_id: str
    message_id: str
    do_message_id: NotRequired[str]
    do_contact_id: NotRequired[str]
    do_journey_id: NotRequired[str]
    severity: NotRequired[Literal["permanent", "temporary"]]
    reason: NotRequired[str]
    delivery_status: NotRequired[EmailCDeliveryStatus]
    url: NotRequired[str]
    client_info: NotRequired[EmailCClientInfo]
    ip: NotRequired[str]


SmsA = TypedDict(
    "SmsA",
    {
        "kind": "Literal['sms_a']",
        "event": "Literal['accepted', 'scheduled', 'queued', 'sending', 'sent', 'delivered', 'undelivered', 'failed', 'canceled', 'read', 'received']",
        "sms_a_message_id": "str",
        "sms_a_account_id": "NotRequired[str]",
        "messaging_service_id": "NotRequired[str]",
        "to": "str",
        "from": "NotRequired[str]",
        "error_code": "NotRequired[str | None]",
        "error_message": "NotRequired[str | None]",
        "carrier_done_at": "NotRequired[str | datetime]",
        "timestamp": "NotRequired[str | datetime]",
        "text": "NotRequired[str]",
        "segments": "NotRequired[int]",
        "opt_out": "NotRequired[bool]",
        "opt_in": "NotRequired[bool]",
        "do_message_id": "NotRequired[str]",
        "do_contact_id": "NotRequired[str]",
        "do_journey_id": "NotRequired[str]",
    },
)


SmsB = TypedDict(
    "SmsB",
    {
        "kind": "Literal['sms_b']",
        "event_type": "Literal['message_sent', 'message_finalized', 'message_received']",
        "status": "Literal['queued', 'sending', 'sent', 'delivered', 'sending_failed', 'delivery_failed', 'delivery_unconfirmed', 'expired', 'received']",
        "sms_b_event_id": "str",
        "sms_b_message_id": "str",
        "occurred_at": "str | datetime",
        "to": "str",
        "from": "NotRequired[str]",
        "text": "NotRequired[str]",
        "parts": "NotRequired[int]",
        "carrier": "NotRequired[str]",
        "error_code": "NotRequired[str]",
        "error_detail": "NotRequired[str]",
        "attempt": "NotRequired[int]",
        "opt_out": "NotRequired[bool]",
        "opt_in": "NotRequired[bool]",
        "do_message_id": "NotRequired[str]",
        "do_contact_id": "NotRequired[str]",
        "do_journey_id": "NotRequired[str]",
    },
)


class PushA(TypedDict):
    kind: Literal["push_a"]
    event: Literal["accepted", "sent", "delivered", "received", "opened", "dismissed", "failed", "token_invalid"]
    push_a_message_id: str
    timestamp: str | datetime
    raw_bus_message_id: str
    bus_subscription: NotRequired[str]
    bus_publish_time: NotRequired[str | datetime]
    delivery_attempt: NotRequired[int]
    # SHA-256 of the token, hex
    device_token_hash: NotRequired[str]
    platform: NotRequired[Literal["ios", "android", "web", "other"]]
    app_id: NotRequired[str]
    error_code: NotRequired[str]
    error_message: NotRequired[str]
    do_message_id: NotRequired[str]
    do_contact_id: NotRequired[str]
    do_journey_id: NotRequired[str]


class PushB(TypedDict):
    kind: Literal["push_b"]
    event: Literal["sent", "received", "clicked", "failed", "unsubscribed", "token_invalid"]
    push_b_event_id: str
    push_b_message_id: str
    # Unix seconds
    timestamp: int
    app_id: NotRequired[str]
    subscription_id: NotRequired[str]
    # Our contact’s unique_id, where there is no do_contact_id
    external_id: NotRequired[str]
    platform: NotRequired[str]
    failure_reason: NotRequired[str]
    url: NotRequired[str]
    do_message_id: NotRequired[str]
    do_contact_id: NotRequired[str]
    do_journey_id: NotRequired[str]


class FileTransferA(TypedDict):
    kind: Literal["file_transfer_a"]
    event_type: Literal["file_uploaded", "file_upload_failed"]
    server_id: str
    username: str
    path: str
    size_bytes: NotRequired[int]
    sha256: NotRequired[str]
    upload_started_at: str | datetime
    upload_completed_at: str | datetime
    raw_topic_message_id: str
    # The untouched envelope: its X.509 signature then proves this body
    raw_topic_envelope: NotRequired[Mapping[str, Any]]
    client_ip: NotRequired[str]
    failure_code: NotRequired[str]
    failure_message: NotRequired[str]
    do_message_id: NotRequired[str]
    do_contact_id: NotRequired[str]
    do_journey_id: NotRequired[str]


class GenericHmac(TypedDict):
    kind: Literal["generic_hmac"]
    vendor: NotRequired[str]
    event_type: str
    event_id: str
    occurred_at: str | datetime
    channel: NotRequired[Literal["email", "sms", "push", "file", "web", "other"]]
    status: NotRequired[Literal["queued", "sent", "delivered", "opened", "clicked", "bounced", "failed", "complained", "unsubscribed", "received", "other"]]
    recipient: NotRequired[str]
    contact_unique_id: NotRequired[str]
    # Key of an objective that the contact completed
    objective_key: NotRequired[str]
    # Value of the completion; another one is left out
    value_cents: NotRequired[int]
    data: NotRequired[Mapping[str, Any]]
    do_message_id: NotRequired[str]
    do_contact_id: NotRequired[str]
    do_journey_id: NotRequired[str]


ListInboundDeliveriesSort: TypeAlias = "Literal['received_at', '-received_at', 'processed_at', '-processed_at'] | Sequence[Literal['received_at', '-received_at', 'processed_at', '-processed_at']]"


ListInboundDeliveriesStatusOperators = TypedDict(
    "ListInboundDeliveriesStatusOperators",
    {
        "eq": "NotRequired[Literal['processed', 'failed', 'ignored', 'pending_confirmation', 'rejected_signature', 'rejected_invalid']]",
        "neq": "NotRequired[Literal['processed', 'failed', 'ignored', 'pending_confirmation', 'rejected_signature', 'rejected_invalid']]",
        "in": "NotRequired[Sequence[Literal['processed', 'failed', 'ignored', 'pending_confirmation', 'rejected_signature', 'rejected_invalid']]]",
        "nin": "NotRequired[Sequence[Literal['processed', 'failed', 'ignored', 'pending_confirmation', 'rejected_signature', 'rejected_invalid']]]",
    },
)


ListInboundDeliveriesSignatureStatusOperators = TypedDict(
    "ListInboundDeliveriesSignatureStatusOperators",
    {
        "eq": "NotRequired[Literal['verified', 'unsigned', 'invalid', 'missing', 'expired']]",
        "neq": "NotRequired[Literal['verified', 'unsigned', 'invalid', 'missing', 'expired']]",
        "in": "NotRequired[Sequence[Literal['verified', 'unsigned', 'invalid', 'missing', 'expired']]]",
        "nin": "NotRequired[Sequence[Literal['verified', 'unsigned', 'invalid', 'missing', 'expired']]]",
    },
)


ListInboundDeliveriesModeOperators = TypedDict(
    "ListInboundDeliveriesModeOperators",
    {
        "eq": "NotRequired[Literal['native', 'normalized', 'normalized_enveloped', 'bearer']]",
        "neq": "NotRequired[Literal['native', 'normalized', 'normalized_enveloped', 'bearer']]",
        "in": "NotRequired[Sequence[Literal['native', 'normalized', 'normalized_enveloped', 'bearer']]]",
        "nin": "NotRequired[Sequence[Literal['native', 'normalized', 'normalized_enveloped', 'bearer']]]",
    },
)


class ListInboundDeliveriesFilter(TypedDict):
    received_at: NotRequired[str | datetime | TimeOperators]
    processed_at: NotRequired[str | datetime | TimeOperators]
    status: NotRequired[Literal["processed", "failed", "ignored", "pending_confirmation", "rejected_signature", "rejected_invalid"] | ListInboundDeliveriesStatusOperators]
    event_type: NotRequired[str | TextOperators3]
    signature_status: NotRequired[Literal["verified", "unsigned", "invalid", "missing", "expired"] | ListInboundDeliveriesSignatureStatusOperators]
    mode: NotRequired[Literal["native", "normalized", "normalized_enveloped", "bearer"] | ListInboundDeliveriesModeOperators]
    provider_event_id: NotRequired[str | TextOperators]
    do_message_id: NotRequired[str | TextOperators]
    do_contact_id: NotRequired[str | TextOperators]
    do_journey_id: NotRequired[str | TextOperators]
    contact_id: NotRequired[str | TextOperators]
    message_id: NotRequired[str | TextOperators]


class InboundDeliveryRowRelationships(TypedDict):
    payload: NotRequired[dict[str, Any] | None]


class InboundDeliveryRow(InboundDelivery):
    relationships: NotRequired[InboundDeliveryRowRelationships]


class GetInboundDeliveryCountsFilter(TypedDict):
    received_at: NotRequired[GetWebhookDeliveryCountsInsertedAtOperators]


class ReplayInboundWebhooksRequestFilter(TypedDict):
    # Inclusive, by received_at; 30 days before the end if absent
    since: NotRequired[str | datetime]
    # Exclusive; now if absent or later
    until: NotRequired[str | datetime]
    status: NotRequired[Sequence[Literal["processed", "failed", "ignored", "pending_confirmation", "rejected_signature", "rejected_invalid"]]]
    event_type: NotRequired[Sequence[str]]


class ReplayInboundWebhooksRequest(TypedDict):
    delivery_ids: NotRequired[Sequence[str]]
    # Deliveries of a window of 30 days at most
    filter: NotRequired[ReplayInboundWebhooksRequestFilter]
    # Deliveries a second, on average over some seconds
    rate_per_second: NotRequired[int]
    # Only say what would be replayed
    dry_run: NotRequired[bool]


ListOperationsSort: TypeAlias = "Literal['kind', '-kind'] | Sequence[Literal['kind', '-kind']]"


ListOperationsCategoryOperators = TypedDict(
    "ListOperationsCategoryOperators",
    {
        "eq": "NotRequired[Literal['accounts', 'cohorts', 'contacts', 'content', 'events', 'insights', 'journeys', 'messages', 'objectives', 'privacy', 'templates', 'webhooks']]",
        "neq": "NotRequired[Literal['accounts', 'cohorts', 'contacts', 'content', 'events', 'insights', 'journeys', 'messages', 'objectives', 'privacy', 'templates', 'webhooks']]",
        "in": "NotRequired[Sequence[Literal['accounts', 'cohorts', 'contacts', 'content', 'events', 'insights', 'journeys', 'messages', 'objectives', 'privacy', 'templates', 'webhooks']]]",
        "nin": "NotRequired[Sequence[Literal['accounts', 'cohorts', 'contacts', 'content', 'events', 'insights', 'journeys', 'messages', 'objectives', 'privacy', 'templates', 'webhooks']]]",
    },
)


ListOperationsExecutionModeOperators = TypedDict(
    "ListOperationsExecutionModeOperators",
    {
        "eq": "NotRequired[Literal['sync', 'async']]",
        "neq": "NotRequired[Literal['sync', 'async']]",
        "in": "NotRequired[Sequence[Literal['sync', 'async']]]",
        "nin": "NotRequired[Sequence[Literal['sync', 'async']]]",
    },
)


class ListOperationsFilter(TypedDict):
    category: NotRequired[Literal["accounts", "cohorts", "contacts", "content", "events", "insights", "journeys", "messages", "objectives", "privacy", "templates", "webhooks"] | ListOperationsCategoryOperators]
    execution_mode: NotRequired[Literal["sync", "async"] | ListOperationsExecutionModeOperators]


ExecuteOperationRequestOptions = TypedDict(
    "ExecuteOperationRequestOptions",
    {
        "dry_run": "NotRequired[bool]",
        "return": "NotRequired[Literal['full', 'ids', 'none']]",
    },
)


class ExecuteOperationRequest(TypedDict):
    # By the input_schema of the operation
    input: NotRequired[Any]
    # Instead of input; at most 10000
    items: NotRequired[Sequence[Any]]
    options: NotRequired[ExecuteOperationRequestOptions]


ListExecutionsStatusOperators = TypedDict(
    "ListExecutionsStatusOperators",
    {
        "eq": "NotRequired[Literal['queued', 'running', 'succeeded', 'succeeded_with_errors', 'failed', 'canceling', 'canceled']]",
        "neq": "NotRequired[Literal['queued', 'running', 'succeeded', 'succeeded_with_errors', 'failed', 'canceling', 'canceled']]",
        "in": "NotRequired[Sequence[Literal['queued', 'running', 'succeeded', 'succeeded_with_errors', 'failed', 'canceling', 'canceled']]]",
        "nin": "NotRequired[Sequence[Literal['queued', 'running', 'succeeded', 'succeeded_with_errors', 'failed', 'canceling', 'canceled']]]",
        "present": "NotRequired[bool]",
        "missing": "NotRequired[bool]",
    },
)


class ListExecutionsFilter(TypedDict):
    inserted_at: NotRequired[str | datetime | TimeOperators]
    updated_at: NotRequired[str | datetime | TimeOperators]
    status: NotRequired[Literal["queued", "running", "succeeded", "succeeded_with_errors", "failed", "canceling", "canceled"] | ListExecutionsStatusOperators]
    operation_kind: NotRequired[str | TextOperators2]


GetExecutionResultSort: TypeAlias = "Literal['index', '-index'] | Sequence[Literal['index', '-index']]"


IntegerOperators3 = TypedDict(
    "IntegerOperators3",
    {
        "eq": "NotRequired[int]",
        "lt": "NotRequired[int]",
        "lte": "NotRequired[int]",
        "gt": "NotRequired[int]",
        "gte": "NotRequired[int]",
        "in": "NotRequired[Sequence[int]]",
    },
)


GetExecutionResultStatusOperators = TypedDict(
    "GetExecutionResultStatusOperators",
    {
        "eq": "NotRequired[Literal['created', 'updated', 'unchanged', 'skipped', 'failed']]",
        "in": "NotRequired[Sequence[Literal['created', 'updated', 'unchanged', 'skipped', 'failed']]]",
    },
)


class GetExecutionResultFilter(TypedDict):
    index: NotRequired[int | IntegerOperators3]
    status: NotRequired[Literal["created", "updated", "unchanged", "skipped", "failed"] | GetExecutionResultStatusOperators]


class OperationResult(TypedDict):
    # Its place among the items, counted from 0
    index: int
    status: Literal["created", "updated", "unchanged", "skipped", "failed"]
    resource_type: NotRequired[str]
    resource_id: NotRequired[str]
    # Pointers begin at the item
    errors: list[OperationExecutionError]
    # By the output_schema of the operation
    output: NotRequired[Any]


class BatchOperationCreateConsentColumnsValue(TypedDict):
    channel: Literal["email", "sms", "push"]
    # Where the consents were given, which is stored with each
    source: str
    # Evidence, such as the wording shown or a reference to it, which is stored with each
    evidence: NotRequired[str]


class BatchOperationCreateOptions(TypedDict):
    # The operation’s own if absent; transactional takes 1,000 items
    failure_mode: NotRequired[Literal["partial_ok", "transactional"]]
    # Try every item and keep nothing; false if absent
    dry_run: NotRequired[bool]
    # Send batch_operation.started, and the event of the state it ends in; false if absent
    notify_webhook: NotRequired[bool]


class BatchOperationCreate(TypedDict):
    # As GET /v2/ipaas/operations lists them
    operation_kind: str
    # At most 10000; more come as an upload
    items: NotRequired[Sequence[Any]]
    # Instead of items: of a file that was sent to /v2/batch/uploads
    upload_id: NotRequired[str]
    # Names of fields by names of columns, for a CSV file whose columns have others; null leaves a column out
    mapping: NotRequired[Mapping[str, str | None]]
    # For a CSV file of contacts: by the names of columns of yes and no, the consents that they are. Yes is subscribed, no is unsubscribed, and an empty cell changes nothing
    consent_columns: NotRequired[Mapping[str, BatchOperationCreateConsentColumnsValue]]
    options: NotRequired[BatchOperationCreateOptions]


ListBatchOperationsStatusOperators = TypedDict(
    "ListBatchOperationsStatusOperators",
    {
        "eq": "NotRequired[Literal['queued', 'validating', 'running', 'succeeded', 'succeeded_with_errors', 'failed', 'canceling', 'canceled']]",
        "neq": "NotRequired[Literal['queued', 'validating', 'running', 'succeeded', 'succeeded_with_errors', 'failed', 'canceling', 'canceled']]",
        "in": "NotRequired[Sequence[Literal['queued', 'validating', 'running', 'succeeded', 'succeeded_with_errors', 'failed', 'canceling', 'canceled']]]",
        "nin": "NotRequired[Sequence[Literal['queued', 'validating', 'running', 'succeeded', 'succeeded_with_errors', 'failed', 'canceling', 'canceled']]]",
        "present": "NotRequired[bool]",
        "missing": "NotRequired[bool]",
    },
)


class ListBatchOperationsFilter(TypedDict):
    inserted_at: NotRequired[str | datetime | TimeOperators]
    updated_at: NotRequired[str | datetime | TimeOperators]
    status: NotRequired[Literal["queued", "validating", "running", "succeeded", "succeeded_with_errors", "failed", "canceling", "canceled"] | ListBatchOperationsStatusOperators]
    operation_kind: NotRequired[str | TextOperators2]


ErrorCodeName: TypeAlias = "Literal['invalid_json', 'invalid_request', 'invalid_sort_field', 'invalid_filter_field', 'invalid_filter_op', 'invalid_filter_value', 'invalid_page_size', 'invalid_page_params', 'invalid_include', 'invalid_meta', 'invalid_query_parameter', 'invalid_period', 'invalid_timezone', 'idempotency_key_required', 'idempotency_key_invalid', 'unsupported_grant_type', 'invalid_scope', 'scope_missing', 'token_missing', 'token_invalid', 'token_expired', 'token_kind_not_allowed', 'token_in_query_rejected', 'address_not_allowed', 'session_expired', 'csrf_invalid', 'invalid_client', 'signature_missing', 'signature_invalid', 'signature_expired', 'not_found', 'route_not_found', 'operation_unknown', 'method_not_allowed', 'not_acceptable', 'callback_refused', 'request_timeout', 'request_head_too_large', 'invalid_state_transition', 'template_locked', 'template_has_history', 'already_enrolled', 'enrollment_refused', 'deadline_passed', 'unique_id_taken', 'email_taken', 'slug_taken', 'content_block_in_use', 'public_key_taken', 'file_source_taken', 'topic_in_use', 'key_taken', 'cohort_in_use', 'cohort_is_dynamic', 'domain_taken', 'name_taken', 'last_admin', 'invite_expired', 'subscription_disabled', 'subscription_inactive', 'rotation_in_progress', 'idempotency_in_progress', 'replay_in_progress', 'delivery_not_replayable', 'execution_not_finished', 'execution_finished', 'legal_hold', 'widget_inactive', 'journey_not_open', 'conflict', 'cursor_invalid', 'version_retired', 'receiver_disabled', 'result_expired', 'contact_merged', 'resource_erased', 'payload_expired', 'team_suspended', 'precondition_failed', 'payload_too_large', 'unsupported_media_type', 'identity_locked', 'misdirected_request', 'validation_failed', 'immutable_field', 'template_incomplete', 'landing_page_incomplete', 'invalid_event_type', 'replay_window_too_large', 'target_not_allowed', 'sender_not_verified', 'origin_not_allowed', 'idempotency_key_reused', 'too_many_items', 'operation_failed', 'upload_unreadable', 'record_unreadable', 'quota_exceeded', 'rate_limited', 'too_many_operations', 'internal_error', 'item_failed', 'unavailable']"


class ErrorItem(TypedDict):
    code: ErrorCodeName
    # Constant text of the code
    title: str
    # Names the part at fault, the rule and the fix
    detail: str
    meta: dict[str, Any]


class EventEnvelope(TypedDict):
    # Also the webhook-id header; the same for retries, replays and all subscriptions
    id: str
    # When the event was recorded
    timestamp: str
    team_id: str
    api_version: Literal["v2"]
    # Rises with every event of one resource; a smaller one is stale
    sequence: int


class ContactCreatedEvent(EventEnvelope):
    type: Literal["contact.created"]
    data: Contact


class ContactUpdatedEvent(EventEnvelope):
    type: Literal["contact.updated"]
    data: Contact
    previous: dict[str, Any]


class ContactDeletedEvent(EventEnvelope):
    type: Literal["contact.deleted"]
    data: Contact


class ContactMergedEvent(EventEnvelope):
    type: Literal["contact.merged"]
    data: Contact


class ErasedContact(TypedDict):
    id: str
    type: Literal["contact"]
    team_id: str
    erased_at: str


class ContactErasedEvent(EventEnvelope):
    type: Literal["contact.erased"]
    data: ErasedContact


class ContactErasureCompletedEvent(EventEnvelope):
    type: Literal["contact_erasure.completed"]
    data: ContactErasure


class ContactConsentChangedEvent(EventEnvelope):
    type: Literal["contact.consent_changed"]
    data: Contact
    previous: dict[str, Any]


class ContactTopicConsentsChangedChanges(TypedDict):
    topic_id: str
    channel: Literal["email", "sms", "push"]
    consent: ContactTopicConsentChangeConsent
    previous: NotRequired[ContactTopicConsentChangeConsent]


class ContactTopicConsentsChanged(TypedDict):
    # The contact
    id: str
    type: Literal["contact_topic_consents"]
    team_id: str
    contact_id: str
    changes: list[ContactTopicConsentsChangedChanges]


class ContactTopicConsentChangedEvent(EventEnvelope):
    type: Literal["contact.topic_consent_changed"]
    data: ContactTopicConsentsChanged


class ContactSuppressedEvent(EventEnvelope):
    type: Literal["contact.suppressed"]
    data: Contact
    previous: dict[str, Any]


class AccountCreatedEvent(EventEnvelope):
    type: Literal["account.created"]
    data: Account


class AccountUpdatedEvent(EventEnvelope):
    type: Literal["account.updated"]
    data: Account
    previous: dict[str, Any]


class AccountOpenedEvent(EventEnvelope):
    type: Literal["account.opened"]
    data: Account
    previous: dict[str, Any]


class AccountClosedEvent(EventEnvelope):
    type: Literal["account.closed"]
    data: Account
    previous: dict[str, Any]


class LegalHoldPlacedEvent(EventEnvelope):
    type: Literal["legal_hold.placed"]
    data: LegalHold


class LegalHoldReleasedEvent(EventEnvelope):
    type: Literal["legal_hold.released"]
    data: LegalHold


class ObjectiveCompletedEvent(EventEnvelope):
    type: Literal["objective.completed"]
    data: ObjectiveCompletion


class ObjectiveVoidedEvent(EventEnvelope):
    type: Literal["objective.voided"]
    data: ObjectiveCompletion
    previous: dict[str, Any]


class TemplateCreatedEvent(EventEnvelope):
    type: Literal["template.created"]
    data: Template


class TemplateUpdatedEvent(EventEnvelope):
    type: Literal["template.updated"]
    data: Template
    previous: dict[str, Any]


class TemplateScheduledEvent(EventEnvelope):
    type: Literal["template.scheduled"]
    data: Template


class TemplateLaunchedEvent(EventEnvelope):
    type: Literal["template.launched"]
    data: Template


class FailedTemplate(TypedDict):
    id: str
    type: Literal["template"]
    team_id: str
    name: str
    use_case: NotRequired[str]
    description: NotRequired[str]
    status: Literal["draft", "scheduled", "launched", "paused", "archived", "expired"]
    is_archived: bool
    # While true only name, description, deadline_at and send_rate_per_minute change
    is_locked: bool
    # When it launches by itself, within a year; only while scheduled
    scheduled_at: NotRequired[str]
    # First launch
    launched_at: NotRequired[str]
    # Only while paused
    paused_at: NotRequired[str]
    expired_at: NotRequired[str]
    # Only while archived
    archived_at: NotRequired[str]
    locked_at: NotRequired[str]
    # The client that locked it
    locked_by: NotRequired[str]
    # When it expires by itself, once scheduled or launched
    deadline_at: NotRequired[str]
    # Number of the newest version; 0 before the first launch
    template_version: int
    # Share of recipients held back for comparison; fixed by the launch
    holdout_percent: NotRequired[int]
    send_rate_per_minute: NotRequired[int]
    # Whether a journey ends when its objectives are completed
    exit_on_objectives: bool
    # Whether a journey ends when its contact leaves the cohort that brought it
    exit_on_leaving_cohort: bool
    # Route by which recipients enter
    entry: Literal["manual", "on_launch_snapshot", "on_cohort_entry"]
    # Whether they may come in again
    reentry: Literal["never", "after_exit", "after_interval"]
    # ISO 8601 duration of days or weeks, with reentry after_interval
    reentry_interval: NotRequired[str]
    # Needed unless entry is manual
    target_cohort_ids: list[str]
    exclusion_cohort_ids: list[str]
    secure_personalization: TemplateSecurePersonalization
    # Recipients so far
    enrolled_count: int
    # Recipients who are under way
    active_journey_count: int
    objective_ids: list[str]
    # In their order; a PATCH can only reorder them
    page_ids: list[str]
    # In their order; a PATCH can only reorder them
    message_ids: list[str]
    inserted_at: str
    updated_at: str
    missing: list[str]


class TemplateLaunchFailedEvent(EventEnvelope):
    type: Literal["template.launch_failed"]
    data: FailedTemplate


class TemplatePausedEvent(EventEnvelope):
    type: Literal["template.paused"]
    data: Template


class TemplateResumedEvent(EventEnvelope):
    type: Literal["template.resumed"]
    data: Template


class TemplateExpiredEvent(EventEnvelope):
    type: Literal["template.expired"]
    data: Template


class TemplateArchivedEvent(EventEnvelope):
    type: Literal["template.archived"]
    data: Template


class TemplateUnarchivedEvent(EventEnvelope):
    type: Literal["template.unarchived"]
    data: Template


class TemplateLockedEvent(EventEnvelope):
    type: Literal["template.locked"]
    data: Template


class JourneyEnrolledEvent(EventEnvelope):
    type: Literal["journey.enrolled"]
    data: Journey


class JourneyStartedEvent(EventEnvelope):
    type: Literal["journey.started"]
    data: Journey


class JourneyCompletedEvent(EventEnvelope):
    type: Literal["journey.completed"]
    data: Journey


class JourneyExitedEvent(EventEnvelope):
    type: Literal["journey.exited"]
    data: Journey


class JourneyExpiredEvent(EventEnvelope):
    type: Literal["journey.expired"]
    data: Journey


class JourneyCanceledEvent(EventEnvelope):
    type: Literal["journey.canceled"]
    data: Journey


class JourneyFailedEvent(EventEnvelope):
    type: Literal["journey.failed"]
    data: Journey


class UserInvitedEvent(EventEnvelope):
    type: Literal["user.invited"]
    data: User


class UserActivatedEvent(EventEnvelope):
    type: Literal["user.activated"]
    data: User


class UserUpdatedEvent(EventEnvelope):
    type: Literal["user.updated"]
    data: User
    previous: dict[str, Any]


class UserSuspendedEvent(EventEnvelope):
    type: Literal["user.suspended"]
    data: User


class UserDeletedEvent(EventEnvelope):
    type: Literal["user.deleted"]
    data: User


class LandingPageCreatedEvent(EventEnvelope):
    type: Literal["landing_page.created"]
    data: LandingPage


class LandingPageUpdatedEvent(EventEnvelope):
    type: Literal["landing_page.updated"]
    data: LandingPage
    previous: dict[str, Any]


class LandingPagePublishedEvent(EventEnvelope):
    type: Literal["landing_page.published"]
    data: LandingPage


class LandingPageUnpublishedEvent(EventEnvelope):
    type: Literal["landing_page.unpublished"]
    data: LandingPage


class LandingPageArchivedEvent(EventEnvelope):
    type: Literal["landing_page.archived"]
    data: LandingPage


class CohortCreatedEvent(EventEnvelope):
    type: Literal["cohort.created"]
    data: Cohort


class CohortUpdatedEvent(EventEnvelope):
    type: Literal["cohort.updated"]
    data: Cohort
    previous: dict[str, Any]


class CohortArchivedEvent(EventEnvelope):
    type: Literal["cohort.archived"]
    data: Cohort


class CohortEvaluatedEvent(EventEnvelope):
    type: Literal["cohort.evaluated"]
    data: Cohort


class CohortMember(TypedDict):
    # The contact
    id: str
    type: Literal["cohort_member"]
    team_id: str
    cohort_id: str
    contact_id: str
    # When it was found to belong
    joined_at: str


class CohortMemberAddedEvent(EventEnvelope):
    type: Literal["cohort.member_added"]
    data: CohortMember


class CohortMemberRemovedEvent(EventEnvelope):
    type: Literal["cohort.member_removed"]
    data: CohortMember


class SftpCredentialsCreatedEvent(EventEnvelope):
    type: Literal["sftp_credentials.created"]
    data: SftpCredential


class SftpFileUploadedEvent(EventEnvelope):
    type: Literal["sftp.file_uploaded"]
    data: SftpUpload


class SftpFileUploadFailedEvent(EventEnvelope):
    type: Literal["sftp.file_upload_failed"]
    data: SftpUpload


class MessageSentEvent(EventEnvelope):
    type: Literal["message.sent"]
    data: MessageDelivery
    previous: dict[str, Any]


class MessageDelayedEvent(EventEnvelope):
    type: Literal["message.delayed"]
    data: MessageDelivery
    previous: dict[str, Any]


class MessageDeliveredEvent(EventEnvelope):
    type: Literal["message.delivered"]
    data: MessageDelivery
    previous: dict[str, Any]


class MessageBouncedEvent(EventEnvelope):
    type: Literal["message.bounced"]
    data: MessageDelivery
    previous: dict[str, Any]


class MessageFailedEvent(EventEnvelope):
    type: Literal["message.failed"]
    data: MessageDelivery
    previous: dict[str, Any]


class MessageSkippedEvent(EventEnvelope):
    type: Literal["message.skipped"]
    data: MessageDelivery
    previous: dict[str, Any]


class MessageOpenedEvent(EventEnvelope):
    type: Literal["message.opened"]
    data: MessageDelivery
    previous: dict[str, Any]


class MessageClickedEvent(EventEnvelope):
    type: Literal["message.clicked"]
    data: MessageDelivery
    previous: dict[str, Any]


class MessageComplainedEvent(EventEnvelope):
    type: Literal["message.complained"]
    data: MessageDelivery
    previous: dict[str, Any]


class MessageUnsubscribedEvent(EventEnvelope):
    type: Literal["message.unsubscribed"]
    data: MessageDelivery
    previous: dict[str, Any]


class WidgetSubmittedEvent(EventEnvelope):
    type: Literal["widget.submitted"]
    data: EngagementEvent


class CustomEngagementEvent(TypedDict):
    id: str
    type: Literal["engagement_event"]
    team_id: str
    # Name of the custom event type, as the type of the event
    kind: str
    contact_id: NotRequired[str]
    # At most 25 months ago
    occurred_at: str
    received_at: str
    source: Literal["inbound", "widget", "landing_page", "api", "batch", "system"]
    # Made by a scanner or proxy, not by a person
    is_machine: bool
    # The published data, by the schema of the custom event type
    properties: dict[str, Any]
    # The partner’s own id of the event
    unique_id: str


class CustomEvent(EventEnvelope):
    type: str
    data: CustomEngagementEvent


class IncomingWebhookReceiverSignatureFailingEvent(EventEnvelope):
    type: Literal["incoming_webhook_receiver.signature_failing"]
    data: IncomingWebhookReceiver


class IncomingWebhookReceiverDisabledEvent(EventEnvelope):
    type: Literal["incoming_webhook_receiver.disabled"]
    data: IncomingWebhookReceiver


class InboundReplayCompletedEvent(EventEnvelope):
    type: Literal["inbound_replay.completed"]
    data: InboundReplay


class InboundReplayCanceledEvent(EventEnvelope):
    type: Literal["inbound_replay.canceled"]
    data: InboundReplay


class InboundReplayFailedEvent(EventEnvelope):
    type: Literal["inbound_replay.failed"]
    data: InboundReplay


class BatchOperationStartedEvent(EventEnvelope):
    type: Literal["batch_operation.started"]
    data: BatchOperation


class BatchOperationSucceededEvent(EventEnvelope):
    type: Literal["batch_operation.succeeded"]
    data: BatchOperation


class BatchOperationPartiallySucceededEvent(EventEnvelope):
    type: Literal["batch_operation.partially_succeeded"]
    data: BatchOperation


class BatchOperationFailedEvent(EventEnvelope):
    type: Literal["batch_operation.failed"]
    data: BatchOperation


class BatchOperationCanceledEvent(EventEnvelope):
    type: Literal["batch_operation.canceled"]
    data: BatchOperation


class BatchOperationCompletedEvent(EventEnvelope):
    type: Literal["batch_operation.completed"]
    data: BatchOperation


class OperationExecutionStartedEvent(EventEnvelope):
    type: Literal["operation_execution.started"]
    data: OperationExecution


class OperationExecutionSucceededEvent(EventEnvelope):
    type: Literal["operation_execution.succeeded"]
    data: OperationExecution


class OperationExecutionPartiallySucceededEvent(EventEnvelope):
    type: Literal["operation_execution.partially_succeeded"]
    data: OperationExecution


class OperationExecutionFailedEvent(EventEnvelope):
    type: Literal["operation_execution.failed"]
    data: OperationExecution


class OperationExecutionCanceledEvent(EventEnvelope):
    type: Literal["operation_execution.canceled"]
    data: OperationExecution


class OperationExecutionCompletedEvent(EventEnvelope):
    type: Literal["operation_execution.completed"]
    data: OperationExecution


class EndedExport(TypedDict):
    id: str
    type: Literal["export"]
    team_id: str
    kind: Literal["contacts", "accounts", "objective_completions", "archived_messages", "contact_reads", "contact"]
    # json: of one contact only
    format: Literal["csv", "ndjson", "json"]
    status: Literal["queued", "running", "succeeded", "failed"]
    # Whom it is about, with kind contact
    contact_id: NotRequired[str]
    # Rows so far
    row_count: int
    # Size of the file so far
    size_bytes: int
    # SHA-256 of the last line so far, of archived_messages: the end of the chain
    chain_sha256: NotRequired[str]
    error: NotRequired[SftpUploadError]
    requested_by_client_id: str
    started_at: NotRequired[str]
    completed_at: NotRequired[str]
    # The file is kept until then
    expires_at: str
    inserted_at: str
    updated_at: str


class ExportCompletedEvent(EventEnvelope):
    type: Literal["export.completed"]
    data: EndedExport


class ExportFailedEvent(EventEnvelope):
    type: Literal["export.failed"]
    data: EndedExport


class ExportCanceledEvent(EventEnvelope):
    type: Literal["export.canceled"]
    data: EndedExport


class DeprecatedItem(TypedDict):
    # The same for every team and every answer
    id: str
    kind: Literal["endpoint", "event_type"]
    target: DeprecationTarget
    # sunset: `sunset_at` is in the past
    status: Literal["deprecated", "sunset"]
    deprecated_at: str
    # It works until then; at least 12 months after `deprecated_at`
    sunset_at: str
    replacement: DeprecationTarget | None
    # Why, and what to do, in full sentences
    reason: str


class DeprecationNotice(TypedDict):
    # The team
    id: str
    type: Literal["team"]
    team_id: str
    deprecation: DeprecatedItem


class TeamDeprecationNoticeEvent(EventEnvelope):
    type: Literal["team.deprecation_notice"]
    data: DeprecationNotice


class SendingDomainVerifiedEvent(EventEnvelope):
    type: Literal["sending_domain.verified"]
    data: SendingDomain


class SendingDomainFailedEvent(EventEnvelope):
    type: Literal["sending_domain.failed"]
    data: SendingDomain


class SendingProviderCreatedEvent(EventEnvelope):
    type: Literal["sending_provider.created"]
    data: SendingProvider


class SendingProviderUpdatedEvent(EventEnvelope):
    type: Literal["sending_provider.updated"]
    data: SendingProvider


class SendingProviderDeletedEvent(EventEnvelope):
    type: Literal["sending_provider.deleted"]
    data: SendingProvider


class SendingProviderHaltedEvent(EventEnvelope):
    type: Literal["sending_provider.halted"]
    data: SendingProvider


class SendingProviderResumedEvent(EventEnvelope):
    type: Literal["sending_provider.resumed"]
    data: SendingProvider


class WebhookReplayCompletedEvent(EventEnvelope):
    type: Literal["webhook_replay.completed"]
    data: WebhookReplay


class WebhookReplayCanceledEvent(EventEnvelope):
    type: Literal["webhook_replay.canceled"]
    data: WebhookReplay


class WebhookReplayFailedEvent(EventEnvelope):
    type: Literal["webhook_replay.failed"]
    data: WebhookReplay


class WebhookPingEventData(TypedDict):
    # The subscription
    id: str
    type: Literal["webhook_subscription"]


class WebhookPingEvent(EventEnvelope):
    type: Literal["webhook.ping"]
    data: WebhookPingEventData


class WebhookSubscriptionFailingEvent(EventEnvelope):
    type: Literal["webhook_subscription.failing"]
    data: WebhookSubscription


class WebhookSubscriptionDisabledEvent(EventEnvelope):
    type: Literal["webhook_subscription.disabled"]
    data: WebhookSubscription


class WebhookSubscriptionEnabledEvent(EventEnvelope):
    type: Literal["webhook_subscription.enabled"]
    data: WebhookSubscription


class WebhookSubscriptionRecoveredEvent(EventEnvelope):
    type: Literal["webhook_subscription.recovered"]
    data: WebhookSubscription


Event: TypeAlias = "ContactCreatedEvent | ContactUpdatedEvent | ContactDeletedEvent | ContactMergedEvent | ContactErasedEvent | ContactErasureCompletedEvent | ContactConsentChangedEvent | ContactTopicConsentChangedEvent | ContactSuppressedEvent | AccountCreatedEvent | AccountUpdatedEvent | AccountOpenedEvent | AccountClosedEvent | LegalHoldPlacedEvent | LegalHoldReleasedEvent | ObjectiveCompletedEvent | ObjectiveVoidedEvent | TemplateCreatedEvent | TemplateUpdatedEvent | TemplateScheduledEvent | TemplateLaunchedEvent | TemplateLaunchFailedEvent | TemplatePausedEvent | TemplateResumedEvent | TemplateExpiredEvent | TemplateArchivedEvent | TemplateUnarchivedEvent | TemplateLockedEvent | JourneyEnrolledEvent | JourneyStartedEvent | JourneyCompletedEvent | JourneyExitedEvent | JourneyExpiredEvent | JourneyCanceledEvent | JourneyFailedEvent | UserInvitedEvent | UserActivatedEvent | UserUpdatedEvent | UserSuspendedEvent | UserDeletedEvent | LandingPageCreatedEvent | LandingPageUpdatedEvent | LandingPagePublishedEvent | LandingPageUnpublishedEvent | LandingPageArchivedEvent | CohortCreatedEvent | CohortUpdatedEvent | CohortArchivedEvent | CohortEvaluatedEvent | CohortMemberAddedEvent | CohortMemberRemovedEvent | SftpCredentialsCreatedEvent | SftpFileUploadedEvent | SftpFileUploadFailedEvent | MessageSentEvent | MessageDelayedEvent | MessageDeliveredEvent | MessageBouncedEvent | MessageFailedEvent | MessageSkippedEvent | MessageOpenedEvent | MessageClickedEvent | MessageComplainedEvent | MessageUnsubscribedEvent | WidgetSubmittedEvent | IncomingWebhookReceiverSignatureFailingEvent | IncomingWebhookReceiverDisabledEvent | InboundReplayCompletedEvent | InboundReplayCanceledEvent | InboundReplayFailedEvent | BatchOperationStartedEvent | BatchOperationSucceededEvent | BatchOperationPartiallySucceededEvent | BatchOperationFailedEvent | BatchOperationCanceledEvent | BatchOperationCompletedEvent | OperationExecutionStartedEvent | OperationExecutionSucceededEvent | OperationExecutionPartiallySucceededEvent | OperationExecutionFailedEvent | OperationExecutionCanceledEvent | OperationExecutionCompletedEvent | ExportCompletedEvent | ExportFailedEvent | ExportCanceledEvent | TeamDeprecationNoticeEvent | SendingDomainVerifiedEvent | SendingDomainFailedEvent | SendingProviderCreatedEvent | SendingProviderUpdatedEvent | SendingProviderDeletedEvent | SendingProviderHaltedEvent | SendingProviderResumedEvent | WebhookReplayCompletedEvent | WebhookReplayCanceledEvent | WebhookReplayFailedEvent | WebhookPingEvent | WebhookSubscriptionFailingEvent | WebhookSubscriptionDisabledEvent | WebhookSubscriptionEnabledEvent | WebhookSubscriptionRecoveredEvent"


__all__ = [
    "Account",
    "AccountClosedEvent",
    "AccountCreatedEvent",
    "AccountOpenedEvent",
    "AccountPatch",
    "AccountRow",
    "AccountRowRelationships",
    "AccountUpdatedEvent",
    "ActivateUserRequest",
    "AddCohortMembersRequest",
    "AnswerIdentityChallengeRequest",
    "ArchivedContent",
    "ArchivedMessage",
    "ArchivedMessageDetails",
    "AskedInboundReplay",
    "AskedWebhookReplay",
    "AuditEvent",
    "BatchOperation",
    "BatchOperationCanceledEvent",
    "BatchOperationCompletedEvent",
    "BatchOperationCreate",
    "BatchOperationCreateConsentColumnsValue",
    "BatchOperationCreateOptions",
    "BatchOperationErrorSummary",
    "BatchOperationFailedEvent",
    "BatchOperationPartiallySucceededEvent",
    "BatchOperationStartedEvent",
    "BatchOperationSucceededEvent",
    "BatchValidation",
    "BooleanOperators",
    "BooleanOperators2",
    "BootstrapWidgetRequest",
    "Capabilities",
    "CapabilitiesDeprecations",
    "CapabilitiesEndpoints",
    "CapabilitiesRateLimits",
    "CapabilitiesRateLimitsLimits",
    "CardOnFile",
    "CardOnFileInput",
    "CloseAccountRequest",
    "Cohort",
    "CohortArchivedEvent",
    "CohortAsked",
    "CohortCreate",
    "CohortCreatedEvent",
    "CohortEvaluatedEvent",
    "CohortExplanation",
    "CohortExplanationLeaves",
    "CohortMember",
    "CohortMemberAddedEvent",
    "CohortMemberRemovedEvent",
    "CohortMemberRow",
    "CohortMembersChanged",
    "CohortPatch",
    "CohortPreview",
    "CohortUpdatedEvent",
    "ConfirmReceiverSubscriptionRequest",
    "Contact",
    "ContactAccountCreate",
    "ContactConsentChange",
    "ContactConsentChangedEvent",
    "ContactCreate",
    "ContactCreateConsents",
    "ContactCreateConsentsEmail",
    "ContactCreatedEvent",
    "ContactDeletedEvent",
    "ContactDetails",
    "ContactDetailsConsents",
    "ContactDetailsConsentsEmail",
    "ContactDeviceCreate",
    "ContactErasedEvent",
    "ContactErasure",
    "ContactErasureCompletedEvent",
    "ContactMergedEvent",
    "ContactRead",
    "ContactRow",
    "ContactRowRelationships",
    "ContactSuppressedEvent",
    "ContactTopicConsentChange",
    "ContactTopicConsentChangeConsent",
    "ContactTopicConsentChangedEvent",
    "ContactTopicConsents",
    "ContactTopicConsentsChanged",
    "ContactTopicConsentsChangedChanges",
    "ContactTopicConsentsTopics",
    "ContactTopicConsentsTopicsConsents",
    "ContactTopicConsentsTopicsConsentsEmail",
    "ContactUpdatedEvent",
    "ContentBlock",
    "ContentBlockCreate",
    "ContentBlockPatch",
    "ContentBlockUsage",
    "ContentBlockUsageLandingPages",
    "ContentBlockUsagePages",
    "ContentBlockUsedBy",
    "ContentWarning",
    "CreatedIncomingWebhookReceiver",
    "CreatedIncomingWebhookReceiverSecrets",
    "CreatedSftpCredential",
    "CreatedWebhookSubscription",
    "CreatedWebhookSubscriptionDeprecatedEventTypes",
    "CreatedWebhookSubscriptionThinEventTypes",
    "CustomEngagementEvent",
    "CustomEvent",
    "CustomEventType",
    "CustomEventTypeCreate",
    "CustomEventTypePatch",
    "DeprecatedItem",
    "Deprecation",
    "DeprecationNotice",
    "DeprecationTarget",
    "Device",
    "DuplicateContentBlockRequest",
    "DuplicateLandingPageRequest",
    "DuplicateTemplateRequest",
    "EmailA",
    "EmailABounce",
    "EmailABounceRecipients",
    "EmailAClick",
    "EmailAComplaint",
    "EmailAOpen",
    "EmailB",
    "EmailC",
    "EmailCClientInfo",
    "EmailCDeliveryStatus",
    "EndedExport",
    "EngagementEvent",
    "EngagementEventRow",
    "EngagementEventRowRelationships",
    "EnrollInTemplateRequest",
    "EnrollRecipientRequest",
    "EnrollmentExplanation",
    "EnrollmentExplanationMessages",
    "EnrollmentExplanationRules",
    "ErasedContact",
    "ErrorCode",
    "ErrorCodeName",
    "ErrorItem",
    "Event",
    "EventEnvelope",
    "EventType",
    "ExecuteOperationRequest",
    "ExecuteOperationRequestOptions",
    "Export",
    "ExportCanceledEvent",
    "ExportCompletedEvent",
    "ExportCreate",
    "ExportFailedEvent",
    "FailedTemplate",
    "FileSource",
    "FileSourceCreate",
    "FileSourcePatch",
    "FileTransferA",
    "FrequencyCap",
    "GenericHmac",
    "GetAdvancedInsightAddedValueByTimeFilter",
    "GetAdvancedInsightMessagesFilter",
    "GetAdvancedInsightOverallNumberOfCampaignsFilter",
    "GetAdvancedInsightTotalValueOfOpenedProductsFilter",
    "GetAuthorizationServerMetadataResponse",
    "GetExecutionResultFilter",
    "GetExecutionResultSort",
    "GetExecutionResultStatusOperators",
    "GetInboundDeliveryCountsFilter",
    "GetJourneyTimelineChannelOperators",
    "GetJourneyTimelineFilter",
    "GetJourneyTimelineKindOperators",
    "GetJwksResponse",
    "GetWebhookDeliveryCountsFilter",
    "GetWebhookDeliveryCountsInsertedAtOperators",
    "IdentityChallenge",
    "IdentityChallengeCreate",
    "IdentityVerdict",
    "InboundDelivery",
    "InboundDeliveryCounts",
    "InboundDeliveryCountsBySignatureStatus",
    "InboundDeliveryCountsByStatus",
    "InboundDeliveryDetails",
    "InboundDeliveryDetailsRaw",
    "InboundDeliveryLinked",
    "InboundDeliveryRow",
    "InboundDeliveryRowRelationships",
    "InboundReceipt",
    "InboundReplay",
    "InboundReplayCanceledEvent",
    "InboundReplayCompletedEvent",
    "InboundReplayFailedEvent",
    "IncomingWebhookReceiver",
    "IncomingWebhookReceiverCreate",
    "IncomingWebhookReceiverCreateVerification",
    "IncomingWebhookReceiverDisabledEvent",
    "IncomingWebhookReceiverPatch",
    "IncomingWebhookReceiverSignatureFailingEvent",
    "InsightAddedValueByTime",
    "InsightAddedValueByTimeSource",
    "InsightAddedValueByTimeValue",
    "InsightAddedValueByTimeValueSeries",
    "InsightCampaignEngagement",
    "InsightCampaignEngagementValue",
    "InsightCampaignEngagementValueCampaigns",
    "InsightCampaignEngagementValueTotals",
    "InsightCampaignEnrollment",
    "InsightCampaignEnrollmentValue",
    "InsightCampaignEnrollmentValueBySource",
    "InsightCampaignEnrollmentValueCampaigns",
    "InsightCampaignEnrollmentValueSeries",
    "InsightCampaignPerformance",
    "InsightCampaignPerformanceValue",
    "InsightCampaignPerformanceValueCampaigns",
    "InsightCampaignPerformanceValueTotals",
    "InsightCardOnFileWidget",
    "InsightCardOnFileWidgetValue",
    "InsightCardOnFileWidgetValueByMerchant",
    "InsightCardOnFileWidgetValueSeries",
    "InsightDrivers",
    "InsightDriversValue",
    "InsightDriversValueBaseline",
    "InsightDriversValueDrivers",
    "InsightEnrollmentWidget",
    "InsightEnrollmentWidgetValue",
    "InsightEnrollmentWidgetValueByInstance",
    "InsightEnrollmentWidgetValueSeries",
    "InsightGapAnalysis",
    "InsightGapAnalysisValue",
    "InsightGapAnalysisValueObjectives",
    "InsightGapAnalysisValueProducts",
    "InsightGapAnalysisValueTotals",
    "InsightMessages",
    "InsightMessagesSource",
    "InsightMessagesValue",
    "InsightMessagesValueChannels",
    "InsightMessagesValueMessages",
    "InsightMessagesValueMessagesByVariant",
    "InsightMessagesValueSkippedByReason",
    "InsightMessagesValueTopics",
    "InsightMessagesValueTotals",
    "InsightMobileAppWidget",
    "InsightMobileAppWidgetValue",
    "InsightMobileAppWidgetValueByPlatform",
    "InsightMobileAppWidgetValueSeries",
    "InsightObjectiveCompletionBenchmarks",
    "InsightObjectiveCompletionBenchmarksValue",
    "InsightObjectiveCompletionBenchmarksValueObjectives",
    "InsightObjectiveCompletionRate",
    "InsightObjectiveCompletionRateValue",
    "InsightObjectiveCompletionRateValueObjectives",
    "InsightObjectiveCompletionRateValueOverall",
    "InsightObjectiveCompletionRateValueSeries",
    "InsightObjectiveContent",
    "InsightObjectiveContentValue",
    "InsightObjectiveContentValueObjectives",
    "InsightObjectiveContentValueObjectivesContent",
    "InsightObjectiveTotalValue",
    "InsightObjectiveTotalValueValue",
    "InsightObjectiveTotalValueValueObjectives",
    "InsightOptInWidget",
    "InsightOptInWidgetValue",
    "InsightOptInWidgetValueOptIns",
    "InsightOptInWidgetValueSeries",
    "InsightOverallNumberOfCampaigns",
    "InsightOverallNumberOfCampaignsValue",
    "InsightOverallNumberOfCampaignsValueSeries",
    "InsightPages",
    "InsightPagesValue",
    "InsightPagesValuePages",
    "InsightPagesValueTotals",
    "InsightPerformance",
    "InsightPerformanceValue",
    "InsightPerformanceValueChange",
    "InsightPerformanceValueCurrent",
    "InsightTotalValueOfOpenedProducts",
    "InsightTotalValueOfOpenedProductsValue",
    "InsightTotalValueOfOpenedProductsValueSeries",
    "InsightValueOfOpenedProducts",
    "InsightValueOfOpenedProductsValue",
    "InsightValueOfOpenedProductsValueProducts",
    "InsightValueOfOpenedProductsValueTotals",
    "IntegerOperators",
    "IntegerOperators2",
    "IntegerOperators3",
    "Journey",
    "JourneyCanceledEvent",
    "JourneyCompletedEvent",
    "JourneyDetails",
    "JourneyDetailsNextAction",
    "JourneyDetailsObjectives",
    "JourneyDetailsProgress",
    "JourneyEnrolledEvent",
    "JourneyExitedEvent",
    "JourneyExpiredEvent",
    "JourneyFailedEvent",
    "JourneyLink",
    "JourneyRow",
    "JourneyRowRelationships",
    "JourneyStartedEvent",
    "JourneyWatch",
    "LandingPage",
    "LandingPageArchivedEvent",
    "LandingPageCreate",
    "LandingPageCreateSeo",
    "LandingPageCreatedEvent",
    "LandingPagePatch",
    "LandingPagePreview",
    "LandingPagePublishedEvent",
    "LandingPageRow",
    "LandingPageRowRelationships",
    "LandingPageSeo",
    "LandingPageUnpublishedEvent",
    "LandingPageUpdatedEvent",
    "LegalHold",
    "LegalHoldCreate",
    "LegalHoldPlacedEvent",
    "LegalHoldReleasedEvent",
    "ListAccountsFilter",
    "ListAccountsKindOperators",
    "ListAccountsSort",
    "ListAccountsStatusOperators",
    "ListArchivedMessagesChannelOperators",
    "ListArchivedMessagesFilter",
    "ListArchivedMessagesSentAtOperators",
    "ListArchivedMessagesSort",
    "ListAuditEventsFilter",
    "ListBatchOperationsFilter",
    "ListBatchOperationsStatusOperators",
    "ListCohortMembersFilter",
    "ListCohortMembersSort",
    "ListCohortsEvaluationStatusOperators",
    "ListCohortsFilter",
    "ListCohortsKindOperators",
    "ListCohortsSort",
    "ListCompletionsAttributionOperators",
    "ListCompletionsFilter",
    "ListCompletionsInclude",
    "ListCompletionsSort",
    "ListCompletionsSourceOperators",
    "ListContactConsentChangesChannelOperators",
    "ListContactConsentChangesFilter",
    "ListContactConsentChangesSort",
    "ListContactDevicesFilter",
    "ListContactDevicesPlatformOperators",
    "ListContactDevicesSort",
    "ListContactReadsFilter",
    "ListContactReadsSort",
    "ListContactTopicConsentChangesFilter",
    "ListContactsEmailStatusOperators",
    "ListContactsFilter",
    "ListContactsInclude",
    "ListContactsSort",
    "ListContactsStatusOperators",
    "ListContentBlocksFilter",
    "ListContentBlocksKindOperators",
    "ListContentBlocksSort",
    "ListCustomEventTypesFilter",
    "ListEngagementEventsFilter",
    "ListEngagementEventsInclude",
    "ListEngagementEventsSourceOperators",
    "ListErrorCodesResponse",
    "ListEventTypesResponse",
    "ListExecutionsFilter",
    "ListExecutionsStatusOperators",
    "ListExportsFilter",
    "ListExportsKindOperators",
    "ListExportsStatusOperators",
    "ListFileSourcesFilter",
    "ListFileSourcesPurposeOperators",
    "ListFileSourcesSourceKindOperators",
    "ListInboundDeliveriesFilter",
    "ListInboundDeliveriesModeOperators",
    "ListInboundDeliveriesSignatureStatusOperators",
    "ListInboundDeliveriesSort",
    "ListInboundDeliveriesStatusOperators",
    "ListIncomingWebhookReceiversFilter",
    "ListIncomingWebhookReceiversReceiverKindOperators",
    "ListInsightsResponse",
    "ListInsightsResponseData",
    "ListJourneysEnrolledViaOperators",
    "ListJourneysFilter",
    "ListJourneysInclude",
    "ListJourneysSort",
    "ListJourneysStatusOperators",
    "ListLandingPagesFilter",
    "ListLandingPagesInclude",
    "ListLandingPagesSort",
    "ListLandingPagesStatusOperators",
    "ListLegalHoldsFilter",
    "ListLegalHoldsStatusOperators",
    "ListMessageDeliveriesFilter",
    "ListMessageDeliveriesInclude",
    "ListMessageDeliveriesSkipReasonOperators",
    "ListMessageDeliveriesSort",
    "ListMessageDeliveriesStatusOperators",
    "ListMessagesFilter",
    "ListMessagesInclude",
    "ListMessagesPurposeOperators",
    "ListMessagesStatusOperators",
    "ListObjectivesCategoryOperators",
    "ListObjectivesFilter",
    "ListObjectivesSort",
    "ListOperationsCategoryOperators",
    "ListOperationsExecutionModeOperators",
    "ListOperationsFilter",
    "ListOperationsSort",
    "ListPagesFilter",
    "ListPagesKindOperators",
    "ListPortalSessionsFilter",
    "ListPortalSessionsSort",
    "ListRequestsErrorCodesOperators",
    "ListRequestsFilter",
    "ListRequestsSort",
    "ListSendingDomainsFilter",
    "ListSendingDomainsStatusOperators",
    "ListSendingProvidersFilter",
    "ListSendingProvidersKindOperators",
    "ListSftpCredentialsFilter",
    "ListSftpCredentialsPurposeOperators",
    "ListSftpCredentialsStatusOperators",
    "ListSftpUploadsFilter",
    "ListSftpUploadsSort",
    "ListSftpUploadsStatusOperators",
    "ListSuppressionsChannelOperators",
    "ListSuppressionsFilter",
    "ListSuppressionsReasonOperators",
    "ListSuppressionsSourceOperators",
    "ListTemplateMessagesFilter",
    "ListTemplatePagesFilter",
    "ListTemplateStatusHistoryCauseOperators",
    "ListTemplateStatusHistoryFilter",
    "ListTemplateStatusHistorySort",
    "ListTemplateVersionsFilter",
    "ListTemplateVersionsSort",
    "ListTemplatesFilter",
    "ListTemplatesInclude",
    "ListTemplatesSort",
    "ListTemplatesStatusOperators",
    "ListTestRecipientsChannelOperators",
    "ListTestRecipientsFilter",
    "ListTestRecipientsStatusOperators",
    "ListTopicsDefaultConsentOperators",
    "ListTopicsFilter",
    "ListTopicsSort",
    "ListUsersFilter",
    "ListUsersRoleOperators",
    "ListUsersSort",
    "ListUsersStatusOperators",
    "ListWebhookAttemptsFilter",
    "ListWebhookAttemptsSort",
    "ListWebhookDeliveriesFilter",
    "ListWebhookDeliveriesSort",
    "ListWebhookDeliveriesStatusOperators",
    "ListWebhookEventTypesResponse",
    "ListWebhookEventTypesResponseData",
    "ListWebhookReplaysFilter",
    "ListWebhookReplaysStatusOperators",
    "ListWebhookSubscriptionsFilter",
    "ListWebhookSubscriptionsSort",
    "ListWidgetInstancesFilter",
    "ListWidgetInstancesWidgetKindOperators",
    "LoggedRequest",
    "MergeContactRequest",
    "Message",
    "MessageBouncedEvent",
    "MessageClickedEvent",
    "MessageComplainedEvent",
    "MessageDelayedEvent",
    "MessageDeliveredEvent",
    "MessageDelivery",
    "MessageDeliveryBounce",
    "MessageDeliveryExplanation",
    "MessageDeliveryExplanationTimeline",
    "MessageDeliveryRow",
    "MessageDeliveryRowRelationships",
    "MessageFailedEvent",
    "MessageLocalizationsValue",
    "MessageOpenedEvent",
    "MessagePatch",
    "MessageRow",
    "MessageRow2",
    "MessageRowRelationships",
    "MessageSendReport",
    "MessageSendReportResults",
    "MessageSendReportResultsErrors",
    "MessageSendReportSummary",
    "MessageSentEvent",
    "MessageSkippedEvent",
    "MessageStats",
    "MessageStatsByVariant",
    "MessageTestSends",
    "MessageTestSendsSends",
    "MessageTrigger",
    "MessageUnsubscribedEvent",
    "MessageVariants",
    "MobileApp",
    "NewPortalSession",
    "Objective",
    "ObjectiveCompletedEvent",
    "ObjectiveCompletion",
    "ObjectiveCompletionCreate",
    "ObjectiveCompletionRow",
    "ObjectiveCompletionRowRelationships",
    "ObjectiveCompletionsCounts",
    "ObjectiveCompletionsCountsByObjective",
    "ObjectiveCreate",
    "ObjectivePatch",
    "ObjectiveVoidedEvent",
    "OpenedPortalSession",
    "OperationDescriptor",
    "OperationExecution",
    "OperationExecutionCanceledEvent",
    "OperationExecutionCompletedEvent",
    "OperationExecutionError",
    "OperationExecutionFailedEvent",
    "OperationExecutionPartiallySucceededEvent",
    "OperationExecutionProgress",
    "OperationExecutionStartedEvent",
    "OperationExecutionSucceededEvent",
    "OperationExecutionSummary",
    "OperationItem",
    "OperationReport",
    "OperationReportResults",
    "OperationReportSummary",
    "OperationResult",
    "OptIn",
    "OptInInput",
    "Page",
    "PagePatch",
    "PageRow",
    "PortalSession",
    "PortalSessionCreate",
    "PortalSessionOpen",
    "PreviewCohortRequest",
    "PreviewContentBlockRequest",
    "PublishEventsRequest",
    "PublishEventsRequestEvents",
    "PushA",
    "PushB",
    "QuietHours",
    "ReceiverVerification",
    "ReceiverVerificationPendingConfirmation",
    "ReceiverVerificationSecrets",
    "RecipientConsent",
    "RecipientJourney",
    "RecipientJourneyJourney",
    "RecipientJourneyJourneyObjectives",
    "RecipientJourneyJourneyProgress",
    "RecipientJourneyTeam",
    "RecipientJourneyTemplate",
    "RecipientPage",
    "RecipientPageSummary",
    "RecipientSession",
    "RecipientWidget",
    "RecordEngagementEventsRequest",
    "RecordEngagementEventsRequestEvents",
    "RecordEngagementEventsResponse",
    "RecordEngagementEventsResponseData",
    "RecordRecipientEventsRequest",
    "RecordRecipientEventsRequestEvents",
    "RecordRecipientEventsResponse",
    "RenderContentBlockRequest",
    "RenderMessageRequest",
    "RenderedContent",
    "RenderedMessage",
    "RenderedPage",
    "ReplayInboundWebhooksRequest",
    "ReplayInboundWebhooksRequestFilter",
    "ReplayWebhooksRequest",
    "ReplayWebhooksRequestFilter",
    "Retention",
    "RevokeAccessTokenRequest",
    "RevokeWidgetTokensRequest",
    "RotateReceiverSecretRequest",
    "RotateSendingProviderSecretRequest",
    "RotateWebhookSecretRequest",
    "RotatedReceiverSecrets",
    "RotatedSecret",
    "ScheduleTemplateRequest",
    "SendMessageBatchRequest",
    "SendMessageRequest",
    "SendTestMessageRequest",
    "SendingDomain",
    "SendingDomainCreate",
    "SendingDomainFailedEvent",
    "SendingDomainRecord",
    "SendingDomainVerifiedEvent",
    "SendingProvider",
    "SendingProviderCreate",
    "SendingProviderCreatedEvent",
    "SendingProviderDeletedEvent",
    "SendingProviderHaltedEvent",
    "SendingProviderPatch",
    "SendingProviderResumedEvent",
    "SendingProviderUpdatedEvent",
    "ServerTime",
    "SetContactConsentRequest",
    "SetContactTopicConsentRequest",
    "SetRecipientConsentRequest",
    "SftpCredential",
    "SftpCredentialPatch",
    "SftpCredentialsCreate",
    "SftpCredentialsCreatedEvent",
    "SftpFileUploadFailedEvent",
    "SftpFileUploadedEvent",
    "SftpUpload",
    "SftpUploadError",
    "SmsA",
    "SmsB",
    "Suppression",
    "SuppressionCreate",
    "Team",
    "TeamDeprecationNoticeEvent",
    "TeamPatch",
    "Template",
    "TemplateArchivedEvent",
    "TemplateCompleteness",
    "TemplateCreate",
    "TemplateCreateSecurePersonalization",
    "TemplateCreatedEvent",
    "TemplateExpiredEvent",
    "TemplateInsightOptInWidget",
    "TemplateInsightOptInWidgetValue",
    "TemplateInsightSecurePersonalization",
    "TemplateInsightSecurePersonalizationValue",
    "TemplateInsightSecurePersonalizationValueByFactor",
    "TemplateInsightSecurePersonalizationValueSeries",
    "TemplateLaunchFailedEvent",
    "TemplateLaunchedEvent",
    "TemplateLockedEvent",
    "TemplateMessageCreate",
    "TemplateMessageCreateTrigger",
    "TemplatePageCreate",
    "TemplatePatch",
    "TemplatePausedEvent",
    "TemplateResumedEvent",
    "TemplateRow",
    "TemplateRowRelationships",
    "TemplateScheduledEvent",
    "TemplateSecurePersonalization",
    "TemplateStatusChange",
    "TemplateStatusRollup",
    "TemplateStatusRollupByStatus",
    "TemplateUnarchivedEvent",
    "TemplateUpdatedEvent",
    "TemplateVersion",
    "TemplateVersionContentBlocks",
    "TemplateVersionOmittedSections",
    "TemplateVersionSummary",
    "TestIncomingWebhookReceiverRequest",
    "TestRecipient",
    "TestRecipientCreate",
    "TestWebhookSubscriptionRequest",
    "TextOperators",
    "TextOperators2",
    "TextOperators3",
    "TextOperators4",
    "TextOperators5",
    "TextOperators6",
    "TextOperators7",
    "TimeOperators",
    "TokenRequest",
    "TokenResponse",
    "Topic",
    "TopicCreate",
    "TopicLocalizationsValue",
    "TopicPatch",
    "Tracking",
    "Upload",
    "User",
    "UserActivatedEvent",
    "UserCreate",
    "UserDeletedEvent",
    "UserInvitedEvent",
    "UserPatch",
    "UserSuspendedEvent",
    "UserUpdatedEvent",
    "VoidObjectiveCompletionRequest",
    "WebhookAttempt",
    "WebhookDelivery",
    "WebhookDeliveryCounts",
    "WebhookDeliveryCountsByStatus",
    "WebhookDeliveryDetails",
    "WebhookDeliverySettings",
    "WebhookDeliverySettingsPatch",
    "WebhookPingEvent",
    "WebhookPingEventData",
    "WebhookReplay",
    "WebhookReplayCanceledEvent",
    "WebhookReplayCompletedEvent",
    "WebhookReplayFailedEvent",
    "WebhookSubscription",
    "WebhookSubscriptionCreate",
    "WebhookSubscriptionDisabledEvent",
    "WebhookSubscriptionEnabledEvent",
    "WebhookSubscriptionFailingEvent",
    "WebhookSubscriptionPatch",
    "WebhookSubscriptionRecoveredEvent",
    "WidgetInstance",
    "WidgetInstanceCreate",
    "WidgetInstancePatch",
    "WidgetSubmittedEvent",
    "WidgetToken",
    "WidgetTokenCreate",
]
