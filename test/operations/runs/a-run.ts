import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import type { Reply, TestTeam } from '../../support/api.ts';
import { eventually } from '../../support/eventually.ts';

export const batchPath = '/v2/batch/operations';

/** Items for contacts.bulk_upsert, by their keys. */
export const contactsOf = (keys: readonly string[]): Record<string, string>[] =>
  keys.map((unique_id) => ({ unique_id, first_name: 'Ada' }));

export const keysOf = (count: number, prefix = randomUUID()) =>
  Array.from({ length: count }, (_, at) => `${prefix}-${String(at)}`);

/** An item that cannot become a contact. */
export const badItem = (key: string) => ({ unique_id: key, email: 'not an address' });

export interface BatchWish {
  operation_kind?: string;
  items: readonly unknown[];
  options?: object;
}

export const askBatch = (
  team: TestTeam,
  { operation_kind = 'contacts.bulk_upsert', ...wish }: BatchWish,
): Promise<Reply> =>
  team.post(batchPath, { operation_kind, ...wish }, { 'Idempotency-Key': randomUUID() });

/** Requests a batch and returns its path. */
export async function aBatch(team: TestTeam, wish: BatchWish): Promise<string> {
  const reply = await askBatch(team, wish);
  expect([reply.status, reply.body.errors]).toEqual([202, undefined]);
  return `${batchPath}/${String(reply.body.id)}`;
}

const open = ['queued', 'validating', 'running', 'canceling'];
export const isOver = ({ status }: { status: string }) => !open.includes(status);

/** Polls a run until it ends or meets the given condition. */
export const whenRun = (
  team: TestTeam,
  path: string,
  is: (run: any) => boolean = isOver,
): Promise<any> => eventually(async () => (await team.get(path)).body, is);

/** All items of a run, page by page. */
export async function itemsOf(team: TestTeam, path: string): Promise<any[]> {
  const items: any[] = [];
  let query = '?page[size]=100';
  for (;;) {
    const { status, body } = await team.get(`${path}${query}`);
    expect([status, body.errors]).toEqual([200, undefined]);
    items.push(...body.data);
    if (!body.page.has_more) return items;
    query = `?page[size]=100&page[after]=${String(body.page.next_cursor)}`;
  }
}

/** Counts the contacts of the team that are not archived. */
export async function countContacts(team: TestTeam): Promise<number> {
  const rows = await team.db.look<{ count: number }>(
    (sql) => sql`
      select count(*)::int as count from contacts
      where team_id = ${team.id} and status <> 'archived'`,
  );
  return rows[0]?.count ?? 0;
}

/** Starts five batches that make no progress, so that others wait; returns their ids. */
export async function holdPlaces(team: TestTeam): Promise<string[]> {
  const rows = await team.db.look<{ id: string }>(
    (sql) => sql`
      insert into operation_runs (team_id, surface, operation_kind, status, failure_mode, source,
        total_count)
      select ${team.id}, 'batch', 'contacts.bulk_upsert', 'running', 'partial_ok', 'inline', 1
      from generate_series(1, 5)
      returning id`,
  );
  return rows.map(({ id }) => id);
}

/** Cancels them; a worker then ends them, and others begin. */
export async function freePlaces(team: TestTeam, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const { body } = await team.post(`${batchPath}/${id}/cancel`);
    expect(body.status).toBe('canceling');
  }
}
