/** The place of an operation in the SDKs and the command line: `onward.<namespace>.<method>()`. */
export interface OperationName {
  namespace: string;
  method: string;
}

/** Paths whose resource is not the segment after the surface; the first that matches counts. */
const places: readonly (readonly [prefix: string, namespace: string])[] = [
  ['/oauth2/', 'access'],
  ['/.well-known/', 'access'],
  ['/v2/meta/', 'meta'],
  ['/v2/widget/', 'recipients'],
  ['/v2/webhooks/inbound/', 'inboundWebhooks'],
  ['/v2/batch/operations', 'batchOperations'],
  ['/v2/partner/objectives/completions', 'completions'],
];

/** Nouns that a method leaves out because its namespace says them; by default, the singular of it. */
const nouns: Readonly<Record<string, readonly string[]>> = {
  access: [],
  meta: [],
  completions: ['ObjectiveCompletion', 'Completion'],
  inboundWebhooks: ['InboundWebhook', 'Inbound'],
  incomingWebhookReceivers: ['IncomingWebhookReceiver', 'Receiver'],
  insights: ['AdvancedInsight', 'Insight'],
  webhookSubscriptions: ['WebhookSubscription', 'Webhook'],
  widgetInstances: ['WidgetInstance', 'Widget'],
};

/**
 * The same name in every language, spelled in its manner: `createContactDevice` on
 * `/v2/partner/contacts/{id}/devices` is `contacts.createDevice`, in Python `contacts.create_device`.
 */
export function nameOperation(operationId: string, path: string): OperationName {
  const namespace = nameNamespace(path);
  const [verb = operationId] = /^[a-z]+/.exec(operationId) ?? [];
  const rest = operationId.slice(verb.length);
  const known = nouns[namespace] ?? [capitalize(namespace).replace(/s$/, '').replace(/ie$/, 'y')];
  const remaining = known.reduce(
    (name, noun) => (name === rest ? leaveOut(noun, name) : name),
    rest,
  );
  // `enrollInTemplate` is `templates.enroll`.
  return { namespace, method: `${verb}${remaining.replace(/^In$/, '')}` };
}

/** `createDevice` is `create_device`, and `receiveEmailA` is `receive_email_a`. */
export function snakeCase(name: string): string {
  return name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toLowerCase();
}

function nameNamespace(path: string): string {
  const placed = places.find(([prefix]) => path.startsWith(prefix));
  if (placed) return placed[1];
  const [, , , resource = ''] = path.split('/');
  return resource.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** From the front where it is there, otherwise from the end. */
function leaveOut(noun: string, name: string): string {
  const word = `(?:${noun}s?|${noun.replace(/y$/, 'ies')})`;
  const front = new RegExp(`^${word}(?![a-z])`);
  return front.test(name) ? name.replace(front, '') : name.replace(new RegExp(`${word}$`), '');
}

function capitalize(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}
