// Written by `npm run generate -- sdk` from the OpenAPI document.
import type * as S from './schemas.ts';
import type {
  ApiPromise,
  AttributeOperator,
  Filter,
  ListPromise,
  Operators,
  PageQuery,
  RequestOptions,
  Sort,
  Time,
  UploadBody,
} from '../types.ts';

type Operators1 = 'eq' | 'gt' | 'gte' | 'in' | 'lt' | 'lte' | 'missing' | 'neq' | 'nin' | 'present';
type Operators2 = 'eq' | 'in';
type Operators3 = 'eq' | 'in' | 'neq' | 'nin';
type Operators4 = 'eq' | 'gt' | 'gte' | 'in' | 'lt' | 'lte' | 'neq' | 'nin';
type Operators5 = 'contains';
type Operators6 = 'eq' | 'in' | 'missing' | 'neq' | 'nin' | 'present';
type Operators7 =
  'contains' | 'ends_with' | 'eq' | 'in' | 'missing' | 'neq' | 'nin' | 'present' | 'starts_with';
type Operators8 = 'contains' | 'eq' | 'missing' | 'present';
type Operators9 = 'eq' | 'missing' | 'neq' | 'present';
type Operators10 = 'eq' | 'neq';
type Operators11 = 'gt' | 'gte' | 'lt' | 'lte';
type Operators12 = 'eq' | 'in' | 'missing' | 'present';
type Operators13 = 'eq';
type Operators14 = 'in';
type Operators15 = 'gte' | 'lt';
type Operators16 = 'eq' | 'gt' | 'gte' | 'in' | 'lt' | 'lte';
export interface Resources {
  access: {
    /** Exchanges the credentials of a client for an access token that is valid for one hour. Send client_id and client_secret in the form or by HTTP Basic, but not both. The answer names the scopes that were granted: scopes beyond the entitlement of the client are left out without an error. Reuse the token until shortly before it expires, then request another one. (`createToken`) */
    createToken(body: S.TokenRequest, options?: RequestOptions): ApiPromise<S.TokenResponse>;

    /** Ends an access token of the client before it expires. An unknown token, and a token of another client, get the same answer with status 200, as RFC 7009 requires. Revoke a token when it may have leaked, then request another one. (`revokeAccessToken`) */
    revokeAccessToken(
      body: S.RevokeAccessTokenRequest,
      options?: RequestOptions,
    ): ApiPromise<S.RevokeAccessTokenResponse>;

    /** Returns the public keys with which access tokens are signed, as a JSON Web Key Set. Keys are rotated: look a key up by the kid of a token, and fetch the set again when the kid is unknown. The answer may be cached for five seconds. (`getJwks`) */
    getJwks(options?: RequestOptions): ApiPromise<S.GetJwksResponse>;

    /** Returns the addresses and abilities of the authorization server, as RFC 8414 describes. OAuth libraries read it to configure themselves. It needs no credentials and changes with a release only. (`getAuthorizationServerMetadata`) */
    getAuthorizationServerMetadata(
      options?: RequestOptions,
    ): ApiPromise<S.GetAuthorizationServerMetadataResponse>;
  };
  meta: {
    /** Returns what the presented token may do: its surfaces, its operations and its rate limits. Call it after you received a token, to check the entitlement of the client before the first write. It has no side effects. Scope: `meta:capabilities:read`. (`getCapabilities`) */
    getCapabilities(options?: RequestOptions): ApiPromise<S.Capabilities>;

    /** Returns every error code with its HTTP status, its constant title and the remedy. The list is complete and is not paged. Read it to map codes to messages of your own. Scope: `meta:capabilities:read`. (`listErrorCodes`) */
    listErrorCodes(options?: RequestOptions): ApiPromise<S.ListErrorCodesResponse>;

    /** Returns every type of event with the JSON Schema of its data and a complete example. The list is complete and is not paged. Choose from it the event_types of a webhook subscription. Scope: `meta:capabilities:read`. (`listEventTypes`) */
    listEventTypes(options?: RequestOptions): ApiPromise<S.ListEventTypesResponse>;

    /** Returns the clock of the server in UTC. Compare it with your own clock when signatures or deadlines are rejected. It needs no credentials. (`getTime`) */
    getTime(options?: RequestOptions): ApiPromise<S.ServerTime>;

    /** Returns this document. It is computed from the same declarations that route and check the requests, so it describes the running version. It needs no credentials and may be cached for one minute. (`getOpenApi`) */
    getOpenApi(options?: RequestOptions): ApiPromise<S.GetOpenApiResponse>;

    /** Returns the requests of the team in the last seven days, the latest first, each within a second of its answer. Texts, secrets and all values of persons are stored by their form only, bodies are cut to 2,048 characters, and rows that name an erased contact are deleted. Filter by request_id to look up the id of an error. Scope: `meta:requests:read`. (`listRequests`) */
    listRequests(
      query?: {
        sort?: Sort<'occurred_at'>;
        meta?: 'count';
        filter?: {
          occurred_at?: Filter<Time, Operators1>;
          request_id?: Filter<string, Operators2>;
          operation?: Filter<string, Operators3>;
          method?: Filter<string, Operators3>;
          client_id?: Filter<string, Operators3>;
          status?: Filter<number, Operators4>;
          error_codes?: Operators<string, Operators5>;
        };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListRequestsResponse>;
  };
  contacts: {
    /** Returns the contacts of the team. Archived contacts are left out. Embed accounts or journeys with include, at most 25 of each for one contact. Scope: `partner:contacts:read`. (`listContacts`) */
    list(
      query?: {
        sort?: Sort<'email' | 'last_name' | 'inserted_at' | 'updated_at' | 'last_engaged_at'>;
        include?: readonly ('accounts' | 'cohorts' | 'journeys')[];
        meta?: 'count';
        filter?: {
          unique_id?: Filter<string, Operators6>;
          email?: Filter<string, Operators7>;
          phone?: Filter<string, Operators6>;
          status?: Filter<'active' | 'suppressed' | 'archived', Operators6>;
          email_status?: Filter<
            'unknown' | 'soft_bouncing' | 'bounced' | 'complained' | 'suppressed',
            Operators6
          >;
          tags?: Filter<string, Operators8>;
          locale?: Filter<string, Operators6>;
          cohort_id?: Filter<string, Operators6>;
          inserted_at?: Filter<Time, Operators1>;
          updated_at?: Filter<Time, Operators1>;
          last_engaged_at?: Filter<Time, Operators1>;
          [key: `attributes.${string}`]: Filter<string, AttributeOperator>;
        };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListContactsResponse>;

    /** Creates a contact and records the event contact.created. A unique_id that another contact has is refused with 409 and the id of that contact in meta.id. The date of birth is stored encrypted and is shown only to tokens with the scope for sensitive data. Enroll the contact in a template next. Scope: `partner:contacts:write`. (`createContact`) */
    create(body: S.ContactCreate, options?: RequestOptions): ApiPromise<S.ContactDetails>;

    /** Returns one contact by its id, or by unique_id: and the partner’s own key. A contact that was merged or erased answers 410. The date of birth is shown only to tokens with the scope for sensitive data. Scope: `partner:contacts:read`. (`getContact`) */
    get(id: string, options?: RequestOptions): ApiPromise<S.ContactDetails>;

    /** Changes the fields that the body names. A field that is absent stays as it is, and null clears an optional field. A change records the event contact.updated; a body that changes nothing records nothing. Send If-Match to refuse the change when somebody else was faster. Scope: `partner:contacts:write`. (`updateContact`) */
    update(
      id: string,
      body: S.ContactPatch,
      options?: RequestOptions,
    ): ApiPromise<S.ContactDetails>;

    /** Archives a contact and records the event contact.deleted. Its accounts are removed and its open journeys end, which cannot be undone. The record stays for reports. Use the operation eraseContact where the person demands erasure. While a legal hold stands on the contact or the team, it is refused with 409. Scope: `partner:contacts:delete`. (`deleteContact`) */
    delete(id: string, options?: RequestOptions): ApiPromise<void>;

    /** Merges another contact into the contact of the path, which then has the accounts, journeys and history of both. The source contact is archived and answers 410 with the id of the target. A merge cannot be undone. It records the event contact.merged. Scope: `partner:contacts:write`. (`mergeContact`) */
    merge(
      id: string,
      body: S.MergeContactRequest,
      options?: RequestOptions,
    ): ApiPromise<S.ContactDetails>;

    /** Erases a contact and every copy of its personal data, also where the contact is archived. It cannot be undone, and is refused with 409 legal_hold while a legal hold stands on the contact or the team. The first step happens within the request, and the rest continues in the background. Poll the erasure in Location until its status is completed. A repeat returns the same erasure. Scope: `partner:contacts:delete`. (`eraseContact`) */
    erase(id: string, options?: RequestOptions): ApiPromise<S.ContactErasure>;

    /** Records the consent of a contact for one channel: email, sms or push. It replaces the consent of this channel and leaves the others as they are. Each change is kept with its source and evidence. Messages of marketing are sent only while the consent is subscribed. Scope: `partner:contacts:write`. (`setContactConsent`) */
    setConsent(
      id: string,
      channel: string,
      body: S.SetContactConsentRequest,
      options?: RequestOptions,
    ): ApiPromise<S.ContactDetails>;

    /** Returns every recorded change of the consents of a contact with its source and evidence, the latest first. Scope: `partner:contacts:read`. (`listContactConsentChanges`) */
    listConsentChanges(
      id: string,
      query?: {
        sort?: Sort<'inserted_at'>;
        meta?: 'count';
        filter?: {
          inserted_at?: Filter<Time, Operators1>;
          channel?: Filter<'email' | 'sms' | 'push', Operators6>;
        };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListContactConsentChangesResponse>;

    /** Returns what is in effect for each topic of the team and each channel: the choice of the contact, or the default_consent of the topic. A message of a topic also needs the consent of the contact for its channel. Scope: `partner:contacts:read`. (`getContactTopicConsents`) */
    getTopicConsents(id: string, options?: RequestOptions): ApiPromise<S.ContactTopicConsents>;

    /** Records that a contact has subscribed to a topic or has unsubscribed from it, for one channel. It leaves the other topics and channels, and the consent for the channel as a whole, as they are. Each change is kept with its source and evidence, and records the event contact.topic_consent_changed. Scope: `partner:contacts:write`. (`setContactTopicConsent`) */
    setTopicConsent(
      id: string,
      topic_id: string,
      channel: string,
      body: S.SetContactTopicConsentRequest,
      options?: RequestOptions,
    ): ApiPromise<S.ContactTopicConsents>;

    /** Returns every recorded change of the consents of a contact to topics with its source and evidence, the latest first. Scope: `partner:contacts:read`. (`listContactTopicConsentChanges`) */
    listTopicConsentChanges(
      id: string,
      query?: {
        sort?: Sort<'inserted_at'>;
        meta?: 'count';
        filter?: {
          inserted_at?: Filter<Time, Operators1>;
          topic_id?: Filter<string, Operators6>;
          channel?: Filter<'email' | 'sms' | 'push', Operators6>;
        };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListContactTopicConsentChangesResponse>;

    /** Ends every lock that wrong answers to identity challenges have set for a contact, and resets the counts. The contact may answer again immediately. Make sure by other means that the person is the contact. The change is recorded in the audit trail. Scope: `partner:contacts:write`. (`resetContactIdentityLock`) */
    resetIdentityLock(id: string, options?: RequestOptions): ApiPromise<void>;

    /** Returns the devices of a contact that receive push messages. Push tokens are shown as a SHA-256 hash only. Scope: `partner:contacts:read`. (`listContactDevices`) */
    listDevices(
      id: string,
      query?: {
        sort?: Sort<'inserted_at' | 'updated_at'>;
        meta?: 'count';
        filter?: {
          inserted_at?: Filter<Time, Operators1>;
          updated_at?: Filter<Time, Operators1>;
          platform?: Filter<'ios' | 'android' | 'web', Operators6>;
          is_active?: Filter<boolean, Operators9>;
          token_hash?: Filter<string, Operators2>;
        };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListContactDevicesResponse>;

    /** Registers a device for push messages. A push token that the team knows already answers 200 and moves the device to this contact. A contact has at most 50 devices. The token is stored encrypted and is never returned. Scope: `partner:contacts:write`. (`createContactDevice`) */
    createDevice(
      id: string,
      body: S.ContactDeviceCreate,
      options?: RequestOptions,
    ): ApiPromise<S.Device>;

    /** Returns one device of a contact. The push token is shown as a SHA-256 hash only. Scope: `partner:contacts:read`. (`getContactDevice`) */
    getDevice(id: string, device_id: string, options?: RequestOptions): ApiPromise<S.Device>;

    /** Removes a device, which then receives no push messages. It cannot be undone. Register the device again to continue. Scope: `partner:contacts:delete`. (`deleteContactDevice`) */
    deleteDevice(id: string, device_id: string, options?: RequestOptions): ApiPromise<void>;

    /** Returns the accounts of one contact. The status of each follows from opened_at and closed_at. Closed ones are among them. Scope: `partner:contacts:read`. (`listContactAccounts`) */
    listAccounts(
      id: string,
      query?: {
        sort?: Sort<'opened_at' | 'closed_at' | 'balance_cents' | 'inserted_at' | 'updated_at'>;
        include?: readonly 'contact'[];
        meta?: 'count';
        filter?: {
          contact_id?: Filter<string, Operators3>;
          unique_id?: Filter<string, Operators6>;
          kind?: Filter<'deposit' | 'loan' | 'credit' | 'investment' | 'other', Operators3>;
          product_id?: Filter<string, Operators6>;
          status?: Filter<'pending' | 'open' | 'closed', Operators3>;
          opened_at?: Filter<Time, Operators1>;
          closed_at?: Filter<Time, Operators1>;
          balance_cents?: Filter<number, Operators1>;
          updated_at?: Filter<Time, Operators1>;
        };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListContactAccountsResponse>;

    /** Creates an account of a contact and records the event account.created, and account.opened where opened_at is given. A unique_id that another account has is refused. A contact has at most 200 accounts. Scope: `partner:contacts:write`. (`createContactAccount`) */
    createAccount(
      id: string,
      body: S.ContactAccountCreate,
      options?: RequestOptions,
    ): ApiPromise<S.Account>;

    /** Returns the cohorts that a contact is a member of, as of their last evaluations. The entry into a realtime cohort shows shortly after the change that caused it. Scope: `partner:cohorts:read`. (`listContactCohorts`) */
    listCohorts(
      id: string,
      query?: {
        sort?: Sort<'inserted_at' | 'updated_at' | 'name' | 'member_count' | 'last_evaluated_at'>;
        meta?: 'count';
        filter?: {
          inserted_at?: Filter<Time, Operators1>;
          updated_at?: Filter<Time, Operators1>;
          name?: Filter<string, Operators7>;
          kind?: Filter<'dynamic' | 'static', Operators3>;
          evaluation_status?: Filter<
            'never' | 'queued' | 'evaluating' | 'ready' | 'failed',
            Operators3
          >;
          is_archived?: Filter<boolean, Operators10>;
        };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListContactCohortsResponse>;

    /** Returns the journeys of one contact. Ended ones stay, with exit_reason; seq says which enrollment of the contact it is. Scope: `partner:journeys:read`. (`listContactJourneys`) */
    listJourneys(
      id: string,
      query?: {
        sort?: Sort<'enrolled_at' | 'updated_at' | 'last_engaged_at' | 'deadline_at'>;
        include?: readonly ('contact' | 'template' | 'message_deliveries')[];
        meta?: 'count';
        filter?: {
          enrolled_at?: Filter<Time, Operators1>;
          updated_at?: Filter<Time, Operators1>;
          template_id?: Filter<string, Operators6>;
          contact_id?: Filter<string, Operators6>;
          status?: Filter<
            | 'scheduled'
            | 'active'
            | 'paused'
            | 'completed'
            | 'exited'
            | 'expired'
            | 'canceled'
            | 'failed',
            Operators6
          >;
          enrolled_via?: Filter<'api' | 'cohort' | 'batch' | 'ipaas' | 'widget', Operators6>;
          cohort_id?: Filter<string, Operators6>;
          is_holdout?: Filter<boolean, Operators9>;
          completed_at?: Filter<Time, Operators1>;
        };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListContactJourneysResponse>;

    /** Returns the deliveries of messages to one contact. A skip_reason says why one was not sent. Scope: `partner:messages:read`. (`listContactMessageDeliveries`) */
    listMessageDeliveries(
      id: string,
      query?: {
        sort?: Sort<'inserted_at' | 'updated_at' | 'sent_at'>;
        include?: readonly ('contact' | 'message')[];
        meta?: 'count';
        filter?: {
          inserted_at?: Filter<Time, Operators1>;
          updated_at?: Filter<Time, Operators1>;
          sent_at?: Filter<Time, Operators1>;
          status?: Filter<
            | 'scheduled'
            | 'queued'
            | 'sent'
            | 'delayed'
            | 'delivered'
            | 'bounced'
            | 'failed'
            | 'suppressed'
            | 'skipped'
            | 'canceled',
            Operators6
          >;
          channel?: Filter<'email' | 'sms' | 'push', Operators6>;
          message_id?: Filter<string, Operators6>;
          template_id?: Filter<string, Operators6>;
          contact_id?: Filter<string, Operators6>;
          topic_id?: Filter<string, Operators6>;
          journey_id?: Filter<string, Operators6>;
          skip_reason?: Filter<
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
            | 'sender_not_verified',
            Operators6
          >;
        };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListContactMessageDeliveriesResponse>;

    /** Returns the objectives that a contact has completed, with voided completions. The attribution says whether a journey led to one. Scope: `partner:objectives:read`. (`listContactCompletions`) */
    listCompletions(
      id: string,
      query?: {
        sort?: Sort<'completed_at' | 'updated_at'>;
        include?: readonly ('objective' | 'contact')[];
        meta?: 'count';
        filter?: {
          completed_at?: Filter<Time, Operators1>;
          updated_at?: Filter<Time, Operators1>;
          objective_id?: Filter<string, Operators3>;
          contact_id?: Filter<string, Operators3>;
          template_id?: Filter<string, Operators6>;
          source?: Filter<
            'api' | 'batch' | 'sftp' | 'ipaas' | 'widget' | 'inbound' | 'rule',
            Operators3
          >;
          attribution?: Filter<'journey' | 'organic', Operators3>;
          value_cents?: Filter<number, Operators1>;
          voided_at?: Filter<Time, Operators1>;
        };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListContactCompletionsResponse>;

    /** Returns the engagement events of one contact, the latest first. is_machine marks those of scanners and proxies, which insights leave out. Scope: `partner:engagement:read`. (`listContactEvents`) */
    listEvents(
      id: string,
      query?: {
        sort?: Sort<'occurred_at'>;
        include?: readonly ('contact' | 'message' | 'page')[];
        meta?: 'count';
        filter?: {
          occurred_at?: Filter<Time, Operators1>;
          kind?: Filter<
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
            | string,
            Operators3
          >;
          channel?: Filter<'email' | 'sms' | 'push' | 'web' | 'widget' | 'system', Operators6>;
          contact_id?: Filter<string, Operators6>;
          template_id?: Filter<string, Operators6>;
          journey_id?: Filter<string, Operators6>;
          message_id?: Filter<string, Operators6>;
          page_id?: Filter<string, Operators6>;
          source?: Filter<
            'inbound' | 'widget' | 'landing_page' | 'api' | 'batch' | 'system',
            Operators3
          >;
          is_machine?: Filter<boolean, Operators10>;
        };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListContactEventsResponse>;

    /** Writes everything that is known about a contact to a JSON file in the background, for the person. Sections whose read scope the token lacks are left out and named in the file. Poll the address in Location until the status is completed, then download the file. The file is kept for one day. The request is recorded in the audit trail. Scope: `partner:contacts:read`. (`exportContact`) */
    export(id: string, options?: RequestOptions): ApiPromise<S.Export>;
  };
  contactErasures: {
    /** Returns an erasure and its progress. The status is completed once no copy of the data is left. Until then the answer carries Retry-After. Scope: `partner:contacts:read`. (`getContactErasure`) */
    get(id: string, options?: RequestOptions): ApiPromise<S.ContactErasure>;
  };
  topics: {
    /** Returns the subjects of marketing messages that recipients choose one by one, in the order of the preference center. Archived topics are returned only where a filter names is_archived. Scope: `partner:topics:read`. (`listTopics`) */
    list(
      query?: {
        sort?: Sort<'position' | 'inserted_at' | 'updated_at' | 'name'>;
        meta?: 'count';
        filter?: {
          position?: Filter<number, Operators1>;
          inserted_at?: Filter<Time, Operators1>;
          updated_at?: Filter<Time, Operators1>;
          name?: Filter<string, Operators7>;
          default_consent?: Filter<'subscribed' | 'unsubscribed', Operators6>;
          is_archived?: Filter<boolean, Operators10>;
        };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListTopicsResponse>;

    /** Creates a topic. Name and description are shown to recipients. The default_consent is in effect for contacts that have made no choice and cannot be changed later: a changed default would subscribe people without their consent. A team has at most 50 topics. Name the topic as topic_id of marketing messages next. Scope: `partner:topics:write`. (`createTopic`) */
    create(body: S.TopicCreate, options?: RequestOptions): ApiPromise<S.Topic>;

    /** Returns one topic. A topic is a subject that contacts choose apart from a channel, such as offers. Its default_consent counts for contacts that have chosen nothing. Scope: `partner:topics:read`. (`getTopic`) */
    get(id: string, options?: RequestOptions): ApiPromise<S.Topic>;

    /** Changes the fields that the body names. The default_consent is fixed. Consents to the topic stay as they are, so a new name should mean the same subject. Scope: `partner:topics:write`. (`updateTopic`) */
    update(id: string, body: S.TopicPatch, options?: RequestOptions): ApiPromise<S.Topic>;

    /** Deletes a topic permanently. One that a message names is refused with 409; archive it instead. Recorded consents stay in the history of the contacts. Messages of the topic that wait follow the consents to the end. Scope: `partner:topics:delete`. (`deleteTopic`) */
    delete(id: string, options?: RequestOptions): ApiPromise<void>;

    /** Archives a topic. The preference center offers it no longer, and no further message can name it. Messages that name it are sent by the consents as before. It can be unarchived. Scope: `partner:topics:write`. (`archiveTopic`) */
    archive(id: string, options?: RequestOptions): ApiPromise<S.Topic>;

    /** Unarchives a topic: the preference center offers it again, and messages can name it. The consents are as they were. A topic that is not archived is refused with 409. Scope: `partner:topics:write`. (`unarchiveTopic`) */
    unarchive(id: string, options?: RequestOptions): ApiPromise<S.Topic>;
  };
  suppressions: {
    /** Returns the addresses, phone numbers and contacts that receive no messages. Scope: `partner:contacts:read`. (`listSuppressions`) */
    list(
      query?: {
        sort?: Sort<'inserted_at' | 'updated_at'>;
        meta?: 'count';
        filter?: {
          inserted_at?: Filter<Time, Operators1>;
          updated_at?: Filter<Time, Operators1>;
          channel?: Filter<'email' | 'sms' | 'all', Operators3>;
          address?: Filter<string, Operators2>;
          contact_id?: Filter<string, Operators2>;
          reason?: Filter<
            'manual' | 'hard_bounce' | 'soft_bounces' | 'complaint' | 'unsubscribe',
            Operators3
          >;
          source?: Filter<'api' | 'inbound', Operators3>;
        };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListSuppressionsResponse>;

    /** Prevents messages to an e-mail address, a phone number, or a contact on all channels. Give address with the channel email or sms, and contact_id with the channel all. A suppression that exists already answers 200 and stays as it is. It applies to every template from the next message on. Scope: `partner:contacts:write`. (`createSuppression`) */
    create(body: S.SuppressionCreate, options?: RequestOptions): ApiPromise<S.Suppression>;

    /** Returns one suppression with its reason and source. Suppressions are also made by the service, for example after a hard bounce or a complaint. Scope: `partner:contacts:read`. (`getSuppression`) */
    get(id: string, options?: RequestOptions): ApiPromise<S.Suppression>;

    /** Lifts a suppression, so that messages are sent again. Lift a suppression only where you know that the address accepts messages. Scope: `partner:contacts:delete`. (`deleteSuppression`) */
    delete(id: string, options?: RequestOptions): ApiPromise<void>;
  };
  accounts: {
    /** Returns the accounts of all contacts of the team. Sort by balance_cents, opened_at or closed_at; the status follows from the two times. Filter by contact_id, unique_id, kind or product_id. Scope: `partner:contacts:read`. (`listAccounts`) */
    list(
      query?: {
        sort?: Sort<'opened_at' | 'closed_at' | 'balance_cents' | 'inserted_at' | 'updated_at'>;
        include?: readonly 'contact'[];
        meta?: 'count';
        filter?: {
          contact_id?: Filter<string, Operators3>;
          unique_id?: Filter<string, Operators6>;
          kind?: Filter<'deposit' | 'loan' | 'credit' | 'investment' | 'other', Operators3>;
          product_id?: Filter<string, Operators6>;
          status?: Filter<'pending' | 'open' | 'closed', Operators3>;
          opened_at?: Filter<Time, Operators1>;
          closed_at?: Filter<Time, Operators1>;
          balance_cents?: Filter<number, Operators1>;
          updated_at?: Filter<Time, Operators1>;
        };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListAccountsResponse>;

    /** Returns one account. The balance is in cents of the currency of the account. The status follows from opened_at and closed_at. Scope: `partner:contacts:read`. (`getAccount`) */
    get(id: string, options?: RequestOptions): ApiPromise<S.Account>;

    /** Changes the fields that the body names. Setting opened_at opens the account, setting closed_at closes it, and null in closed_at reopens it. The matching events are recorded. Send If-Match to refuse the change if another client changed it first. Scope: `partner:contacts:write`. (`updateAccount`) */
    update(id: string, body: S.AccountPatch, options?: RequestOptions): ApiPromise<S.Account>;

    /** Deletes an account permanently. No event is recorded. Close an account instead where its history matters. While a legal hold stands on its contact or the team, it is refused with 409. Scope: `partner:contacts:delete`. (`deleteAccount`) */
    delete(id: string, options?: RequestOptions): ApiPromise<void>;

    /** Closes an open account and records the event account.closed. The time is now unless closed_at says otherwise. An account that is not open is refused with 409. Scope: `partner:contacts:write`. (`closeAccount`) */
    close(
      id: string,
      body?: S.CloseAccountRequest,
      options?: RequestOptions,
    ): ApiPromise<S.Account>;

    /** Reopens a closed account and records the event account.updated. An account that is not closed is refused with 409. The time at which it was opened stays as it was. Scope: `partner:contacts:write`. (`reopenAccount`) */
    reopen(id: string, options?: RequestOptions): ApiPromise<S.Account>;
  };
  cohorts: {
    /** Returns the cohorts of the team. Archived cohorts are returned only where a filter names is_archived. The members that member_count counts are those of last_evaluated_at. Scope: `partner:cohorts:read`. (`listCohorts`) */
    list(
      query?: {
        sort?: Sort<'inserted_at' | 'updated_at' | 'name' | 'member_count' | 'last_evaluated_at'>;
        meta?: 'count';
        filter?: {
          inserted_at?: Filter<Time, Operators1>;
          updated_at?: Filter<Time, Operators1>;
          name?: Filter<string, Operators7>;
          kind?: Filter<'dynamic' | 'static', Operators3>;
          evaluation_status?: Filter<
            'never' | 'queued' | 'evaluating' | 'ready' | 'failed',
            Operators3
          >;
          is_archived?: Filter<boolean, Operators10>;
        };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListCohortsResponse>;

    /** Creates a cohort. A dynamic cohort needs a definition and is evaluated in the background unless its evaluation_mode is on_demand. A static cohort has no definition, and its members are added with the operation addCohortMembers. The name must be unique in the team, and a team has at most 1,000 cohorts. Scope: `partner:cohorts:write`. (`createCohort`) */
    create(body: S.CohortCreate, options?: RequestOptions): ApiPromise<S.Cohort>;

    /** Returns one cohort with the number of its members and the state of its evaluation. Members are listed by the operation listCohortMembers. Scope: `partner:cohorts:read`. (`getCohort`) */
    get(id: string, options?: RequestOptions): ApiPromise<S.Cohort>;

    /** Changes the fields that the body names. The kind is fixed. A new definition is evaluated in the background unless the evaluation_mode is on_demand. Poll evaluation_status until it is ready. Scope: `partner:cohorts:write`. (`updateCohort`) */
    update(id: string, body: S.CohortPatch, options?: RequestOptions): ApiPromise<S.Cohort>;

    /** Deletes a cohort permanently. A cohort that a launched or scheduled template names is refused with 409. The contacts themselves stay. Scope: `partner:cohorts:delete`. (`deleteCohort`) */
    delete(id: string, options?: RequestOptions): ApiPromise<void>;

    /** Counts the contacts that match a definition, without storing anything. Use it to check a definition before you create or change a cohort. It needs the read scopes of what the rules ask about, such as partner:contacts:read. Scope: `partner:cohorts:execute`. (`previewCohort`) */
    preview(body: S.PreviewCohortRequest, options?: RequestOptions): ApiPromise<S.CohortPreview>;

    /** Starts an evaluation of a dynamic cohort in the background. Poll the address in Location until the execution has finished; then member_count is current. Static and archived cohorts are refused. The event cohort.evaluated is recorded at the end. Scope: `partner:cohorts:execute`. (`evaluateCohort`) */
    evaluate(id: string, options?: RequestOptions): ApiPromise<S.CohortAsked>;

    /** Returns the progress of an evaluation that the operation evaluateCohort started. Until it has finished, the answer carries Retry-After. Executions are kept for seven days. Scope: `partner:cohorts:execute`. (`getCohortEvaluation`) */
    getEvaluation(
      id: string,
      execution_id: string,
      options?: RequestOptions,
    ): ApiPromise<S.OperationExecution>;

    /** Archives a cohort. Its members stay as they are, and it is no longer evaluated. A cohort that a launched or scheduled template names is refused with 409. It can be unarchived. Scope: `partner:cohorts:write`. (`archiveCohort`) */
    archive(id: string, options?: RequestOptions): ApiPromise<S.Cohort>;

    /** Unarchives a cohort. A dynamic cohort is then evaluated in the background unless its evaluation_mode is on_demand. A cohort that is not archived is refused with 409. Scope: `partner:cohorts:write`. (`unarchiveCohort`) */
    unarchive(id: string, options?: RequestOptions): ApiPromise<S.Cohort>;

    /** Returns the members of a cohort as of its last evaluation. Embed the contacts with include. Each one has the time at which the contact joined. Scope: `partner:cohorts:read`. (`listCohortMembers`) */
    listMembers(
      id: string,
      query?: {
        sort?: Sort<'joined_at'>;
        include?: readonly 'contact'[];
        meta?: 'count';
        filter?: { joined_at?: Filter<Time, Operators1>; contact_id?: Filter<string, Operators2> };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListCohortMembersResponse>;

    /** Adds up to 10,000 contacts to a static cohort. All of them are added, or none where the team does not have one of them. Contacts who are members already are not counted in changed. The members of a dynamic cohort follow its definition and cannot be added. Scope: `partner:cohorts:write`. (`addCohortMembers`) */
    addMembers(
      id: string,
      body: S.AddCohortMembersRequest,
      options?: RequestOptions,
    ): ApiPromise<S.CohortMembersChanged>;

    /** Removes up to 10,000 contacts from a static cohort. All of them are removed, or none where the team does not have one of them. Contacts who are no members are not counted in changed. The contacts themselves stay. Scope: `partner:cohorts:write`. (`removeCohortMembers`) */
    removeMembers(
      id: string,
      body: S.RemoveCohortMembersRequest,
      options?: RequestOptions,
    ): ApiPromise<S.CohortMembersChanged>;

    /** Returns whether a contact matches a cohort at this moment, rule by rule. The answer is computed for the request, so it can differ from the membership, which is as of the last evaluation. Use it to find out why a contact is in a cohort or not. It needs the read scopes of the data in the rules, such as partner:contacts:read. Scope: `partner:cohorts:read`. (`explainCohortMember`) */
    explainMember(
      id: string,
      contact_id: string,
      options?: RequestOptions,
    ): ApiPromise<S.CohortExplanation>;
  };
  templates: {
    /** Returns the templates of the team. Archived templates are returned only where a filter names status or is_archived. Embed objectives, pages and messages with include, at most 25 of each for one template. Scope: `partner:templates:read`. (`listTemplates`) */
    list(
      query?: {
        sort?: Sort<'inserted_at' | 'updated_at' | 'name' | 'launched_at' | 'deadline_at'>;
        include?: readonly ('objectives' | 'pages' | 'messages')[];
        meta?: 'count';
        filter?: {
          inserted_at?: Filter<Time, Operators1>;
          updated_at?: Filter<Time, Operators1>;
          name?: Filter<string, Operators7>;
          launched_at?: Filter<Time, Operators1>;
          deadline_at?: Filter<Time, Operators1>;
          status?: Filter<
            'draft' | 'scheduled' | 'launched' | 'paused' | 'archived' | 'expired',
            Operators6
          >;
          use_case?: Filter<string, Operators7>;
          is_locked?: Filter<boolean, Operators9>;
          is_archived?: Filter<boolean, Operators9>;
          objective_id?: Filter<string, Operators6>;
        };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListTemplatesResponse>;

    /** Creates a template as a draft. With scheduled_at it is scheduled right away, which requires a complete template. A team has at most 5,000 templates. Add pages and messages next, then validate and launch it. Scope: `partner:templates:write`. (`createTemplate`) */
    create(body: S.TemplateCreate, options?: RequestOptions): ApiPromise<S.Template>;

    /** Returns one template with its status and the ids of its objectives, pages and messages. It has no side effects. Scope: `partner:templates:read`. (`getTemplate`) */
    get(id: string, options?: RequestOptions): ApiPromise<S.Template>;

    /** Changes the fields that the body names. scheduled_at schedules the launch, moves it, or unschedules it when it is null. A locked template accepts only name, description, deadline_at and send_rate_per_minute. Send If-Match to refuse the change when somebody else was faster. Scope: `partner:templates:write`. (`updateTemplate`) */
    update(id: string, body: S.TemplatePatch, options?: RequestOptions): ApiPromise<S.Template>;

    /** Deletes a draft that was never launched, with its pages and messages. It cannot be undone. A template that was launched is refused with 409 and can be archived instead. Scope: `partner:templates:delete`. (`deleteTemplate`) */
    delete(id: string, options?: RequestOptions): ApiPromise<void>;

    /** Returns the number of templates in each status. It is computed for the request and has no parameters. A status without templates counts 0; total is the sum, and computed_at the time. Scope: `partner:templates:read`. (`getTemplateStatusRollup`) */
    getStatusRollup(options?: RequestOptions): ApiPromise<S.TemplateStatusRollup>;

    /** Returns what the template lacks before it can launch. An empty list in missing means that it is complete. Nothing is changed. Call it before you schedule or launch. Scope: `partner:templates:read`. (`validateTemplate`) */
    validate(id: string, options?: RequestOptions): ApiPromise<S.TemplateCompleteness>;

    /** Schedules the launch of a complete template for a time within a year, or moves that time. The template launches by itself at that time. Where it is no longer complete then, it becomes a draft again and the event template.launch_failed is recorded. The event template.scheduled is recorded now. Scope: `partner:templates:write`. (`scheduleTemplate`) */
    schedule(
      id: string,
      body: S.ScheduleTemplateRequest,
      options?: RequestOptions,
    ): ApiPromise<S.Template>;

    /** Removes the time of the launch, so that the template is a draft again. A template that is not scheduled is refused with 409. The event template.updated is recorded. Scope: `partner:templates:write`. (`unscheduleTemplate`) */
    unschedule(id: string, options?: RequestOptions): ApiPromise<S.Template>;

    /** Launches a complete template now. Its content is stored as a version and locked. An incomplete template is refused with 422, and meta.missing names the gaps. The event template.launched is recorded. Enroll contacts next. Scope: `partner:templates:write`. (`launchTemplate`) */
    launch(id: string, options?: RequestOptions): ApiPromise<S.Template>;

    /** Pauses enrollments and messages of a launched template. The deadline continues, and journeys stay as they are. The event template.paused is recorded. Edit the template where needed, then resume it. Scope: `partner:templates:write`. (`pauseTemplate`) */
    pause(id: string, options?: RequestOptions): ApiPromise<S.Template>;

    /** Continues a paused template. Content that was edited during the pause becomes a new version for journeys that start from then on. The event template.resumed is recorded. An incomplete template is refused with 422. Scope: `partner:templates:write`. (`resumeTemplate`) */
    resume(id: string, options?: RequestOptions): ApiPromise<S.Template>;

    /** Ends a template before its deadline, with its open journeys. It cannot be launched again as it is: duplicate it instead. The event template.expired is recorded. Scope: `partner:templates:write`. (`expireTemplate`) */
    expire(id: string, options?: RequestOptions): ApiPromise<S.Template>;

    /** Archives a template that is not launched. A launched template is refused with 409: pause it first. The event template.archived is recorded. It can be unarchived. Scope: `partner:templates:write`. (`archiveTemplate`) */
    archive(id: string, options?: RequestOptions): ApiPromise<S.Template>;

    /** Unarchives a template. A template that was never launched is a draft again; one that was launched is paused, or expired where its deadline has passed. The event template.unarchived is recorded. Scope: `partner:templates:write`. (`unarchiveTemplate`) */
    unarchive(id: string, options?: RequestOptions): ApiPromise<S.Template>;

    /** Locks a template against edits, except for name, description, deadline_at and send_rate_per_minute. The status does not change. The event template.locked is recorded. Scope: `partner:templates:write`. (`lockTemplate`) */
    lock(id: string, options?: RequestOptions): ApiPromise<S.Template>;

    /** Allows edits of a locked template again. A template that is launched or scheduled stays locked and is refused with 409: pause or unschedule it first. The event template.updated is recorded. Scope: `partner:templates:write`. (`unlockTemplate`) */
    unlock(id: string, options?: RequestOptions): ApiPromise<S.Template>;

    /** Creates a draft with the same objectives, pages and messages. The deadline is not copied. The name gets the suffix (copy) unless the body has a name. Journeys and statistics stay with the original. Scope: `partner:templates:write`. (`duplicateTemplate`) */
    duplicate(
      id: string,
      body?: S.DuplicateTemplateRequest,
      options?: RequestOptions,
    ): ApiPromise<S.Template>;

    /** Returns the versions of a template: one for each launch, and one for each resume after an edit. A journey names the version whose content it shows. The content is in the answer of the operation getTemplateVersion. Scope: `partner:templates:read`. (`listTemplateVersions`) */
    listVersions(
      id: string,
      query?: {
        sort?: Sort<'version'>;
        meta?: 'count';
        filter?: { version?: Filter<number, Operators1> };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListTemplateVersionsResponse>;

    /** Returns one version of a template with its pages and messages as they were. Sections whose read scope the token lacks are left out and named in omitted_sections. Versions never change. Journeys name the version that they follow. Scope: `partner:templates:read`. (`getTemplateVersion`) */
    getVersion(
      id: string,
      version: string,
      options?: RequestOptions,
    ): ApiPromise<S.TemplateVersion>;

    /** Returns every change of the status of a template, with the client or the timer that made it. The sequence rises with each; an entry is never changed or removed. Scope: `partner:templates:read`. (`listTemplateStatusHistory`) */
    listStatusHistory(
      id: string,
      query?: {
        sort?: Sort<'sequence'>;
        meta?: 'count';
        filter?: {
          sequence?: Filter<number, Operators1>;
          occurred_at?: Filter<Time, Operators1>;
          to_status?: Filter<
            'draft' | 'scheduled' | 'launched' | 'paused' | 'archived' | 'expired',
            Operators6
          >;
          cause?: Filter<'api' | 'timer' | 'operator', Operators6>;
        };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListTemplateStatusHistoryResponse>;

    /** Enrolls one contact in a launched template, or all members of a cohort. One contact is enrolled within the request, and the answer has the link for the recipient. A cohort is enrolled in the background: the answer is 202, and the address in Location shows the progress. A contact whom a rule of the template excludes is refused with 409, and one with an open journey there with already_enrolled. The messages of the journey show `data`. Scope: `partner:journeys:execute`. (`enrollInTemplate`) */
    enroll(
      id: string,
      body: S.EnrollInTemplateRequest,
      options?: RequestOptions,
    ): ApiPromise<S.JourneyDetails | S.OperationExecution>;

    /** Returns the progress of the enrollment of a cohort. Until it has finished, the answer carries Retry-After. Executions are kept for seven days. Scope: `partner:journeys:execute`. (`getEnrollmentExecution`) */
    getEnrollmentExecution(
      id: string,
      execution_id: string,
      options?: RequestOptions,
    ): ApiPromise<S.OperationExecution>;

    /** Returns whether a contact is or could be in a template, rule by rule. It works for contacts that were never enrolled. Nothing is changed. Use it to find out why a contact received nothing. Scope: `partner:journeys:read`. (`explainEnrollment`) */
    explainEnrollment(
      id: string,
      contact_id: string,
      options?: RequestOptions,
    ): ApiPromise<S.EnrollmentExplanation>;

    /** Returns the journeys of one template. Ended ones stay, with exit_reason. A holdout is among them, and nothing is sent to it. Scope: `partner:journeys:read`. (`listTemplateJourneys`) */
    listJourneys(
      id: string,
      query?: {
        sort?: Sort<'enrolled_at' | 'updated_at' | 'last_engaged_at' | 'deadline_at'>;
        include?: readonly ('contact' | 'template' | 'message_deliveries')[];
        meta?: 'count';
        filter?: {
          enrolled_at?: Filter<Time, Operators1>;
          updated_at?: Filter<Time, Operators1>;
          template_id?: Filter<string, Operators6>;
          contact_id?: Filter<string, Operators6>;
          status?: Filter<
            | 'scheduled'
            | 'active'
            | 'paused'
            | 'completed'
            | 'exited'
            | 'expired'
            | 'canceled'
            | 'failed',
            Operators6
          >;
          enrolled_via?: Filter<'api' | 'cohort' | 'batch' | 'ipaas' | 'widget', Operators6>;
          cohort_id?: Filter<string, Operators6>;
          is_holdout?: Filter<boolean, Operators9>;
          completed_at?: Filter<Time, Operators1>;
        };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListTemplateJourneysResponse>;

    /** Returns the messages of one template with the figures of their deliveries. They come by position, and the figures count sent, delivered, opened and clicked ones. Scope: `partner:messages:read`. (`listTemplateMessages`) */
    listMessages(
      id: string,
      query?: {
        sort?: Sort<'position' | 'inserted_at' | 'updated_at' | 'name'>;
        include?: readonly ('template' | 'content_blocks')[];
        meta?: 'count';
        filter?: {
          position?: Filter<number, Operators1>;
          inserted_at?: Filter<Time, Operators1>;
          updated_at?: Filter<Time, Operators1>;
          name?: Filter<string, Operators7>;
          channel?: Filter<'email' | 'sms' | 'push', Operators6>;
          status?: Filter<'draft' | 'active' | 'archived', Operators6>;
          purpose?: Filter<'marketing' | 'transactional' | 'servicing', Operators6>;
          topic_id?: Filter<string, Operators6>;
        };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListTemplateMessagesResponse>;

    /** Adds a message to a template, at the end or at a position. Its content is checked, and what is invalid is refused with 422 and its place. A locked template is refused with 409. Render the message and send a test next. Scope: `partner:messages:write`. (`createTemplateMessage`) */
    createMessage(
      id: string,
      body: S.TemplateMessageCreate,
      options?: RequestOptions,
    ): ApiPromise<S.Message>;

    /** Returns the pages of one template in their order. The completion_rule of each says when its recipient has done the step. Scope: `partner:pages:read`. (`listTemplatePages`) */
    listPages(
      id: string,
      query?: {
        sort?: Sort<'position' | 'inserted_at' | 'updated_at' | 'name'>;
        include?: readonly ('template' | 'content_blocks')[];
        meta?: 'count';
        filter?: {
          position?: Filter<number, Operators1>;
          inserted_at?: Filter<Time, Operators1>;
          updated_at?: Filter<Time, Operators1>;
          name?: Filter<string, Operators7>;
          kind?: Filter<
            'welcome' | 'step' | 'form' | 'checklist' | 'widget' | 'completion',
            Operators6
          >;
          objective_id?: Filter<string, Operators6>;
        };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListTemplatePagesResponse>;

    /** Adds a page to a template, at the end or at a position. Its path must be unique in the template. A locked template is refused with 409. Render the page to check it. Scope: `partner:pages:write`. (`createTemplatePage`) */
    createPage(
      id: string,
      body: S.TemplatePageCreate,
      options?: RequestOptions,
    ): ApiPromise<S.Page>;

    /** Returns the engagement events of one template, the latest first. is_machine marks those of scanners and proxies, which insights leave out. Scope: `partner:engagement:read`. (`listTemplateEngagementEvents`) */
    listEngagementEvents(
      id: string,
      query?: {
        sort?: Sort<'occurred_at'>;
        include?: readonly ('contact' | 'message' | 'page')[];
        meta?: 'count';
        filter?: {
          occurred_at?: Filter<Time, Operators1>;
          kind?: Filter<
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
            | string,
            Operators3
          >;
          channel?: Filter<'email' | 'sms' | 'push' | 'web' | 'widget' | 'system', Operators6>;
          contact_id?: Filter<string, Operators6>;
          template_id?: Filter<string, Operators6>;
          journey_id?: Filter<string, Operators6>;
          message_id?: Filter<string, Operators6>;
          page_id?: Filter<string, Operators6>;
          source?: Filter<
            'inbound' | 'widget' | 'landing_page' | 'api' | 'batch' | 'system',
            Operators3
          >;
          is_machine?: Filter<boolean, Operators10>;
        };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListTemplateEngagementEventsResponse>;

    /** Events of people in widgets of the kind opt_in: widget.loaded, widget.submitted, opt_in.granted and opt_in.revoked, the channel being properties.channel; properties.confirmed marks an opt-in that was confirmed by a second step. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getTemplateInsightOptInWidget`) */
    getInsightOptInWidget(
      template_id: string,
      query?: { period?: string; timezone?: string; filter?: { cohort_id?: string } },
      options?: RequestOptions,
    ): ApiPromise<S.TemplateInsightOptInWidget>;

    /** Counts the events identity.challenge_* of the contacts of the template. The time to pass is measured from the latest challenge of the contact; by_factor counts by properties.factor. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getTemplateInsightSecurePersonalization`) */
    getInsightSecurePersonalization(
      template_id: string,
      query?: { period?: string; timezone?: string; filter?: { cohort_id?: string } },
      options?: RequestOptions,
    ): ApiPromise<S.TemplateInsightSecurePersonalization>;
  };
  journeys: {
    /** Returns the journeys of the team: one for each enrollment of a contact in a template. Filter by status, contact_id, cohort_id or exit_reason, and sort by the deadline or by the last engagement. Scope: `partner:journeys:read`. (`listJourneys`) */
    list(
      query?: {
        sort?: Sort<'enrolled_at' | 'updated_at' | 'last_engaged_at' | 'deadline_at'>;
        include?: readonly ('contact' | 'template' | 'message_deliveries')[];
        meta?: 'count';
        filter?: {
          enrolled_at?: Filter<Time, Operators1>;
          updated_at?: Filter<Time, Operators1>;
          template_id?: Filter<string, Operators6>;
          contact_id?: Filter<string, Operators6>;
          status?: Filter<
            | 'scheduled'
            | 'active'
            | 'paused'
            | 'completed'
            | 'exited'
            | 'expired'
            | 'canceled'
            | 'failed',
            Operators6
          >;
          enrolled_via?: Filter<'api' | 'cohort' | 'batch' | 'ipaas' | 'widget', Operators6>;
          cohort_id?: Filter<string, Operators6>;
          is_holdout?: Filter<boolean, Operators9>;
          completed_at?: Filter<Time, Operators1>;
        };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListJourneysResponse>;

    /** Returns one journey with its status and progress. Its link_url is shown only to tokens with the scope partner:journeys:write, because it opens the journey. Scope: `partner:journeys:read`. (`getJourney`) */
    get(id: string, options?: RequestOptions): ApiPromise<S.JourneyDetails>;

    /** Returns everything that happened in a journey, the latest first. These are sends, opens, clicks, visits and completions. is_machine marks those of scanners and proxies. Scope: `partner:journeys:read`. (`getJourneyTimeline`) */
    getTimeline(
      id: string,
      query?: {
        sort?: Sort<'occurred_at'>;
        meta?: 'count';
        filter?: {
          occurred_at?: Filter<Time, Operators1>;
          kind?: Filter<
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
            | string,
            Operators3
          >;
          channel?: Filter<'email' | 'sms' | 'push' | 'web' | 'widget' | 'system', Operators6>;
          is_machine?: Filter<boolean, Operators10>;
        };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.GetJourneyTimelineResponse>;

    /** Returns how the contact of a journey stands in its template, what was sent and what will be sent. The answer is computed for the request. Nothing is changed. It names each rule with its outcome, and the next action with its time. Scope: `partner:journeys:read`. (`explainJourney`) */
    explain(id: string, options?: RequestOptions): ApiPromise<S.EnrollmentExplanation>;

    /** Pauses one journey: nothing is sent while its times continue to pass. Only a journey that is open can be paused. Resume it to continue. Scope: `partner:journeys:write`. (`pauseJourney`) */
    pause(id: string, options?: RequestOptions): ApiPromise<S.Journey>;

    /** Continues a paused journey. Messages that were due during the pause are evaluated again by the rules of their template. A journey that is not paused is refused with 409. Scope: `partner:journeys:write`. (`resumeJourney`) */
    resume(id: string, options?: RequestOptions): ApiPromise<S.Journey>;

    /** Cancels a journey permanently and records the event journey.canceled. Nothing more is sent, and its link stops working. A journey that has ended is refused with 409. Enroll the contact again to start over, where the template allows it. Scope: `partner:journeys:write`. (`cancelJourney`) */
    cancel(id: string, options?: RequestOptions): ApiPromise<S.Journey>;

    /** Creates a new link for the recipient and ends every earlier one, with the sessions that it opened. Only a journey that is still open has a link. Use it where a link was forwarded or may have leaked. Scope: `partner:journeys:write`. (`renewJourneyLink`) */
    renewLink(id: string, options?: RequestOptions): ApiPromise<S.JourneyLink>;

    /** Gives an open journey a workflow of its own, by which the operators of the service can follow it: for questions such as "why did this person get no message?". The journey itself goes on as before. A watch ends with its journey, after 30 days, or when it is deleted; a repeated request prolongs it. A team can watch 100 journeys at a time. Scope: `partner:journeys:write`. (`watchJourney`) */
    watch(id: string, options?: RequestOptions): ApiPromise<S.JourneyWatch>;

    /** Ends the watch of a journey; the journey continues. A journey that is not watched is left unchanged. Scope: `partner:journeys:write`. (`unwatchJourney`) */
    unwatch(id: string, options?: RequestOptions): ApiPromise<void>;
  };
  contentBlocks: {
    /** Returns the content blocks of the team. Archived blocks are returned only where a filter names is_archived. Pages, messages and landing pages refer to a block by its id. Scope: `partner:content_blocks:read`. (`listContentBlocks`) */
    list(
      query?: {
        sort?: Sort<'updated_at' | 'inserted_at' | 'name'>;
        meta?: 'count';
        filter?: {
          updated_at?: Filter<Time, Operators1>;
          inserted_at?: Filter<Time, Operators1>;
          name?: Filter<string, Operators7>;
          key?: Filter<string, Operators7>;
          kind?: Filter<
            | 'rich_text'
            | 'image'
            | 'video'
            | 'button'
            | 'disclosure'
            | 'form'
            | 'objective_checklist'
            | 'product_card'
            | 'html',
            Operators6
          >;
          is_archived?: Filter<boolean, Operators9>;
        };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListContentBlocksResponse>;

    /** Creates a content block. HTML is sanitized and Liquid is checked; what is invalid is refused with 422 and its place. The key must be unique in the team, and a team has at most 10,000 blocks. Refer to the block from pages, messages and landing pages by its id. Scope: `partner:content_blocks:write`. (`createContentBlock`) */
    create(body: S.ContentBlockCreate, options?: RequestOptions): ApiPromise<S.ContentBlock>;

    /** Returns one content block with the number of places that use it. The places are listed by the operation getContentBlockUsage. Scope: `partner:content_blocks:read`. (`getContentBlock`) */
    get(id: string, options?: RequestOptions): ApiPromise<S.ContentBlock>;

    /** Changes the fields that the body names. Published landing pages and launched templates keep the content that they have. A change of the content increases version. Publish a landing page again to show the new content there. Scope: `partner:content_blocks:write`. (`updateContentBlock`) */
    update(
      id: string,
      body: S.ContentBlockPatch,
      options?: RequestOptions,
    ): ApiPromise<S.ContentBlock>;

    /** Deletes a content block permanently. A block that is in use is refused with 409. Archive a block instead where it may be needed again. Scope: `partner:content_blocks:delete`. (`deleteContentBlock`) */
    delete(id: string, options?: RequestOptions): ApiPromise<void>;

    /** Returns the pages, messages and landing pages that refer to a content block. Use it before you change, archive or delete the block. Nothing is changed. Scope: `partner:content_blocks:read`. (`getContentBlockUsage`) */
    getUsage(id: string, options?: RequestOptions): ApiPromise<S.ContentBlockUsage>;

    /** Archives a content block. A block that is shown by something launched or published is refused with 409. It can be unarchived. Scope: `partner:content_blocks:write`. (`archiveContentBlock`) */
    archive(id: string, options?: RequestOptions): ApiPromise<S.ContentBlock>;

    /** Unarchives a content block. A block that is not archived is refused with 409. Its content is as it was. Scope: `partner:content_blocks:write`. (`unarchiveContentBlock`) */
    unarchive(id: string, options?: RequestOptions): ApiPromise<S.ContentBlock>;

    /** Creates a content block with the same content under another key. The name gets the suffix (copy) unless the body has a name. The key must be unique in the team. Scope: `partner:content_blocks:write`. (`duplicateContentBlock`) */
    duplicate(
      id: string,
      body: S.DuplicateContentBlockRequest,
      options?: RequestOptions,
    ): ApiPromise<S.ContentBlock>;

    /** Returns the HTML of a content block for a contact, for given data, or for a sample person where the body is absent. Variables that do not exist are listed in unknown_variables; they prevent publication. Nothing is stored or sent. The data of a contact needs the scope partner:contacts:read. Scope: `partner:content_blocks:read`. (`renderContentBlock`) */
    render(
      id: string,
      body?: S.RenderContentBlockRequest,
      options?: RequestOptions,
    ): ApiPromise<S.RenderedContent>;

    /** Returns the HTML of content that is not stored yet. It sanitizes and checks the content as createContentBlock does. Nothing is stored or sent. Use it for an editor with a live preview. Scope: `partner:content_blocks:read`. (`previewContentBlock`) */
    preview(
      body: S.PreviewContentBlockRequest,
      options?: RequestOptions,
    ): ApiPromise<S.RenderedContent>;
  };
  landingPages: {
    /** Returns the landing pages of the team. Archived pages are returned only where a filter names status. has_unpublished_changes marks drafts that visitors do not see yet. Scope: `partner:landing_pages:read`. (`listLandingPages`) */
    list(
      query?: {
        sort?: Sort<'inserted_at' | 'updated_at' | 'name' | 'published_at'>;
        include?: readonly 'content_blocks'[];
        meta?: 'count';
        filter?: {
          inserted_at?: Filter<Time, Operators1>;
          updated_at?: Filter<Time, Operators1>;
          name?: Filter<string, Operators7>;
          published_at?: Filter<Time, Operators1>;
          status?: Filter<'draft' | 'published' | 'archived', Operators6>;
          slug?: Filter<string, Operators7>;
        };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListLandingPagesResponse>;

    /** Creates a landing page as a draft. The slug must be unique in the team, and a team has at most 5,000 pages. Visitors see nothing before it is published. Preview and publish it next. Scope: `partner:landing_pages:write`. (`createLandingPage`) */
    create(body: S.LandingPageCreate, options?: RequestOptions): ApiPromise<S.LandingPage>;

    /** Returns one landing page with its public address and its status. It shows the content as edited, which can differ from the published content. Scope: `partner:landing_pages:read`. (`getLandingPage`) */
    get(id: string, options?: RequestOptions): ApiPromise<S.LandingPage>;

    /** Changes the fields that the body names. Visitors see a change of the content after the next publication. A change of the slug takes effect immediately. A body that changes nothing records nothing. Scope: `partner:landing_pages:write`. (`updateLandingPage`) */
    update(
      id: string,
      body: S.LandingPagePatch,
      options?: RequestOptions,
    ): ApiPromise<S.LandingPage>;

    /** Deletes a landing page permanently. A published page is refused with 409: unpublish or archive it first. Its slug becomes free. Scope: `partner:landing_pages:delete`. (`deleteLandingPage`) */
    delete(id: string, options?: RequestOptions): ApiPromise<void>;

    /** Publishes the current content of the landing page and records the event landing_page.published. Visitors see this version until the next publication. A page that lacks content is refused with 422, and meta.missing names the gaps. Scope: `partner:landing_pages:write`. (`publishLandingPage`) */
    publish(id: string, options?: RequestOptions): ApiPromise<S.LandingPage>;

    /** Unpublishes a landing page, which becomes a draft. Visitors see that the page does not exist. A page that is not published is refused with 409. The event landing_page.unpublished is recorded. Scope: `partner:landing_pages:write`. (`unpublishLandingPage`) */
    unpublish(id: string, options?: RequestOptions): ApiPromise<S.LandingPage>;

    /** Archives a landing page, and unpublishes it if it was published. Its slug is free for another page. The event landing_page.archived is recorded. It can be unarchived. Scope: `partner:landing_pages:write`. (`archiveLandingPage`) */
    archive(id: string, options?: RequestOptions): ApiPromise<S.LandingPage>;

    /** Unarchives a landing page as a draft. If another page has taken its slug, the answer is 409. The event landing_page.updated is recorded. Publish it to show it again. Scope: `partner:landing_pages:write`. (`unarchiveLandingPage`) */
    unarchive(id: string, options?: RequestOptions): ApiPromise<S.LandingPage>;

    /** Creates a draft with the same content under a slug of its own. Without a slug in the body, a free one is derived from the original. The original and its statistics stay as they are. Scope: `partner:landing_pages:write`. (`duplicateLandingPage`) */
    duplicate(
      id: string,
      body?: S.DuplicateLandingPageRequest,
      options?: RequestOptions,
    ): ApiPromise<S.LandingPage>;

    /** Returns the document that a publication now would show to a sample person, and what prevents publication. Nothing is stored or published. Use renderLandingPage to show it to a contact. Scope: `partner:landing_pages:read`. (`previewLandingPage`) */
    preview(id: string, options?: RequestOptions): ApiPromise<S.LandingPagePreview>;

    /** Returns the document that a publication now would show to a contact or with given data, in the language of the page unless the body names one. Nothing is stored or published. The data of a contact needs the scope partner:contacts:read. Scope: `partner:landing_pages:read`. (`renderLandingPage`) */
    render(
      id: string,
      body?: S.RenderLandingPageRequest,
      options?: RequestOptions,
    ): ApiPromise<S.LandingPagePreview>;
  };
  messages: {
    /** Returns the messages of all templates. Archived messages are returned only where a filter names status. Each has the channel, purpose and trigger by which it is sent. Scope: `partner:messages:read`. (`listMessages`) */
    list(
      query?: {
        sort?: Sort<'position' | 'inserted_at' | 'updated_at' | 'name'>;
        include?: readonly ('template' | 'content_blocks')[];
        meta?: 'count';
        filter?: {
          position?: Filter<number, Operators1>;
          inserted_at?: Filter<Time, Operators1>;
          updated_at?: Filter<Time, Operators1>;
          name?: Filter<string, Operators7>;
          channel?: Filter<'email' | 'sms' | 'push', Operators6>;
          status?: Filter<'draft' | 'active' | 'archived', Operators6>;
          purpose?: Filter<'marketing' | 'transactional' | 'servicing', Operators6>;
          topic_id?: Filter<string, Operators6>;
          template_id?: Filter<string, Operators6>;
        };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListMessagesResponse>;

    /** Returns one message of a template with its content, variants and trigger. It has no side effects. Scope: `partner:messages:read`. (`getMessage`) */
    get(id: string, options?: RequestOptions): ApiPromise<S.Message>;

    /** Changes the fields that the body names, or moves the message to another position. The channel is fixed. A locked template is refused with 409. A change of the content increases version. Scope: `partner:messages:write`. (`updateMessage`) */
    update(id: string, body: S.MessagePatch, options?: RequestOptions): ApiPromise<S.Message>;

    /** Deletes a message permanently. A locked template is refused with 409. Archive a message instead to retain its figures. Scope: `partner:messages:delete`. (`deleteMessage`) */
    delete(id: string, options?: RequestOptions): ApiPromise<void>;

    /** Archives a message, which is then not sent and comes after the others. Its figures stay. A locked template is refused with 409. It can be unarchived. Scope: `partner:messages:write`. (`archiveMessage`) */
    archive(id: string, options?: RequestOptions): ApiPromise<S.Message>;

    /** Unarchives a message, as a draft at the last position. A locked template, and one that has no room for another message, is refused. Move it with the operation updateMessage. Scope: `partner:messages:write`. (`unarchiveMessage`) */
    unarchive(id: string, options?: RequestOptions): ApiPromise<S.Message>;

    /** Returns a message as it would be sent now to a contact, to a sample person or with given data: in the language, the time zone and the variant of the contact, or in the variant that is named. Addresses of the journey, of unsubscribing and of preferences have the form of real ones and open nothing. Variables that do not exist are listed in unknown_variables; they prevent a launch. Nothing is sent. The data of a contact needs the scope partner:contacts:read. Scope: `partner:messages:read`. (`renderMessage`) */
    render(
      id: string,
      body?: S.RenderMessageRequest,
      options?: RequestOptions,
    ): ApiPromise<S.RenderedMessage>;

    /** Sends the current message to up to five addresses, with the data of a sample person in the language and time zone of the team. Each address is that of a confirmed test recipient, or the e-mail address of an active user of the team, and is not suppressed. The figures of the message do not count it. The message is sent in the background. Each repeat without an Idempotency-Key sends again; a team has 50 test sends in a day. Scope: `partner:messages:write`. (`sendTestMessage`) */
    sendTest(
      id: string,
      body: S.SendTestMessageRequest,
      options?: RequestOptions,
    ): ApiPromise<S.MessageTestSends>;

    /** Sends a launched message whose trigger is on_request to one recipient, ahead of campaigns. The answer is its message delivery: one that may not be sent has the status skipped with its reason. A template that is not launched, and a message with another trigger, is refused with 409. Each repeat without an Idempotency-Key sends again. Cancel it with the operation cancelMessageDelivery, and learn what happened with explainMessageDelivery. Scope: `partner:message_sends:write`. (`sendMessage`) */
    send(
      id: string,
      body: S.SendMessageRequest,
      options?: RequestOptions,
    ): ApiPromise<S.MessageDelivery>;

    /** Sends a launched message whose trigger is on_request to up to 100 recipients, as the operation sendMessage does to one. Each send stands by itself: results has the message delivery of each, or what is wrong with it. Each repeat without an Idempotency-Key sends again. Scope: `partner:message_sends:write`. (`sendMessageBatch`) */
    sendBatch(
      id: string,
      body: S.SendMessageBatchRequest,
      options?: RequestOptions,
    ): ApiPromise<S.MessageSendReport>;
  };
  testRecipients: {
    /** Returns the test recipients of the team. Most of each address is hidden. Scope: `partner:messages:read`. (`listTestRecipients`) */
    list(
      query?: {
        sort?: Sort<'inserted_at' | 'updated_at'>;
        meta?: 'count';
        filter?: {
          inserted_at?: Filter<Time, Operators1>;
          updated_at?: Filter<Time, Operators1>;
          channel?: Filter<'email' | 'sms' | 'push', Operators3>;
          status?: Filter<'pending' | 'confirmed', Operators3>;
        };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListTestRecipientsResponse>;

    /** Adds an address that test sends may go to after its owner has confirmed it. The address gets one message with a link, which is valid for 7 days. An address that is known answers 200; while it is pending, it gets the link again. The messages have daily limits; beyond them the answer is 429. A team has at most 100 test recipients, and pending ones are deleted after their link. Scope: `partner:messages:write`. (`createTestRecipient`) */
    create(body: S.TestRecipientCreate, options?: RequestOptions): ApiPromise<S.TestRecipient>;

    /** Returns one test recipient. Test sends may go to it once its status is confirmed. It has no side effects. Scope: `partner:messages:read`. (`getTestRecipient`) */
    get(id: string, options?: RequestOptions): ApiPromise<S.TestRecipient>;

    /** Deletes a test recipient and its address permanently. Its confirmation link stops working, and waiting test sends to it are dropped. Scope: `partner:messages:delete`. (`deleteTestRecipient`) */
    delete(id: string, options?: RequestOptions): ApiPromise<void>;
  };
  archivedMessages: {
    /** Returns messages that providers took while the team archived what was sent. Addresses are masked, and contents are left out; getArchivedMessage shows both. Scope: `partner:archived_messages:read`. (`listArchivedMessages`) */
    list(
      query?: {
        sort?: Sort<'sent_at'>;
        meta?: 'count';
        filter?: {
          sent_at?: Operators<Time, Operators11>;
          contact_id?: Filter<string, Operators2>;
          message_id?: Filter<string, Operators2>;
          channel?: Filter<'email' | 'sms' | 'push', Operators2>;
        };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListArchivedMessagesResponse>;

    /** Returns a message as the provider got it, with the address. Its id is that of the message delivery. Reads are counted in the audit trail. Content and address are absent where content_status is not stored. Scope: `partner:archived_messages:read`. (`getArchivedMessage`) */
    get(id: string, options?: RequestOptions): ApiPromise<S.ArchivedMessageDetails>;
  };
  contactReads: {
    /** Returns the read log, which the team switches on with retention.contact_reads_days: the first answer of each hour, by client and endpoint, that named a contact. Exports of lists are in the audit trail. createExport writes the log to a file. Scope: `partner:audit:read`. (`listContactReads`) */
    list(
      query?: {
        sort?: Sort<'read_at'>;
        meta?: 'count';
        filter?: {
          read_at?: Operators<Time, Operators11>;
          contact_id?: Filter<string, Operators2>;
          client_id?: Filter<string, Operators2>;
        };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListContactReadsResponse>;
  };
  legalHolds: {
    /** Returns the legal holds of the team, also those that were released. Scope: `partner:legal_holds:read`. (`listLegalHolds`) */
    list(
      query?: {
        sort?: Sort<'inserted_at' | 'updated_at'>;
        meta?: 'count';
        filter?: {
          inserted_at?: Filter<Time, Operators1>;
          updated_at?: Filter<Time, Operators1>;
          contact_id?: Filter<string, Operators12>;
          status?: Filter<'active' | 'released', Operators13>;
        };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListLegalHoldsResponse>;

    /** Places a legal hold on the contact that the body names, or on the team. While it stands, archived messages are not deleted when their term ends, and erasures are refused with 409 legal_hold. An erasure that was accepted before is completed. A team has at most 1,000 holds that stand; release them with the operation releaseLegalHold. Scope: `partner:legal_holds:write`. (`createLegalHold`) */
    create(body: S.LegalHoldCreate, options?: RequestOptions): ApiPromise<S.LegalHold>;

    /** Returns one legal hold with its reason and state. While it is active, its contact, or each one of the team, cannot be erased. Its reason names nobody and outlives the contact. Scope: `partner:legal_holds:read`. (`getLegalHold`) */
    get(id: string, options?: RequestOptions): ApiPromise<S.LegalHold>;

    /** Releases a legal hold. Archived messages whose term has ended are then deleted by the next maintenance, and erasures are possible again. A released hold stays as it is. Place a new one to hold again. Scope: `partner:legal_holds:write`. (`releaseLegalHold`) */
    release(id: string, options?: RequestOptions): ApiPromise<S.LegalHold>;
  };
  messageDeliveries: {
    /** Returns the deliveries of messages to contacts, filtered by message, template, contact or journey. A skip_reason says why one was not sent. Most of each address is hidden. Scope: `partner:messages:read`. (`listMessageDeliveries`) */
    list(
      query?: {
        sort?: Sort<'inserted_at' | 'updated_at' | 'sent_at'>;
        include?: readonly ('contact' | 'message')[];
        meta?: 'count';
        filter?: {
          inserted_at?: Filter<Time, Operators1>;
          updated_at?: Filter<Time, Operators1>;
          sent_at?: Filter<Time, Operators1>;
          status?: Filter<
            | 'scheduled'
            | 'queued'
            | 'sent'
            | 'delayed'
            | 'delivered'
            | 'bounced'
            | 'failed'
            | 'suppressed'
            | 'skipped'
            | 'canceled',
            Operators6
          >;
          channel?: Filter<'email' | 'sms' | 'push', Operators6>;
          message_id?: Filter<string, Operators6>;
          template_id?: Filter<string, Operators6>;
          contact_id?: Filter<string, Operators6>;
          topic_id?: Filter<string, Operators6>;
          journey_id?: Filter<string, Operators6>;
          skip_reason?: Filter<
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
            | 'sender_not_verified',
            Operators6
          >;
        };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListMessageDeliveriesResponse>;

    /** Returns one delivery of a message with its status and the times of its steps. The address is masked. Use explainMessageDelivery to learn the reasons. Scope: `partner:messages:read`. (`getMessageDelivery`) */
    get(id: string, options?: RequestOptions): ApiPromise<S.MessageDelivery>;

    /** Returns why a message was or was not sent, and what happened to it. The reasons are derived from the delivery, and nothing is changed. Start here when a contact says that a message did not arrive. Scope: `partner:messages:read`. (`explainMessageDelivery`) */
    explain(id: string, options?: RequestOptions): ApiPromise<S.MessageDeliveryExplanation>;

    /** Cancels a message that is scheduled or queued, so that it is not sent. A message that is being sent at this moment, or was sent, is refused with 409. It cannot be undone. Scope: `partner:messages:write`. (`cancelMessageDelivery`) */
    cancel(id: string, options?: RequestOptions): ApiPromise<S.MessageDelivery>;
  };
  pages: {
    /** Returns the pages of all templates. The completion_rule of each says when its recipient has done the step. Scope: `partner:pages:read`. (`listPages`) */
    list(
      query?: {
        sort?: Sort<'position' | 'inserted_at' | 'updated_at' | 'name'>;
        include?: readonly ('template' | 'content_blocks')[];
        meta?: 'count';
        filter?: {
          position?: Filter<number, Operators1>;
          inserted_at?: Filter<Time, Operators1>;
          updated_at?: Filter<Time, Operators1>;
          name?: Filter<string, Operators7>;
          kind?: Filter<
            'welcome' | 'step' | 'form' | 'checklist' | 'widget' | 'completion',
            Operators6
          >;
          objective_id?: Filter<string, Operators6>;
          template_id?: Filter<string, Operators6>;
        };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListPagesResponse>;

    /** Returns one page of a template with the ids of its content blocks. Its content_block_ids are in the order in which the recipient sees them. The version rises with every change. Scope: `partner:pages:read`. (`getPage`) */
    get(id: string, options?: RequestOptions): ApiPromise<S.Page>;

    /** Changes the fields that the body names, or moves the page to another position. A locked template is refused with 409. A change of the content increases version. Scope: `partner:pages:write`. (`updatePage`) */
    update(id: string, body: S.PagePatch, options?: RequestOptions): ApiPromise<S.Page>;

    /** Deletes a page permanently. A locked template is refused with 409. The content blocks of the page stay. Scope: `partner:pages:delete`. (`deletePage`) */
    delete(id: string, options?: RequestOptions): ApiPromise<void>;

    /** Returns the HTML of a page for a contact, a sample person or given data. Variables that do not exist are listed in unknown_variables; they prevent a launch. Nothing is stored. The data of a contact needs the scope partner:contacts:read. Scope: `partner:pages:read`. (`renderPage`) */
    render(
      id: string,
      body?: S.RenderPageRequest,
      options?: RequestOptions,
    ): ApiPromise<S.RenderedPage>;
  };
  objectives: {
    /** Returns the objectives of the team, the archived ones as well. is_standard marks those that every team has from the start; completion_count is the number of completions. Scope: `partner:objectives:read`. (`listObjectives`) */
    list(
      query?: {
        sort?: Sort<'inserted_at' | 'updated_at' | 'name'>;
        meta?: 'count';
        filter?: {
          inserted_at?: Filter<Time, Operators1>;
          updated_at?: Filter<Time, Operators1>;
          name?: Filter<string, Operators7>;
          key?: Filter<string, Operators7>;
          category?: Filter<
            | 'cards'
            | 'deposits'
            | 'digital_banking'
            | 'payments'
            | 'lending'
            | 'communication'
            | 'business'
            | 'other',
            Operators6
          >;
          is_standard?: Filter<boolean, Operators9>;
          is_active?: Filter<boolean, Operators9>;
        };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListObjectivesResponse>;

    /** Creates an objective that contacts can complete. The key must be unique in the team and cannot be changed later. A team has at most 500 objectives. List the objective in a template, or record completions of it directly. Scope: `partner:objectives:write`. (`createObjective`) */
    create(body: S.ObjectiveCreate, options?: RequestOptions): ApiPromise<S.Objective>;

    /** Returns one objective with its value and its attribution. Its key is fixed. The attribution window says for how many days a journey is credited with a completion. Scope: `partner:objectives:read`. (`getObjective`) */
    get(id: string, options?: RequestOptions): ApiPromise<S.Objective>;

    /** Changes the fields that the body names. The key is fixed. Completions that were recorded before keep their value. A body that changes nothing records nothing. Scope: `partner:objectives:write`. (`updateObjective`) */
    update(id: string, body: S.ObjectivePatch, options?: RequestOptions): ApiPromise<S.Objective>;

    /** Deletes an objective permanently. An objective that a template lists, or that was completed, is refused with 409 and can be archived instead. Scope: `partner:objectives:delete`. (`deleteObjective`) */
    delete(id: string, options?: RequestOptions): ApiPromise<void>;

    /** Archives an objective, which can then no longer be completed. Completions that were recorded stay in counts and insights. An archived objective is refused with 409. It can be unarchived. Scope: `partner:objectives:write`. (`archiveObjective`) */
    archive(id: string, options?: RequestOptions): ApiPromise<S.Objective>;

    /** Unarchives an objective, so that it can be completed again. An objective that is not archived is refused with 409. Its completions are as they were. Scope: `partner:objectives:write`. (`unarchiveObjective`) */
    unarchive(id: string, options?: RequestOptions): ApiPromise<S.Objective>;

    /** Returns the completions of one objective, the voided ones as well. The attribution says whether a journey led to one; unique_id distinguishes repeats. Scope: `partner:objectives:read`. (`listObjectiveCompletions`) */
    listCompletions(
      id: string,
      query?: {
        sort?: Sort<'completed_at' | 'updated_at'>;
        include?: readonly ('objective' | 'contact')[];
        meta?: 'count';
        filter?: {
          completed_at?: Filter<Time, Operators1>;
          updated_at?: Filter<Time, Operators1>;
          objective_id?: Filter<string, Operators3>;
          contact_id?: Filter<string, Operators3>;
          template_id?: Filter<string, Operators6>;
          source?: Filter<
            'api' | 'batch' | 'sftp' | 'ipaas' | 'widget' | 'inbound' | 'rule',
            Operators3
          >;
          attribution?: Filter<'journey' | 'organic', Operators3>;
          value_cents?: Filter<number, Operators1>;
          voided_at?: Filter<Time, Operators1>;
        };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListObjectiveCompletionsResponse>;

    /** Records that a contact has completed an objective, and the event objective.completed. A repeat of the same completion answers 200 with the first one: an objective that is not repeatable is completed once by a contact, and a unique_id counts once. The time is now unless completed_at says otherwise. Journeys of the contact that wait for the objective continue. Scope: `partner:objectives:write`. (`createObjectiveCompletion`) */
    createCompletion(
      id: string,
      body: S.ObjectiveCompletionCreate,
      options?: RequestOptions,
    ): ApiPromise<S.ObjectiveCompletion>;
  };
  team: {
    /** Returns the team of the token with its settings, such as time zone, currency, quiet hours and frequency cap. A token belongs to exactly one team. Scope: `partner:team:read`. (`getTeam`) */
    get(options?: RequestOptions): ApiPromise<S.Team>;

    /** Changes the settings of the team. Null ends the quiet hours, the frequency cap, the retention of its own or the tracking. No term becomes shorter while a legal hold stands. A new term of archived messages holds for those sent afterwards. Messages that are scheduled follow the new settings when they are due. Scope: `partner:team:write`. (`updateTeam`) */
    update(body: S.TeamPatch, options?: RequestOptions): ApiPromise<S.Team>;
  };
  users: {
    /** Returns the users of the team. Invited and suspended ones are among them. The role is for the applications of the team: the service grants nothing by it. Scope: `partner:users:read`. (`listUsers`) */
    list(
      query?: {
        sort?: Sort<'email' | 'inserted_at' | 'updated_at' | 'last_signed_in_at'>;
        meta?: 'count';
        filter?: {
          email?: Filter<string, Operators7>;
          role?: Filter<'admin' | 'editor' | 'viewer', Operators3>;
          status?: Filter<'active' | 'invited' | 'suspended', Operators3>;
          inserted_at?: Filter<Time, Operators1>;
          updated_at?: Filter<Time, Operators1>;
          last_signed_in_at?: Filter<Time, Operators1>;
        };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListUsersResponse>;

    /** Adds a user with the status invited and records the event user.invited. The service sends no mail: send the invitation when you receive the event. A status in the body is accepted and ignored; a user becomes active by the operation activateUser. The role is viewer unless the body names another one, and the invitation expires after seven days. The address must be unique in the team, and a team has at most 1,000 users. Scope: `partner:users:write`. (`createUser`) */
    create(body: S.UserCreate, options?: RequestOptions): ApiPromise<S.User>;

    /** Returns one user with the role, the status and the end of an open invitation. It has no side effects. Scope: `partner:users:read`. (`getUser`) */
    get(id: string, options?: RequestOptions): ApiPromise<S.User>;

    /** Changes the address, the name or the role of a user and records the event user.updated. The last active admin cannot lose the role. An address that another user has is refused with 409. The change is recorded in the audit trail. Scope: `partner:users:write`. (`updateUser`) */
    update(id: string, body: S.UserPatch, options?: RequestOptions): ApiPromise<S.User>;

    /** Deletes a user permanently and records the event user.deleted. The last active admin cannot be deleted. Audit events of the user stay. Scope: `partner:users:delete`. (`deleteUser`) */
    delete(id: string, options?: RequestOptions): ApiPromise<void>;

    /** Invites a user again, and the invitation is valid for another seven days. It records the event user.invited and sends no mail. A user who has signed in is refused with 409. Scope: `partner:users:write`. (`resendUserInvite`) */
    resendInvite(id: string, options?: RequestOptions): ApiPromise<S.User>;

    /** Records that an invited user has signed in for the first time, and makes the user active. The service that signs users in calls it. An expired invitation is refused with 409: send it again first. It records the event user.activated. Scope: `partner:users:write`. (`activateUser`) */
    activate(
      id: string,
      body?: S.ActivateUserRequest,
      options?: RequestOptions,
    ): ApiPromise<S.User>;

    /** Suspends a user, who then counts as inactive, and records the event user.suspended. The last active admin cannot be suspended. End the suspension with the operation reactivateUser. Scope: `partner:users:write`. (`suspendUser`) */
    suspend(id: string, options?: RequestOptions): ApiPromise<S.User>;

    /** Ends the suspension of a user. The user is active again, or invited if the user has never signed in. It records the event user.activated or user.invited. A user who is not suspended is refused with 409. Scope: `partner:users:write`. (`reactivateUser`) */
    reactivate(id: string, options?: RequestOptions): ApiPromise<S.User>;
  };
  portalSessions: {
    /** Makes a session of the team’s pages (webhooks, batches, campaigns and others) for a person, and answers with its link. The link opens the session once, within five minutes. The session shows and does only what its scopes allow; without any it reads what your token reads. To embed it, put the link into an iframe of a page of allowed_origins. Scope: `partner:portal_sessions:write`. (`createPortalSession`) */
    create(body?: S.PortalSessionCreate, options?: RequestOptions): ApiPromise<S.NewPortalSession>;

    /** Returns the sessions of the team’s pages that were not ended, for a week. Scope: `partner:portal_sessions:read`. (`listPortalSessions`) */
    list(
      query?: {
        sort?: Sort<'inserted_at' | 'updated_at' | 'expires_at'>;
        meta?: 'count';
        filter?: {
          inserted_at?: Filter<Time, Operators1>;
          updated_at?: Filter<Time, Operators1>;
          expires_at?: Filter<Time, Operators1>;
          client_id?: Filter<string, Operators6>;
        };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListPortalSessionsResponse>;

    /** Returns one session: its scopes, its end, and whether its link was opened. The link itself is not shown again. Scope: `partner:portal_sessions:read`. (`getPortalSession`) */
    get(id: string, options?: RequestOptions): ApiPromise<S.PortalSession>;

    /** Ends a session: its link opens nothing, and its token is refused within five seconds. The session leaves the list; the audit trail has its end. Scope: `partner:portal_sessions:write`. (`deletePortalSession`) */
    delete(id: string, options?: RequestOptions): ApiPromise<void>;

    /** The page at a link calls it, without a token. It answers once, with an access token that has the scopes and the end of the session. A link that was opened, is over or is wrong is refused with 404. (`openPortalSession`) */
    open(
      id: string,
      body: S.PortalSessionOpen,
      options?: RequestOptions,
    ): ApiPromise<S.OpenedPortalSession>;
  };
  auditEvents: {
    /** Returns who changed which administrative resource of the team, the latest first. Each event has the request id and the change. Scope: `partner:audit:read`. (`listAuditEvents`) */
    list(
      query?: {
        sort?: Sort<'occurred_at'>;
        meta?: 'count';
        filter?: {
          occurred_at?: Filter<Time, Operators1>;
          action?: Filter<string, Operators3>;
          resource_type?: Filter<string, Operators3>;
          resource_id?: Filter<string, Operators3>;
          client_id?: Filter<string, Operators3>;
          request_id?: Filter<string, Operators3>;
          source_ip?: Filter<string, Operators2>;
        };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListAuditEventsResponse>;

    /** Returns one audit event with the change that it records. Audit events cannot be changed or deleted through the interface. Scope: `partner:audit:read`. (`getAuditEvent`) */
    get(id: string, options?: RequestOptions): ApiPromise<S.AuditEvent>;
  };
  sendingDomains: {
    /** Returns the domains from which the team sends e-mail, with their DNS records. Scope: `partner:sending_domains:read`. (`listSendingDomains`) */
    list(
      query?: {
        sort?: Sort<'inserted_at' | 'updated_at'>;
        meta?: 'count';
        filter?: {
          domain?: Filter<string, Operators7>;
          status?: Filter<'pending' | 'verified' | 'failed', Operators6>;
          inserted_at?: Filter<Time, Operators1>;
          updated_at?: Filter<Time, Operators1>;
        };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListSendingDomainsResponse>;

    /** Adds a domain from which the team sends e-mail. Publish the records of dns_records in its zone. The service looks them up at growing intervals and records the event sending_domain.verified; until then, messages with an address of the domain as from_email are refused. A domain that the team has already answers 200 and stays as it is. A team has at most 20 sending domains. Scope: `partner:sending_domains:write`. (`createSendingDomain`) */
    create(body: S.SendingDomainCreate, options?: RequestOptions): ApiPromise<S.SendingDomain>;

    /** Returns one sending domain with the records to publish and the result of their last check. It has no side effects. Scope: `partner:sending_domains:read`. (`getSendingDomain`) */
    get(id: string, options?: RequestOptions): ApiPromise<S.SendingDomain>;

    /** Deletes a sending domain and its private key permanently. E-mails from it that are not sent yet are skipped with the reason sender_not_verified. A domain that is added again gets other records. Scope: `partner:sending_domains:delete`. (`deleteSendingDomain`) */
    delete(id: string, options?: RequestOptions): ApiPromise<void>;

    /** Requests a check of the DNS records of a sending domain without waiting for the next one. The check runs in the background. Get the domain until last_checked_at has changed. Verified domains can be checked as well. Scope: `partner:sending_domains:write`. (`verifySendingDomain`) */
    verify(id: string, options?: RequestOptions): ApiPromise<S.SendingDomain>;
  };
  sendingProviders: {
    /** Returns the sending providers of the team with their state. Secrets are never returned. Scope: `partner:sending_providers:read`. (`listSendingProviders`) */
    list(
      query?: {
        sort?: Sort<'inserted_at' | 'updated_at'>;
        meta?: 'count';
        filter?: {
          inserted_at?: Filter<Time, Operators1>;
          updated_at?: Filter<Time, Operators1>;
          name?: Filter<string, Operators7>;
          channel?: Filter<'email' | 'sms' | 'push', Operators3>;
          kind?: Filter<
            'smtp' | 'email_a' | 'email_b' | 'email_c' | 'sms_a' | 'sms_b' | 'push_a' | 'push_b',
            Operators3
          >;
          is_active?: Filter<boolean, Operators10>;
        };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListSendingProvidersResponse>;

    /** Adds a provider of one channel. Once a team has an active provider for a channel, its messages of that channel leave through its own providers only, by priority. The token needs the scopes that read messages and contacts, since the provider receives both. A team has at most 10 sending providers, and 5 for a channel. Test the login with testSendingProvider next, and release it with releaseSendingProvider where the team has requires_provider_release. Scope: `partner:sending_providers:write`. (`createSendingProvider`) */
    create(body: S.SendingProviderCreate, options?: RequestOptions): ApiPromise<S.SendingProvider>;

    /** Returns one sending provider with its state: the last test, and since when and why it accepts nothing. Its secret is never returned. It has no side effects. Scope: `partner:sending_providers:read`. (`getSendingProvider`) */
    get(id: string, options?: RequestOptions): ApiPromise<S.SendingProvider>;

    /** Changes the fields that the body names; a secret replaces the stored one without an overlap. Another server needs the secret in the same body, so that a stored one is never sent elsewhere. Messages that are not sent yet leave with the new settings, and a halted provider is tried again. Another server, account or secret ends a release of the settings. Replace a secret with an overlap by rotateSendingProviderSecret. Scope: `partner:sending_providers:write`. (`updateSendingProvider`) */
    update(
      id: string,
      body: S.SendingProviderPatch,
      options?: RequestOptions,
    ): ApiPromise<S.SendingProvider>;

    /** Deletes a sending provider and its secrets permanently. Messages that are not sent yet leave through the other providers of the team. Without another active one for the channel, they leave through the provider of the installation, where it is offered to the team, or wait. Scope: `partner:sending_providers:delete`. (`deleteSendingProvider`) */
    delete(id: string, options?: RequestOptions): ApiPromise<void>;

    /** Requests a test of a sending provider: a worker connects and logs in, and sends no message. The answer has test_status pending. Get the provider until test_status is succeeded or failed; test_error_code says why. Providers of a team are tested one after the other; an inactive provider can be tested as well. Scope: `partner:sending_providers:write`. (`testSendingProvider`) */
    test(id: string, options?: RequestOptions): ApiPromise<S.SendingProvider>;

    /** Replaces the secret of a sending provider. Where the provider rejects the new secret, the old one is used until the overlap ends, which is 24 hours unless the body names another time of at most seven days. A rotation whose overlap has not ended is refused with 409 unless force is true. Revoke the old secret at the provider afterwards. Scope: `partner:sending_providers:write`. (`rotateSendingProviderSecret`) */
    rotateSecret(
      id: string,
      body: S.RotateSendingProviderSecretRequest,
      options?: RequestOptions,
    ): ApiPromise<S.SendingProvider>;

    /** Releases the present settings of a sending provider. Where the team has requires_provider_release, messages leave through released providers only. The client that last changed the server, the account or the secret is refused with 409; an operator can release them too. Another change of these needs another release. Scope: `partner:sending_providers:write`. (`releaseSendingProvider`) */
    release(id: string, options?: RequestOptions): ApiPromise<S.SendingProvider>;
  };
  completions: {
    /** Returns the completions of all objectives, the voided ones as well. The attribution says whether a journey led to one. Counts and insights leave voided ones out. Scope: `partner:objectives:read`. (`listCompletions`) */
    list(
      query?: {
        sort?: Sort<'completed_at' | 'updated_at'>;
        include?: readonly ('objective' | 'contact')[];
        meta?: 'count';
        filter?: {
          completed_at?: Filter<Time, Operators1>;
          updated_at?: Filter<Time, Operators1>;
          objective_id?: Filter<string, Operators3>;
          contact_id?: Filter<string, Operators3>;
          template_id?: Filter<string, Operators6>;
          source?: Filter<
            'api' | 'batch' | 'sftp' | 'ipaas' | 'widget' | 'inbound' | 'rule',
            Operators3
          >;
          attribution?: Filter<'journey' | 'organic', Operators3>;
          value_cents?: Filter<number, Operators1>;
          voided_at?: Filter<Time, Operators1>;
        };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListCompletionsResponse>;

    /** Returns one completion with its value and the journey that it is attributed to. A voided completion has voided_at and void_reason, and no longer counts. Scope: `partner:objectives:read`. (`getObjectiveCompletion`) */
    get(id: string, options?: RequestOptions): ApiPromise<S.ObjectiveCompletion>;

    /** Voids a completion, which takes it out of counts and insights, and records the event objective.voided. The record stays, with the reason. A completion that is voided already is refused with 409. It cannot be undone: record the completion again instead. Scope: `partner:objectives:write`. (`voidObjectiveCompletion`) */
    void(
      id: string,
      body: S.VoidObjectiveCompletionRequest,
      options?: RequestOptions,
    ): ApiPromise<S.ObjectiveCompletion>;

    /** Returns the number and the value of the completions of a period by objective. The period is the last 30 times 24 hours unless the parameter names another one of at most 731 days. Voided completions are not counted. Scope: `partner:objectives:read`. (`getObjectiveCompletionsCounts`) */
    getCounts(
      query?: { period?: string; timezone?: string },
      options?: RequestOptions,
    ): ApiPromise<S.ObjectiveCompletionsCounts>;
  };
  engagementEvents: {
    /** Returns the engagement events of the team, the latest first. is_machine marks those of scanners and proxies. Rows never change: continue from the last occurred_at. Scope: `partner:engagement:read`. (`listEngagementEvents`) */
    list(
      query?: {
        sort?: Sort<'occurred_at'>;
        include?: readonly ('contact' | 'message' | 'page')[];
        meta?: 'count';
        filter?: {
          occurred_at?: Filter<Time, Operators1>;
          kind?: Filter<
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
            | string,
            Operators3
          >;
          channel?: Filter<'email' | 'sms' | 'push' | 'web' | 'widget' | 'system', Operators6>;
          contact_id?: Filter<string, Operators6>;
          template_id?: Filter<string, Operators6>;
          journey_id?: Filter<string, Operators6>;
          message_id?: Filter<string, Operators6>;
          page_id?: Filter<string, Operators6>;
          source?: Filter<
            'inbound' | 'widget' | 'landing_page' | 'api' | 'batch' | 'system',
            Operators3
          >;
          is_machine?: Filter<boolean, Operators10>;
        };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListEngagementEventsResponse>;

    /** Records up to 500 engagement events. Either all of them are recorded or none: problems of all events are listed with their places. An event whose unique_id was recorded before counts as a duplicate and is not recorded again. Repeat a request that failed with the same unique_ids. Scope: `partner:engagement:write`. (`recordEngagementEvents`) */
    record(
      body: S.RecordEngagementEventsRequest,
      options?: RequestOptions,
    ): ApiPromise<S.RecordEngagementEventsResponse>;

    /** Returns one engagement event. Addresses of clients are stored as their network only. Events never change. Scope: `partner:engagement:read`. (`getEngagementEvent`) */
    get(id: string, options?: RequestOptions): ApiPromise<S.EngagementEvent>;
  };
  customEventTypes: {
    /** Returns the event types that the team has defined, with their schemas. Events of such a type are published with the operation publishEvents. Scope: `partner:custom_event_types:read`. (`listCustomEventTypes`) */
    list(
      query?: {
        sort?: Sort<'inserted_at' | 'updated_at' | 'name'>;
        meta?: 'count';
        filter?: {
          inserted_at?: Filter<Time, Operators1>;
          updated_at?: Filter<Time, Operators1>;
          name?: Filter<string, Operators7>;
        };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListCustomEventTypesResponse>;

    /** Defines an event type of the team, whose name begins with "custom." and cannot be changed later. The schema is the part of JSON Schema that the field describes; without one the data may be any object. A team has at most 200 event types. Publish events with the operation publishEvents next, and subscribe to the name by a webhook subscription. Scope: `partner:custom_event_types:write`. (`createCustomEventType`) */
    create(body: S.CustomEventTypeCreate, options?: RequestOptions): ApiPromise<S.CustomEventType>;

    /** Returns one event type of the team with its schema. The data of a published event must fit the schema. The name is fixed. Scope: `partner:custom_event_types:read`. (`getCustomEventType`) */
    get(id: string, options?: RequestOptions): ApiPromise<S.CustomEventType>;

    /** Changes the fields that the body names. The name is fixed. A new schema holds for events that are published from then on; recorded events stay as they are. Scope: `partner:custom_event_types:write`. (`updateCustomEventType`) */
    update(
      id: string,
      body: S.CustomEventTypePatch,
      options?: RequestOptions,
    ): ApiPromise<S.CustomEventType>;

    /** Deletes an event type, so that no further event of it is accepted. Recorded events, their deliveries, and the subscriptions, cohorts and triggers that name the type stay. The name can be defined again. Scope: `partner:custom_event_types:delete`. (`deleteCustomEventType`) */
    delete(id: string, options?: RequestOptions): ApiPromise<void>;
  };
  events: {
    /** Records up to 500 events of custom types as engagement events, and sends each to the webhook subscriptions that match its type. Either all of them are published or none: problems of all events are listed with their places. An event whose unique_id the team has published within 25 months counts as a duplicate and is not published again, even with another type. Repeat a request that failed with the same unique_ids. Scope: `partner:events:write`. (`publishEvents`) */
    publish(
      body: S.PublishEventsRequest,
      options?: RequestOptions,
    ): ApiPromise<S.PublishEventsResponse>;
  };
  sftpCredentials: {
    /** Returns the SFTP credentials of the team. Private keys are never returned. Revoked and expired ones are among them, with the time of their last use. Scope: `partner:sftp:read`. (`listSftpCredentials`) */
    list(
      query?: {
        sort?: Sort<'inserted_at' | 'updated_at' | 'name'>;
        meta?: 'count';
        filter?: {
          inserted_at?: Filter<Time, Operators1>;
          updated_at?: Filter<Time, Operators1>;
          name?: Filter<string, Operators7>;
          username?: Filter<string, Operators3>;
          status?: Filter<'active' | 'revoked' | 'expired', Operators3>;
          is_active?: Filter<boolean, Operators10>;
          purpose?: Filter<'contacts' | 'accounts' | 'objective_completions' | 'mixed', Operators3>;
        };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListSftpCredentialsResponse>;

    /** Creates SFTP credentials for your public key, or for a key pair that the service generates; the private key of a generated pair is shown in this answer only. A public key can be used by one credential of the team, which has at most 20 active ones. Files are imported with the rights of your client, and a purpose needs the scopes of its operations. Connect with the username, host and host key of the answer. Scope: `partner:sftp:write`. (`createSftpCredentials`) */
    create(
      body: S.SftpCredentialsCreate,
      options?: RequestOptions,
    ): ApiPromise<S.CreatedSftpCredential>;

    /** Returns one SFTP credential with its username, host and status. Private keys are never returned. It has no side effects. Scope: `partner:sftp:read`. (`getSftpCredential`) */
    get(id: string, options?: RequestOptions): ApiPromise<S.SftpCredential>;

    /** Changes the name, the purpose, the networks or the end of SFTP credentials. The public key is fixed. Only active credentials can get another end. The change applies to the next connection. Any change but that of the name needs the scopes of the files, which are then imported with the rights of your client. Scope: `partner:sftp:write`. (`updateSftpCredential`) */
    update(
      id: string,
      body: S.SftpCredentialPatch,
      options?: RequestOptions,
    ): ApiPromise<S.SftpCredential>;

    /** Deletes SFTP credentials permanently. They can no longer be used to connect, and their public key can be used again. Files that arrived stay. Scope: `partner:sftp:delete`. (`deleteSftpCredential`) */
    delete(id: string, options?: RequestOptions): ApiPromise<void>;

    /** Revokes active SFTP credentials permanently. They can no longer be used to connect. Credentials that are revoked or expired are refused with 409. Create other credentials to continue. Scope: `partner:sftp:write`. (`revokeSftpCredential`) */
    revoke(id: string, options?: RequestOptions): ApiPromise<S.SftpCredential>;
  };
  sftpUploads: {
    /** Returns the files that arrived by SFTP or were fetched from a file source, with the state of their import. Scope: `partner:sftp:read`. (`listSftpUploads`) */
    list(
      query?: {
        sort?: Sort<'inserted_at' | 'updated_at' | 'path'>;
        meta?: 'count';
        filter?: {
          inserted_at?: Filter<Time, Operators1>;
          updated_at?: Filter<Time, Operators1>;
          path?: Filter<string, Operators3>;
          status?: Filter<
            'receiving' | 'received' | 'processing' | 'processed' | 'failed',
            Operators3
          >;
          sftp_credential_id?: Filter<string, Operators3>;
          file_source_id?: Filter<string, Operators3>;
        };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListSftpUploadsResponse>;

    /** Returns one file that arrived by SFTP or was fetched, and the import that it started. Its error says why a file was not imported. Read the results of the items at the batch operation. Scope: `partner:sftp:read`. (`getSftpUpload`) */
    get(id: string, options?: RequestOptions): ApiPromise<S.SftpUpload>;
  };
  fileSources: {
    /** Returns the file sources of the team. Credentials are never returned. test_status shows whether the last login succeeded. Scope: `partner:sftp:read`. (`listFileSources`) */
    list(
      query?: {
        sort?: Sort<'inserted_at' | 'updated_at' | 'name'>;
        meta?: 'count';
        filter?: {
          inserted_at?: Filter<Time, Operators1>;
          updated_at?: Filter<Time, Operators1>;
          name?: Filter<string, Operators7>;
          source_kind?: Filter<'sftp' | 'https', Operators3>;
          server_id?: Filter<string, Operators3>;
          purpose?: Filter<'contacts' | 'accounts' | 'objective_completions', Operators3>;
          is_active?: Filter<boolean, Operators10>;
        };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListFileSourcesResponse>;

    /** Creates a file source: a server from which the service fetches each file that a file_transfer_a callback names, and imports it. Send one credential: password, private_key, generate_key_pair or bearer_token; it is stored encrypted and never returned. A team has at most 20 file sources. Files are imported with the rights of your client, which needs the scopes of the operations of the purpose. Enter the public_key of the answer at the server. Scope: `partner:sftp:write`. (`createFileSource`) */
    create(body: S.FileSourceCreate, options?: RequestOptions): ApiPromise<S.FileSource>;

    /** Returns one file source. Its credential is never returned. The host keys by which the server is known, and the outcome of the last test, are in it. Scope: `partner:sftp:read`. (`getFileSource`) */
    get(id: string, options?: RequestOptions): ApiPromise<S.FileSource>;

    /** Changes the fields that the body names; a credential replaces the stored one. Another host or port needs the password or token in the same body, so that a stored one is never sent to another server. The change applies to the next attempt to fetch a file. With is_active false, fetches of the source end. Any change but that of the name, or to switch it off, needs the scopes of the files, which are then imported with the rights of your client. Scope: `partner:sftp:write`. (`updateFileSource`) */
    update(id: string, body: S.FileSourcePatch, options?: RequestOptions): ApiPromise<S.FileSource>;

    /** Deletes a file source and its credential permanently. Fetches that wait or run end as failed. Files that were fetched stay. Scope: `partner:sftp:delete`. (`deleteFileSource`) */
    delete(id: string, options?: RequestOptions): ApiPromise<void>;

    /** Requests a test of a file source: a worker connects, checks the key or the certificate of the server, logs in and reads no file. The answer has test_status pending. Get the source until test_status is succeeded or failed; test_error says why. Sources of a team are tested one after the other; an inactive source can be tested as well. Scope: `partner:sftp:write`. (`testFileSource`) */
    test(id: string, options?: RequestOptions): ApiPromise<S.FileSource>;
  };
  widgetInstances: {
    /** Returns the widgets of the team. Archived widgets are returned only where a filter names is_archived. The publishable_key of each names it on a page; it is no secret. Scope: `partner:widgets:read`. (`listWidgetInstances`) */
    list(
      query?: {
        sort?: Sort<'inserted_at' | 'updated_at' | 'name'>;
        meta?: 'count';
        filter?: {
          inserted_at?: Filter<Time, Operators1>;
          updated_at?: Filter<Time, Operators1>;
          name?: Filter<string, Operators3>;
          widget_kind?: Filter<
            | 'journey'
            | 'enrollment'
            | 'opt_in'
            | 'card_on_file'
            | 'mobile_app'
            | 'secure_personalization',
            Operators3
          >;
          template_id?: Filter<string, Operators6>;
          is_active?: Filter<boolean, Operators10>;
          is_archived?: Filter<boolean, Operators10>;
        };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListWidgetInstancesResponse>;

    /** Creates a widget that pages of the allowed origins can embed. The kind is fixed afterwards. A team has at most 100 widgets. Create a token for each recipient with the operation createWidgetToken. Scope: `partner:widgets:write`. (`createWidgetInstance`) */
    create(body: S.WidgetInstanceCreate, options?: RequestOptions): ApiPromise<S.WidgetInstance>;

    /** Returns one widget with its settings and allowed origins. Pages of other origins cannot embed it. The publishable_key is no secret. Scope: `partner:widgets:read`. (`getWidgetInstance`) */
    get(id: string, options?: RequestOptions): ApiPromise<S.WidgetInstance>;

    /** Changes the fields that the body names. The kind is fixed. Pages that embed the widget follow the change with their next call. The change is recorded in the audit trail. Scope: `partner:widgets:write`. (`updateWidgetInstance`) */
    update(
      id: string,
      body: S.WidgetInstancePatch,
      options?: RequestOptions,
    ): ApiPromise<S.WidgetInstance>;

    /** Deletes a widget permanently. Pages that embed it show nothing, and its tokens open nothing. Archive it instead where it may return. Scope: `partner:widgets:delete`. (`deleteWidgetInstance`) */
    delete(id: string, options?: RequestOptions): ApiPromise<void>;

    /** Archives a widget. Pages that embed it show nothing. A widget that is archived is refused with 409. It can be unarchived. Scope: `partner:widgets:write`. (`archiveWidgetInstance`) */
    archive(id: string, options?: RequestOptions): ApiPromise<S.WidgetInstance>;

    /** Unarchives a widget. Pages that embed it show it again where it is active. A widget that is not archived is refused with 409. Scope: `partner:widgets:write`. (`unarchiveWidgetInstance`) */
    unarchive(id: string, options?: RequestOptions): ApiPromise<S.WidgetInstance>;

    /** Creates a token with which a page shows a widget to one recipient. Call it from your server, and pass the token to the page. The token is valid for one hour and is bound to the widget, the contact and the origin that the body names. Set assurance to authenticated only where you have signed the person in. The page calls the operation bootstrapWidget next. Scope: `partner:widgets:execute`. (`createWidgetToken`) */
    createToken(
      id: string,
      body: S.WidgetTokenCreate,
      options?: RequestOptions,
    ): ApiPromise<S.WidgetToken>;

    /** Ends one token of a widget, or all tokens where the body names none, with the sessions that they opened. An unknown token gets the same answer with status 204. Recipients need a new token afterwards. Scope: `partner:widgets:execute`. (`revokeWidgetTokens`) */
    revokeTokens(
      id: string,
      body?: S.RevokeWidgetTokensRequest,
      options?: RequestOptions,
    ): ApiPromise<void>;
  };
  insights: {
    /** Returns the insights with their definitions, their filters and the JSON Schemas of their values. The list is complete and is not paged. Choose from it the insight to request. Scope: `partner:insights:read`. (`listInsights`) */
    list(options?: RequestOptions): ApiPromise<S.ListInsightsResponse>;

    /** Completions within the period that a journey led to, voided ones left out. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightAddedValueByTime`) */
    getAddedValueByTime(
      query?: {
        period?: string;
        timezone?: string;
        filter?: { template_id?: Filter<string, Operators14>; cohort_id?: string };
      },
      options?: RequestOptions,
    ): ApiPromise<S.InsightAddedValueByTime>;

    /** Journeys that began before the end of the period and did not end before its start, without those held back. Engaged is who of their contacts has an event of a person within the period about the template: message.opened, message.clicked, page.*, widget.*, contact.replied. The other figures count such events, and totals add up the campaigns. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightCampaignEngagement`) */
    getCampaignEngagement(
      query?: {
        period?: string;
        timezone?: string;
        filter?: { template_id?: Filter<string, Operators14>; cohort_id?: string };
      },
      options?: RequestOptions,
    ): ApiPromise<S.InsightCampaignEngagement>;

    /** Journeys that began within the period. Those held back for comparison count as holdout only. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightCampaignEnrollment`) */
    getCampaignEnrollment(
      query?: {
        period?: string;
        timezone?: string;
        filter?: { template_id?: Filter<string, Operators14>; cohort_id?: string };
      },
      options?: RequestOptions,
    ): ApiPromise<S.InsightCampaignEnrollment>;

    /** Journeys that began within the period, without those held back; of them all messages and all completions that they led to, up to now. Messages are counted by contact. Totals add up the campaigns. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightCampaignPerformance`) */
    getCampaignPerformance(
      query?: {
        period?: string;
        timezone?: string;
        filter?: { template_id?: Filter<string, Operators14>; cohort_id?: string };
      },
      options?: RequestOptions,
    ): ApiPromise<S.InsightCampaignPerformance>;

    /** Events of people in widgets of the kind card_on_file: widget.loaded, widget.started, widget.submitted (a merchant is selected), widget.completed and widget.failed, the merchant being properties.merchant. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightCardOnFileWidget`) */
    getCardOnFileWidget(
      query?: {
        period?: string;
        timezone?: string;
        filter?: { template_id?: Filter<string, Operators14>; cohort_id?: string };
      },
      options?: RequestOptions,
    ): ApiPromise<S.InsightCardOnFileWidget>;

    /** Journeys that began within the period; one is completed when it led to a completion, and the baseline are all but those held back. A journey is exposed to a message, page, widget or channel by an event of a person about it before its first completion, or by its cohort or its way of entry. The field lift is the rate of the exposed divided by that of the others, minus 1; lift_pp their difference in points of 100, ci95 its interval (Newcombe); groups below 30 are left out, and only the holdout shows what causes what. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightDrivers`) */
    getDrivers(
      query?: {
        period?: string;
        timezone?: string;
        filter?: { template_id?: Filter<string, Operators14>; cohort_id?: string };
      },
      options?: RequestOptions,
    ): ApiPromise<S.InsightDrivers>;

    /** Events of people in widgets of the kind enrollment: widget.loaded, widget.started and widget.submitted; a visitor is a contact, or else properties.session_id. Enrolled are the journeys that began by a widget; duplicates are submissions with properties.outcome "duplicate", of people who were enrolled already. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightEnrollmentWidget`) */
    getEnrollmentWidget(
      query?: {
        period?: string;
        timezone?: string;
        filter?: { template_id?: Filter<string, Operators14>; cohort_id?: string };
      },
      options?: RequestOptions,
    ): ApiPromise<S.InsightEnrollmentWidget>;

    /** As of the end of the period, eligible for an objective is who is an active contact and has had a journey, not held back, of a template with the objective; completed, who of them has completed it. The gap times what a completion is credited with now is potential_value_cents. Products are open accounts of active contacts, by kind. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightGapAnalysis`) */
    getGapAnalysis(
      query?: {
        period?: string;
        timezone?: string;
        filter?: { template_id?: Filter<string, Operators14>; cohort_id?: string };
      },
      options?: RequestOptions,
    ): ApiPromise<S.InsightGapAnalysis>;

    /** Deliveries whose sending, or failure to send, lies within the period, with all that is known of them up to now; skipped_by_reason counts those that were decided within the period and not sent. The field by_variant has the figures of a message for each variant that was sent, and is empty where none was; they add up to those of the message, and totals add up the messages. The field topics adds up the messages of each topic that they have now. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightMessages`) */
    getMessages(
      query?: {
        period?: string;
        timezone?: string;
        filter?: {
          template_id?: Filter<string, Operators14>;
          cohort_id?: string;
          channel?: string;
        };
      },
      options?: RequestOptions,
    ): ApiPromise<S.InsightMessages>;

    /** Events of people in widgets of the kind mobile_app: widget.loaded, and widget.submitted for a click to a store, the platform being properties.platform (ios, android, anything else is other). A conversion is a contact who clicked and completed the objective mobile-banking within its attribution window after that. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightMobileAppWidget`) */
    getMobileAppWidget(
      query?: {
        period?: string;
        timezone?: string;
        filter?: { template_id?: Filter<string, Operators14>; cohort_id?: string };
      },
      options?: RequestOptions,
    ): ApiPromise<S.InsightMobileAppWidget>;

    /** team_rate is completed / eligible of gap-analysis. Peers are the teams that take part (is_in_benchmarks) with 100 eligible contacts or more for an objective of the same key, by their figures of the last night; fewer than five give no result, and they are never named. percentile is the share of them, in 100, whose rate is not above that of the team. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightObjectiveCompletionBenchmarks`) */
    getObjectiveCompletionBenchmarks(
      query?: { period?: string; timezone?: string },
      options?: RequestOptions,
    ): ApiPromise<S.InsightObjectiveCompletionBenchmarks>;

    /** Journeys that began within the period, without those held back, once for each objective of their template. It is completed when the contact did so after the enrollment and within the attribution window of the objective. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightObjectiveCompletionRate`) */
    getObjectiveCompletionRate(
      query?: {
        period?: string;
        timezone?: string;
        filter?: { template_id?: Filter<string, Operators14>; cohort_id?: string };
      },
      options?: RequestOptions,
    ): ApiPromise<S.InsightObjectiveCompletionRate>;

    /** For each completion within the period the last event of a person by its contact before it, within the attribution window of the objective, about a message, a page or a landing page. exposed are contacts with a delivered message or a view of the page within the period; clicked, contacts with a click. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightObjectiveContent`) */
    getObjectiveContent(
      query?: {
        period?: string;
        timezone?: string;
        filter?: { template_id?: Filter<string, Operators14>; cohort_id?: string };
      },
      options?: RequestOptions,
    ): ApiPromise<S.InsightObjectiveContent>;

    /** Completions within the period by objective, voided ones left out, and the value that each was credited with; attributed is what journeys led to. Every active objective is there. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightObjectiveTotalValue`) */
    getObjectiveTotalValue(
      query?: {
        period?: string;
        timezone?: string;
        filter?: { template_id?: Filter<string, Operators14>; cohort_id?: string };
      },
      options?: RequestOptions,
    ): ApiPromise<S.InsightObjectiveTotalValue>;

    /** Events of people in widgets of the kind opt_in: widget.loaded, widget.submitted, opt_in.granted and opt_in.revoked, the channel being properties.channel; properties.confirmed marks an opt-in that was confirmed by a second step. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightOptInWidget`) */
    getOptInWidget(
      query?: {
        period?: string;
        timezone?: string;
        filter?: { template_id?: Filter<string, Operators14>; cohort_id?: string };
      },
      options?: RequestOptions,
    ): ApiPromise<S.InsightOptInWidget>;

    /** Templates that were made before the end of the period and are not deleted, by the status that they had at its end. launched, archived and expired count changes to that status within the period, so that a template can count twice; resuming is no launch. active is how many were launched at the end of a bucket. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightOverallNumberOfCampaigns`) */
    getOverallNumberOfCampaigns(
      query?: {
        period?: string;
        timezone?: string;
        filter?: { template_id?: Filter<string, Operators14> };
      },
      options?: RequestOptions,
    ): ApiPromise<S.InsightOverallNumberOfCampaigns>;

    /** Events of people within the period, by page: page.viewed, page.cta_clicked, page.form_submitted. A contact completes a page by its completion_rule; an objective counts when it is completed within the period, after a view. Totals add up the pages, so that a contact counts once for each. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightPages`) */
    getPages(
      query?: {
        period?: string;
        timezone?: string;
        filter?: { template_id?: Filter<string, Operators14>; cohort_id?: string };
      },
      options?: RequestOptions,
    ): ApiPromise<S.InsightPages>;

    /** The figures of other insights over the period, and over the one of equal length just before it. Value is of all completions within the period, whether a journey led to them or not. change is (current - previous) / previous, null where there was nothing before. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightPerformance`) */
    getPerformance(
      query?: {
        period?: string;
        timezone?: string;
        filter?: { template_id?: Filter<string, Operators14>; cohort_id?: string };
      },
      options?: RequestOptions,
    ): ApiPromise<S.InsightPerformance>;

    /** Accounts that were opened within the period, with their present balance, none counting as 0. An account is attributed when its contact had a journey, not held back, that began in the 90 days before it was opened. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightTotalValueOfOpenedProducts`) */
    getTotalValueOfOpenedProducts(
      query?: { period?: string; timezone?: string; filter?: { cohort_id?: string } },
      options?: RequestOptions,
    ): ApiPromise<S.InsightTotalValueOfOpenedProducts>;

    /** Accounts that were opened within the period, with their present balance, none counting as 0. An account is attributed when its contact had a journey, not held back, that began in the 90 days before it was opened. The period is the last 30 days unless the parameters name another one, and an answer can be up to ten minutes old: Cache-Control: no-cache asks for a new one. A request that takes too long is refused with invalid_period and is computed in the background: repeat it later, or shorten the period. Scope: `partner:insights:read`. (`getAdvancedInsightValueOfOpenedProducts`) */
    getValueOfOpenedProducts(
      query?: { period?: string; timezone?: string; filter?: { cohort_id?: string } },
      options?: RequestOptions,
    ): ApiPromise<S.InsightValueOfOpenedProducts>;
  };
  recipients: {
    /** Starts a session of a recipient, by a widget token or by the token of the recipient’s link. The answer has the journey, and sets the cookie of the session. Send session.csrf_token as X-CSRF-Token with every later write that uses the cookie. A token that is bound to no journey is refused with 409: enroll the recipient first. For a token of an enrollment widget this counts as a visit in its insights. (`bootstrapWidget`) */
    bootstrapWidget(
      body?: S.BootstrapWidgetRequest,
      options?: RequestOptions,
    ): ApiPromise<S.RecipientJourney>;

    /** Ends the session of the recipient, removes its cookie, and revokes the widget token that opened it. The journey itself continues. Start another session with the operation bootstrapWidget, by another token or by the link. (`endRecipientSession`) */
    endSession(journey_id: string, options?: RequestOptions): ApiPromise<void>;

    /** Ends the session of the recipient, removes its cookie, and revokes the widget token that opened it. The journey itself continues. Start another session with the operation bootstrapWidget, by another token or by the link. (`endWidgetSession`) */
    endWidgetSession(options?: RequestOptions): ApiPromise<void>;

    /** Returns the journey of the recipient with the pages to show. Pages that need a known recipient are marked as locked. It also returns the CSRF token where the cookie is the credential. (`getRecipientJourney`) */
    getJourney(journey_id: string, options?: RequestOptions): ApiPromise<S.RecipientJourney>;

    /** Returns one page of the journey as the recipient sees it, with the widget that it embeds. A page that the recipient may not see yet is refused. Answer an identity challenge to open locked pages. (`getRecipientPage`) */
    getPage(
      journey_id: string,
      page_id: string,
      options?: RequestOptions,
    ): ApiPromise<S.RecipientPage>;

    /** Records up to 50 events of a recipient, such as a page view. Either all of them are recorded or none. An event whose unique_id was recorded before in this journey counts as a duplicate. Events can complete objectives. (`recordRecipientEvents`) */
    recordEvents(
      journey_id: string,
      body: S.RecordRecipientEventsRequest,
      options?: RequestOptions,
    ): ApiPromise<S.RecordRecipientEventsResponse>;

    /** Subscribes the recipient to a channel or unsubscribes them. Unsubscribing from email or sms holds for every contact of the team with the address or number. Where the widget requires a confirmation, the consent is pending and a message with a link is sent. A repeat with the same status changes nothing. The wording in disclosure is stored as evidence. (`setRecipientConsent`) */
    setConsent(
      journey_id: string,
      channel: string,
      body: S.SetRecipientConsentRequest,
      options?: RequestOptions,
    ): ApiPromise<S.RecipientConsent>;

    /** Returns a question whose answer verifies the recipient. The factor is chosen by the template unless the body names one. A code is sent by e-mail or SMS; a repeat shortly after sends no second one. Send the answer with the operation answerIdentityChallenge. (`createIdentityChallenge`) */
    createIdentityChallenge(
      journey_id: string,
      body?: S.IdentityChallengeCreate,
      options?: RequestOptions,
    ): ApiPromise<S.IdentityChallenge>;

    /** Checks the answer to an identity challenge. A right answer raises the assurance of the session and replaces its cookie. A wrong answer has status 200 and reduces attempts_left. Too many wrong answers lock the contact for a time, with 423 and meta.retry_at. (`answerIdentityChallenge`) */
    answerIdentityChallenge(
      journey_id: string,
      id: string,
      body: S.AnswerIdentityChallengeRequest,
      options?: RequestOptions,
    ): ApiPromise<S.IdentityVerdict>;

    /** Enrolls the visitor of an enrollment widget and starts a session. A token enrolls once: a repeat answers 200 with the same journey. A contact is created where the token names none, and needs email or phone. Contacts are never found by an address. (`enrollRecipient`) */
    enroll(
      body?: S.EnrollRecipientRequest,
      options?: RequestOptions,
    ): ApiPromise<S.RecipientJourney>;
  };
  exports: {
    /** Writes the contacts, or another list of the team, to a file in the background. Filters are those of the list; the token needs its read scope as well. Archived messages have their contents, and each line the SHA-256 of the line before. Poll the address in Location until the status is completed, then download the file. The file is kept for one day. Scope: `partner:exports:write`. (`createExport`) */
    create(body: S.ExportCreate, options?: RequestOptions): ApiPromise<S.Export>;

    /** Returns the exports of the team with their progress. A file can be downloaded until expires_at. The filters are shown to tokens that may read the file. Scope: `partner:exports:read`. (`listExports`) */
    list(
      query?: {
        sort?: Sort<'inserted_at' | 'updated_at'>;
        meta?: 'count';
        filter?: {
          inserted_at?: Filter<Time, Operators1>;
          updated_at?: Filter<Time, Operators1>;
          kind?: Filter<
            | 'contacts'
            | 'accounts'
            | 'objective_completions'
            | 'archived_messages'
            | 'contact_reads'
            | 'contact',
            Operators3
          >;
          status?: Filter<'queued' | 'running' | 'succeeded' | 'failed', Operators3>;
          contact_id?: Filter<string, Operators2>;
        };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListExportsResponse>;

    /** Returns one export and its progress. Until it has finished, the answer carries Retry-After. Download the file with the operation getExportFile. The filters are shown to tokens that may read the file. Scope: `partner:exports:read`. (`getExport`) */
    get(id: string, options?: RequestOptions): ApiPromise<S.Export>;

    /** Deletes an export with its file. An export that is running stops. It cannot be undone, and the deletion is recorded in the audit trail. Scope: `partner:exports:write`. (`deleteExport`) */
    delete(id: string, options?: RequestOptions): ApiPromise<void>;

    /** Downloads the file of a finished export as CSV, NDJSON or JSON. The token needs the scope with which the exported resource is read. An export that has not finished is refused with 409, and one older than a day with 410. Scope: `partner:exports:read`. (`getExportFile`) */
    getFile(
      id: string,
      query?: { bom?: 'true' | 'false' },
      options?: RequestOptions,
    ): ApiPromise<Response>;
  };
  webhookSubscriptions: {
    /** Returns the webhook subscriptions of the team. Signing secrets are never returned. is_disabled_for_failures marks one that the service has switched off. Scope: `partner:webhooks:read`. (`listWebhookSubscriptions`) */
    list(
      query?: {
        sort?: Sort<'inserted_at' | 'updated_at' | 'last_delivered_at' | 'name'>;
        meta?: 'count';
        filter?: {
          inserted_at?: Filter<Time, Operators1>;
          updated_at?: Filter<Time, Operators1>;
          last_delivered_at?: Filter<Time, Operators1>;
          name?: Filter<string, Operators7>;
          target_url?: Filter<string, Operators7>;
          event_types?: Filter<string, Operators8>;
          is_active?: Filter<boolean, Operators9>;
          is_disabled_for_failures?: Filter<boolean, Operators9>;
        };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListWebhookSubscriptionsResponse>;

    /** Subscribes a URL to events. The signing secret is shown in this answer only: store it, and verify each delivery with it. The URL must be a public https address. A team has at most 50 subscriptions. Send a test with the operation testWebhookSubscription next. Scope: `partner:webhooks:write`. (`createWebhookSubscription`) */
    create(
      body: S.WebhookSubscriptionCreate,
      options?: RequestOptions,
    ): ApiPromise<S.CreatedWebhookSubscription>;

    /** Returns one webhook subscription with its failures and the state of its deliveries. The signing secret is never returned. Scope: `partner:webhooks:read`. (`getWebhookSubscription`) */
    get(id: string, options?: RequestOptions): ApiPromise<S.WebhookSubscription>;

    /** Changes the fields that the body names. Set is_disabled_for_failures to false to enable a subscription that the service has disabled. With is_active false, deliveries wait. Another target_url removes the custom headers, because their values are credentials for the old receiver; an unchanged one is not checked again. Scope: `partner:webhooks:write`. (`updateWebhookSubscription`) */
    update(
      id: string,
      body: S.WebhookSubscriptionPatch,
      options?: RequestOptions,
    ): ApiPromise<S.WebhookSubscription>;

    /** Deletes a webhook subscription permanently. Deliveries that wait are canceled. The URL receives nothing more, except for an attempt that is in flight. Scope: `partner:webhooks:write`. (`deleteWebhookSubscription`) */
    delete(id: string, options?: RequestOptions): ApiPromise<void>;

    /** Creates a new signing secret, which is shown in this answer only. The old secret signs as well until the overlap ends, which is 24 hours unless the body names another time of at most seven days. A rotation whose overlap has not ended is refused with 409 unless force is true. Install the new secret before the overlap ends. Scope: `partner:webhooks:write`. (`rotateWebhookSecret`) */
    rotateSecret(
      id: string,
      body?: S.RotateWebhookSecretRequest,
      options?: RequestOptions,
    ): ApiPromise<S.RotatedSecret>;

    /** Sends a test event to this subscription alone. It is one attempt, which is not retried and does not count as a failure. The body is webhook.ping, or the example of the event type that the request names. Read the outcome at the delivery in the answer. An inactive or disabled subscription is refused with 409. Scope: `partner:webhooks:write`. (`testWebhookSubscription`) */
    test(
      id: string,
      body?: S.TestWebhookSubscriptionRequest,
      options?: RequestOptions,
    ): ApiPromise<S.WebhookDelivery>;

    /** Returns the deliveries of a subscription, the latest first. Each has the number of attempts, the status of the last one and the time of the next. Scope: `partner:webhooks:read`. (`listWebhookDeliveries`) */
    listDeliveries(
      id: string,
      query?: {
        sort?: Sort<'inserted_at' | 'last_attempt_at'>;
        meta?: 'count';
        filter?: {
          inserted_at?: Filter<Time, Operators1>;
          last_attempt_at?: Filter<Time, Operators1>;
          next_attempt_at?: Filter<Time, Operators1>;
          status?: Filter<
            'pending' | 'retrying' | 'delivered' | 'failed' | 'suppressed',
            Operators6
          >;
          event_type?: Filter<string, Operators7>;
          event_id?: Filter<string, Operators6>;
          http_status?: Filter<number, Operators1>;
          error_code?: Filter<string, Operators7>;
        };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListWebhookDeliveriesResponse>;

    /** Returns the number of deliveries by status, and the latency of their attempts. The window is the last 24 hours unless the parameters name another one. It has no side effects. Scope: `partner:webhooks:read`. (`getWebhookDeliveryCounts`) */
    getDeliveryCounts(
      id: string,
      query?: { filter?: { inserted_at?: Operators<Time, Operators15> } },
      options?: RequestOptions,
    ): ApiPromise<S.WebhookDeliveryCounts>;

    /** Returns one delivery with its status and its next attempt. include=attempts adds the attempts, and include=event adds the body that was sent. The body needs the scope partner:webhooks:write. Scope: `partner:webhooks:read`. (`getWebhookDelivery`) */
    getDelivery(
      id: string,
      delivery_id: string,
      query?: { include?: string },
      options?: RequestOptions,
    ): ApiPromise<S.WebhookDeliveryDetails>;

    /** Starts a delivery over: one attempt now, and the full retry schedule if it fails. An event that is no longer stored is refused with 410. An inactive or disabled subscription is refused with 409. Receivers recognize the repeat by its webhook-id. Scope: `partner:webhooks:write`. (`retryWebhookDelivery`) */
    retryDelivery(
      id: string,
      delivery_id: string,
      options?: RequestOptions,
    ): ApiPromise<S.WebhookDelivery>;

    /** Returns the attempts of a delivery with the status. The headers and the beginning of the answer are shown to tokens with the read scope of the event type. Scope: `partner:webhooks:read`. (`listWebhookAttempts`) */
    listAttempts(
      id: string,
      delivery_id: string,
      query?: {
        sort?: Sort<'number' | 'requested_at'>;
        meta?: 'count';
        filter?: { number?: Filter<number, Operators1>; requested_at?: Filter<Time, Operators1> };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListWebhookAttemptsResponse>;

    /** Returns the settings of the deliveries to a subscription: rate, concurrency, order, timeout, headers and signature. Values of headers are never returned. Scope: `partner:webhooks:read`. (`getWebhookDeliverySettings`) */
    getDeliverySettings(
      id: string,
      options?: RequestOptions,
    ): ApiPromise<S.WebhookDeliverySettings>;

    /** Changes the settings that the body names, for the attempts from now on. headers replaces all custom headers. Turning asymmetric_signing on creates a key pair whose public key is returned. The change is recorded in the audit trail. Scope: `partner:webhooks:write`. (`updateWebhookDeliverySettings`) */
    updateDeliverySettings(
      id: string,
      body: S.WebhookDeliverySettingsPatch,
      options?: RequestOptions,
    ): ApiPromise<S.WebhookDeliverySettings>;

    /** Starts deliveries of a subscription over, either by id or those of a window of time. With dry_run the answer is 200 and says how many deliveries would be replayed. One replay of a subscription runs at a time. Poll the address in Location, and cancel the replay where needed. Scope: `partner:webhooks:write`. (`replayWebhooks`) */
    replay(
      id: string,
      body: S.ReplayWebhooksRequest,
      options?: RequestOptions,
    ): ApiPromise<S.AskedWebhookReplay>;

    /** Returns the replays of a subscription, the latest first. The counts say how many deliveries were matched, started over, delivered and skipped. Scope: `partner:webhooks:read`. (`listWebhookReplays`) */
    listReplays(
      id: string,
      query?: {
        sort?: Sort<'inserted_at'>;
        meta?: 'count';
        filter?: {
          inserted_at?: Filter<Time, Operators1>;
          status?: Filter<'pending' | 'running' | 'completed' | 'canceled' | 'failed', Operators6>;
        };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListWebhookReplaysResponse>;

    /** Returns one replay with its progress and the outcome of its deliveries. Poll it until its status is final. Scope: `partner:webhooks:read`. (`getWebhookReplay`) */
    getReplay(id: string, replay_id: string, options?: RequestOptions): ApiPromise<S.WebhookReplay>;

    /** Stops a replay. Deliveries that it has started over continue. When the answer arrives, nothing more is replayed. A replay that has ended is refused with 409. Scope: `partner:webhooks:write`. (`cancelWebhookReplay`) */
    cancelReplay(
      id: string,
      replay_id: string,
      options?: RequestOptions,
    ): ApiPromise<S.WebhookReplay>;
  };
  webhookEventTypes: {
    /** Returns every type of event with the JSON Schema of its body. The list is complete and is not paged. Choose from it the event_types of a subscription; custom.* stands for the types that the operation listCustomEventTypes lists. Scope: `partner:webhooks:read`. (`listWebhookEventTypes`) */
    list(options?: RequestOptions): ApiPromise<S.ListWebhookEventTypesResponse>;
  };
  incomingWebhookReceivers: {
    /** Returns the incoming webhook receivers of the team. Secrets are never returned. The receive_url is the address to configure at the provider. Scope: `partner:incoming-webhooks:read`. (`listIncomingWebhookReceivers`) */
    list(
      query?: {
        sort?: Sort<'inserted_at' | 'updated_at' | 'name'>;
        meta?: 'count';
        filter?: {
          inserted_at?: Filter<Time, Operators1>;
          updated_at?: Filter<Time, Operators1>;
          name?: Filter<string, Operators7>;
          receiver_kind?: Filter<
            | 'email_a'
            | 'email_b'
            | 'email_c'
            | 'sms_a'
            | 'sms_b'
            | 'push_a'
            | 'push_b'
            | 'file_transfer_a'
            | 'generic_hmac',
            Operators3
          >;
          is_active?: Filter<boolean, Operators9>;
        };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListIncomingWebhookReceiversResponse>;

    /** Creates an address at which a provider delivers its callbacks. The secrets in this answer are shown only here. Settings that verify the provider go into verification. A team has at most 50 receivers. Enter the url of the answer at the provider, then send a test. Scope: `partner:incoming-webhooks:write`. (`createIncomingWebhookReceiver`) */
    create(
      body: S.IncomingWebhookReceiverCreate,
      options?: RequestOptions,
    ): ApiPromise<S.CreatedIncomingWebhookReceiver>;

    /** Returns one incoming webhook receiver with its address, its counters and the state of its verification. Secrets are never returned. Scope: `partner:incoming-webhooks:read`. (`getIncomingWebhookReceiver`) */
    get(id: string, options?: RequestOptions): ApiPromise<S.IncomingWebhookReceiver>;

    /** Changes the fields that the body names, the verification as well. The kind is fixed. A secret that is replaced is accepted for another 24 hours. The change applies to the next callback. Scope: `partner:incoming-webhooks:write`. (`updateIncomingWebhookReceiver`) */
    update(
      id: string,
      body: S.IncomingWebhookReceiverPatch,
      options?: RequestOptions,
    ): ApiPromise<S.IncomingWebhookReceiver>;

    /** Deletes an incoming webhook receiver permanently. Callbacks to its address are answered with 404 from then on. Remove the address at the provider as well. Scope: `partner:incoming-webhooks:delete`. (`deleteIncomingWebhookReceiver`) */
    delete(id: string, options?: RequestOptions): ApiPromise<void>;

    /** Sends a signed sample of the provider through the receiver. The delivery is marked as a test and has no effect on contacts or messages. An inactive receiver is refused with 410. Read the outcome in the answer. Scope: `partner:incoming-webhooks:write`. (`testIncomingWebhookReceiver`) */
    test(
      id: string,
      body?: S.TestIncomingWebhookReceiverRequest,
      options?: RequestOptions,
    ): ApiPromise<S.InboundDelivery>;

    /** Returns how callbacks of a receiver are verified: scheme, settings and which secrets are set. Secrets are never returned. Scope: `partner:incoming-webhooks:read`. (`getReceiverVerification`) */
    getVerification(id: string, options?: RequestOptions): ApiPromise<S.ReceiverVerification>;

    /** Changes settings and secrets with which callbacks are verified. A secret that is replaced is accepted for another 24 hours. The change applies to the next callback and is recorded in the audit trail. Scope: `partner:incoming-webhooks:write`. (`updateReceiverVerification`) */
    updateVerification(
      id: string,
      body: S.ReceiverVerificationPatch,
      options?: RequestOptions,
    ): ApiPromise<S.ReceiverVerification>;

    /** Creates new secrets of the service for a receiver, which are shown in this answer only. The old ones are accepted for another 24 hours. A rotation within that time is refused with 409 unless force is true. Install the new secrets at the relay or the provider. Scope: `partner:incoming-webhooks:write`. (`rotateReceiverSecret`) */
    rotateSecret(
      id: string,
      body?: S.RotateReceiverSecretRequest,
      options?: RequestOptions,
    ): ApiPromise<S.RotatedReceiverSecrets>;

    /** Accepts the notifications of a topic that asks to be confirmed, and pins the topic to the receiver. The confirmation is sent in the background. Without a request of a topic the answer is 409. Read subscription states at the verification of the receiver. Scope: `partner:incoming-webhooks:write`. (`confirmReceiverSubscription`) */
    confirmSubscription(
      id: string,
      body?: S.ConfirmReceiverSubscriptionRequest,
      options?: RequestOptions,
    ): ApiPromise<S.ReceiverVerification>;
  };
  uploads: {
    /** Uploads a file of items for batch operations, as CSV or NDJSON. The body is the file itself, without multipart. The same bytes sent again make another upload unless the Idempotency-Key is the same. Name the id of the upload in upload_id of createBatchOperation or validateBatchOperation. Scope: `batch:operations:write`. (`createUpload`) */
    create(body: UploadBody, options?: RequestOptions): ApiPromise<S.Upload>;

    /** Returns one uploaded file with its size and SHA-256, without its content. Compare the hash to make sure that the file arrived complete. Scope: `batch:operations:read`. (`getUpload`) */
    get(id: string, options?: RequestOptions): ApiPromise<S.Upload>;

    /** Deletes an uploaded file permanently. A file that an operation is still reading is refused with 409. Results of finished operations stay. Scope: `batch:operations:write`. (`deleteUpload`) */
    delete(id: string, options?: RequestOptions): ApiPromise<void>;
  };
  inboundWebhooks: {
    /** Receives callbacks of the kind email_a. The body is either the payload of the provider, with the signature of the provider, or the normalized form. A relay signs with the whsec_ secret of the receiver by Standard Webhooks, and a partner can send a token instead. An event that was received before is answered with 200 and the status duplicate, so repeats are harmless. The answer is sent once the callback is stored; its effects follow in the background. Scope: `partner:incoming-webhooks:write`. (`receiveEmailA`) */
    receiveEmailA(
      receiver_id: string,
      body: S.EmailA | S.TopicEnvelope | string,
      options?: RequestOptions,
    ): ApiPromise<S.InboundReceipt>;

    /** Receives callbacks of the kind email_b. The body is either the payload of the provider, with the signature of the provider, or the normalized form. A relay signs with the whsec_ secret of the receiver by Standard Webhooks, and a partner can send a token instead. An event that was received before is answered with 200 and the status duplicate, so repeats are harmless. The answer is sent once the callback is stored; its effects follow in the background. Scope: `partner:incoming-webhooks:write`. (`receiveEmailB`) */
    receiveEmailB(
      receiver_id: string,
      body: S.ReceiveEmailBRequest | S.EmailBNativeEvent[],
      options?: RequestOptions,
    ): ApiPromise<S.InboundReceipt>;

    /** Receives callbacks of the kind email_c. The body is either the payload of the provider, with the signature of the provider, or the normalized form. A relay signs with the whsec_ secret of the receiver by Standard Webhooks, and a partner can send a token instead. An event that was received before is answered with 200 and the status duplicate, so repeats are harmless. The answer is sent once the callback is stored; its effects follow in the background. Scope: `partner:incoming-webhooks:write`. (`receiveEmailC`) */
    receiveEmailC(
      receiver_id: string,
      body: S.EmailC | S.EmailCNativeEvent | S.EmailCForm,
      options?: RequestOptions,
    ): ApiPromise<S.InboundReceipt>;

    /** Receives callbacks of the kind sms_a. The body is either the payload of the provider, with the signature of the provider, or the normalized form. A relay signs with the whsec_ secret of the receiver by Standard Webhooks, and a partner can send a token instead. An event that was received before is answered with 200 and the status duplicate, so repeats are harmless. The answer is sent once the callback is stored; its effects follow in the background. Scope: `partner:incoming-webhooks:write`. (`receiveSmsA`) */
    receiveSmsA(
      receiver_id: string,
      body: S.SmsA | S.SmsAForm,
      options?: RequestOptions,
    ): ApiPromise<S.InboundReceipt>;

    /** Receives callbacks of the kind sms_b. The body is either the payload of the provider, with the signature of the provider, or the normalized form. A relay signs with the whsec_ secret of the receiver by Standard Webhooks, and a partner can send a token instead. An event that was received before is answered with 200 and the status duplicate, so repeats are harmless. The answer is sent once the callback is stored; its effects follow in the background. Scope: `partner:incoming-webhooks:write`. (`receiveSmsB`) */
    receiveSmsB(
      receiver_id: string,
      body: S.SmsB | S.SmsBNativeEvent,
      options?: RequestOptions,
    ): ApiPromise<S.InboundReceipt>;

    /** Receives callbacks of the kind push_a. The body is either the payload of the provider, with the signature of the provider, or the normalized form. A relay signs with the whsec_ secret of the receiver by Standard Webhooks, and a partner can send a token instead. An event that was received before is answered with 200 and the status duplicate, so repeats are harmless. The answer is sent once the callback is stored; its effects follow in the background. Scope: `partner:incoming-webhooks:write`. (`receivePushA`) */
    receivePushA(
      receiver_id: string,
      body: S.PushA | S.PushAMessage,
      options?: RequestOptions,
    ): ApiPromise<S.InboundReceipt>;

    /** Receives callbacks of the kind push_b. The body is either the payload of the provider, with the signature of the provider, or the normalized form. A relay signs with the whsec_ secret of the receiver by Standard Webhooks, and a partner can send a token instead. An event that was received before is answered with 200 and the status duplicate, so repeats are harmless. The answer is sent once the callback is stored; its effects follow in the background. Scope: `partner:incoming-webhooks:write`. (`receivePushB`) */
    receivePushB(
      receiver_id: string,
      body: S.PushB | S.PushBNativeEvent,
      options?: RequestOptions,
    ): ApiPromise<S.InboundReceipt>;

    /** Receives callbacks of the kind file_transfer_a. The body is either the payload of the provider, with the signature of the provider, or the normalized form. A relay signs with the whsec_ secret of the receiver by Standard Webhooks, and a partner can send a token instead. An event that was received before is answered with 200 and the status duplicate, so repeats are harmless. The answer is sent once the callback is stored; its effects follow in the background. Scope: `partner:incoming-webhooks:write`. (`receiveFileTransferA`) */
    receiveFileTransferA(
      receiver_id: string,
      body: S.FileTransferA | S.TopicEnvelope | string,
      options?: RequestOptions,
    ): ApiPromise<S.InboundReceipt>;

    /** Receives callbacks of the kind generic_hmac. The body is either the payload of the provider, with the signature of the provider, or the normalized form. A relay signs with the whsec_ secret of the receiver by Standard Webhooks, and a partner can send a token instead. An event that was received before is answered with 200 and the status duplicate, so repeats are harmless. The answer is sent once the callback is stored; its effects follow in the background. Scope: `partner:incoming-webhooks:write`. (`receiveGenericHmac`) */
    receiveGenericHmac(
      receiver_id: string,
      body: S.GenericHmac,
      options?: RequestOptions,
    ): ApiPromise<S.InboundReceipt>;

    /** Returns the callbacks that a receiver got, the latest first. Embed the payload with include. Scope: `partner:incoming-webhooks:read`. (`listInboundDeliveries`) */
    listDeliveries(
      receiver_id: string,
      query?: {
        sort?: Sort<'received_at' | 'processed_at'>;
        include?: readonly 'payload'[];
        meta?: 'count';
        filter?: {
          received_at?: Filter<Time, Operators1>;
          processed_at?: Filter<Time, Operators1>;
          status?: Filter<
            | 'processed'
            | 'failed'
            | 'ignored'
            | 'pending_confirmation'
            | 'rejected_signature'
            | 'rejected_invalid',
            Operators3
          >;
          event_type?: Filter<string, Operators6>;
          signature_status?: Filter<
            'verified' | 'unsigned' | 'invalid' | 'missing' | 'expired',
            Operators3
          >;
          mode?: Filter<'native' | 'normalized' | 'normalized_enveloped' | 'bearer', Operators3>;
          provider_event_id?: Filter<string, Operators2>;
          do_message_id?: Filter<string, Operators2>;
          do_contact_id?: Filter<string, Operators2>;
          do_journey_id?: Filter<string, Operators2>;
          contact_id?: Filter<string, Operators2>;
          message_id?: Filter<string, Operators2>;
        };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListInboundDeliveriesResponse>;

    /** Returns one callback with its normalized payload and the outcome. include=raw adds the call as it arrived, and needs the scope partner:incoming-webhooks:write. Payloads are stored for a limited time. Scope: `partner:incoming-webhooks:read`. (`getInboundDelivery`) */
    getDelivery(
      receiver_id: string,
      delivery_id: string,
      query?: { include?: string },
      options?: RequestOptions,
    ): ApiPromise<S.InboundDeliveryDetails>;

    /** Returns the number of callbacks of a receiver by outcome. The window is the last 24 hours unless the parameters name another one. Rejected calls that were too many to be stored are counted in dropped_rejections. Scope: `partner:incoming-webhooks:read`. (`getInboundDeliveryCounts`) */
    getDeliveryCounts(
      receiver_id: string,
      query?: { filter?: { received_at?: Operators<Time, Operators15> } },
      options?: RequestOptions,
    ): ApiPromise<S.InboundDeliveryCounts>;

    /** Applies callbacks of a receiver again, either by id or those of a window of time. With dry_run the answer is 200 and says how many would be applied. One replay of a receiver runs at a time. Rejected callbacks cannot be replayed. Poll the address in Location. Scope: `partner:incoming-webhooks:write`. (`replayInboundWebhooks`) */
    replay(
      receiver_id: string,
      body: S.ReplayInboundWebhooksRequest,
      options?: RequestOptions,
    ): ApiPromise<S.AskedInboundReplay>;

    /** Returns the replays of a receiver, the latest first. The counts say how many callbacks were matched, applied and skipped. Scope: `partner:incoming-webhooks:read`. (`listInboundReplays`) */
    listReplays(
      receiver_id: string,
      query?: {
        sort?: Sort<'inserted_at'>;
        meta?: 'count';
        filter?: {
          inserted_at?: Filter<Time, Operators1>;
          status?: Filter<'pending' | 'running' | 'completed' | 'canceled' | 'failed', Operators6>;
        };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListInboundReplaysResponse>;

    /** Returns one replay with its progress and its outcome. Poll it until its status is final. Scope: `partner:incoming-webhooks:read`. (`getInboundReplay`) */
    getReplay(
      receiver_id: string,
      replay_id: string,
      options?: RequestOptions,
    ): ApiPromise<S.InboundReplay>;

    /** Stops a replay. Callbacks that it has applied stay applied. A replay that has ended is refused with 409. Scope: `partner:incoming-webhooks:write`. (`cancelInboundReplay`) */
    cancelReplay(
      receiver_id: string,
      replay_id: string,
      options?: RequestOptions,
    ): ApiPromise<S.InboundReplay>;
  };
  operations: {
    /** Returns the operations of the integration catalog with their schemas. It is the same for every team. Scope: `ipaas:operations:read`. (`listOperations`) */
    list(
      query?: {
        sort?: Sort<'kind'>;
        meta?: 'count';
        filter?: {
          category?: Filter<
            | 'accounts'
            | 'cohorts'
            | 'contacts'
            | 'content'
            | 'events'
            | 'insights'
            | 'journeys'
            | 'messages'
            | 'objectives'
            | 'privacy'
            | 'templates'
            | 'webhooks',
            Operators3
          >;
          execution_mode?: Filter<'sync' | 'async', Operators3>;
        };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListOperationsResponse>;

    /** Returns one operation: its input and output schemas, its scopes, its limits, and how it repeats and fails. Read it before you build an integration on the operation. Scope: `ipaas:operations:read`. (`getOperationDescriptor`) */
    getDescriptor(
      operation_kind: string,
      options?: RequestOptions,
    ): ApiPromise<S.OperationDescriptor>;

    /** Executes an operation with one input or with up to 10,000 items. Few items of a synchronous operation are executed within the request, and the answer has their results. Otherwise, or with Prefer: respond-async, the answer is 202 and the address in Location shows the progress. The operation decides whether an Idempotency-Key is required. The token also needs the scopes of the operation. Scope: `ipaas:operations:execute`. (`executeOperation`) */
    execute(
      operation_kind: string,
      body: S.ExecuteOperationRequest,
      options?: RequestOptions,
    ): ApiPromise<S.OperationReport | S.OperationExecution>;
  };
  executions: {
    /** Returns the executions that ran in the background, the latest first. Only calls that answered 202 are among them. Their results are stored until expires_at. Scope: `ipaas:operations:read`. (`listExecutions`) */
    list(
      query?: {
        sort?: Sort<'inserted_at' | 'updated_at'>;
        meta?: 'count';
        filter?: {
          inserted_at?: Filter<Time, Operators1>;
          updated_at?: Filter<Time, Operators1>;
          status?: Filter<
            | 'queued'
            | 'running'
            | 'succeeded'
            | 'succeeded_with_errors'
            | 'failed'
            | 'canceling'
            | 'canceled',
            Operators6
          >;
          operation_kind?: Filter<string, Operators3>;
        };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListExecutionsResponse>;

    /** Returns one execution and its progress. Until it has finished, the answer carries Retry-After. The error is shown only to tokens with the scopes of the operation. Scope: `ipaas:operations:read`. (`getExecution`) */
    get(id: string, options?: RequestOptions): ApiPromise<S.OperationExecution>;

    /** Returns the results of a finished execution, item by item. The token needs the scopes of the operation. An execution that has not finished is refused with 409, and results older than seven days with 410. Scope: `ipaas:operations:read`. (`getExecutionResult`) */
    getResult(
      id: string,
      query?: {
        sort?: Sort<'index'>;
        meta?: 'count';
        filter?: {
          index?: Filter<number, Operators16>;
          status?: Filter<'created' | 'updated' | 'unchanged' | 'skipped' | 'failed', Operators2>;
        };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.GetExecutionResultResponse>;

    /** Returns the results of the items so far, also while the execution is running. The token needs the scopes of the operation. Results are kept for seven days. Scope: `ipaas:operations:read`. (`listExecutionItems`) */
    listItems(
      id: string,
      query?: {
        sort?: Sort<'index'>;
        meta?: 'count';
        filter?: {
          index?: Filter<number, Operators16>;
          status?: Filter<'created' | 'updated' | 'unchanged' | 'skipped' | 'failed', Operators2>;
        };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListExecutionItemsResponse>;

    /** Stops an execution before its next items. What it has applied stays applied. An execution that has finished is refused with 409. Scope: `ipaas:operations:execute`. (`cancelExecution`) */
    cancel(id: string, options?: RequestOptions): ApiPromise<S.OperationExecution>;

    /** Executes the operation again for the failed items, as a new execution. The execution must have finished within the last seven days. Poll the address in Location. Scope: `ipaas:operations:execute`. (`retryExecution`) */
    retry(id: string, options?: RequestOptions): ApiPromise<S.OperationExecution>;
  };
  batchOperations: {
    /** Applies an operation to many items in the background. The items are in the body, or in an upload that the body names. The Idempotency-Key is required, so that a repeat does not apply the items twice. The token also needs the scopes of the operation. Poll the address in Location, then read the items. Scope: `batch:operations:write`. (`createBatchOperation`) */
    create(body: S.BatchOperationCreate, options?: RequestOptions): ApiPromise<S.BatchOperation>;

    /** Returns the batch operations, the latest first. The counts of each grow while it runs; error_summary has the first codes of failed items. Scope: `batch:operations:read`. (`listBatchOperations`) */
    list(
      query?: {
        sort?: Sort<'inserted_at' | 'updated_at'>;
        meta?: 'count';
        filter?: {
          inserted_at?: Filter<Time, Operators1>;
          updated_at?: Filter<Time, Operators1>;
          status?: Filter<
            | 'queued'
            | 'validating'
            | 'running'
            | 'succeeded'
            | 'succeeded_with_errors'
            | 'failed'
            | 'canceling'
            | 'canceled',
            Operators6
          >;
          operation_kind?: Filter<string, Operators3>;
        };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListBatchOperationsResponse>;

    /** Says what a batch would do, without applying anything. Up to 100 items of a synchronous operation are answered with 200 right away. Otherwise the answer is 202, and a batch in the background tries the items. Run the operation createBatchOperation when the result is right. Scope: `batch:operations:write`. (`validateBatchOperation`) */
    validate(
      body: S.ValidateBatchOperationRequest,
      options?: RequestOptions,
    ): ApiPromise<S.BatchValidation>;

    /** Returns one batch operation and its progress. Until it has finished, the answer carries Retry-After. The error is shown only to tokens with the scopes of the operation. Scope: `batch:operations:read`. (`getBatchOperation`) */
    get(id: string, options?: RequestOptions): ApiPromise<S.BatchOperation>;

    /** Returns the results of the items so far, also while the batch is running. The token needs the scopes of the operation. Results are kept for seven days. Scope: `batch:operations:read`. (`listBatchOperationItems`) */
    listItems(
      id: string,
      query?: {
        sort?: Sort<'index'>;
        meta?: 'count';
        filter?: {
          index?: Filter<number, Operators16>;
          status?: Filter<'created' | 'updated' | 'unchanged' | 'skipped' | 'failed', Operators2>;
        };
        page?: PageQuery;
      },
      options?: RequestOptions,
    ): ListPromise<S.ListBatchOperationItemsResponse>;

    /** Downloads the errors of the items so far as a CSV file. The items themselves are not in the file. The token needs the scopes of the operation. Results are kept for seven days. Scope: `batch:operations:read`. (`getBatchOperationErrors`) */
    getErrors(id: string, options?: RequestOptions): ApiPromise<Response>;

    /** Stops a batch operation before its next items. What it has applied stays applied. A batch that has finished is refused with 409. Scope: `batch:operations:write`. (`cancelBatchOperation`) */
    cancel(id: string, options?: RequestOptions): ApiPromise<S.BatchOperation>;

    /** Runs the failed items of a batch again, as a new batch. The batch must have finished within the last seven days. Poll the address in Location. Scope: `batch:operations:write`. (`retryBatchOperation`) */
    retry(id: string, options?: RequestOptions): ApiPromise<S.BatchOperation>;
  };
}
