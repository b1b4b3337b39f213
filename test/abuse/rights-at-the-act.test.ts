import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { actors } from '../../src/app/actors.ts';
import { applyDue } from '../../src/campaigns/templates/lifecycle.ts';
import { findTemplateForUpdate } from '../../src/campaigns/templates/queries.ts';
import { refuseWithoutRights } from '../../src/cohorts/evaluation/evaluate.ts';
import { cohorts } from '../../src/cohorts/queries.ts';
import { listTeamProviders } from '../../src/messaging/sending-providers/queries.ts';
import { findOperation } from '../../src/operations/catalog.ts';
import { writePart } from '../../src/operations/exports/writing/write.ts';
import { findRun } from '../../src/operations/runs/running/queries.ts';
import { applyChunk } from '../../src/operations/runs/running/apply-chunk.ts';
import { claimRun } from '../../src/operations/runs/running/take.ts';
import { principalOf } from '../../src/operations/sftp/access/principal.ts';
import { findActiveGrant } from '../../src/operations/sftp/access/queries.ts';
import { findSourceGrant } from '../../src/operations/sftp/fetching/queries.ts';
import { createLog } from '../../src/platform/observability/log.ts';
import { updateClient } from '../../src/team/oauth2/queries.ts';
import { openCallSettings } from '../../src/webhooks/webhook-subscriptions/delivery-settings/queries.ts';
import { aCompleteTemplate, at, inHours } from '../campaigns/a-template.ts';
import { anEmailProvider } from '../messaging/a-provider.ts';
import { aSource, sourcesPath } from '../operations/sftp/a-source.ts';
import type { TestTeam } from '../support/api.ts';
import { useTestApi } from '../support/use-test-api.ts';
import { aScene, aVisitor } from '../widget/a-widget.ts';

// A client makes something that acts later. Before the act, an operator narrows or suspends it.

const api = useTestApi();
const log = createLog('silent', 'worker');

/** Something that a client has made, and whether its act still happens. */
interface Made {
  client: TestTeam;
  act: () => Promise<boolean>;
}

const transact: typeof api.db.database.transact = (work) => api.db.database.transact(work);

async function made(by: TestTeam, path: string, body: object): Promise<string> {
  const reply = await by.post(path, body, { 'Idempotency-Key': randomUUID() });
  expect([reply.status, reply.body.errors]).toEqual([expect.any(Number), undefined]);
  return String(reply.body.id);
}

/** Whether files of a sender still change contacts. */
async function grants(find: typeof findActiveGrant, teamId: string, id: string) {
  return transact(async (sql) => {
    const grant = await find(sql, teamId, id);
    const principal = grant && (await principalOf(sql, teamId, grant));
    return principal?.scopes.has('partner:contacts:write') ?? false;
  });
}

async function aSubscription(): Promise<Made> {
  const client = await api.newTeam();
  const id = await made(client, '/v2/partner/webhook-subscriptions', {
    ...{ target_url: 'https://hooks.example.com', event_types: ['contact.created'] },
  });
  const act = async () => {
    const key = { team_id: client.id, subscription_id: id };
    const [settings] = await transact((sql) => openCallSettings(sql, api.keyring, [key]));
    return settings?.readScopes.has('partner:contacts:read') ?? false;
  };
  return { client, act };
}

/** By the first operation of each actor. */
const scenarios: Readonly<Record<string, () => Promise<Made>>> = {
  async createSftpCredentials() {
    const client = await api.newTeam();
    const id = await made(client, '/v2/partner/sftp-credentials', {
      ...{ name: 'nightly', purpose: 'contacts', generate_key_pair: true },
    });
    return { client, act: () => grants(findActiveGrant, client.id, id) };
  },
  async createFileSource() {
    const client = await api.newTeam();
    const source = aSource({ port: 22_222, hostKey: `SHA256:${'A'.repeat(43)}` });
    const id = await made(client, sourcesPath, source);
    return { client, act: () => grants(findSourceGrant, client.id, id) };
  },
  async createSendingProvider() {
    const client = await api.newTeam();
    await anEmailProvider(client, { url: 'https://mail.example.com' });
    const act = async () => {
      const usable = await transact((sql) => listTeamProviders(sql, [client.id]));
      return usable.length > 0;
    };
    return { client, act };
  },
  createWebhookSubscription: aSubscription,
  replayWebhooks: aSubscription,
  async createExport() {
    const client = await api.newTeam();
    const id = await made(client, '/v2/partner/exports', { kind: 'contacts' });
    const act = async () =>
      (await transact((sql) => writePart(sql, api.keyring, client.id, id))) !== undefined;
    return { client, act };
  },
  async executeOperation() {
    const client = await api.newTeam();
    const item = { unique_id: randomUUID() };
    const id = await made(client, '/v2/batch/operations', {
      ...{ operation_kind: 'contacts.bulk_upsert', items: [item] },
    });
    const act = async () => {
      const taken = await transact((sql) => claimRun(sql, client.id, id));
      if (!taken) throw new Error('the run is not open');
      const lease = { teamId: client.id, runId: id, token: taken.run.run_token };
      const chunk = { firstIndex: 0, items: [item], nextIndex: 1, nextChunk: 1 };
      const context = { keyring: api.keyring, publicBaseUrl: api.config.publicBaseUrl, log };
      const operation = findOperation('contacts.bulk_upsert');
      await transact((sql) => applyChunk(sql, context, operation, lease, chunk));
      const run = await transact((sql) => findRun(sql, client.id, id));
      if (run?.status === 'failed') {
        expect(run.error?.code).toMatch(/^(scope_missing|invalid_client)$/);
      }
      return run?.status === 'succeeded';
    };
    return { client, act };
  },
  async createCohort() {
    const client = await api.newTeam();
    const id = await made(client, '/v2/partner/cohorts', {
      ...{ name: randomUUID(), kind: 'dynamic' },
      definition: { field: 'contact.locale', op: 'starts_with', value: 'en' },
    });
    const act = async () => {
      const refused = await transact(async (sql) =>
        refuseWithoutRights(sql, await cohorts.require(sql, client.id, id)),
      );
      if (refused) expect(refused.last_error).toContain('partner:contacts:read');
      return refused === undefined;
    };
    return { client, act };
  },
  async scheduleTemplate() {
    const client = await api.newTeam();
    const id = await aCompleteTemplate(client);
    const scheduled = await client.post(at(id, '/schedule'), { scheduled_at: inHours(1) });
    expect(scheduled.status).toBe(200);
    const act = () =>
      transact(async (sql) => {
        const row = await findTemplateForUpdate(sql, client.id, id);
        if (!row) throw new Error('the template is deleted');
        const { status } = await applyDue(sql, row, Date.now() + 7_200_000);
        expect(['launched', 'draft']).toContain(status);
        return status === 'launched';
      });
    return { client, act };
  },
  async createWidgetInstance() {
    const scene = await aScene(api);
    const visitor = await aVisitor(api, scene);
    const act = async () => (await visitor.call('GET', visitor.path)).status === 200;
    return { client: scene.team, act };
  },
  async createPortalSession() {
    const client = await api.newTeam();
    const { body } = await client.post('/v2/partner/portal-sessions', {});
    const secret = new URL(String(body.url)).hash.slice(1);
    const path = `/v2/partner/portal-sessions/${String(body.id)}/open`;
    const act = async () => (await api.call('POST', path, { body: { secret } })).status === 200;
    return { client, act };
  },
};

const idsOf = ({ id: teamId, clientId }: TestTeam) => ({ teamId, clientId });
const changes = {
  narrowed: { scopes: ['meta:capabilities:read'] },
  suspended: { isSuspended: true },
};

const checked = actors.filter((actor) => 'atTheAct' in actor.checked);

test('every actor whose rights are checked at the act has a scenario', () => {
  const names = checked.map(({ operations: [first = ''] }) => first);
  expect(Object.keys(scenarios).sort()).toEqual(names.sort());
});

describe.each(checked.map(({ operations: [first = ''], effect }) => ({ first, effect })))(
  '$first: $effect',
  ({ first }) => {
    test('acts while its client has the rights', async () => {
      const { act } = (await scenarios[first]?.()) ?? {};
      expect(await act?.()).toBe(true);
    });

    test.each(Object.entries(changes))('does not, once its client is %s', async (_, change) => {
      const { act, client } = (await scenarios[first]?.()) ?? {};
      if (client) await transact((sql) => updateClient(sql, idsOf(client), change));
      expect(await act?.()).toBe(false);
    });
  },
);
