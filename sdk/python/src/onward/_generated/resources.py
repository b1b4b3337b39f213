"""Written by `npm run generate -- sdk` from the OpenAPI document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from .._core import Options, UploadBody
from .._cursor import AsyncCursor, Cursor
from .._resource import AsyncCaller, AsyncResource, Caller, Resource

if TYPE_CHECKING:
    from datetime import date, datetime

    from typing_extensions import Unpack

    from . import models as m


class PageQuery(TypedDict, total=False):
    """Which page of a list."""

    size: int
    """Items in a page, from 1 to 100."""
    after: str
    """`next_cursor` of a page."""
    before: str
    """`prev_cursor` of a page."""


class Access(Resource):
    def create_token(self, body: m.TokenRequest, **options: Unpack[Options]) -> m.TokenResponse:
        """Exchanges the credentials of a client for an access token that is valid for one hour. Send client_id and client_secret in the form or by HTTP Basic, but not both. The answer names the scopes that were granted: scopes beyond the entitlement of the client are left out without an error. Reuse the token until shortly before it expires, then request another one. (`createToken`)"""
        return self._call("createToken", (), options, body=body)

    def revoke_access_token(
        self,
        body: m.RevokeAccessTokenRequest,
        **options: Unpack[Options],
    ) -> dict[str, Any]:
        """Ends an access token of the client before it expires. An unknown token, and a token of another client, get the same answer with status 200, as RFC 7009 requires. Revoke a token when it may have leaked, then request another one. (`revokeAccessToken`)"""
        return self._call("revokeAccessToken", (), options, body=body)

    def get_jwks(self, **options: Unpack[Options]) -> m.GetJwksResponse:
        """Returns the public keys with which access tokens are signed, as a JSON Web Key Set. Keys are rotated: look a key up by the kid of a token, and fetch the set again when the kid is unknown. The answer may be cached for five seconds. (`getJwks`)"""
        return self._call("getJwks", (), options)

    def get_authorization_server_metadata(
        self,
        **options: Unpack[Options],
    ) -> m.GetAuthorizationServerMetadataResponse:
        """Returns the addresses and abilities of the authorization server, as RFC 8414 describes. OAuth libraries read it to configure themselves. It needs no credentials and changes with a release only. (`getAuthorizationServerMetadata`)"""
        return self._call("getAuthorizationServerMetadata", (), options)


class Meta(Resource):
    def get_capabilities(self, **options: Unpack[Options]) -> m.Capabilities:
        """Returns what the presented token may do: its surfaces, its operations and its rate limits. Call it after you received a token, to check the entitlement of the client before the first write. It has no side effects. Scope: `meta:capabilities:read`. (`getCapabilities`)"""
        return self._call("getCapabilities", (), options)

    def list_error_codes(self, **options: Unpack[Options]) -> m.ListErrorCodesResponse:
        """Returns every error code with its HTTP status, its constant title and the remedy. The list is complete and is not paged. Read it to map codes to messages of your own. Scope: `meta:capabilities:read`. (`listErrorCodes`)"""
        return self._call("listErrorCodes", (), options)

    def list_event_types(self, **options: Unpack[Options]) -> m.ListEventTypesResponse:
        """Returns every type of event with the JSON Schema of its data and a complete example. The list is complete and is not paged. Choose from it the event_types of a webhook subscription. Scope: `meta:capabilities:read`. (`listEventTypes`)"""
        return self._call("listEventTypes", (), options)

    def get_time(self, **options: Unpack[Options]) -> m.ServerTime:
        """Returns the clock of the server in UTC. Compare it with your own clock when signatures or deadlines are rejected. It needs no credentials. (`getTime`)"""
        return self._call("getTime", (), options)

    def get_open_api(self, **options: Unpack[Options]) -> Any:
        """Returns this document. It is computed from the same declarations that route and check the requests, so it describes the running version. It needs no credentials and may be cached for one minute. (`getOpenApi`)"""
        return self._call("getOpenApi", (), options)

    def list_requests(
        self,
        *,
        filter: m.ListRequestsFilter | None = None,
        sort: m.ListRequestsSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.LoggedRequest]:
        """Returns the requests of the team in the last seven days, the latest first, each within a second of its answer. Texts, secrets and all values of persons are stored by their form only, bodies are cut to 2,048 characters, and rows that name an erased contact are deleted. Filter by request_id to look up the id of an error. Scope: `meta:requests:read`. (`listRequests`)"""
        return self._list("listRequests", (), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})


class Contacts(Resource):
    def list(
        self,
        *,
        filter: m.ListContactsFilter | Mapping[str, Any] | None = None,
        sort: m.ListContactsSort | None = None,
        include: m.ListContactsInclude | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.ContactRow]:
        """Returns the contacts of the team. Archived contacts are left out. Embed accounts or journeys with include, at most 25 of each for one contact. Scope: `partner:contacts:read`. (`listContacts`)"""
        return self._list("listContacts", (), options, query={"filter": filter, "sort": sort, "include": include, "meta": meta, "page": page})

    def create(self, body: m.ContactCreate, **options: Unpack[Options]) -> m.ContactDetails:
        """Creates a contact and records the event contact.created. A unique_id that another contact has is refused with 409 and the id of that contact in meta.id. The date of birth is stored encrypted and is shown only to tokens with the scope for sensitive data. Enroll the contact in a template next. Scope: `partner:contacts:write`. (`createContact`)"""
        return self._call("createContact", (), options, body=body)

    def get(self, id: str, **options: Unpack[Options]) -> m.ContactDetails:
        """Returns one contact by its id, or by unique_id: and the partner’s own key. A contact that was merged or erased answers 410. The date of birth is shown only to tokens with the scope for sensitive data. Scope: `partner:contacts:read`. (`getContact`)"""
        return self._call("getContact", (id,), options)

    def update(
        self,
        id: str,
        body: m.ContactCreate,
        **options: Unpack[Options],
    ) -> m.ContactDetails:
        """Changes the fields that the body names. A field that is absent stays as it is, and null clears an optional field. A change records the event contact.updated; a body that changes nothing records nothing. Send If-Match to refuse the change when somebody else was faster. Scope: `partner:contacts:write`. (`updateContact`)"""
        return self._call("updateContact", (id,), options, body=body)

    def delete(self, id: str, **options: Unpack[Options]) -> None:
        """Archives a contact and records the event contact.deleted. Its accounts are removed and its open journeys end, which cannot be undone. The record stays for reports. Use the operation eraseContact where the person demands erasure. While a legal hold stands on the contact or the team, it is refused with 409. Scope: `partner:contacts:delete`. (`deleteContact`)"""
        self._run("deleteContact", (id,), options)

    def merge(
        self,
        id: str,
        body: m.MergeContactRequest,
        **options: Unpack[Options],
    ) -> m.ContactDetails:
        """Merges another contact into the contact of the path, which then has the accounts, journeys and history of both. The source contact is archived and answers 410 with the id of the target. A merge cannot be undone. It records the event contact.merged. Scope: `partner:contacts:write`. (`mergeContact`)"""
        return self._call("mergeContact", (id,), options, body=body)

    def erase(self, id: str, **options: Unpack[Options]) -> m.ContactErasure:
        """Erases a contact and every copy of its personal data, also where the contact is archived. It cannot be undone, and is refused with 409 legal_hold while a legal hold stands on the contact or the team. The first step happens within the request, and the rest continues in the background. Poll the erasure in Location until its status is completed. A repeat returns the same erasure. Scope: `partner:contacts:delete`. (`eraseContact`)"""
        return self._call("eraseContact", (id,), options)

    def set_consent(
        self,
        id: str,
        channel: str,
        body: m.SetContactConsentRequest,
        **options: Unpack[Options],
    ) -> m.ContactDetails:
        """Records the consent of a contact for one channel: email, sms or push. It replaces the consent of this channel and leaves the others as they are. Each change is kept with its source and evidence. Messages of marketing are sent only while the consent is subscribed. Scope: `partner:contacts:write`. (`setContactConsent`)"""
        return self._call("setContactConsent", (id, channel,), options, body=body)

    def list_consent_changes(
        self,
        id: str,
        *,
        filter: m.ListContactConsentChangesFilter | None = None,
        sort: m.ListContactConsentChangesSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.ContactConsentChange]:
        """Returns every recorded change of the consents of a contact with its source and evidence, the latest first. Scope: `partner:contacts:read`. (`listContactConsentChanges`)"""
        return self._list("listContactConsentChanges", (id,), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    def get_topic_consents(self, id: str, **options: Unpack[Options]) -> m.ContactTopicConsents:
        """Returns what is in effect for each topic of the team and each channel: the choice of the contact, or the default_consent of the topic. A message of a topic also needs the consent of the contact for its channel. Scope: `partner:contacts:read`. (`getContactTopicConsents`)"""
        return self._call("getContactTopicConsents", (id,), options)

    def set_topic_consent(
        self,
        id: str,
        topic_id: str,
        channel: str,
        body: m.SetContactTopicConsentRequest,
        **options: Unpack[Options],
    ) -> m.ContactTopicConsents:
        """Records that a contact has subscribed to a topic or has unsubscribed from it, for one channel. It leaves the other topics and channels, and the consent for the channel as a whole, as they are. Each change is kept with its source and evidence, and records the event contact.topic_consent_changed. Scope: `partner:contacts:write`. (`setContactTopicConsent`)"""
        return self._call("setContactTopicConsent", (id, topic_id, channel,), options, body=body)

    def list_topic_consent_changes(
        self,
        id: str,
        *,
        filter: m.ListContactTopicConsentChangesFilter | None = None,
        sort: m.ListContactConsentChangesSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.ContactTopicConsentChange]:
        """Returns every recorded change of the consents of a contact to topics with its source and evidence, the latest first. Scope: `partner:contacts:read`. (`listContactTopicConsentChanges`)"""
        return self._list("listContactTopicConsentChanges", (id,), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    def reset_identity_lock(self, id: str, **options: Unpack[Options]) -> None:
        """Ends every lock that wrong answers to identity challenges have set for a contact, and resets the counts. The contact may answer again immediately. Make sure by other means that the person is the contact. The change is recorded in the audit trail. Scope: `partner:contacts:write`. (`resetContactIdentityLock`)"""
        self._run("resetContactIdentityLock", (id,), options)

    def list_devices(
        self,
        id: str,
        *,
        filter: m.ListContactDevicesFilter | None = None,
        sort: m.ListContactDevicesSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.Device]:
        """Returns the devices of a contact that receive push messages. Push tokens are shown as a SHA-256 hash only. Scope: `partner:contacts:read`. (`listContactDevices`)"""
        return self._list("listContactDevices", (id,), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    def create_device(
        self,
        id: str,
        body: m.ContactDeviceCreate,
        **options: Unpack[Options],
    ) -> m.Device:
        """Registers a device for push messages. A push token that the team knows already answers 200 and moves the device to this contact. A contact has at most 50 devices. The token is stored encrypted and is never returned. Scope: `partner:contacts:write`. (`createContactDevice`)"""
        return self._call("createContactDevice", (id,), options, body=body)

    def get_device(self, id: str, device_id: str, **options: Unpack[Options]) -> m.Device:
        """Returns one device of a contact. The push token is shown as a SHA-256 hash only. Scope: `partner:contacts:read`. (`getContactDevice`)"""
        return self._call("getContactDevice", (id, device_id,), options)

    def delete_device(self, id: str, device_id: str, **options: Unpack[Options]) -> None:
        """Removes a device, which then receives no push messages. It cannot be undone. Register the device again to continue. Scope: `partner:contacts:delete`. (`deleteContactDevice`)"""
        self._run("deleteContactDevice", (id, device_id,), options)

    def list_accounts(
        self,
        id: str,
        *,
        filter: m.ListAccountsFilter | None = None,
        sort: m.ListAccountsSort | None = None,
        include: Literal["contact"] | Sequence[Literal["contact"]] | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.AccountRow]:
        """Returns the accounts of one contact. The status of each follows from opened_at and closed_at. Closed ones are among them. Scope: `partner:contacts:read`. (`listContactAccounts`)"""
        return self._list("listContactAccounts", (id,), options, query={"filter": filter, "sort": sort, "include": include, "meta": meta, "page": page})

    def create_account(
        self,
        id: str,
        body: m.ContactAccountCreate,
        **options: Unpack[Options],
    ) -> m.Account:
        """Creates an account of a contact and records the event account.created, and account.opened where opened_at is given. A unique_id that another account has is refused. A contact has at most 200 accounts. Scope: `partner:contacts:write`. (`createContactAccount`)"""
        return self._call("createContactAccount", (id,), options, body=body)

    def list_cohorts(
        self,
        id: str,
        *,
        filter: m.ListCohortsFilter | None = None,
        sort: m.ListCohortsSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.Cohort]:
        """Returns the cohorts that a contact is a member of, as of their last evaluations. The entry into a realtime cohort shows shortly after the change that caused it. Scope: `partner:cohorts:read`. (`listContactCohorts`)"""
        return self._list("listContactCohorts", (id,), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    def list_journeys(
        self,
        id: str,
        *,
        filter: m.ListJourneysFilter | None = None,
        sort: m.ListJourneysSort | None = None,
        include: m.ListJourneysInclude | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.JourneyRow]:
        """Returns the journeys of one contact. Ended ones stay, with exit_reason; seq says which enrollment of the contact it is. Scope: `partner:journeys:read`. (`listContactJourneys`)"""
        return self._list("listContactJourneys", (id,), options, query={"filter": filter, "sort": sort, "include": include, "meta": meta, "page": page})

    def list_message_deliveries(
        self,
        id: str,
        *,
        filter: m.ListMessageDeliveriesFilter | None = None,
        sort: m.ListMessageDeliveriesSort | None = None,
        include: m.ListMessageDeliveriesInclude | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.MessageDeliveryRow]:
        """Returns the deliveries of messages to one contact. A skip_reason says why one was not sent. Scope: `partner:messages:read`. (`listContactMessageDeliveries`)"""
        return self._list("listContactMessageDeliveries", (id,), options, query={"filter": filter, "sort": sort, "include": include, "meta": meta, "page": page})

    def list_completions(
        self,
        id: str,
        *,
        filter: m.ListCompletionsFilter | None = None,
        sort: m.ListCompletionsSort | None = None,
        include: m.ListCompletionsInclude | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.ObjectiveCompletionRow]:
        """Returns the objectives that a contact has completed, with voided completions. The attribution says whether a journey led to one. Scope: `partner:objectives:read`. (`listContactCompletions`)"""
        return self._list("listContactCompletions", (id,), options, query={"filter": filter, "sort": sort, "include": include, "meta": meta, "page": page})

    def list_events(
        self,
        id: str,
        *,
        filter: m.ListEngagementEventsFilter | None = None,
        sort: m.ListRequestsSort | None = None,
        include: m.ListEngagementEventsInclude | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.EngagementEventRow]:
        """Returns the engagement events of one contact, the latest first. is_machine marks those of scanners and proxies, which insights leave out. Scope: `partner:engagement:read`. (`listContactEvents`)"""
        return self._list("listContactEvents", (id,), options, query={"filter": filter, "sort": sort, "include": include, "meta": meta, "page": page})

    def export(self, id: str, **options: Unpack[Options]) -> m.Export:
        """Writes everything that is known about a contact to a JSON file in the background, for the person. Sections whose read scope the token lacks are left out and named in the file. Poll the address in Location until the status is completed, then download the file. The file is kept for one day. The request is recorded in the audit trail. Scope: `partner:contacts:read`. (`exportContact`)"""
        return self._call("exportContact", (id,), options)


class ContactErasures(Resource):
    def get(self, id: str, **options: Unpack[Options]) -> m.ContactErasure:
        """Returns an erasure and its progress. The status is completed once no copy of the data is left. Until then the answer carries Retry-After. Scope: `partner:contacts:read`. (`getContactErasure`)"""
        return self._call("getContactErasure", (id,), options)


class Topics(Resource):
    def list(
        self,
        *,
        filter: m.ListTopicsFilter | None = None,
        sort: m.ListTopicsSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.Topic]:
        """Returns the subjects of marketing messages that recipients choose one by one, in the order of the preference center. Archived topics are returned only where a filter names is_archived. Scope: `partner:topics:read`. (`listTopics`)"""
        return self._list("listTopics", (), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    def create(self, body: m.TopicCreate, **options: Unpack[Options]) -> m.Topic:
        """Creates a topic. Name and description are shown to recipients. The default_consent is in effect for contacts that have made no choice and cannot be changed later: a changed default would subscribe people without their consent. A team has at most 50 topics. Name the topic as topic_id of marketing messages next. Scope: `partner:topics:write`. (`createTopic`)"""
        return self._call("createTopic", (), options, body=body)

    def get(self, id: str, **options: Unpack[Options]) -> m.Topic:
        """Returns one topic. A topic is a subject that contacts choose apart from a channel, such as offers. Its default_consent counts for contacts that have chosen nothing. Scope: `partner:topics:read`. (`getTopic`)"""
        return self._call("getTopic", (id,), options)

    def update(self, id: str, body: m.TopicPatch, **options: Unpack[Options]) -> m.Topic:
        """Changes the fields that the body names. The default_consent is fixed. Consents to the topic stay as they are, so a new name should mean the same subject. Scope: `partner:topics:write`. (`updateTopic`)"""
        return self._call("updateTopic", (id,), options, body=body)

    def delete(self, id: str, **options: Unpack[Options]) -> None:
        """Deletes a topic permanently. One that a message names is refused with 409; archive it instead. Recorded consents stay in the history of the contacts. Messages of the topic that wait follow the consents to the end. Scope: `partner:topics:delete`. (`deleteTopic`)"""
        self._run("deleteTopic", (id,), options)

    def archive(self, id: str, **options: Unpack[Options]) -> m.Topic:
        """Archives a topic. The preference center offers it no longer, and no further message can name it. Messages that name it are sent by the consents as before. It can be unarchived. Scope: `partner:topics:write`. (`archiveTopic`)"""
        return self._call("archiveTopic", (id,), options)

    def unarchive(self, id: str, **options: Unpack[Options]) -> m.Topic:
        """Unarchives a topic: the preference center offers it again, and messages can name it. The consents are as they were. A topic that is not archived is refused with 409. Scope: `partner:topics:write`. (`unarchiveTopic`)"""
        return self._call("unarchiveTopic", (id,), options)


class Suppressions(Resource):
    def list(
        self,
        *,
        filter: m.ListSuppressionsFilter | None = None,
        sort: m.ListContactDevicesSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.Suppression]:
        """Returns the addresses, phone numbers and contacts that receive no messages. Scope: `partner:contacts:read`. (`listSuppressions`)"""
        return self._list("listSuppressions", (), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    def create(self, body: m.SuppressionCreate, **options: Unpack[Options]) -> m.Suppression:
        """Prevents messages to an e-mail address, a phone number, or a contact on all channels. Give address with the channel email or sms, and contact_id with the channel all. A suppression that exists already answers 200 and stays as it is. It applies to every template from the next message on. Scope: `partner:contacts:write`. (`createSuppression`)"""
        return self._call("createSuppression", (), options, body=body)

    def get(self, id: str, **options: Unpack[Options]) -> m.Suppression:
        """Returns one suppression with its reason and source. Suppressions are also made by the service, for example after a hard bounce or a complaint. Scope: `partner:contacts:read`. (`getSuppression`)"""
        return self._call("getSuppression", (id,), options)

    def delete(self, id: str, **options: Unpack[Options]) -> None:
        """Lifts a suppression, so that messages are sent again. Lift a suppression only where you know that the address accepts messages. Scope: `partner:contacts:delete`. (`deleteSuppression`)"""
        self._run("deleteSuppression", (id,), options)


class Accounts(Resource):
    def list(
        self,
        *,
        filter: m.ListAccountsFilter | None = None,
        sort: m.ListAccountsSort | None = None,
        include: Literal["contact"] | Sequence[Literal["contact"]] | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.AccountRow]:
        """Returns the accounts of all contacts of the team. Sort by balance_cents, opened_at or closed_at; the status follows from the two times. Filter by contact_id, unique_id, kind or product_id. Scope: `partner:contacts:read`. (`listAccounts`)"""
        return self._list("listAccounts", (), options, query={"filter": filter, "sort": sort, "include": include, "meta": meta, "page": page})

    def get(self, id: str, **options: Unpack[Options]) -> m.Account:
        """Returns one account. The balance is in cents of the currency of the account. The status follows from opened_at and closed_at. Scope: `partner:contacts:read`. (`getAccount`)"""
        return self._call("getAccount", (id,), options)

    def update(self, id: str, body: m.AccountPatch, **options: Unpack[Options]) -> m.Account:
        """Changes the fields that the body names. Setting opened_at opens the account, setting closed_at closes it, and null in closed_at reopens it. The matching events are recorded. Send If-Match to refuse the change if another client changed it first. Scope: `partner:contacts:write`. (`updateAccount`)"""
        return self._call("updateAccount", (id,), options, body=body)

    def delete(self, id: str, **options: Unpack[Options]) -> None:
        """Deletes an account permanently. No event is recorded. Close an account instead where its history matters. While a legal hold stands on its contact or the team, it is refused with 409. Scope: `partner:contacts:delete`. (`deleteAccount`)"""
        self._run("deleteAccount", (id,), options)

    def close(
        self,
        id: str,
        body: m.CloseAccountRequest | None = None,
        **options: Unpack[Options],
    ) -> m.Account:
        """Closes an open account and records the event account.closed. The time is now unless closed_at says otherwise. An account that is not open is refused with 409. Scope: `partner:contacts:write`. (`closeAccount`)"""
        return self._call("closeAccount", (id,), options, body=body)

    def reopen(self, id: str, **options: Unpack[Options]) -> m.Account:
        """Reopens a closed account and records the event account.updated. An account that is not closed is refused with 409. The time at which it was opened stays as it was. Scope: `partner:contacts:write`. (`reopenAccount`)"""
        return self._call("reopenAccount", (id,), options)


class Cohorts(Resource):
    def list(
        self,
        *,
        filter: m.ListCohortsFilter | None = None,
        sort: m.ListCohortsSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.Cohort]:
        """Returns the cohorts of the team. Archived cohorts are returned only where a filter names is_archived. The members that member_count counts are those of last_evaluated_at. Scope: `partner:cohorts:read`. (`listCohorts`)"""
        return self._list("listCohorts", (), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    def create(self, body: m.CohortCreate, **options: Unpack[Options]) -> m.Cohort:
        """Creates a cohort. A dynamic cohort needs a definition and is evaluated in the background unless its evaluation_mode is on_demand. A static cohort has no definition, and its members are added with the operation addCohortMembers. The name must be unique in the team, and a team has at most 1,000 cohorts. Scope: `partner:cohorts:write`. (`createCohort`)"""
        return self._call("createCohort", (), options, body=body)

    def get(self, id: str, **options: Unpack[Options]) -> m.Cohort:
        """Returns one cohort with the number of its members and the state of its evaluation. Members are listed by the operation listCohortMembers. Scope: `partner:cohorts:read`. (`getCohort`)"""
        return self._call("getCohort", (id,), options)

    def update(self, id: str, body: m.CohortPatch, **options: Unpack[Options]) -> m.Cohort:
        """Changes the fields that the body names. The kind is fixed. A new definition is evaluated in the background unless the evaluation_mode is on_demand. Poll evaluation_status until it is ready. Scope: `partner:cohorts:write`. (`updateCohort`)"""
        return self._call("updateCohort", (id,), options, body=body)

    def delete(self, id: str, **options: Unpack[Options]) -> None:
        """Deletes a cohort permanently. A cohort that a launched or scheduled template names is refused with 409. The contacts themselves stay. Scope: `partner:cohorts:delete`. (`deleteCohort`)"""
        self._run("deleteCohort", (id,), options)

    def preview(self, body: m.PreviewCohortRequest, **options: Unpack[Options]) -> m.CohortPreview:
        """Counts the contacts that match a definition, without storing anything. Use it to check a definition before you create or change a cohort. It needs the read scopes of what the rules ask about, such as partner:contacts:read. Scope: `partner:cohorts:execute`. (`previewCohort`)"""
        return self._call("previewCohort", (), options, body=body)

    def evaluate(self, id: str, **options: Unpack[Options]) -> m.CohortAsked:
        """Starts an evaluation of a dynamic cohort in the background. Poll the address in Location until the execution has finished; then member_count is current. Static and archived cohorts are refused. The event cohort.evaluated is recorded at the end. Scope: `partner:cohorts:execute`. (`evaluateCohort`)"""
        return self._call("evaluateCohort", (id,), options)

    def get_evaluation(
        self,
        id: str,
        execution_id: str,
        **options: Unpack[Options],
    ) -> m.OperationExecution:
        """Returns the progress of an evaluation that the operation evaluateCohort started. Until it has finished, the answer carries Retry-After. Executions are kept for seven days. Scope: `partner:cohorts:execute`. (`getCohortEvaluation`)"""
        return self._call("getCohortEvaluation", (id, execution_id,), options)

    def archive(self, id: str, **options: Unpack[Options]) -> m.Cohort:
        """Archives a cohort. Its members stay as they are, and it is no longer evaluated. A cohort that a launched or scheduled template names is refused with 409. It can be unarchived. Scope: `partner:cohorts:write`. (`archiveCohort`)"""
        return self._call("archiveCohort", (id,), options)

    def unarchive(self, id: str, **options: Unpack[Options]) -> m.Cohort:
        """Unarchives a cohort. A dynamic cohort is then evaluated in the background unless its evaluation_mode is on_demand. A cohort that is not archived is refused with 409. Scope: `partner:cohorts:write`. (`unarchiveCohort`)"""
        return self._call("unarchiveCohort", (id,), options)

    def list_members(
        self,
        id: str,
        *,
        filter: m.ListCohortMembersFilter | None = None,
        sort: m.ListCohortMembersSort | None = None,
        include: Literal["contact"] | Sequence[Literal["contact"]] | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.CohortMemberRow]:
        """Returns the members of a cohort as of its last evaluation. Embed the contacts with include. Each one has the time at which the contact joined. Scope: `partner:cohorts:read`. (`listCohortMembers`)"""
        return self._list("listCohortMembers", (id,), options, query={"filter": filter, "sort": sort, "include": include, "meta": meta, "page": page})

    def add_members(
        self,
        id: str,
        body: m.AddCohortMembersRequest,
        **options: Unpack[Options],
    ) -> m.CohortMembersChanged:
        """Adds up to 10,000 contacts to a static cohort. All of them are added, or none where the team does not have one of them. Contacts who are members already are not counted in changed. The members of a dynamic cohort follow its definition and cannot be added. Scope: `partner:cohorts:write`. (`addCohortMembers`)"""
        return self._call("addCohortMembers", (id,), options, body=body)

    def remove_members(
        self,
        id: str,
        body: m.AddCohortMembersRequest,
        **options: Unpack[Options],
    ) -> m.CohortMembersChanged:
        """Removes up to 10,000 contacts from a static cohort. All of them are removed, or none where the team does not have one of them. Contacts who are no members are not counted in changed. The contacts themselves stay. Scope: `partner:cohorts:write`. (`removeCohortMembers`)"""
        return self._call("removeCohortMembers", (id,), options, body=body)

    def explain_member(
        self,
        id: str,
        contact_id: str,
        **options: Unpack[Options],
    ) -> m.CohortExplanation:
        """Returns whether a contact matches a cohort at this moment, rule by rule. The answer is computed for the request, so it can differ from the membership, which is as of the last evaluation. Use it to find out why a contact is in a cohort or not. It needs the read scopes of the data in the rules, such as partner:contacts:read. Scope: `partner:cohorts:read`. (`explainCohortMember`)"""
        return self._call("explainCohortMember", (id, contact_id,), options)


class Templates(Resource):
    def list(
        self,
        *,
        filter: m.ListTemplatesFilter | None = None,
        sort: m.ListTemplatesSort | None = None,
        include: m.ListTemplatesInclude | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.TemplateRow]:
        """Returns the templates of the team. Archived templates are returned only where a filter names status or is_archived. Embed objectives, pages and messages with include, at most 25 of each for one template. Scope: `partner:templates:read`. (`listTemplates`)"""
        return self._list("listTemplates", (), options, query={"filter": filter, "sort": sort, "include": include, "meta": meta, "page": page})

    def create(self, body: m.TemplateCreate, **options: Unpack[Options]) -> m.Template:
        """Creates a template as a draft. With scheduled_at it is scheduled right away, which requires a complete template. A team has at most 5,000 templates. Add pages and messages next, then validate and launch it. Scope: `partner:templates:write`. (`createTemplate`)"""
        return self._call("createTemplate", (), options, body=body)

    def get(self, id: str, **options: Unpack[Options]) -> m.Template:
        """Returns one template with its status and the ids of its objectives, pages and messages. It has no side effects. Scope: `partner:templates:read`. (`getTemplate`)"""
        return self._call("getTemplate", (id,), options)

    def update(self, id: str, body: m.TemplatePatch, **options: Unpack[Options]) -> m.Template:
        """Changes the fields that the body names. scheduled_at schedules the launch, moves it, or unschedules it when it is null. A locked template accepts only name, description, deadline_at and send_rate_per_minute. Send If-Match to refuse the change when somebody else was faster. Scope: `partner:templates:write`. (`updateTemplate`)"""
        return self._call("updateTemplate", (id,), options, body=body)

    def delete(self, id: str, **options: Unpack[Options]) -> None:
        """Deletes a draft that was never launched, with its pages and messages. It cannot be undone. A template that was launched is refused with 409 and can be archived instead. Scope: `partner:templates:delete`. (`deleteTemplate`)"""
        self._run("deleteTemplate", (id,), options)

    def get_status_rollup(self, **options: Unpack[Options]) -> m.TemplateStatusRollup:
        """Returns the number of templates in each status. It is computed for the request and has no parameters. A status without templates counts 0; total is the sum, and computed_at the time. Scope: `partner:templates:read`. (`getTemplateStatusRollup`)"""
        return self._call("getTemplateStatusRollup", (), options)

    def validate(self, id: str, **options: Unpack[Options]) -> m.TemplateCompleteness:
        """Returns what the template lacks before it can launch. An empty list in missing means that it is complete. Nothing is changed. Call it before you schedule or launch. Scope: `partner:templates:read`. (`validateTemplate`)"""
        return self._call("validateTemplate", (id,), options)

    def schedule(
        self,
        id: str,
        body: m.ScheduleTemplateRequest,
        **options: Unpack[Options],
    ) -> m.Template:
        """Schedules the launch of a complete template for a time within a year, or moves that time. The template launches by itself at that time. Where it is no longer complete then, it becomes a draft again and the event template.launch_failed is recorded. The event template.scheduled is recorded now. Scope: `partner:templates:write`. (`scheduleTemplate`)"""
        return self._call("scheduleTemplate", (id,), options, body=body)

    def unschedule(self, id: str, **options: Unpack[Options]) -> m.Template:
        """Removes the time of the launch, so that the template is a draft again. A template that is not scheduled is refused with 409. The event template.updated is recorded. Scope: `partner:templates:write`. (`unscheduleTemplate`)"""
        return self._call("unscheduleTemplate", (id,), options)

    def launch(self, id: str, **options: Unpack[Options]) -> m.Template:
        """Launches a complete template now. Its content is stored as a version and locked. An incomplete template is refused with 422, and meta.missing names the gaps. The event template.launched is recorded. Enroll contacts next. Scope: `partner:templates:write`. (`launchTemplate`)"""
        return self._call("launchTemplate", (id,), options)

    def pause(self, id: str, **options: Unpack[Options]) -> m.Template:
        """Pauses enrollments and messages of a launched template. The deadline continues, and journeys stay as they are. The event template.paused is recorded. Edit the template where needed, then resume it. Scope: `partner:templates:write`. (`pauseTemplate`)"""
        return self._call("pauseTemplate", (id,), options)

    def resume(self, id: str, **options: Unpack[Options]) -> m.Template:
        """Continues a paused template. Content that was edited during the pause becomes a new version for journeys that start from then on. The event template.resumed is recorded. An incomplete template is refused with 422. Scope: `partner:templates:write`. (`resumeTemplate`)"""
        return self._call("resumeTemplate", (id,), options)

    def expire(self, id: str, **options: Unpack[Options]) -> m.Template:
        """Ends a template before its deadline, with its open journeys. It cannot be launched again as it is: duplicate it instead. The event template.expired is recorded. Scope: `partner:templates:write`. (`expireTemplate`)"""
        return self._call("expireTemplate", (id,), options)

    def archive(self, id: str, **options: Unpack[Options]) -> m.Template:
        """Archives a template that is not launched. A launched template is refused with 409: pause it first. The event template.archived is recorded. It can be unarchived. Scope: `partner:templates:write`. (`archiveTemplate`)"""
        return self._call("archiveTemplate", (id,), options)

    def unarchive(self, id: str, **options: Unpack[Options]) -> m.Template:
        """Unarchives a template. A template that was never launched is a draft again; one that was launched is paused, or expired where its deadline has passed. The event template.unarchived is recorded. Scope: `partner:templates:write`. (`unarchiveTemplate`)"""
        return self._call("unarchiveTemplate", (id,), options)

    def lock(self, id: str, **options: Unpack[Options]) -> m.Template:
        """Locks a template against edits, except for name, description, deadline_at and send_rate_per_minute. The status does not change. The event template.locked is recorded. Scope: `partner:templates:write`. (`lockTemplate`)"""
        return self._call("lockTemplate", (id,), options)

    def unlock(self, id: str, **options: Unpack[Options]) -> m.Template:
        """Allows edits of a locked template again. A template that is launched or scheduled stays locked and is refused with 409: pause or unschedule it first. The event template.updated is recorded. Scope: `partner:templates:write`. (`unlockTemplate`)"""
        return self._call("unlockTemplate", (id,), options)

    def duplicate(
        self,
        id: str,
        body: m.DuplicateTemplateRequest | None = None,
        **options: Unpack[Options],
    ) -> m.Template:
        """Creates a draft with the same objectives, pages and messages. The deadline is not copied. The name gets the suffix (copy) unless the body has a name. Journeys and statistics stay with the original. Scope: `partner:templates:write`. (`duplicateTemplate`)"""
        return self._call("duplicateTemplate", (id,), options, body=body)

    def list_versions(
        self,
        id: str,
        *,
        filter: m.ListTemplateVersionsFilter | None = None,
        sort: m.ListTemplateVersionsSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.TemplateVersionSummary]:
        """Returns the versions of a template: one for each launch, and one for each resume after an edit. A journey names the version whose content it shows. The content is in the answer of the operation getTemplateVersion. Scope: `partner:templates:read`. (`listTemplateVersions`)"""
        return self._list("listTemplateVersions", (id,), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    def get_version(self, id: str, version: str, **options: Unpack[Options]) -> m.TemplateVersion:
        """Returns one version of a template with its pages and messages as they were. Sections whose read scope the token lacks are left out and named in omitted_sections. Versions never change. Journeys name the version that they follow. Scope: `partner:templates:read`. (`getTemplateVersion`)"""
        return self._call("getTemplateVersion", (id, version,), options)

    def list_status_history(
        self,
        id: str,
        *,
        filter: m.ListTemplateStatusHistoryFilter | None = None,
        sort: m.ListTemplateStatusHistorySort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.TemplateStatusChange]:
        """Returns every change of the status of a template, with the client or the timer that made it. The sequence rises with each; an entry is never changed or removed. Scope: `partner:templates:read`. (`listTemplateStatusHistory`)"""
        return self._list("listTemplateStatusHistory", (id,), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    def enroll(
        self,
        id: str,
        body: m.EnrollInTemplateRequest,
        **options: Unpack[Options],
    ) -> m.JourneyDetails | m.OperationExecution:
        """Enrolls one contact in a launched template, or all members of a cohort. One contact is enrolled within the request, and the answer has the link for the recipient. A cohort is enrolled in the background: the answer is 202, and the address in Location shows the progress. A contact whom a rule of the template excludes is refused with 409, and one with an open journey there with already_enrolled. The messages of the journey show `data`. Scope: `partner:journeys:execute`. (`enrollInTemplate`)"""
        return self._call("enrollInTemplate", (id,), options, body=body)

    def get_enrollment_execution(
        self,
        id: str,
        execution_id: str,
        **options: Unpack[Options],
    ) -> m.OperationExecution:
        """Returns the progress of the enrollment of a cohort. Until it has finished, the answer carries Retry-After. Executions are kept for seven days. Scope: `partner:journeys:execute`. (`getEnrollmentExecution`)"""
        return self._call("getEnrollmentExecution", (id, execution_id,), options)

    def explain_enrollment(
        self,
        id: str,
        contact_id: str,
        **options: Unpack[Options],
    ) -> m.EnrollmentExplanation:
        """Returns whether a contact is or could be in a template, rule by rule. It works for contacts that were never enrolled. Nothing is changed. Use it to find out why a contact received nothing. Scope: `partner:journeys:read`. (`explainEnrollment`)"""
        return self._call("explainEnrollment", (id, contact_id,), options)

    def list_journeys(
        self,
        id: str,
        *,
        filter: m.ListJourneysFilter | None = None,
        sort: m.ListJourneysSort | None = None,
        include: m.ListJourneysInclude | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.JourneyRow]:
        """Returns the journeys of one template. Ended ones stay, with exit_reason. A holdout is among them, and nothing is sent to it. Scope: `partner:journeys:read`. (`listTemplateJourneys`)"""
        return self._list("listTemplateJourneys", (id,), options, query={"filter": filter, "sort": sort, "include": include, "meta": meta, "page": page})

    def list_messages(
        self,
        id: str,
        *,
        filter: m.ListTemplateMessagesFilter | None = None,
        sort: m.ListTopicsSort | None = None,
        include: m.ListMessagesInclude | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.MessageRow2]:
        """Returns the messages of one template with the figures of their deliveries. They come by position, and the figures count sent, delivered, opened and clicked ones. Scope: `partner:messages:read`. (`listTemplateMessages`)"""
        return self._list("listTemplateMessages", (id,), options, query={"filter": filter, "sort": sort, "include": include, "meta": meta, "page": page})

    def create_message(
        self,
        id: str,
        body: m.TemplateMessageCreate,
        **options: Unpack[Options],
    ) -> m.Message:
        """Adds a message to a template, at the end or at a position. Its content is checked, and what is invalid is refused with 422 and its place. A locked template is refused with 409. Render the message and send a test next. Scope: `partner:messages:write`. (`createTemplateMessage`)"""
        return self._call("createTemplateMessage", (id,), options, body=body)

    def list_pages(
        self,
        id: str,
        *,
        filter: m.ListTemplatePagesFilter | None = None,
        sort: m.ListTopicsSort | None = None,
        include: m.ListMessagesInclude | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.PageRow]:
        """Returns the pages of one template in their order. The completion_rule of each says when its recipient has done the step. Scope: `partner:pages:read`. (`listTemplatePages`)"""
        return self._list("listTemplatePages", (id,), options, query={"filter": filter, "sort": sort, "include": include, "meta": meta, "page": page})

    def create_page(
        self,
        id: str,
        body: m.TemplatePageCreate,
        **options: Unpack[Options],
    ) -> m.Page:
        """Adds a page to a template, at the end or at a position. Its path must be unique in the template. A locked template is refused with 409. Render the page to check it. Scope: `partner:pages:write`. (`createTemplatePage`)"""
        return self._call("createTemplatePage", (id,), options, body=body)

    def list_engagement_events(
        self,
        id: str,
        *,
        filter: m.ListEngagementEventsFilter | None = None,
        sort: m.ListRequestsSort | None = None,
        include: m.ListEngagementEventsInclude | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.EngagementEventRow]:
        """Returns the engagement events of one template, the latest first. is_machine marks those of scanners and proxies, which insights leave out. Scope: `partner:engagement:read`. (`listTemplateEngagementEvents`)"""
        return self._list("listTemplateEngagementEvents", (id,), options, query={"filter": filter, "sort": sort, "include": include, "meta": meta, "page": page})

    def get_insight_opt_in_widget(
        self,
        template_id: str,
        *,
        filter: m.GetAdvancedInsightTotalValueOfOpenedProductsFilter | None = None,
        period: str | None = None,
        timezone: str | None = None,
        **options: Unpack[Options],
    ) -> m.TemplateInsightOptInWidget:
        """Events of people in widgets of the kind opt_in: widget.loaded, widget.submitted, opt_in.granted and opt_in.revoked, the channel being properties.channel; properties.confirmed marks an opt-in that was confirmed by a second step. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getTemplateInsightOptInWidget`)"""
        return self._call("getTemplateInsightOptInWidget", (template_id,), options, query={"filter": filter, "period": period, "timezone": timezone})

    def get_insight_secure_personalization(
        self,
        template_id: str,
        *,
        filter: m.GetAdvancedInsightTotalValueOfOpenedProductsFilter | None = None,
        period: str | None = None,
        timezone: str | None = None,
        **options: Unpack[Options],
    ) -> m.TemplateInsightSecurePersonalization:
        """Counts the events identity.challenge_* of the contacts of the template. The time to pass is measured from the latest challenge of the contact; by_factor counts by properties.factor. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getTemplateInsightSecurePersonalization`)"""
        return self._call("getTemplateInsightSecurePersonalization", (template_id,), options, query={"filter": filter, "period": period, "timezone": timezone})


class Journeys(Resource):
    def list(
        self,
        *,
        filter: m.ListJourneysFilter | None = None,
        sort: m.ListJourneysSort | None = None,
        include: m.ListJourneysInclude | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.JourneyRow]:
        """Returns the journeys of the team: one for each enrollment of a contact in a template. Filter by status, contact_id, cohort_id or exit_reason, and sort by the deadline or by the last engagement. Scope: `partner:journeys:read`. (`listJourneys`)"""
        return self._list("listJourneys", (), options, query={"filter": filter, "sort": sort, "include": include, "meta": meta, "page": page})

    def get(self, id: str, **options: Unpack[Options]) -> m.JourneyDetails:
        """Returns one journey with its status and progress. Its link_url is shown only to tokens with the scope partner:journeys:write, because it opens the journey. Scope: `partner:journeys:read`. (`getJourney`)"""
        return self._call("getJourney", (id,), options)

    def get_timeline(
        self,
        id: str,
        *,
        filter: m.GetJourneyTimelineFilter | None = None,
        sort: m.ListRequestsSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.EngagementEvent]:
        """Returns everything that happened in a journey, the latest first. These are sends, opens, clicks, visits and completions. is_machine marks those of scanners and proxies. Scope: `partner:journeys:read`. (`getJourneyTimeline`)"""
        return self._list("getJourneyTimeline", (id,), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    def explain(self, id: str, **options: Unpack[Options]) -> m.EnrollmentExplanation:
        """Returns how the contact of a journey stands in its template, what was sent and what will be sent. The answer is computed for the request. Nothing is changed. It names each rule with its outcome, and the next action with its time. Scope: `partner:journeys:read`. (`explainJourney`)"""
        return self._call("explainJourney", (id,), options)

    def pause(self, id: str, **options: Unpack[Options]) -> m.Journey:
        """Pauses one journey: nothing is sent while its times continue to pass. Only a journey that is open can be paused. Resume it to continue. Scope: `partner:journeys:write`. (`pauseJourney`)"""
        return self._call("pauseJourney", (id,), options)

    def resume(self, id: str, **options: Unpack[Options]) -> m.Journey:
        """Continues a paused journey. Messages that were due during the pause are evaluated again by the rules of their template. A journey that is not paused is refused with 409. Scope: `partner:journeys:write`. (`resumeJourney`)"""
        return self._call("resumeJourney", (id,), options)

    def cancel(self, id: str, **options: Unpack[Options]) -> m.Journey:
        """Cancels a journey permanently and records the event journey.canceled. Nothing more is sent, and its link stops working. A journey that has ended is refused with 409. Enroll the contact again to start over, where the template allows it. Scope: `partner:journeys:write`. (`cancelJourney`)"""
        return self._call("cancelJourney", (id,), options)

    def renew_link(self, id: str, **options: Unpack[Options]) -> m.JourneyLink:
        """Creates a new link for the recipient and ends every earlier one, with the sessions that it opened. Only a journey that is still open has a link. Use it where a link was forwarded or may have leaked. Scope: `partner:journeys:write`. (`renewJourneyLink`)"""
        return self._call("renewJourneyLink", (id,), options)

    def watch(self, id: str, **options: Unpack[Options]) -> m.JourneyWatch:
        """Gives an open journey a workflow of its own, by which the operators of the service can follow it: for questions such as "why did this person get no message?". The journey itself goes on as before. A watch ends with its journey, after 30 days, or when it is deleted; a repeated request prolongs it. A team can watch 100 journeys at a time. Scope: `partner:journeys:write`. (`watchJourney`)"""
        return self._call("watchJourney", (id,), options)

    def unwatch(self, id: str, **options: Unpack[Options]) -> None:
        """Ends the watch of a journey; the journey continues. A journey that is not watched is left unchanged. Scope: `partner:journeys:write`. (`unwatchJourney`)"""
        self._run("unwatchJourney", (id,), options)


class ContentBlocks(Resource):
    def list(
        self,
        *,
        filter: m.ListContentBlocksFilter | None = None,
        sort: m.ListContentBlocksSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.ContentBlock]:
        """Returns the content blocks of the team. Archived blocks are returned only where a filter names is_archived. Pages, messages and landing pages refer to a block by its id. Scope: `partner:content_blocks:read`. (`listContentBlocks`)"""
        return self._list("listContentBlocks", (), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    def create(self, body: m.ContentBlockCreate, **options: Unpack[Options]) -> m.ContentBlock:
        """Creates a content block. HTML is sanitized and Liquid is checked; what is invalid is refused with 422 and its place. The key must be unique in the team, and a team has at most 10,000 blocks. Refer to the block from pages, messages and landing pages by its id. Scope: `partner:content_blocks:write`. (`createContentBlock`)"""
        return self._call("createContentBlock", (), options, body=body)

    def get(self, id: str, **options: Unpack[Options]) -> m.ContentBlock:
        """Returns one content block with the number of places that use it. The places are listed by the operation getContentBlockUsage. Scope: `partner:content_blocks:read`. (`getContentBlock`)"""
        return self._call("getContentBlock", (id,), options)

    def update(
        self,
        id: str,
        body: m.ContentBlockPatch,
        **options: Unpack[Options],
    ) -> m.ContentBlock:
        """Changes the fields that the body names. Published landing pages and launched templates keep the content that they have. A change of the content increases version. Publish a landing page again to show the new content there. Scope: `partner:content_blocks:write`. (`updateContentBlock`)"""
        return self._call("updateContentBlock", (id,), options, body=body)

    def delete(self, id: str, **options: Unpack[Options]) -> None:
        """Deletes a content block permanently. A block that is in use is refused with 409. Archive a block instead where it may be needed again. Scope: `partner:content_blocks:delete`. (`deleteContentBlock`)"""
        self._run("deleteContentBlock", (id,), options)

    def get_usage(self, id: str, **options: Unpack[Options]) -> m.ContentBlockUsage:
        """Returns the pages, messages and landing pages that refer to a content block. Use it before you change, archive or delete the block. Nothing is changed. Scope: `partner:content_blocks:read`. (`getContentBlockUsage`)"""
        return self._call("getContentBlockUsage", (id,), options)

    def archive(self, id: str, **options: Unpack[Options]) -> m.ContentBlock:
        """Archives a content block. A block that is shown by something launched or published is refused with 409. It can be unarchived. Scope: `partner:content_blocks:write`. (`archiveContentBlock`)"""
        return self._call("archiveContentBlock", (id,), options)

    def unarchive(self, id: str, **options: Unpack[Options]) -> m.ContentBlock:
        """Unarchives a content block. A block that is not archived is refused with 409. Its content is as it was. Scope: `partner:content_blocks:write`. (`unarchiveContentBlock`)"""
        return self._call("unarchiveContentBlock", (id,), options)

    def duplicate(
        self,
        id: str,
        body: m.DuplicateContentBlockRequest,
        **options: Unpack[Options],
    ) -> m.ContentBlock:
        """Creates a content block with the same content under another key. The name gets the suffix (copy) unless the body has a name. The key must be unique in the team. Scope: `partner:content_blocks:write`. (`duplicateContentBlock`)"""
        return self._call("duplicateContentBlock", (id,), options, body=body)

    def render(
        self,
        id: str,
        body: m.RenderContentBlockRequest | None = None,
        **options: Unpack[Options],
    ) -> m.RenderedContent:
        """Returns the HTML of a content block for a contact, for given data, or for a sample person where the body is absent. Variables that do not exist are listed in unknown_variables; they prevent publication. Nothing is stored or sent. The data of a contact needs the scope partner:contacts:read. Scope: `partner:content_blocks:read`. (`renderContentBlock`)"""
        return self._call("renderContentBlock", (id,), options, body=body)

    def preview(
        self,
        body: m.PreviewContentBlockRequest,
        **options: Unpack[Options],
    ) -> m.RenderedContent:
        """Returns the HTML of content that is not stored yet. It sanitizes and checks the content as createContentBlock does. Nothing is stored or sent. Use it for an editor with a live preview. Scope: `partner:content_blocks:read`. (`previewContentBlock`)"""
        return self._call("previewContentBlock", (), options, body=body)


class LandingPages(Resource):
    def list(
        self,
        *,
        filter: m.ListLandingPagesFilter | None = None,
        sort: m.ListLandingPagesSort | None = None,
        include: m.ListLandingPagesInclude | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.LandingPageRow]:
        """Returns the landing pages of the team. Archived pages are returned only where a filter names status. has_unpublished_changes marks drafts that visitors do not see yet. Scope: `partner:landing_pages:read`. (`listLandingPages`)"""
        return self._list("listLandingPages", (), options, query={"filter": filter, "sort": sort, "include": include, "meta": meta, "page": page})

    def create(self, body: m.LandingPageCreate, **options: Unpack[Options]) -> m.LandingPage:
        """Creates a landing page as a draft. The slug must be unique in the team, and a team has at most 5,000 pages. Visitors see nothing before it is published. Preview and publish it next. Scope: `partner:landing_pages:write`. (`createLandingPage`)"""
        return self._call("createLandingPage", (), options, body=body)

    def get(self, id: str, **options: Unpack[Options]) -> m.LandingPage:
        """Returns one landing page with its public address and its status. It shows the content as edited, which can differ from the published content. Scope: `partner:landing_pages:read`. (`getLandingPage`)"""
        return self._call("getLandingPage", (id,), options)

    def update(
        self,
        id: str,
        body: m.LandingPagePatch,
        **options: Unpack[Options],
    ) -> m.LandingPage:
        """Changes the fields that the body names. Visitors see a change of the content after the next publication. A change of the slug takes effect immediately. A body that changes nothing records nothing. Scope: `partner:landing_pages:write`. (`updateLandingPage`)"""
        return self._call("updateLandingPage", (id,), options, body=body)

    def delete(self, id: str, **options: Unpack[Options]) -> None:
        """Deletes a landing page permanently. A published page is refused with 409: unpublish or archive it first. Its slug becomes free. Scope: `partner:landing_pages:delete`. (`deleteLandingPage`)"""
        self._run("deleteLandingPage", (id,), options)

    def publish(self, id: str, **options: Unpack[Options]) -> m.LandingPage:
        """Publishes the current content of the landing page and records the event landing_page.published. Visitors see this version until the next publication. A page that lacks content is refused with 422, and meta.missing names the gaps. Scope: `partner:landing_pages:write`. (`publishLandingPage`)"""
        return self._call("publishLandingPage", (id,), options)

    def unpublish(self, id: str, **options: Unpack[Options]) -> m.LandingPage:
        """Unpublishes a landing page, which becomes a draft. Visitors see that the page does not exist. A page that is not published is refused with 409. The event landing_page.unpublished is recorded. Scope: `partner:landing_pages:write`. (`unpublishLandingPage`)"""
        return self._call("unpublishLandingPage", (id,), options)

    def archive(self, id: str, **options: Unpack[Options]) -> m.LandingPage:
        """Archives a landing page, and unpublishes it if it was published. Its slug is free for another page. The event landing_page.archived is recorded. It can be unarchived. Scope: `partner:landing_pages:write`. (`archiveLandingPage`)"""
        return self._call("archiveLandingPage", (id,), options)

    def unarchive(self, id: str, **options: Unpack[Options]) -> m.LandingPage:
        """Unarchives a landing page as a draft. If another page has taken its slug, the answer is 409. The event landing_page.updated is recorded. Publish it to show it again. Scope: `partner:landing_pages:write`. (`unarchiveLandingPage`)"""
        return self._call("unarchiveLandingPage", (id,), options)

    def duplicate(
        self,
        id: str,
        body: m.DuplicateLandingPageRequest | None = None,
        **options: Unpack[Options],
    ) -> m.LandingPage:
        """Creates a draft with the same content under a slug of its own. Without a slug in the body, a free one is derived from the original. The original and its statistics stay as they are. Scope: `partner:landing_pages:write`. (`duplicateLandingPage`)"""
        return self._call("duplicateLandingPage", (id,), options, body=body)

    def preview(self, id: str, **options: Unpack[Options]) -> m.LandingPagePreview:
        """Returns the document that a publication now would show to a sample person, and what prevents publication. Nothing is stored or published. Use renderLandingPage to show it to a contact. Scope: `partner:landing_pages:read`. (`previewLandingPage`)"""
        return self._call("previewLandingPage", (id,), options)

    def render(
        self,
        id: str,
        body: m.RenderContentBlockRequest | None = None,
        **options: Unpack[Options],
    ) -> m.LandingPagePreview:
        """Returns the document that a publication now would show to a contact or with given data, in the language of the page unless the body names one. Nothing is stored or published. The data of a contact needs the scope partner:contacts:read. Scope: `partner:landing_pages:read`. (`renderLandingPage`)"""
        return self._call("renderLandingPage", (id,), options, body=body)


class Messages(Resource):
    def list(
        self,
        *,
        filter: m.ListMessagesFilter | None = None,
        sort: m.ListTopicsSort | None = None,
        include: m.ListMessagesInclude | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.MessageRow]:
        """Returns the messages of all templates. Archived messages are returned only where a filter names status. Each has the channel, purpose and trigger by which it is sent. Scope: `partner:messages:read`. (`listMessages`)"""
        return self._list("listMessages", (), options, query={"filter": filter, "sort": sort, "include": include, "meta": meta, "page": page})

    def get(self, id: str, **options: Unpack[Options]) -> m.Message:
        """Returns one message of a template with its content, variants and trigger. It has no side effects. Scope: `partner:messages:read`. (`getMessage`)"""
        return self._call("getMessage", (id,), options)

    def update(self, id: str, body: m.MessagePatch, **options: Unpack[Options]) -> m.Message:
        """Changes the fields that the body names, or moves the message to another position. The channel is fixed. A locked template is refused with 409. A change of the content increases version. Scope: `partner:messages:write`. (`updateMessage`)"""
        return self._call("updateMessage", (id,), options, body=body)

    def delete(self, id: str, **options: Unpack[Options]) -> None:
        """Deletes a message permanently. A locked template is refused with 409. Archive a message instead to retain its figures. Scope: `partner:messages:delete`. (`deleteMessage`)"""
        self._run("deleteMessage", (id,), options)

    def archive(self, id: str, **options: Unpack[Options]) -> m.Message:
        """Archives a message, which is then not sent and comes after the others. Its figures stay. A locked template is refused with 409. It can be unarchived. Scope: `partner:messages:write`. (`archiveMessage`)"""
        return self._call("archiveMessage", (id,), options)

    def unarchive(self, id: str, **options: Unpack[Options]) -> m.Message:
        """Unarchives a message, as a draft at the last position. A locked template, and one that has no room for another message, is refused. Move it with the operation updateMessage. Scope: `partner:messages:write`. (`unarchiveMessage`)"""
        return self._call("unarchiveMessage", (id,), options)

    def render(
        self,
        id: str,
        body: m.RenderMessageRequest | None = None,
        **options: Unpack[Options],
    ) -> m.RenderedMessage:
        """Returns a message as it would be sent now to a contact, to a sample person or with given data: in the language, the time zone and the variant of the contact, or in the variant that is named. Addresses of the journey, of unsubscribing and of preferences have the form of real ones and open nothing. Variables that do not exist are listed in unknown_variables; they prevent a launch. Nothing is sent. The data of a contact needs the scope partner:contacts:read. Scope: `partner:messages:read`. (`renderMessage`)"""
        return self._call("renderMessage", (id,), options, body=body)

    def send_test(
        self,
        id: str,
        body: m.SendTestMessageRequest,
        **options: Unpack[Options],
    ) -> m.MessageTestSends:
        """Sends the current message to up to five addresses, with the data of a sample person in the language and time zone of the team. Each address is that of a confirmed test recipient, or the e-mail address of an active user of the team, and is not suppressed. The figures of the message do not count it. The message is sent in the background. Each repeat without an Idempotency-Key sends again; a team has 50 test sends in a day. Scope: `partner:messages:write`. (`sendTestMessage`)"""
        return self._call("sendTestMessage", (id,), options, body=body)

    def send(
        self,
        id: str,
        body: m.SendMessageRequest,
        **options: Unpack[Options],
    ) -> m.MessageDelivery:
        """Sends a launched message whose trigger is on_request to one recipient, ahead of campaigns. The answer is its message delivery: one that may not be sent has the status skipped with its reason. A template that is not launched, and a message with another trigger, is refused with 409. Each repeat without an Idempotency-Key sends again. Cancel it with the operation cancelMessageDelivery, and learn what happened with explainMessageDelivery. Scope: `partner:message_sends:write`. (`sendMessage`)"""
        return self._call("sendMessage", (id,), options, body=body)

    def send_batch(
        self,
        id: str,
        body: m.SendMessageBatchRequest,
        **options: Unpack[Options],
    ) -> m.MessageSendReport:
        """Sends a launched message whose trigger is on_request to up to 100 recipients, as the operation sendMessage does to one. Each send stands by itself: results has the message delivery of each, or what is wrong with it. Each repeat without an Idempotency-Key sends again. Scope: `partner:message_sends:write`. (`sendMessageBatch`)"""
        return self._call("sendMessageBatch", (id,), options, body=body)


class TestRecipients(Resource):
    def list(
        self,
        *,
        filter: m.ListTestRecipientsFilter | None = None,
        sort: m.ListContactDevicesSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.TestRecipient]:
        """Returns the test recipients of the team. Most of each address is hidden. Scope: `partner:messages:read`. (`listTestRecipients`)"""
        return self._list("listTestRecipients", (), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    def create(self, body: m.TestRecipientCreate, **options: Unpack[Options]) -> m.TestRecipient:
        """Adds an address that test sends may go to after its owner has confirmed it. The address gets one message with a link, which is valid for 7 days. An address that is known answers 200; while it is pending, it gets the link again. The messages have daily limits; beyond them the answer is 429. A team has at most 100 test recipients, and pending ones are deleted after their link. Scope: `partner:messages:write`. (`createTestRecipient`)"""
        return self._call("createTestRecipient", (), options, body=body)

    def get(self, id: str, **options: Unpack[Options]) -> m.TestRecipient:
        """Returns one test recipient. Test sends may go to it once its status is confirmed. It has no side effects. Scope: `partner:messages:read`. (`getTestRecipient`)"""
        return self._call("getTestRecipient", (id,), options)

    def delete(self, id: str, **options: Unpack[Options]) -> None:
        """Deletes a test recipient and its address permanently. Its confirmation link stops working, and waiting test sends to it are dropped. Scope: `partner:messages:delete`. (`deleteTestRecipient`)"""
        self._run("deleteTestRecipient", (id,), options)


class ArchivedMessages(Resource):
    def list(
        self,
        *,
        filter: m.ListArchivedMessagesFilter | None = None,
        sort: m.ListArchivedMessagesSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.ArchivedMessage]:
        """Returns messages that providers took while the team archived what was sent. Addresses are masked, and contents are left out; getArchivedMessage shows both. Scope: `partner:archived_messages:read`. (`listArchivedMessages`)"""
        return self._list("listArchivedMessages", (), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    def get(self, id: str, **options: Unpack[Options]) -> m.ArchivedMessageDetails:
        """Returns a message as the provider got it, with the address. Its id is that of the message delivery. Reads are counted in the audit trail. Content and address are absent where content_status is not stored. Scope: `partner:archived_messages:read`. (`getArchivedMessage`)"""
        return self._call("getArchivedMessage", (id,), options)


class ContactReads(Resource):
    def list(
        self,
        *,
        filter: m.ListContactReadsFilter | None = None,
        sort: m.ListContactReadsSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.ContactRead]:
        """Returns the read log, which the team switches on with retention.contact_reads_days: the first answer of each hour, by client and endpoint, that named a contact. Exports of lists are in the audit trail. createExport writes the log to a file. Scope: `partner:audit:read`. (`listContactReads`)"""
        return self._list("listContactReads", (), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})


class LegalHolds(Resource):
    def list(
        self,
        *,
        filter: m.ListLegalHoldsFilter | None = None,
        sort: m.ListContactDevicesSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.LegalHold]:
        """Returns the legal holds of the team, also those that were released. Scope: `partner:legal_holds:read`. (`listLegalHolds`)"""
        return self._list("listLegalHolds", (), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    def create(self, body: m.LegalHoldCreate, **options: Unpack[Options]) -> m.LegalHold:
        """Places a legal hold on the contact that the body names, or on the team. While it stands, archived messages are not deleted when their term ends, and erasures are refused with 409 legal_hold. An erasure that was accepted before is completed. A team has at most 1,000 holds that stand; release them with the operation releaseLegalHold. Scope: `partner:legal_holds:write`. (`createLegalHold`)"""
        return self._call("createLegalHold", (), options, body=body)

    def get(self, id: str, **options: Unpack[Options]) -> m.LegalHold:
        """Returns one legal hold with its reason and state. While it is active, its contact, or each one of the team, cannot be erased. Its reason names nobody and outlives the contact. Scope: `partner:legal_holds:read`. (`getLegalHold`)"""
        return self._call("getLegalHold", (id,), options)

    def release(self, id: str, **options: Unpack[Options]) -> m.LegalHold:
        """Releases a legal hold. Archived messages whose term has ended are then deleted by the next maintenance, and erasures are possible again. A released hold stays as it is. Place a new one to hold again. Scope: `partner:legal_holds:write`. (`releaseLegalHold`)"""
        return self._call("releaseLegalHold", (id,), options)


class MessageDeliveries(Resource):
    def list(
        self,
        *,
        filter: m.ListMessageDeliveriesFilter | None = None,
        sort: m.ListMessageDeliveriesSort | None = None,
        include: m.ListMessageDeliveriesInclude | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.MessageDeliveryRow]:
        """Returns the deliveries of messages to contacts, filtered by message, template, contact or journey. A skip_reason says why one was not sent. Most of each address is hidden. Scope: `partner:messages:read`. (`listMessageDeliveries`)"""
        return self._list("listMessageDeliveries", (), options, query={"filter": filter, "sort": sort, "include": include, "meta": meta, "page": page})

    def get(self, id: str, **options: Unpack[Options]) -> m.MessageDelivery:
        """Returns one delivery of a message with its status and the times of its steps. The address is masked. Use explainMessageDelivery to learn the reasons. Scope: `partner:messages:read`. (`getMessageDelivery`)"""
        return self._call("getMessageDelivery", (id,), options)

    def explain(self, id: str, **options: Unpack[Options]) -> m.MessageDeliveryExplanation:
        """Returns why a message was or was not sent, and what happened to it. The reasons are derived from the delivery, and nothing is changed. Start here when a contact says that a message did not arrive. Scope: `partner:messages:read`. (`explainMessageDelivery`)"""
        return self._call("explainMessageDelivery", (id,), options)

    def cancel(self, id: str, **options: Unpack[Options]) -> m.MessageDelivery:
        """Cancels a message that is scheduled or queued, so that it is not sent. A message that is being sent at this moment, or was sent, is refused with 409. It cannot be undone. Scope: `partner:messages:write`. (`cancelMessageDelivery`)"""
        return self._call("cancelMessageDelivery", (id,), options)


class Pages(Resource):
    def list(
        self,
        *,
        filter: m.ListPagesFilter | None = None,
        sort: m.ListTopicsSort | None = None,
        include: m.ListMessagesInclude | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.PageRow]:
        """Returns the pages of all templates. The completion_rule of each says when its recipient has done the step. Scope: `partner:pages:read`. (`listPages`)"""
        return self._list("listPages", (), options, query={"filter": filter, "sort": sort, "include": include, "meta": meta, "page": page})

    def get(self, id: str, **options: Unpack[Options]) -> m.Page:
        """Returns one page of a template with the ids of its content blocks. Its content_block_ids are in the order in which the recipient sees them. The version rises with every change. Scope: `partner:pages:read`. (`getPage`)"""
        return self._call("getPage", (id,), options)

    def update(self, id: str, body: m.PagePatch, **options: Unpack[Options]) -> m.Page:
        """Changes the fields that the body names, or moves the page to another position. A locked template is refused with 409. A change of the content increases version. Scope: `partner:pages:write`. (`updatePage`)"""
        return self._call("updatePage", (id,), options, body=body)

    def delete(self, id: str, **options: Unpack[Options]) -> None:
        """Deletes a page permanently. A locked template is refused with 409. The content blocks of the page stay. Scope: `partner:pages:delete`. (`deletePage`)"""
        self._run("deletePage", (id,), options)

    def render(
        self,
        id: str,
        body: m.RenderContentBlockRequest | None = None,
        **options: Unpack[Options],
    ) -> m.RenderedPage:
        """Returns the HTML of a page for a contact, a sample person or given data. Variables that do not exist are listed in unknown_variables; they prevent a launch. Nothing is stored. The data of a contact needs the scope partner:contacts:read. Scope: `partner:pages:read`. (`renderPage`)"""
        return self._call("renderPage", (id,), options, body=body)


class Objectives(Resource):
    def list(
        self,
        *,
        filter: m.ListObjectivesFilter | None = None,
        sort: m.ListObjectivesSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.Objective]:
        """Returns the objectives of the team, the archived ones as well. is_standard marks those that every team has from the start; completion_count is the number of completions. Scope: `partner:objectives:read`. (`listObjectives`)"""
        return self._list("listObjectives", (), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    def create(self, body: m.ObjectiveCreate, **options: Unpack[Options]) -> m.Objective:
        """Creates an objective that contacts can complete. The key must be unique in the team and cannot be changed later. A team has at most 500 objectives. List the objective in a template, or record completions of it directly. Scope: `partner:objectives:write`. (`createObjective`)"""
        return self._call("createObjective", (), options, body=body)

    def get(self, id: str, **options: Unpack[Options]) -> m.Objective:
        """Returns one objective with its value and its attribution. Its key is fixed. The attribution window says for how many days a journey is credited with a completion. Scope: `partner:objectives:read`. (`getObjective`)"""
        return self._call("getObjective", (id,), options)

    def update(self, id: str, body: m.ObjectivePatch, **options: Unpack[Options]) -> m.Objective:
        """Changes the fields that the body names. The key is fixed. Completions that were recorded before keep their value. A body that changes nothing records nothing. Scope: `partner:objectives:write`. (`updateObjective`)"""
        return self._call("updateObjective", (id,), options, body=body)

    def delete(self, id: str, **options: Unpack[Options]) -> None:
        """Deletes an objective permanently. An objective that a template lists, or that was completed, is refused with 409 and can be archived instead. Scope: `partner:objectives:delete`. (`deleteObjective`)"""
        self._run("deleteObjective", (id,), options)

    def archive(self, id: str, **options: Unpack[Options]) -> m.Objective:
        """Archives an objective, which can then no longer be completed. Completions that were recorded stay in counts and insights. An archived objective is refused with 409. It can be unarchived. Scope: `partner:objectives:write`. (`archiveObjective`)"""
        return self._call("archiveObjective", (id,), options)

    def unarchive(self, id: str, **options: Unpack[Options]) -> m.Objective:
        """Unarchives an objective, so that it can be completed again. An objective that is not archived is refused with 409. Its completions are as they were. Scope: `partner:objectives:write`. (`unarchiveObjective`)"""
        return self._call("unarchiveObjective", (id,), options)

    def list_completions(
        self,
        id: str,
        *,
        filter: m.ListCompletionsFilter | None = None,
        sort: m.ListCompletionsSort | None = None,
        include: m.ListCompletionsInclude | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.ObjectiveCompletionRow]:
        """Returns the completions of one objective, the voided ones as well. The attribution says whether a journey led to one; unique_id distinguishes repeats. Scope: `partner:objectives:read`. (`listObjectiveCompletions`)"""
        return self._list("listObjectiveCompletions", (id,), options, query={"filter": filter, "sort": sort, "include": include, "meta": meta, "page": page})

    def create_completion(
        self,
        id: str,
        body: m.ObjectiveCompletionCreate,
        **options: Unpack[Options],
    ) -> m.ObjectiveCompletion:
        """Records that a contact has completed an objective, and the event objective.completed. A repeat of the same completion answers 200 with the first one: an objective that is not repeatable is completed once by a contact, and a unique_id counts once. The time is now unless completed_at says otherwise. Journeys of the contact that wait for the objective continue. Scope: `partner:objectives:write`. (`createObjectiveCompletion`)"""
        return self._call("createObjectiveCompletion", (id,), options, body=body)


class Team(Resource):
    def get(self, **options: Unpack[Options]) -> m.Team:
        """Returns the team of the token with its settings, such as time zone, currency, quiet hours and frequency cap. A token belongs to exactly one team. Scope: `partner:team:read`. (`getTeam`)"""
        return self._call("getTeam", (), options)

    def update(self, body: m.TeamPatch, **options: Unpack[Options]) -> m.Team:
        """Changes the settings of the team. Null ends the quiet hours, the frequency cap, the retention of its own or the tracking. No term becomes shorter while a legal hold stands. A new term of archived messages holds for those sent afterwards. Messages that are scheduled follow the new settings when they are due. Scope: `partner:team:write`. (`updateTeam`)"""
        return self._call("updateTeam", (), options, body=body)


class Users(Resource):
    def list(
        self,
        *,
        filter: m.ListUsersFilter | None = None,
        sort: m.ListUsersSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.User]:
        """Returns the users of the team. Invited and suspended ones are among them. The role is for the applications of the team: the service grants nothing by it. Scope: `partner:users:read`. (`listUsers`)"""
        return self._list("listUsers", (), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    def create(self, body: m.UserCreate, **options: Unpack[Options]) -> m.User:
        """Adds a user with the status invited and records the event user.invited. The service sends no mail: send the invitation when you receive the event. A status in the body is accepted and ignored; a user becomes active by the operation activateUser. The role is viewer unless the body names another one, and the invitation expires after seven days. The address must be unique in the team, and a team has at most 1,000 users. Scope: `partner:users:write`. (`createUser`)"""
        return self._call("createUser", (), options, body=body)

    def get(self, id: str, **options: Unpack[Options]) -> m.User:
        """Returns one user with the role, the status and the end of an open invitation. It has no side effects. Scope: `partner:users:read`. (`getUser`)"""
        return self._call("getUser", (id,), options)

    def update(self, id: str, body: m.UserPatch, **options: Unpack[Options]) -> m.User:
        """Changes the address, the name or the role of a user and records the event user.updated. The last active admin cannot lose the role. An address that another user has is refused with 409. The change is recorded in the audit trail. Scope: `partner:users:write`. (`updateUser`)"""
        return self._call("updateUser", (id,), options, body=body)

    def delete(self, id: str, **options: Unpack[Options]) -> None:
        """Deletes a user permanently and records the event user.deleted. The last active admin cannot be deleted. Audit events of the user stay. Scope: `partner:users:delete`. (`deleteUser`)"""
        self._run("deleteUser", (id,), options)

    def resend_invite(self, id: str, **options: Unpack[Options]) -> m.User:
        """Invites a user again, and the invitation is valid for another seven days. It records the event user.invited and sends no mail. A user who has signed in is refused with 409. Scope: `partner:users:write`. (`resendUserInvite`)"""
        return self._call("resendUserInvite", (id,), options)

    def activate(
        self,
        id: str,
        body: m.ActivateUserRequest | None = None,
        **options: Unpack[Options],
    ) -> m.User:
        """Records that an invited user has signed in for the first time, and makes the user active. The service that signs users in calls it. An expired invitation is refused with 409: send it again first. It records the event user.activated. Scope: `partner:users:write`. (`activateUser`)"""
        return self._call("activateUser", (id,), options, body=body)

    def suspend(self, id: str, **options: Unpack[Options]) -> m.User:
        """Suspends a user, who then counts as inactive, and records the event user.suspended. The last active admin cannot be suspended. End the suspension with the operation reactivateUser. Scope: `partner:users:write`. (`suspendUser`)"""
        return self._call("suspendUser", (id,), options)

    def reactivate(self, id: str, **options: Unpack[Options]) -> m.User:
        """Ends the suspension of a user. The user is active again, or invited if the user has never signed in. It records the event user.activated or user.invited. A user who is not suspended is refused with 409. Scope: `partner:users:write`. (`reactivateUser`)"""
        return self._call("reactivateUser", (id,), options)


class PortalSessions(Resource):
    def create(
        self,
        body: m.PortalSessionCreate | None = None,
        **options: Unpack[Options],
    ) -> m.NewPortalSession:
        """Makes a session of the team’s pages (webhooks, batches, campaigns and others) for a person, and answers with its link. The link opens the session once, within five minutes. The session shows and does only what its scopes allow; without any it reads what your token reads. To embed it, put the link into an iframe of a page of allowed_origins. Scope: `partner:portal_sessions:write`. (`createPortalSession`)"""
        return self._call("createPortalSession", (), options, body=body)

    def list(
        self,
        *,
        filter: m.ListPortalSessionsFilter | None = None,
        sort: m.ListPortalSessionsSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.PortalSession]:
        """Returns the sessions of the team’s pages that were not ended, for a week. Scope: `partner:portal_sessions:read`. (`listPortalSessions`)"""
        return self._list("listPortalSessions", (), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    def get(self, id: str, **options: Unpack[Options]) -> m.PortalSession:
        """Returns one session: its scopes, its end, and whether its link was opened. The link itself is not shown again. Scope: `partner:portal_sessions:read`. (`getPortalSession`)"""
        return self._call("getPortalSession", (id,), options)

    def delete(self, id: str, **options: Unpack[Options]) -> None:
        """Ends a session: its link opens nothing, and its token is refused within five seconds. The session leaves the list; the audit trail has its end. Scope: `partner:portal_sessions:write`. (`deletePortalSession`)"""
        self._run("deletePortalSession", (id,), options)

    def open(
        self,
        id: str,
        body: m.PortalSessionOpen,
        **options: Unpack[Options],
    ) -> m.OpenedPortalSession:
        """The page at a link calls it, without a token. It answers once, with an access token that has the scopes and the end of the session. A link that was opened, is over or is wrong is refused with 404. (`openPortalSession`)"""
        return self._call("openPortalSession", (id,), options, body=body)


class AuditEvents(Resource):
    def list(
        self,
        *,
        filter: m.ListAuditEventsFilter | None = None,
        sort: m.ListRequestsSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.AuditEvent]:
        """Returns who changed which administrative resource of the team, the latest first. Each event has the request id and the change. Scope: `partner:audit:read`. (`listAuditEvents`)"""
        return self._list("listAuditEvents", (), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    def get(self, id: str, **options: Unpack[Options]) -> m.AuditEvent:
        """Returns one audit event with the change that it records. Audit events cannot be changed or deleted through the interface. Scope: `partner:audit:read`. (`getAuditEvent`)"""
        return self._call("getAuditEvent", (id,), options)


class SendingDomains(Resource):
    def list(
        self,
        *,
        filter: m.ListSendingDomainsFilter | None = None,
        sort: m.ListContactDevicesSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.SendingDomain]:
        """Returns the domains from which the team sends e-mail, with their DNS records. Scope: `partner:sending_domains:read`. (`listSendingDomains`)"""
        return self._list("listSendingDomains", (), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    def create(self, body: m.SendingDomainCreate, **options: Unpack[Options]) -> m.SendingDomain:
        """Adds a domain from which the team sends e-mail. Publish the records of dns_records in its zone. The service looks them up at growing intervals and records the event sending_domain.verified; until then, messages with an address of the domain as from_email are refused. A domain that the team has already answers 200 and stays as it is. A team has at most 20 sending domains. Scope: `partner:sending_domains:write`. (`createSendingDomain`)"""
        return self._call("createSendingDomain", (), options, body=body)

    def get(self, id: str, **options: Unpack[Options]) -> m.SendingDomain:
        """Returns one sending domain with the records to publish and the result of their last check. It has no side effects. Scope: `partner:sending_domains:read`. (`getSendingDomain`)"""
        return self._call("getSendingDomain", (id,), options)

    def delete(self, id: str, **options: Unpack[Options]) -> None:
        """Deletes a sending domain and its private key permanently. E-mails from it that are not sent yet are skipped with the reason sender_not_verified. A domain that is added again gets other records. Scope: `partner:sending_domains:delete`. (`deleteSendingDomain`)"""
        self._run("deleteSendingDomain", (id,), options)

    def verify(self, id: str, **options: Unpack[Options]) -> m.SendingDomain:
        """Requests a check of the DNS records of a sending domain without waiting for the next one. The check runs in the background. Get the domain until last_checked_at has changed. Verified domains can be checked as well. Scope: `partner:sending_domains:write`. (`verifySendingDomain`)"""
        return self._call("verifySendingDomain", (id,), options)


class SendingProviders(Resource):
    def list(
        self,
        *,
        filter: m.ListSendingProvidersFilter | None = None,
        sort: m.ListContactDevicesSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.SendingProvider]:
        """Returns the sending providers of the team with their state. Secrets are never returned. Scope: `partner:sending_providers:read`. (`listSendingProviders`)"""
        return self._list("listSendingProviders", (), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    def create(
        self,
        body: m.SendingProviderCreate,
        **options: Unpack[Options],
    ) -> m.SendingProvider:
        """Adds a provider of one channel. Once a team has an active provider for a channel, its messages of that channel leave through its own providers only, by priority. The token needs the scopes that read messages and contacts, since the provider receives both. A team has at most 10 sending providers, and 5 for a channel. Test the login with testSendingProvider next, and release it with releaseSendingProvider where the team has requires_provider_release. Scope: `partner:sending_providers:write`. (`createSendingProvider`)"""
        return self._call("createSendingProvider", (), options, body=body)

    def get(self, id: str, **options: Unpack[Options]) -> m.SendingProvider:
        """Returns one sending provider with its state: the last test, and since when and why it accepts nothing. Its secret is never returned. It has no side effects. Scope: `partner:sending_providers:read`. (`getSendingProvider`)"""
        return self._call("getSendingProvider", (id,), options)

    def update(
        self,
        id: str,
        body: m.SendingProviderPatch,
        **options: Unpack[Options],
    ) -> m.SendingProvider:
        """Changes the fields that the body names; a secret replaces the stored one without an overlap. Another server needs the secret in the same body, so that a stored one is never sent elsewhere. Messages that are not sent yet leave with the new settings, and a halted provider is tried again. Another server, account or secret ends a release of the settings. Replace a secret with an overlap by rotateSendingProviderSecret. Scope: `partner:sending_providers:write`. (`updateSendingProvider`)"""
        return self._call("updateSendingProvider", (id,), options, body=body)

    def delete(self, id: str, **options: Unpack[Options]) -> None:
        """Deletes a sending provider and its secrets permanently. Messages that are not sent yet leave through the other providers of the team. Without another active one for the channel, they leave through the provider of the installation, where it is offered to the team, or wait. Scope: `partner:sending_providers:delete`. (`deleteSendingProvider`)"""
        self._run("deleteSendingProvider", (id,), options)

    def test(self, id: str, **options: Unpack[Options]) -> m.SendingProvider:
        """Requests a test of a sending provider: a worker connects and logs in, and sends no message. The answer has test_status pending. Get the provider until test_status is succeeded or failed; test_error_code says why. Providers of a team are tested one after the other; an inactive provider can be tested as well. Scope: `partner:sending_providers:write`. (`testSendingProvider`)"""
        return self._call("testSendingProvider", (id,), options)

    def rotate_secret(
        self,
        id: str,
        body: m.RotateSendingProviderSecretRequest,
        **options: Unpack[Options],
    ) -> m.SendingProvider:
        """Replaces the secret of a sending provider. Where the provider rejects the new secret, the old one is used until the overlap ends, which is 24 hours unless the body names another time of at most seven days. A rotation whose overlap has not ended is refused with 409 unless force is true. Revoke the old secret at the provider afterwards. Scope: `partner:sending_providers:write`. (`rotateSendingProviderSecret`)"""
        return self._call("rotateSendingProviderSecret", (id,), options, body=body)

    def release(self, id: str, **options: Unpack[Options]) -> m.SendingProvider:
        """Releases the present settings of a sending provider. Where the team has requires_provider_release, messages leave through released providers only. The client that last changed the server, the account or the secret is refused with 409; an operator can release them too. Another change of these needs another release. Scope: `partner:sending_providers:write`. (`releaseSendingProvider`)"""
        return self._call("releaseSendingProvider", (id,), options)


class Completions(Resource):
    def list(
        self,
        *,
        filter: m.ListCompletionsFilter | None = None,
        sort: m.ListCompletionsSort | None = None,
        include: m.ListCompletionsInclude | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.ObjectiveCompletionRow]:
        """Returns the completions of all objectives, the voided ones as well. The attribution says whether a journey led to one. Counts and insights leave voided ones out. Scope: `partner:objectives:read`. (`listCompletions`)"""
        return self._list("listCompletions", (), options, query={"filter": filter, "sort": sort, "include": include, "meta": meta, "page": page})

    def get(self, id: str, **options: Unpack[Options]) -> m.ObjectiveCompletion:
        """Returns one completion with its value and the journey that it is attributed to. A voided completion has voided_at and void_reason, and no longer counts. Scope: `partner:objectives:read`. (`getObjectiveCompletion`)"""
        return self._call("getObjectiveCompletion", (id,), options)

    def void(
        self,
        id: str,
        body: m.VoidObjectiveCompletionRequest,
        **options: Unpack[Options],
    ) -> m.ObjectiveCompletion:
        """Voids a completion, which takes it out of counts and insights, and records the event objective.voided. The record stays, with the reason. A completion that is voided already is refused with 409. It cannot be undone: record the completion again instead. Scope: `partner:objectives:write`. (`voidObjectiveCompletion`)"""
        return self._call("voidObjectiveCompletion", (id,), options, body=body)

    def get_counts(
        self,
        *,
        period: str | None = None,
        timezone: str | None = None,
        **options: Unpack[Options],
    ) -> m.ObjectiveCompletionsCounts:
        """Returns the number and the value of the completions of a period by objective. The period is the last 30 times 24 hours unless the parameter names another one of at most 731 days. Voided completions are not counted. Scope: `partner:objectives:read`. (`getObjectiveCompletionsCounts`)"""
        return self._call("getObjectiveCompletionsCounts", (), options, query={"period": period, "timezone": timezone})


class EngagementEvents(Resource):
    def list(
        self,
        *,
        filter: m.ListEngagementEventsFilter | None = None,
        sort: m.ListRequestsSort | None = None,
        include: m.ListEngagementEventsInclude | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.EngagementEventRow]:
        """Returns the engagement events of the team, the latest first. is_machine marks those of scanners and proxies. Rows never change: continue from the last occurred_at. Scope: `partner:engagement:read`. (`listEngagementEvents`)"""
        return self._list("listEngagementEvents", (), options, query={"filter": filter, "sort": sort, "include": include, "meta": meta, "page": page})

    def record(
        self,
        body: m.RecordEngagementEventsRequest,
        **options: Unpack[Options],
    ) -> m.RecordEngagementEventsResponse:
        """Records up to 500 engagement events. Either all of them are recorded or none: problems of all events are listed with their places. An event whose unique_id was recorded before counts as a duplicate and is not recorded again. Repeat a request that failed with the same unique_ids. Scope: `partner:engagement:write`. (`recordEngagementEvents`)"""
        return self._call("recordEngagementEvents", (), options, body=body)

    def get(self, id: str, **options: Unpack[Options]) -> m.EngagementEvent:
        """Returns one engagement event. Addresses of clients are stored as their network only. Events never change. Scope: `partner:engagement:read`. (`getEngagementEvent`)"""
        return self._call("getEngagementEvent", (id,), options)


class CustomEventTypes(Resource):
    def list(
        self,
        *,
        filter: m.ListCustomEventTypesFilter | None = None,
        sort: m.ListObjectivesSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.CustomEventType]:
        """Returns the event types that the team has defined, with their schemas. Events of such a type are published with the operation publishEvents. Scope: `partner:custom_event_types:read`. (`listCustomEventTypes`)"""
        return self._list("listCustomEventTypes", (), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    def create(
        self,
        body: m.CustomEventTypeCreate,
        **options: Unpack[Options],
    ) -> m.CustomEventType:
        """Defines an event type of the team, whose name begins with "custom." and cannot be changed later. The schema is the part of JSON Schema that the field describes; without one the data may be any object. A team has at most 200 event types. Publish events with the operation publishEvents next, and subscribe to the name by a webhook subscription. Scope: `partner:custom_event_types:write`. (`createCustomEventType`)"""
        return self._call("createCustomEventType", (), options, body=body)

    def get(self, id: str, **options: Unpack[Options]) -> m.CustomEventType:
        """Returns one event type of the team with its schema. The data of a published event must fit the schema. The name is fixed. Scope: `partner:custom_event_types:read`. (`getCustomEventType`)"""
        return self._call("getCustomEventType", (id,), options)

    def update(
        self,
        id: str,
        body: m.CustomEventTypePatch,
        **options: Unpack[Options],
    ) -> m.CustomEventType:
        """Changes the fields that the body names. The name is fixed. A new schema holds for events that are published from then on; recorded events stay as they are. Scope: `partner:custom_event_types:write`. (`updateCustomEventType`)"""
        return self._call("updateCustomEventType", (id,), options, body=body)

    def delete(self, id: str, **options: Unpack[Options]) -> None:
        """Deletes an event type, so that no further event of it is accepted. Recorded events, their deliveries, and the subscriptions, cohorts and triggers that name the type stay. The name can be defined again. Scope: `partner:custom_event_types:delete`. (`deleteCustomEventType`)"""
        self._run("deleteCustomEventType", (id,), options)


class Events(Resource):
    def publish(
        self,
        body: m.PublishEventsRequest,
        **options: Unpack[Options],
    ) -> m.RecordEngagementEventsResponse:
        """Records up to 500 events of custom types as engagement events, and sends each to the webhook subscriptions that match its type. Either all of them are published or none: problems of all events are listed with their places. An event whose unique_id the team has published within 25 months counts as a duplicate and is not published again, even with another type. Repeat a request that failed with the same unique_ids. Scope: `partner:events:write`. (`publishEvents`)"""
        return self._call("publishEvents", (), options, body=body)


class SftpCredentials(Resource):
    def list(
        self,
        *,
        filter: m.ListSftpCredentialsFilter | None = None,
        sort: m.ListObjectivesSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.SftpCredential]:
        """Returns the SFTP credentials of the team. Private keys are never returned. Revoked and expired ones are among them, with the time of their last use. Scope: `partner:sftp:read`. (`listSftpCredentials`)"""
        return self._list("listSftpCredentials", (), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    def create(
        self,
        body: m.SftpCredentialsCreate,
        **options: Unpack[Options],
    ) -> m.CreatedSftpCredential:
        """Creates SFTP credentials for your public key, or for a key pair that the service generates; the private key of a generated pair is shown in this answer only. A public key can be used by one credential of the team, which has at most 20 active ones. Files are imported with the rights of your client, and a purpose needs the scopes of its operations. Connect with the username, host and host key of the answer. Scope: `partner:sftp:write`. (`createSftpCredentials`)"""
        return self._call("createSftpCredentials", (), options, body=body)

    def get(self, id: str, **options: Unpack[Options]) -> m.SftpCredential:
        """Returns one SFTP credential with its username, host and status. Private keys are never returned. It has no side effects. Scope: `partner:sftp:read`. (`getSftpCredential`)"""
        return self._call("getSftpCredential", (id,), options)

    def update(
        self,
        id: str,
        body: m.SftpCredentialPatch,
        **options: Unpack[Options],
    ) -> m.SftpCredential:
        """Changes the name, the purpose, the networks or the end of SFTP credentials. The public key is fixed. Only active credentials can get another end. The change applies to the next connection. Any change but that of the name needs the scopes of the files, which are then imported with the rights of your client. Scope: `partner:sftp:write`. (`updateSftpCredential`)"""
        return self._call("updateSftpCredential", (id,), options, body=body)

    def delete(self, id: str, **options: Unpack[Options]) -> None:
        """Deletes SFTP credentials permanently. They can no longer be used to connect, and their public key can be used again. Files that arrived stay. Scope: `partner:sftp:delete`. (`deleteSftpCredential`)"""
        self._run("deleteSftpCredential", (id,), options)

    def revoke(self, id: str, **options: Unpack[Options]) -> m.SftpCredential:
        """Revokes active SFTP credentials permanently. They can no longer be used to connect. Credentials that are revoked or expired are refused with 409. Create other credentials to continue. Scope: `partner:sftp:write`. (`revokeSftpCredential`)"""
        return self._call("revokeSftpCredential", (id,), options)


class SftpUploads(Resource):
    def list(
        self,
        *,
        filter: m.ListSftpUploadsFilter | None = None,
        sort: m.ListSftpUploadsSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.SftpUpload]:
        """Returns the files that arrived by SFTP or were fetched from a file source, with the state of their import. Scope: `partner:sftp:read`. (`listSftpUploads`)"""
        return self._list("listSftpUploads", (), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    def get(self, id: str, **options: Unpack[Options]) -> m.SftpUpload:
        """Returns one file that arrived by SFTP or was fetched, and the import that it started. Its error says why a file was not imported. Read the results of the items at the batch operation. Scope: `partner:sftp:read`. (`getSftpUpload`)"""
        return self._call("getSftpUpload", (id,), options)


class FileSources(Resource):
    def list(
        self,
        *,
        filter: m.ListFileSourcesFilter | None = None,
        sort: m.ListObjectivesSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.FileSource]:
        """Returns the file sources of the team. Credentials are never returned. test_status shows whether the last login succeeded. Scope: `partner:sftp:read`. (`listFileSources`)"""
        return self._list("listFileSources", (), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    def create(self, body: m.FileSourceCreate, **options: Unpack[Options]) -> m.FileSource:
        """Creates a file source: a server from which the service fetches each file that a file_transfer_a callback names, and imports it. Send one credential: password, private_key, generate_key_pair or bearer_token; it is stored encrypted and never returned. A team has at most 20 file sources. Files are imported with the rights of your client, which needs the scopes of the operations of the purpose. Enter the public_key of the answer at the server. Scope: `partner:sftp:write`. (`createFileSource`)"""
        return self._call("createFileSource", (), options, body=body)

    def get(self, id: str, **options: Unpack[Options]) -> m.FileSource:
        """Returns one file source. Its credential is never returned. The host keys by which the server is known, and the outcome of the last test, are in it. Scope: `partner:sftp:read`. (`getFileSource`)"""
        return self._call("getFileSource", (id,), options)

    def update(self, id: str, body: m.FileSourcePatch, **options: Unpack[Options]) -> m.FileSource:
        """Changes the fields that the body names; a credential replaces the stored one. Another host or port needs the password or token in the same body, so that a stored one is never sent to another server. The change applies to the next attempt to fetch a file. With is_active false, fetches of the source end. Any change but that of the name, or to switch it off, needs the scopes of the files, which are then imported with the rights of your client. Scope: `partner:sftp:write`. (`updateFileSource`)"""
        return self._call("updateFileSource", (id,), options, body=body)

    def delete(self, id: str, **options: Unpack[Options]) -> None:
        """Deletes a file source and its credential permanently. Fetches that wait or run end as failed. Files that were fetched stay. Scope: `partner:sftp:delete`. (`deleteFileSource`)"""
        self._run("deleteFileSource", (id,), options)

    def test(self, id: str, **options: Unpack[Options]) -> m.FileSource:
        """Requests a test of a file source: a worker connects, checks the key or the certificate of the server, logs in and reads no file. The answer has test_status pending. Get the source until test_status is succeeded or failed; test_error says why. Sources of a team are tested one after the other; an inactive source can be tested as well. Scope: `partner:sftp:write`. (`testFileSource`)"""
        return self._call("testFileSource", (id,), options)


class WidgetInstances(Resource):
    def list(
        self,
        *,
        filter: m.ListWidgetInstancesFilter | None = None,
        sort: m.ListObjectivesSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.WidgetInstance]:
        """Returns the widgets of the team. Archived widgets are returned only where a filter names is_archived. The publishable_key of each names it on a page; it is no secret. Scope: `partner:widgets:read`. (`listWidgetInstances`)"""
        return self._list("listWidgetInstances", (), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    def create(self, body: m.WidgetInstanceCreate, **options: Unpack[Options]) -> m.WidgetInstance:
        """Creates a widget that pages of the allowed origins can embed. The kind is fixed afterwards. A team has at most 100 widgets. Create a token for each recipient with the operation createWidgetToken. Scope: `partner:widgets:write`. (`createWidgetInstance`)"""
        return self._call("createWidgetInstance", (), options, body=body)

    def get(self, id: str, **options: Unpack[Options]) -> m.WidgetInstance:
        """Returns one widget with its settings and allowed origins. Pages of other origins cannot embed it. The publishable_key is no secret. Scope: `partner:widgets:read`. (`getWidgetInstance`)"""
        return self._call("getWidgetInstance", (id,), options)

    def update(
        self,
        id: str,
        body: m.WidgetInstancePatch,
        **options: Unpack[Options],
    ) -> m.WidgetInstance:
        """Changes the fields that the body names. The kind is fixed. Pages that embed the widget follow the change with their next call. The change is recorded in the audit trail. Scope: `partner:widgets:write`. (`updateWidgetInstance`)"""
        return self._call("updateWidgetInstance", (id,), options, body=body)

    def delete(self, id: str, **options: Unpack[Options]) -> None:
        """Deletes a widget permanently. Pages that embed it show nothing, and its tokens open nothing. Archive it instead where it may return. Scope: `partner:widgets:delete`. (`deleteWidgetInstance`)"""
        self._run("deleteWidgetInstance", (id,), options)

    def archive(self, id: str, **options: Unpack[Options]) -> m.WidgetInstance:
        """Archives a widget. Pages that embed it show nothing. A widget that is archived is refused with 409. It can be unarchived. Scope: `partner:widgets:write`. (`archiveWidgetInstance`)"""
        return self._call("archiveWidgetInstance", (id,), options)

    def unarchive(self, id: str, **options: Unpack[Options]) -> m.WidgetInstance:
        """Unarchives a widget. Pages that embed it show it again where it is active. A widget that is not archived is refused with 409. Scope: `partner:widgets:write`. (`unarchiveWidgetInstance`)"""
        return self._call("unarchiveWidgetInstance", (id,), options)

    def create_token(
        self,
        id: str,
        body: m.WidgetTokenCreate,
        **options: Unpack[Options],
    ) -> m.WidgetToken:
        """Creates a token with which a page shows a widget to one recipient. Call it from your server, and pass the token to the page. The token is valid for one hour and is bound to the widget, the contact and the origin that the body names. Set assurance to authenticated only where you have signed the person in. The page calls the operation bootstrapWidget next. Scope: `partner:widgets:execute`. (`createWidgetToken`)"""
        return self._call("createWidgetToken", (id,), options, body=body)

    def revoke_tokens(
        self,
        id: str,
        body: m.RevokeWidgetTokensRequest | None = None,
        **options: Unpack[Options],
    ) -> None:
        """Ends one token of a widget, or all tokens where the body names none, with the sessions that they opened. An unknown token gets the same answer with status 204. Recipients need a new token afterwards. Scope: `partner:widgets:execute`. (`revokeWidgetTokens`)"""
        self._run("revokeWidgetTokens", (id,), options, body=body)


class Insights(Resource):
    def list(self, **options: Unpack[Options]) -> m.ListInsightsResponse:
        """Returns the insights with their definitions, their filters and the JSON Schemas of their values. The list is complete and is not paged. Choose from it the insight to request. Scope: `partner:insights:read`. (`listInsights`)"""
        return self._call("listInsights", (), options)

    def get_added_value_by_time(
        self,
        *,
        filter: m.GetAdvancedInsightAddedValueByTimeFilter | None = None,
        period: str | None = None,
        timezone: str | None = None,
        **options: Unpack[Options],
    ) -> m.InsightAddedValueByTime:
        """Completions within the period that a journey led to, voided ones left out. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightAddedValueByTime`)"""
        return self._call("getAdvancedInsightAddedValueByTime", (), options, query={"filter": filter, "period": period, "timezone": timezone})

    def get_campaign_engagement(
        self,
        *,
        filter: m.GetAdvancedInsightAddedValueByTimeFilter | None = None,
        period: str | None = None,
        timezone: str | None = None,
        **options: Unpack[Options],
    ) -> m.InsightCampaignEngagement:
        """Journeys that began before the end of the period and did not end before its start, without those held back. Engaged is who of their contacts has an event of a person within the period about the template: message.opened, message.clicked, page.*, widget.*, contact.replied. The other figures count such events, and totals add up the campaigns. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightCampaignEngagement`)"""
        return self._call("getAdvancedInsightCampaignEngagement", (), options, query={"filter": filter, "period": period, "timezone": timezone})

    def get_campaign_enrollment(
        self,
        *,
        filter: m.GetAdvancedInsightAddedValueByTimeFilter | None = None,
        period: str | None = None,
        timezone: str | None = None,
        **options: Unpack[Options],
    ) -> m.InsightCampaignEnrollment:
        """Journeys that began within the period. Those held back for comparison count as holdout only. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightCampaignEnrollment`)"""
        return self._call("getAdvancedInsightCampaignEnrollment", (), options, query={"filter": filter, "period": period, "timezone": timezone})

    def get_campaign_performance(
        self,
        *,
        filter: m.GetAdvancedInsightAddedValueByTimeFilter | None = None,
        period: str | None = None,
        timezone: str | None = None,
        **options: Unpack[Options],
    ) -> m.InsightCampaignPerformance:
        """Journeys that began within the period, without those held back; of them all messages and all completions that they led to, up to now. Messages are counted by contact. Totals add up the campaigns. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightCampaignPerformance`)"""
        return self._call("getAdvancedInsightCampaignPerformance", (), options, query={"filter": filter, "period": period, "timezone": timezone})

    def get_card_on_file_widget(
        self,
        *,
        filter: m.GetAdvancedInsightAddedValueByTimeFilter | None = None,
        period: str | None = None,
        timezone: str | None = None,
        **options: Unpack[Options],
    ) -> m.InsightCardOnFileWidget:
        """Events of people in widgets of the kind card_on_file: widget.loaded, widget.started, widget.submitted (a merchant is selected), widget.completed and widget.failed, the merchant being properties.merchant. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightCardOnFileWidget`)"""
        return self._call("getAdvancedInsightCardOnFileWidget", (), options, query={"filter": filter, "period": period, "timezone": timezone})

    def get_drivers(
        self,
        *,
        filter: m.GetAdvancedInsightAddedValueByTimeFilter | None = None,
        period: str | None = None,
        timezone: str | None = None,
        **options: Unpack[Options],
    ) -> m.InsightDrivers:
        """Journeys that began within the period; one is completed when it led to a completion, and the baseline are all but those held back. A journey is exposed to a message, page, widget or channel by an event of a person about it before its first completion, or by its cohort or its way of entry. The field lift is the rate of the exposed divided by that of the others, minus 1; lift_pp their difference in points of 100, ci95 its interval (Newcombe); groups below 30 are left out, and only the holdout shows what causes what. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightDrivers`)"""
        return self._call("getAdvancedInsightDrivers", (), options, query={"filter": filter, "period": period, "timezone": timezone})

    def get_enrollment_widget(
        self,
        *,
        filter: m.GetAdvancedInsightAddedValueByTimeFilter | None = None,
        period: str | None = None,
        timezone: str | None = None,
        **options: Unpack[Options],
    ) -> m.InsightEnrollmentWidget:
        """Events of people in widgets of the kind enrollment: widget.loaded, widget.started and widget.submitted; a visitor is a contact, or else properties.session_id. Enrolled are the journeys that began by a widget; duplicates are submissions with properties.outcome "duplicate", of people who were enrolled already. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightEnrollmentWidget`)"""
        return self._call("getAdvancedInsightEnrollmentWidget", (), options, query={"filter": filter, "period": period, "timezone": timezone})

    def get_gap_analysis(
        self,
        *,
        filter: m.GetAdvancedInsightAddedValueByTimeFilter | None = None,
        period: str | None = None,
        timezone: str | None = None,
        **options: Unpack[Options],
    ) -> m.InsightGapAnalysis:
        """As of the end of the period, eligible for an objective is who is an active contact and has had a journey, not held back, of a template with the objective; completed, who of them has completed it. The gap times what a completion is credited with now is potential_value_cents. Products are open accounts of active contacts, by kind. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightGapAnalysis`)"""
        return self._call("getAdvancedInsightGapAnalysis", (), options, query={"filter": filter, "period": period, "timezone": timezone})

    def get_messages(
        self,
        *,
        filter: m.GetAdvancedInsightMessagesFilter | None = None,
        period: str | None = None,
        timezone: str | None = None,
        **options: Unpack[Options],
    ) -> m.InsightMessages:
        """Deliveries whose sending, or failure to send, lies within the period, with all that is known of them up to now; skipped_by_reason counts those that were decided within the period and not sent. The field by_variant has the figures of a message for each variant that was sent, and is empty where none was; they add up to those of the message, and totals add up the messages. The field topics adds up the messages of each topic that they have now. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightMessages`)"""
        return self._call("getAdvancedInsightMessages", (), options, query={"filter": filter, "period": period, "timezone": timezone})

    def get_mobile_app_widget(
        self,
        *,
        filter: m.GetAdvancedInsightAddedValueByTimeFilter | None = None,
        period: str | None = None,
        timezone: str | None = None,
        **options: Unpack[Options],
    ) -> m.InsightMobileAppWidget:
        """Events of people in widgets of the kind mobile_app: widget.loaded, and widget.submitted for a click to a store, the platform being properties.platform (ios, android, anything else is other). A conversion is a contact who clicked and completed the objective mobile-banking within its attribution window after that. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightMobileAppWidget`)"""
        return self._call("getAdvancedInsightMobileAppWidget", (), options, query={"filter": filter, "period": period, "timezone": timezone})

    def get_objective_completion_benchmarks(
        self,
        *,
        period: str | None = None,
        timezone: str | None = None,
        **options: Unpack[Options],
    ) -> m.InsightObjectiveCompletionBenchmarks:
        """team_rate is completed / eligible of gap-analysis. Peers are the teams that take part (is_in_benchmarks) with 100 eligible contacts or more for an objective of the same key, by their figures of the last night; fewer than five give no result, and they are never named. percentile is the share of them, in 100, whose rate is not above that of the team. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightObjectiveCompletionBenchmarks`)"""
        return self._call("getAdvancedInsightObjectiveCompletionBenchmarks", (), options, query={"period": period, "timezone": timezone})

    def get_objective_completion_rate(
        self,
        *,
        filter: m.GetAdvancedInsightAddedValueByTimeFilter | None = None,
        period: str | None = None,
        timezone: str | None = None,
        **options: Unpack[Options],
    ) -> m.InsightObjectiveCompletionRate:
        """Journeys that began within the period, without those held back, once for each objective of their template. It is completed when the contact did so after the enrollment and within the attribution window of the objective. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightObjectiveCompletionRate`)"""
        return self._call("getAdvancedInsightObjectiveCompletionRate", (), options, query={"filter": filter, "period": period, "timezone": timezone})

    def get_objective_content(
        self,
        *,
        filter: m.GetAdvancedInsightAddedValueByTimeFilter | None = None,
        period: str | None = None,
        timezone: str | None = None,
        **options: Unpack[Options],
    ) -> m.InsightObjectiveContent:
        """For each completion within the period the last event of a person by its contact before it, within the attribution window of the objective, about a message, a page or a landing page. exposed are contacts with a delivered message or a view of the page within the period; clicked, contacts with a click. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightObjectiveContent`)"""
        return self._call("getAdvancedInsightObjectiveContent", (), options, query={"filter": filter, "period": period, "timezone": timezone})

    def get_objective_total_value(
        self,
        *,
        filter: m.GetAdvancedInsightAddedValueByTimeFilter | None = None,
        period: str | None = None,
        timezone: str | None = None,
        **options: Unpack[Options],
    ) -> m.InsightObjectiveTotalValue:
        """Completions within the period by objective, voided ones left out, and the value that each was credited with; attributed is what journeys led to. Every active objective is there. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightObjectiveTotalValue`)"""
        return self._call("getAdvancedInsightObjectiveTotalValue", (), options, query={"filter": filter, "period": period, "timezone": timezone})

    def get_opt_in_widget(
        self,
        *,
        filter: m.GetAdvancedInsightAddedValueByTimeFilter | None = None,
        period: str | None = None,
        timezone: str | None = None,
        **options: Unpack[Options],
    ) -> m.InsightOptInWidget:
        """Events of people in widgets of the kind opt_in: widget.loaded, widget.submitted, opt_in.granted and opt_in.revoked, the channel being properties.channel; properties.confirmed marks an opt-in that was confirmed by a second step. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightOptInWidget`)"""
        return self._call("getAdvancedInsightOptInWidget", (), options, query={"filter": filter, "period": period, "timezone": timezone})

    def get_overall_number_of_campaigns(
        self,
        *,
        filter: m.GetAdvancedInsightOverallNumberOfCampaignsFilter | None = None,
        period: str | None = None,
        timezone: str | None = None,
        **options: Unpack[Options],
    ) -> m.InsightOverallNumberOfCampaigns:
        """Templates that were made before the end of the period and are not deleted, by the status that they had at its end. launched, archived and expired count changes to that status within the period, so that a template can count twice; resuming is no launch. active is how many were launched at the end of a bucket. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightOverallNumberOfCampaigns`)"""
        return self._call("getAdvancedInsightOverallNumberOfCampaigns", (), options, query={"filter": filter, "period": period, "timezone": timezone})

    def get_pages(
        self,
        *,
        filter: m.GetAdvancedInsightAddedValueByTimeFilter | None = None,
        period: str | None = None,
        timezone: str | None = None,
        **options: Unpack[Options],
    ) -> m.InsightPages:
        """Events of people within the period, by page: page.viewed, page.cta_clicked, page.form_submitted. A contact completes a page by its completion_rule; an objective counts when it is completed within the period, after a view. Totals add up the pages, so that a contact counts once for each. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightPages`)"""
        return self._call("getAdvancedInsightPages", (), options, query={"filter": filter, "period": period, "timezone": timezone})

    def get_performance(
        self,
        *,
        filter: m.GetAdvancedInsightAddedValueByTimeFilter | None = None,
        period: str | None = None,
        timezone: str | None = None,
        **options: Unpack[Options],
    ) -> m.InsightPerformance:
        """The figures of other insights over the period, and over the one of equal length just before it. Value is of all completions within the period, whether a journey led to them or not. change is (current - previous) / previous, null where there was nothing before. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightPerformance`)"""
        return self._call("getAdvancedInsightPerformance", (), options, query={"filter": filter, "period": period, "timezone": timezone})

    def get_total_value_of_opened_products(
        self,
        *,
        filter: m.GetAdvancedInsightTotalValueOfOpenedProductsFilter | None = None,
        period: str | None = None,
        timezone: str | None = None,
        **options: Unpack[Options],
    ) -> m.InsightTotalValueOfOpenedProducts:
        """Accounts that were opened within the period, with their present balance, none counting as 0. An account is attributed when its contact had a journey, not held back, that began in the 90 days before it was opened. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightTotalValueOfOpenedProducts`)"""
        return self._call("getAdvancedInsightTotalValueOfOpenedProducts", (), options, query={"filter": filter, "period": period, "timezone": timezone})

    def get_value_of_opened_products(
        self,
        *,
        filter: m.GetAdvancedInsightTotalValueOfOpenedProductsFilter | None = None,
        period: str | None = None,
        timezone: str | None = None,
        **options: Unpack[Options],
    ) -> m.InsightValueOfOpenedProducts:
        """Accounts that were opened within the period, with their present balance, none counting as 0. An account is attributed when its contact had a journey, not held back, that began in the 90 days before it was opened. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightValueOfOpenedProducts`)"""
        return self._call("getAdvancedInsightValueOfOpenedProducts", (), options, query={"filter": filter, "period": period, "timezone": timezone})


class Recipients(Resource):
    def bootstrap_widget(
        self,
        body: m.BootstrapWidgetRequest | None = None,
        **options: Unpack[Options],
    ) -> m.RecipientJourney:
        """Starts a session of a recipient, by a widget token or by the token of the recipient’s link. The answer has the journey, and sets the cookie of the session. Send session.csrf_token as X-CSRF-Token with every later write that uses the cookie. A token that is bound to no journey is refused with 409: enroll the recipient first. For a token of an enrollment widget this counts as a visit in its insights. (`bootstrapWidget`)"""
        return self._call("bootstrapWidget", (), options, body=body)

    def end_session(self, journey_id: str, **options: Unpack[Options]) -> None:
        """Ends the session of the recipient, removes its cookie, and revokes the widget token that opened it. The journey itself continues. Start another session with the operation bootstrapWidget, by another token or by the link. (`endRecipientSession`)"""
        self._run("endRecipientSession", (journey_id,), options)

    def end_widget_session(self, **options: Unpack[Options]) -> None:
        """Ends the session of the recipient, removes its cookie, and revokes the widget token that opened it. The journey itself continues. Start another session with the operation bootstrapWidget, by another token or by the link. (`endWidgetSession`)"""
        self._run("endWidgetSession", (), options)

    def get_journey(self, journey_id: str, **options: Unpack[Options]) -> m.RecipientJourney:
        """Returns the journey of the recipient with the pages to show. Pages that need a known recipient are marked as locked. It also returns the CSRF token where the cookie is the credential. (`getRecipientJourney`)"""
        return self._call("getRecipientJourney", (journey_id,), options)

    def get_page(
        self,
        journey_id: str,
        page_id: str,
        **options: Unpack[Options],
    ) -> m.RecipientPage:
        """Returns one page of the journey as the recipient sees it, with the widget that it embeds. A page that the recipient may not see yet is refused. Answer an identity challenge to open locked pages. (`getRecipientPage`)"""
        return self._call("getRecipientPage", (journey_id, page_id,), options)

    def record_events(
        self,
        journey_id: str,
        body: m.RecordRecipientEventsRequest,
        **options: Unpack[Options],
    ) -> m.RecordRecipientEventsResponse:
        """Records up to 50 events of a recipient, such as a page view. Either all of them are recorded or none. An event whose unique_id was recorded before in this journey counts as a duplicate. Events can complete objectives. (`recordRecipientEvents`)"""
        return self._call("recordRecipientEvents", (journey_id,), options, body=body)

    def set_consent(
        self,
        journey_id: str,
        channel: str,
        body: m.SetRecipientConsentRequest,
        **options: Unpack[Options],
    ) -> m.RecipientConsent:
        """Subscribes the recipient to a channel or unsubscribes them. Unsubscribing from email or sms holds for every contact of the team with the address or number. Where the widget requires a confirmation, the consent is pending and a message with a link is sent. A repeat with the same status changes nothing. The wording in disclosure is stored as evidence. (`setRecipientConsent`)"""
        return self._call("setRecipientConsent", (journey_id, channel,), options, body=body)

    def create_identity_challenge(
        self,
        journey_id: str,
        body: m.IdentityChallengeCreate | None = None,
        **options: Unpack[Options],
    ) -> m.IdentityChallenge:
        """Returns a question whose answer verifies the recipient. The factor is chosen by the template unless the body names one. A code is sent by e-mail or SMS; a repeat shortly after sends no second one. Send the answer with the operation answerIdentityChallenge. (`createIdentityChallenge`)"""
        return self._call("createIdentityChallenge", (journey_id,), options, body=body)

    def answer_identity_challenge(
        self,
        journey_id: str,
        id: str,
        body: m.AnswerIdentityChallengeRequest,
        **options: Unpack[Options],
    ) -> m.IdentityVerdict:
        """Checks the answer to an identity challenge. A right answer raises the assurance of the session and replaces its cookie. A wrong answer has status 200 and reduces attempts_left. Too many wrong answers lock the contact for a time, with 423 and meta.retry_at. (`answerIdentityChallenge`)"""
        return self._call("answerIdentityChallenge", (journey_id, id,), options, body=body)

    def enroll(
        self,
        body: m.EnrollRecipientRequest | None = None,
        **options: Unpack[Options],
    ) -> m.RecipientJourney:
        """Enrolls the visitor of an enrollment widget and starts a session. A token enrolls once: a repeat answers 200 with the same journey. A contact is created where the token names none, and needs email or phone. Contacts are never found by an address. (`enrollRecipient`)"""
        return self._call("enrollRecipient", (), options, body=body)


class Exports(Resource):
    def create(self, body: m.ExportCreate, **options: Unpack[Options]) -> m.Export:
        """Writes the contacts, or another list of the team, to a file in the background. Filters are those of the list; the token needs its read scope as well. Archived messages have their contents, and each line the SHA-256 of the line before. Poll the address in Location until the status is completed, then download the file. The file is kept for one day. Scope: `partner:exports:write`. (`createExport`)"""
        return self._call("createExport", (), options, body=body)

    def list(
        self,
        *,
        filter: m.ListExportsFilter | None = None,
        sort: m.ListContactDevicesSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.Export]:
        """Returns the exports of the team with their progress. A file can be downloaded until expires_at. The filters are shown to tokens that may read the file. Scope: `partner:exports:read`. (`listExports`)"""
        return self._list("listExports", (), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    def get(self, id: str, **options: Unpack[Options]) -> m.Export:
        """Returns one export and its progress. Until it has finished, the answer carries Retry-After. Download the file with the operation getExportFile. The filters are shown to tokens that may read the file. Scope: `partner:exports:read`. (`getExport`)"""
        return self._call("getExport", (id,), options)

    def delete(self, id: str, **options: Unpack[Options]) -> None:
        """Deletes an export with its file. An export that is running stops. It cannot be undone, and the deletion is recorded in the audit trail. Scope: `partner:exports:write`. (`deleteExport`)"""
        self._run("deleteExport", (id,), options)

    def get_file(
        self,
        id: str,
        *,
        bom: Literal["true", "false"] | None = None,
        **options: Unpack[Options],
    ) -> bytes:
        """Downloads the file of a finished export as CSV, NDJSON or JSON. The token needs the scope with which the exported resource is read. An export that has not finished is refused with 409, and one older than a day with 410. Scope: `partner:exports:read`. (`getExportFile`)"""
        return self._call("getExportFile", (id,), options, query={"bom": bom})


class WebhookSubscriptions(Resource):
    def list(
        self,
        *,
        filter: m.ListWebhookSubscriptionsFilter | None = None,
        sort: m.ListWebhookSubscriptionsSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.WebhookSubscription]:
        """Returns the webhook subscriptions of the team. Signing secrets are never returned. is_disabled_for_failures marks one that the service has switched off. Scope: `partner:webhooks:read`. (`listWebhookSubscriptions`)"""
        return self._list("listWebhookSubscriptions", (), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    def create(
        self,
        body: m.WebhookSubscriptionCreate,
        **options: Unpack[Options],
    ) -> m.CreatedWebhookSubscription:
        """Subscribes a URL to events. The signing secret is shown in this answer only: store it, and verify each delivery with it. The URL must be a public https address. A team has at most 50 subscriptions. Send a test with the operation testWebhookSubscription next. Scope: `partner:webhooks:write`. (`createWebhookSubscription`)"""
        return self._call("createWebhookSubscription", (), options, body=body)

    def get(self, id: str, **options: Unpack[Options]) -> m.WebhookSubscription:
        """Returns one webhook subscription with its failures and the state of its deliveries. The signing secret is never returned. Scope: `partner:webhooks:read`. (`getWebhookSubscription`)"""
        return self._call("getWebhookSubscription", (id,), options)

    def update(
        self,
        id: str,
        body: m.WebhookSubscriptionPatch,
        **options: Unpack[Options],
    ) -> m.WebhookSubscription:
        """Changes the fields that the body names. Set is_disabled_for_failures to false to enable a subscription that the service has disabled. With is_active false, deliveries wait. Another target_url removes the custom headers, because their values are credentials for the old receiver; an unchanged one is not checked again. Scope: `partner:webhooks:write`. (`updateWebhookSubscription`)"""
        return self._call("updateWebhookSubscription", (id,), options, body=body)

    def delete(self, id: str, **options: Unpack[Options]) -> None:
        """Deletes a webhook subscription permanently. Deliveries that wait are canceled. The URL receives nothing more, except for an attempt that is in flight. Scope: `partner:webhooks:write`. (`deleteWebhookSubscription`)"""
        self._run("deleteWebhookSubscription", (id,), options)

    def rotate_secret(
        self,
        id: str,
        body: m.RotateWebhookSecretRequest | None = None,
        **options: Unpack[Options],
    ) -> m.RotatedSecret:
        """Creates a new signing secret, which is shown in this answer only. The old secret signs as well until the overlap ends, which is 24 hours unless the body names another time of at most seven days. A rotation whose overlap has not ended is refused with 409 unless force is true. Install the new secret before the overlap ends. Scope: `partner:webhooks:write`. (`rotateWebhookSecret`)"""
        return self._call("rotateWebhookSecret", (id,), options, body=body)

    def test(
        self,
        id: str,
        body: m.TestWebhookSubscriptionRequest | None = None,
        **options: Unpack[Options],
    ) -> m.WebhookDelivery:
        """Sends a test event to this subscription alone. It is one attempt, which is not retried and does not count as a failure. The body is webhook.ping, or the example of the event type that the request names. Read the outcome at the delivery in the answer. An inactive or disabled subscription is refused with 409. Scope: `partner:webhooks:write`. (`testWebhookSubscription`)"""
        return self._call("testWebhookSubscription", (id,), options, body=body)

    def list_deliveries(
        self,
        id: str,
        *,
        filter: m.ListWebhookDeliveriesFilter | None = None,
        sort: m.ListWebhookDeliveriesSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.WebhookDelivery]:
        """Returns the deliveries of a subscription, the latest first. Each has the number of attempts, the status of the last one and the time of the next. Scope: `partner:webhooks:read`. (`listWebhookDeliveries`)"""
        return self._list("listWebhookDeliveries", (id,), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    def get_delivery_counts(
        self,
        id: str,
        *,
        filter: m.GetWebhookDeliveryCountsFilter | None = None,
        **options: Unpack[Options],
    ) -> m.WebhookDeliveryCounts:
        """Returns the number of deliveries by status, and the latency of their attempts. The window is the last 24 hours unless the parameters name another one. It has no side effects. Scope: `partner:webhooks:read`. (`getWebhookDeliveryCounts`)"""
        return self._call("getWebhookDeliveryCounts", (id,), options, query={"filter": filter})

    def get_delivery(
        self,
        id: str,
        delivery_id: str,
        *,
        include: str | None = None,
        **options: Unpack[Options],
    ) -> m.WebhookDeliveryDetails:
        """Returns one delivery with its status and its next attempt. include=attempts adds the attempts, and include=event adds the body that was sent. The body needs the scope partner:webhooks:write. Scope: `partner:webhooks:read`. (`getWebhookDelivery`)"""
        return self._call("getWebhookDelivery", (id, delivery_id,), options, query={"include": include})

    def retry_delivery(
        self,
        id: str,
        delivery_id: str,
        **options: Unpack[Options],
    ) -> m.WebhookDelivery:
        """Starts a delivery over: one attempt now, and the full retry schedule if it fails. An event that is no longer stored is refused with 410. An inactive or disabled subscription is refused with 409. Receivers recognize the repeat by its webhook-id. Scope: `partner:webhooks:write`. (`retryWebhookDelivery`)"""
        return self._call("retryWebhookDelivery", (id, delivery_id,), options)

    def list_attempts(
        self,
        id: str,
        delivery_id: str,
        *,
        filter: m.ListWebhookAttemptsFilter | None = None,
        sort: m.ListWebhookAttemptsSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.WebhookAttempt]:
        """Returns the attempts of a delivery with the status. The headers and the beginning of the answer are shown to tokens with the read scope of the event type. Scope: `partner:webhooks:read`. (`listWebhookAttempts`)"""
        return self._list("listWebhookAttempts", (id, delivery_id,), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    def get_delivery_settings(
        self,
        id: str,
        **options: Unpack[Options],
    ) -> m.WebhookDeliverySettings:
        """Returns the settings of the deliveries to a subscription: rate, concurrency, order, timeout, headers and signature. Values of headers are never returned. Scope: `partner:webhooks:read`. (`getWebhookDeliverySettings`)"""
        return self._call("getWebhookDeliverySettings", (id,), options)

    def update_delivery_settings(
        self,
        id: str,
        body: m.WebhookDeliverySettingsPatch,
        **options: Unpack[Options],
    ) -> m.WebhookDeliverySettings:
        """Changes the settings that the body names, for the attempts from now on. headers replaces all custom headers. Turning asymmetric_signing on creates a key pair whose public key is returned. The change is recorded in the audit trail. Scope: `partner:webhooks:write`. (`updateWebhookDeliverySettings`)"""
        return self._call("updateWebhookDeliverySettings", (id,), options, body=body)

    def replay(
        self,
        id: str,
        body: m.ReplayWebhooksRequest,
        **options: Unpack[Options],
    ) -> m.AskedWebhookReplay:
        """Starts deliveries of a subscription over, either by id or those of a window of time. With dry_run the answer is 200 and says how many deliveries would be replayed. One replay of a subscription runs at a time. Poll the address in Location, and cancel the replay where needed. Scope: `partner:webhooks:write`. (`replayWebhooks`)"""
        return self._call("replayWebhooks", (id,), options, body=body)

    def list_replays(
        self,
        id: str,
        *,
        filter: m.ListWebhookReplaysFilter | None = None,
        sort: m.ListContactConsentChangesSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.WebhookReplay]:
        """Returns the replays of a subscription, the latest first. The counts say how many deliveries were matched, started over, delivered and skipped. Scope: `partner:webhooks:read`. (`listWebhookReplays`)"""
        return self._list("listWebhookReplays", (id,), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    def get_replay(self, id: str, replay_id: str, **options: Unpack[Options]) -> m.WebhookReplay:
        """Returns one replay with its progress and the outcome of its deliveries. Poll it until its status is final. Scope: `partner:webhooks:read`. (`getWebhookReplay`)"""
        return self._call("getWebhookReplay", (id, replay_id,), options)

    def cancel_replay(
        self,
        id: str,
        replay_id: str,
        **options: Unpack[Options],
    ) -> m.WebhookReplay:
        """Stops a replay. Deliveries that it has started over continue. When the answer arrives, nothing more is replayed. A replay that has ended is refused with 409. Scope: `partner:webhooks:write`. (`cancelWebhookReplay`)"""
        return self._call("cancelWebhookReplay", (id, replay_id,), options)


class WebhookEventTypes(Resource):
    def list(self, **options: Unpack[Options]) -> m.ListWebhookEventTypesResponse:
        """Returns every type of event with the JSON Schema of its body. The list is complete and is not paged. Choose from it the event_types of a subscription; custom.* stands for the types that the operation listCustomEventTypes lists. Scope: `partner:webhooks:read`. (`listWebhookEventTypes`)"""
        return self._call("listWebhookEventTypes", (), options)


class IncomingWebhookReceivers(Resource):
    def list(
        self,
        *,
        filter: m.ListIncomingWebhookReceiversFilter | None = None,
        sort: m.ListObjectivesSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.IncomingWebhookReceiver]:
        """Returns the incoming webhook receivers of the team. Secrets are never returned. The receive_url is the address to configure at the provider. Scope: `partner:incoming-webhooks:read`. (`listIncomingWebhookReceivers`)"""
        return self._list("listIncomingWebhookReceivers", (), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    def create(
        self,
        body: m.IncomingWebhookReceiverCreate,
        **options: Unpack[Options],
    ) -> m.CreatedIncomingWebhookReceiver:
        """Creates an address at which a provider delivers its callbacks. The secrets in this answer are shown only here. Settings that verify the provider go into verification. A team has at most 50 receivers. Enter the url of the answer at the provider, then send a test. Scope: `partner:incoming-webhooks:write`. (`createIncomingWebhookReceiver`)"""
        return self._call("createIncomingWebhookReceiver", (), options, body=body)

    def get(self, id: str, **options: Unpack[Options]) -> m.IncomingWebhookReceiver:
        """Returns one incoming webhook receiver with its address, its counters and the state of its verification. Secrets are never returned. Scope: `partner:incoming-webhooks:read`. (`getIncomingWebhookReceiver`)"""
        return self._call("getIncomingWebhookReceiver", (id,), options)

    def update(
        self,
        id: str,
        body: m.IncomingWebhookReceiverPatch,
        **options: Unpack[Options],
    ) -> m.IncomingWebhookReceiver:
        """Changes the fields that the body names, the verification as well. The kind is fixed. A secret that is replaced is accepted for another 24 hours. The change applies to the next callback. Scope: `partner:incoming-webhooks:write`. (`updateIncomingWebhookReceiver`)"""
        return self._call("updateIncomingWebhookReceiver", (id,), options, body=body)

    def delete(self, id: str, **options: Unpack[Options]) -> None:
        """Deletes an incoming webhook receiver permanently. Callbacks to its address are answered with 404 from then on. Remove the address at the provider as well. Scope: `partner:incoming-webhooks:delete`. (`deleteIncomingWebhookReceiver`)"""
        self._run("deleteIncomingWebhookReceiver", (id,), options)

    def test(
        self,
        id: str,
        body: m.TestIncomingWebhookReceiverRequest | None = None,
        **options: Unpack[Options],
    ) -> m.InboundDelivery:
        """Sends a signed sample of the provider through the receiver. The delivery is marked as a test and has no effect on contacts or messages. An inactive receiver is refused with 410. Read the outcome in the answer. Scope: `partner:incoming-webhooks:write`. (`testIncomingWebhookReceiver`)"""
        return self._call("testIncomingWebhookReceiver", (id,), options, body=body)

    def get_verification(self, id: str, **options: Unpack[Options]) -> m.ReceiverVerification:
        """Returns how callbacks of a receiver are verified: scheme, settings and which secrets are set. Secrets are never returned. Scope: `partner:incoming-webhooks:read`. (`getReceiverVerification`)"""
        return self._call("getReceiverVerification", (id,), options)

    def update_verification(
        self,
        id: str,
        body: m.IncomingWebhookReceiverCreateVerification,
        **options: Unpack[Options],
    ) -> m.ReceiverVerification:
        """Changes settings and secrets with which callbacks are verified. A secret that is replaced is accepted for another 24 hours. The change applies to the next callback and is recorded in the audit trail. Scope: `partner:incoming-webhooks:write`. (`updateReceiverVerification`)"""
        return self._call("updateReceiverVerification", (id,), options, body=body)

    def rotate_secret(
        self,
        id: str,
        body: m.RotateReceiverSecretRequest | None = None,
        **options: Unpack[Options],
    ) -> m.RotatedReceiverSecrets:
        """Creates new secrets of the service for a receiver, which are shown in this answer only. The old ones are accepted for another 24 hours. A rotation within that time is refused with 409 unless force is true. Install the new secrets at the relay or the provider. Scope: `partner:incoming-webhooks:write`. (`rotateReceiverSecret`)"""
        return self._call("rotateReceiverSecret", (id,), options, body=body)

    def confirm_subscription(
        self,
        id: str,
        body: m.ConfirmReceiverSubscriptionRequest | None = None,
        **options: Unpack[Options],
    ) -> m.ReceiverVerification:
        """Accepts the notifications of a topic that asks to be confirmed, and pins the topic to the receiver. The confirmation is sent in the background. Without a request of a topic the answer is 409. Read subscription states at the verification of the receiver. Scope: `partner:incoming-webhooks:write`. (`confirmReceiverSubscription`)"""
        return self._call("confirmReceiverSubscription", (id,), options, body=body)


class Uploads(Resource):
    def create(self, body: UploadBody, **options: Unpack[Options]) -> m.Upload:
        """Uploads a file of items for batch operations, as CSV or NDJSON. The body is the file itself, without multipart. The same bytes sent again make another upload unless the Idempotency-Key is the same. Name the id of the upload in upload_id of createBatchOperation or validateBatchOperation. Scope: `batch:operations:write`. (`createUpload`)"""
        return self._call("createUpload", (), options, body=body)

    def get(self, id: str, **options: Unpack[Options]) -> m.Upload:
        """Returns one uploaded file with its size and SHA-256, without its content. Compare the hash to make sure that the file arrived complete. Scope: `batch:operations:read`. (`getUpload`)"""
        return self._call("getUpload", (id,), options)

    def delete(self, id: str, **options: Unpack[Options]) -> None:
        """Deletes an uploaded file permanently. A file that an operation is still reading is refused with 409. Results of finished operations stay. Scope: `batch:operations:write`. (`deleteUpload`)"""
        self._run("deleteUpload", (id,), options)


class InboundWebhooks(Resource):
    def receive_email_a(
        self,
        receiver_id: str,
        body: m.EmailA | Mapping[str, Any] | str | bytes,
        **options: Unpack[Options],
    ) -> m.InboundReceipt:
        """Receives callbacks of the kind email_a. The body is either the payload of the provider, with the signature of the provider, or the normalized form. A relay signs with the whsec_ secret of the receiver by Standard Webhooks, and a partner can send a token instead. An event that was received before is answered with 200 and the status duplicate, so repeats are harmless. The answer is sent once the callback is stored; its effects follow in the background. Scope: `partner:incoming-webhooks:write`. (`receiveEmailA`)"""
        return self._call("receiveEmailA", (receiver_id,), options, body=body)

    def receive_email_b(
        self,
        receiver_id: str,
        body: m.EmailB | Sequence[m.EmailB] | Sequence[Mapping[str, Any]] | bytes,
        **options: Unpack[Options],
    ) -> m.InboundReceipt:
        """Receives callbacks of the kind email_b. The body is either the payload of the provider, with the signature of the provider, or the normalized form. A relay signs with the whsec_ secret of the receiver by Standard Webhooks, and a partner can send a token instead. An event that was received before is answered with 200 and the status duplicate, so repeats are harmless. The answer is sent once the callback is stored; its effects follow in the background. Scope: `partner:incoming-webhooks:write`. (`receiveEmailB`)"""
        return self._call("receiveEmailB", (receiver_id,), options, body=body)

    def receive_email_c(
        self,
        receiver_id: str,
        body: m.EmailC | Mapping[str, Any] | bytes,
        **options: Unpack[Options],
    ) -> m.InboundReceipt:
        """Receives callbacks of the kind email_c. The body is either the payload of the provider, with the signature of the provider, or the normalized form. A relay signs with the whsec_ secret of the receiver by Standard Webhooks, and a partner can send a token instead. An event that was received before is answered with 200 and the status duplicate, so repeats are harmless. The answer is sent once the callback is stored; its effects follow in the background. Scope: `partner:incoming-webhooks:write`. (`receiveEmailC`)"""
        return self._call("receiveEmailC", (receiver_id,), options, body=body)

    def receive_sms_a(
        self,
        receiver_id: str,
        body: m.SmsA | Mapping[str, Any] | bytes,
        **options: Unpack[Options],
    ) -> m.InboundReceipt:
        """Receives callbacks of the kind sms_a. The body is either the payload of the provider, with the signature of the provider, or the normalized form. A relay signs with the whsec_ secret of the receiver by Standard Webhooks, and a partner can send a token instead. An event that was received before is answered with 200 and the status duplicate, so repeats are harmless. The answer is sent once the callback is stored; its effects follow in the background. Scope: `partner:incoming-webhooks:write`. (`receiveSmsA`)"""
        return self._call("receiveSmsA", (receiver_id,), options, body=body)

    def receive_sms_b(
        self,
        receiver_id: str,
        body: m.SmsB | Mapping[str, Any] | bytes,
        **options: Unpack[Options],
    ) -> m.InboundReceipt:
        """Receives callbacks of the kind sms_b. The body is either the payload of the provider, with the signature of the provider, or the normalized form. A relay signs with the whsec_ secret of the receiver by Standard Webhooks, and a partner can send a token instead. An event that was received before is answered with 200 and the status duplicate, so repeats are harmless. The answer is sent once the callback is stored; its effects follow in the background. Scope: `partner:incoming-webhooks:write`. (`receiveSmsB`)"""
        return self._call("receiveSmsB", (receiver_id,), options, body=body)

    def receive_push_a(
        self,
        receiver_id: str,
        body: m.PushA | Mapping[str, Any] | bytes,
        **options: Unpack[Options],
    ) -> m.InboundReceipt:
        """Receives callbacks of the kind push_a. The body is either the payload of the provider, with the signature of the provider, or the normalized form. A relay signs with the whsec_ secret of the receiver by Standard Webhooks, and a partner can send a token instead. An event that was received before is answered with 200 and the status duplicate, so repeats are harmless. The answer is sent once the callback is stored; its effects follow in the background. Scope: `partner:incoming-webhooks:write`. (`receivePushA`)"""
        return self._call("receivePushA", (receiver_id,), options, body=body)

    def receive_push_b(
        self,
        receiver_id: str,
        body: m.PushB | Mapping[str, Any] | bytes,
        **options: Unpack[Options],
    ) -> m.InboundReceipt:
        """Receives callbacks of the kind push_b. The body is either the payload of the provider, with the signature of the provider, or the normalized form. A relay signs with the whsec_ secret of the receiver by Standard Webhooks, and a partner can send a token instead. An event that was received before is answered with 200 and the status duplicate, so repeats are harmless. The answer is sent once the callback is stored; its effects follow in the background. Scope: `partner:incoming-webhooks:write`. (`receivePushB`)"""
        return self._call("receivePushB", (receiver_id,), options, body=body)

    def receive_file_transfer_a(
        self,
        receiver_id: str,
        body: m.FileTransferA | Mapping[str, Any] | str | bytes,
        **options: Unpack[Options],
    ) -> m.InboundReceipt:
        """Receives callbacks of the kind file_transfer_a. The body is either the payload of the provider, with the signature of the provider, or the normalized form. A relay signs with the whsec_ secret of the receiver by Standard Webhooks, and a partner can send a token instead. An event that was received before is answered with 200 and the status duplicate, so repeats are harmless. The answer is sent once the callback is stored; its effects follow in the background. Scope: `partner:incoming-webhooks:write`. (`receiveFileTransferA`)"""
        return self._call("receiveFileTransferA", (receiver_id,), options, body=body)

    def receive_generic_hmac(
        self,
        receiver_id: str,
        body: m.GenericHmac | bytes,
        **options: Unpack[Options],
    ) -> m.InboundReceipt:
        """Receives callbacks of the kind generic_hmac. The body is either the payload of the provider, with the signature of the provider, or the normalized form. A relay signs with the whsec_ secret of the receiver by Standard Webhooks, and a partner can send a token instead. An event that was received before is answered with 200 and the status duplicate, so repeats are harmless. The answer is sent once the callback is stored; its effects follow in the background. Scope: `partner:incoming-webhooks:write`. (`receiveGenericHmac`)"""
        return self._call("receiveGenericHmac", (receiver_id,), options, body=body)

    def list_deliveries(
        self,
        receiver_id: str,
        *,
        filter: m.ListInboundDeliveriesFilter | None = None,
        sort: m.ListInboundDeliveriesSort | None = None,
        include: Literal["payload"] | Sequence[Literal["payload"]] | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.InboundDeliveryRow]:
        """Returns the callbacks that a receiver got, the latest first. Embed the payload with include. Scope: `partner:incoming-webhooks:read`. (`listInboundDeliveries`)"""
        return self._list("listInboundDeliveries", (receiver_id,), options, query={"filter": filter, "sort": sort, "include": include, "meta": meta, "page": page})

    def get_delivery(
        self,
        receiver_id: str,
        delivery_id: str,
        *,
        include: str | None = None,
        **options: Unpack[Options],
    ) -> m.InboundDeliveryDetails:
        """Returns one callback with its normalized payload and the outcome. include=raw adds the call as it arrived, and needs the scope partner:incoming-webhooks:write. Payloads are stored for a limited time. Scope: `partner:incoming-webhooks:read`. (`getInboundDelivery`)"""
        return self._call("getInboundDelivery", (receiver_id, delivery_id,), options, query={"include": include})

    def get_delivery_counts(
        self,
        receiver_id: str,
        *,
        filter: m.GetInboundDeliveryCountsFilter | None = None,
        **options: Unpack[Options],
    ) -> m.InboundDeliveryCounts:
        """Returns the number of callbacks of a receiver by outcome. The window is the last 24 hours unless the parameters name another one. Rejected calls that were too many to be stored are counted in dropped_rejections. Scope: `partner:incoming-webhooks:read`. (`getInboundDeliveryCounts`)"""
        return self._call("getInboundDeliveryCounts", (receiver_id,), options, query={"filter": filter})

    def replay(
        self,
        receiver_id: str,
        body: m.ReplayInboundWebhooksRequest,
        **options: Unpack[Options],
    ) -> m.AskedInboundReplay:
        """Applies callbacks of a receiver again, either by id or those of a window of time. With dry_run the answer is 200 and says how many would be applied. One replay of a receiver runs at a time. Rejected callbacks cannot be replayed. Poll the address in Location. Scope: `partner:incoming-webhooks:write`. (`replayInboundWebhooks`)"""
        return self._call("replayInboundWebhooks", (receiver_id,), options, body=body)

    def list_replays(
        self,
        receiver_id: str,
        *,
        filter: m.ListWebhookReplaysFilter | None = None,
        sort: m.ListContactConsentChangesSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.InboundReplay]:
        """Returns the replays of a receiver, the latest first. The counts say how many callbacks were matched, applied and skipped. Scope: `partner:incoming-webhooks:read`. (`listInboundReplays`)"""
        return self._list("listInboundReplays", (receiver_id,), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    def get_replay(
        self,
        receiver_id: str,
        replay_id: str,
        **options: Unpack[Options],
    ) -> m.InboundReplay:
        """Returns one replay with its progress and its outcome. Poll it until its status is final. Scope: `partner:incoming-webhooks:read`. (`getInboundReplay`)"""
        return self._call("getInboundReplay", (receiver_id, replay_id,), options)

    def cancel_replay(
        self,
        receiver_id: str,
        replay_id: str,
        **options: Unpack[Options],
    ) -> m.InboundReplay:
        """Stops a replay. Callbacks that it has applied stay applied. A replay that has ended is refused with 409. Scope: `partner:incoming-webhooks:write`. (`cancelInboundReplay`)"""
        return self._call("cancelInboundReplay", (receiver_id, replay_id,), options)


class Operations(Resource):
    def list(
        self,
        *,
        filter: m.ListOperationsFilter | None = None,
        sort: m.ListOperationsSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.OperationDescriptor]:
        """Returns the operations of the integration catalog with their schemas. It is the same for every team. Scope: `ipaas:operations:read`. (`listOperations`)"""
        return self._list("listOperations", (), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    def get_descriptor(
        self,
        operation_kind: str,
        **options: Unpack[Options],
    ) -> m.OperationDescriptor:
        """Returns one operation: its input and output schemas, its scopes, its limits, and how it repeats and fails. Read it before you build an integration on the operation. Scope: `ipaas:operations:read`. (`getOperationDescriptor`)"""
        return self._call("getOperationDescriptor", (operation_kind,), options)

    def execute(
        self,
        operation_kind: str,
        body: m.ExecuteOperationRequest,
        **options: Unpack[Options],
    ) -> m.OperationReport | m.OperationExecution:
        """Executes an operation with one input or with up to 10,000 items. Few items of a synchronous operation are executed within the request, and the answer has their results. Otherwise, or with Prefer: respond-async, the answer is 202 and the address in Location shows the progress. The operation decides whether an Idempotency-Key is required. The token also needs the scopes of the operation. Scope: `ipaas:operations:execute`. (`executeOperation`)"""
        return self._call("executeOperation", (operation_kind,), options, body=body)


class Executions(Resource):
    def list(
        self,
        *,
        filter: m.ListExecutionsFilter | None = None,
        sort: m.ListContactDevicesSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.OperationExecution]:
        """Returns the executions that ran in the background, the latest first. Only calls that answered 202 are among them. Their results are stored until expires_at. Scope: `ipaas:operations:read`. (`listExecutions`)"""
        return self._list("listExecutions", (), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    def get(self, id: str, **options: Unpack[Options]) -> m.OperationExecution:
        """Returns one execution and its progress. Until it has finished, the answer carries Retry-After. The error is shown only to tokens with the scopes of the operation. Scope: `ipaas:operations:read`. (`getExecution`)"""
        return self._call("getExecution", (id,), options)

    def get_result(
        self,
        id: str,
        *,
        filter: m.GetExecutionResultFilter | None = None,
        sort: m.GetExecutionResultSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.OperationResult]:
        """Returns the results of a finished execution, item by item. The token needs the scopes of the operation. An execution that has not finished is refused with 409, and results older than seven days with 410. Scope: `ipaas:operations:read`. (`getExecutionResult`)"""
        return self._list("getExecutionResult", (id,), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    def list_items(
        self,
        id: str,
        *,
        filter: m.GetExecutionResultFilter | None = None,
        sort: m.GetExecutionResultSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.OperationItem]:
        """Returns the results of the items so far, also while the execution is running. The token needs the scopes of the operation. Results are kept for seven days. Scope: `ipaas:operations:read`. (`listExecutionItems`)"""
        return self._list("listExecutionItems", (id,), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    def cancel(self, id: str, **options: Unpack[Options]) -> m.OperationExecution:
        """Stops an execution before its next items. What it has applied stays applied. An execution that has finished is refused with 409. Scope: `ipaas:operations:execute`. (`cancelExecution`)"""
        return self._call("cancelExecution", (id,), options)

    def retry(self, id: str, **options: Unpack[Options]) -> m.OperationExecution:
        """Executes the operation again for the failed items, as a new execution. The execution must have finished within the last seven days. Poll the address in Location. Scope: `ipaas:operations:execute`. (`retryExecution`)"""
        return self._call("retryExecution", (id,), options)


class BatchOperations(Resource):
    def create(self, body: m.BatchOperationCreate, **options: Unpack[Options]) -> m.BatchOperation:
        """Applies an operation to many items in the background. The items are in the body, or in an upload that the body names. The Idempotency-Key is required, so that a repeat does not apply the items twice. The token also needs the scopes of the operation. Poll the address in Location, then read the items. Scope: `batch:operations:write`. (`createBatchOperation`)"""
        return self._call("createBatchOperation", (), options, body=body)

    def list(
        self,
        *,
        filter: m.ListBatchOperationsFilter | None = None,
        sort: m.ListContactDevicesSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.BatchOperation]:
        """Returns the batch operations, the latest first. The counts of each grow while it runs; error_summary has the first codes of failed items. Scope: `batch:operations:read`. (`listBatchOperations`)"""
        return self._list("listBatchOperations", (), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    def validate(
        self,
        body: m.BatchOperationCreate,
        **options: Unpack[Options],
    ) -> m.BatchValidation:
        """Says what a batch would do, without applying anything. Up to 100 items of a synchronous operation are answered with 200 right away. Otherwise the answer is 202, and a batch in the background tries the items. Run the operation createBatchOperation when the result is right. Scope: `batch:operations:write`. (`validateBatchOperation`)"""
        return self._call("validateBatchOperation", (), options, body=body)

    def get(self, id: str, **options: Unpack[Options]) -> m.BatchOperation:
        """Returns one batch operation and its progress. Until it has finished, the answer carries Retry-After. The error is shown only to tokens with the scopes of the operation. Scope: `batch:operations:read`. (`getBatchOperation`)"""
        return self._call("getBatchOperation", (id,), options)

    def list_items(
        self,
        id: str,
        *,
        filter: m.GetExecutionResultFilter | None = None,
        sort: m.GetExecutionResultSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> Cursor[m.OperationItem]:
        """Returns the results of the items so far, also while the batch is running. The token needs the scopes of the operation. Results are kept for seven days. Scope: `batch:operations:read`. (`listBatchOperationItems`)"""
        return self._list("listBatchOperationItems", (id,), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    def get_errors(self, id: str, **options: Unpack[Options]) -> bytes:
        """Downloads the errors of the items so far as a CSV file. The items themselves are not in the file. The token needs the scopes of the operation. Results are kept for seven days. Scope: `batch:operations:read`. (`getBatchOperationErrors`)"""
        return self._call("getBatchOperationErrors", (id,), options)

    def cancel(self, id: str, **options: Unpack[Options]) -> m.BatchOperation:
        """Stops a batch operation before its next items. What it has applied stays applied. A batch that has finished is refused with 409. Scope: `batch:operations:write`. (`cancelBatchOperation`)"""
        return self._call("cancelBatchOperation", (id,), options)

    def retry(self, id: str, **options: Unpack[Options]) -> m.BatchOperation:
        """Runs the failed items of a batch again, as a new batch. The batch must have finished within the last seven days. Poll the address in Location. Scope: `batch:operations:write`. (`retryBatchOperation`)"""
        return self._call("retryBatchOperation", (id,), options)


class Namespaces:
    """A namespace for each resource, with a method for each operation."""

    def __init__(self, caller: Caller) -> None:
        self.access = Access(caller)
        self.meta = Meta(caller)
        self.contacts = Contacts(caller)
        self.contact_erasures = ContactErasures(caller)
        self.topics = Topics(caller)
        self.suppressions = Suppressions(caller)
        self.accounts = Accounts(caller)
        self.cohorts = Cohorts(caller)
        self.templates = Templates(caller)
        self.journeys = Journeys(caller)
        self.content_blocks = ContentBlocks(caller)
        self.landing_pages = LandingPages(caller)
        self.messages = Messages(caller)
        self.test_recipients = TestRecipients(caller)
        self.archived_messages = ArchivedMessages(caller)
        self.contact_reads = ContactReads(caller)
        self.legal_holds = LegalHolds(caller)
        self.message_deliveries = MessageDeliveries(caller)
        self.pages = Pages(caller)
        self.objectives = Objectives(caller)
        self.team = Team(caller)
        self.users = Users(caller)
        self.portal_sessions = PortalSessions(caller)
        self.audit_events = AuditEvents(caller)
        self.sending_domains = SendingDomains(caller)
        self.sending_providers = SendingProviders(caller)
        self.completions = Completions(caller)
        self.engagement_events = EngagementEvents(caller)
        self.custom_event_types = CustomEventTypes(caller)
        self.events = Events(caller)
        self.sftp_credentials = SftpCredentials(caller)
        self.sftp_uploads = SftpUploads(caller)
        self.file_sources = FileSources(caller)
        self.widget_instances = WidgetInstances(caller)
        self.insights = Insights(caller)
        self.recipients = Recipients(caller)
        self.exports = Exports(caller)
        self.webhook_subscriptions = WebhookSubscriptions(caller)
        self.webhook_event_types = WebhookEventTypes(caller)
        self.incoming_webhook_receivers = IncomingWebhookReceivers(caller)
        self.uploads = Uploads(caller)
        self.inbound_webhooks = InboundWebhooks(caller)
        self.operations = Operations(caller)
        self.executions = Executions(caller)
        self.batch_operations = BatchOperations(caller)


class AsyncAccess(AsyncResource):
    async def create_token(
        self,
        body: m.TokenRequest,
        **options: Unpack[Options],
    ) -> m.TokenResponse:
        """Exchanges the credentials of a client for an access token that is valid for one hour. Send client_id and client_secret in the form or by HTTP Basic, but not both. The answer names the scopes that were granted: scopes beyond the entitlement of the client are left out without an error. Reuse the token until shortly before it expires, then request another one. (`createToken`)"""
        return await self._call("createToken", (), options, body=body)

    async def revoke_access_token(
        self,
        body: m.RevokeAccessTokenRequest,
        **options: Unpack[Options],
    ) -> dict[str, Any]:
        """Ends an access token of the client before it expires. An unknown token, and a token of another client, get the same answer with status 200, as RFC 7009 requires. Revoke a token when it may have leaked, then request another one. (`revokeAccessToken`)"""
        return await self._call("revokeAccessToken", (), options, body=body)

    async def get_jwks(self, **options: Unpack[Options]) -> m.GetJwksResponse:
        """Returns the public keys with which access tokens are signed, as a JSON Web Key Set. Keys are rotated: look a key up by the kid of a token, and fetch the set again when the kid is unknown. The answer may be cached for five seconds. (`getJwks`)"""
        return await self._call("getJwks", (), options)

    async def get_authorization_server_metadata(
        self,
        **options: Unpack[Options],
    ) -> m.GetAuthorizationServerMetadataResponse:
        """Returns the addresses and abilities of the authorization server, as RFC 8414 describes. OAuth libraries read it to configure themselves. It needs no credentials and changes with a release only. (`getAuthorizationServerMetadata`)"""
        return await self._call("getAuthorizationServerMetadata", (), options)


class AsyncMeta(AsyncResource):
    async def get_capabilities(self, **options: Unpack[Options]) -> m.Capabilities:
        """Returns what the presented token may do: its surfaces, its operations and its rate limits. Call it after you received a token, to check the entitlement of the client before the first write. It has no side effects. Scope: `meta:capabilities:read`. (`getCapabilities`)"""
        return await self._call("getCapabilities", (), options)

    async def list_error_codes(self, **options: Unpack[Options]) -> m.ListErrorCodesResponse:
        """Returns every error code with its HTTP status, its constant title and the remedy. The list is complete and is not paged. Read it to map codes to messages of your own. Scope: `meta:capabilities:read`. (`listErrorCodes`)"""
        return await self._call("listErrorCodes", (), options)

    async def list_event_types(self, **options: Unpack[Options]) -> m.ListEventTypesResponse:
        """Returns every type of event with the JSON Schema of its data and a complete example. The list is complete and is not paged. Choose from it the event_types of a webhook subscription. Scope: `meta:capabilities:read`. (`listEventTypes`)"""
        return await self._call("listEventTypes", (), options)

    async def get_time(self, **options: Unpack[Options]) -> m.ServerTime:
        """Returns the clock of the server in UTC. Compare it with your own clock when signatures or deadlines are rejected. It needs no credentials. (`getTime`)"""
        return await self._call("getTime", (), options)

    async def get_open_api(self, **options: Unpack[Options]) -> Any:
        """Returns this document. It is computed from the same declarations that route and check the requests, so it describes the running version. It needs no credentials and may be cached for one minute. (`getOpenApi`)"""
        return await self._call("getOpenApi", (), options)

    def list_requests(
        self,
        *,
        filter: m.ListRequestsFilter | None = None,
        sort: m.ListRequestsSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.LoggedRequest]:
        """Returns the requests of the team in the last seven days, the latest first, each within a second of its answer. Texts, secrets and all values of persons are stored by their form only, bodies are cut to 2,048 characters, and rows that name an erased contact are deleted. Filter by request_id to look up the id of an error. Scope: `meta:requests:read`. (`listRequests`)"""
        return self._list("listRequests", (), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})


class AsyncContacts(AsyncResource):
    def list(
        self,
        *,
        filter: m.ListContactsFilter | Mapping[str, Any] | None = None,
        sort: m.ListContactsSort | None = None,
        include: m.ListContactsInclude | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.ContactRow]:
        """Returns the contacts of the team. Archived contacts are left out. Embed accounts or journeys with include, at most 25 of each for one contact. Scope: `partner:contacts:read`. (`listContacts`)"""
        return self._list("listContacts", (), options, query={"filter": filter, "sort": sort, "include": include, "meta": meta, "page": page})

    async def create(self, body: m.ContactCreate, **options: Unpack[Options]) -> m.ContactDetails:
        """Creates a contact and records the event contact.created. A unique_id that another contact has is refused with 409 and the id of that contact in meta.id. The date of birth is stored encrypted and is shown only to tokens with the scope for sensitive data. Enroll the contact in a template next. Scope: `partner:contacts:write`. (`createContact`)"""
        return await self._call("createContact", (), options, body=body)

    async def get(self, id: str, **options: Unpack[Options]) -> m.ContactDetails:
        """Returns one contact by its id, or by unique_id: and the partner’s own key. A contact that was merged or erased answers 410. The date of birth is shown only to tokens with the scope for sensitive data. Scope: `partner:contacts:read`. (`getContact`)"""
        return await self._call("getContact", (id,), options)

    async def update(
        self,
        id: str,
        body: m.ContactCreate,
        **options: Unpack[Options],
    ) -> m.ContactDetails:
        """Changes the fields that the body names. A field that is absent stays as it is, and null clears an optional field. A change records the event contact.updated; a body that changes nothing records nothing. Send If-Match to refuse the change when somebody else was faster. Scope: `partner:contacts:write`. (`updateContact`)"""
        return await self._call("updateContact", (id,), options, body=body)

    async def delete(self, id: str, **options: Unpack[Options]) -> None:
        """Archives a contact and records the event contact.deleted. Its accounts are removed and its open journeys end, which cannot be undone. The record stays for reports. Use the operation eraseContact where the person demands erasure. While a legal hold stands on the contact or the team, it is refused with 409. Scope: `partner:contacts:delete`. (`deleteContact`)"""
        await self._run("deleteContact", (id,), options)

    async def merge(
        self,
        id: str,
        body: m.MergeContactRequest,
        **options: Unpack[Options],
    ) -> m.ContactDetails:
        """Merges another contact into the contact of the path, which then has the accounts, journeys and history of both. The source contact is archived and answers 410 with the id of the target. A merge cannot be undone. It records the event contact.merged. Scope: `partner:contacts:write`. (`mergeContact`)"""
        return await self._call("mergeContact", (id,), options, body=body)

    async def erase(self, id: str, **options: Unpack[Options]) -> m.ContactErasure:
        """Erases a contact and every copy of its personal data, also where the contact is archived. It cannot be undone, and is refused with 409 legal_hold while a legal hold stands on the contact or the team. The first step happens within the request, and the rest continues in the background. Poll the erasure in Location until its status is completed. A repeat returns the same erasure. Scope: `partner:contacts:delete`. (`eraseContact`)"""
        return await self._call("eraseContact", (id,), options)

    async def set_consent(
        self,
        id: str,
        channel: str,
        body: m.SetContactConsentRequest,
        **options: Unpack[Options],
    ) -> m.ContactDetails:
        """Records the consent of a contact for one channel: email, sms or push. It replaces the consent of this channel and leaves the others as they are. Each change is kept with its source and evidence. Messages of marketing are sent only while the consent is subscribed. Scope: `partner:contacts:write`. (`setContactConsent`)"""
        return await self._call("setContactConsent", (id, channel,), options, body=body)

    def list_consent_changes(
        self,
        id: str,
        *,
        filter: m.ListContactConsentChangesFilter | None = None,
        sort: m.ListContactConsentChangesSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.ContactConsentChange]:
        """Returns every recorded change of the consents of a contact with its source and evidence, the latest first. Scope: `partner:contacts:read`. (`listContactConsentChanges`)"""
        return self._list("listContactConsentChanges", (id,), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    async def get_topic_consents(
        self,
        id: str,
        **options: Unpack[Options],
    ) -> m.ContactTopicConsents:
        """Returns what is in effect for each topic of the team and each channel: the choice of the contact, or the default_consent of the topic. A message of a topic also needs the consent of the contact for its channel. Scope: `partner:contacts:read`. (`getContactTopicConsents`)"""
        return await self._call("getContactTopicConsents", (id,), options)

    async def set_topic_consent(
        self,
        id: str,
        topic_id: str,
        channel: str,
        body: m.SetContactTopicConsentRequest,
        **options: Unpack[Options],
    ) -> m.ContactTopicConsents:
        """Records that a contact has subscribed to a topic or has unsubscribed from it, for one channel. It leaves the other topics and channels, and the consent for the channel as a whole, as they are. Each change is kept with its source and evidence, and records the event contact.topic_consent_changed. Scope: `partner:contacts:write`. (`setContactTopicConsent`)"""
        return await self._call("setContactTopicConsent", (id, topic_id, channel,), options, body=body)

    def list_topic_consent_changes(
        self,
        id: str,
        *,
        filter: m.ListContactTopicConsentChangesFilter | None = None,
        sort: m.ListContactConsentChangesSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.ContactTopicConsentChange]:
        """Returns every recorded change of the consents of a contact to topics with its source and evidence, the latest first. Scope: `partner:contacts:read`. (`listContactTopicConsentChanges`)"""
        return self._list("listContactTopicConsentChanges", (id,), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    async def reset_identity_lock(self, id: str, **options: Unpack[Options]) -> None:
        """Ends every lock that wrong answers to identity challenges have set for a contact, and resets the counts. The contact may answer again immediately. Make sure by other means that the person is the contact. The change is recorded in the audit trail. Scope: `partner:contacts:write`. (`resetContactIdentityLock`)"""
        await self._run("resetContactIdentityLock", (id,), options)

    def list_devices(
        self,
        id: str,
        *,
        filter: m.ListContactDevicesFilter | None = None,
        sort: m.ListContactDevicesSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.Device]:
        """Returns the devices of a contact that receive push messages. Push tokens are shown as a SHA-256 hash only. Scope: `partner:contacts:read`. (`listContactDevices`)"""
        return self._list("listContactDevices", (id,), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    async def create_device(
        self,
        id: str,
        body: m.ContactDeviceCreate,
        **options: Unpack[Options],
    ) -> m.Device:
        """Registers a device for push messages. A push token that the team knows already answers 200 and moves the device to this contact. A contact has at most 50 devices. The token is stored encrypted and is never returned. Scope: `partner:contacts:write`. (`createContactDevice`)"""
        return await self._call("createContactDevice", (id,), options, body=body)

    async def get_device(self, id: str, device_id: str, **options: Unpack[Options]) -> m.Device:
        """Returns one device of a contact. The push token is shown as a SHA-256 hash only. Scope: `partner:contacts:read`. (`getContactDevice`)"""
        return await self._call("getContactDevice", (id, device_id,), options)

    async def delete_device(self, id: str, device_id: str, **options: Unpack[Options]) -> None:
        """Removes a device, which then receives no push messages. It cannot be undone. Register the device again to continue. Scope: `partner:contacts:delete`. (`deleteContactDevice`)"""
        await self._run("deleteContactDevice", (id, device_id,), options)

    def list_accounts(
        self,
        id: str,
        *,
        filter: m.ListAccountsFilter | None = None,
        sort: m.ListAccountsSort | None = None,
        include: Literal["contact"] | Sequence[Literal["contact"]] | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.AccountRow]:
        """Returns the accounts of one contact. The status of each follows from opened_at and closed_at. Closed ones are among them. Scope: `partner:contacts:read`. (`listContactAccounts`)"""
        return self._list("listContactAccounts", (id,), options, query={"filter": filter, "sort": sort, "include": include, "meta": meta, "page": page})

    async def create_account(
        self,
        id: str,
        body: m.ContactAccountCreate,
        **options: Unpack[Options],
    ) -> m.Account:
        """Creates an account of a contact and records the event account.created, and account.opened where opened_at is given. A unique_id that another account has is refused. A contact has at most 200 accounts. Scope: `partner:contacts:write`. (`createContactAccount`)"""
        return await self._call("createContactAccount", (id,), options, body=body)

    def list_cohorts(
        self,
        id: str,
        *,
        filter: m.ListCohortsFilter | None = None,
        sort: m.ListCohortsSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.Cohort]:
        """Returns the cohorts that a contact is a member of, as of their last evaluations. The entry into a realtime cohort shows shortly after the change that caused it. Scope: `partner:cohorts:read`. (`listContactCohorts`)"""
        return self._list("listContactCohorts", (id,), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    def list_journeys(
        self,
        id: str,
        *,
        filter: m.ListJourneysFilter | None = None,
        sort: m.ListJourneysSort | None = None,
        include: m.ListJourneysInclude | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.JourneyRow]:
        """Returns the journeys of one contact. Ended ones stay, with exit_reason; seq says which enrollment of the contact it is. Scope: `partner:journeys:read`. (`listContactJourneys`)"""
        return self._list("listContactJourneys", (id,), options, query={"filter": filter, "sort": sort, "include": include, "meta": meta, "page": page})

    def list_message_deliveries(
        self,
        id: str,
        *,
        filter: m.ListMessageDeliveriesFilter | None = None,
        sort: m.ListMessageDeliveriesSort | None = None,
        include: m.ListMessageDeliveriesInclude | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.MessageDeliveryRow]:
        """Returns the deliveries of messages to one contact. A skip_reason says why one was not sent. Scope: `partner:messages:read`. (`listContactMessageDeliveries`)"""
        return self._list("listContactMessageDeliveries", (id,), options, query={"filter": filter, "sort": sort, "include": include, "meta": meta, "page": page})

    def list_completions(
        self,
        id: str,
        *,
        filter: m.ListCompletionsFilter | None = None,
        sort: m.ListCompletionsSort | None = None,
        include: m.ListCompletionsInclude | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.ObjectiveCompletionRow]:
        """Returns the objectives that a contact has completed, with voided completions. The attribution says whether a journey led to one. Scope: `partner:objectives:read`. (`listContactCompletions`)"""
        return self._list("listContactCompletions", (id,), options, query={"filter": filter, "sort": sort, "include": include, "meta": meta, "page": page})

    def list_events(
        self,
        id: str,
        *,
        filter: m.ListEngagementEventsFilter | None = None,
        sort: m.ListRequestsSort | None = None,
        include: m.ListEngagementEventsInclude | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.EngagementEventRow]:
        """Returns the engagement events of one contact, the latest first. is_machine marks those of scanners and proxies, which insights leave out. Scope: `partner:engagement:read`. (`listContactEvents`)"""
        return self._list("listContactEvents", (id,), options, query={"filter": filter, "sort": sort, "include": include, "meta": meta, "page": page})

    async def export(self, id: str, **options: Unpack[Options]) -> m.Export:
        """Writes everything that is known about a contact to a JSON file in the background, for the person. Sections whose read scope the token lacks are left out and named in the file. Poll the address in Location until the status is completed, then download the file. The file is kept for one day. The request is recorded in the audit trail. Scope: `partner:contacts:read`. (`exportContact`)"""
        return await self._call("exportContact", (id,), options)


class AsyncContactErasures(AsyncResource):
    async def get(self, id: str, **options: Unpack[Options]) -> m.ContactErasure:
        """Returns an erasure and its progress. The status is completed once no copy of the data is left. Until then the answer carries Retry-After. Scope: `partner:contacts:read`. (`getContactErasure`)"""
        return await self._call("getContactErasure", (id,), options)


class AsyncTopics(AsyncResource):
    def list(
        self,
        *,
        filter: m.ListTopicsFilter | None = None,
        sort: m.ListTopicsSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.Topic]:
        """Returns the subjects of marketing messages that recipients choose one by one, in the order of the preference center. Archived topics are returned only where a filter names is_archived. Scope: `partner:topics:read`. (`listTopics`)"""
        return self._list("listTopics", (), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    async def create(self, body: m.TopicCreate, **options: Unpack[Options]) -> m.Topic:
        """Creates a topic. Name and description are shown to recipients. The default_consent is in effect for contacts that have made no choice and cannot be changed later: a changed default would subscribe people without their consent. A team has at most 50 topics. Name the topic as topic_id of marketing messages next. Scope: `partner:topics:write`. (`createTopic`)"""
        return await self._call("createTopic", (), options, body=body)

    async def get(self, id: str, **options: Unpack[Options]) -> m.Topic:
        """Returns one topic. A topic is a subject that contacts choose apart from a channel, such as offers. Its default_consent counts for contacts that have chosen nothing. Scope: `partner:topics:read`. (`getTopic`)"""
        return await self._call("getTopic", (id,), options)

    async def update(self, id: str, body: m.TopicPatch, **options: Unpack[Options]) -> m.Topic:
        """Changes the fields that the body names. The default_consent is fixed. Consents to the topic stay as they are, so a new name should mean the same subject. Scope: `partner:topics:write`. (`updateTopic`)"""
        return await self._call("updateTopic", (id,), options, body=body)

    async def delete(self, id: str, **options: Unpack[Options]) -> None:
        """Deletes a topic permanently. One that a message names is refused with 409; archive it instead. Recorded consents stay in the history of the contacts. Messages of the topic that wait follow the consents to the end. Scope: `partner:topics:delete`. (`deleteTopic`)"""
        await self._run("deleteTopic", (id,), options)

    async def archive(self, id: str, **options: Unpack[Options]) -> m.Topic:
        """Archives a topic. The preference center offers it no longer, and no further message can name it. Messages that name it are sent by the consents as before. It can be unarchived. Scope: `partner:topics:write`. (`archiveTopic`)"""
        return await self._call("archiveTopic", (id,), options)

    async def unarchive(self, id: str, **options: Unpack[Options]) -> m.Topic:
        """Unarchives a topic: the preference center offers it again, and messages can name it. The consents are as they were. A topic that is not archived is refused with 409. Scope: `partner:topics:write`. (`unarchiveTopic`)"""
        return await self._call("unarchiveTopic", (id,), options)


class AsyncSuppressions(AsyncResource):
    def list(
        self,
        *,
        filter: m.ListSuppressionsFilter | None = None,
        sort: m.ListContactDevicesSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.Suppression]:
        """Returns the addresses, phone numbers and contacts that receive no messages. Scope: `partner:contacts:read`. (`listSuppressions`)"""
        return self._list("listSuppressions", (), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    async def create(self, body: m.SuppressionCreate, **options: Unpack[Options]) -> m.Suppression:
        """Prevents messages to an e-mail address, a phone number, or a contact on all channels. Give address with the channel email or sms, and contact_id with the channel all. A suppression that exists already answers 200 and stays as it is. It applies to every template from the next message on. Scope: `partner:contacts:write`. (`createSuppression`)"""
        return await self._call("createSuppression", (), options, body=body)

    async def get(self, id: str, **options: Unpack[Options]) -> m.Suppression:
        """Returns one suppression with its reason and source. Suppressions are also made by the service, for example after a hard bounce or a complaint. Scope: `partner:contacts:read`. (`getSuppression`)"""
        return await self._call("getSuppression", (id,), options)

    async def delete(self, id: str, **options: Unpack[Options]) -> None:
        """Lifts a suppression, so that messages are sent again. Lift a suppression only where you know that the address accepts messages. Scope: `partner:contacts:delete`. (`deleteSuppression`)"""
        await self._run("deleteSuppression", (id,), options)


class AsyncAccounts(AsyncResource):
    def list(
        self,
        *,
        filter: m.ListAccountsFilter | None = None,
        sort: m.ListAccountsSort | None = None,
        include: Literal["contact"] | Sequence[Literal["contact"]] | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.AccountRow]:
        """Returns the accounts of all contacts of the team. Sort by balance_cents, opened_at or closed_at; the status follows from the two times. Filter by contact_id, unique_id, kind or product_id. Scope: `partner:contacts:read`. (`listAccounts`)"""
        return self._list("listAccounts", (), options, query={"filter": filter, "sort": sort, "include": include, "meta": meta, "page": page})

    async def get(self, id: str, **options: Unpack[Options]) -> m.Account:
        """Returns one account. The balance is in cents of the currency of the account. The status follows from opened_at and closed_at. Scope: `partner:contacts:read`. (`getAccount`)"""
        return await self._call("getAccount", (id,), options)

    async def update(self, id: str, body: m.AccountPatch, **options: Unpack[Options]) -> m.Account:
        """Changes the fields that the body names. Setting opened_at opens the account, setting closed_at closes it, and null in closed_at reopens it. The matching events are recorded. Send If-Match to refuse the change if another client changed it first. Scope: `partner:contacts:write`. (`updateAccount`)"""
        return await self._call("updateAccount", (id,), options, body=body)

    async def delete(self, id: str, **options: Unpack[Options]) -> None:
        """Deletes an account permanently. No event is recorded. Close an account instead where its history matters. While a legal hold stands on its contact or the team, it is refused with 409. Scope: `partner:contacts:delete`. (`deleteAccount`)"""
        await self._run("deleteAccount", (id,), options)

    async def close(
        self,
        id: str,
        body: m.CloseAccountRequest | None = None,
        **options: Unpack[Options],
    ) -> m.Account:
        """Closes an open account and records the event account.closed. The time is now unless closed_at says otherwise. An account that is not open is refused with 409. Scope: `partner:contacts:write`. (`closeAccount`)"""
        return await self._call("closeAccount", (id,), options, body=body)

    async def reopen(self, id: str, **options: Unpack[Options]) -> m.Account:
        """Reopens a closed account and records the event account.updated. An account that is not closed is refused with 409. The time at which it was opened stays as it was. Scope: `partner:contacts:write`. (`reopenAccount`)"""
        return await self._call("reopenAccount", (id,), options)


class AsyncCohorts(AsyncResource):
    def list(
        self,
        *,
        filter: m.ListCohortsFilter | None = None,
        sort: m.ListCohortsSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.Cohort]:
        """Returns the cohorts of the team. Archived cohorts are returned only where a filter names is_archived. The members that member_count counts are those of last_evaluated_at. Scope: `partner:cohorts:read`. (`listCohorts`)"""
        return self._list("listCohorts", (), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    async def create(self, body: m.CohortCreate, **options: Unpack[Options]) -> m.Cohort:
        """Creates a cohort. A dynamic cohort needs a definition and is evaluated in the background unless its evaluation_mode is on_demand. A static cohort has no definition, and its members are added with the operation addCohortMembers. The name must be unique in the team, and a team has at most 1,000 cohorts. Scope: `partner:cohorts:write`. (`createCohort`)"""
        return await self._call("createCohort", (), options, body=body)

    async def get(self, id: str, **options: Unpack[Options]) -> m.Cohort:
        """Returns one cohort with the number of its members and the state of its evaluation. Members are listed by the operation listCohortMembers. Scope: `partner:cohorts:read`. (`getCohort`)"""
        return await self._call("getCohort", (id,), options)

    async def update(self, id: str, body: m.CohortPatch, **options: Unpack[Options]) -> m.Cohort:
        """Changes the fields that the body names. The kind is fixed. A new definition is evaluated in the background unless the evaluation_mode is on_demand. Poll evaluation_status until it is ready. Scope: `partner:cohorts:write`. (`updateCohort`)"""
        return await self._call("updateCohort", (id,), options, body=body)

    async def delete(self, id: str, **options: Unpack[Options]) -> None:
        """Deletes a cohort permanently. A cohort that a launched or scheduled template names is refused with 409. The contacts themselves stay. Scope: `partner:cohorts:delete`. (`deleteCohort`)"""
        await self._run("deleteCohort", (id,), options)

    async def preview(
        self,
        body: m.PreviewCohortRequest,
        **options: Unpack[Options],
    ) -> m.CohortPreview:
        """Counts the contacts that match a definition, without storing anything. Use it to check a definition before you create or change a cohort. It needs the read scopes of what the rules ask about, such as partner:contacts:read. Scope: `partner:cohorts:execute`. (`previewCohort`)"""
        return await self._call("previewCohort", (), options, body=body)

    async def evaluate(self, id: str, **options: Unpack[Options]) -> m.CohortAsked:
        """Starts an evaluation of a dynamic cohort in the background. Poll the address in Location until the execution has finished; then member_count is current. Static and archived cohorts are refused. The event cohort.evaluated is recorded at the end. Scope: `partner:cohorts:execute`. (`evaluateCohort`)"""
        return await self._call("evaluateCohort", (id,), options)

    async def get_evaluation(
        self,
        id: str,
        execution_id: str,
        **options: Unpack[Options],
    ) -> m.OperationExecution:
        """Returns the progress of an evaluation that the operation evaluateCohort started. Until it has finished, the answer carries Retry-After. Executions are kept for seven days. Scope: `partner:cohorts:execute`. (`getCohortEvaluation`)"""
        return await self._call("getCohortEvaluation", (id, execution_id,), options)

    async def archive(self, id: str, **options: Unpack[Options]) -> m.Cohort:
        """Archives a cohort. Its members stay as they are, and it is no longer evaluated. A cohort that a launched or scheduled template names is refused with 409. It can be unarchived. Scope: `partner:cohorts:write`. (`archiveCohort`)"""
        return await self._call("archiveCohort", (id,), options)

    async def unarchive(self, id: str, **options: Unpack[Options]) -> m.Cohort:
        """Unarchives a cohort. A dynamic cohort is then evaluated in the background unless its evaluation_mode is on_demand. A cohort that is not archived is refused with 409. Scope: `partner:cohorts:write`. (`unarchiveCohort`)"""
        return await self._call("unarchiveCohort", (id,), options)

    def list_members(
        self,
        id: str,
        *,
        filter: m.ListCohortMembersFilter | None = None,
        sort: m.ListCohortMembersSort | None = None,
        include: Literal["contact"] | Sequence[Literal["contact"]] | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.CohortMemberRow]:
        """Returns the members of a cohort as of its last evaluation. Embed the contacts with include. Each one has the time at which the contact joined. Scope: `partner:cohorts:read`. (`listCohortMembers`)"""
        return self._list("listCohortMembers", (id,), options, query={"filter": filter, "sort": sort, "include": include, "meta": meta, "page": page})

    async def add_members(
        self,
        id: str,
        body: m.AddCohortMembersRequest,
        **options: Unpack[Options],
    ) -> m.CohortMembersChanged:
        """Adds up to 10,000 contacts to a static cohort. All of them are added, or none where the team does not have one of them. Contacts who are members already are not counted in changed. The members of a dynamic cohort follow its definition and cannot be added. Scope: `partner:cohorts:write`. (`addCohortMembers`)"""
        return await self._call("addCohortMembers", (id,), options, body=body)

    async def remove_members(
        self,
        id: str,
        body: m.AddCohortMembersRequest,
        **options: Unpack[Options],
    ) -> m.CohortMembersChanged:
        """Removes up to 10,000 contacts from a static cohort. All of them are removed, or none where the team does not have one of them. Contacts who are no members are not counted in changed. The contacts themselves stay. Scope: `partner:cohorts:write`. (`removeCohortMembers`)"""
        return await self._call("removeCohortMembers", (id,), options, body=body)

    async def explain_member(
        self,
        id: str,
        contact_id: str,
        **options: Unpack[Options],
    ) -> m.CohortExplanation:
        """Returns whether a contact matches a cohort at this moment, rule by rule. The answer is computed for the request, so it can differ from the membership, which is as of the last evaluation. Use it to find out why a contact is in a cohort or not. It needs the read scopes of the data in the rules, such as partner:contacts:read. Scope: `partner:cohorts:read`. (`explainCohortMember`)"""
        return await self._call("explainCohortMember", (id, contact_id,), options)


class AsyncTemplates(AsyncResource):
    def list(
        self,
        *,
        filter: m.ListTemplatesFilter | None = None,
        sort: m.ListTemplatesSort | None = None,
        include: m.ListTemplatesInclude | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.TemplateRow]:
        """Returns the templates of the team. Archived templates are returned only where a filter names status or is_archived. Embed objectives, pages and messages with include, at most 25 of each for one template. Scope: `partner:templates:read`. (`listTemplates`)"""
        return self._list("listTemplates", (), options, query={"filter": filter, "sort": sort, "include": include, "meta": meta, "page": page})

    async def create(self, body: m.TemplateCreate, **options: Unpack[Options]) -> m.Template:
        """Creates a template as a draft. With scheduled_at it is scheduled right away, which requires a complete template. A team has at most 5,000 templates. Add pages and messages next, then validate and launch it. Scope: `partner:templates:write`. (`createTemplate`)"""
        return await self._call("createTemplate", (), options, body=body)

    async def get(self, id: str, **options: Unpack[Options]) -> m.Template:
        """Returns one template with its status and the ids of its objectives, pages and messages. It has no side effects. Scope: `partner:templates:read`. (`getTemplate`)"""
        return await self._call("getTemplate", (id,), options)

    async def update(
        self,
        id: str,
        body: m.TemplatePatch,
        **options: Unpack[Options],
    ) -> m.Template:
        """Changes the fields that the body names. scheduled_at schedules the launch, moves it, or unschedules it when it is null. A locked template accepts only name, description, deadline_at and send_rate_per_minute. Send If-Match to refuse the change when somebody else was faster. Scope: `partner:templates:write`. (`updateTemplate`)"""
        return await self._call("updateTemplate", (id,), options, body=body)

    async def delete(self, id: str, **options: Unpack[Options]) -> None:
        """Deletes a draft that was never launched, with its pages and messages. It cannot be undone. A template that was launched is refused with 409 and can be archived instead. Scope: `partner:templates:delete`. (`deleteTemplate`)"""
        await self._run("deleteTemplate", (id,), options)

    async def get_status_rollup(self, **options: Unpack[Options]) -> m.TemplateStatusRollup:
        """Returns the number of templates in each status. It is computed for the request and has no parameters. A status without templates counts 0; total is the sum, and computed_at the time. Scope: `partner:templates:read`. (`getTemplateStatusRollup`)"""
        return await self._call("getTemplateStatusRollup", (), options)

    async def validate(self, id: str, **options: Unpack[Options]) -> m.TemplateCompleteness:
        """Returns what the template lacks before it can launch. An empty list in missing means that it is complete. Nothing is changed. Call it before you schedule or launch. Scope: `partner:templates:read`. (`validateTemplate`)"""
        return await self._call("validateTemplate", (id,), options)

    async def schedule(
        self,
        id: str,
        body: m.ScheduleTemplateRequest,
        **options: Unpack[Options],
    ) -> m.Template:
        """Schedules the launch of a complete template for a time within a year, or moves that time. The template launches by itself at that time. Where it is no longer complete then, it becomes a draft again and the event template.launch_failed is recorded. The event template.scheduled is recorded now. Scope: `partner:templates:write`. (`scheduleTemplate`)"""
        return await self._call("scheduleTemplate", (id,), options, body=body)

    async def unschedule(self, id: str, **options: Unpack[Options]) -> m.Template:
        """Removes the time of the launch, so that the template is a draft again. A template that is not scheduled is refused with 409. The event template.updated is recorded. Scope: `partner:templates:write`. (`unscheduleTemplate`)"""
        return await self._call("unscheduleTemplate", (id,), options)

    async def launch(self, id: str, **options: Unpack[Options]) -> m.Template:
        """Launches a complete template now. Its content is stored as a version and locked. An incomplete template is refused with 422, and meta.missing names the gaps. The event template.launched is recorded. Enroll contacts next. Scope: `partner:templates:write`. (`launchTemplate`)"""
        return await self._call("launchTemplate", (id,), options)

    async def pause(self, id: str, **options: Unpack[Options]) -> m.Template:
        """Pauses enrollments and messages of a launched template. The deadline continues, and journeys stay as they are. The event template.paused is recorded. Edit the template where needed, then resume it. Scope: `partner:templates:write`. (`pauseTemplate`)"""
        return await self._call("pauseTemplate", (id,), options)

    async def resume(self, id: str, **options: Unpack[Options]) -> m.Template:
        """Continues a paused template. Content that was edited during the pause becomes a new version for journeys that start from then on. The event template.resumed is recorded. An incomplete template is refused with 422. Scope: `partner:templates:write`. (`resumeTemplate`)"""
        return await self._call("resumeTemplate", (id,), options)

    async def expire(self, id: str, **options: Unpack[Options]) -> m.Template:
        """Ends a template before its deadline, with its open journeys. It cannot be launched again as it is: duplicate it instead. The event template.expired is recorded. Scope: `partner:templates:write`. (`expireTemplate`)"""
        return await self._call("expireTemplate", (id,), options)

    async def archive(self, id: str, **options: Unpack[Options]) -> m.Template:
        """Archives a template that is not launched. A launched template is refused with 409: pause it first. The event template.archived is recorded. It can be unarchived. Scope: `partner:templates:write`. (`archiveTemplate`)"""
        return await self._call("archiveTemplate", (id,), options)

    async def unarchive(self, id: str, **options: Unpack[Options]) -> m.Template:
        """Unarchives a template. A template that was never launched is a draft again; one that was launched is paused, or expired where its deadline has passed. The event template.unarchived is recorded. Scope: `partner:templates:write`. (`unarchiveTemplate`)"""
        return await self._call("unarchiveTemplate", (id,), options)

    async def lock(self, id: str, **options: Unpack[Options]) -> m.Template:
        """Locks a template against edits, except for name, description, deadline_at and send_rate_per_minute. The status does not change. The event template.locked is recorded. Scope: `partner:templates:write`. (`lockTemplate`)"""
        return await self._call("lockTemplate", (id,), options)

    async def unlock(self, id: str, **options: Unpack[Options]) -> m.Template:
        """Allows edits of a locked template again. A template that is launched or scheduled stays locked and is refused with 409: pause or unschedule it first. The event template.updated is recorded. Scope: `partner:templates:write`. (`unlockTemplate`)"""
        return await self._call("unlockTemplate", (id,), options)

    async def duplicate(
        self,
        id: str,
        body: m.DuplicateTemplateRequest | None = None,
        **options: Unpack[Options],
    ) -> m.Template:
        """Creates a draft with the same objectives, pages and messages. The deadline is not copied. The name gets the suffix (copy) unless the body has a name. Journeys and statistics stay with the original. Scope: `partner:templates:write`. (`duplicateTemplate`)"""
        return await self._call("duplicateTemplate", (id,), options, body=body)

    def list_versions(
        self,
        id: str,
        *,
        filter: m.ListTemplateVersionsFilter | None = None,
        sort: m.ListTemplateVersionsSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.TemplateVersionSummary]:
        """Returns the versions of a template: one for each launch, and one for each resume after an edit. A journey names the version whose content it shows. The content is in the answer of the operation getTemplateVersion. Scope: `partner:templates:read`. (`listTemplateVersions`)"""
        return self._list("listTemplateVersions", (id,), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    async def get_version(
        self,
        id: str,
        version: str,
        **options: Unpack[Options],
    ) -> m.TemplateVersion:
        """Returns one version of a template with its pages and messages as they were. Sections whose read scope the token lacks are left out and named in omitted_sections. Versions never change. Journeys name the version that they follow. Scope: `partner:templates:read`. (`getTemplateVersion`)"""
        return await self._call("getTemplateVersion", (id, version,), options)

    def list_status_history(
        self,
        id: str,
        *,
        filter: m.ListTemplateStatusHistoryFilter | None = None,
        sort: m.ListTemplateStatusHistorySort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.TemplateStatusChange]:
        """Returns every change of the status of a template, with the client or the timer that made it. The sequence rises with each; an entry is never changed or removed. Scope: `partner:templates:read`. (`listTemplateStatusHistory`)"""
        return self._list("listTemplateStatusHistory", (id,), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    async def enroll(
        self,
        id: str,
        body: m.EnrollInTemplateRequest,
        **options: Unpack[Options],
    ) -> m.JourneyDetails | m.OperationExecution:
        """Enrolls one contact in a launched template, or all members of a cohort. One contact is enrolled within the request, and the answer has the link for the recipient. A cohort is enrolled in the background: the answer is 202, and the address in Location shows the progress. A contact whom a rule of the template excludes is refused with 409, and one with an open journey there with already_enrolled. The messages of the journey show `data`. Scope: `partner:journeys:execute`. (`enrollInTemplate`)"""
        return await self._call("enrollInTemplate", (id,), options, body=body)

    async def get_enrollment_execution(
        self,
        id: str,
        execution_id: str,
        **options: Unpack[Options],
    ) -> m.OperationExecution:
        """Returns the progress of the enrollment of a cohort. Until it has finished, the answer carries Retry-After. Executions are kept for seven days. Scope: `partner:journeys:execute`. (`getEnrollmentExecution`)"""
        return await self._call("getEnrollmentExecution", (id, execution_id,), options)

    async def explain_enrollment(
        self,
        id: str,
        contact_id: str,
        **options: Unpack[Options],
    ) -> m.EnrollmentExplanation:
        """Returns whether a contact is or could be in a template, rule by rule. It works for contacts that were never enrolled. Nothing is changed. Use it to find out why a contact received nothing. Scope: `partner:journeys:read`. (`explainEnrollment`)"""
        return await self._call("explainEnrollment", (id, contact_id,), options)

    def list_journeys(
        self,
        id: str,
        *,
        filter: m.ListJourneysFilter | None = None,
        sort: m.ListJourneysSort | None = None,
        include: m.ListJourneysInclude | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.JourneyRow]:
        """Returns the journeys of one template. Ended ones stay, with exit_reason. A holdout is among them, and nothing is sent to it. Scope: `partner:journeys:read`. (`listTemplateJourneys`)"""
        return self._list("listTemplateJourneys", (id,), options, query={"filter": filter, "sort": sort, "include": include, "meta": meta, "page": page})

    def list_messages(
        self,
        id: str,
        *,
        filter: m.ListTemplateMessagesFilter | None = None,
        sort: m.ListTopicsSort | None = None,
        include: m.ListMessagesInclude | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.MessageRow2]:
        """Returns the messages of one template with the figures of their deliveries. They come by position, and the figures count sent, delivered, opened and clicked ones. Scope: `partner:messages:read`. (`listTemplateMessages`)"""
        return self._list("listTemplateMessages", (id,), options, query={"filter": filter, "sort": sort, "include": include, "meta": meta, "page": page})

    async def create_message(
        self,
        id: str,
        body: m.TemplateMessageCreate,
        **options: Unpack[Options],
    ) -> m.Message:
        """Adds a message to a template, at the end or at a position. Its content is checked, and what is invalid is refused with 422 and its place. A locked template is refused with 409. Render the message and send a test next. Scope: `partner:messages:write`. (`createTemplateMessage`)"""
        return await self._call("createTemplateMessage", (id,), options, body=body)

    def list_pages(
        self,
        id: str,
        *,
        filter: m.ListTemplatePagesFilter | None = None,
        sort: m.ListTopicsSort | None = None,
        include: m.ListMessagesInclude | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.PageRow]:
        """Returns the pages of one template in their order. The completion_rule of each says when its recipient has done the step. Scope: `partner:pages:read`. (`listTemplatePages`)"""
        return self._list("listTemplatePages", (id,), options, query={"filter": filter, "sort": sort, "include": include, "meta": meta, "page": page})

    async def create_page(
        self,
        id: str,
        body: m.TemplatePageCreate,
        **options: Unpack[Options],
    ) -> m.Page:
        """Adds a page to a template, at the end or at a position. Its path must be unique in the template. A locked template is refused with 409. Render the page to check it. Scope: `partner:pages:write`. (`createTemplatePage`)"""
        return await self._call("createTemplatePage", (id,), options, body=body)

    def list_engagement_events(
        self,
        id: str,
        *,
        filter: m.ListEngagementEventsFilter | None = None,
        sort: m.ListRequestsSort | None = None,
        include: m.ListEngagementEventsInclude | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.EngagementEventRow]:
        """Returns the engagement events of one template, the latest first. is_machine marks those of scanners and proxies, which insights leave out. Scope: `partner:engagement:read`. (`listTemplateEngagementEvents`)"""
        return self._list("listTemplateEngagementEvents", (id,), options, query={"filter": filter, "sort": sort, "include": include, "meta": meta, "page": page})

    async def get_insight_opt_in_widget(
        self,
        template_id: str,
        *,
        filter: m.GetAdvancedInsightTotalValueOfOpenedProductsFilter | None = None,
        period: str | None = None,
        timezone: str | None = None,
        **options: Unpack[Options],
    ) -> m.TemplateInsightOptInWidget:
        """Events of people in widgets of the kind opt_in: widget.loaded, widget.submitted, opt_in.granted and opt_in.revoked, the channel being properties.channel; properties.confirmed marks an opt-in that was confirmed by a second step. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getTemplateInsightOptInWidget`)"""
        return await self._call("getTemplateInsightOptInWidget", (template_id,), options, query={"filter": filter, "period": period, "timezone": timezone})

    async def get_insight_secure_personalization(
        self,
        template_id: str,
        *,
        filter: m.GetAdvancedInsightTotalValueOfOpenedProductsFilter | None = None,
        period: str | None = None,
        timezone: str | None = None,
        **options: Unpack[Options],
    ) -> m.TemplateInsightSecurePersonalization:
        """Counts the events identity.challenge_* of the contacts of the template. The time to pass is measured from the latest challenge of the contact; by_factor counts by properties.factor. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getTemplateInsightSecurePersonalization`)"""
        return await self._call("getTemplateInsightSecurePersonalization", (template_id,), options, query={"filter": filter, "period": period, "timezone": timezone})


class AsyncJourneys(AsyncResource):
    def list(
        self,
        *,
        filter: m.ListJourneysFilter | None = None,
        sort: m.ListJourneysSort | None = None,
        include: m.ListJourneysInclude | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.JourneyRow]:
        """Returns the journeys of the team: one for each enrollment of a contact in a template. Filter by status, contact_id, cohort_id or exit_reason, and sort by the deadline or by the last engagement. Scope: `partner:journeys:read`. (`listJourneys`)"""
        return self._list("listJourneys", (), options, query={"filter": filter, "sort": sort, "include": include, "meta": meta, "page": page})

    async def get(self, id: str, **options: Unpack[Options]) -> m.JourneyDetails:
        """Returns one journey with its status and progress. Its link_url is shown only to tokens with the scope partner:journeys:write, because it opens the journey. Scope: `partner:journeys:read`. (`getJourney`)"""
        return await self._call("getJourney", (id,), options)

    def get_timeline(
        self,
        id: str,
        *,
        filter: m.GetJourneyTimelineFilter | None = None,
        sort: m.ListRequestsSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.EngagementEvent]:
        """Returns everything that happened in a journey, the latest first. These are sends, opens, clicks, visits and completions. is_machine marks those of scanners and proxies. Scope: `partner:journeys:read`. (`getJourneyTimeline`)"""
        return self._list("getJourneyTimeline", (id,), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    async def explain(self, id: str, **options: Unpack[Options]) -> m.EnrollmentExplanation:
        """Returns how the contact of a journey stands in its template, what was sent and what will be sent. The answer is computed for the request. Nothing is changed. It names each rule with its outcome, and the next action with its time. Scope: `partner:journeys:read`. (`explainJourney`)"""
        return await self._call("explainJourney", (id,), options)

    async def pause(self, id: str, **options: Unpack[Options]) -> m.Journey:
        """Pauses one journey: nothing is sent while its times continue to pass. Only a journey that is open can be paused. Resume it to continue. Scope: `partner:journeys:write`. (`pauseJourney`)"""
        return await self._call("pauseJourney", (id,), options)

    async def resume(self, id: str, **options: Unpack[Options]) -> m.Journey:
        """Continues a paused journey. Messages that were due during the pause are evaluated again by the rules of their template. A journey that is not paused is refused with 409. Scope: `partner:journeys:write`. (`resumeJourney`)"""
        return await self._call("resumeJourney", (id,), options)

    async def cancel(self, id: str, **options: Unpack[Options]) -> m.Journey:
        """Cancels a journey permanently and records the event journey.canceled. Nothing more is sent, and its link stops working. A journey that has ended is refused with 409. Enroll the contact again to start over, where the template allows it. Scope: `partner:journeys:write`. (`cancelJourney`)"""
        return await self._call("cancelJourney", (id,), options)

    async def renew_link(self, id: str, **options: Unpack[Options]) -> m.JourneyLink:
        """Creates a new link for the recipient and ends every earlier one, with the sessions that it opened. Only a journey that is still open has a link. Use it where a link was forwarded or may have leaked. Scope: `partner:journeys:write`. (`renewJourneyLink`)"""
        return await self._call("renewJourneyLink", (id,), options)

    async def watch(self, id: str, **options: Unpack[Options]) -> m.JourneyWatch:
        """Gives an open journey a workflow of its own, by which the operators of the service can follow it: for questions such as "why did this person get no message?". The journey itself goes on as before. A watch ends with its journey, after 30 days, or when it is deleted; a repeated request prolongs it. A team can watch 100 journeys at a time. Scope: `partner:journeys:write`. (`watchJourney`)"""
        return await self._call("watchJourney", (id,), options)

    async def unwatch(self, id: str, **options: Unpack[Options]) -> None:
        """Ends the watch of a journey; the journey continues. A journey that is not watched is left unchanged. Scope: `partner:journeys:write`. (`unwatchJourney`)"""
        await self._run("unwatchJourney", (id,), options)


class AsyncContentBlocks(AsyncResource):
    def list(
        self,
        *,
        filter: m.ListContentBlocksFilter | None = None,
        sort: m.ListContentBlocksSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.ContentBlock]:
        """Returns the content blocks of the team. Archived blocks are returned only where a filter names is_archived. Pages, messages and landing pages refer to a block by its id. Scope: `partner:content_blocks:read`. (`listContentBlocks`)"""
        return self._list("listContentBlocks", (), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    async def create(
        self,
        body: m.ContentBlockCreate,
        **options: Unpack[Options],
    ) -> m.ContentBlock:
        """Creates a content block. HTML is sanitized and Liquid is checked; what is invalid is refused with 422 and its place. The key must be unique in the team, and a team has at most 10,000 blocks. Refer to the block from pages, messages and landing pages by its id. Scope: `partner:content_blocks:write`. (`createContentBlock`)"""
        return await self._call("createContentBlock", (), options, body=body)

    async def get(self, id: str, **options: Unpack[Options]) -> m.ContentBlock:
        """Returns one content block with the number of places that use it. The places are listed by the operation getContentBlockUsage. Scope: `partner:content_blocks:read`. (`getContentBlock`)"""
        return await self._call("getContentBlock", (id,), options)

    async def update(
        self,
        id: str,
        body: m.ContentBlockPatch,
        **options: Unpack[Options],
    ) -> m.ContentBlock:
        """Changes the fields that the body names. Published landing pages and launched templates keep the content that they have. A change of the content increases version. Publish a landing page again to show the new content there. Scope: `partner:content_blocks:write`. (`updateContentBlock`)"""
        return await self._call("updateContentBlock", (id,), options, body=body)

    async def delete(self, id: str, **options: Unpack[Options]) -> None:
        """Deletes a content block permanently. A block that is in use is refused with 409. Archive a block instead where it may be needed again. Scope: `partner:content_blocks:delete`. (`deleteContentBlock`)"""
        await self._run("deleteContentBlock", (id,), options)

    async def get_usage(self, id: str, **options: Unpack[Options]) -> m.ContentBlockUsage:
        """Returns the pages, messages and landing pages that refer to a content block. Use it before you change, archive or delete the block. Nothing is changed. Scope: `partner:content_blocks:read`. (`getContentBlockUsage`)"""
        return await self._call("getContentBlockUsage", (id,), options)

    async def archive(self, id: str, **options: Unpack[Options]) -> m.ContentBlock:
        """Archives a content block. A block that is shown by something launched or published is refused with 409. It can be unarchived. Scope: `partner:content_blocks:write`. (`archiveContentBlock`)"""
        return await self._call("archiveContentBlock", (id,), options)

    async def unarchive(self, id: str, **options: Unpack[Options]) -> m.ContentBlock:
        """Unarchives a content block. A block that is not archived is refused with 409. Its content is as it was. Scope: `partner:content_blocks:write`. (`unarchiveContentBlock`)"""
        return await self._call("unarchiveContentBlock", (id,), options)

    async def duplicate(
        self,
        id: str,
        body: m.DuplicateContentBlockRequest,
        **options: Unpack[Options],
    ) -> m.ContentBlock:
        """Creates a content block with the same content under another key. The name gets the suffix (copy) unless the body has a name. The key must be unique in the team. Scope: `partner:content_blocks:write`. (`duplicateContentBlock`)"""
        return await self._call("duplicateContentBlock", (id,), options, body=body)

    async def render(
        self,
        id: str,
        body: m.RenderContentBlockRequest | None = None,
        **options: Unpack[Options],
    ) -> m.RenderedContent:
        """Returns the HTML of a content block for a contact, for given data, or for a sample person where the body is absent. Variables that do not exist are listed in unknown_variables; they prevent publication. Nothing is stored or sent. The data of a contact needs the scope partner:contacts:read. Scope: `partner:content_blocks:read`. (`renderContentBlock`)"""
        return await self._call("renderContentBlock", (id,), options, body=body)

    async def preview(
        self,
        body: m.PreviewContentBlockRequest,
        **options: Unpack[Options],
    ) -> m.RenderedContent:
        """Returns the HTML of content that is not stored yet. It sanitizes and checks the content as createContentBlock does. Nothing is stored or sent. Use it for an editor with a live preview. Scope: `partner:content_blocks:read`. (`previewContentBlock`)"""
        return await self._call("previewContentBlock", (), options, body=body)


class AsyncLandingPages(AsyncResource):
    def list(
        self,
        *,
        filter: m.ListLandingPagesFilter | None = None,
        sort: m.ListLandingPagesSort | None = None,
        include: m.ListLandingPagesInclude | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.LandingPageRow]:
        """Returns the landing pages of the team. Archived pages are returned only where a filter names status. has_unpublished_changes marks drafts that visitors do not see yet. Scope: `partner:landing_pages:read`. (`listLandingPages`)"""
        return self._list("listLandingPages", (), options, query={"filter": filter, "sort": sort, "include": include, "meta": meta, "page": page})

    async def create(self, body: m.LandingPageCreate, **options: Unpack[Options]) -> m.LandingPage:
        """Creates a landing page as a draft. The slug must be unique in the team, and a team has at most 5,000 pages. Visitors see nothing before it is published. Preview and publish it next. Scope: `partner:landing_pages:write`. (`createLandingPage`)"""
        return await self._call("createLandingPage", (), options, body=body)

    async def get(self, id: str, **options: Unpack[Options]) -> m.LandingPage:
        """Returns one landing page with its public address and its status. It shows the content as edited, which can differ from the published content. Scope: `partner:landing_pages:read`. (`getLandingPage`)"""
        return await self._call("getLandingPage", (id,), options)

    async def update(
        self,
        id: str,
        body: m.LandingPagePatch,
        **options: Unpack[Options],
    ) -> m.LandingPage:
        """Changes the fields that the body names. Visitors see a change of the content after the next publication. A change of the slug takes effect immediately. A body that changes nothing records nothing. Scope: `partner:landing_pages:write`. (`updateLandingPage`)"""
        return await self._call("updateLandingPage", (id,), options, body=body)

    async def delete(self, id: str, **options: Unpack[Options]) -> None:
        """Deletes a landing page permanently. A published page is refused with 409: unpublish or archive it first. Its slug becomes free. Scope: `partner:landing_pages:delete`. (`deleteLandingPage`)"""
        await self._run("deleteLandingPage", (id,), options)

    async def publish(self, id: str, **options: Unpack[Options]) -> m.LandingPage:
        """Publishes the current content of the landing page and records the event landing_page.published. Visitors see this version until the next publication. A page that lacks content is refused with 422, and meta.missing names the gaps. Scope: `partner:landing_pages:write`. (`publishLandingPage`)"""
        return await self._call("publishLandingPage", (id,), options)

    async def unpublish(self, id: str, **options: Unpack[Options]) -> m.LandingPage:
        """Unpublishes a landing page, which becomes a draft. Visitors see that the page does not exist. A page that is not published is refused with 409. The event landing_page.unpublished is recorded. Scope: `partner:landing_pages:write`. (`unpublishLandingPage`)"""
        return await self._call("unpublishLandingPage", (id,), options)

    async def archive(self, id: str, **options: Unpack[Options]) -> m.LandingPage:
        """Archives a landing page, and unpublishes it if it was published. Its slug is free for another page. The event landing_page.archived is recorded. It can be unarchived. Scope: `partner:landing_pages:write`. (`archiveLandingPage`)"""
        return await self._call("archiveLandingPage", (id,), options)

    async def unarchive(self, id: str, **options: Unpack[Options]) -> m.LandingPage:
        """Unarchives a landing page as a draft. If another page has taken its slug, the answer is 409. The event landing_page.updated is recorded. Publish it to show it again. Scope: `partner:landing_pages:write`. (`unarchiveLandingPage`)"""
        return await self._call("unarchiveLandingPage", (id,), options)

    async def duplicate(
        self,
        id: str,
        body: m.DuplicateLandingPageRequest | None = None,
        **options: Unpack[Options],
    ) -> m.LandingPage:
        """Creates a draft with the same content under a slug of its own. Without a slug in the body, a free one is derived from the original. The original and its statistics stay as they are. Scope: `partner:landing_pages:write`. (`duplicateLandingPage`)"""
        return await self._call("duplicateLandingPage", (id,), options, body=body)

    async def preview(self, id: str, **options: Unpack[Options]) -> m.LandingPagePreview:
        """Returns the document that a publication now would show to a sample person, and what prevents publication. Nothing is stored or published. Use renderLandingPage to show it to a contact. Scope: `partner:landing_pages:read`. (`previewLandingPage`)"""
        return await self._call("previewLandingPage", (id,), options)

    async def render(
        self,
        id: str,
        body: m.RenderContentBlockRequest | None = None,
        **options: Unpack[Options],
    ) -> m.LandingPagePreview:
        """Returns the document that a publication now would show to a contact or with given data, in the language of the page unless the body names one. Nothing is stored or published. The data of a contact needs the scope partner:contacts:read. Scope: `partner:landing_pages:read`. (`renderLandingPage`)"""
        return await self._call("renderLandingPage", (id,), options, body=body)


class AsyncMessages(AsyncResource):
    def list(
        self,
        *,
        filter: m.ListMessagesFilter | None = None,
        sort: m.ListTopicsSort | None = None,
        include: m.ListMessagesInclude | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.MessageRow]:
        """Returns the messages of all templates. Archived messages are returned only where a filter names status. Each has the channel, purpose and trigger by which it is sent. Scope: `partner:messages:read`. (`listMessages`)"""
        return self._list("listMessages", (), options, query={"filter": filter, "sort": sort, "include": include, "meta": meta, "page": page})

    async def get(self, id: str, **options: Unpack[Options]) -> m.Message:
        """Returns one message of a template with its content, variants and trigger. It has no side effects. Scope: `partner:messages:read`. (`getMessage`)"""
        return await self._call("getMessage", (id,), options)

    async def update(self, id: str, body: m.MessagePatch, **options: Unpack[Options]) -> m.Message:
        """Changes the fields that the body names, or moves the message to another position. The channel is fixed. A locked template is refused with 409. A change of the content increases version. Scope: `partner:messages:write`. (`updateMessage`)"""
        return await self._call("updateMessage", (id,), options, body=body)

    async def delete(self, id: str, **options: Unpack[Options]) -> None:
        """Deletes a message permanently. A locked template is refused with 409. Archive a message instead to retain its figures. Scope: `partner:messages:delete`. (`deleteMessage`)"""
        await self._run("deleteMessage", (id,), options)

    async def archive(self, id: str, **options: Unpack[Options]) -> m.Message:
        """Archives a message, which is then not sent and comes after the others. Its figures stay. A locked template is refused with 409. It can be unarchived. Scope: `partner:messages:write`. (`archiveMessage`)"""
        return await self._call("archiveMessage", (id,), options)

    async def unarchive(self, id: str, **options: Unpack[Options]) -> m.Message:
        """Unarchives a message, as a draft at the last position. A locked template, and one that has no room for another message, is refused. Move it with the operation updateMessage. Scope: `partner:messages:write`. (`unarchiveMessage`)"""
        return await self._call("unarchiveMessage", (id,), options)

    async def render(
        self,
        id: str,
        body: m.RenderMessageRequest | None = None,
        **options: Unpack[Options],
    ) -> m.RenderedMessage:
        """Returns a message as it would be sent now to a contact, to a sample person or with given data: in the language, the time zone and the variant of the contact, or in the variant that is named. Addresses of the journey, of unsubscribing and of preferences have the form of real ones and open nothing. Variables that do not exist are listed in unknown_variables; they prevent a launch. Nothing is sent. The data of a contact needs the scope partner:contacts:read. Scope: `partner:messages:read`. (`renderMessage`)"""
        return await self._call("renderMessage", (id,), options, body=body)

    async def send_test(
        self,
        id: str,
        body: m.SendTestMessageRequest,
        **options: Unpack[Options],
    ) -> m.MessageTestSends:
        """Sends the current message to up to five addresses, with the data of a sample person in the language and time zone of the team. Each address is that of a confirmed test recipient, or the e-mail address of an active user of the team, and is not suppressed. The figures of the message do not count it. The message is sent in the background. Each repeat without an Idempotency-Key sends again; a team has 50 test sends in a day. Scope: `partner:messages:write`. (`sendTestMessage`)"""
        return await self._call("sendTestMessage", (id,), options, body=body)

    async def send(
        self,
        id: str,
        body: m.SendMessageRequest,
        **options: Unpack[Options],
    ) -> m.MessageDelivery:
        """Sends a launched message whose trigger is on_request to one recipient, ahead of campaigns. The answer is its message delivery: one that may not be sent has the status skipped with its reason. A template that is not launched, and a message with another trigger, is refused with 409. Each repeat without an Idempotency-Key sends again. Cancel it with the operation cancelMessageDelivery, and learn what happened with explainMessageDelivery. Scope: `partner:message_sends:write`. (`sendMessage`)"""
        return await self._call("sendMessage", (id,), options, body=body)

    async def send_batch(
        self,
        id: str,
        body: m.SendMessageBatchRequest,
        **options: Unpack[Options],
    ) -> m.MessageSendReport:
        """Sends a launched message whose trigger is on_request to up to 100 recipients, as the operation sendMessage does to one. Each send stands by itself: results has the message delivery of each, or what is wrong with it. Each repeat without an Idempotency-Key sends again. Scope: `partner:message_sends:write`. (`sendMessageBatch`)"""
        return await self._call("sendMessageBatch", (id,), options, body=body)


class AsyncTestRecipients(AsyncResource):
    def list(
        self,
        *,
        filter: m.ListTestRecipientsFilter | None = None,
        sort: m.ListContactDevicesSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.TestRecipient]:
        """Returns the test recipients of the team. Most of each address is hidden. Scope: `partner:messages:read`. (`listTestRecipients`)"""
        return self._list("listTestRecipients", (), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    async def create(
        self,
        body: m.TestRecipientCreate,
        **options: Unpack[Options],
    ) -> m.TestRecipient:
        """Adds an address that test sends may go to after its owner has confirmed it. The address gets one message with a link, which is valid for 7 days. An address that is known answers 200; while it is pending, it gets the link again. The messages have daily limits; beyond them the answer is 429. A team has at most 100 test recipients, and pending ones are deleted after their link. Scope: `partner:messages:write`. (`createTestRecipient`)"""
        return await self._call("createTestRecipient", (), options, body=body)

    async def get(self, id: str, **options: Unpack[Options]) -> m.TestRecipient:
        """Returns one test recipient. Test sends may go to it once its status is confirmed. It has no side effects. Scope: `partner:messages:read`. (`getTestRecipient`)"""
        return await self._call("getTestRecipient", (id,), options)

    async def delete(self, id: str, **options: Unpack[Options]) -> None:
        """Deletes a test recipient and its address permanently. Its confirmation link stops working, and waiting test sends to it are dropped. Scope: `partner:messages:delete`. (`deleteTestRecipient`)"""
        await self._run("deleteTestRecipient", (id,), options)


class AsyncArchivedMessages(AsyncResource):
    def list(
        self,
        *,
        filter: m.ListArchivedMessagesFilter | None = None,
        sort: m.ListArchivedMessagesSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.ArchivedMessage]:
        """Returns messages that providers took while the team archived what was sent. Addresses are masked, and contents are left out; getArchivedMessage shows both. Scope: `partner:archived_messages:read`. (`listArchivedMessages`)"""
        return self._list("listArchivedMessages", (), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    async def get(self, id: str, **options: Unpack[Options]) -> m.ArchivedMessageDetails:
        """Returns a message as the provider got it, with the address. Its id is that of the message delivery. Reads are counted in the audit trail. Content and address are absent where content_status is not stored. Scope: `partner:archived_messages:read`. (`getArchivedMessage`)"""
        return await self._call("getArchivedMessage", (id,), options)


class AsyncContactReads(AsyncResource):
    def list(
        self,
        *,
        filter: m.ListContactReadsFilter | None = None,
        sort: m.ListContactReadsSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.ContactRead]:
        """Returns the read log, which the team switches on with retention.contact_reads_days: the first answer of each hour, by client and endpoint, that named a contact. Exports of lists are in the audit trail. createExport writes the log to a file. Scope: `partner:audit:read`. (`listContactReads`)"""
        return self._list("listContactReads", (), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})


class AsyncLegalHolds(AsyncResource):
    def list(
        self,
        *,
        filter: m.ListLegalHoldsFilter | None = None,
        sort: m.ListContactDevicesSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.LegalHold]:
        """Returns the legal holds of the team, also those that were released. Scope: `partner:legal_holds:read`. (`listLegalHolds`)"""
        return self._list("listLegalHolds", (), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    async def create(self, body: m.LegalHoldCreate, **options: Unpack[Options]) -> m.LegalHold:
        """Places a legal hold on the contact that the body names, or on the team. While it stands, archived messages are not deleted when their term ends, and erasures are refused with 409 legal_hold. An erasure that was accepted before is completed. A team has at most 1,000 holds that stand; release them with the operation releaseLegalHold. Scope: `partner:legal_holds:write`. (`createLegalHold`)"""
        return await self._call("createLegalHold", (), options, body=body)

    async def get(self, id: str, **options: Unpack[Options]) -> m.LegalHold:
        """Returns one legal hold with its reason and state. While it is active, its contact, or each one of the team, cannot be erased. Its reason names nobody and outlives the contact. Scope: `partner:legal_holds:read`. (`getLegalHold`)"""
        return await self._call("getLegalHold", (id,), options)

    async def release(self, id: str, **options: Unpack[Options]) -> m.LegalHold:
        """Releases a legal hold. Archived messages whose term has ended are then deleted by the next maintenance, and erasures are possible again. A released hold stays as it is. Place a new one to hold again. Scope: `partner:legal_holds:write`. (`releaseLegalHold`)"""
        return await self._call("releaseLegalHold", (id,), options)


class AsyncMessageDeliveries(AsyncResource):
    def list(
        self,
        *,
        filter: m.ListMessageDeliveriesFilter | None = None,
        sort: m.ListMessageDeliveriesSort | None = None,
        include: m.ListMessageDeliveriesInclude | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.MessageDeliveryRow]:
        """Returns the deliveries of messages to contacts, filtered by message, template, contact or journey. A skip_reason says why one was not sent. Most of each address is hidden. Scope: `partner:messages:read`. (`listMessageDeliveries`)"""
        return self._list("listMessageDeliveries", (), options, query={"filter": filter, "sort": sort, "include": include, "meta": meta, "page": page})

    async def get(self, id: str, **options: Unpack[Options]) -> m.MessageDelivery:
        """Returns one delivery of a message with its status and the times of its steps. The address is masked. Use explainMessageDelivery to learn the reasons. Scope: `partner:messages:read`. (`getMessageDelivery`)"""
        return await self._call("getMessageDelivery", (id,), options)

    async def explain(self, id: str, **options: Unpack[Options]) -> m.MessageDeliveryExplanation:
        """Returns why a message was or was not sent, and what happened to it. The reasons are derived from the delivery, and nothing is changed. Start here when a contact says that a message did not arrive. Scope: `partner:messages:read`. (`explainMessageDelivery`)"""
        return await self._call("explainMessageDelivery", (id,), options)

    async def cancel(self, id: str, **options: Unpack[Options]) -> m.MessageDelivery:
        """Cancels a message that is scheduled or queued, so that it is not sent. A message that is being sent at this moment, or was sent, is refused with 409. It cannot be undone. Scope: `partner:messages:write`. (`cancelMessageDelivery`)"""
        return await self._call("cancelMessageDelivery", (id,), options)


class AsyncPages(AsyncResource):
    def list(
        self,
        *,
        filter: m.ListPagesFilter | None = None,
        sort: m.ListTopicsSort | None = None,
        include: m.ListMessagesInclude | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.PageRow]:
        """Returns the pages of all templates. The completion_rule of each says when its recipient has done the step. Scope: `partner:pages:read`. (`listPages`)"""
        return self._list("listPages", (), options, query={"filter": filter, "sort": sort, "include": include, "meta": meta, "page": page})

    async def get(self, id: str, **options: Unpack[Options]) -> m.Page:
        """Returns one page of a template with the ids of its content blocks. Its content_block_ids are in the order in which the recipient sees them. The version rises with every change. Scope: `partner:pages:read`. (`getPage`)"""
        return await self._call("getPage", (id,), options)

    async def update(self, id: str, body: m.PagePatch, **options: Unpack[Options]) -> m.Page:
        """Changes the fields that the body names, or moves the page to another position. A locked template is refused with 409. A change of the content increases version. Scope: `partner:pages:write`. (`updatePage`)"""
        return await self._call("updatePage", (id,), options, body=body)

    async def delete(self, id: str, **options: Unpack[Options]) -> None:
        """Deletes a page permanently. A locked template is refused with 409. The content blocks of the page stay. Scope: `partner:pages:delete`. (`deletePage`)"""
        await self._run("deletePage", (id,), options)

    async def render(
        self,
        id: str,
        body: m.RenderContentBlockRequest | None = None,
        **options: Unpack[Options],
    ) -> m.RenderedPage:
        """Returns the HTML of a page for a contact, a sample person or given data. Variables that do not exist are listed in unknown_variables; they prevent a launch. Nothing is stored. The data of a contact needs the scope partner:contacts:read. Scope: `partner:pages:read`. (`renderPage`)"""
        return await self._call("renderPage", (id,), options, body=body)


class AsyncObjectives(AsyncResource):
    def list(
        self,
        *,
        filter: m.ListObjectivesFilter | None = None,
        sort: m.ListObjectivesSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.Objective]:
        """Returns the objectives of the team, the archived ones as well. is_standard marks those that every team has from the start; completion_count is the number of completions. Scope: `partner:objectives:read`. (`listObjectives`)"""
        return self._list("listObjectives", (), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    async def create(self, body: m.ObjectiveCreate, **options: Unpack[Options]) -> m.Objective:
        """Creates an objective that contacts can complete. The key must be unique in the team and cannot be changed later. A team has at most 500 objectives. List the objective in a template, or record completions of it directly. Scope: `partner:objectives:write`. (`createObjective`)"""
        return await self._call("createObjective", (), options, body=body)

    async def get(self, id: str, **options: Unpack[Options]) -> m.Objective:
        """Returns one objective with its value and its attribution. Its key is fixed. The attribution window says for how many days a journey is credited with a completion. Scope: `partner:objectives:read`. (`getObjective`)"""
        return await self._call("getObjective", (id,), options)

    async def update(
        self,
        id: str,
        body: m.ObjectivePatch,
        **options: Unpack[Options],
    ) -> m.Objective:
        """Changes the fields that the body names. The key is fixed. Completions that were recorded before keep their value. A body that changes nothing records nothing. Scope: `partner:objectives:write`. (`updateObjective`)"""
        return await self._call("updateObjective", (id,), options, body=body)

    async def delete(self, id: str, **options: Unpack[Options]) -> None:
        """Deletes an objective permanently. An objective that a template lists, or that was completed, is refused with 409 and can be archived instead. Scope: `partner:objectives:delete`. (`deleteObjective`)"""
        await self._run("deleteObjective", (id,), options)

    async def archive(self, id: str, **options: Unpack[Options]) -> m.Objective:
        """Archives an objective, which can then no longer be completed. Completions that were recorded stay in counts and insights. An archived objective is refused with 409. It can be unarchived. Scope: `partner:objectives:write`. (`archiveObjective`)"""
        return await self._call("archiveObjective", (id,), options)

    async def unarchive(self, id: str, **options: Unpack[Options]) -> m.Objective:
        """Unarchives an objective, so that it can be completed again. An objective that is not archived is refused with 409. Its completions are as they were. Scope: `partner:objectives:write`. (`unarchiveObjective`)"""
        return await self._call("unarchiveObjective", (id,), options)

    def list_completions(
        self,
        id: str,
        *,
        filter: m.ListCompletionsFilter | None = None,
        sort: m.ListCompletionsSort | None = None,
        include: m.ListCompletionsInclude | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.ObjectiveCompletionRow]:
        """Returns the completions of one objective, the voided ones as well. The attribution says whether a journey led to one; unique_id distinguishes repeats. Scope: `partner:objectives:read`. (`listObjectiveCompletions`)"""
        return self._list("listObjectiveCompletions", (id,), options, query={"filter": filter, "sort": sort, "include": include, "meta": meta, "page": page})

    async def create_completion(
        self,
        id: str,
        body: m.ObjectiveCompletionCreate,
        **options: Unpack[Options],
    ) -> m.ObjectiveCompletion:
        """Records that a contact has completed an objective, and the event objective.completed. A repeat of the same completion answers 200 with the first one: an objective that is not repeatable is completed once by a contact, and a unique_id counts once. The time is now unless completed_at says otherwise. Journeys of the contact that wait for the objective continue. Scope: `partner:objectives:write`. (`createObjectiveCompletion`)"""
        return await self._call("createObjectiveCompletion", (id,), options, body=body)


class AsyncTeam(AsyncResource):
    async def get(self, **options: Unpack[Options]) -> m.Team:
        """Returns the team of the token with its settings, such as time zone, currency, quiet hours and frequency cap. A token belongs to exactly one team. Scope: `partner:team:read`. (`getTeam`)"""
        return await self._call("getTeam", (), options)

    async def update(self, body: m.TeamPatch, **options: Unpack[Options]) -> m.Team:
        """Changes the settings of the team. Null ends the quiet hours, the frequency cap, the retention of its own or the tracking. No term becomes shorter while a legal hold stands. A new term of archived messages holds for those sent afterwards. Messages that are scheduled follow the new settings when they are due. Scope: `partner:team:write`. (`updateTeam`)"""
        return await self._call("updateTeam", (), options, body=body)


class AsyncUsers(AsyncResource):
    def list(
        self,
        *,
        filter: m.ListUsersFilter | None = None,
        sort: m.ListUsersSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.User]:
        """Returns the users of the team. Invited and suspended ones are among them. The role is for the applications of the team: the service grants nothing by it. Scope: `partner:users:read`. (`listUsers`)"""
        return self._list("listUsers", (), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    async def create(self, body: m.UserCreate, **options: Unpack[Options]) -> m.User:
        """Adds a user with the status invited and records the event user.invited. The service sends no mail: send the invitation when you receive the event. A status in the body is accepted and ignored; a user becomes active by the operation activateUser. The role is viewer unless the body names another one, and the invitation expires after seven days. The address must be unique in the team, and a team has at most 1,000 users. Scope: `partner:users:write`. (`createUser`)"""
        return await self._call("createUser", (), options, body=body)

    async def get(self, id: str, **options: Unpack[Options]) -> m.User:
        """Returns one user with the role, the status and the end of an open invitation. It has no side effects. Scope: `partner:users:read`. (`getUser`)"""
        return await self._call("getUser", (id,), options)

    async def update(self, id: str, body: m.UserPatch, **options: Unpack[Options]) -> m.User:
        """Changes the address, the name or the role of a user and records the event user.updated. The last active admin cannot lose the role. An address that another user has is refused with 409. The change is recorded in the audit trail. Scope: `partner:users:write`. (`updateUser`)"""
        return await self._call("updateUser", (id,), options, body=body)

    async def delete(self, id: str, **options: Unpack[Options]) -> None:
        """Deletes a user permanently and records the event user.deleted. The last active admin cannot be deleted. Audit events of the user stay. Scope: `partner:users:delete`. (`deleteUser`)"""
        await self._run("deleteUser", (id,), options)

    async def resend_invite(self, id: str, **options: Unpack[Options]) -> m.User:
        """Invites a user again, and the invitation is valid for another seven days. It records the event user.invited and sends no mail. A user who has signed in is refused with 409. Scope: `partner:users:write`. (`resendUserInvite`)"""
        return await self._call("resendUserInvite", (id,), options)

    async def activate(
        self,
        id: str,
        body: m.ActivateUserRequest | None = None,
        **options: Unpack[Options],
    ) -> m.User:
        """Records that an invited user has signed in for the first time, and makes the user active. The service that signs users in calls it. An expired invitation is refused with 409: send it again first. It records the event user.activated. Scope: `partner:users:write`. (`activateUser`)"""
        return await self._call("activateUser", (id,), options, body=body)

    async def suspend(self, id: str, **options: Unpack[Options]) -> m.User:
        """Suspends a user, who then counts as inactive, and records the event user.suspended. The last active admin cannot be suspended. End the suspension with the operation reactivateUser. Scope: `partner:users:write`. (`suspendUser`)"""
        return await self._call("suspendUser", (id,), options)

    async def reactivate(self, id: str, **options: Unpack[Options]) -> m.User:
        """Ends the suspension of a user. The user is active again, or invited if the user has never signed in. It records the event user.activated or user.invited. A user who is not suspended is refused with 409. Scope: `partner:users:write`. (`reactivateUser`)"""
        return await self._call("reactivateUser", (id,), options)


class AsyncPortalSessions(AsyncResource):
    async def create(
        self,
        body: m.PortalSessionCreate | None = None,
        **options: Unpack[Options],
    ) -> m.NewPortalSession:
        """Makes a session of the team’s pages (webhooks, batches, campaigns and others) for a person, and answers with its link. The link opens the session once, within five minutes. The session shows and does only what its scopes allow; without any it reads what your token reads. To embed it, put the link into an iframe of a page of allowed_origins. Scope: `partner:portal_sessions:write`. (`createPortalSession`)"""
        return await self._call("createPortalSession", (), options, body=body)

    def list(
        self,
        *,
        filter: m.ListPortalSessionsFilter | None = None,
        sort: m.ListPortalSessionsSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.PortalSession]:
        """Returns the sessions of the team’s pages that were not ended, for a week. Scope: `partner:portal_sessions:read`. (`listPortalSessions`)"""
        return self._list("listPortalSessions", (), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    async def get(self, id: str, **options: Unpack[Options]) -> m.PortalSession:
        """Returns one session: its scopes, its end, and whether its link was opened. The link itself is not shown again. Scope: `partner:portal_sessions:read`. (`getPortalSession`)"""
        return await self._call("getPortalSession", (id,), options)

    async def delete(self, id: str, **options: Unpack[Options]) -> None:
        """Ends a session: its link opens nothing, and its token is refused within five seconds. The session leaves the list; the audit trail has its end. Scope: `partner:portal_sessions:write`. (`deletePortalSession`)"""
        await self._run("deletePortalSession", (id,), options)

    async def open(
        self,
        id: str,
        body: m.PortalSessionOpen,
        **options: Unpack[Options],
    ) -> m.OpenedPortalSession:
        """The page at a link calls it, without a token. It answers once, with an access token that has the scopes and the end of the session. A link that was opened, is over or is wrong is refused with 404. (`openPortalSession`)"""
        return await self._call("openPortalSession", (id,), options, body=body)


class AsyncAuditEvents(AsyncResource):
    def list(
        self,
        *,
        filter: m.ListAuditEventsFilter | None = None,
        sort: m.ListRequestsSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.AuditEvent]:
        """Returns who changed which administrative resource of the team, the latest first. Each event has the request id and the change. Scope: `partner:audit:read`. (`listAuditEvents`)"""
        return self._list("listAuditEvents", (), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    async def get(self, id: str, **options: Unpack[Options]) -> m.AuditEvent:
        """Returns one audit event with the change that it records. Audit events cannot be changed or deleted through the interface. Scope: `partner:audit:read`. (`getAuditEvent`)"""
        return await self._call("getAuditEvent", (id,), options)


class AsyncSendingDomains(AsyncResource):
    def list(
        self,
        *,
        filter: m.ListSendingDomainsFilter | None = None,
        sort: m.ListContactDevicesSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.SendingDomain]:
        """Returns the domains from which the team sends e-mail, with their DNS records. Scope: `partner:sending_domains:read`. (`listSendingDomains`)"""
        return self._list("listSendingDomains", (), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    async def create(
        self,
        body: m.SendingDomainCreate,
        **options: Unpack[Options],
    ) -> m.SendingDomain:
        """Adds a domain from which the team sends e-mail. Publish the records of dns_records in its zone. The service looks them up at growing intervals and records the event sending_domain.verified; until then, messages with an address of the domain as from_email are refused. A domain that the team has already answers 200 and stays as it is. A team has at most 20 sending domains. Scope: `partner:sending_domains:write`. (`createSendingDomain`)"""
        return await self._call("createSendingDomain", (), options, body=body)

    async def get(self, id: str, **options: Unpack[Options]) -> m.SendingDomain:
        """Returns one sending domain with the records to publish and the result of their last check. It has no side effects. Scope: `partner:sending_domains:read`. (`getSendingDomain`)"""
        return await self._call("getSendingDomain", (id,), options)

    async def delete(self, id: str, **options: Unpack[Options]) -> None:
        """Deletes a sending domain and its private key permanently. E-mails from it that are not sent yet are skipped with the reason sender_not_verified. A domain that is added again gets other records. Scope: `partner:sending_domains:delete`. (`deleteSendingDomain`)"""
        await self._run("deleteSendingDomain", (id,), options)

    async def verify(self, id: str, **options: Unpack[Options]) -> m.SendingDomain:
        """Requests a check of the DNS records of a sending domain without waiting for the next one. The check runs in the background. Get the domain until last_checked_at has changed. Verified domains can be checked as well. Scope: `partner:sending_domains:write`. (`verifySendingDomain`)"""
        return await self._call("verifySendingDomain", (id,), options)


class AsyncSendingProviders(AsyncResource):
    def list(
        self,
        *,
        filter: m.ListSendingProvidersFilter | None = None,
        sort: m.ListContactDevicesSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.SendingProvider]:
        """Returns the sending providers of the team with their state. Secrets are never returned. Scope: `partner:sending_providers:read`. (`listSendingProviders`)"""
        return self._list("listSendingProviders", (), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    async def create(
        self,
        body: m.SendingProviderCreate,
        **options: Unpack[Options],
    ) -> m.SendingProvider:
        """Adds a provider of one channel. Once a team has an active provider for a channel, its messages of that channel leave through its own providers only, by priority. The token needs the scopes that read messages and contacts, since the provider receives both. A team has at most 10 sending providers, and 5 for a channel. Test the login with testSendingProvider next, and release it with releaseSendingProvider where the team has requires_provider_release. Scope: `partner:sending_providers:write`. (`createSendingProvider`)"""
        return await self._call("createSendingProvider", (), options, body=body)

    async def get(self, id: str, **options: Unpack[Options]) -> m.SendingProvider:
        """Returns one sending provider with its state: the last test, and since when and why it accepts nothing. Its secret is never returned. It has no side effects. Scope: `partner:sending_providers:read`. (`getSendingProvider`)"""
        return await self._call("getSendingProvider", (id,), options)

    async def update(
        self,
        id: str,
        body: m.SendingProviderPatch,
        **options: Unpack[Options],
    ) -> m.SendingProvider:
        """Changes the fields that the body names; a secret replaces the stored one without an overlap. Another server needs the secret in the same body, so that a stored one is never sent elsewhere. Messages that are not sent yet leave with the new settings, and a halted provider is tried again. Another server, account or secret ends a release of the settings. Replace a secret with an overlap by rotateSendingProviderSecret. Scope: `partner:sending_providers:write`. (`updateSendingProvider`)"""
        return await self._call("updateSendingProvider", (id,), options, body=body)

    async def delete(self, id: str, **options: Unpack[Options]) -> None:
        """Deletes a sending provider and its secrets permanently. Messages that are not sent yet leave through the other providers of the team. Without another active one for the channel, they leave through the provider of the installation, where it is offered to the team, or wait. Scope: `partner:sending_providers:delete`. (`deleteSendingProvider`)"""
        await self._run("deleteSendingProvider", (id,), options)

    async def test(self, id: str, **options: Unpack[Options]) -> m.SendingProvider:
        """Requests a test of a sending provider: a worker connects and logs in, and sends no message. The answer has test_status pending. Get the provider until test_status is succeeded or failed; test_error_code says why. Providers of a team are tested one after the other; an inactive provider can be tested as well. Scope: `partner:sending_providers:write`. (`testSendingProvider`)"""
        return await self._call("testSendingProvider", (id,), options)

    async def rotate_secret(
        self,
        id: str,
        body: m.RotateSendingProviderSecretRequest,
        **options: Unpack[Options],
    ) -> m.SendingProvider:
        """Replaces the secret of a sending provider. Where the provider rejects the new secret, the old one is used until the overlap ends, which is 24 hours unless the body names another time of at most seven days. A rotation whose overlap has not ended is refused with 409 unless force is true. Revoke the old secret at the provider afterwards. Scope: `partner:sending_providers:write`. (`rotateSendingProviderSecret`)"""
        return await self._call("rotateSendingProviderSecret", (id,), options, body=body)

    async def release(self, id: str, **options: Unpack[Options]) -> m.SendingProvider:
        """Releases the present settings of a sending provider. Where the team has requires_provider_release, messages leave through released providers only. The client that last changed the server, the account or the secret is refused with 409; an operator can release them too. Another change of these needs another release. Scope: `partner:sending_providers:write`. (`releaseSendingProvider`)"""
        return await self._call("releaseSendingProvider", (id,), options)


class AsyncCompletions(AsyncResource):
    def list(
        self,
        *,
        filter: m.ListCompletionsFilter | None = None,
        sort: m.ListCompletionsSort | None = None,
        include: m.ListCompletionsInclude | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.ObjectiveCompletionRow]:
        """Returns the completions of all objectives, the voided ones as well. The attribution says whether a journey led to one. Counts and insights leave voided ones out. Scope: `partner:objectives:read`. (`listCompletions`)"""
        return self._list("listCompletions", (), options, query={"filter": filter, "sort": sort, "include": include, "meta": meta, "page": page})

    async def get(self, id: str, **options: Unpack[Options]) -> m.ObjectiveCompletion:
        """Returns one completion with its value and the journey that it is attributed to. A voided completion has voided_at and void_reason, and no longer counts. Scope: `partner:objectives:read`. (`getObjectiveCompletion`)"""
        return await self._call("getObjectiveCompletion", (id,), options)

    async def void(
        self,
        id: str,
        body: m.VoidObjectiveCompletionRequest,
        **options: Unpack[Options],
    ) -> m.ObjectiveCompletion:
        """Voids a completion, which takes it out of counts and insights, and records the event objective.voided. The record stays, with the reason. A completion that is voided already is refused with 409. It cannot be undone: record the completion again instead. Scope: `partner:objectives:write`. (`voidObjectiveCompletion`)"""
        return await self._call("voidObjectiveCompletion", (id,), options, body=body)

    async def get_counts(
        self,
        *,
        period: str | None = None,
        timezone: str | None = None,
        **options: Unpack[Options],
    ) -> m.ObjectiveCompletionsCounts:
        """Returns the number and the value of the completions of a period by objective. The period is the last 30 times 24 hours unless the parameter names another one of at most 731 days. Voided completions are not counted. Scope: `partner:objectives:read`. (`getObjectiveCompletionsCounts`)"""
        return await self._call("getObjectiveCompletionsCounts", (), options, query={"period": period, "timezone": timezone})


class AsyncEngagementEvents(AsyncResource):
    def list(
        self,
        *,
        filter: m.ListEngagementEventsFilter | None = None,
        sort: m.ListRequestsSort | None = None,
        include: m.ListEngagementEventsInclude | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.EngagementEventRow]:
        """Returns the engagement events of the team, the latest first. is_machine marks those of scanners and proxies. Rows never change: continue from the last occurred_at. Scope: `partner:engagement:read`. (`listEngagementEvents`)"""
        return self._list("listEngagementEvents", (), options, query={"filter": filter, "sort": sort, "include": include, "meta": meta, "page": page})

    async def record(
        self,
        body: m.RecordEngagementEventsRequest,
        **options: Unpack[Options],
    ) -> m.RecordEngagementEventsResponse:
        """Records up to 500 engagement events. Either all of them are recorded or none: problems of all events are listed with their places. An event whose unique_id was recorded before counts as a duplicate and is not recorded again. Repeat a request that failed with the same unique_ids. Scope: `partner:engagement:write`. (`recordEngagementEvents`)"""
        return await self._call("recordEngagementEvents", (), options, body=body)

    async def get(self, id: str, **options: Unpack[Options]) -> m.EngagementEvent:
        """Returns one engagement event. Addresses of clients are stored as their network only. Events never change. Scope: `partner:engagement:read`. (`getEngagementEvent`)"""
        return await self._call("getEngagementEvent", (id,), options)


class AsyncCustomEventTypes(AsyncResource):
    def list(
        self,
        *,
        filter: m.ListCustomEventTypesFilter | None = None,
        sort: m.ListObjectivesSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.CustomEventType]:
        """Returns the event types that the team has defined, with their schemas. Events of such a type are published with the operation publishEvents. Scope: `partner:custom_event_types:read`. (`listCustomEventTypes`)"""
        return self._list("listCustomEventTypes", (), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    async def create(
        self,
        body: m.CustomEventTypeCreate,
        **options: Unpack[Options],
    ) -> m.CustomEventType:
        """Defines an event type of the team, whose name begins with "custom." and cannot be changed later. The schema is the part of JSON Schema that the field describes; without one the data may be any object. A team has at most 200 event types. Publish events with the operation publishEvents next, and subscribe to the name by a webhook subscription. Scope: `partner:custom_event_types:write`. (`createCustomEventType`)"""
        return await self._call("createCustomEventType", (), options, body=body)

    async def get(self, id: str, **options: Unpack[Options]) -> m.CustomEventType:
        """Returns one event type of the team with its schema. The data of a published event must fit the schema. The name is fixed. Scope: `partner:custom_event_types:read`. (`getCustomEventType`)"""
        return await self._call("getCustomEventType", (id,), options)

    async def update(
        self,
        id: str,
        body: m.CustomEventTypePatch,
        **options: Unpack[Options],
    ) -> m.CustomEventType:
        """Changes the fields that the body names. The name is fixed. A new schema holds for events that are published from then on; recorded events stay as they are. Scope: `partner:custom_event_types:write`. (`updateCustomEventType`)"""
        return await self._call("updateCustomEventType", (id,), options, body=body)

    async def delete(self, id: str, **options: Unpack[Options]) -> None:
        """Deletes an event type, so that no further event of it is accepted. Recorded events, their deliveries, and the subscriptions, cohorts and triggers that name the type stay. The name can be defined again. Scope: `partner:custom_event_types:delete`. (`deleteCustomEventType`)"""
        await self._run("deleteCustomEventType", (id,), options)


class AsyncEvents(AsyncResource):
    async def publish(
        self,
        body: m.PublishEventsRequest,
        **options: Unpack[Options],
    ) -> m.RecordEngagementEventsResponse:
        """Records up to 500 events of custom types as engagement events, and sends each to the webhook subscriptions that match its type. Either all of them are published or none: problems of all events are listed with their places. An event whose unique_id the team has published within 25 months counts as a duplicate and is not published again, even with another type. Repeat a request that failed with the same unique_ids. Scope: `partner:events:write`. (`publishEvents`)"""
        return await self._call("publishEvents", (), options, body=body)


class AsyncSftpCredentials(AsyncResource):
    def list(
        self,
        *,
        filter: m.ListSftpCredentialsFilter | None = None,
        sort: m.ListObjectivesSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.SftpCredential]:
        """Returns the SFTP credentials of the team. Private keys are never returned. Revoked and expired ones are among them, with the time of their last use. Scope: `partner:sftp:read`. (`listSftpCredentials`)"""
        return self._list("listSftpCredentials", (), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    async def create(
        self,
        body: m.SftpCredentialsCreate,
        **options: Unpack[Options],
    ) -> m.CreatedSftpCredential:
        """Creates SFTP credentials for your public key, or for a key pair that the service generates; the private key of a generated pair is shown in this answer only. A public key can be used by one credential of the team, which has at most 20 active ones. Files are imported with the rights of your client, and a purpose needs the scopes of its operations. Connect with the username, host and host key of the answer. Scope: `partner:sftp:write`. (`createSftpCredentials`)"""
        return await self._call("createSftpCredentials", (), options, body=body)

    async def get(self, id: str, **options: Unpack[Options]) -> m.SftpCredential:
        """Returns one SFTP credential with its username, host and status. Private keys are never returned. It has no side effects. Scope: `partner:sftp:read`. (`getSftpCredential`)"""
        return await self._call("getSftpCredential", (id,), options)

    async def update(
        self,
        id: str,
        body: m.SftpCredentialPatch,
        **options: Unpack[Options],
    ) -> m.SftpCredential:
        """Changes the name, the purpose, the networks or the end of SFTP credentials. The public key is fixed. Only active credentials can get another end. The change applies to the next connection. Any change but that of the name needs the scopes of the files, which are then imported with the rights of your client. Scope: `partner:sftp:write`. (`updateSftpCredential`)"""
        return await self._call("updateSftpCredential", (id,), options, body=body)

    async def delete(self, id: str, **options: Unpack[Options]) -> None:
        """Deletes SFTP credentials permanently. They can no longer be used to connect, and their public key can be used again. Files that arrived stay. Scope: `partner:sftp:delete`. (`deleteSftpCredential`)"""
        await self._run("deleteSftpCredential", (id,), options)

    async def revoke(self, id: str, **options: Unpack[Options]) -> m.SftpCredential:
        """Revokes active SFTP credentials permanently. They can no longer be used to connect. Credentials that are revoked or expired are refused with 409. Create other credentials to continue. Scope: `partner:sftp:write`. (`revokeSftpCredential`)"""
        return await self._call("revokeSftpCredential", (id,), options)


class AsyncSftpUploads(AsyncResource):
    def list(
        self,
        *,
        filter: m.ListSftpUploadsFilter | None = None,
        sort: m.ListSftpUploadsSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.SftpUpload]:
        """Returns the files that arrived by SFTP or were fetched from a file source, with the state of their import. Scope: `partner:sftp:read`. (`listSftpUploads`)"""
        return self._list("listSftpUploads", (), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    async def get(self, id: str, **options: Unpack[Options]) -> m.SftpUpload:
        """Returns one file that arrived by SFTP or was fetched, and the import that it started. Its error says why a file was not imported. Read the results of the items at the batch operation. Scope: `partner:sftp:read`. (`getSftpUpload`)"""
        return await self._call("getSftpUpload", (id,), options)


class AsyncFileSources(AsyncResource):
    def list(
        self,
        *,
        filter: m.ListFileSourcesFilter | None = None,
        sort: m.ListObjectivesSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.FileSource]:
        """Returns the file sources of the team. Credentials are never returned. test_status shows whether the last login succeeded. Scope: `partner:sftp:read`. (`listFileSources`)"""
        return self._list("listFileSources", (), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    async def create(self, body: m.FileSourceCreate, **options: Unpack[Options]) -> m.FileSource:
        """Creates a file source: a server from which the service fetches each file that a file_transfer_a callback names, and imports it. Send one credential: password, private_key, generate_key_pair or bearer_token; it is stored encrypted and never returned. A team has at most 20 file sources. Files are imported with the rights of your client, which needs the scopes of the operations of the purpose. Enter the public_key of the answer at the server. Scope: `partner:sftp:write`. (`createFileSource`)"""
        return await self._call("createFileSource", (), options, body=body)

    async def get(self, id: str, **options: Unpack[Options]) -> m.FileSource:
        """Returns one file source. Its credential is never returned. The host keys by which the server is known, and the outcome of the last test, are in it. Scope: `partner:sftp:read`. (`getFileSource`)"""
        return await self._call("getFileSource", (id,), options)

    async def update(
        self,
        id: str,
        body: m.FileSourcePatch,
        **options: Unpack[Options],
    ) -> m.FileSource:
        """Changes the fields that the body names; a credential replaces the stored one. Another host or port needs the password or token in the same body, so that a stored one is never sent to another server. The change applies to the next attempt to fetch a file. With is_active false, fetches of the source end. Any change but that of the name, or to switch it off, needs the scopes of the files, which are then imported with the rights of your client. Scope: `partner:sftp:write`. (`updateFileSource`)"""
        return await self._call("updateFileSource", (id,), options, body=body)

    async def delete(self, id: str, **options: Unpack[Options]) -> None:
        """Deletes a file source and its credential permanently. Fetches that wait or run end as failed. Files that were fetched stay. Scope: `partner:sftp:delete`. (`deleteFileSource`)"""
        await self._run("deleteFileSource", (id,), options)

    async def test(self, id: str, **options: Unpack[Options]) -> m.FileSource:
        """Requests a test of a file source: a worker connects, checks the key or the certificate of the server, logs in and reads no file. The answer has test_status pending. Get the source until test_status is succeeded or failed; test_error says why. Sources of a team are tested one after the other; an inactive source can be tested as well. Scope: `partner:sftp:write`. (`testFileSource`)"""
        return await self._call("testFileSource", (id,), options)


class AsyncWidgetInstances(AsyncResource):
    def list(
        self,
        *,
        filter: m.ListWidgetInstancesFilter | None = None,
        sort: m.ListObjectivesSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.WidgetInstance]:
        """Returns the widgets of the team. Archived widgets are returned only where a filter names is_archived. The publishable_key of each names it on a page; it is no secret. Scope: `partner:widgets:read`. (`listWidgetInstances`)"""
        return self._list("listWidgetInstances", (), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    async def create(
        self,
        body: m.WidgetInstanceCreate,
        **options: Unpack[Options],
    ) -> m.WidgetInstance:
        """Creates a widget that pages of the allowed origins can embed. The kind is fixed afterwards. A team has at most 100 widgets. Create a token for each recipient with the operation createWidgetToken. Scope: `partner:widgets:write`. (`createWidgetInstance`)"""
        return await self._call("createWidgetInstance", (), options, body=body)

    async def get(self, id: str, **options: Unpack[Options]) -> m.WidgetInstance:
        """Returns one widget with its settings and allowed origins. Pages of other origins cannot embed it. The publishable_key is no secret. Scope: `partner:widgets:read`. (`getWidgetInstance`)"""
        return await self._call("getWidgetInstance", (id,), options)

    async def update(
        self,
        id: str,
        body: m.WidgetInstancePatch,
        **options: Unpack[Options],
    ) -> m.WidgetInstance:
        """Changes the fields that the body names. The kind is fixed. Pages that embed the widget follow the change with their next call. The change is recorded in the audit trail. Scope: `partner:widgets:write`. (`updateWidgetInstance`)"""
        return await self._call("updateWidgetInstance", (id,), options, body=body)

    async def delete(self, id: str, **options: Unpack[Options]) -> None:
        """Deletes a widget permanently. Pages that embed it show nothing, and its tokens open nothing. Archive it instead where it may return. Scope: `partner:widgets:delete`. (`deleteWidgetInstance`)"""
        await self._run("deleteWidgetInstance", (id,), options)

    async def archive(self, id: str, **options: Unpack[Options]) -> m.WidgetInstance:
        """Archives a widget. Pages that embed it show nothing. A widget that is archived is refused with 409. It can be unarchived. Scope: `partner:widgets:write`. (`archiveWidgetInstance`)"""
        return await self._call("archiveWidgetInstance", (id,), options)

    async def unarchive(self, id: str, **options: Unpack[Options]) -> m.WidgetInstance:
        """Unarchives a widget. Pages that embed it show it again where it is active. A widget that is not archived is refused with 409. Scope: `partner:widgets:write`. (`unarchiveWidgetInstance`)"""
        return await self._call("unarchiveWidgetInstance", (id,), options)

    async def create_token(
        self,
        id: str,
        body: m.WidgetTokenCreate,
        **options: Unpack[Options],
    ) -> m.WidgetToken:
        """Creates a token with which a page shows a widget to one recipient. Call it from your server, and pass the token to the page. The token is valid for one hour and is bound to the widget, the contact and the origin that the body names. Set assurance to authenticated only where you have signed the person in. The page calls the operation bootstrapWidget next. Scope: `partner:widgets:execute`. (`createWidgetToken`)"""
        return await self._call("createWidgetToken", (id,), options, body=body)

    async def revoke_tokens(
        self,
        id: str,
        body: m.RevokeWidgetTokensRequest | None = None,
        **options: Unpack[Options],
    ) -> None:
        """Ends one token of a widget, or all tokens where the body names none, with the sessions that they opened. An unknown token gets the same answer with status 204. Recipients need a new token afterwards. Scope: `partner:widgets:execute`. (`revokeWidgetTokens`)"""
        await self._run("revokeWidgetTokens", (id,), options, body=body)


class AsyncInsights(AsyncResource):
    async def list(self, **options: Unpack[Options]) -> m.ListInsightsResponse:
        """Returns the insights with their definitions, their filters and the JSON Schemas of their values. The list is complete and is not paged. Choose from it the insight to request. Scope: `partner:insights:read`. (`listInsights`)"""
        return await self._call("listInsights", (), options)

    async def get_added_value_by_time(
        self,
        *,
        filter: m.GetAdvancedInsightAddedValueByTimeFilter | None = None,
        period: str | None = None,
        timezone: str | None = None,
        **options: Unpack[Options],
    ) -> m.InsightAddedValueByTime:
        """Completions within the period that a journey led to, voided ones left out. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightAddedValueByTime`)"""
        return await self._call("getAdvancedInsightAddedValueByTime", (), options, query={"filter": filter, "period": period, "timezone": timezone})

    async def get_campaign_engagement(
        self,
        *,
        filter: m.GetAdvancedInsightAddedValueByTimeFilter | None = None,
        period: str | None = None,
        timezone: str | None = None,
        **options: Unpack[Options],
    ) -> m.InsightCampaignEngagement:
        """Journeys that began before the end of the period and did not end before its start, without those held back. Engaged is who of their contacts has an event of a person within the period about the template: message.opened, message.clicked, page.*, widget.*, contact.replied. The other figures count such events, and totals add up the campaigns. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightCampaignEngagement`)"""
        return await self._call("getAdvancedInsightCampaignEngagement", (), options, query={"filter": filter, "period": period, "timezone": timezone})

    async def get_campaign_enrollment(
        self,
        *,
        filter: m.GetAdvancedInsightAddedValueByTimeFilter | None = None,
        period: str | None = None,
        timezone: str | None = None,
        **options: Unpack[Options],
    ) -> m.InsightCampaignEnrollment:
        """Journeys that began within the period. Those held back for comparison count as holdout only. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightCampaignEnrollment`)"""
        return await self._call("getAdvancedInsightCampaignEnrollment", (), options, query={"filter": filter, "period": period, "timezone": timezone})

    async def get_campaign_performance(
        self,
        *,
        filter: m.GetAdvancedInsightAddedValueByTimeFilter | None = None,
        period: str | None = None,
        timezone: str | None = None,
        **options: Unpack[Options],
    ) -> m.InsightCampaignPerformance:
        """Journeys that began within the period, without those held back; of them all messages and all completions that they led to, up to now. Messages are counted by contact. Totals add up the campaigns. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightCampaignPerformance`)"""
        return await self._call("getAdvancedInsightCampaignPerformance", (), options, query={"filter": filter, "period": period, "timezone": timezone})

    async def get_card_on_file_widget(
        self,
        *,
        filter: m.GetAdvancedInsightAddedValueByTimeFilter | None = None,
        period: str | None = None,
        timezone: str | None = None,
        **options: Unpack[Options],
    ) -> m.InsightCardOnFileWidget:
        """Events of people in widgets of the kind card_on_file: widget.loaded, widget.started, widget.submitted (a merchant is selected), widget.completed and widget.failed, the merchant being properties.merchant. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightCardOnFileWidget`)"""
        return await self._call("getAdvancedInsightCardOnFileWidget", (), options, query={"filter": filter, "period": period, "timezone": timezone})

    async def get_drivers(
        self,
        *,
        filter: m.GetAdvancedInsightAddedValueByTimeFilter | None = None,
        period: str | None = None,
        timezone: str | None = None,
        **options: Unpack[Options],
    ) -> m.InsightDrivers:
        """Journeys that began within the period; one is completed when it led to a completion, and the baseline are all but those held back. A journey is exposed to a message, page, widget or channel by an event of a person about it before its first completion, or by its cohort or its way of entry. The field lift is the rate of the exposed divided by that of the others, minus 1; lift_pp their difference in points of 100, ci95 its interval (Newcombe); groups below 30 are left out, and only the holdout shows what causes what. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightDrivers`)"""
        return await self._call("getAdvancedInsightDrivers", (), options, query={"filter": filter, "period": period, "timezone": timezone})

    async def get_enrollment_widget(
        self,
        *,
        filter: m.GetAdvancedInsightAddedValueByTimeFilter | None = None,
        period: str | None = None,
        timezone: str | None = None,
        **options: Unpack[Options],
    ) -> m.InsightEnrollmentWidget:
        """Events of people in widgets of the kind enrollment: widget.loaded, widget.started and widget.submitted; a visitor is a contact, or else properties.session_id. Enrolled are the journeys that began by a widget; duplicates are submissions with properties.outcome "duplicate", of people who were enrolled already. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightEnrollmentWidget`)"""
        return await self._call("getAdvancedInsightEnrollmentWidget", (), options, query={"filter": filter, "period": period, "timezone": timezone})

    async def get_gap_analysis(
        self,
        *,
        filter: m.GetAdvancedInsightAddedValueByTimeFilter | None = None,
        period: str | None = None,
        timezone: str | None = None,
        **options: Unpack[Options],
    ) -> m.InsightGapAnalysis:
        """As of the end of the period, eligible for an objective is who is an active contact and has had a journey, not held back, of a template with the objective; completed, who of them has completed it. The gap times what a completion is credited with now is potential_value_cents. Products are open accounts of active contacts, by kind. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightGapAnalysis`)"""
        return await self._call("getAdvancedInsightGapAnalysis", (), options, query={"filter": filter, "period": period, "timezone": timezone})

    async def get_messages(
        self,
        *,
        filter: m.GetAdvancedInsightMessagesFilter | None = None,
        period: str | None = None,
        timezone: str | None = None,
        **options: Unpack[Options],
    ) -> m.InsightMessages:
        """Deliveries whose sending, or failure to send, lies within the period, with all that is known of them up to now; skipped_by_reason counts those that were decided within the period and not sent. The field by_variant has the figures of a message for each variant that was sent, and is empty where none was; they add up to those of the message, and totals add up the messages. The field topics adds up the messages of each topic that they have now. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightMessages`)"""
        return await self._call("getAdvancedInsightMessages", (), options, query={"filter": filter, "period": period, "timezone": timezone})

    async def get_mobile_app_widget(
        self,
        *,
        filter: m.GetAdvancedInsightAddedValueByTimeFilter | None = None,
        period: str | None = None,
        timezone: str | None = None,
        **options: Unpack[Options],
    ) -> m.InsightMobileAppWidget:
        """Events of people in widgets of the kind mobile_app: widget.loaded, and widget.submitted for a click to a store, the platform being properties.platform (ios, android, anything else is other). A conversion is a contact who clicked and completed the objective mobile-banking within its attribution window after that. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightMobileAppWidget`)"""
        return await self._call("getAdvancedInsightMobileAppWidget", (), options, query={"filter": filter, "period": period, "timezone": timezone})

    async def get_objective_completion_benchmarks(
        self,
        *,
        period: str | None = None,
        timezone: str | None = None,
        **options: Unpack[Options],
    ) -> m.InsightObjectiveCompletionBenchmarks:
        """team_rate is completed / eligible of gap-analysis. Peers are the teams that take part (is_in_benchmarks) with 100 eligible contacts or more for an objective of the same key, by their figures of the last night; fewer than five give no result, and they are never named. percentile is the share of them, in 100, whose rate is not above that of the team. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightObjectiveCompletionBenchmarks`)"""
        return await self._call("getAdvancedInsightObjectiveCompletionBenchmarks", (), options, query={"period": period, "timezone": timezone})

    async def get_objective_completion_rate(
        self,
        *,
        filter: m.GetAdvancedInsightAddedValueByTimeFilter | None = None,
        period: str | None = None,
        timezone: str | None = None,
        **options: Unpack[Options],
    ) -> m.InsightObjectiveCompletionRate:
        """Journeys that began within the period, without those held back, once for each objective of their template. It is completed when the contact did so after the enrollment and within the attribution window of the objective. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightObjectiveCompletionRate`)"""
        return await self._call("getAdvancedInsightObjectiveCompletionRate", (), options, query={"filter": filter, "period": period, "timezone": timezone})

    async def get_objective_content(
        self,
        *,
        filter: m.GetAdvancedInsightAddedValueByTimeFilter | None = None,
        period: str | None = None,
        timezone: str | None = None,
        **options: Unpack[Options],
    ) -> m.InsightObjectiveContent:
        """For each completion within the period the last event of a person by its contact before it, within the attribution window of the objective, about a message, a page or a landing page. exposed are contacts with a delivered message or a view of the page within the period; clicked, contacts with a click. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightObjectiveContent`)"""
        return await self._call("getAdvancedInsightObjectiveContent", (), options, query={"filter": filter, "period": period, "timezone": timezone})

    async def get_objective_total_value(
        self,
        *,
        filter: m.GetAdvancedInsightAddedValueByTimeFilter | None = None,
        period: str | None = None,
        timezone: str | None = None,
        **options: Unpack[Options],
    ) -> m.InsightObjectiveTotalValue:
        """Completions within the period by objective, voided ones left out, and the value that each was credited with; attributed is what journeys led to. Every active objective is there. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightObjectiveTotalValue`)"""
        return await self._call("getAdvancedInsightObjectiveTotalValue", (), options, query={"filter": filter, "period": period, "timezone": timezone})

    async def get_opt_in_widget(
        self,
        *,
        filter: m.GetAdvancedInsightAddedValueByTimeFilter | None = None,
        period: str | None = None,
        timezone: str | None = None,
        **options: Unpack[Options],
    ) -> m.InsightOptInWidget:
        """Events of people in widgets of the kind opt_in: widget.loaded, widget.submitted, opt_in.granted and opt_in.revoked, the channel being properties.channel; properties.confirmed marks an opt-in that was confirmed by a second step. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightOptInWidget`)"""
        return await self._call("getAdvancedInsightOptInWidget", (), options, query={"filter": filter, "period": period, "timezone": timezone})

    async def get_overall_number_of_campaigns(
        self,
        *,
        filter: m.GetAdvancedInsightOverallNumberOfCampaignsFilter | None = None,
        period: str | None = None,
        timezone: str | None = None,
        **options: Unpack[Options],
    ) -> m.InsightOverallNumberOfCampaigns:
        """Templates that were made before the end of the period and are not deleted, by the status that they had at its end. launched, archived and expired count changes to that status within the period, so that a template can count twice; resuming is no launch. active is how many were launched at the end of a bucket. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightOverallNumberOfCampaigns`)"""
        return await self._call("getAdvancedInsightOverallNumberOfCampaigns", (), options, query={"filter": filter, "period": period, "timezone": timezone})

    async def get_pages(
        self,
        *,
        filter: m.GetAdvancedInsightAddedValueByTimeFilter | None = None,
        period: str | None = None,
        timezone: str | None = None,
        **options: Unpack[Options],
    ) -> m.InsightPages:
        """Events of people within the period, by page: page.viewed, page.cta_clicked, page.form_submitted. A contact completes a page by its completion_rule; an objective counts when it is completed within the period, after a view. Totals add up the pages, so that a contact counts once for each. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightPages`)"""
        return await self._call("getAdvancedInsightPages", (), options, query={"filter": filter, "period": period, "timezone": timezone})

    async def get_performance(
        self,
        *,
        filter: m.GetAdvancedInsightAddedValueByTimeFilter | None = None,
        period: str | None = None,
        timezone: str | None = None,
        **options: Unpack[Options],
    ) -> m.InsightPerformance:
        """The figures of other insights over the period, and over the one of equal length just before it. Value is of all completions within the period, whether a journey led to them or not. change is (current - previous) / previous, null where there was nothing before. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightPerformance`)"""
        return await self._call("getAdvancedInsightPerformance", (), options, query={"filter": filter, "period": period, "timezone": timezone})

    async def get_total_value_of_opened_products(
        self,
        *,
        filter: m.GetAdvancedInsightTotalValueOfOpenedProductsFilter | None = None,
        period: str | None = None,
        timezone: str | None = None,
        **options: Unpack[Options],
    ) -> m.InsightTotalValueOfOpenedProducts:
        """Accounts that were opened within the period, with their present balance, none counting as 0. An account is attributed when its contact had a journey, not held back, that began in the 90 days before it was opened. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightTotalValueOfOpenedProducts`)"""
        return await self._call("getAdvancedInsightTotalValueOfOpenedProducts", (), options, query={"filter": filter, "period": period, "timezone": timezone})

    async def get_value_of_opened_products(
        self,
        *,
        filter: m.GetAdvancedInsightTotalValueOfOpenedProductsFilter | None = None,
        period: str | None = None,
        timezone: str | None = None,
        **options: Unpack[Options],
    ) -> m.InsightValueOfOpenedProducts:
        """Accounts that were opened within the period, with their present balance, none counting as 0. An account is attributed when its contact had a journey, not held back, that began in the 90 days before it was opened. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightValueOfOpenedProducts`)"""
        return await self._call("getAdvancedInsightValueOfOpenedProducts", (), options, query={"filter": filter, "period": period, "timezone": timezone})


class AsyncRecipients(AsyncResource):
    async def bootstrap_widget(
        self,
        body: m.BootstrapWidgetRequest | None = None,
        **options: Unpack[Options],
    ) -> m.RecipientJourney:
        """Starts a session of a recipient, by a widget token or by the token of the recipient’s link. The answer has the journey, and sets the cookie of the session. Send session.csrf_token as X-CSRF-Token with every later write that uses the cookie. A token that is bound to no journey is refused with 409: enroll the recipient first. For a token of an enrollment widget this counts as a visit in its insights. (`bootstrapWidget`)"""
        return await self._call("bootstrapWidget", (), options, body=body)

    async def end_session(self, journey_id: str, **options: Unpack[Options]) -> None:
        """Ends the session of the recipient, removes its cookie, and revokes the widget token that opened it. The journey itself continues. Start another session with the operation bootstrapWidget, by another token or by the link. (`endRecipientSession`)"""
        await self._run("endRecipientSession", (journey_id,), options)

    async def end_widget_session(self, **options: Unpack[Options]) -> None:
        """Ends the session of the recipient, removes its cookie, and revokes the widget token that opened it. The journey itself continues. Start another session with the operation bootstrapWidget, by another token or by the link. (`endWidgetSession`)"""
        await self._run("endWidgetSession", (), options)

    async def get_journey(self, journey_id: str, **options: Unpack[Options]) -> m.RecipientJourney:
        """Returns the journey of the recipient with the pages to show. Pages that need a known recipient are marked as locked. It also returns the CSRF token where the cookie is the credential. (`getRecipientJourney`)"""
        return await self._call("getRecipientJourney", (journey_id,), options)

    async def get_page(
        self,
        journey_id: str,
        page_id: str,
        **options: Unpack[Options],
    ) -> m.RecipientPage:
        """Returns one page of the journey as the recipient sees it, with the widget that it embeds. A page that the recipient may not see yet is refused. Answer an identity challenge to open locked pages. (`getRecipientPage`)"""
        return await self._call("getRecipientPage", (journey_id, page_id,), options)

    async def record_events(
        self,
        journey_id: str,
        body: m.RecordRecipientEventsRequest,
        **options: Unpack[Options],
    ) -> m.RecordRecipientEventsResponse:
        """Records up to 50 events of a recipient, such as a page view. Either all of them are recorded or none. An event whose unique_id was recorded before in this journey counts as a duplicate. Events can complete objectives. (`recordRecipientEvents`)"""
        return await self._call("recordRecipientEvents", (journey_id,), options, body=body)

    async def set_consent(
        self,
        journey_id: str,
        channel: str,
        body: m.SetRecipientConsentRequest,
        **options: Unpack[Options],
    ) -> m.RecipientConsent:
        """Subscribes the recipient to a channel or unsubscribes them. Unsubscribing from email or sms holds for every contact of the team with the address or number. Where the widget requires a confirmation, the consent is pending and a message with a link is sent. A repeat with the same status changes nothing. The wording in disclosure is stored as evidence. (`setRecipientConsent`)"""
        return await self._call("setRecipientConsent", (journey_id, channel,), options, body=body)

    async def create_identity_challenge(
        self,
        journey_id: str,
        body: m.IdentityChallengeCreate | None = None,
        **options: Unpack[Options],
    ) -> m.IdentityChallenge:
        """Returns a question whose answer verifies the recipient. The factor is chosen by the template unless the body names one. A code is sent by e-mail or SMS; a repeat shortly after sends no second one. Send the answer with the operation answerIdentityChallenge. (`createIdentityChallenge`)"""
        return await self._call("createIdentityChallenge", (journey_id,), options, body=body)

    async def answer_identity_challenge(
        self,
        journey_id: str,
        id: str,
        body: m.AnswerIdentityChallengeRequest,
        **options: Unpack[Options],
    ) -> m.IdentityVerdict:
        """Checks the answer to an identity challenge. A right answer raises the assurance of the session and replaces its cookie. A wrong answer has status 200 and reduces attempts_left. Too many wrong answers lock the contact for a time, with 423 and meta.retry_at. (`answerIdentityChallenge`)"""
        return await self._call("answerIdentityChallenge", (journey_id, id,), options, body=body)

    async def enroll(
        self,
        body: m.EnrollRecipientRequest | None = None,
        **options: Unpack[Options],
    ) -> m.RecipientJourney:
        """Enrolls the visitor of an enrollment widget and starts a session. A token enrolls once: a repeat answers 200 with the same journey. A contact is created where the token names none, and needs email or phone. Contacts are never found by an address. (`enrollRecipient`)"""
        return await self._call("enrollRecipient", (), options, body=body)


class AsyncExports(AsyncResource):
    async def create(self, body: m.ExportCreate, **options: Unpack[Options]) -> m.Export:
        """Writes the contacts, or another list of the team, to a file in the background. Filters are those of the list; the token needs its read scope as well. Archived messages have their contents, and each line the SHA-256 of the line before. Poll the address in Location until the status is completed, then download the file. The file is kept for one day. Scope: `partner:exports:write`. (`createExport`)"""
        return await self._call("createExport", (), options, body=body)

    def list(
        self,
        *,
        filter: m.ListExportsFilter | None = None,
        sort: m.ListContactDevicesSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.Export]:
        """Returns the exports of the team with their progress. A file can be downloaded until expires_at. The filters are shown to tokens that may read the file. Scope: `partner:exports:read`. (`listExports`)"""
        return self._list("listExports", (), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    async def get(self, id: str, **options: Unpack[Options]) -> m.Export:
        """Returns one export and its progress. Until it has finished, the answer carries Retry-After. Download the file with the operation getExportFile. The filters are shown to tokens that may read the file. Scope: `partner:exports:read`. (`getExport`)"""
        return await self._call("getExport", (id,), options)

    async def delete(self, id: str, **options: Unpack[Options]) -> None:
        """Deletes an export with its file. An export that is running stops. It cannot be undone, and the deletion is recorded in the audit trail. Scope: `partner:exports:write`. (`deleteExport`)"""
        await self._run("deleteExport", (id,), options)

    async def get_file(
        self,
        id: str,
        *,
        bom: Literal["true", "false"] | None = None,
        **options: Unpack[Options],
    ) -> bytes:
        """Downloads the file of a finished export as CSV, NDJSON or JSON. The token needs the scope with which the exported resource is read. An export that has not finished is refused with 409, and one older than a day with 410. Scope: `partner:exports:read`. (`getExportFile`)"""
        return await self._call("getExportFile", (id,), options, query={"bom": bom})


class AsyncWebhookSubscriptions(AsyncResource):
    def list(
        self,
        *,
        filter: m.ListWebhookSubscriptionsFilter | None = None,
        sort: m.ListWebhookSubscriptionsSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.WebhookSubscription]:
        """Returns the webhook subscriptions of the team. Signing secrets are never returned. is_disabled_for_failures marks one that the service has switched off. Scope: `partner:webhooks:read`. (`listWebhookSubscriptions`)"""
        return self._list("listWebhookSubscriptions", (), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    async def create(
        self,
        body: m.WebhookSubscriptionCreate,
        **options: Unpack[Options],
    ) -> m.CreatedWebhookSubscription:
        """Subscribes a URL to events. The signing secret is shown in this answer only: store it, and verify each delivery with it. The URL must be a public https address. A team has at most 50 subscriptions. Send a test with the operation testWebhookSubscription next. Scope: `partner:webhooks:write`. (`createWebhookSubscription`)"""
        return await self._call("createWebhookSubscription", (), options, body=body)

    async def get(self, id: str, **options: Unpack[Options]) -> m.WebhookSubscription:
        """Returns one webhook subscription with its failures and the state of its deliveries. The signing secret is never returned. Scope: `partner:webhooks:read`. (`getWebhookSubscription`)"""
        return await self._call("getWebhookSubscription", (id,), options)

    async def update(
        self,
        id: str,
        body: m.WebhookSubscriptionPatch,
        **options: Unpack[Options],
    ) -> m.WebhookSubscription:
        """Changes the fields that the body names. Set is_disabled_for_failures to false to enable a subscription that the service has disabled. With is_active false, deliveries wait. Another target_url removes the custom headers, because their values are credentials for the old receiver; an unchanged one is not checked again. Scope: `partner:webhooks:write`. (`updateWebhookSubscription`)"""
        return await self._call("updateWebhookSubscription", (id,), options, body=body)

    async def delete(self, id: str, **options: Unpack[Options]) -> None:
        """Deletes a webhook subscription permanently. Deliveries that wait are canceled. The URL receives nothing more, except for an attempt that is in flight. Scope: `partner:webhooks:write`. (`deleteWebhookSubscription`)"""
        await self._run("deleteWebhookSubscription", (id,), options)

    async def rotate_secret(
        self,
        id: str,
        body: m.RotateWebhookSecretRequest | None = None,
        **options: Unpack[Options],
    ) -> m.RotatedSecret:
        """Creates a new signing secret, which is shown in this answer only. The old secret signs as well until the overlap ends, which is 24 hours unless the body names another time of at most seven days. A rotation whose overlap has not ended is refused with 409 unless force is true. Install the new secret before the overlap ends. Scope: `partner:webhooks:write`. (`rotateWebhookSecret`)"""
        return await self._call("rotateWebhookSecret", (id,), options, body=body)

    async def test(
        self,
        id: str,
        body: m.TestWebhookSubscriptionRequest | None = None,
        **options: Unpack[Options],
    ) -> m.WebhookDelivery:
        """Sends a test event to this subscription alone. It is one attempt, which is not retried and does not count as a failure. The body is webhook.ping, or the example of the event type that the request names. Read the outcome at the delivery in the answer. An inactive or disabled subscription is refused with 409. Scope: `partner:webhooks:write`. (`testWebhookSubscription`)"""
        return await self._call("testWebhookSubscription", (id,), options, body=body)

    def list_deliveries(
        self,
        id: str,
        *,
        filter: m.ListWebhookDeliveriesFilter | None = None,
        sort: m.ListWebhookDeliveriesSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.WebhookDelivery]:
        """Returns the deliveries of a subscription, the latest first. Each has the number of attempts, the status of the last one and the time of the next. Scope: `partner:webhooks:read`. (`listWebhookDeliveries`)"""
        return self._list("listWebhookDeliveries", (id,), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    async def get_delivery_counts(
        self,
        id: str,
        *,
        filter: m.GetWebhookDeliveryCountsFilter | None = None,
        **options: Unpack[Options],
    ) -> m.WebhookDeliveryCounts:
        """Returns the number of deliveries by status, and the latency of their attempts. The window is the last 24 hours unless the parameters name another one. It has no side effects. Scope: `partner:webhooks:read`. (`getWebhookDeliveryCounts`)"""
        return await self._call("getWebhookDeliveryCounts", (id,), options, query={"filter": filter})

    async def get_delivery(
        self,
        id: str,
        delivery_id: str,
        *,
        include: str | None = None,
        **options: Unpack[Options],
    ) -> m.WebhookDeliveryDetails:
        """Returns one delivery with its status and its next attempt. include=attempts adds the attempts, and include=event adds the body that was sent. The body needs the scope partner:webhooks:write. Scope: `partner:webhooks:read`. (`getWebhookDelivery`)"""
        return await self._call("getWebhookDelivery", (id, delivery_id,), options, query={"include": include})

    async def retry_delivery(
        self,
        id: str,
        delivery_id: str,
        **options: Unpack[Options],
    ) -> m.WebhookDelivery:
        """Starts a delivery over: one attempt now, and the full retry schedule if it fails. An event that is no longer stored is refused with 410. An inactive or disabled subscription is refused with 409. Receivers recognize the repeat by its webhook-id. Scope: `partner:webhooks:write`. (`retryWebhookDelivery`)"""
        return await self._call("retryWebhookDelivery", (id, delivery_id,), options)

    def list_attempts(
        self,
        id: str,
        delivery_id: str,
        *,
        filter: m.ListWebhookAttemptsFilter | None = None,
        sort: m.ListWebhookAttemptsSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.WebhookAttempt]:
        """Returns the attempts of a delivery with the status. The headers and the beginning of the answer are shown to tokens with the read scope of the event type. Scope: `partner:webhooks:read`. (`listWebhookAttempts`)"""
        return self._list("listWebhookAttempts", (id, delivery_id,), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    async def get_delivery_settings(
        self,
        id: str,
        **options: Unpack[Options],
    ) -> m.WebhookDeliverySettings:
        """Returns the settings of the deliveries to a subscription: rate, concurrency, order, timeout, headers and signature. Values of headers are never returned. Scope: `partner:webhooks:read`. (`getWebhookDeliverySettings`)"""
        return await self._call("getWebhookDeliverySettings", (id,), options)

    async def update_delivery_settings(
        self,
        id: str,
        body: m.WebhookDeliverySettingsPatch,
        **options: Unpack[Options],
    ) -> m.WebhookDeliverySettings:
        """Changes the settings that the body names, for the attempts from now on. headers replaces all custom headers. Turning asymmetric_signing on creates a key pair whose public key is returned. The change is recorded in the audit trail. Scope: `partner:webhooks:write`. (`updateWebhookDeliverySettings`)"""
        return await self._call("updateWebhookDeliverySettings", (id,), options, body=body)

    async def replay(
        self,
        id: str,
        body: m.ReplayWebhooksRequest,
        **options: Unpack[Options],
    ) -> m.AskedWebhookReplay:
        """Starts deliveries of a subscription over, either by id or those of a window of time. With dry_run the answer is 200 and says how many deliveries would be replayed. One replay of a subscription runs at a time. Poll the address in Location, and cancel the replay where needed. Scope: `partner:webhooks:write`. (`replayWebhooks`)"""
        return await self._call("replayWebhooks", (id,), options, body=body)

    def list_replays(
        self,
        id: str,
        *,
        filter: m.ListWebhookReplaysFilter | None = None,
        sort: m.ListContactConsentChangesSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.WebhookReplay]:
        """Returns the replays of a subscription, the latest first. The counts say how many deliveries were matched, started over, delivered and skipped. Scope: `partner:webhooks:read`. (`listWebhookReplays`)"""
        return self._list("listWebhookReplays", (id,), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    async def get_replay(
        self,
        id: str,
        replay_id: str,
        **options: Unpack[Options],
    ) -> m.WebhookReplay:
        """Returns one replay with its progress and the outcome of its deliveries. Poll it until its status is final. Scope: `partner:webhooks:read`. (`getWebhookReplay`)"""
        return await self._call("getWebhookReplay", (id, replay_id,), options)

    async def cancel_replay(
        self,
        id: str,
        replay_id: str,
        **options: Unpack[Options],
    ) -> m.WebhookReplay:
        """Stops a replay. Deliveries that it has started over continue. When the answer arrives, nothing more is replayed. A replay that has ended is refused with 409. Scope: `partner:webhooks:write`. (`cancelWebhookReplay`)"""
        return await self._call("cancelWebhookReplay", (id, replay_id,), options)


class AsyncWebhookEventTypes(AsyncResource):
    async def list(self, **options: Unpack[Options]) -> m.ListWebhookEventTypesResponse:
        """Returns every type of event with the JSON Schema of its body. The list is complete and is not paged. Choose from it the event_types of a subscription; custom.* stands for the types that the operation listCustomEventTypes lists. Scope: `partner:webhooks:read`. (`listWebhookEventTypes`)"""
        return await self._call("listWebhookEventTypes", (), options)


class AsyncIncomingWebhookReceivers(AsyncResource):
    def list(
        self,
        *,
        filter: m.ListIncomingWebhookReceiversFilter | None = None,
        sort: m.ListObjectivesSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.IncomingWebhookReceiver]:
        """Returns the incoming webhook receivers of the team. Secrets are never returned. The receive_url is the address to configure at the provider. Scope: `partner:incoming-webhooks:read`. (`listIncomingWebhookReceivers`)"""
        return self._list("listIncomingWebhookReceivers", (), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    async def create(
        self,
        body: m.IncomingWebhookReceiverCreate,
        **options: Unpack[Options],
    ) -> m.CreatedIncomingWebhookReceiver:
        """Creates an address at which a provider delivers its callbacks. The secrets in this answer are shown only here. Settings that verify the provider go into verification. A team has at most 50 receivers. Enter the url of the answer at the provider, then send a test. Scope: `partner:incoming-webhooks:write`. (`createIncomingWebhookReceiver`)"""
        return await self._call("createIncomingWebhookReceiver", (), options, body=body)

    async def get(self, id: str, **options: Unpack[Options]) -> m.IncomingWebhookReceiver:
        """Returns one incoming webhook receiver with its address, its counters and the state of its verification. Secrets are never returned. Scope: `partner:incoming-webhooks:read`. (`getIncomingWebhookReceiver`)"""
        return await self._call("getIncomingWebhookReceiver", (id,), options)

    async def update(
        self,
        id: str,
        body: m.IncomingWebhookReceiverPatch,
        **options: Unpack[Options],
    ) -> m.IncomingWebhookReceiver:
        """Changes the fields that the body names, the verification as well. The kind is fixed. A secret that is replaced is accepted for another 24 hours. The change applies to the next callback. Scope: `partner:incoming-webhooks:write`. (`updateIncomingWebhookReceiver`)"""
        return await self._call("updateIncomingWebhookReceiver", (id,), options, body=body)

    async def delete(self, id: str, **options: Unpack[Options]) -> None:
        """Deletes an incoming webhook receiver permanently. Callbacks to its address are answered with 404 from then on. Remove the address at the provider as well. Scope: `partner:incoming-webhooks:delete`. (`deleteIncomingWebhookReceiver`)"""
        await self._run("deleteIncomingWebhookReceiver", (id,), options)

    async def test(
        self,
        id: str,
        body: m.TestIncomingWebhookReceiverRequest | None = None,
        **options: Unpack[Options],
    ) -> m.InboundDelivery:
        """Sends a signed sample of the provider through the receiver. The delivery is marked as a test and has no effect on contacts or messages. An inactive receiver is refused with 410. Read the outcome in the answer. Scope: `partner:incoming-webhooks:write`. (`testIncomingWebhookReceiver`)"""
        return await self._call("testIncomingWebhookReceiver", (id,), options, body=body)

    async def get_verification(
        self,
        id: str,
        **options: Unpack[Options],
    ) -> m.ReceiverVerification:
        """Returns how callbacks of a receiver are verified: scheme, settings and which secrets are set. Secrets are never returned. Scope: `partner:incoming-webhooks:read`. (`getReceiverVerification`)"""
        return await self._call("getReceiverVerification", (id,), options)

    async def update_verification(
        self,
        id: str,
        body: m.IncomingWebhookReceiverCreateVerification,
        **options: Unpack[Options],
    ) -> m.ReceiverVerification:
        """Changes settings and secrets with which callbacks are verified. A secret that is replaced is accepted for another 24 hours. The change applies to the next callback and is recorded in the audit trail. Scope: `partner:incoming-webhooks:write`. (`updateReceiverVerification`)"""
        return await self._call("updateReceiverVerification", (id,), options, body=body)

    async def rotate_secret(
        self,
        id: str,
        body: m.RotateReceiverSecretRequest | None = None,
        **options: Unpack[Options],
    ) -> m.RotatedReceiverSecrets:
        """Creates new secrets of the service for a receiver, which are shown in this answer only. The old ones are accepted for another 24 hours. A rotation within that time is refused with 409 unless force is true. Install the new secrets at the relay or the provider. Scope: `partner:incoming-webhooks:write`. (`rotateReceiverSecret`)"""
        return await self._call("rotateReceiverSecret", (id,), options, body=body)

    async def confirm_subscription(
        self,
        id: str,
        body: m.ConfirmReceiverSubscriptionRequest | None = None,
        **options: Unpack[Options],
    ) -> m.ReceiverVerification:
        """Accepts the notifications of a topic that asks to be confirmed, and pins the topic to the receiver. The confirmation is sent in the background. Without a request of a topic the answer is 409. Read subscription states at the verification of the receiver. Scope: `partner:incoming-webhooks:write`. (`confirmReceiverSubscription`)"""
        return await self._call("confirmReceiverSubscription", (id,), options, body=body)


class AsyncUploads(AsyncResource):
    async def create(self, body: UploadBody, **options: Unpack[Options]) -> m.Upload:
        """Uploads a file of items for batch operations, as CSV or NDJSON. The body is the file itself, without multipart. The same bytes sent again make another upload unless the Idempotency-Key is the same. Name the id of the upload in upload_id of createBatchOperation or validateBatchOperation. Scope: `batch:operations:write`. (`createUpload`)"""
        return await self._call("createUpload", (), options, body=body)

    async def get(self, id: str, **options: Unpack[Options]) -> m.Upload:
        """Returns one uploaded file with its size and SHA-256, without its content. Compare the hash to make sure that the file arrived complete. Scope: `batch:operations:read`. (`getUpload`)"""
        return await self._call("getUpload", (id,), options)

    async def delete(self, id: str, **options: Unpack[Options]) -> None:
        """Deletes an uploaded file permanently. A file that an operation is still reading is refused with 409. Results of finished operations stay. Scope: `batch:operations:write`. (`deleteUpload`)"""
        await self._run("deleteUpload", (id,), options)


class AsyncInboundWebhooks(AsyncResource):
    async def receive_email_a(
        self,
        receiver_id: str,
        body: m.EmailA | Mapping[str, Any] | str | bytes,
        **options: Unpack[Options],
    ) -> m.InboundReceipt:
        """Receives callbacks of the kind email_a. The body is either the payload of the provider, with the signature of the provider, or the normalized form. A relay signs with the whsec_ secret of the receiver by Standard Webhooks, and a partner can send a token instead. An event that was received before is answered with 200 and the status duplicate, so repeats are harmless. The answer is sent once the callback is stored; its effects follow in the background. Scope: `partner:incoming-webhooks:write`. (`receiveEmailA`)"""
        return await self._call("receiveEmailA", (receiver_id,), options, body=body)

    async def receive_email_b(
        self,
        receiver_id: str,
        body: m.EmailB | Sequence[m.EmailB] | Sequence[Mapping[str, Any]] | bytes,
        **options: Unpack[Options],
    ) -> m.InboundReceipt:
        """Receives callbacks of the kind email_b. The body is either the payload of the provider, with the signature of the provider, or the normalized form. A relay signs with the whsec_ secret of the receiver by Standard Webhooks, and a partner can send a token instead. An event that was received before is answered with 200 and the status duplicate, so repeats are harmless. The answer is sent once the callback is stored; its effects follow in the background. Scope: `partner:incoming-webhooks:write`. (`receiveEmailB`)"""
        return await self._call("receiveEmailB", (receiver_id,), options, body=body)

    async def receive_email_c(
        self,
        receiver_id: str,
        body: m.EmailC | Mapping[str, Any] | bytes,
        **options: Unpack[Options],
    ) -> m.InboundReceipt:
        """Receives callbacks of the kind email_c. The body is either the payload of the provider, with the signature of the provider, or the normalized form. A relay signs with the whsec_ secret of the receiver by Standard Webhooks, and a partner can send a token instead. An event that was received before is answered with 200 and the status duplicate, so repeats are harmless. The answer is sent once the callback is stored; its effects follow in the background. Scope: `partner:incoming-webhooks:write`. (`receiveEmailC`)"""
        return await self._call("receiveEmailC", (receiver_id,), options, body=body)

    async def receive_sms_a(
        self,
        receiver_id: str,
        body: m.SmsA | Mapping[str, Any] | bytes,
        **options: Unpack[Options],
    ) -> m.InboundReceipt:
        """Receives callbacks of the kind sms_a. The body is either the payload of the provider, with the signature of the provider, or the normalized form. A relay signs with the whsec_ secret of the receiver by Standard Webhooks, and a partner can send a token instead. An event that was received before is answered with 200 and the status duplicate, so repeats are harmless. The answer is sent once the callback is stored; its effects follow in the background. Scope: `partner:incoming-webhooks:write`. (`receiveSmsA`)"""
        return await self._call("receiveSmsA", (receiver_id,), options, body=body)

    async def receive_sms_b(
        self,
        receiver_id: str,
        body: m.SmsB | Mapping[str, Any] | bytes,
        **options: Unpack[Options],
    ) -> m.InboundReceipt:
        """Receives callbacks of the kind sms_b. The body is either the payload of the provider, with the signature of the provider, or the normalized form. A relay signs with the whsec_ secret of the receiver by Standard Webhooks, and a partner can send a token instead. An event that was received before is answered with 200 and the status duplicate, so repeats are harmless. The answer is sent once the callback is stored; its effects follow in the background. Scope: `partner:incoming-webhooks:write`. (`receiveSmsB`)"""
        return await self._call("receiveSmsB", (receiver_id,), options, body=body)

    async def receive_push_a(
        self,
        receiver_id: str,
        body: m.PushA | Mapping[str, Any] | bytes,
        **options: Unpack[Options],
    ) -> m.InboundReceipt:
        """Receives callbacks of the kind push_a. The body is either the payload of the provider, with the signature of the provider, or the normalized form. A relay signs with the whsec_ secret of the receiver by Standard Webhooks, and a partner can send a token instead. An event that was received before is answered with 200 and the status duplicate, so repeats are harmless. The answer is sent once the callback is stored; its effects follow in the background. Scope: `partner:incoming-webhooks:write`. (`receivePushA`)"""
        return await self._call("receivePushA", (receiver_id,), options, body=body)

    async def receive_push_b(
        self,
        receiver_id: str,
        body: m.PushB | Mapping[str, Any] | bytes,
        **options: Unpack[Options],
    ) -> m.InboundReceipt:
        """Receives callbacks of the kind push_b. The body is either the payload of the provider, with the signature of the provider, or the normalized form. A relay signs with the whsec_ secret of the receiver by Standard Webhooks, and a partner can send a token instead. An event that was received before is answered with 200 and the status duplicate, so repeats are harmless. The answer is sent once the callback is stored; its effects follow in the background. Scope: `partner:incoming-webhooks:write`. (`receivePushB`)"""
        return await self._call("receivePushB", (receiver_id,), options, body=body)

    async def receive_file_transfer_a(
        self,
        receiver_id: str,
        body: m.FileTransferA | Mapping[str, Any] | str | bytes,
        **options: Unpack[Options],
    ) -> m.InboundReceipt:
        """Receives callbacks of the kind file_transfer_a. The body is either the payload of the provider, with the signature of the provider, or the normalized form. A relay signs with the whsec_ secret of the receiver by Standard Webhooks, and a partner can send a token instead. An event that was received before is answered with 200 and the status duplicate, so repeats are harmless. The answer is sent once the callback is stored; its effects follow in the background. Scope: `partner:incoming-webhooks:write`. (`receiveFileTransferA`)"""
        return await self._call("receiveFileTransferA", (receiver_id,), options, body=body)

    async def receive_generic_hmac(
        self,
        receiver_id: str,
        body: m.GenericHmac | bytes,
        **options: Unpack[Options],
    ) -> m.InboundReceipt:
        """Receives callbacks of the kind generic_hmac. The body is either the payload of the provider, with the signature of the provider, or the normalized form. A relay signs with the whsec_ secret of the receiver by Standard Webhooks, and a partner can send a token instead. An event that was received before is answered with 200 and the status duplicate, so repeats are harmless. The answer is sent once the callback is stored; its effects follow in the background. Scope: `partner:incoming-webhooks:write`. (`receiveGenericHmac`)"""
        return await self._call("receiveGenericHmac", (receiver_id,), options, body=body)

    def list_deliveries(
        self,
        receiver_id: str,
        *,
        filter: m.ListInboundDeliveriesFilter | None = None,
        sort: m.ListInboundDeliveriesSort | None = None,
        include: Literal["payload"] | Sequence[Literal["payload"]] | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.InboundDeliveryRow]:
        """Returns the callbacks that a receiver got, the latest first. Embed the payload with include. Scope: `partner:incoming-webhooks:read`. (`listInboundDeliveries`)"""
        return self._list("listInboundDeliveries", (receiver_id,), options, query={"filter": filter, "sort": sort, "include": include, "meta": meta, "page": page})

    async def get_delivery(
        self,
        receiver_id: str,
        delivery_id: str,
        *,
        include: str | None = None,
        **options: Unpack[Options],
    ) -> m.InboundDeliveryDetails:
        """Returns one callback with its normalized payload and the outcome. include=raw adds the call as it arrived, and needs the scope partner:incoming-webhooks:write. Payloads are stored for a limited time. Scope: `partner:incoming-webhooks:read`. (`getInboundDelivery`)"""
        return await self._call("getInboundDelivery", (receiver_id, delivery_id,), options, query={"include": include})

    async def get_delivery_counts(
        self,
        receiver_id: str,
        *,
        filter: m.GetInboundDeliveryCountsFilter | None = None,
        **options: Unpack[Options],
    ) -> m.InboundDeliveryCounts:
        """Returns the number of callbacks of a receiver by outcome. The window is the last 24 hours unless the parameters name another one. Rejected calls that were too many to be stored are counted in dropped_rejections. Scope: `partner:incoming-webhooks:read`. (`getInboundDeliveryCounts`)"""
        return await self._call("getInboundDeliveryCounts", (receiver_id,), options, query={"filter": filter})

    async def replay(
        self,
        receiver_id: str,
        body: m.ReplayInboundWebhooksRequest,
        **options: Unpack[Options],
    ) -> m.AskedInboundReplay:
        """Applies callbacks of a receiver again, either by id or those of a window of time. With dry_run the answer is 200 and says how many would be applied. One replay of a receiver runs at a time. Rejected callbacks cannot be replayed. Poll the address in Location. Scope: `partner:incoming-webhooks:write`. (`replayInboundWebhooks`)"""
        return await self._call("replayInboundWebhooks", (receiver_id,), options, body=body)

    def list_replays(
        self,
        receiver_id: str,
        *,
        filter: m.ListWebhookReplaysFilter | None = None,
        sort: m.ListContactConsentChangesSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.InboundReplay]:
        """Returns the replays of a receiver, the latest first. The counts say how many callbacks were matched, applied and skipped. Scope: `partner:incoming-webhooks:read`. (`listInboundReplays`)"""
        return self._list("listInboundReplays", (receiver_id,), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    async def get_replay(
        self,
        receiver_id: str,
        replay_id: str,
        **options: Unpack[Options],
    ) -> m.InboundReplay:
        """Returns one replay with its progress and its outcome. Poll it until its status is final. Scope: `partner:incoming-webhooks:read`. (`getInboundReplay`)"""
        return await self._call("getInboundReplay", (receiver_id, replay_id,), options)

    async def cancel_replay(
        self,
        receiver_id: str,
        replay_id: str,
        **options: Unpack[Options],
    ) -> m.InboundReplay:
        """Stops a replay. Callbacks that it has applied stay applied. A replay that has ended is refused with 409. Scope: `partner:incoming-webhooks:write`. (`cancelInboundReplay`)"""
        return await self._call("cancelInboundReplay", (receiver_id, replay_id,), options)


class AsyncOperations(AsyncResource):
    def list(
        self,
        *,
        filter: m.ListOperationsFilter | None = None,
        sort: m.ListOperationsSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.OperationDescriptor]:
        """Returns the operations of the integration catalog with their schemas. It is the same for every team. Scope: `ipaas:operations:read`. (`listOperations`)"""
        return self._list("listOperations", (), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    async def get_descriptor(
        self,
        operation_kind: str,
        **options: Unpack[Options],
    ) -> m.OperationDescriptor:
        """Returns one operation: its input and output schemas, its scopes, its limits, and how it repeats and fails. Read it before you build an integration on the operation. Scope: `ipaas:operations:read`. (`getOperationDescriptor`)"""
        return await self._call("getOperationDescriptor", (operation_kind,), options)

    async def execute(
        self,
        operation_kind: str,
        body: m.ExecuteOperationRequest,
        **options: Unpack[Options],
    ) -> m.OperationReport | m.OperationExecution:
        """Executes an operation with one input or with up to 10,000 items. Few items of a synchronous operation are executed within the request, and the answer has their results. Otherwise, or with Prefer: respond-async, the answer is 202 and the address in Location shows the progress. The operation decides whether an Idempotency-Key is required. The token also needs the scopes of the operation. Scope: `ipaas:operations:execute`. (`executeOperation`)"""
        return await self._call("executeOperation", (operation_kind,), options, body=body)


class AsyncExecutions(AsyncResource):
    def list(
        self,
        *,
        filter: m.ListExecutionsFilter | None = None,
        sort: m.ListContactDevicesSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.OperationExecution]:
        """Returns the executions that ran in the background, the latest first. Only calls that answered 202 are among them. Their results are stored until expires_at. Scope: `ipaas:operations:read`. (`listExecutions`)"""
        return self._list("listExecutions", (), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    async def get(self, id: str, **options: Unpack[Options]) -> m.OperationExecution:
        """Returns one execution and its progress. Until it has finished, the answer carries Retry-After. The error is shown only to tokens with the scopes of the operation. Scope: `ipaas:operations:read`. (`getExecution`)"""
        return await self._call("getExecution", (id,), options)

    def get_result(
        self,
        id: str,
        *,
        filter: m.GetExecutionResultFilter | None = None,
        sort: m.GetExecutionResultSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.OperationResult]:
        """Returns the results of a finished execution, item by item. The token needs the scopes of the operation. An execution that has not finished is refused with 409, and results older than seven days with 410. Scope: `ipaas:operations:read`. (`getExecutionResult`)"""
        return self._list("getExecutionResult", (id,), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    def list_items(
        self,
        id: str,
        *,
        filter: m.GetExecutionResultFilter | None = None,
        sort: m.GetExecutionResultSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.OperationItem]:
        """Returns the results of the items so far, also while the execution is running. The token needs the scopes of the operation. Results are kept for seven days. Scope: `ipaas:operations:read`. (`listExecutionItems`)"""
        return self._list("listExecutionItems", (id,), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    async def cancel(self, id: str, **options: Unpack[Options]) -> m.OperationExecution:
        """Stops an execution before its next items. What it has applied stays applied. An execution that has finished is refused with 409. Scope: `ipaas:operations:execute`. (`cancelExecution`)"""
        return await self._call("cancelExecution", (id,), options)

    async def retry(self, id: str, **options: Unpack[Options]) -> m.OperationExecution:
        """Executes the operation again for the failed items, as a new execution. The execution must have finished within the last seven days. Poll the address in Location. Scope: `ipaas:operations:execute`. (`retryExecution`)"""
        return await self._call("retryExecution", (id,), options)


class AsyncBatchOperations(AsyncResource):
    async def create(
        self,
        body: m.BatchOperationCreate,
        **options: Unpack[Options],
    ) -> m.BatchOperation:
        """Applies an operation to many items in the background. The items are in the body, or in an upload that the body names. The Idempotency-Key is required, so that a repeat does not apply the items twice. The token also needs the scopes of the operation. Poll the address in Location, then read the items. Scope: `batch:operations:write`. (`createBatchOperation`)"""
        return await self._call("createBatchOperation", (), options, body=body)

    def list(
        self,
        *,
        filter: m.ListBatchOperationsFilter | None = None,
        sort: m.ListContactDevicesSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.BatchOperation]:
        """Returns the batch operations, the latest first. The counts of each grow while it runs; error_summary has the first codes of failed items. Scope: `batch:operations:read`. (`listBatchOperations`)"""
        return self._list("listBatchOperations", (), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    async def validate(
        self,
        body: m.BatchOperationCreate,
        **options: Unpack[Options],
    ) -> m.BatchValidation:
        """Says what a batch would do, without applying anything. Up to 100 items of a synchronous operation are answered with 200 right away. Otherwise the answer is 202, and a batch in the background tries the items. Run the operation createBatchOperation when the result is right. Scope: `batch:operations:write`. (`validateBatchOperation`)"""
        return await self._call("validateBatchOperation", (), options, body=body)

    async def get(self, id: str, **options: Unpack[Options]) -> m.BatchOperation:
        """Returns one batch operation and its progress. Until it has finished, the answer carries Retry-After. The error is shown only to tokens with the scopes of the operation. Scope: `batch:operations:read`. (`getBatchOperation`)"""
        return await self._call("getBatchOperation", (id,), options)

    def list_items(
        self,
        id: str,
        *,
        filter: m.GetExecutionResultFilter | None = None,
        sort: m.GetExecutionResultSort | None = None,
        meta: Literal["count"] | None = None,
        page: PageQuery | None = None,
        **options: Unpack[Options],
    ) -> AsyncCursor[m.OperationItem]:
        """Returns the results of the items so far, also while the batch is running. The token needs the scopes of the operation. Results are kept for seven days. Scope: `batch:operations:read`. (`listBatchOperationItems`)"""
        return self._list("listBatchOperationItems", (id,), options, query={"filter": filter, "sort": sort, "meta": meta, "page": page})

    async def get_errors(self, id: str, **options: Unpack[Options]) -> bytes:
        """Downloads the errors of the items so far as a CSV file. The items themselves are not in the file. The token needs the scopes of the operation. Results are kept for seven days. Scope: `batch:operations:read`. (`getBatchOperationErrors`)"""
        return await self._call("getBatchOperationErrors", (id,), options)

    async def cancel(self, id: str, **options: Unpack[Options]) -> m.BatchOperation:
        """Stops a batch operation before its next items. What it has applied stays applied. A batch that has finished is refused with 409. Scope: `batch:operations:write`. (`cancelBatchOperation`)"""
        return await self._call("cancelBatchOperation", (id,), options)

    async def retry(self, id: str, **options: Unpack[Options]) -> m.BatchOperation:
        """Runs the failed items of a batch again, as a new batch. The batch must have finished within the last seven days. Poll the address in Location. Scope: `batch:operations:write`. (`retryBatchOperation`)"""
        return await self._call("retryBatchOperation", (id,), options)


class AsyncNamespaces:
    """A namespace for each resource, with a method for each operation."""

    def __init__(self, caller: AsyncCaller) -> None:
        self.access = AsyncAccess(caller)
        self.meta = AsyncMeta(caller)
        self.contacts = AsyncContacts(caller)
        self.contact_erasures = AsyncContactErasures(caller)
        self.topics = AsyncTopics(caller)
        self.suppressions = AsyncSuppressions(caller)
        self.accounts = AsyncAccounts(caller)
        self.cohorts = AsyncCohorts(caller)
        self.templates = AsyncTemplates(caller)
        self.journeys = AsyncJourneys(caller)
        self.content_blocks = AsyncContentBlocks(caller)
        self.landing_pages = AsyncLandingPages(caller)
        self.messages = AsyncMessages(caller)
        self.test_recipients = AsyncTestRecipients(caller)
        self.archived_messages = AsyncArchivedMessages(caller)
        self.contact_reads = AsyncContactReads(caller)
        self.legal_holds = AsyncLegalHolds(caller)
        self.message_deliveries = AsyncMessageDeliveries(caller)
        self.pages = AsyncPages(caller)
        self.objectives = AsyncObjectives(caller)
        self.team = AsyncTeam(caller)
        self.users = AsyncUsers(caller)
        self.portal_sessions = AsyncPortalSessions(caller)
        self.audit_events = AsyncAuditEvents(caller)
        self.sending_domains = AsyncSendingDomains(caller)
        self.sending_providers = AsyncSendingProviders(caller)
        self.completions = AsyncCompletions(caller)
        self.engagement_events = AsyncEngagementEvents(caller)
        self.custom_event_types = AsyncCustomEventTypes(caller)
        self.events = AsyncEvents(caller)
        self.sftp_credentials = AsyncSftpCredentials(caller)
        self.sftp_uploads = AsyncSftpUploads(caller)
        self.file_sources = AsyncFileSources(caller)
        self.widget_instances = AsyncWidgetInstances(caller)
        self.insights = AsyncInsights(caller)
        self.recipients = AsyncRecipients(caller)
        self.exports = AsyncExports(caller)
        self.webhook_subscriptions = AsyncWebhookSubscriptions(caller)
        self.webhook_event_types = AsyncWebhookEventTypes(caller)
        self.incoming_webhook_receivers = AsyncIncomingWebhookReceivers(caller)
        self.uploads = AsyncUploads(caller)
        self.inbound_webhooks = AsyncInboundWebhooks(caller)
        self.operations = AsyncOperations(caller)
        self.executions = AsyncExecutions(caller)
        self.batch_operations = AsyncBatchOperations(caller)
