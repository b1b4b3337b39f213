import { scopesOf } from '../operations/sftp/access/principal.ts';
import { purposes } from '../operations/sftp/rules.ts';
import { operations } from '../operations/catalog.ts';
import { exportKinds } from '../operations/exports/kinds.ts';

/** A way of making something that acts later, without the client that made it. */
export interface Actor {
  /** Operations that make it, or change what it does. */
  operations: readonly string[];
  /** The effect on the data of the team. */
  effect: string;
  /** Scopes that the call needs beyond its own; by the content of the call where there are several. */
  needs: readonly { when?: string; scopes: readonly string[] }[];
  /** Whose rights it acts with, and when they are checked again. */
  rights: string;
}

const perPurpose = purposes.map((purpose) => ({
  when: `purpose ${purpose}`,
  scopes: scopesOf(purpose),
}));
const files = {
  needs: perPurpose,
  rights:
    'The scopes of the purpose that its last client held, at each file reduced to those that the client still has; none while the client is suspended',
};

/** Everything that acts later, with the rights that it has. */
export const actors: readonly Actor[] = [
  {
    operations: ['createSftpCredentials', 'updateSftpCredential'],
    effect: 'Files that arrive change contacts, accounts and completions',
    ...files,
  },
  {
    operations: ['createFileSource', 'updateFileSource'],
    effect: 'Files that are fetched change contacts, accounts and completions',
    ...files,
  },
  {
    operations: ['createSendingProvider', 'updateSendingProvider'],
    effect: 'Receives the messages of the team, with addresses, texts, links and codes',
    needs: [{ scopes: ['partner:messages:read', 'partner:contacts:read'] }],
    rights:
      'The scopes at the call; where the team has requires_provider_release, also the release by a second client or an operator after each change',
  },
  {
    operations: ['createWebhookSubscription', 'updateWebhookSubscription'],
    effect: 'Receives events of the team',
    needs: [],
    rights:
      'An event has its data only if the client that last set address and types held its read scope; others have ids alone',
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
  },
  {
    operations: ['createExport', 'exportContact'],
    effect: 'Writes a file of what it names',
    needs: Object.entries(exportKinds).map(([kind, { scope }]) => {
      return { when: `list ${kind}`, scopes: [scope] };
    }),
    rights: 'The scope of the list or section at the call, and of the reader again at the download',
  },
  {
    operations: ['executeOperation', 'retryExecution', 'createBatchOperation']
      .concat('validateBatchOperation', 'retryBatchOperation')
      .concat('sendMessageBatch'),
    effect: 'Runs an operation on many items in the background',
    needs: operations.map(({ kind, scopes }) => ({ when: kind, scopes })),
    rights:
      'The scopes of the client at the call, at each chunk reduced to those that it still has; results need the scopes that the run had',
  },
  {
    operations: ['createCohort', 'updateCohort', 'evaluateCohort'],
    effect: 'Members join and leave by rules about contacts, and templates enroll them',
    needs: [],
    rights: 'The scopes that read what its rules ask about, at the call',
  },
  {
    operations: ['createTemplate', 'updateTemplate', 'duplicateTemplate', 'enrollInTemplate'],
    effect: 'Once launched, sends its messages to those who are enrolled, with their own data',
    needs: [],
    rights: 'No data reaches a client; the messages go to the person that they are about',
  },
  {
    operations: ['createTemplateMessage', 'updateMessage', 'createTemplatePage', 'updatePage'],
    effect: 'Is sent or shown to those who are enrolled, with their own data',
    needs: [],
    rights: 'Conditions need the scopes that read what they ask about, at the call',
  },
  {
    operations: ['sendMessage', 'sendTestMessage', 'createTestRecipient'],
    effect: 'A message leaves to a contact, or to an address that has confirmed it',
    needs: [],
    rights: 'The scopes at the call; consents, caps and senders are checked again at the send',
  },
  {
    operations: ['createLandingPage', 'updateLandingPage', 'duplicateLandingPage'].concat(
      ...['publishLandingPage', 'createContentBlock', 'duplicateContentBlock'],
    ),
    effect: 'Its forms record what visitors send, as contacts and events',
    needs: [],
    rights: 'The visitors act; a form writes only the fields that it declares',
  },
  {
    operations: ['createWidgetInstance', 'updateWidgetInstance', 'createWidgetToken'],
    effect: 'Recipients see their journeys at the origins that it admits',
    needs: [],
    rights: 'The recipients act, by their assurance; origins are checked at each call',
  },
  {
    operations: ['createPortalSession'],
    effect: 'A person reads and acts on the pages of the team, by a link that opens once',
    needs: [],
    rights:
      'Scopes that the client holds at the call, or fewer; the session ends by its term, or earlier when the client changes or is suspended',
  },
  {
    operations: ['replayWebhooks', 'retryWebhookDelivery', 'testWebhookSubscription'],
    effect: 'Sends recorded events of a subscription again',
    needs: [],
    rights: 'Those of the subscription, as for each of its events',
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
