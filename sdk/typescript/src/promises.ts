import type { Paged } from './generated/schemas.ts';
import type { Answer, ApiPromise, ListPromise } from './types.ts';

/** An answer on its way, whose data is what a caller awaits. */
export function promiseData<Data>(answer: Promise<Answer<Data>>): ApiPromise<Data> {
  // Made when asked for, so that a rejection has one owner.
  const data = () => answer.then((received) => received.data);
  return {
    then: (fulfilled, rejected) => data().then(fulfilled, rejected),
    catch: (rejected) => data().catch(rejected),
    finally: (settled) => data().finally(settled),
    withResponse: () => answer,
    [Symbol.toStringTag]: 'Promise',
  };
}

/** A list on its way: its first page, and all that follow. */
export function promiseList<Item>(
  first: Promise<Answer<Paged<Item>>>,
  next: (page: Paged<Item>['page']) => Promise<Answer<Paged<Item>>> | undefined,
): ListPromise<Paged<Item>> {
  async function* pages(): AsyncGenerator<Paged<Item>, void, undefined> {
    let { data } = await first;
    for (;;) {
      yield data;
      const further = next(data.page);
      if (!further) return;
      ({ data } = await further);
    }
  }
  async function* items(): AsyncGenerator<Item, void, undefined> {
    for await (const { data } of pages()) yield* data;
  }
  return Object.assign(promiseData(first), { pages, [Symbol.asyncIterator]: items });
}
