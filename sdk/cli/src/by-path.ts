import { operations } from '../../typescript/src/operations.ts';
import type { Operation } from '../../typescript/src/operations.ts';
import type { Onward } from '../../typescript/src/index.ts';
import { isObject } from './arguments.ts';

/** The ids in an answer. */
export interface Made {
  id: string;
  execution_id?: string;
}

/** Calls by path, for steps that build on the path of what was made before. */
export interface Api {
  firstOf(path: string): Promise<Made>;
  post(path: string, body: object): Promise<Made>;
  patch(path: string, body: object): Promise<void>;
  delete(path: string): Promise<void>;
}

export function callByPath(onward: Onward): Api {
  const call = async (verb: string, path: string, body?: object) => {
    const { operation, values } = findOperation(verb, path);
    const sent = operation.body === undefined ? {} : { body };
    return onward.call(operation.id, { path: values, ...sent });
  };
  return {
    async firstOf(path) {
      const page = await call('GET', path);
      const rows = isObject(page) && Array.isArray(page['data']) ? page['data'] : [];
      return idsOf(rows[0]);
    },
    post: async (path, body) => idsOf(await call('POST', path, body)),
    async patch(path, body) {
      await call('PATCH', path, body);
    },
    async delete(path) {
      await call('DELETE', path);
    },
  };
}

/** The operation of a path, the one with the fewest parameters first. */
function findOperation(verb: string, path: string): { operation: Operation; values: string[] } {
  const found = operations
    .filter((operation) => operation.verb === verb)
    .flatMap((operation) => {
      const pattern = operation.path.replaceAll(/\{\w+\}/g, '([^/]+)');
      const match = new RegExp(`^${pattern}$`).exec(path);
      return match ? [{ operation, values: match.slice(1) }] : [];
    })
    .sort((a, b) => a.values.length - b.values.length);
  const [first] = found;
  if (first) return first;
  throw new Error(`There is no operation ${verb} ${path}.`);
}

function idsOf(value: unknown): Made {
  const { id, execution_id } = isObject(value) ? value : {};
  return {
    id: typeof id === 'string' ? id : '',
    ...(typeof execution_id === 'string' && { execution_id }),
  };
}
