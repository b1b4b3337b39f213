import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { nameOperation, snakeCase } from '../../sdk/naming.ts';

const document: { paths: Record<string, Record<string, { operationId: string }>> } = JSON.parse(
  readFileSync(new URL('../contract/openapi.json', import.meta.url), 'utf8'),
);
const names = new Map(
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.values(methods).map(({ operationId }) => [
      operationId,
      nameOperation(operationId, path),
    ]),
  ),
);
const nameOf = (operationId: string) => {
  const { namespace, method } = names.get(operationId) ?? { namespace: '', method: '' };
  return `${namespace}.${method}`;
};

test('a method leaves out what its namespace says', () => {
  expect(
    [
      ...['listContacts', 'createContactDevice', 'mergeContact', 'listContactMessageDeliveries'],
      ...['enrollInTemplate', 'getTemplateStatusRollup', 'sendTestMessage', 'explainJourney'],
      ...['rotateWebhookSecret', 'listWebhookEventTypes', 'getReceiverVerification'],
      ...['replayInboundWebhooks', 'receiveEmailA', 'createWidgetToken', 'endWidgetSession'],
      ...['cancelMessageDelivery', 'createSftpCredentials', 'getAdvancedInsightMessages'],
      ...['listObjectiveCompletions', 'listCompletions', 'voidObjectiveCompletion'],
      ...['createBatchOperation', 'executeOperation', 'createUpload', 'createToken', 'getTime'],
    ].map(nameOf),
  ).toEqual([
    ...['contacts.list', 'contacts.createDevice', 'contacts.merge'],
    ...['contacts.listMessageDeliveries', 'templates.enroll', 'templates.getStatusRollup'],
    ...['messages.sendTest', 'journeys.explain', 'webhookSubscriptions.rotateSecret'],
    ...['webhookEventTypes.list', 'incomingWebhookReceivers.getVerification'],
    ...['inboundWebhooks.replay', 'inboundWebhooks.receiveEmailA', 'widgetInstances.createToken'],
    ...['recipients.endWidgetSession', 'messageDeliveries.cancel', 'sftpCredentials.create'],
    ...['insights.getMessages', 'objectives.listCompletions', 'completions.list'],
    ...['completions.void', 'batchOperations.create', 'operations.execute', 'uploads.create'],
    ...['access.createToken', 'meta.getTime'],
  ]);
});

test('every operation has a name of its own, in the manner of each language', () => {
  const each = [...names.values()];
  expect(names.size).toBeGreaterThan(250);
  for (const { namespace, method } of each) {
    expect(`${namespace}.${method}`).toMatch(/^[a-z][A-Za-z]+\.[a-z][A-Za-z]+$/);
  }
  const spellings = each.map((name) => `${snakeCase(name.namespace)}.${snakeCase(name.method)}`);
  expect(new Set(spellings).size).toBe(names.size);
  expect(snakeCase('webhookSubscriptions')).toBe('webhook_subscriptions');
  expect(snakeCase('receiveEmailA')).toBe('receive_email_a');
});
