import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { teamPages } from '../../../src/meta/local-pages/pages.ts';
import { aReceiver, anEvent } from '../../inbound/a-receiver.ts';
import { aBatch, badItem, contactsOf, keysOf, whenRun } from '../../operations/runs/a-run.ts';
import type { TestTeam } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';
import { startReceiver } from '../../support/receiver.ts';
import type { Receiver } from '../../support/receiver.ts';
import { useService } from '../../support/use-service.ts';
import { aBrowser } from '../../widget/a-browser.ts';
import { act, closePage, openPage } from './open-page.ts';

// Every button of the team's pages, with each scope alone besides those by which the page reads.

const browser = await aBrowser();
const { api } = useService({ WEBHOOK_LANE_IDLE_SECONDS: '1' });
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(async () => {
  await browser?.close();
  await receiver.stop();
});

interface Operation {
  method: string;
  path: string;
  scopes: string[];
}

/** The operations of a page, as its script names them. */
async function operationsOf(name: string): Promise<Record<string, Operation>> {
  const { body } = await api.call('GET', `/${name}/page.js`);
  const [, table = '{}'] = /^const operations = (.*);$/m.exec(String(body)) ?? [];
  return JSON.parse(table);
}

const isWrite = ({ method }: Operation) => method !== 'GET';

/** A thing with a button. */
interface Target {
  team: TestTeam;
  /** The address of its page. */
  at: string;
  /** Path parameters of the operation. */
  ids: Readonly<Record<string, string>>;
  body?: object;
  /** The fact that the button changes, as the API or the database has it. */
  effect(): Promise<unknown>;
}

interface Case {
  page: string;
  label: string;
  confirmations: readonly string[];
  target(): Promise<Target>;
}

const subscriptions = '/v2/partner/webhook-subscriptions';
const since = () => new Date(Date.now() - 3_600_000).toISOString();

/** A subscription with deliveries that arrived. */
async function aSubscription(count = 1) {
  const team = await api.newTeam();
  receiver.answer(() => ({ status: 204 }));
  const { body } = await team.post(subscriptions, {
    ...{ name: 'Orders', target_url: receiver.url, event_types: ['contact.created'] },
  });
  const id = String(body.id);
  for (const unique_id of keysOf(count)) await team.post('/v2/partner/contacts', { unique_id });
  const listed = async () => (await team.get(`${subscriptions}/${id}/deliveries`)).body.data;
  await eventually(
    listed,
    (all) => all.length === count && all.every(({ status }: any) => status === 'delivered'),
  );
  return { team, id, listed, at: `/webhooks#/subscriptions/${id}` };
}

const replaysOf = async (team: TestTeam, path: string) =>
  (await team.get(`${path}/replays`)).body.data.length;

/** As if no worker had done anything about it yet. */
const setStatus = (table: string, { id }: TestTeam, status: string) =>
  api.db.look(
    (sql) => sql`update ${sql(table)} set status = ${status} where team_id = ${id} returning id`,
  );

/** A replay under way, of deliveries at a path. */
async function aReplay(team: TestTeam, path: string, table: string) {
  const { status, body } = await team.post(`${path}/replay`, { filter: { since: since() } });
  expect([status, body.errors]).toEqual([202, undefined]);
  const replay_id = String(body.id);
  const now = async () => (await team.get(`${path}/replays/${replay_id}`)).body.status;
  await eventually(now, (state) => state === 'completed');
  await setStatus(table, team, 'running');
  return { replay_id, effect: now };
}

const runs = {
  batch: '/v2/batch/operations',
  execution: '/v2/ipaas/executions',
} as const;

/** A run that has ended with a failed item. */
async function aRun(kind: keyof typeof runs) {
  const team = await api.newTeam();
  const items = [...contactsOf(keysOf(149)), badItem('x')];
  const path =
    kind === 'batch'
      ? await aBatch(team, { items })
      : `${runs.execution}/${String((await team.post('/v2/ipaas/operations/contacts.bulk_upsert/execute', { items })).body.id)}`;
  await whenRun(team, path);
  const id = path.split('/').at(-1) ?? '';
  const list = kind === 'batch' ? 'batches' : 'executions';
  return { team, path, ids: { id }, at: `/batches#/${list}/${id}` };
}

const retriesRun = (kind: keyof typeof runs): Case => ({
  ...{ page: 'batches', label: 'Retry failed items', confirmations: ['Retry failed items'] },
  async target() {
    const { team, at, ids } = await aRun(kind);
    const effect = async () => (await team.get(runs[kind])).body.data.length;
    return { team, at, ids, effect };
  },
});

const cancelsRun = (kind: keyof typeof runs): Case => ({
  ...{ page: 'batches', label: 'Cancel the run', confirmations: ['Cancel the run'] },
  async target() {
    const { team, path, at, ids } = await aRun(kind);
    await api.db.look(
      (sql) => sql`update operation_runs set status = 'queued', completed_at = null
        where team_id = ${team.id} returning id`,
    );
    return { team, at, ids, effect: async () => (await team.get(path)).body.status !== 'queued' };
  },
});

async function aCall() {
  const team = await api.newTeam();
  const { id, send, deliveries } = await aReceiver(api, team, { name: 'Processor' });
  expect((await send(anEvent())).status).toBeLessThan(300);
  const listed = async () => (await deliveries()).data;
  const [call] = await eventually(listed, (all) => all[0]?.status !== 'received');
  const path = `/v2/webhooks/inbound/${id}`;
  return { team, id, path, listed, at: `/callbacks#/receivers/${id}`, call: String(call.id) };
}

/** Each operation by which a page changes something. */
const cases: Readonly<Record<string, Case>> = {
  testWebhookSubscription: {
    ...{ page: 'webhooks', label: 'Send a test', confirmations: ['Send a test'] },
    async target() {
      const { team, id, at, listed } = await aSubscription();
      return { team, at, ids: { id }, effect: async () => (await listed()).length };
    },
  },
  updateWebhookSubscription: {
    ...{ page: 'webhooks', label: 'Enable again', confirmations: ['Enable again'] },
    async target() {
      const { team, id, at } = await aSubscription();
      await team.patch(`${subscriptions}/${id}`, { is_active: false });
      const effect = async () => (await team.get(`${subscriptions}/${id}`)).body.is_active;
      return { team, at, ids: { id }, body: { is_active: true }, effect };
    },
  },
  replayWebhooks: {
    ...{ page: 'webhooks', label: 'Replay', confirmations: ['Count first', 'Replay'] },
    async target() {
      const { team, id, at } = await aSubscription();
      await setStatus('webhook_deliveries', team, 'failed');
      const effect = () => replaysOf(team, `${subscriptions}/${id}`);
      return { team, at, ids: { id }, body: { filter: { since: since() } }, effect };
    },
  },
  cancelWebhookReplay: {
    ...{ page: 'webhooks', label: 'Cancel the replay', confirmations: ['Cancel the replay'] },
    async target() {
      const { team, id, at } = await aSubscription();
      await setStatus('webhook_deliveries', team, 'failed');
      const path = `${subscriptions}/${id}`;
      const { replay_id, effect } = await aReplay(team, path, 'webhook_replays');
      return { team, at: `${at}/replays/${replay_id}`, ids: { id, replay_id }, effect };
    },
  },
  retryWebhookDelivery: {
    ...{ page: 'webhooks', label: 'Retry', confirmations: ['Retry'] },
    async target() {
      const { team, id, at, listed } = await aSubscription();
      const delivery_id = String((await listed())[0].id);
      await setStatus('webhook_deliveries', team, 'failed');
      const effect = async () => (await listed())[0].status !== 'failed';
      return { team, at: `${at}/deliveries/${delivery_id}`, ids: { id, delivery_id }, effect };
    },
  },
  retryBatchOperation: retriesRun('batch'),
  cancelBatchOperation: cancelsRun('batch'),
  retryExecution: retriesRun('execution'),
  cancelExecution: cancelsRun('execution'),
  testIncomingWebhookReceiver: {
    ...{ page: 'callbacks', label: 'Send a test', confirmations: ['Send a test'] },
    async target() {
      const { team, id, at, listed } = await aCall();
      return { team, at, ids: { id }, effect: async () => (await listed()).length };
    },
  },
  replayInboundWebhooks: {
    ...{ page: 'callbacks', label: 'Replay', confirmations: ['Count first', 'Replay'] },
    async target() {
      const { team, id, path, at, call } = await aCall();
      const effect = () => replaysOf(team, path);
      const body = { filter: { since: since() } };
      return { team, at: `${at}/deliveries/${call}`, ids: { receiver_id: id }, body, effect };
    },
  },
  cancelInboundReplay: {
    ...{ page: 'callbacks', label: 'Cancel the replay', confirmations: ['Cancel the replay'] },
    async target() {
      const { team, id, path, at } = await aCall();
      const { replay_id, effect } = await aReplay(team, path, 'inbound_replays');
      return {
        team,
        at: `${at}/replays/${replay_id}`,
        ids: { receiver_id: id, replay_id },
        effect,
      };
    },
  },
};

/** Scopes by which pages change something, and none. */
const granted = [
  undefined,
  'partner:webhooks:write',
  'partner:incoming-webhooks:write',
  'batch:operations:write',
  'ipaas:operations:execute',
];

test('every operation by which a page changes something has a case and a scope', async () => {
  const writes = new Set<string>();
  const scopes = new Set<string>();
  for (const name of Object.keys(teamPages)) {
    for (const [id, operation] of Object.entries(await operationsOf(name))) {
      if (!isWrite(operation)) continue;
      writes.add(id);
      for (const scope of operation.scopes.slice(0, 1)) scopes.add(scope);
    }
  }
  expect([...writes].sort()).toEqual(Object.keys(cases).sort());
  expect([...scopes].sort()).toEqual(granted.filter((one) => one !== undefined).sort());
});

async function actsByItsScopeAlone(chromium: Browser, id: string): Promise<void> {
  const one = cases[id];
  if (!one) throw new Error(id);
  const operations = await operationsOf(one.page);
  const operation = operations[id];
  if (!operation) throw new Error(id);
  const reads = Object.values(operations).flatMap((other) =>
    isWrite(other) ? [] : other.scopes.slice(0, 1),
  );
  // The items of a batch need the scopes of its operation.
  const items = ['partner:contacts:read', 'partner:contacts:write'];
  const always = ['meta:capabilities:read', ...reads, ...(one.page === 'batches' ? items : [])];
  const { team, at, ids, body, effect } = await one.target();
  const before = await effect();
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '');
  const isOwn = (scope: string | undefined) =>
    scope !== undefined && operation.scopes.includes(scope);
  // Its own is the last: the others must leave everything as it is.
  const order = [...granted.filter((scope) => !isOwn(scope)), ...granted.filter(isOwn)];
  expect(order.filter(isOwn)).toHaveLength(1);
  for (const scope of order) {
    const isItsOwn = isOwn(scope);
    const client = await team.withScopes(...always, ...(scope === undefined ? [] : [scope]));
    const opened = await openPage(chromium, api, at, client.token);
    const { page } = opened;
    await eventually(
      async () => {
        const isDrawn = (await page.locator('#page *').count()) > 3;
        return isDrawn ? page.locator('.loading').count() : 1;
      },
      (left) => left === 0,
    );
    const button = page.getByRole('button', { name: `${one.label}…`, exact: true });
    if (isItsOwn) {
      await act(page, one.label, one.confirmations);
      const after = await eventually(effect, (now) => now !== before);
      expect([scope, after]).not.toEqual([scope, before]);
    } else {
      expect([scope, await button.count()]).toEqual([scope, 0]);
      const headers = { 'Idempotency-Key': randomUUID() };
      const refused = await client.call(operation.method, path, { body: body ?? {}, headers });
      expect([scope, refused.status, refused.body.errors[0].code]).toEqual([
        ...[scope, 401, 'scope_missing'],
      ]);
      expect([scope, await effect()]).toEqual([scope, before]);
    }
    expect([scope, opened.answers.filter((answer) => answer.startsWith('4'))]).toEqual([scope, []]);
    await closePage(opened);
  }
}

if (browser) {
  const chromium = browser;
  describe('a button is there, and has its effect, by its own scope alone', () => {
    test.each(Object.keys(cases))('%s', (id) => actsByItsScopeAlone(chromium, id));
  });
} else {
  test('12 promises about buttons were skipped because Chromium is absent', () => {
    console.warn('The pages were not opened: get a browser by `npm run browser`.');
    expect(browser).toBeUndefined();
  });
}
