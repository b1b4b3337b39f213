// Written by `npm run generate -- sdk` from the OpenAPI document.
export const facts = `
createToken
e	grant_type=client_credentials
f	grant_type=	*	client_credentials
f	client_id=		text
f	client_secret=		text
f	scope=		text	Scopes separated by single spaces
revokeAccessToken
e	token=token
f	token=	*	text
f	token_type_hint=		text
listErrorCodes
c	code	title	status
listEventTypes
c	name	description
listRequests
w	occurred_at	request_id	operation	method	client_id	status	error_codes
s	occurred_at
c	id	request_id	source_ip	status	duration_ms	occurred_at	client_id
listContacts
w	unique_id	email	phone	status	email_status	tags	locale	cohort_id	inserted_at	updated_at	last_engaged_at	attributes.<name>
s	email	last_name	inserted_at	updated_at	last_engaged_at
i	accounts	cohorts	journeys
c	id	unique_id	email	email_status	status	account_count	open_journey_count
createContact
e	unique_id=crm-4711 email=ada@example.com first_name=Ada last_name=Lovelace 'tags:=["new-customer"]'
f	unique_id=		text up to 255 characters or null	The partner’s own key; unique in the team, case-sensitive
f	email=		e-mail address or null
f	first_name=		text up to 100 characters or null
f	last_name=		text up to 100 characters or null
f	preferred_name=		text up to 100 characters or null
f	phone=		phone number, such as +14155550100, or null	E.164
f	locale=		locale, such as en-US, or null	BCP 47; the team’s if absent
f	timezone=		time zone, such as Europe/Berlin, or null	IANA; the team’s if absent
f	postal_code=		text up to 16 characters or null
f	tags:=		list of text, at most 50, or null
f	attributes.<name>=		text or number or true | false or list of text or null
f	consents.email.status=	*	never | pending | subscribed | unsubscribed
f	consents.email.source=		text up to 255 characters	Where it was given or withdrawn; required with a status
f	consents.email.updated_at=		time, such as 2026-01-31T09:30:00Z	When the service recorded it; ignored in bodies
f	consents.email.evidence=		text up to 2,000 characters	Evidence, such as the wording shown or a reference to it
f	consents.sms.status=	*	never | pending | subscribed | unsubscribed
f	consents.sms.source=		text up to 255 characters	Where it was given or withdrawn; required with a status
f	consents.sms.updated_at=		time, such as 2026-01-31T09:30:00Z	When the service recorded it; ignored in bodies
f	consents.sms.evidence=		text up to 2,000 characters	Evidence, such as the wording shown or a reference to it
f	consents.push.status=	*	never | pending | subscribed | unsubscribed
f	consents.push.source=		text up to 255 characters	Where it was given or withdrawn; required with a status
f	consents.push.updated_at=		time, such as 2026-01-31T09:30:00Z	When the service recorded it; ignored in bodies
f	consents.push.evidence=		text up to 2,000 characters	Evidence, such as the wording shown or a reference to it
f	date_of_birth=		date, such as 2026-01-31, or null	Sealed; shown only to tokens with partner:contacts_sensitive:read
updateContact
e	unique_id=crm-4711
f	unique_id=		text up to 255 characters or null	The partner’s own key; unique in the team, case-sensitive
f	email=		e-mail address or null
f	first_name=		text up to 100 characters or null
f	last_name=		text up to 100 characters or null
f	preferred_name=		text up to 100 characters or null
f	phone=		phone number, such as +14155550100, or null	E.164
f	locale=		locale, such as en-US, or null	BCP 47; the team’s if absent
f	timezone=		time zone, such as Europe/Berlin, or null	IANA; the team’s if absent
f	postal_code=		text up to 16 characters or null
f	tags:=		list of text, at most 50, or null
f	attributes.<name>=		text or number or true | false or list of text or null
f	consents.email.status=	*	never | pending | subscribed | unsubscribed
f	consents.email.source=		text up to 255 characters	Where it was given or withdrawn; required with a status
f	consents.email.updated_at=		time, such as 2026-01-31T09:30:00Z	When the service recorded it; ignored in bodies
f	consents.email.evidence=		text up to 2,000 characters	Evidence, such as the wording shown or a reference to it
f	consents.sms.status=	*	never | pending | subscribed | unsubscribed
f	consents.sms.source=		text up to 255 characters	Where it was given or withdrawn; required with a status
f	consents.sms.updated_at=		time, such as 2026-01-31T09:30:00Z	When the service recorded it; ignored in bodies
f	consents.sms.evidence=		text up to 2,000 characters	Evidence, such as the wording shown or a reference to it
f	consents.push.status=	*	never | pending | subscribed | unsubscribed
f	consents.push.source=		text up to 255 characters	Where it was given or withdrawn; required with a status
f	consents.push.updated_at=		time, such as 2026-01-31T09:30:00Z	When the service recorded it; ignored in bodies
f	consents.push.evidence=		text up to 2,000 characters	Evidence, such as the wording shown or a reference to it
f	date_of_birth=		date, such as 2026-01-31, or null	Sealed; shown only to tokens with partner:contacts_sensitive:read
mergeContact
e	source_contact_id=0b9c5f0e-7d7e-4c55-9a1b-3f2f6f2a8c11
f	source_contact_id=	*	id	The contact that goes; it answers 410 from then on
setContactConsent
e	status=pending source=source
f	status=	*	pending | subscribed | unsubscribed
f	source=	*	text up to 255 characters	Where it was given or withdrawn
f	evidence=		text up to 2,000 characters	Evidence, such as the wording shown or a reference to it
listContactConsentChanges
w	inserted_at	channel
s	inserted_at
c	id	channel	inserted_at	contact_id
setContactTopicConsent
e	status=subscribed source=source
f	status=	*	subscribed | unsubscribed
f	source=	*	text up to 255 characters	Where it was given or withdrawn
f	evidence=		text up to 2,000 characters	Evidence, such as the wording shown or a reference to it
listContactTopicConsentChanges
w	inserted_at	topic_id	channel
s	inserted_at
c	id	channel	inserted_at	contact_id
listTopics
w	position	inserted_at	updated_at	name	default_consent	is_archived
s	position	inserted_at	updated_at	name
c	id	name	description	default_consent	position	is_archived	inserted_at
createTopic
e	'name=Welcome of new customers'
f	name=	*	text up to 80 characters	Shown to recipients; unique in the team
f	description=		text up to 300 characters or null	Shown to recipients below the name
f	position:=		whole number from 0 to 10000	Order in the preference center, the lowest first; last by default
f	default_consent=		subscribed | unsubscribed	Fixed
f	localizations.<name>.name=		text up to 80 characters
f	localizations.<name>.description=		text up to 300 characters	Shown to recipients below the name
updateTopic
e	'name=Welcome of new customers'
f	name=		text up to 80 characters	Shown to recipients; unique in the team
f	description=		text up to 300 characters or null	Shown to recipients below the name
f	position:=		whole number from 0 to 10000	Order in the preference center, the lowest first; last by default
f	default_consent=		subscribed | unsubscribed	Fixed
f	localizations.<name>.name=		text up to 80 characters
f	localizations.<name>.description=		text up to 300 characters	Shown to recipients below the name
listContactDevices
w	inserted_at	updated_at	platform	is_active	token_hash
s	inserted_at	updated_at
c	id	token_hash	app_id	platform	is_active	inserted_at	contact_id
createContactDevice
e	platform=ios token=token
f	platform=	*	ios | android | web
f	app_id=		text up to 255 characters or null
f	token=	*	text up to 4,096 characters	As the push provider gave it; never shown
listSuppressions
w	inserted_at	updated_at	channel	address	contact_id	reason	source
s	inserted_at	updated_at
c	id	address	note	channel	reason	inserted_at	contact_id
createSuppression
e	channel=email address=ada@example.com
f	channel=	*	email | sms | all	email and sms stop an address, all stops a contact altogether
f	address=		text up to 254 characters or null	E-mail address or E.164 number; with channel email or sms
f	contact_id=		id or null	With channel all
f	reason=		manual | hard_bounce | soft_bounces | complaint | unsubscribe or null
f	note=		text up to 2,000 characters or null
listAccounts
w	contact_id	unique_id	kind	product_id	status	opened_at	closed_at	balance_cents	updated_at
s	opened_at	closed_at	balance_cents	inserted_at	updated_at
i	contact
c	id	unique_id	name	kind	status	balance_cents	is_primary
listContactAccounts
w	contact_id	unique_id	kind	product_id	status	opened_at	closed_at	balance_cents	updated_at
s	opened_at	closed_at	balance_cents	inserted_at	updated_at
i	contact
c	id	unique_id	name	kind	status	balance_cents	is_primary
createContactAccount
e	kind=deposit
f	unique_id=		text up to 255 characters or null	The partner’s own key; unique among those of the contact
f	name=		text up to 120 characters or null
f	kind=	*	deposit | loan | credit | investment | other
f	product_id=		id or null
f	opened_at=		time, such as 2026-01-31T09:30:00Z, or null
f	closed_at=		time, such as 2026-01-31T09:30:00Z, or null	Not before opened_at
f	balance_cents:=		whole number from -10000000000000 to 10000000000000 or null	Amount in cents of the currency of the account
f	is_primary:=		true | false
f	attributes.<name>=		text or number or true | false or list of text or null
updateAccount
e	unique_id=crm-4711
f	unique_id=		text up to 255 characters or null	The partner’s own key; unique among those of the contact
f	name=		text up to 120 characters or null
f	kind=		deposit | loan | credit | investment | other
f	product_id=		id or null
f	opened_at=		time, such as 2026-01-31T09:30:00Z, or null
f	closed_at=		time, such as 2026-01-31T09:30:00Z, or null	Not before opened_at
f	balance_cents:=		whole number from -10000000000000 to 10000000000000 or null	Amount in cents of the currency of the account
f	is_primary:=		true | false
f	attributes.<name>=		text or number or true | false or list of text or null
closeAccount
e	closed_at=2026-01-31T09:30:00.000Z
f	closed_at=		time, such as 2026-01-31T09:30:00Z	Now if absent
listCohorts
w	inserted_at	updated_at	name	kind	evaluation_status	is_archived
s	inserted_at	updated_at	name	member_count	last_evaluated_at
c	id	name	description	kind	evaluation_mode	definition_version	refresh_interval_seconds
createCohort
e	'name=Contacts in English' kind=dynamic definition.field=contact.locale definition.op=starts_with definition.value=en
f	name=	*	text up to 120 characters	Unique in the team, compared without case
f	description=		text up to 2,000 characters or null
f	kind=	*	dynamic | static	dynamic: by a definition; static: by a list
f	definition:=		object or null	A group {"op": "all|any|none", "rules": […]} or one rule, such as {"field": "contact.locale", "op": "eq", "value": "en"}; see docs/cohorts.md
f	evaluation_mode=		realtime | scheduled | on_demand	realtime unless given: follows every change, and the clock by the interval
f	refresh_interval_seconds:=		whole number from 300 to 604800 or null	Between evaluations of all contacts; of realtime and scheduled ones
updateCohort
e	'name=Welcome of new customers'
f	name=		text up to 120 characters	Unique in the team, compared without case
f	description=		text up to 2,000 characters or null
f	kind=		dynamic | static	dynamic: by a definition; static: by a list
f	definition:=		object or null	A group {"op": "all|any|none", "rules": […]} or one rule, such as {"field": "contact.locale", "op": "eq", "value": "en"}; see docs/cohorts.md
f	evaluation_mode=		realtime | scheduled | on_demand	realtime unless given: follows every change, and the clock by the interval
f	refresh_interval_seconds:=		whole number from 300 to 604800 or null	Between evaluations of all contacts; of realtime and scheduled ones
previewCohort
e	definition.field=contact.status definition.op=eq definition.value=active
f	definition:=	*	object	A group {"op": "all|any|none", "rules": […]} or one rule, such as {"field": "contact.locale", "op": "eq", "value": "en"}; see docs/cohorts.md
listCohortMembers
w	joined_at	contact_id
s	joined_at
i	contact
c	id	joined_at	cohort_id
listContactCohorts
w	inserted_at	updated_at	name	kind	evaluation_status	is_archived
s	inserted_at	updated_at	name	member_count	last_evaluated_at
c	id	name	description	kind	evaluation_mode	definition_version	refresh_interval_seconds
addCohortMembers
e	'contact_ids:=["0b9c5f0e-7d7e-4c55-9a1b-3f2f6f2a8c11"]'
f	contact_ids:=	*	list of ids, at most 10,000
removeCohortMembers
e	'contact_ids:=["0b9c5f0e-7d7e-4c55-9a1b-3f2f6f2a8c11"]'
f	contact_ids:=	*	list of ids, at most 10,000
listTemplates
w	inserted_at	updated_at	name	launched_at	deadline_at	status	use_case	is_locked	is_archived	objective_id
s	inserted_at	updated_at	name	launched_at	deadline_at
i	objectives	pages	messages
c	id	name	use_case	status	entry	template_version	holdout_percent
createTemplate
e	'name=Welcome of new customers'
f	name=	*	text up to 120 characters
f	use_case=		text up to 120 characters or null
f	description=		text up to 2,000 characters or null
f	scheduled_at=		time, such as 2026-01-31T09:30:00Z, or null	When it launches by itself, within a year; only while scheduled
f	deadline_at=		time, such as 2026-01-31T09:30:00Z, or null	When it expires by itself, once scheduled or launched
f	holdout_percent:=		whole number from 0 to 50 or null	Share of recipients held back for comparison; fixed by the launch
f	send_rate_per_minute:=		whole number from 1 to 60000 or null
f	exit_on_objectives:=		true | false	Whether a journey ends when its objectives are completed
f	exit_on_leaving_cohort:=		true | false	Whether a journey ends when its contact leaves the cohort that brought it
f	entry=		manual | on_launch_snapshot | on_cohort_entry	Route by which recipients enter
f	reentry=		never | after_exit | after_interval	Whether they may come in again
f	reentry_interval=		text or null	ISO 8601 duration of days or weeks, with reentry after_interval
f	target_cohort_ids:=		list of ids, at most 50	Needed unless entry is manual
f	exclusion_cohort_ids:=		list of ids, at most 50
f	secure_personalization.enabled:=		true | false
f	secure_personalization.factors:=		list of postal_code | date_of_birth | unique_id_last4 | otp_sms | otp_email, at most 5
f	secure_personalization.max_attempts:=		whole number from 1 to 5	Wrong answers from one network until it is locked
f	secure_personalization.lockout_minutes:=		whole number from 15 to 1440	Length of the first lock; each further one lasts twice as long, up to a day
f	objective_ids:=		list of ids, at most 50
f	page_ids:=		list of ids	In their order; a PATCH can only reorder them
f	message_ids:=		list of ids	In their order; a PATCH can only reorder them
updateTemplate
e	'name=Welcome of new customers'
f	name=		text up to 120 characters
f	use_case=		text up to 120 characters or null
f	description=		text up to 2,000 characters or null
f	scheduled_at=		time, such as 2026-01-31T09:30:00Z, or null	When it launches by itself, within a year; only while scheduled
f	deadline_at=		time, such as 2026-01-31T09:30:00Z, or null	When it expires by itself, once scheduled or launched
f	holdout_percent:=		whole number from 0 to 50 or null	Share of recipients held back for comparison; fixed by the launch
f	send_rate_per_minute:=		whole number from 1 to 60000 or null
f	exit_on_objectives:=		true | false	Whether a journey ends when its objectives are completed
f	exit_on_leaving_cohort:=		true | false	Whether a journey ends when its contact leaves the cohort that brought it
f	entry=		manual | on_launch_snapshot | on_cohort_entry	Route by which recipients enter
f	reentry=		never | after_exit | after_interval	Whether they may come in again
f	reentry_interval=		text or null	ISO 8601 duration of days or weeks, with reentry after_interval
f	target_cohort_ids:=		list of ids, at most 50	Needed unless entry is manual
f	exclusion_cohort_ids:=		list of ids, at most 50
f	secure_personalization.enabled:=		true | false
f	secure_personalization.factors:=		list of postal_code | date_of_birth | unique_id_last4 | otp_sms | otp_email, at most 5
f	secure_personalization.max_attempts:=		whole number from 1 to 5	Wrong answers from one network until it is locked
f	secure_personalization.lockout_minutes:=		whole number from 15 to 1440	Length of the first lock; each further one lasts twice as long, up to a day
f	objective_ids:=		list of ids, at most 50
f	page_ids:=		list of ids	In their order; a PATCH can only reorder them
f	message_ids:=		list of ids	In their order; a PATCH can only reorder them
scheduleTemplate
e	scheduled_at=2026-01-31T09:30:00.000Z
f	scheduled_at=	*	time, such as 2026-01-31T09:30:00Z
duplicateTemplate
e	'name=Welcome of new customers'
f	name=		text up to 120 characters
listTemplateVersions
w	version
s	version
c	id	name	version	inserted_at	template_id
listTemplateStatusHistory
w	sequence	occurred_at	to_status	cause
s	sequence
c	id	action	from_status	to_status	sequence	occurred_at	template_id
enrollInTemplate
e	contact_id=0b9c5f0e-7d7e-4c55-9a1b-3f2f6f2a8c11
f	contact_id=		id	One of the four fields
f	contact_unique_id=		text up to 255 characters	The partner’s own key of the contact
f	unique_id=		text up to 255 characters	The same as contact_unique_id
f	cohort_id=		id	All members of a cohort, by an execution, without data
f	data:=		object	At most 8 KB of JSON, by the data_schema of every message of the journey that has one; texts show it as {{ data.<name> }}
listJourneys
w	enrolled_at	updated_at	template_id	contact_id	status	enrolled_via	cohort_id	is_holdout	completed_at
s	enrolled_at	updated_at	last_engaged_at	deadline_at
i	contact	template	message_deliveries
c	id	status	exit_reason	template_version	seq	is_holdout	inserted_at
listTemplateJourneys
w	enrolled_at	updated_at	template_id	contact_id	status	enrolled_via	cohort_id	is_holdout	completed_at
s	enrolled_at	updated_at	last_engaged_at	deadline_at
i	contact	template	message_deliveries
c	id	status	exit_reason	template_version	seq	is_holdout	inserted_at
listContactJourneys
w	enrolled_at	updated_at	template_id	contact_id	status	enrolled_via	cohort_id	is_holdout	completed_at
s	enrolled_at	updated_at	last_engaged_at	deadline_at
i	contact	template	message_deliveries
c	id	status	exit_reason	template_version	seq	is_holdout	inserted_at
getJourneyTimeline
w	occurred_at	kind	channel	is_machine
s	occurred_at
c	id	url	user_agent	channel	source	value_cents	is_machine
listContentBlocks
w	updated_at	inserted_at	name	key	kind	is_archived
s	updated_at	inserted_at	name
c	id	name	key	kind	version	is_archived	inserted_at
createContentBlock
e	name=Greeting key=greeting kind=rich_text 'body.html=<p>Hello {{ contact.first_name }}</p>'
f	name=	*	text up to 120 characters
f	key=	*	text up to 64 characters	Unique in the team
f	kind=	*	rich_text | image | video | button | disclosure | form | objective_checklist | product_card | html
f	body:=	*	object	By kind
f	localizations.<name>:=		object
updateContentBlock
e	'name=Welcome of new customers'
f	name=		text up to 120 characters
f	key=		text up to 64 characters	Unique in the team
f	kind=		rich_text | image | video | button | disclosure | form | objective_checklist | product_card | html
f	body:=		object	By kind
f	localizations.<name>:=		object
duplicateContentBlock
e	key=welcome
f	key=	*	text up to 64 characters	Unique in the team
f	name=		text up to 120 characters
renderContentBlock
e	contact_id=0b9c5f0e-7d7e-4c55-9a1b-3f2f6f2a8c11
f	contact_id=		id	Whose data to use; needs partner:contacts:read
f	data:=		object	Values to use instead, such as {"contact": {"first_name": "Ada"}}
f	locale=		locale, such as en-US	The contact’s if absent, or else the team’s
previewContentBlock
e	kind=rich_text 'body.html=<p>Hello {{ contact.first_name }}</p>'
f	contact_id=		id	Whose data to use; needs partner:contacts:read
f	data:=		object	Values to use instead, such as {"contact": {"first_name": "Ada"}}
f	locale=		locale, such as en-US	The contact’s if absent, or else the team’s
f	kind=	*	rich_text | image | video | button | disclosure | form | objective_checklist | product_card | html
f	body:=	*	object	By kind
f	localizations.<name>:=		object
listLandingPages
w	inserted_at	updated_at	name	published_at	status	slug
s	inserted_at	updated_at	name	published_at
i	content_blocks
c	id	name	slug	status	version	has_unpublished_changes	inserted_at
createLandingPage
e	'name=Welcome of new customers' slug=welcome
f	name=	*	text up to 120 characters
f	slug=	*	text up to 80 characters	Part of the url immediately; unique among the pages that are not archived
f	title=		text up to 120 characters or null	Title that visitors see; the name of the page if absent
f	description=		text up to 300 characters or null
f	locale=		locale, such as en-US, or null	BCP 47
f	theme.<name>=		text
f	seo.title=		text up to 120 characters
f	seo.description=		text up to 300 characters
f	seo.image_url=		URL
f	seo.noindex:=		true | false
f	content_block_ids:=		list of ids, at most 100	In the order in which they are shown
updateLandingPage
e	'name=Welcome of new customers'
f	name=		text up to 120 characters
f	slug=		text up to 80 characters	Part of the url immediately; unique among the pages that are not archived
f	title=		text up to 120 characters or null	Title that visitors see; the name of the page if absent
f	description=		text up to 300 characters or null
f	locale=		locale, such as en-US, or null	BCP 47
f	theme.<name>=		text
f	seo.title=		text up to 120 characters
f	seo.description=		text up to 300 characters
f	seo.image_url=		URL
f	seo.noindex:=		true | false
f	content_block_ids:=		list of ids, at most 100	In the order in which they are shown
duplicateLandingPage
e	'name=Welcome of new customers'
f	name=		text up to 120 characters
f	slug=		text up to 80 characters	Part of the url immediately; unique among the pages that are not archived
renderLandingPage
e	contact_id=0b9c5f0e-7d7e-4c55-9a1b-3f2f6f2a8c11
f	contact_id=		id	Whose data to use; needs partner:contacts:read
f	data:=		object	Values to use instead, such as {"contact": {"first_name": "Ada"}}
f	locale=		locale, such as en-US	The contact’s if absent, or else the team’s
listMessages
w	position	inserted_at	updated_at	name	channel	status	purpose	topic_id	template_id
s	position	inserted_at	updated_at	name
i	template	content_blocks
c	id	name	subject	channel	status	position	sms_segments
listTemplateMessages
w	position	inserted_at	updated_at	name	channel	status	purpose	topic_id
s	position	inserted_at	updated_at	name
i	template	content_blocks
c	id	name	subject	channel	status	position	sms_segments
createTemplateMessage
e	name=Welcome channel=email trigger.kind=on_enroll from_email=hello@example.com 'subject=Welcome, {{ contact.first_name }}' 'body_html=<p>Your account is open.</p>'
f	name=	*	text up to 120 characters
f	channel=	*	email | sms | push	Fixed; fields of other channels stay empty
f	purpose=		marketing | transactional | servicing	Marketing is sent with consent only
f	topic_id=		id or null	Marketing only: a topic of the team, by whose consents the message is sent as well
f	position:=		whole number from 0	Order within the template, from 0
f	trigger.kind=	*	on_enroll | delay | date | on_event | on_objective_incomplete | on_page | on_request	Journeys never send on_request; it is sent by the operation sendMessage only
f	trigger.delay=		text	ISO 8601 duration of weeks, or days, hours and minutes
f	trigger.date=		time, such as 2026-01-31T09:30:00Z	For kind date; at most 3653 days ahead
f	trigger.at_local_time=		text	In the contact’s zone
f	trigger.weekday_mask:=		whole number from 1 to 127	Monday is 1, Tuesday 2, Sunday 64
f	trigger.event_kind=		text up to 64 characters	For kind on_event
f	trigger.page_id=		id	For kind on_page: a page of the template
f	trigger.objective_id=		id	For kind on_objective_incomplete
f	condition:=		object or null	Rule on the recipient as in a cohort’s definition, asked when it is sent; 16 KB at most
f	respect_quiet_hours:=		true | false	True by default, but for on_request unless it is marketing
f	frequency_cap_exempt:=		true | false
f	subject=		text up to 255 characters or null
f	preheader=		text up to 255 characters or null
f	from_name=		text up to 120 characters or null
f	body_html=		text up to 512,000 characters or null	Sanitized when it is written; followed by the blocks
f	body_text=		text up to 128,000 characters or null
f	body=		text up to 1,600 characters or null	Text of an SMS, or of a push (at most 1,000)
f	title=		text up to 120 characters or null
f	image_url=		text up to 2,048 characters or null
f	deep_link=		text up to 2,048 characters or null
f	from_email=		e-mail address or null	Address of a verified sending domain of the team
f	reply_to=		e-mail address or null
f	list_unsubscribe:=		true | false	Whether an e-mail carries one-click unsubscribe (RFC 8058)
f	sender=		text up to 20 characters or null	Number or name of an SMS provider of the team, from which a text message comes
f	data:=		object or null	For the app; at most 4 KB
f	data_schema:=		object or null	JSON Schema of the data that texts show as {{ data.<name> }}: that of a send for the trigger on_request, else that of the enrollment, whose type is "object"
f	content_block_ids:=		list of ids, at most 100	Blocks of an e-mail, behind its body
f	localizations.<name>.subject=		text up to 255 characters
f	localizations.<name>.preheader=		text up to 255 characters
f	localizations.<name>.from_name=		text up to 120 characters
f	localizations.<name>.body_html=		text up to 512,000 characters	Sanitized when it is written; followed by the blocks
f	localizations.<name>.body_text=		text up to 128,000 characters
f	localizations.<name>.body=		text up to 1,600 characters	Text of an SMS, or of a push (at most 1,000)
f	localizations.<name>.title=		text up to 120 characters
f	localizations.<name>.image_url=		text up to 2,048 characters
f	localizations.<name>.deep_link=		text up to 2,048 characters
f	variants:=		list of objects with key*, weight*, overrides*, at most 5	Each recipient keeps the one that the weights give them
updateMessage
e	'name=Welcome of new customers'
f	name=		text up to 120 characters
f	channel=		email | sms | push	Fixed; fields of other channels stay empty
f	purpose=		marketing | transactional | servicing	Marketing is sent with consent only
f	topic_id=		id or null	Marketing only: a topic of the team, by whose consents the message is sent as well
f	position:=		whole number from 0	Order within the template, from 0
f	trigger.kind=	*	on_enroll | delay | date | on_event | on_objective_incomplete | on_page | on_request	Journeys never send on_request; it is sent by the operation sendMessage only
f	trigger.delay=		text	ISO 8601 duration of weeks, or days, hours and minutes
f	trigger.date=		time, such as 2026-01-31T09:30:00Z	For kind date; at most 3653 days ahead
f	trigger.at_local_time=		text	In the contact’s zone
f	trigger.weekday_mask:=		whole number from 1 to 127	Monday is 1, Tuesday 2, Sunday 64
f	trigger.event_kind=		text up to 64 characters	For kind on_event
f	trigger.page_id=		id	For kind on_page: a page of the template
f	trigger.objective_id=		id	For kind on_objective_incomplete
f	condition:=		object or null	Rule on the recipient as in a cohort’s definition, asked when it is sent; 16 KB at most
f	respect_quiet_hours:=		true | false	True by default, but for on_request unless it is marketing
f	frequency_cap_exempt:=		true | false
f	subject=		text up to 255 characters or null
f	preheader=		text up to 255 characters or null
f	from_name=		text up to 120 characters or null
f	body_html=		text up to 512,000 characters or null	Sanitized when it is written; followed by the blocks
f	body_text=		text up to 128,000 characters or null
f	body=		text up to 1,600 characters or null	Text of an SMS, or of a push (at most 1,000)
f	title=		text up to 120 characters or null
f	image_url=		text up to 2,048 characters or null
f	deep_link=		text up to 2,048 characters or null
f	from_email=		e-mail address or null	Address of a verified sending domain of the team
f	reply_to=		e-mail address or null
f	list_unsubscribe:=		true | false	Whether an e-mail carries one-click unsubscribe (RFC 8058)
f	sender=		text up to 20 characters or null	Number or name of an SMS provider of the team, from which a text message comes
f	data:=		object or null	For the app; at most 4 KB
f	data_schema:=		object or null	JSON Schema of the data that texts show as {{ data.<name> }}: that of a send for the trigger on_request, else that of the enrollment, whose type is "object"
f	content_block_ids:=		list of ids, at most 100	Blocks of an e-mail, behind its body
f	localizations.<name>.subject=		text up to 255 characters
f	localizations.<name>.preheader=		text up to 255 characters
f	localizations.<name>.from_name=		text up to 120 characters
f	localizations.<name>.body_html=		text up to 512,000 characters	Sanitized when it is written; followed by the blocks
f	localizations.<name>.body_text=		text up to 128,000 characters
f	localizations.<name>.body=		text up to 1,600 characters	Text of an SMS, or of a push (at most 1,000)
f	localizations.<name>.title=		text up to 120 characters
f	localizations.<name>.image_url=		text up to 2,048 characters
f	localizations.<name>.deep_link=		text up to 2,048 characters
f	variants:=		list of objects with key*, weight*, overrides*, at most 5	Each recipient keeps the one that the weights give them
renderMessage
e	contact_id=0b9c5f0e-7d7e-4c55-9a1b-3f2f6f2a8c11
f	contact_id=		id	Whose data to use; needs partner:contacts:read
f	data:=		object	Values to use instead, such as {"contact": {"first_name": "Ada"}}
f	locale=		locale, such as en-US	The contact’s if absent, or else the team’s
f	variant_key=		text up to 40 characters
sendTestMessage
e	'to:=["ada@example.com"]'
f	to:=	*	list of text, at most 5
sendMessage
e	contact_unique_id=crm-4711 data.order_id=A-1001
f	contact_id=		id	This or contact_unique_id
f	contact_unique_id=		text up to 255 characters	The partner’s own key of the contact
f	email=		e-mail address
f	phone=		phone number, such as +14155550100	E.164
f	data:=		object	At most 8 KB of JSON, by the data_schema of the message
f	scheduled_at=		time, such as 2026-01-31T09:30:00Z	At most 30 days ahead; now if absent
sendMessageBatch
e	'sends:=[{"contact_unique_id":"crm-4711","data":{"order_id":"A-1001"}},{"email":"ada@example.com","data":{"order_id":"A-1002"}}]'
f	sends:=	*	list of objects with contact_id, contact_unique_id, email, phone, data, scheduled_at, at most 100
listTestRecipients
w	inserted_at	updated_at	channel	status
s	inserted_at	updated_at
c	id	name	to_masked	channel	status	inserted_at
createTestRecipient
e	channel=email address=grace@example.com name=Grace
f	channel=	*	email | sms | push
f	name=		text up to 120 characters or null
f	address=	*	text up to 4,096 characters	E-mail address, E.164 number or push token; never shown
listArchivedMessages
w	sent_at	contact_id	message_id	channel
s	sent_at
c	id	provider_message_id	sender	channel	provider	template_version	inserted_at
listContactReads
w	read_at	contact_id	client_id
s	read_at
c	id	operation	read_at	contact_id
listLegalHolds
w	inserted_at	updated_at	contact_id	status
s	inserted_at	updated_at
c	id	reason	status	inserted_at	contact_id
createLegalHold
e	reason=reason
f	contact_id=		id or null	The contact; absent: everything of the team
f	reason=	*	text up to 500 characters	For the records of the team; it outlives the contact, so it contains no personal data
listMessageDeliveries
w	inserted_at	updated_at	sent_at	status	channel	message_id	template_id	contact_id	topic_id	journey_id	skip_reason
s	inserted_at	updated_at	sent_at
i	contact	message
c	id	provider_message_id	to_masked	channel	status	open_count	click_count
listContactMessageDeliveries
w	inserted_at	updated_at	sent_at	status	channel	message_id	template_id	contact_id	topic_id	journey_id	skip_reason
s	inserted_at	updated_at	sent_at
i	contact	message
c	id	provider_message_id	to_masked	channel	status	open_count	click_count
listPages
w	position	inserted_at	updated_at	name	kind	objective_id	template_id
s	position	inserted_at	updated_at	name
i	template	content_blocks
c	id	name	title	kind	completion_rule	position	version
listTemplatePages
w	position	inserted_at	updated_at	name	kind	objective_id
s	position	inserted_at	updated_at	name
i	template	content_blocks
c	id	name	title	kind	completion_rule	position	version
createTemplatePage
e	'name=Welcome of new customers'
f	name=	*	text up to 120 characters
f	title=		text up to 120 characters or null	May hold Liquid
f	path=		text up to 80 characters or null	Unique in the template
f	kind=		welcome | step | form | checklist | widget | completion
f	position:=		whole number from 0	Order within the template, from 0
f	objective_id=		id or null	The objective that completing the page counts for
f	content_block_ids:=		list of ids, at most 100	In the order in which they are shown
f	completion_rule=		viewed | cta_clicked | form_submitted | objective_completed
f	requires_identity_challenge:=		true | false	Whether it is shown only to recipients who have proved who they are
f	widget_instance_id=		id or null
updatePage
e	'name=Welcome of new customers'
f	name=		text up to 120 characters
f	title=		text up to 120 characters or null	May hold Liquid
f	path=		text up to 80 characters or null	Unique in the template
f	kind=		welcome | step | form | checklist | widget | completion
f	position:=		whole number from 0	Order within the template, from 0
f	objective_id=		id or null	The objective that completing the page counts for
f	content_block_ids:=		list of ids, at most 100	In the order in which they are shown
f	completion_rule=		viewed | cta_clicked | form_submitted | objective_completed
f	requires_identity_challenge:=		true | false	Whether it is shown only to recipients who have proved who they are
f	widget_instance_id=		id or null
renderPage
e	contact_id=0b9c5f0e-7d7e-4c55-9a1b-3f2f6f2a8c11
f	contact_id=		id	Whose data to use; needs partner:contacts:read
f	data:=		object	Values to use instead, such as {"contact": {"first_name": "Ada"}}
f	locale=		locale, such as en-US	The contact’s if absent, or else the team’s
listObjectives
w	inserted_at	updated_at	name	key	category	is_standard	is_active
s	inserted_at	updated_at	name
c	id	name	key	category	attribution_model	value_cents	attribution_window_days
createObjective
e	'name=Welcome of new customers' key=key
f	name=	*	text up to 120 characters
f	key=	*	text up to 64 characters	Unique in the team, and fixed: kebab-case
f	description=		text up to 2,000 characters or null
f	category=		cards | deposits | digital_banking | payments | lending | communication | business | other
f	value_cents:=		whole number from 0 to 10000000000000	Value credited for each completion, in cents of the team’s currency
f	attribution_window_days:=		whole number from 1 to 365
f	attribution_model=		any_touch | last_touch
f	is_repeatable:=		true | false	Whether a contact can complete it more than once
f	product_kind=		deposit | loan | credit | investment | other or null	Completed by itself when an account of this kind opens within the window
f	is_active:=		true | false	Whether it can be completed
updateObjective
e	'name=Welcome of new customers'
f	name=		text up to 120 characters
f	key=		text up to 64 characters	Unique in the team, and fixed: kebab-case
f	description=		text up to 2,000 characters or null
f	category=		cards | deposits | digital_banking | payments | lending | communication | business | other
f	value_cents:=		whole number from 0 to 10000000000000	Value credited for each completion, in cents of the team’s currency
f	attribution_window_days:=		whole number from 1 to 365
f	attribution_model=		any_touch | last_touch
f	is_repeatable:=		true | false	Whether a contact can complete it more than once
f	product_kind=		deposit | loan | credit | investment | other or null	Completed by itself when an account of this kind opens within the window
f	is_active:=		true | false	Whether it can be completed
updateTeam
e	'name=Welcome of new customers'
f	name=		text up to 120 characters
f	timezone=		time zone, such as Europe/Berlin	Time zone of reports, and of contacts that have none
f	locale=		locale, such as en-US	Locale of contacts that have none
f	currency=		text	Currency of amounts; accounts keep the one that they were created with
f	quiet_hours.start=	*	text	HH:MM, local to the contact
f	quiet_hours.end=	*	text	May lie on the next day
f	frequency_cap.per_day:=	*	whole number from 1 to 100
f	frequency_cap.per_week:=	*	whole number from 1 to 700	In any seven days
f	retention.archived_messages_days:=		whole number from 1 to 3650	Days for which each message is archived from the time it is sent; absent: not archived
f	retention.archived_messages_survive_erasure:=		true | false	Whether archived messages stay until their term when their contact is erased; false if absent
f	retention.inbound_deliveries_days:=		whole number from 8 to 90	Days for which callbacks of providers are stored; 90 if absent
f	retention.webhook_events_days:=		whole number from 8 to 90	Days for which events, their deliveries and the attempts are stored; 90 if absent
f	retention.engagement_days:=		whole number from 90 to 760	Days for which engagement events and message deliveries are stored, and shown by insights; 760 if absent
f	retention.contact_reads_days:=		whole number from 1 to 3650	Days for which it is recorded which client reads which contact; absent: not recorded
f	retention.operation_results_days:=		whole number from 1 to 7	Days for which results of executions and batches that end from now on are stored; 7 if absent
f	tracking.opens:=	*	true | false	Whether a picture in each e-mail counts its opens
f	tracking.clicks:=	*	true | false	Whether links in e-mails lead through the service
f	tracking.domain=		text up to 253 characters	Host of these links: a verified sending domain of the team, or one below it, that leads to the service and that no other team has; absent: the address of the service
f	tracking.links_expire_after_days:=		whole number from 1 to 395	Days from the making of a message delivery after which its links lead nowhere, those of earlier e-mails included; 395 if absent
f	sms_allowed_prefixes:=		list of text, at most 50	Numbers that codes and confirmations may be sent to by SMS, by their first digits (E.164); empty: every number
f	requires_provider_release:=		true | false	Whether a second client or an operator must release a sending provider before messages leave through it; only an operator ends it
f	is_in_benchmarks:=		true | false	Whether its rates count, without its name, in comparisons between teams
listUsers
w	email	role	status	inserted_at	updated_at	last_signed_in_at
s	email	inserted_at	updated_at	last_signed_in_at
c	id	email	name	role	status	mfa_enabled	inserted_at
createUser
e	email=ada@example.com
f	email=	*	e-mail address
f	name=		text up to 120 characters or null
f	role=		admin | editor | viewer	Role of the user in the applications of the team
updateUser
e	email=ada@example.com
f	email=		e-mail address
f	name=		text up to 120 characters or null
f	role=		admin | editor | viewer	Role of the user in the applications of the team
activateUser
e	mfa_enabled:=true
f	mfa_enabled:=		true | false
createPortalSession
e	page=webhooks 'label=Ana, support' expires_in_seconds:=1800
f	scopes:=		list of text, at most 100	Rights of the pages: scopes of the token that makes the session
f	page=		requests | webhooks | batches | callbacks | campaigns | people | insights	The page that the link opens
f	label=		text up to 120 characters	A name for people who read the list of sessions
f	allowed_origins:=		list of text, at most 10	Pages that may show the session in a frame: https origins such as https://www.example.com
f	expires_in_seconds:=		whole number from 60 to 3600	Life of the session in seconds; 1,800 if absent
listPortalSessions
w	inserted_at	updated_at	expires_at	client_id
s	inserted_at	updated_at	expires_at
c	id	label	page	inserted_at	client_id
openPortalSession
e	secret=c2VjcmV0LW9mLXRoZS1saW5rLW9mLXRoaXMtc2Vzc2k
f	secret=	*	text of 43 to 43 characters	The part of the link after the #
listAuditEvents
w	occurred_at	action	resource_type	resource_id	client_id	request_id	source_ip
s	occurred_at
c	id	action	resource_type	occurrence_count	item_count	occurred_at	resource_id
listSendingDomains
w	domain	status	inserted_at	updated_at
s	inserted_at	updated_at
c	id	domain	status	is_signed	inserted_at
createSendingDomain
e	domain=mail.bank.example
f	domain=	*	text up to 200 characters	Returned in ASCII (punycode) and in lower case
listSendingProviders
w	inserted_at	updated_at	name	channel	kind	is_active
s	inserted_at	updated_at
c	id	name	url	channel	kind	priority	is_active
createSendingProvider
e	'name=Mail relay' channel=email kind=smtp url=smtp://mail.example.com:587 account=onward 'senders:=["hello@bank.example"]' 'secret=of the account'
f	name=	*	text up to 120 characters
f	channel=	*	email | sms | push	Fixed once the provider is made
f	kind=	*	smtp | email_a | email_b | email_c | sms_a | sms_b | push_a | push_b	Fixed
f	priority:=		whole number from 1 to 100 or null	1 by default, the first choice
f	is_active:=		true | false or null	Through an inactive provider nothing is sent
f	url=	*	text up to 500 characters	For smtp, \`smtp://host:port\` (with STARTTLS) or \`smtps://host:port\` on port 25, 465, 587 or 2525
f	account=		text up to 200 characters or null	User name (\`smtp\`), access key id (\`email_a\`), mail domain (\`email_c\`), account (\`sms_a\`), messaging profile (\`sms_b\`, optional) or application (\`push_b\`)
f	family=		email_a | email_b | email_c or null	For smtp: the provider behind the server, whose headers carry the ids of the service
f	senders:=		list of text, at most 20, or null	E-mail: one address of a verified sending domain, for messages without \`from_email\`
f	secret=		text up to 16,384 characters or null	Stored encrypted and never returned: password, API key, or for push_a the JSON of the key of a service account
updateSendingProvider
e	'name=Welcome of new customers'
f	name=		text up to 120 characters
f	channel=		email | sms | push	Fixed once the provider is made
f	kind=		smtp | email_a | email_b | email_c | sms_a | sms_b | push_a | push_b	Fixed
f	priority:=		whole number from 1 to 100	1 by default, the first choice
f	is_active:=		true | false	Through an inactive provider nothing is sent
f	url=		text up to 500 characters	For smtp, \`smtp://host:port\` (with STARTTLS) or \`smtps://host:port\` on port 25, 465, 587 or 2525
f	account=		text up to 200 characters or null	User name (\`smtp\`), access key id (\`email_a\`), mail domain (\`email_c\`), account (\`sms_a\`), messaging profile (\`sms_b\`, optional) or application (\`push_b\`)
f	family=		email_a | email_b | email_c or null	For smtp: the provider behind the server, whose headers carry the ids of the service
f	senders:=		list of text, at most 20	E-mail: one address of a verified sending domain, for messages without \`from_email\`
f	secret=		text up to 16,384 characters or null	Stored encrypted and never returned: password, API key, or for push_a the JSON of the key of a service account
rotateSendingProviderSecret
e	'secret=a new one of the account'
f	secret=	*	text up to 16,384 characters	Stored encrypted and never returned: password, API key, or for push_a the JSON of the key of a service account
f	overlap_seconds:=		whole number from 0 to 604800
f	force:=		true | false	Ends a rotation that is under way
listCompletions
w	completed_at	updated_at	objective_id	contact_id	template_id	source	attribution	value_cents	voided_at
s	completed_at	updated_at
i	objective	contact
c	id	unique_id	void_reason	source	attribution	value_cents	inserted_at
listObjectiveCompletions
w	completed_at	updated_at	objective_id	contact_id	template_id	source	attribution	value_cents	voided_at
s	completed_at	updated_at
i	objective	contact
c	id	unique_id	void_reason	source	attribution	value_cents	inserted_at
createObjectiveCompletion
e	contact_id=0b9c5f0e-7d7e-4c55-9a1b-3f2f6f2a8c11
f	contact_id=	*	id
f	completed_at=		time, such as 2026-01-31T09:30:00Z, or null	Now if absent
f	value_cents:=		whole number from -10000000000000 to 10000000000000 or null	The objective’s if absent
f	account_id=		id or null	An account of the contact
f	unique_id=		text up to 255 characters or null	Distinguishes repeats of a repeatable objective
listContactCompletions
w	completed_at	updated_at	objective_id	contact_id	template_id	source	attribution	value_cents	voided_at
s	completed_at	updated_at
i	objective	contact
c	id	unique_id	void_reason	source	attribution	value_cents	inserted_at
voidObjectiveCompletion
e	reason=reason
f	reason=	*	text up to 2,000 characters	Kept with the completion
getObjectiveCompletionsCounts
q	period	timezone
listEngagementEvents
w	occurred_at	kind	channel	contact_id	template_id	journey_id	message_id	page_id	source	is_machine
s	occurred_at
i	contact	message	page
c	id	url	user_agent	channel	source	value_cents	is_machine
recordEngagementEvents
e	'events:=[{"kind":"message.queued"}]'
f	events:=	*	list of objects with type, kind*, channel, contact_id, journey_id, template_id, message_id, message_delivery_id, 13 more	At most 500; recorded all or none
c	index	id	status
listContactEvents
w	occurred_at	kind	channel	contact_id	template_id	journey_id	message_id	page_id	source	is_machine
s	occurred_at
i	contact	message	page
c	id	url	user_agent	channel	source	value_cents	is_machine
listTemplateEngagementEvents
w	occurred_at	kind	channel	contact_id	template_id	journey_id	message_id	page_id	source	is_machine
s	occurred_at
i	contact	message	page
c	id	url	user_agent	channel	source	value_cents	is_machine
listCustomEventTypes
w	inserted_at	updated_at	name
s	inserted_at	updated_at	name
c	id	name	description	inserted_at
createCustomEventType
e	name=custom.order_placed
f	name=	*	text up to 64 characters	Unique in the team, and fixed: "custom." and words of lower-case letters, digits and underscores, joined by dots
f	description=		text up to 2,000 characters or null
f	schema:=		object	JSON Schema of the data of its events, whose type is "object"
updateCustomEventType
e	name=custom.order_placed
f	name=		text up to 64 characters	Unique in the team, and fixed: "custom." and words of lower-case letters, digits and underscores, joined by dots
f	description=		text up to 2,000 characters or null
f	schema:=		object	JSON Schema of the data of its events, whose type is "object"
publishEvents
e	'events:=[{"unique_id":"crm-4711","type":"custom.order_placed"}]'
f	events:=	*	list of objects with unique_id*, type*, occurred_at, contact_id, contact_unique_id, data	At most 500; published all or none
c	index	id	status
listSftpCredentials
w	inserted_at	updated_at	name	username	status	is_active	purpose
s	inserted_at	updated_at	name
c	id	name	username	key_type	purpose	port	upload_count
createSftpCredentials
e	'name=Nightly files' purpose=contacts generate_key_pair:=true
f	name=	*	text up to 120 characters
f	public_key=		text up to 4,096 characters or null	One line in the form of OpenSSH; the comment is dropped
f	purpose=		contacts | accounts | objective_completions | mixed	Which drop folders it may use; \`contacts\` by default
f	allowed_cidrs:=		list of text, at most 20	Networks that may connect; none means all
f	expires_at=		time, such as 2026-01-31T09:30:00Z, or null
f	generate_key_pair:=		true | false or null	Instead of public_key
updateSftpCredential
e	'name=Welcome of new customers'
f	name=		text up to 120 characters
f	public_key=		text up to 4,096 characters	One line in the form of OpenSSH; the comment is dropped
f	purpose=		contacts | accounts | objective_completions | mixed	Which drop folders it may use; \`contacts\` by default
f	allowed_cidrs:=		list of text, at most 20	Networks that may connect; none means all
f	expires_at=		time, such as 2026-01-31T09:30:00Z, or null
listSftpUploads
w	inserted_at	updated_at	path	status	sftp_credential_id	file_source_id
s	inserted_at	updated_at	path
c	id	path	sha256	status	size_bytes	inserted_at	sftp_credential_id
listFileSources
w	inserted_at	updated_at	name	source_kind	server_id	purpose	is_active
s	inserted_at	updated_at	name
c	id	name	server_id	source_kind	purpose	port	is_active
createFileSource
e	'name=Nightly contacts' source_kind=sftp server_id=inbox purpose=contacts host=files.example.com username=onward 'password=of the server' 'host_key_fingerprints:=["SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU"]'
f	name=	*	text up to 120 characters
f	source_kind=	*	sftp | https	Fixed once the source is made
f	is_active:=		true | false or null	From an inactive source nothing is fetched
f	server_id=	*	text up to 128 characters	The \`server_id\` of the callbacks whose files it has
f	server_username=		text up to 128 characters or null	Only files that this \`username\` of callbacks has put; without it, those of all
f	server_path=		text up to 500 characters or null	Only files below this folder of the callback’s \`path\`
f	purpose=	*	contacts | accounts | objective_completions	The kind of record that the rows of its files become, as in the drop folders of SFTP credentials
f	host=	*	text up to 253 characters	A public name, or an address; an IPv6 address stands in brackets
f	port:=		whole number from 1 to 65535 or null	22, 443 or another from 1024 up; 22 by default for sftp, 443 for https
f	base_path=		text up to 500 characters or null	Where \`server_path\` is on the host: the rest of a path is appended to it
f	username=		text up to 200 characters or null	Name of the login; required for sftp and for a password
f	host_key_fingerprints:=		list of text, at most 5, or null	As ssh-keygen -l shows them
f	password=		text up to 1,000 characters or null	With \`username\`; by HTTP Basic for https
f	private_key=		text up to 16,384 characters or null	For sftp: in the form of OpenSSH or PEM, without a passphrase
f	generate_key_pair:=		true | false or null	For sftp, instead of private_key: the service makes the pair
f	bearer_token=		text up to 4,096 characters or null	For https
updateFileSource
e	'name=Welcome of new customers'
f	name=		text up to 120 characters
f	source_kind=		sftp | https	Fixed once the source is made
f	is_active:=		true | false	From an inactive source nothing is fetched
f	server_id=		text up to 128 characters	The \`server_id\` of the callbacks whose files it has
f	server_username=		text up to 128 characters or null	Only files that this \`username\` of callbacks has put; without it, those of all
f	server_path=		text up to 500 characters	Only files below this folder of the callback’s \`path\`
f	purpose=		contacts | accounts | objective_completions	The kind of record that the rows of its files become, as in the drop folders of SFTP credentials
f	host=		text up to 253 characters	A public name, or an address; an IPv6 address stands in brackets
f	port:=		whole number from 1 to 65535	22, 443 or another from 1024 up; 22 by default for sftp, 443 for https
f	base_path=		text up to 500 characters	Where \`server_path\` is on the host: the rest of a path is appended to it
f	username=		text up to 200 characters or null	Name of the login; required for sftp and for a password
f	host_key_fingerprints:=		list of text, at most 5	As ssh-keygen -l shows them
f	password=		text up to 1,000 characters or null	With \`username\`; by HTTP Basic for https
f	private_key=		text up to 16,384 characters or null	For sftp: in the form of OpenSSH or PEM, without a passphrase
f	generate_key_pair:=		true | false or null	For sftp, instead of private_key: the service makes the pair
f	bearer_token=		text up to 4,096 characters or null	For https
listWidgetInstances
w	inserted_at	updated_at	name	widget_kind	template_id	is_active	is_archived
s	inserted_at	updated_at	name
c	id	name	locale	widget_kind	token_ttl_seconds	session_max_days	is_active
createWidgetInstance
e	'name=Welcome of new customers' widget_kind=journey
f	name=	*	text up to 120 characters
f	widget_kind=	*	journey | enrollment | opt_in | card_on_file | mobile_app | secure_personalization
f	template_id=		id or null
f	allowed_origins:=		list of text, at most 20	Pages that may embed the widget: https origins such as https://www.example.com
f	is_active:=		true | false
f	theme.<name>=		text up to 255 characters or number or true | false
f	locale=		locale, such as en-US, or null	The team’s if absent
f	session_max_days:=		whole number from 1 to 180 or null	Days that a session lasts at most; absent, it lasts as long as its journey
f	card_on_file.merchants:=	*	list of text, at most 100
f	opt_in.channels:=	*	list of email | sms | push, at most 3
f	opt_in.double_opt_in:=	*	true | false
f	mobile_app.ios_url=		text up to 2,048 characters	An app store’s page, or a deep link such as mybank://start
f	mobile_app.android_url=		text up to 2,048 characters	The same for Android
updateWidgetInstance
e	'name=Welcome of new customers'
f	name=		text up to 120 characters
f	widget_kind=		journey | enrollment | opt_in | card_on_file | mobile_app | secure_personalization
f	template_id=		id or null
f	allowed_origins:=		list of text, at most 20	Pages that may embed the widget: https origins such as https://www.example.com
f	is_active:=		true | false
f	theme.<name>=		text up to 255 characters or number or true | false
f	locale=		locale, such as en-US, or null	The team’s if absent
f	session_max_days:=		whole number from 1 to 180 or null	Days that a session lasts at most; absent, it lasts as long as its journey
f	card_on_file.merchants:=	*	list of text, at most 100
f	opt_in.channels:=	*	list of email | sms | push, at most 3
f	opt_in.double_opt_in:=	*	true | false
f	mobile_app.ios_url=		text up to 2,048 characters	An app store’s page, or a deep link such as mybank://start
f	mobile_app.android_url=		text up to 2,048 characters	The same for Android
listInsights
c	name	operation_id	version
getAdvancedInsightAddedValueByTime
w	template_id	cohort_id
q	period	timezone
getAdvancedInsightCampaignEngagement
w	template_id	cohort_id
q	period	timezone
getAdvancedInsightCampaignEnrollment
w	template_id	cohort_id
q	period	timezone
getAdvancedInsightCampaignPerformance
w	template_id	cohort_id
q	period	timezone
getAdvancedInsightCardOnFileWidget
w	template_id	cohort_id
q	period	timezone
getAdvancedInsightDrivers
w	template_id	cohort_id
q	period	timezone
getAdvancedInsightEnrollmentWidget
w	template_id	cohort_id
q	period	timezone
getAdvancedInsightGapAnalysis
w	template_id	cohort_id
q	period	timezone
getAdvancedInsightMessages
w	template_id	cohort_id	channel
q	period	timezone
getAdvancedInsightMobileAppWidget
w	template_id	cohort_id
q	period	timezone
getAdvancedInsightObjectiveCompletionBenchmarks
q	period	timezone
getAdvancedInsightObjectiveCompletionRate
w	template_id	cohort_id
q	period	timezone
getAdvancedInsightObjectiveContent
w	template_id	cohort_id
q	period	timezone
getAdvancedInsightObjectiveTotalValue
w	template_id	cohort_id
q	period	timezone
getAdvancedInsightOptInWidget
w	template_id	cohort_id
q	period	timezone
getAdvancedInsightOverallNumberOfCampaigns
w	template_id
q	period	timezone
getAdvancedInsightPages
w	template_id	cohort_id
q	period	timezone
getAdvancedInsightPerformance
w	template_id	cohort_id
q	period	timezone
getAdvancedInsightTotalValueOfOpenedProducts
w	cohort_id
q	period	timezone
getAdvancedInsightValueOfOpenedProducts
w	cohort_id
q	period	timezone
getTemplateInsightOptInWidget
w	cohort_id
q	period	timezone
getTemplateInsightSecurePersonalization
w	cohort_id
q	period	timezone
createWidgetToken
e	contact_id=0b9c5f0e-7d7e-4c55-9a1b-3f2f6f2a8c11
f	contact_id=		id	The recipient; not needed for a widget of kind enrollment
f	contact_unique_id=		text up to 255 characters	Instead of contact_id: the partner’s own key
f	journey_id=		id	The newest open one of the contact if absent
f	template_id=		id	The template, where the widget names none
f	origin=		text up to 255 characters	The only page that may use it; one of allowed_origins
f	scopes:=		list of widget:journey:render | widget:events:write	Both if absent
f	locale=		locale, such as en-US	The contact’s if absent
f	assurance=		none | authenticated	authenticated: your own login verifies the recipient, who answers no further question
revokeWidgetTokens
e	'access_token=access token'
f	access_token=		text up to 8,192 characters	One token; all of the widget if absent
bootstrapWidget
e	'link_token=link token'
f	link_token=		text up to 500 characters	The part after # of the link of the recipient; instead of a widget token
recordRecipientEvents
e	'events:=[{"unique_id":"crm-4711","kind":"page.viewed"}]'
f	events:=	*	list of objects with unique_id*, kind*, occurred_at, page_id, properties	At most 50; recorded all or none
setRecipientConsent
e	status=subscribed
f	status=	*	subscribed | unsubscribed
f	disclosure=		text up to 1,500 characters	The wording that was shown; kept as evidence
createIdentityChallenge
e	factor=postal_code
f	factor=		postal_code | date_of_birth | unique_id_last4 | otp_sms | otp_email	postal_code, date_of_birth (2000-01-31), the last four characters of the customer number, or a code of six digits that this request sends: to the number (otp_sms) or the address (otp_email)
answerIdentityChallenge
e	answer=answer
f	answer=	*	text up to 200 characters
enrollRecipient
e	first_name=Ada
f	first_name=		text up to 100 characters
f	last_name=		text up to 100 characters
f	email=		e-mail address
f	phone=		text up to 40 characters	As people write it; without a country code, by the rules of the country in the locale of the team
f	postal_code=		text up to 16 characters
f	locale=		locale, such as en-US	BCP 47; the team’s if absent
createExport
e	kind=contacts
f	kind=	*	contacts | accounts | objective_completions | archived_messages | contact_reads
f	format=		csv | ndjson	csv if absent; archived_messages are ndjson only
f	filters:=		object	The filters of the list, by the names of its parameters: filter[status][in]
listExports
w	inserted_at	updated_at	kind	status	contact_id
s	inserted_at	updated_at
c	id	chain_sha256	kind	format	row_count	size_bytes	inserted_at
getExportFile
q	bom
listWebhookSubscriptions
w	inserted_at	updated_at	last_delivered_at	name	target_url	event_types	is_active	is_disabled_for_failures
s	inserted_at	updated_at	last_delivered_at	name
c	id	name	description	consecutive_permanent_failures	is_active	inserted_at
createWebhookSubscription
e	target_url=https://hooks.example.com/onward 'event_types:=["contact.created","template.*"]'
f	name=		text up to 120 characters or null
f	description=		text up to 2,000 characters or null
f	target_url=	*	URL	https URL that receives the events by POST
f	event_types:=	*	list of text, at most 100	Exact event types, "prefix.*" or "*"
f	is_active:=		true | false
updateWebhookSubscription
e	'name=Welcome of new customers'
f	name=		text up to 120 characters or null
f	description=		text up to 2,000 characters or null
f	target_url=		URL	https URL that receives the events by POST
f	event_types:=		list of text, at most 100	Exact event types, "prefix.*" or "*"
f	is_active:=		true | false
f	is_disabled_for_failures:=		true | false	Set by the service; PATCH false enables the subscription again
listWebhookEventTypes
c	name	description
rotateWebhookSecret
e	overlap_seconds:=1
f	overlap_seconds:=		whole number from 0 to 604800
f	force:=		true | false	Ends a rotation that is under way
testWebhookSubscription
e	event_type=contact.created
f	event_type=		text up to 100 characters	A name of the catalog; the body is then its example
listWebhookDeliveries
w	inserted_at	last_attempt_at	next_attempt_at	status	event_type	event_id	http_status	error_code
s	inserted_at	last_attempt_at
c	id	event_type	error_code	status	trigger	attempt_count	http_status
getWebhookDeliveryCounts
w	inserted_at
listWebhookAttempts
w	number	requested_at
s	number	requested_at
c	id	url	remote_ip	trigger	number	duration_ms	response_truncated
updateWebhookDeliverySettings
e	rate_limit_per_second:=1
f	rate_limit_per_second:=		whole number from 1 to 1000 or null	Attempts, evenly spread
f	max_concurrency:=		whole number from 1 to 128 or null	Attempts at the same time; 48 where it is not set
f	ordering=		none | fifo	fifo: one at a time, in the order in which events were recorded; what fails holds up the rest
f	timeout_seconds:=		whole number from 1 to 30 or null	Time limit of an attempt, connection and whole answer included; the service has a default
f	asymmetric_signing:=		true | false	Every call carries a second signature, v1a, that the public key verifies
f	headers.<name>=		text up to 4,096 characters
replayWebhooks
e	'delivery_ids:=["0b9c5f0e-7d7e-4c55-9a1b-3f2f6f2a8c11"]'
f	delivery_ids:=		list of ids, at most 1,000
f	filter.since=		time, such as 2026-01-31T09:30:00Z	Inclusive, by inserted_at; 30 days before the end if absent
f	filter.until=		time, such as 2026-01-31T09:30:00Z	Exclusive; now if absent or later
f	filter.status:=		list of pending | retrying | delivered | failed | suppressed, at most 5
f	filter.event_type:=		list of text, at most 100
f	rate_per_second:=		whole number from 1 to 10000	Deliveries a second, on average over some seconds
f	dry_run:=		true | false	Only say what would be replayed
listWebhookReplays
w	inserted_at	status
s	inserted_at
c	id	status	matched	replayed	dry_run	inserted_at	subscription_id
listIncomingWebhookReceivers
w	inserted_at	updated_at	name	receiver_kind	is_active
s	inserted_at	updated_at	name
c	id	name	receive_url	receiver_kind	dedup_window_seconds	consecutive_signature_failures	is_active
createIncomingWebhookReceiver
e	receiver_kind=email_a
f	receiver_kind=	*	email_a | email_b | email_c | sms_a | sms_b | push_a | push_b | file_transfer_a | generic_hmac	Fixed once the receiver is made
f	name=		text up to 120 characters or null
f	is_active:=		true | false or null
f	dedup_window_seconds:=		whole number from 0 to 604800 or null	Counted from the first acceptance of a key; 0 accepts every call
f	signature_required:=		true | false or null
f	verification.topic_arns:=		JSON	The topics that may send here
f	verification.topic_account_id:=		JSON	The account whose topics may send here
f	verification.auto_confirm:=		JSON	Confirm and pin the first topic of topic_account_id, within 24 hours of creation
f	verification.allow_signature_version_1:=		JSON	Accept SignatureVersion 1, which is SHA-1
f	verification.max_age_seconds:=		JSON
f	verification.public_key:=		JSON	Ed25519, base64 of 32 bytes, as the provider shows it
f	verification.signing_key:=		JSON	The secret, where the sender makes it; else ours is used, as it is shown
f	verification.stop_status:=		JSON	Answered instead of 401 and 410: the provider then stops sending a call again
f	verification.auth_token:=		JSON	The account’s auth token
f	verification.account_id:=		JSON	The account that callbacks must name
f	verification.opt_out_words:=		JSON	Replies that revoke the SMS consent, in addition to STOP and the like
f	verification.opt_in_words:=		JSON	Replies that give the SMS consent, in addition to START and UNSTOP
f	verification.profile:=		JSON	Signature that the bus sends; oidc if absent
f	verification.signature_secret:=		JSON	For the profile vonage_jwt
f	verification.audience:=		JSON	Default: the receiver’s URL
f	verification.service_account_email:=		JSON	The account whose tokens the bus sends
f	verification.subscription:=		JSON	The only subscription that may send here
f	verification.preset:=		JSON	Default standard (Standard Webhooks); the settings below change details of the others
f	verification.signature_header:=		JSON	Header of the signature
f	verification.algorithm:=		JSON
f	verification.encoding:=		JSON
f	verification.prefix:=		JSON	Before the signature, such as sha256=
f	verification.content:=		JSON	Content that is signed
f	verification.timestamp_header:=		JSON	Header of the timestamp, in Unix seconds
f	verification.id_header:=		JSON	Header of the id that is signed
f	verification.event_id_at:=		JSON	Where a body of the sender’s own form holds the id of the event: a header, or a JSON Pointer
f	verification.event_type_at:=		JSON	Where a body of the sender’s own form holds the type of the event: a header, or a JSON Pointer
f	verification.type=		receiver_verification
f	verification.team_id:=		JSON	Ignored
f	verification.scheme:=		JSON	Ignored
f	verification.status:=		JSON	Ignored
f	verification.accepted_headers:=		JSON	Ignored
f	verification.secrets:=		JSON	Ignored
f	verification.pending_confirmation:=		JSON	Ignored
updateIncomingWebhookReceiver
e	receiver_kind=email_a
f	receiver_kind=		email_a | email_b | email_c | sms_a | sms_b | push_a | push_b | file_transfer_a | generic_hmac	Fixed once the receiver is made
f	name=		text up to 120 characters or null
f	is_active:=		true | false	Calls to an inactive receiver answer 410
f	dedup_window_seconds:=		whole number from 0 to 604800	Counted from the first acceptance of a key; 0 accepts every call
f	signature_required:=		true | false	False accepts unsigned calls, but never a call with a wrong signature
f	verification.topic_arns:=		JSON	The topics that may send here
f	verification.topic_account_id:=		JSON	The account whose topics may send here
f	verification.auto_confirm:=		JSON	Confirm and pin the first topic of topic_account_id, within 24 hours of creation
f	verification.allow_signature_version_1:=		JSON	Accept SignatureVersion 1, which is SHA-1
f	verification.max_age_seconds:=		JSON
f	verification.public_key:=		JSON	Ed25519, base64 of 32 bytes, as the provider shows it
f	verification.signing_key:=		JSON	The secret, where the sender makes it; else ours is used, as it is shown
f	verification.stop_status:=		JSON	Answered instead of 401 and 410: the provider then stops sending a call again
f	verification.auth_token:=		JSON	The account’s auth token
f	verification.account_id:=		JSON	The account that callbacks must name
f	verification.opt_out_words:=		JSON	Replies that revoke the SMS consent, in addition to STOP and the like
f	verification.opt_in_words:=		JSON	Replies that give the SMS consent, in addition to START and UNSTOP
f	verification.profile:=		JSON	Signature that the bus sends; oidc if absent
f	verification.signature_secret:=		JSON	For the profile vonage_jwt
f	verification.audience:=		JSON	Default: the receiver’s URL
f	verification.service_account_email:=		JSON	The account whose tokens the bus sends
f	verification.subscription:=		JSON	The only subscription that may send here
f	verification.preset:=		JSON	Default standard (Standard Webhooks); the settings below change details of the others
f	verification.signature_header:=		JSON	Header of the signature
f	verification.algorithm:=		JSON
f	verification.encoding:=		JSON
f	verification.prefix:=		JSON	Before the signature, such as sha256=
f	verification.content:=		JSON	Content that is signed
f	verification.timestamp_header:=		JSON	Header of the timestamp, in Unix seconds
f	verification.id_header:=		JSON	Header of the id that is signed
f	verification.event_id_at:=		JSON	Where a body of the sender’s own form holds the id of the event: a header, or a JSON Pointer
f	verification.event_type_at:=		JSON	Where a body of the sender’s own form holds the type of the event: a header, or a JSON Pointer
f	verification.type=		receiver_verification
f	verification.team_id:=		JSON	Ignored
f	verification.scheme:=		JSON	Ignored
f	verification.status:=		JSON	Ignored
f	verification.accepted_headers:=		JSON	Ignored
f	verification.secrets:=		JSON	Ignored
f	verification.pending_confirmation:=		JSON	Ignored
testIncomingWebhookReceiver
e	event=event
f	event=		text up to 128 characters	An event that the kind has a sample of
updateReceiverVerification
e	topic_arns:=null
f	topic_arns:=		JSON	The topics that may send here
f	topic_account_id:=		JSON	The account whose topics may send here
f	auto_confirm:=		JSON	Confirm and pin the first topic of topic_account_id, within 24 hours of creation
f	allow_signature_version_1:=		JSON	Accept SignatureVersion 1, which is SHA-1
f	max_age_seconds:=		JSON
f	public_key:=		JSON	Ed25519, base64 of 32 bytes, as the provider shows it
f	signing_key:=		JSON	The secret, where the sender makes it; else ours is used, as it is shown
f	stop_status:=		JSON	Answered instead of 401 and 410: the provider then stops sending a call again
f	auth_token:=		JSON	The account’s auth token
f	account_id:=		JSON	The account that callbacks must name
f	opt_out_words:=		JSON	Replies that revoke the SMS consent, in addition to STOP and the like
f	opt_in_words:=		JSON	Replies that give the SMS consent, in addition to START and UNSTOP
f	profile:=		JSON	Signature that the bus sends; oidc if absent
f	signature_secret:=		JSON	For the profile vonage_jwt
f	audience:=		JSON	Default: the receiver’s URL
f	service_account_email:=		JSON	The account whose tokens the bus sends
f	subscription:=		JSON	The only subscription that may send here
f	preset:=		JSON	Default standard (Standard Webhooks); the settings below change details of the others
f	signature_header:=		JSON	Header of the signature
f	algorithm:=		JSON
f	encoding:=		JSON
f	prefix:=		JSON	Before the signature, such as sha256=
f	content:=		JSON	Content that is signed
f	timestamp_header:=		JSON	Header of the timestamp, in Unix seconds
f	id_header:=		JSON	Header of the id that is signed
f	event_id_at:=		JSON	Where a body of the sender’s own form holds the id of the event: a header, or a JSON Pointer
f	event_type_at:=		JSON	Where a body of the sender’s own form holds the type of the event: a header, or a JSON Pointer
f	team_id:=		JSON	Ignored
f	scheme:=		JSON	Ignored
f	status:=		JSON	Ignored
f	accepted_headers:=		JSON	Ignored
f	secrets:=		JSON	Ignored
f	pending_confirmation:=		JSON	Ignored
rotateReceiverSecret
e	force:=true
f	force:=		true | false	Ends a rotation that is under way
confirmReceiverSubscription
e	'topic_arn=topic arn'
f	topic_arn=		text up to 512 characters	Which of several; it is pinned
createUpload
e	contacts.csv
receiveEmailA
e	kind=email_a email_a_event_type=Send 'email_a_message_id=email a message id' source=source 'destination:=["destination"]' timestamp=2026-01-31T09:30:00.000Z 'raw_topic_message_id=raw topic message id'
f	kind=		email_a
f	email_a_event_type=		Send | Delivery | Bounce | Complaint | Open | Click | Reject | RenderingFailure | DeliveryDelay
f	email_a_message_id=		text
f	source=		text
f	destination:=		list of text
f	timestamp=		time, such as 2026-01-31T09:30:00Z
f	do_message_id=		text
f	do_contact_id=		text
f	do_journey_id=		text
f	raw_topic_message_id=		text
f	raw_topic_envelope:=		object	The untouched envelope: its X.509 signature then proves this body
f	bounce.bounce_type=		text	Permanent, Transient or Undetermined
f	bounce.bounce_sub_type=		text
f	bounce.feedback_id=		text
f	bounce.timestamp=		text
f	bounce.remote_mta_ip=		text
f	bounce.reporting_mta=		text
f	bounce.recipients:=		list of objects with email_address, status, action, diagnostic_code, at most 50
f	complaint.feedback_type=		text
f	complaint.sub_type=		text
f	complaint.feedback_id=		text
f	complaint.user_agent=		text
f	complaint.arrival_date=		text
f	complaint.timestamp=		text
f	complaint.recipients:=		list of objects with email_address, status, action, diagnostic_code, at most 50
f	open.ip_address=		text
f	open.user_agent=		text
f	open.timestamp=		text
f	click.ip_address=		text
f	click.user_agent=		text
f	click.timestamp=		text
f	click.link=		text
f	click.link_tags:=		JSON
f	delivery:=		object
f	reject:=		object
f	failure:=		object
f	delivery_delay:=		object
f	Type=		Notification | SubscriptionConfirmation | UnsubscribeConfirmation
f	MessageId=		text
f	TopicArn=		text	Must be one of topic_arns of the receiver
f	Message=		text	The event of the provider, as JSON text
f	Timestamp=		text
f	SignatureVersion=		text
f	Signature=		text	X.509 signature in base64
f	SigningCertURL=		text
f	SubscribeURL=		text	Address that confirms the subscription
receiveEmailB
e	kind=email_b event=processed recipient=recipient timestamp:=1
f	kind=	*	email_b
f	event=	*	processed | deferred | delivered | dropped | bounce | blocked | open | click | 4 more
f	recipient=	*	text
f	timestamp:=	*	whole number from 0 to 253402300799999	Unix seconds
f	email_b_event_id=		text up to 255 characters	An event without one is known by the digest of its content
f	message_id=		text	Links the event to a message that was sent
f	smtp_id=		text
f	bounce_type=		bounce | blocked | expired
f	bounce_classification=		text
f	reason=		text
f	status=		text	RFC 3463, x.y.z
f	response=		text
f	attempt:=		whole number from 0
f	url=		text
f	user_agent=		text
f	ip=		text
f	unsubscribe_group_id:=		whole number
f	is_machine_open:=		true | false
f	categories:=		list of text
f	do_message_id=		text
f	do_contact_id=		text
f	do_journey_id=		text
receiveEmailC
e	kind=email_c event=delivered recipient=recipient timestamp:=1 'email_c_event_id=email c event id' 'message_id=message id'
f	kind=		email_c
f	event=		delivered | opened | clicked | failed | unsubscribed | complained | accepted | rejected
f	recipient=		text
f	timestamp:=		whole number from 0 to 253402300799999	Unix seconds
f	email_c_event_id=		text
f	message_id=		text
f	do_message_id=		text
f	do_contact_id=		text
f	do_journey_id=		text
f	severity=		permanent | temporary
f	reason=		text
f	delivery_status.code:=		JSON
f	delivery_status.message=		text
f	delivery_status.description=		text
f	delivery_status.enhanced_code=		text
f	delivery_status.mx_host=		text
f	delivery_status.attempt_no:=		JSON
f	delivery_status.tls:=		JSON
f	delivery_status.session_seconds:=		JSON
f	delivery_status.certificate_verified:=		JSON
f	delivery_status.bounce_type=		text
f	url=		text
f	client_info.client_name=		text
f	client_info.client_os=		text
f	client_info.client_type=		text
f	client_info.device_type=		text
f	client_info.user_agent=		text
f	client_info.bot=		text
f	ip=		text
f	signature.timestamp=	*	text
f	signature.token=	*	text
f	signature.signature=	*	text
f	event-data.id=		text
f	event-data.event=	*	text	delivered, opened, clicked, unsubscribed, complained or failed
f	event-data.timestamp:=	*	number	Seconds since 1970
f	event-data.recipient=		text
f	event-data.severity=		text	For failed: permanent or temporary
f	event-data.user-variables:=		object
receiveSmsA
e	kind=sms_a event=accepted 'sms_a_message_id=sms a message id' to=ada@example.com
f	kind=	*	sms_a
f	event=	*	accepted | scheduled | queued | sending | sent | delivered | undelivered | failed | 3 more
f	sms_a_message_id=	*	text
f	sms_a_account_id=		text
f	messaging_service_id=		text
f	to=	*	text
f	from=		text
f	error_code=		text or null
f	error_message=		text or null
f	carrier_done_at=		time, such as 2026-01-31T09:30:00Z	To the minute
f	timestamp=		time, such as 2026-01-31T09:30:00Z	The time of receipt, where the provider sends none
f	text=		text up to 1,600 characters
f	segments:=		whole number
f	opt_out:=		true | false
f	opt_in:=		true | false
f	do_message_id=		text
f	do_contact_id=		text
f	do_journey_id=		text
receiveSmsB
e	kind=sms_b event_type=message_sent status=queued 'sms_b_event_id=sms b event id' 'sms_b_message_id=sms b message id' occurred_at=2026-01-31T09:30:00.000Z to=ada@example.com
f	kind=		sms_b
f	event_type=		message_sent | message_finalized | message_received
f	status=		queued | sending | sent | delivered | sending_failed | delivery_failed | delivery_unconfirmed | expired | received
f	sms_b_event_id=		text
f	sms_b_message_id=		text
f	occurred_at=		time, such as 2026-01-31T09:30:00Z
f	to=		text
f	from=		text
f	text=		text
f	parts:=		whole number
f	carrier=		text
f	error_code=		text
f	error_detail=		text
f	attempt:=		whole number
f	opt_out:=		true | false
f	opt_in:=		true | false
f	do_message_id=		text
f	do_contact_id=		text
f	do_journey_id=		text
f	data.record_type=	*	event
f	data.id=	*	text
f	data.event_type=	*	text	message.sent, message.finalized or message.received
f	data.occurred_at=	*	text
f	data.payload:=	*	object
f	meta:=		object
receivePushA
e	kind=push_a event=accepted 'push_a_message_id=push a message id' timestamp=2026-01-31T09:30:00.000Z 'raw_bus_message_id=raw bus message id'
f	kind=		push_a
f	event=		accepted | sent | delivered | received | opened | dismissed | failed | token_invalid
f	push_a_message_id=		text
f	timestamp=		time, such as 2026-01-31T09:30:00Z
f	raw_bus_message_id=		text
f	bus_subscription=		text
f	bus_publish_time=		time, such as 2026-01-31T09:30:00Z
f	delivery_attempt:=		whole number
f	device_token_hash=		text	SHA-256 of the token, hex
f	platform=		ios | android | web | other
f	app_id=		text
f	error_code=		text
f	error_message=		text
f	do_message_id=		text
f	do_contact_id=		text
f	do_journey_id=		text
f	message.data=	*	text	The delivery event as JSON in base64
f	message.attributes:=		object
f	message.messageId=	*	text
f	message.publishTime=		text
f	subscription=		text
receivePushB
e	kind=push_b event=sent 'push_b_event_id=push b event id' 'push_b_message_id=push b message id' timestamp:=1
f	kind=		push_b
f	event.kind=	*	text	message.push
f	event.id=	*	text
f	event.timestamp:=	*	whole number
f	push_b_event_id=		text
f	push_b_message_id=		text
f	timestamp:=		whole number from 0 to 253402300799999	Unix seconds
f	app_id=		text
f	subscription_id=		text
f	external_id=		text	Our contact’s unique_id, where there is no do_contact_id
f	platform=		text
f	failure_reason=		text
f	url=		text
f	do_message_id=		text
f	do_contact_id=		text
f	do_journey_id=		text
f	message:=		object
receiveFileTransferA
e	kind=file_transfer_a event_type=file_uploaded 'server_id=server id' username=username path=path upload_started_at=2026-01-31T09:30:00.000Z upload_completed_at=2026-01-31T09:30:00.000Z 'raw_topic_message_id=raw topic message id'
f	kind=		file_transfer_a
f	event_type=		file_uploaded | file_upload_failed
f	server_id=		text
f	username=		text
f	path=		text
f	size_bytes:=		whole number from 0
f	sha256=		text
f	upload_started_at=		time, such as 2026-01-31T09:30:00Z
f	upload_completed_at=		time, such as 2026-01-31T09:30:00Z
f	raw_topic_message_id=		text
f	raw_topic_envelope:=		object	The untouched envelope: its X.509 signature then proves this body
f	client_ip=		text
f	failure_code=		text
f	failure_message=		text
f	do_message_id=		text
f	do_contact_id=		text
f	do_journey_id=		text
f	Type=		Notification | SubscriptionConfirmation | UnsubscribeConfirmation
f	MessageId=		text
f	TopicArn=		text	Must be one of topic_arns of the receiver
f	Message=		text	The event of the provider, as JSON text
f	Timestamp=		text
f	SignatureVersion=		text
f	Signature=		text	X.509 signature in base64
f	SigningCertURL=		text
f	SubscribeURL=		text	Address that confirms the subscription
receiveGenericHmac
e	kind=generic_hmac event_type=order.completed 'event_id=event id' occurred_at=2026-01-31T09:30:00.000Z
f	kind=	*	generic_hmac
f	vendor=		text up to 64 characters
f	event_type=	*	text up to 128 characters
f	event_id=	*	text up to 255 characters
f	occurred_at=	*	time, such as 2026-01-31T09:30:00Z
f	channel=		email | sms | push | file | web | other
f	status=		queued | sent | delivered | opened | clicked | bounced | failed | complained | 3 more
f	recipient=		text
f	contact_unique_id=		text
f	objective_key=		text	Key of an objective that the contact completed
f	value_cents:=		whole number from -10000000000000 to 10000000000000	Value of the completion; another one is left out
f	data:=		object
f	do_message_id=		text
f	do_contact_id=		text
f	do_journey_id=		text
listInboundDeliveries
w	received_at	processed_at	status	event_type	signature_status	mode	provider_event_id	do_message_id	do_contact_id	do_journey_id	contact_id	message_id
s	received_at	processed_at
i	payload
c	id	event_type	provider_event_id	receiver_kind	status	http_status	event_index
getInboundDeliveryCounts
w	received_at
replayInboundWebhooks
e	'delivery_ids:=["0b9c5f0e-7d7e-4c55-9a1b-3f2f6f2a8c11"]'
f	delivery_ids:=		list of ids, at most 1,000
f	filter.since=		time, such as 2026-01-31T09:30:00Z	Inclusive, by received_at; 30 days before the end if absent
f	filter.until=		time, such as 2026-01-31T09:30:00Z	Exclusive; now if absent or later
f	filter.status:=		list of processed | failed | ignored | pending_confirmation | rejected_signature | rejected_invalid, at most 6
f	filter.event_type:=		list of text, at most 100
f	rate_per_second:=		whole number from 1 to 10000	Deliveries a second, on average over some seconds
f	dry_run:=		true | false	Only say what would be replayed
listInboundReplays
w	inserted_at	status
s	inserted_at
c	id	status	matched	replayed	dry_run	inserted_at	receiver_id
listOperations
w	category	execution_mode
s	kind
c	kind	category	idempotency_mode	failure_mode	bulk_threshold
executeOperation
e	input.unique_id=crm-4711 input.email=ada@example.com
f	input:=		JSON	By the input_schema of the operation
f	items:=		list of JSON values	Instead of input; at most 10000
f	options.dry_run:=		true | false	Try everything and keep nothing; false if absent
f	options.return=		full | ids | none	full: with the output of each item; ids: without; none: only the items that failed
listExecutions
w	inserted_at	updated_at	status	operation_kind
s	inserted_at	updated_at
c	id	operation_kind	idempotency_key	status	execution_mode	input_count	dry_run
getExecutionResult
w	index	status
s	index
c	index	resource_type	status	resource_id
listExecutionItems
w	index	status
s	index
c	index	resource_type	status	resource_id
createBatchOperation
e	operation_kind=contacts.bulk_upsert 'items:=[{"unique_id":"crm-4711","email":"ada@example.com"},{"unique_id":"crm-4712"}]'
f	operation_kind=	*	text up to 255 characters	As GET /v2/ipaas/operations lists them
f	items:=		list of JSON values	At most 10000; more come as an upload
f	upload_id=		id	Instead of items: of a file that was sent to /v2/batch/uploads
f	mapping:=		object	Names of fields by names of columns, for a CSV file whose columns have others; null leaves a column out
f	consent_columns:=		object	For a CSV file of contacts: by the names of columns of yes and no, the consents that they are
f	options.failure_mode=		partial_ok | transactional	The operation’s own if absent; transactional takes 1,000 items
f	options.dry_run:=		true | false	Try every item and keep nothing; false if absent
f	options.notify_webhook:=		true | false	Send batch_operation.started, and the event of the state it ends in; false if absent
listBatchOperations
w	inserted_at	updated_at	status	operation_kind
s	inserted_at	updated_at
c	id	operation_kind	status	source	total_count	processed_count	dry_run
validateBatchOperation
e	operation_kind=contacts.bulk_upsert 'items:=[{"unique_id":"crm-4711","email":"ada@example.com"},{"unique_id":"crm-4712"}]'
f	operation_kind=	*	text up to 255 characters	As GET /v2/ipaas/operations lists them
f	items:=		list of JSON values	At most 10000; more come as an upload
f	upload_id=		id	Instead of items: of a file that was sent to /v2/batch/uploads
f	mapping:=		object	Names of fields by names of columns, for a CSV file whose columns have others; null leaves a column out
f	consent_columns:=		object	For a CSV file of contacts: by the names of columns of yes and no, the consents that they are
f	options.failure_mode=		partial_ok | transactional	The operation’s own if absent; transactional takes 1,000 items
f	options.dry_run:=		true | false	Try every item and keep nothing; false if absent
f	options.notify_webhook:=		true | false	Send batch_operation.started, and the event of the state it ends in; false if absent
listBatchOperationItems
w	index	status
s	index
c	index	resource_type	status	resource_id
`;
