"""Written by `npm run generate -- sdk` from the OpenAPI document."""

from __future__ import annotations

from .._errors import OnwardError


class InvalidJson(OnwardError):
    """The body is not valid JSON. Send one JSON document in UTF-8, at most 32 levels deep and without repeated keys."""


class InvalidRequest(OnwardError):
    """The request cannot be understood. Correct what the detail names and send the request again."""


class InvalidSortField(OnwardError):
    """The list cannot be sorted by this field. Sort by the fields in meta.allowed, '-' in front for descending, separated by commas."""


class InvalidFilterField(OnwardError):
    """The list cannot be filtered by this field. Use filter[<field>] with a field of meta.allowed."""


class InvalidFilterOp(OnwardError):
    """The operator does not apply to this field. Use filter[<field>][<op>] with an operator of meta.allowed."""


class InvalidFilterValue(OnwardError):
    """The filter value cannot be read. Send a value of the type that the detail names."""


class InvalidPageSize(OnwardError):
    """The page size is out of range. Send page[size] between 1 and meta.max."""


class InvalidPageParams(OnwardError):
    """The page parameters contradict each other. Send page[after] or page[before], not both, each at most once."""


class InvalidInclude(OnwardError):
    """The relation cannot be included. Use include with the relations in meta.allowed."""


class InvalidMeta(OnwardError):
    """The meta parameter is not understood. The only value is meta=count."""


class InvalidQueryParameter(OnwardError):
    """The query parameter is not understood. Remove the parameter or correct its name; meta.allowed lists what this endpoint takes."""


class InvalidPeriod(OnwardError):
    """The period cannot be read. Send one of the forms in meta.examples; it spans at most 731 days."""


class InvalidTimezone(OnwardError):
    """The time zone does not exist. Send an IANA name such as Europe/Berlin; offsets are no time zones."""


class IdempotencyKeyRequired(OnwardError):
    """An Idempotency-Key is required. Send the header Idempotency-Key with a new UUID, and the same value when you repeat the request."""


class IdempotencyKeyInvalid(OnwardError):
    """The Idempotency-Key is malformed. Send 1 to 255 visible ASCII characters, bare or in double quotes, once."""


class UnsupportedGrantType(OnwardError):
    """The grant type is not supported. Use grant_type=client_credentials."""


class InvalidScope(OnwardError):
    """The scope is malformed. Send scopes of the form <surface>:<resource>:<action>, separated by single spaces."""


class ScopeMissing(OnwardError):
    """A required scope is absent. Request a token with the scope in meta.required_scope; the client must be entitled to it."""


class TokenMissing(OnwardError):
    """An access token is required. Send Authorization: Bearer <ACCESS_TOKEN>; get one at POST /oauth2/token."""


class TokenInvalid(OnwardError):
    """The access token is not valid. Request a new token at POST /oauth2/token."""


class TokenExpired(OnwardError):
    """The access token has expired. Request a new token at POST /oauth2/token; tokens are valid for one hour."""


class TokenKindNotAllowed(OnwardError):
    """This kind of token is not accepted on this surface. Use a token of a kind that is accepted on meta.surface."""


class TokenInQueryRejected(OnwardError):
    """Tokens are not accepted in the query string. Send the token in the Authorization header only, and replace it: query strings end up in logs."""


class AddressNotAllowed(OnwardError):
    """The client may not be used from this address. Call from one of the networks of the client, or let the operator change them."""


class SessionExpired(OnwardError):
    """The recipient’s session has ended. Start a new session at POST /v2/widget/bootstrap with a new widget token or the latest link."""


class CsrfInvalid(OnwardError):
    """The request does not prove which page it comes from. Send session.csrf_token of the bootstrap as X-CSRF-Token, from a page that the widget admits."""


class InvalidClient(OnwardError):
    """Client authentication failed. Check client_id and client_secret; send them in the form body or by HTTP Basic, not both."""


class SignatureMissing(OnwardError):
    """The request is not signed. Let the provider sign, relay with the receiver’s whsec_ secret, or send a token with partner:incoming-webhooks:write."""


class SignatureInvalid(OnwardError):
    """The signature is not valid. Compare the keys and secrets on both sides, and send exactly the bytes that were signed."""


class SignatureExpired(OnwardError):
    """The signature is too old or from the future. Sign each attempt with the current time, and check the clock."""


class NotFound(OnwardError):
    """The resource does not exist. Check the id; resources of other teams do not exist for this token."""


class RouteNotFound(OnwardError):
    """There is no such endpoint. Check method and path against /v2/meta/openapi.json."""


class OperationUnknown(OnwardError):
    """There is no such operation. Use a kind that GET /v2/ipaas/operations lists."""


class MethodNotAllowed(OnwardError):
    """The method is not allowed here. Use a method of the Allow header."""


class NotAcceptable(OnwardError):
    """Only application/json is available. Send Accept: application/json or */*."""


class CallbackRefused(OnwardError):
    """The callback is refused; do not send it again. Read meta.reason; the receiver’s stop_status replaces the status of that code."""


class RequestTimeout(OnwardError):
    """The request was sent too slowly. Send the whole request within 30 seconds; of a file, 16 KB in each 30 seconds."""


class RequestHeadTooLarge(OnwardError):
    """The address and the headers are too large. Send at most 16 KB of address and headers, for example with fewer values in a filter."""


class InvalidStateTransition(OnwardError):
    """The action is not possible in the current state. Use an action of meta.allowed_actions."""


class TemplateLocked(OnwardError):
    """The template is locked. Unlock it first, or change only name, description, deadline_at and send_rate_per_minute."""


class TemplateHasHistory(OnwardError):
    """The template was launched and cannot be deleted. Archive it instead."""


class AlreadyEnrolled(OnwardError):
    """The contact is already enrolled in the template. Use the journey in meta.journey_id, or cancel it first."""


class EnrollmentRefused(OnwardError):
    """A rule of the template excludes the contact. meta.rule names it; GET …/enrollments/{contact_id}/explain shows every rule."""


class DeadlinePassed(OnwardError):
    """The deadline has passed. Set a deadline_at in the future where the state still allows it, or duplicate the template."""


class UniqueIdTaken(OnwardError):
    """The unique_id is in use. Use another unique_id, or update the resource in meta.id."""


class EmailTaken(OnwardError):
    """The e-mail address is in use. Use another address, or update the user in meta.id."""


class SlugTaken(OnwardError):
    """The slug is in use. Use another slug, or archive the page in meta.id."""


class ContentBlockInUse(OnwardError):
    """The content block is in use. Remove it from its uses first; meta.used_by counts them and GET …/usage lists them."""


class PublicKeyTaken(OnwardError):
    """The public key is in use. Use another key, or delete the credentials in meta.id."""


class FileSourceTaken(OnwardError):
    """Another file source already covers these files. Change the source in meta.id, or name another server_id, server_username or server_path."""


class TopicInUse(OnwardError):
    """A message uses the topic. Remove the topic from the message in meta.message_id first, or archive the topic instead."""


class KeyTaken(OnwardError):
    """The key is in use. Use another key."""


class CohortInUse(OnwardError):
    """A template uses the cohort. Remove the cohort from the template in meta.template_id, or expire the template, first."""


class CohortIsDynamic(OnwardError):
    """The members of the cohort follow its definition. Change the definition, or use a static cohort for a list."""


class DomainTaken(OnwardError):
    """The domain is in use. Use another domain. A team keeps its tracking domain until it changes it or the domain is no longer verified."""


class NameTaken(OnwardError):
    """The name is in use. Use another name."""


class LastAdmin(OnwardError):
    """The team would be left without an active admin. Make another active user an admin first."""


class InviteExpired(OnwardError):
    """The invitation has expired. Send it again with resend-invite."""


class SubscriptionDisabled(OnwardError):
    """The subscription is disabled. Fix the receiver, then PATCH is_disabled_for_failures to false."""


class SubscriptionInactive(OnwardError):
    """The subscription is inactive. PATCH is_active to true first."""


class RotationInProgress(OnwardError):
    """A rotation is still in its overlap. Wait until meta.previous_expires_at, or send force: true to end the older secret now."""


class IdempotencyInProgress(OnwardError):
    """A request with this Idempotency-Key is still running. Repeat the same request after the time in Retry-After."""


class ReplayInProgress(OnwardError):
    """Another replay is still running. Wait until the replay in meta.id has finished, or cancel it."""


class DeliveryNotReplayable(OnwardError):
    """The deliveries have nothing to replay. Name accepted deliveries; rejected calls have no stored payload."""


class ExecutionNotFinished(OnwardError):
    """The operation has not finished. Request it again after the time in Retry-After, until its status is final."""


class ExecutionFinished(OnwardError):
    """The operation has finished. There is nothing left to cancel; read its result."""


class LegalHold(OnwardError):
    """A legal hold is active. Release the hold in meta.legal_hold_id before you erase the contact."""


class WidgetInactive(OnwardError):
    """The widget is inactive. Activate or unarchive it."""


class JourneyNotOpen(OnwardError):
    """The contact has no open journey there. Enroll the contact first, or name a journey that has not ended."""


class Conflict(OnwardError):
    """The request conflicts with the current state. Read the resource again and repeat."""


class CursorInvalid(OnwardError):
    """The cursor is no longer valid. Fetch the first page again; keep sort and filters the same while paging."""


class VersionRetired(OnwardError):
    """This version of the interface is retired. Use the endpoints under /v2/."""


class ReceiverDisabled(OnwardError):
    """The receiver is inactive. PATCH is_active of the receiver to true, or remove its address from the provider."""


class ResultExpired(OnwardError):
    """The results are no longer kept. Results are kept for seven days, or the shorter term of the team; run the operation again."""


class ContactMerged(OnwardError):
    """The contact was merged into another one. Use the contact in meta.contact_id; it has the data of both."""


class ResourceErased(OnwardError):
    """The resource was permanently erased. Delete your reference to it; it cannot be restored."""


class PayloadExpired(OnwardError):
    """The payload is no longer kept. Read the resource itself, or have the event sent again."""


class TeamSuspended(OnwardError):
    """The team is suspended. Ask the operator of the service to resume the team."""


class PreconditionFailed(OnwardError):
    """The resource has changed. Read it again and send its ETag in If-Match."""


class PayloadTooLarge(OnwardError):
    """The body is too large. Send at most meta.limit_bytes bytes."""


class UnsupportedMediaType(OnwardError):
    """The media type is not supported. Send the Content-Type that the detail names, without Content-Encoding."""


class IdentityLocked(OnwardError):
    """Too many wrong answers were given. Wait until meta.retry_at; answers are rejected before that."""


class MisdirectedRequest(OnwardError):
    """The host does not serve this request. Send the request to the address of the service. An operator adds further host names with PUBLIC_HOSTS."""


class ValidationFailed(OnwardError):
    """A field is not valid. Correct the field at meta.pointer as the detail says."""


class ImmutableField(OnwardError):
    """The field cannot be changed. Leave the field at meta.pointer as it is, or leave it out."""


class TemplateIncomplete(OnwardError):
    """The template is not complete. Add the parts listed in meta.missing, then repeat the action."""


class LandingPageIncomplete(OnwardError):
    """The landing page is not complete. Add or correct the parts listed in meta.missing, then publish again."""


class InvalidEventType(OnwardError):
    """The event type does not exist. Use a name of GET /v2/partner/webhook-event-types or /v2/partner/custom-event-types; subscriptions also take a 'prefix.*' and '*'."""


class ReplayWindowTooLarge(OnwardError):
    """The window is too large. Replay windows of at most meta.max_days days, one after the other."""


class TargetNotAllowed(OnwardError):
    """The address is not allowed as a target. Use an https URL with a public host name, without user info, on port 443, 8443 or from 1024 up."""


class SenderNotVerified(OnwardError):
    """The sender is not verified for the team. Add the domain of an e-mail address with POST /v2/partner/sending-domains, publish its records, and repeat the request once it is verified. For a text message, name one of the senders of an active SMS provider (GET /v2/partner/sending-providers)."""


class OriginNotAllowed(OnwardError):
    """The widget does not allow this page. Add the origin to allowed_origins of the widget, exactly as browsers send it."""


class IdempotencyKeyReused(OnwardError):
    """The Idempotency-Key was used for another request. Use a new key for a different request."""


class TooManyItems(OnwardError):
    """The request has too many items. Send at most meta.max items per request."""


class OperationFailed(OnwardError):
    """The operation failed and nothing was applied. Correct the items in meta.items, then repeat the request."""


class UploadUnreadable(OnwardError):
    """The file cannot be used for this operation. Correct what the detail names in the file or in mapping, and send the file again."""


class RecordUnreadable(OnwardError):
    """A record of the file cannot be read. Correct the record at the index, and send it again."""


class QuotaExceeded(OnwardError):
    """A quota is exhausted. Remove what is no longer needed, or ask for a higher tier; meta.limit is the bound."""


class RateLimited(OnwardError):
    """Too many requests. Wait for the time in Retry-After."""


class TooManyOperations(OnwardError):
    """Too many operations are waiting. Wait for the time in Retry-After; at most meta.max operations of a team can wait at a time."""


class InternalError(OnwardError):
    """An internal error occurred. Repeat the request with the same Idempotency-Key; if the error persists, report meta.request_id."""


class ItemFailed(OnwardError):
    """An item could not be applied. The other items were applied. Send this item again; if it fails again, report the request id."""


class Unavailable(OnwardError):
    """The service is briefly unavailable. Repeat the request with the same Idempotency-Key after the time in Retry-After."""


classes: dict[str, type[OnwardError]] = {
    "invalid_json": InvalidJson,
    "invalid_request": InvalidRequest,
    "invalid_sort_field": InvalidSortField,
    "invalid_filter_field": InvalidFilterField,
    "invalid_filter_op": InvalidFilterOp,
    "invalid_filter_value": InvalidFilterValue,
    "invalid_page_size": InvalidPageSize,
    "invalid_page_params": InvalidPageParams,
    "invalid_include": InvalidInclude,
    "invalid_meta": InvalidMeta,
    "invalid_query_parameter": InvalidQueryParameter,
    "invalid_period": InvalidPeriod,
    "invalid_timezone": InvalidTimezone,
    "idempotency_key_required": IdempotencyKeyRequired,
    "idempotency_key_invalid": IdempotencyKeyInvalid,
    "unsupported_grant_type": UnsupportedGrantType,
    "invalid_scope": InvalidScope,
    "scope_missing": ScopeMissing,
    "token_missing": TokenMissing,
    "token_invalid": TokenInvalid,
    "token_expired": TokenExpired,
    "token_kind_not_allowed": TokenKindNotAllowed,
    "token_in_query_rejected": TokenInQueryRejected,
    "address_not_allowed": AddressNotAllowed,
    "session_expired": SessionExpired,
    "csrf_invalid": CsrfInvalid,
    "invalid_client": InvalidClient,
    "signature_missing": SignatureMissing,
    "signature_invalid": SignatureInvalid,
    "signature_expired": SignatureExpired,
    "not_found": NotFound,
    "route_not_found": RouteNotFound,
    "operation_unknown": OperationUnknown,
    "method_not_allowed": MethodNotAllowed,
    "not_acceptable": NotAcceptable,
    "callback_refused": CallbackRefused,
    "request_timeout": RequestTimeout,
    "request_head_too_large": RequestHeadTooLarge,
    "invalid_state_transition": InvalidStateTransition,
    "template_locked": TemplateLocked,
    "template_has_history": TemplateHasHistory,
    "already_enrolled": AlreadyEnrolled,
    "enrollment_refused": EnrollmentRefused,
    "deadline_passed": DeadlinePassed,
    "unique_id_taken": UniqueIdTaken,
    "email_taken": EmailTaken,
    "slug_taken": SlugTaken,
    "content_block_in_use": ContentBlockInUse,
    "public_key_taken": PublicKeyTaken,
    "file_source_taken": FileSourceTaken,
    "topic_in_use": TopicInUse,
    "key_taken": KeyTaken,
    "cohort_in_use": CohortInUse,
    "cohort_is_dynamic": CohortIsDynamic,
    "domain_taken": DomainTaken,
    "name_taken": NameTaken,
    "last_admin": LastAdmin,
    "invite_expired": InviteExpired,
    "subscription_disabled": SubscriptionDisabled,
    "subscription_inactive": SubscriptionInactive,
    "rotation_in_progress": RotationInProgress,
    "idempotency_in_progress": IdempotencyInProgress,
    "replay_in_progress": ReplayInProgress,
    "delivery_not_replayable": DeliveryNotReplayable,
    "execution_not_finished": ExecutionNotFinished,
    "execution_finished": ExecutionFinished,
    "legal_hold": LegalHold,
    "widget_inactive": WidgetInactive,
    "journey_not_open": JourneyNotOpen,
    "conflict": Conflict,
    "cursor_invalid": CursorInvalid,
    "version_retired": VersionRetired,
    "receiver_disabled": ReceiverDisabled,
    "result_expired": ResultExpired,
    "contact_merged": ContactMerged,
    "resource_erased": ResourceErased,
    "payload_expired": PayloadExpired,
    "team_suspended": TeamSuspended,
    "precondition_failed": PreconditionFailed,
    "payload_too_large": PayloadTooLarge,
    "unsupported_media_type": UnsupportedMediaType,
    "identity_locked": IdentityLocked,
    "misdirected_request": MisdirectedRequest,
    "validation_failed": ValidationFailed,
    "immutable_field": ImmutableField,
    "template_incomplete": TemplateIncomplete,
    "landing_page_incomplete": LandingPageIncomplete,
    "invalid_event_type": InvalidEventType,
    "replay_window_too_large": ReplayWindowTooLarge,
    "target_not_allowed": TargetNotAllowed,
    "sender_not_verified": SenderNotVerified,
    "origin_not_allowed": OriginNotAllowed,
    "idempotency_key_reused": IdempotencyKeyReused,
    "too_many_items": TooManyItems,
    "operation_failed": OperationFailed,
    "upload_unreadable": UploadUnreadable,
    "record_unreadable": RecordUnreadable,
    "quota_exceeded": QuotaExceeded,
    "rate_limited": RateLimited,
    "too_many_operations": TooManyOperations,
    "internal_error": InternalError,
    "item_failed": ItemFailed,
    "unavailable": Unavailable,
}

__all__ = [
    "AddressNotAllowed",
    "AlreadyEnrolled",
    "CallbackRefused",
    "CohortInUse",
    "CohortIsDynamic",
    "Conflict",
    "ContactMerged",
    "ContentBlockInUse",
    "CsrfInvalid",
    "CursorInvalid",
    "DeadlinePassed",
    "DeliveryNotReplayable",
    "DomainTaken",
    "EmailTaken",
    "EnrollmentRefused",
    "ExecutionFinished",
    "ExecutionNotFinished",
    "FileSourceTaken",
    "IdempotencyInProgress",
    "IdempotencyKeyInvalid",
    "IdempotencyKeyRequired",
    "IdempotencyKeyReused",
    "IdentityLocked",
    "ImmutableField",
    "InternalError",
    "InvalidClient",
    "InvalidEventType",
    "InvalidFilterField",
    "InvalidFilterOp",
    "InvalidFilterValue",
    "InvalidInclude",
    "InvalidJson",
    "InvalidMeta",
    "InvalidPageParams",
    "InvalidPageSize",
    "InvalidPeriod",
    "InvalidQueryParameter",
    "InvalidRequest",
    "InvalidScope",
    "InvalidSortField",
    "InvalidStateTransition",
    "InvalidTimezone",
    "InviteExpired",
    "ItemFailed",
    "JourneyNotOpen",
    "KeyTaken",
    "LandingPageIncomplete",
    "LastAdmin",
    "LegalHold",
    "MethodNotAllowed",
    "MisdirectedRequest",
    "NameTaken",
    "NotAcceptable",
    "NotFound",
    "OperationFailed",
    "OperationUnknown",
    "OriginNotAllowed",
    "PayloadExpired",
    "PayloadTooLarge",
    "PreconditionFailed",
    "PublicKeyTaken",
    "QuotaExceeded",
    "RateLimited",
    "ReceiverDisabled",
    "RecordUnreadable",
    "ReplayInProgress",
    "ReplayWindowTooLarge",
    "RequestHeadTooLarge",
    "RequestTimeout",
    "ResourceErased",
    "ResultExpired",
    "RotationInProgress",
    "RouteNotFound",
    "ScopeMissing",
    "SenderNotVerified",
    "SessionExpired",
    "SignatureExpired",
    "SignatureInvalid",
    "SignatureMissing",
    "SlugTaken",
    "SubscriptionDisabled",
    "SubscriptionInactive",
    "TargetNotAllowed",
    "TeamSuspended",
    "TemplateHasHistory",
    "TemplateIncomplete",
    "TemplateLocked",
    "TokenExpired",
    "TokenInQueryRejected",
    "TokenInvalid",
    "TokenKindNotAllowed",
    "TokenMissing",
    "TooManyItems",
    "TooManyOperations",
    "TopicInUse",
    "Unavailable",
    "UniqueIdTaken",
    "UnsupportedGrantType",
    "UnsupportedMediaType",
    "UploadUnreadable",
    "ValidationFailed",
    "VersionRetired",
    "WidgetInactive",
]
