import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { createTeamSender } from '../../src/messaging/providers/team-senders.ts';
import type { TeamSender } from '../../src/messaging/providers/team-senders.ts';
import type { TeamProvider } from '../../src/messaging/providers/team-provider.ts';
import { createEgress } from '../../src/platform/egress/client.ts';
import { echoedIds } from '../../src/inbound/intake/read-items.ts';
import { receivers } from '../../src/inbound/receivers.ts';
import { callbackOf } from '../inbound/a-callback.ts';
import { topicArn } from '../inbound/a-topic.ts';
import { developmentRules, productionRules } from '../platform/egress/rules.ts';
import { startContractServer } from './contract-server.ts';
import { about, channelOf, ids, messages, senderAddresses } from './outgoing-messages.ts';
import { contracts } from './provider-contracts.ts';
import type { Contract } from './provider-contracts.ts';

const egress = createEgress({ rules: developmentRules });
const ends: (() => Promise<unknown>)[] = [() => egress.close()];
afterAll(() => Promise.all(ends.map((end) => end())));

/** A provider under a contract, with the way out of a team. */
async function start(contract: Contract, previous?: string) {
  const server = await startContractServer(contract);
  ends.push(() => server.stop());
  server.accept('current');
  const channel = channelOf(contract.kind);
  const newSender = (): TeamSender =>
    createTeamSender(
      {
        ...{ team_id: about.teamId, id: randomUUID(), channel, kind: contract.kind },
        ...{ url: server.url, account: contract.account || null, family: null },
        senders: senderAddresses[channel],
      },
      { current: 'current', previous },
      { egress, connections: 2 },
    );
  return { server, newSender, sender: newSender(), message: messages[channel] };
}

describe.each(contracts)('$kind', (contract) => {
  test('receives messages in the form that its provider documents, and echoes our ids', async () => {
    const { server, sender, message } = await start(contract);
    const result = await sender.send(message, 5_000);
    expect(server.breaches).toEqual([]);
    if (result.kind !== 'sent') throw new Error(`not sent: ${result.code}`);
    expect(result.recipient).toBe(
      { email: 'ada@example.com', sms: '+14155550100', push: 'newest' }[channelOf(contract.kind)],
    );

    const [request] = server.received;
    if (!request) throw new Error('nothing received');
    const { body, query = '' } = contract.echo(request);
    const isForm = contract.kind === 'sms_a';
    const callback = callbackOf({
      headers: isForm ? { 'content-type': 'application/x-www-form-urlencoded' } : {},
      body: isForm ? new URLSearchParams({ ...body }).toString() : JSON.stringify(body),
      query,
    });
    const receiver = receivers[contract.kind];
    const [item] = receiver.read(callback, { topic_arns: [topicArn] });
    if (!item || !('payload' in item)) throw new Error('the callback is not understood');
    expect(echoedIds(item.payload)).toEqual(ids);
    expect(receiver.providerMessageId(item.payload)).toBe(result.providerMessageId);
  });

  test.each([
    [400, 'refused', false],
    [404, 'refused', false],
    [429, 'later', true],
    [500, 'later', false],
    [503, 'later', false],
  ] as const)('answers %d: %s', async (status, kind, isSure) => {
    const { server, sender, message } = await start(contract);
    server.answerWith(status);
    const result = await sender.send(message, 5_000);
    expect(result).toMatchObject({
      ...{ kind, code: `http_${String(status)}` },
      ...(kind === 'later' && { outage: { isSure } }),
    });
    // The text of the provider about the recipient is not stored.
    expect(JSON.stringify(result)).not.toContain('4155550100');
    expect(server.breaches).toEqual([]);
  });

  test('a rejected secret is an outage, and fails the check', async () => {
    const { server, sender, message } = await start(contract);
    expect(await sender.check(5_000)).toEqual({ isOk: true });
    server.accept('another');
    expect(await sender.check(5_000)).toEqual({ isOk: false, code: 'http_401' });
    expect(await sender.send(message, 5_000)).toMatchObject({
      ...{ kind: 'later', code: 'http_401', outage: { isSure: true } },
    });
    expect(server.breaches).toEqual([]);
  });

  test('the previous secret is used while the current one is rejected', async () => {
    const { server, sender, message } = await start(contract, 'previous');
    server.accept('previous');
    expect(await sender.send(message, 5_000)).toMatchObject({ kind: 'sent' });
    expect(server.received).toHaveLength(2);
    expect(await sender.send(message, 5_000)).toMatchObject({ kind: 'sent' });
    expect(server.received).toHaveLength(3);
    server.accept('current');
    expect(await sender.send(message, 5_000)).toMatchObject({ kind: 'sent' });
    server.accept('neither');
    expect(await sender.send(message, 5_000)).toMatchObject({ kind: 'later', code: 'http_401' });
  });

  test('two providers share no connection', async () => {
    const { server, sender, newSender, message } = await start(contract);
    const other = newSender();
    for (const one of [sender, other, sender, other]) await one.send(message, 5_000);
    expect(server.received).toHaveLength(4);
    expect(server.connections.size).toBe(2);
  });
});

const smsProvider: TeamProvider = {
  ...{ team_id: about.teamId, id: randomUUID(), channel: 'sms', kind: 'sms_b' },
  ...{ url: 'https://127.0.0.1:8443', account: null, family: null, senders: ['BANK'] },
};
const tools = { egress, connections: 1 };

test('a secret that no header can carry is an outage', async () => {
  const secrets = { current: 'line\nbreak', previous: undefined };
  const sender = createTeamSender(smsProvider, secrets, tools);
  const code = 'invalid_credentials';
  expect(await sender.check(1_000)).toEqual({ isOk: false, code });
  expect(await sender.send(messages.sms, 1_000)).toMatchObject({ kind: 'later', code });
});

test('an inside address is not called', async () => {
  const guarded = createEgress({
    rules: productionRules,
    lookup: () => Promise.resolve(['10.0.0.1']),
  });
  ends.push(() => guarded.close());
  for (const url of ['https://127.0.0.1:8443', 'https://sms.example.com', 'http://8.8.8.8:8080']) {
    const secrets = { current: 'key', previous: undefined };
    const provider = { ...smsProvider, url };
    const sender = createTeamSender(provider, secrets, { ...tools, egress: guarded });
    const code = 'target_not_allowed';
    expect(await sender.check(1_000)).toEqual({ isOk: false, code });
    expect(await sender.send(messages.sms, 1_000)).toMatchObject({ kind: 'later', code });
  }
});
