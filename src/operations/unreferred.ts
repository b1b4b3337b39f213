import type { Referred } from '../contacts/lookup/contact-reference.ts';
import type { Outcome } from './operation-type.ts';

/** The outcomes of all items, from those whose contact was found, in their order. */
export function withUnreferred<Output>(
  referred: readonly Referred[],
  outcomes: readonly Outcome<Output>[],
): Outcome<Output>[] {
  let next = 0;
  return referred.map((found) => {
    if ('problems' in found) return { status: 'failed', errors: found.problems };
    const outcome = outcomes[next++];
    if (!outcome) throw new Error('each item has an outcome');
    return outcome;
  });
}
