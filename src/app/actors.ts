import { scopesOf } from '../operations/sftp/access/principal.ts';
import { purposes } from '../operations/sftp/rules.ts';
import { operations } from '../operations/catalog.ts';
import { exportKinds } from '../operations/exports/kinds.ts';

/** Work that happens after the request that caused it, without its client. */
export interface Actor {
  /** Operations that create or change it. */
  operations: readonly string[];
  /** The effect on the data of the team. */
  effect: string;
  /** Scopes that the call needs beyond its own; by the content of the call where there are several. */
  needs: readonly { when?: string; scopes: readonly string[] }[];
  /** Whose rights it acts with. */
  rights: string;
  /** When the current rights of the client that created or last changed it are checked. */
  checked: Checked;
}

/**
 * At the act: the current rights of the client are checked when the work happens; `shown` names where
 * a refusal is shown. At the call: only when the work is requested, for the named reason.
 */
export type Checked = { atTheAct: string; shown: string } | { atTheCall: string };

const perPurpose = purposes.map((purpose) => ({
  when: `purpose ${purpose}`,
  scopes: scopesOf(purpose),
}));
const files = {
  needs: perPurpose,
  rights:
    'The scopes of the purpose that its last client held, as far as the client still has them',
};
const fileError = '`error` of the SFTP upload';

/** All work that happens later, with its rights. docs/authorization.md shows this list. */
export const actors: readonly Actor[] = [
  {
    operations: ['createSftpCredentials', 'updateSftpCredential'],
    effect: 'Files that arrive change contacts, accounts and completions',
    ...files,
    checked: {
      atTheAct: 'At each login and file; a suspended client’s credentials log nobody in',
      shown: fileError,
    },
  },
  {
    operations: ['createFileSource', 'updateFileSource'],
    effect: 'Files that are fetched change contacts, accounts and completions',
    ...files,
    checked: {
      atTheAct: 'At each file; those of a suspended client wait',
      shown: fileError,
    },
  },
  {
    operations: ['createSendingProvider', 'updateSendingProvider'],
    effect: 'Receives the messages of the team, with addresses, texts, links and codes',
    needs: [{ scopes: ['partner:messages:read', 'partner:contacts:read'] }],
    rights:
      'Those of the client that last changed it; where the team has requires_provider_release, also the release by a second client or an operator after each change',
    checked: {
      atTheAct:
        'At each claim of messages; they then take the next provider, or that of the service',
      shown: '`provider` of each message delivery',
    },
  },
  {
    operations: ['createWebhookSubscription', 'updateWebhookSubscription'],
    effect: 'Receives events of the team',
    needs: [],
    rights:
      'An event has its data only if the client that last set address and types has its read scope; others have ids alone',
    checked: {
      atTheAct: 'At each attempt, within ten seconds; those for a suspended client wait',
      shown: '`thin_event_types` of the subscription',
    },
  },
  {
    operations: ['createIncomingWebhookReceiver', 'updateIncomingWebhookReceiver']
      .concat('updateReceiverVerification', 'rotateReceiverSecret')
      .concat('replayInboundWebhooks', 'testIncomingWebhookReceiver'),
    effect:
      'Callbacks that it verifies record deliveries, opt-outs, complaints and, for generic_hmac, engagement events and completions with a value',
    needs: [],
    rights:
      'This scope alone: it stands for the reports of providers, so it is as strong as partner:engagement:write and partner:objectives:write',
    checked: {
      atTheCall:
        'The provider acts, with a signature of its own; refused reports would be lost to the team',
    },
  },
  {
    operations: ['createExport', 'exportContact'],
    effect: 'Writes a file of what it names',
    needs: Object.entries(exportKinds).map(([kind, { scope }]) => {
      return { when: `list ${kind}`, scopes: [scope] };
    }),
    rights: 'The scope of the list or section, of the client and of the reader',
    checked: {
      atTheAct: 'At each part of the file, and for the reader at the download',
      shown: '`error` of the export, and the event `export.failed`',
    },
  },
  {
    operations: ['executeOperation', 'retryExecution', 'createBatchOperation']
      .concat('validateBatchOperation', 'retryBatchOperation')
      .concat('sendMessageBatch'),
    effect: 'Runs an operation on many items in the background',
    needs: operations.map(({ kind, scopes }) => ({ when: kind, scopes })),
    rights:
      'The scopes of the client at the call that it still has; results need the scopes that the run had',
    checked: {
      atTheAct: 'At each chunk',
      shown: '`error` of the run, and its event `.failed`',
    },
  },
  {
    operations: ['createCohort', 'updateCohort', 'evaluateCohort'],
    effect: 'Members join and leave by rules about contacts, and templates enroll them',
    needs: [],
    rights: 'The scopes that read what its rules ask about, of the client that set them',
    checked: {
      atTheAct: 'At each evaluation and each batch of changes; members stay as they are',
      shown: '`evaluation_status` and `last_error` of the cohort',
    },
  },
  {
    operations: ['createTemplate', 'updateTemplate', 'duplicateTemplate', 'enrollInTemplate'],
    effect: 'Once launched, sends its messages to those who are enrolled, with their own data',
    needs: [],
    rights: 'No data reaches a client; the messages go to the person that they are about',
    checked: {
      atTheCall: 'The template is the team’s; its scheduled launch is the next row',
    },
  },
  {
    operations: ['scheduleTemplate'],
    effect: 'Launches the template at its time',
    needs: [],
    rights: 'partner:templates:write, of the client that scheduled it last',
    checked: {
      atTheAct: 'At the launch; the template is a draft again',
      shown: '`missing` of the event `template.launch_failed`',
    },
  },
  {
    operations: ['createTemplateMessage', 'updateMessage', 'createTemplatePage', 'updatePage'],
    effect: 'Is sent or shown to those who are enrolled, with their own data',
    needs: [],
    rights: 'Conditions need the scopes that read what they ask about, at the call',
    checked: {
      atTheCall: 'It acts as a part of its template, and shows nothing to a client',
    },
  },
  {
    operations: ['sendMessage', 'sendTestMessage', 'createTestRecipient'],
    effect: 'A message leaves to a contact, or to an address that has confirmed it',
    needs: [],
    rights: 'The scopes at the call; consents, caps and senders are checked again at the send',
    checked: {
      atTheCall: 'The request was answered: the person or system waits for the message',
    },
  },
  {
    operations: ['createLandingPage', 'updateLandingPage', 'duplicateLandingPage'].concat(
      ...['publishLandingPage', 'createContentBlock', 'duplicateContentBlock'],
    ),
    effect: 'Its forms record what visitors send, as contacts and events',
    needs: [],
    rights: 'The visitors act; a form writes only the fields that it declares',
    checked: { atTheCall: 'The page is the team’s, published by a call of its own' },
  },
  {
    operations: ['createWidgetInstance', 'updateWidgetInstance', 'createWidgetToken'],
    effect: 'Recipients see their journeys at the origins that it admits',
    needs: [],
    rights: 'The recipients act, by their assurance; origins are checked at each call',
    checked: {
      atTheAct: 'At each call: tokens and sessions end when the client changes or is suspended',
      shown: '401 of the call',
    },
  },
  {
    operations: ['createPortalSession'],
    effect: 'A person reads and acts on the pages of the team, by a link that opens once',
    needs: [],
    rights: 'Scopes that the client holds at the call, or fewer; the session ends by its term',
    checked: {
      atTheAct: 'At each call: the session ends when the client changes or is suspended',
      shown: '401 of the call',
    },
  },
  {
    operations: ['replayWebhooks', 'retryWebhookDelivery', 'testWebhookSubscription'],
    effect: 'Sends recorded events of a subscription again',
    needs: [],
    rights: 'Those of the subscription, as for each of its events',
    checked: {
      atTheAct: 'At each attempt, by the rights of the subscription',
      shown: '`thin_event_types` of the subscription',
    },
  },
];

/** Operations that create nothing that acts later. */
export const inertCreations: readonly string[] = [
  ...['createContact', 'createContactAccount', 'createContactDevice', 'createSuppression'],
  ...['eraseContact', 'createTopic', 'createLegalHold', 'createObjective', 'createUser'],
  ...['createObjectiveCompletion', 'recordEngagementEvents', 'publishEvents'],
  ...['createCustomEventType', 'createSendingDomain', 'verifySendingDomain', 'createUpload'],
  ...['testSendingProvider', 'testFileSource', 'confirmReceiverSubscription'],
];
