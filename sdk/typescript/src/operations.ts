import { table } from './generated/table.ts';

export { Each } from './query.ts';

/** Facts of an operation at run time. */
export interface Operation {
  id: string;
  namespace: string;
  method: string;
  verb: string;
  path: string;
  /** Names of the parameters in the path. */
  pathParameters: readonly string[];
  acceptsIdempotencyKey: boolean;
  isList: boolean;
  body: 'json' | 'form' | 'file' | undefined;
  hasQuery: boolean;
  answersFile: boolean;
  token: 'needed' | 'optional' | 'none';
}

/** Every operation of the service, in the order of its document. */
export const operations: readonly Operation[] = readTable();

function readTable(): Operation[] {
  let namespace = '';
  return table.split('\n').flatMap((line) => {
    const [method = '', id, verb = '', path = '', flags = ''] = line.split(' ');
    if (id === undefined) {
      namespace = method;
      return [];
    }
    const has = (flag: string) => flags.includes(flag);
    return [
      {
        id,
        namespace,
        method,
        verb,
        path,
        pathParameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
        acceptsIdempotencyKey: has('k'),
        isList: has('c'),
        body: has('j') ? 'json' : has('f') ? 'form' : has('u') ? 'file' : undefined,
        hasQuery: has('q'),
        answersFile: has('r'),
        token: has('t') ? 'needed' : has('o') ? 'optional' : 'none',
      },
    ];
  });
}
