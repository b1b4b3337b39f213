import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { endpoints } from '../../src/app/endpoints.ts';
import { intakeEndpoints } from '../../src/inbound/intake/endpoints.ts';
import { receivers } from '../../src/inbound/receivers.ts';
import { newRecipient, recipientOrigin, recipientRecipes } from '../contract/recipes/recipients.ts';
import type { RecipientScene } from '../contract/recipes/recipients.ts';
import { pathOf } from '../contract/samples.ts';
import { recipientEndpoints } from '../contract/scoped.ts';
import { receiversPath } from '../inbound/a-receiver.ts';
import { aFormPage, openForm } from '../widget/a-form.ts';
import { hostileHeaders, hostileQuery } from './cost/hostile-heads.ts';
import { hostileBodies, hostileForms, hostileRequests } from './cost/hostile-requests.ts';
import { hostileText } from './cost/hostile-texts.ts';
import { runs } from './cost/judge.ts';
import type { HostileRequest } from './cost/judge.ts';
import { useWatchedApi } from './cost/use-watched-api.ts';

// The same as for partners, for callers without a token: recipients, providers and strangers.

const cost = useWatchedApi('request cost of strangers');

async function expectAllCheap(requests: fc.Arbitrary<HostileRequest>): Promise<void> {
  const run = fc.asyncProperty(requests, async (request) => {
    await cost.judge.expectCheap(request);
  });
  await fc.assert(run, runs);
}

const asForm = { 'Content-Type': 'application/x-www-form-urlencoded' };

describe('a request of a recipient blocks no other request and is refused briefly', () => {
  let scene: RecipientScene;
  beforeAll(async () => {
    scene = await newRecipient(cost.team, (token, path, body) =>
      cost.watched.api.call('POST', path, { body, headers: { Authorization: `Bearer ${token}` } }),
    );
  });
  test.each(recipientEndpoints)('%s', async (id, endpoint) => {
    const { body, texts, isDoor } = recipientRecipes[id] ?? {};
    const token = isDoor ? scene.doorToken : scene.token;
    const headers = { Authorization: `Bearer ${token}`, Origin: recipientOrigin };
    const path = pathOf(endpoint, { ...scene.ids, ...texts });
    await expectAllCheap(hostileRequests(endpoint, { path, headers, body: body?.(scene) }));
  });
});

describe('a callback blocks no other request and is refused briefly', () => {
  test.each(Object.values(receivers))('$kind', async (definition) => {
    const { kind, payload, bodyLimitBytes, mediaTypes, authenticationHeaders } = definition;
    const made = await cost.team.post(receiversPath, {
      receiver_kind: kind,
      signature_required: false,
    });
    expect(made.status).toBe(201);
    const path = `/v2/webhooks/inbound/${kind}/${String(made.body.id)}`;
    const proofs = fc.constantFrom<Record<string, string>>(
      {},
      ...authenticationHeaders.flatMap((name) => [
        { [name]: 'x' },
        { [name]: `t=${String(Math.floor(Date.now() / 1_000))},v1=${'0'.repeat(64)}` },
        { [name]: 'v1,'.repeat(3_000) },
      ]),
    );
    const types = fc.constantFrom('application/json', ...mediaTypes);
    const bodies = fc.oneof(
      hostileBodies(payload, { kind }, bodyLimitBytes),
      hostileForms(Object.keys(payload.properties), bodyLimitBytes),
      hostileText.map(({ name, make }) => ({ name, raw: make(bodyLimitBytes / 4) })),
    );
    await expectAllCheap(
      fc.tuple(bodies, types, proofs).map(([{ name, raw }, type, proof]) => ({
        ...{ name: `${type} ${JSON.stringify(proof).slice(0, 60)} ${name}`, raw },
        ...{ method: 'POST', path, headers: { 'Content-Type': type, ...proof } },
      })),
    );
  });
});

describe('a request of a stranger blocks no other request and is refused briefly', () => {
  const open = endpoints.filter(({ scope }) => scope === 'open');
  test.each(open.map((endpoint) => [endpoint.id, endpoint] as const))('%s', async (_, endpoint) => {
    const { path, method, bodyKind, bodyLimitBytes = 0 } = endpoint;
    const credentials = `client_id=${cost.team.clientId}&client_secret=${cost.team.clientSecret}`;
    const raw = `grant_type=client_credentials&${credentials}`;
    const good = { method, path, headers: asForm, ...(bodyKind === 'form' && { raw }) };
    const names = ['grant_type', 'client_id', 'client_secret', 'scope', 'token'];
    const forms = hostileForms(names, bodyLimitBytes - raw.length - 1);
    const requests = [
      hostileHeaders.map(({ name, headers }) => ({
        ...{ ...good, name, headers: { ...good.headers, ...headers } },
      })),
      hostileQuery([]).map((query) => ({ ...good, name: query, path: `${path}?${query}` })),
      ...(bodyKind === 'form'
        ? [forms.map((form) => ({ ...good, ...form, raw: `${raw}&${form.raw}` }))]
        : []),
    ];
    await expectAllCheap(fc.oneof(...requests));
  });

  test.each([
    ...['/docs', '/docs/errors/', '/docs/assets/', '/healthz', '/widget.js', '/widget/wpk_'],
    ...[
      '/journey',
      '/insights',
      '/unsubscribe/',
      '/preferences/',
      '/confirm/',
      '/p/',
      '/v1/',
      '/v2/',
      '/',
    ],
  ])('%s', async (place) => {
    const paths = hostileText.map(({ name, make }) => ({
      ...{ name, method: 'GET', headers: {} },
      path: `${place}${encodeURIComponent(make(3_000).toWellFormed()).slice(0, 12_000)}`,
    }));
    const queries = hostileQuery(['sent']).map((query) => ({
      ...{ name: query, method: 'GET', path: `${place}?${query}`, headers: {} },
    }));
    const heads = hostileHeaders.map(({ name, headers }) => ({
      ...{ name, method: 'GET', path: place, headers },
    }));
    await expectAllCheap(fc.oneof(paths, queries, heads));
  });

  test('a visitor who sends the form of a page', async () => {
    const page = await aFormPage(cost.team);
    const proof = `_form=${encodeURIComponent(await openForm(cost.watched.api, page))}`;
    const forms = hostileForms(['email', 'first_name', 'topic', '_form'], 64_000 - proof.length);
    await expectAllCheap(
      forms.map(({ name, raw }) => ({
        ...{ name, method: 'POST', path: page.path, headers: asForm, raw: `${proof}&${raw}` },
      })),
    );
  });
});

test('every receiver was tried', () => {
  expect(intakeEndpoints).toHaveLength(Object.keys(receivers).length);
  expect(cost.judge.cases()).toBeGreaterThan(intakeEndpoints.length * runs.numRuns);
});
