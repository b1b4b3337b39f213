import { expect } from '@jest/globals';
import { errorCatalog } from '../../src/platform/http/error-catalog.ts';
import type { Reply } from '../support/api.ts';

/** Body of an error answer without the parts that differ between two requests. */
export function errorsOf(reply: Reply): unknown {
  const text = JSON.stringify(reply.body);
  const id = reply.headers.get('x-request-id');
  return JSON.parse(id === null ? text : text.replaceAll(id, '<request id>'));
}

export function codesOf(reply: Reply): string[] {
  const errors: unknown = reply.body?.errors;
  return Array.isArray(errors) ? errors.map(({ code }: { code: string }) => code) : [];
}

/** Status and first code, the shortest identification of a refusal. */
export function verdictOf(reply: Reply): string {
  return `${String(reply.status)} ${codesOf(reply)[0] ?? ''}`.trim();
}

/** A success, or an error of the catalog in the format of the interface document. */
export function expectHouseForm(reply: Pick<Reply, 'status' | 'headers' | 'body'>): void {
  expect(reply.status).toBeLessThan(500);
  if (reply.status < 400) return;
  const errors: unknown = reply.body?.errors;
  if (!Array.isArray(errors) || errors.length === 0) throw new Error('there is no errors[]');
  errors.forEach((error: unknown, at) => {
    const [, facts] = Object.entries(errorCatalog).find(([code]) => code === codeAt(error)) ?? [];
    expect(error).toEqual({
      code: expect.any(String),
      title: facts?.[1],
      detail: expect.any(String),
      meta: expect.objectContaining({
        request_id: reply.headers.get('x-request-id'),
        docs_url: expect.stringContaining(`/docs/errors/${codeAt(error)}`),
      }),
    });
    if (at === 0) expect(reply.status).toBe(facts?.[0]);
  });
}

function codeAt(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}
