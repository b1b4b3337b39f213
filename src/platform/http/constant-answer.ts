import type { IncomingHttpHeaders } from 'node:http';
import { contentTag, hasText } from './content-tag.ts';
import type { StoredAnswer } from './idempotency.ts';

/**
 * Response of an endpoint that is the same for every call. It is built once, and a client that has
 * it gets a 304.
 */
export function createConstantAnswer() {
  let made: { answer: StoredAnswer; tag: string } | undefined;
  return async (
    headers: IncomingHttpHeaders,
    make: () => Promise<StoredAnswer>,
  ): Promise<StoredAnswer> => {
    if (!made) {
      const answer = await make();
      const tag = contentTag(answer.body ?? '');
      made = { tag, answer: { ...answer, headers: { ...answer.headers, ETag: tag } } };
    }
    return hasText(headers, made.tag) ? { ...made.answer, status: 304, body: null } : made.answer;
  };
}
