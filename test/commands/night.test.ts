import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { samplesRunBy } from '../site/samples.ts';
import { environmentNames, required } from '../support/environment.ts';
import { useService } from '../support/use-service.ts';

// The queries of docs/night.md, of the runbook and of the operations guide.

const { api, temporal } = useService();
const pages = ['docs/night.md', 'docs/runbook.md', 'docs/operators.md'];
const mark = 'test/commands/night.test.ts';
const statements = pages.flatMap((page) => samplesRunBy(page, mark));
const team = '00000000-0000-4000-8000-000000000000';

let connection: Connection;
let client: Client;
beforeAll(async () => {
  connection = await Connection.connect({ address: required(environmentNames.temporalAddress) });
  client = new Client({ connection, namespace: temporal.namespace });
});
afterAll(() => connection.close());

/** The texts in code of a page that are queries of the Temporal UI. */
const queriesOf = (page: string) =>
  [
    ...readFileSync(page, 'utf8').matchAll(
      /`((?:[A-Z]\w+Id|WorkflowType|ExecutionStatus)="[^`]+)`/g,
    ),
  ]
    .map(([, query = '']) => query)
    .filter((query) => query.includes('='));

test('the statements in the pages for operators run on the schema', async () => {
  expect(statements.length).toBeGreaterThanOrEqual(10);
  for (const { page, line, text } of statements) {
    const rows = await api.db
      .look((sql) => sql.unsafe(text))
      .catch((error: unknown) => {
        throw new Error(`${page}, line ${String(line)}: ${String(error)}`);
      });
    expect(Array.isArray(rows)).toBe(true);
  }
});

test('Temporal accepts the queries in the pages for operators', async () => {
  const queries = pages.flatMap(queriesOf).map((query) => query.replaceAll(/<[a-z ]+>/g, team));
  expect(queries.length).toBeGreaterThanOrEqual(15);
  for (const query of new Set(queries)) {
    const { count } = await client.workflow.count(query);
    expect(count).toBeGreaterThanOrEqual(0);
  }
});

test('the page for the night names every alert that wakes somebody, or its symptom', () => {
  const night = readFileSync('docs/night.md', 'utf8');
  for (const heading of [...night.matchAll(/^## (.+)$/gm)]
    .slice(3)
    .map(([, title = '']) => title)) {
    expect(night).toContain(`(#${heading.toLowerCase().replaceAll(' ', '-')})`);
  }
});
