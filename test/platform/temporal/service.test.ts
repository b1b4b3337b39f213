import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { readConfig } from '../../../src/platform/config.ts';
import { createLog } from '../../../src/platform/observability/log.ts';
import { searchAttributeTypes } from '../../../src/platform/temporal/search-attributes.ts';
import { aLaunchedTemplate, at, inHours } from '../../campaigns/a-template.ts';
import { scratchDirectory } from '../../local/scratch.ts';
import { newAuthority } from '../../support/authority.ts';
import { environmentNames, required } from '../../support/environment.ts';
import { eventually, untilTrue } from '../../support/eventually.ts';
import { startTemporalFront } from '../../support/temporal-front.ts';
import type { TemporalFront } from '../../support/temporal-front.ts';
import { useTestApi } from '../../support/use-test-api.ts';
import { newNamespace, startTestWorker } from '../../support/worker.ts';
import { jobId } from '../../../src/platform/jobs/shape.ts';
import { templateJob } from '../../../workflows/jobs.ts';

// The service with Temporals that differ from a local one: the server of the tests behind a proxy.
const api = useTestApi();
const root = scratchDirectory();
const authority = newAuthority('Authority of the test');
const name = 'temporal.example.com';
let connection: Connection;
let mutual: TemporalFront;
/** Ends what a test has started. */
const ends: (() => unknown)[] = [];

const save = (file: string, text: string) => {
  const path = join(root, file);
  writeFileSync(path, text);
  return path;
};

beforeAll(async () => {
  connection = await Connection.connect({ address: plain() });
  const { certificate: cert, key } = authority.issue(name);
  const tls = { cert, key, ca: authority.certificate, requestCert: true };
  mutual = await startTemporalFront({ tls: { ...tls, rejectUnauthorized: true } });
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});
afterAll(async () => {
  mutual.close();
  await connection.close();
});

/** A worker with these settings in the environment, and the lines of its log. */
async function startWith(environment: Record<string, string>, namespace: string) {
  const lines: string[] = [];
  const log = createLog('info', 'worker', { write: (line) => void lines.push(line) });
  const config = readConfig({ development: true }, environment);
  const { temporalAddress = '', temporalProfile } = config;
  const temporal = { temporalAddress, temporalProfile };
  const worker = await startTestWorker(api, { namespace, log, temporal });
  ends.push(() => worker.close());
  return { worker, lines };
}

/** Launches a template, and returns its workflow once it waits for the deadline. */
async function launch(namespace: string) {
  const team = await api.newTeam();
  const id = await aLaunchedTemplate(team, { deadline_at: inHours(1) });
  const client = new Client({ connection, namespace });
  const handle = client.workflow.getHandle(jobId(templateJob, id));
  const hasTimer = async () => {
    const { events } = await handle.fetchHistory();
    return events?.some((event) => event.timerStartedEventAttributes) ?? false;
  };
  await untilTrue(() => hasTimer().catch(() => false));
  const described = await handle.describe();
  return { id, team, handle, attributes: described.typedSearchAttributes.getAll() };
}

/** The log as soon as it has these words. */
const messagesOf = (lines: string[], words: string) =>
  eventually(
    () => Promise.resolve(lines.join('')),
    (text) => text.includes(words),
  );
const plain = () => required(environmentNames.temporalAddress);
/** Number of the type in Temporal's API. */
const codeOfType: Readonly<Record<string, number>> = { Keyword: 2, Int: 3, Datetime: 6 };
const codes = Object.fromEntries(
  Object.entries(searchAttributeTypes).map(([one, type]) => [one, codeOfType[type] ?? 0]),
);

const trusted = () => ({
  TEMPORAL_ADDRESS: mutual.address,
  TEMPORAL_TLS_SERVER_NAME: name,
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: save('authority.pem', authority.certificate),
});

test('a worker with the right client certificate runs workflows', async () => {
  const { certificate, key } = authority.issue('onward-worker');
  const namespace = await newNamespace();
  const file = save(
    'temporal.toml',
    `[profile.bank]
address = "${mutual.address}"
tls.server_name = "${name}"
tls.server_ca_cert_path = "${trusted().TEMPORAL_TLS_SERVER_CA_CERT_PATH}"
tls.client_cert_path = "${save('worker.crt', certificate)}"
tls.client_key_path = "${save('worker.key', key)}"
`,
  );
  const settings = { TEMPORAL_CONFIG_FILE: file, TEMPORAL_PROFILE: 'bank' };
  const { lines } = await startWith(settings, namespace);
  const { id, attributes } = await launch(namespace);
  expect(attributes).toContainEqual(expect.objectContaining({ value: id }));
  const logged = lines.map((line): { level: string; msg: string } => JSON.parse(line));
  // A busy Temporal refuses schedules for a while, and the worker tries again.
  const busy = 'the schedule cannot be made or updated';
  expect(logged.filter(({ level, msg }) => level !== 'info' && msg !== busy)).toEqual([]);
});

const wrongs: [string, Record<string, string>, string][] = [
  ['without a client certificate', {}, 'TEMPORAL_TLS_CLIENT_CERT_PATH'],
  ['with another name', { TEMPORAL_TLS_SERVER_NAME: 'db' }, 'TEMPORAL_TLS_SERVER_NAME'],
  [
    'with another authority',
    { TEMPORAL_TLS_SERVER_CA_CERT_PATH: save('other.pem', newAuthority('Other').certificate) },
    'TEMPORAL_TLS_SERVER_CA_CERT_PATH',
  ],
  ['with an address where nobody listens', { TEMPORAL_ADDRESS: '127.0.0.1:1' }, 'TEMPORAL_ADDRESS'],
];
test.each(wrongs)('a worker %s names the setting', async (_, settings, setting) => {
  const { lines, worker } = await startWith({ ...trusted(), ...settings }, 'default');
  // The first attempt can meet an end of the connection without a reason.
  expect(await messagesOf(lines, setting)).toContain('they retry');
  expect(worker.isPolling()).toBe(false);
});

test('a worker of a namespace that does not exist names the setting', async () => {
  const { lines } = await startWith({ TEMPORAL_ADDRESS: plain() }, 'no-such-namespace');
  expect(await messagesOf(lines, 'they retry')).toContain('TEMPORAL_NAMESPACE');
});

describe('a server that refuses the calls of operators', () => {
  const create = async (namespace: string, names: string[]) => {
    await connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(names.map((one) => [one, codes[one] ?? 0])),
    });
    await eventually(
      async () => connection.operatorService.listSearchAttributes({ namespace }),
      ({ customAttributes }) => names.every((one) => one in customAttributes),
    );
  };
  const startRefused = async (namespace: string) => {
    const front = await startTemporalFront({ refuses: /operatorservice|UpdateNamespace/ });
    ends.push(() => {
      front.close();
    });
    return startWith({ TEMPORAL_ADDRESS: front.address }, namespace);
  };
  const namesOf = ({ attributes }: Awaited<ReturnType<typeof launch>>) =>
    attributes.map(({ key }) => key.name).filter((one) => one in codes);

  test('attributes that exist are used, and nothing is reported', async () => {
    const namespace = await newNamespace();
    await create(namespace, Object.keys(codes));
    const { lines } = await startRefused(namespace);
    expect(namesOf(await launch(namespace))).toEqual(
      expect.arrayContaining(['TeamId', 'TemplateId', 'DueAt']),
    );
    expect(lines.join('')).not.toContain('search attributes');
  });

  test('missing attributes are named with their commands, and the others are used', async () => {
    const namespace = await newNamespace();
    await create(
      namespace,
      Object.keys(codes).filter((one) => one !== 'TemplateId' && one !== 'Outcome'),
    );
    const { lines } = await startRefused(namespace);
    const launched = await launch(namespace);
    const names = namesOf(launched);
    expect(names).toEqual(expect.arrayContaining(['TeamId', 'DueAt']));
    expect(names).not.toContain('TemplateId');
    const text = await messagesOf(lines, 'search attributes');
    // Its end sets one of those that are missing.
    await launched.team.post(at(launched.id, '/pause'));
    await launched.team.post(at(launched.id, '/archive'));
    expect(await launched.handle.result()).toMatchObject({ outcome: 'archived' });
    for (const command of [
      `temporal operator search-attribute create --namespace ${namespace} --name TemplateId --type Keyword --name Outcome --type Keyword (`,
      `tcld namespace search-attributes add --namespace ${namespace} --search-attribute TemplateId=Keyword --search-attribute Outcome=Keyword)`,
    ]) {
      expect(text).toContain(command);
    }
  });

  test('without any attribute, workflows run and one line names all', async () => {
    const namespace = await newNamespace();
    const { lines } = await startRefused(namespace);
    expect(namesOf(await launch(namespace))).toEqual([]);
    const reports = lines.filter((line) => line.includes('lacks'));
    expect(reports.map((line) => JSON.parse(line).level)).toEqual(['warn', 'info']);
    expect(reports[1]).toContain('the workers poll Temporal');
    for (const report of reports) {
      for (const one of Object.keys(codes)) expect(report).toContain(`--name ${one} --type`);
    }
    expect(lines.join('')).toContain(`tcld namespace retention set --namespace ${namespace}`);
  });
});
