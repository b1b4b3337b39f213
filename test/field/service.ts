import { randomUUID } from 'node:crypto';
import { eventually } from '../support/eventually.ts';
import type { FieldService } from './story.ts';

/** Calls the API as the client of the stories; throws what is no success. */
export async function call(
  { apiUrl, token }: FieldService,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const answer = await fetch(`${apiUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(method === 'POST' && { 'idempotency-key': randomUUID() }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${String(answer.status)} ${text}`);
  const parsed: unknown = text === '' ? {} : JSON.parse(text);
  return parsed;
}

/** The rows of a list, once they are as expected. */
export async function listed<Row>(
  service: FieldService,
  path: string,
  are: (rows: readonly Row[]) => boolean,
): Promise<readonly Row[]> {
  const read = async () => (await call(service, 'GET', path)) as { data: Row[] };
  const { data } = await eventually(read, (list) => are(list.data));
  return data;
}
