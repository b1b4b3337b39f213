import type { Log } from '../observability/log.ts';
import type { TemporalClient } from './client.ts';
import type { SignalSource } from './relay.ts';
import { missingAttributesMemo, searchAttributeTypes } from './search-attributes.ts';

interface IndexedType {
  /** Number of the type in Temporal's API. */
  code: number;
  /** Condition of a query that the server accepts for this type. */
  condition: string;
}

const indexedTypes: Readonly<Record<string, IndexedType>> = {
  Keyword: { code: 2, condition: "= 'none'" },
  Int: { code: 3, condition: '= 0' },
  Datetime: { code: 6, condition: "= '2000-01-01T00:00:00Z'" },
};
const requested = Object.entries(searchAttributeTypes).map(([name, type]) => {
  const { code, condition } = indexedTypes[type] ?? { code: 0, condition: 'is null' };
  return { name, type, code, query: `${name} ${condition}` };
});
type Attribute = (typeof requested)[number];

const invalidArgument = 3;
const alreadyExists = 6;

/** The search attributes that a namespace lacks. */
export interface MissingAttributes {
  names: ReadonlySet<string>;
  /** The names, with the commands that create them; absent if none is missing. */
  advice?: string;
}

/**
 * Leaves out attributes that the namespace lacks, since the server would reject their workflows. The
 * memo names them, so that a workflow does not set them later. No signal is claimed before the
 * namespace is known.
 */
export function withoutMissing(
  source: SignalSource,
  missing: () => MissingAttributes | undefined,
): SignalSource {
  return async (database) => {
    const { names } = missing() ?? {};
    if (!names) return [];
    const signals = await source(database);
    if (names.size === 0) return signals;
    return signals.map((signal) =>
      signal.searchAttributes.length === 0
        ? signal
        : {
            ...signal,
            searchAttributes: signal.searchAttributes.filter(({ key }) => !names.has(key.name)),
            memo: { ...signal.memo, [missingAttributesMemo]: [...names].join(' ') },
          },
    );
  };
}

/**
 * Adds the search attributes that the namespace lacks, and returns those that are still missing.
 * Where the server refuses this, as Temporal Cloud does, logs the commands for the operator once.
 */
export async function registerSearchAttributes(
  temporal: TemporalClient,
  namespace: string,
  log: Log,
): Promise<MissingAttributes> {
  let reason: unknown;
  const refused = (error: unknown) => {
    reason = error;
    return [];
  };
  const listed = await list(temporal, namespace).catch((error: unknown) => {
    reason = error;
    return undefined;
  });
  const found = listed
    ? requested.filter(({ name, code }) => Number(listed[name]) === code)
    : await probe(temporal, namespace).catch(refused);
  const absent = requested.filter(({ name }) => listed && !(name in listed));
  const added = await add(temporal, namespace, absent).catch(refused);
  const existing = new Set([...found, ...added].map(({ name }) => name));
  const missing = requested.filter(({ name }) => !existing.has(name));
  const names = new Set(missing.map(({ name }) => name));
  if (missing.length === 0) return { names };
  const advice = adviceFor(missing, namespace);
  const extent = existing.size > 0 ? 'without some search attributes' : 'without search attributes';
  log.warn({ err: reason, missing: [...names] }, `new workflows run ${extent}: ${advice}`);
  return { names, advice };
}

async function list({ connection, within }: TemporalClient, namespace: string) {
  const { operatorService } = connection;
  const { customAttributes } = await within(() =>
    operatorService.listSearchAttributes({ namespace }),
  );
  return customAttributes;
}

/** Finds the attributes by queries, which need no rights of an operator. */
async function probe({ connection, within }: TemporalClient, namespace: string) {
  const exists = async ({ query }: Attribute) => {
    try {
      await connection.workflowService.countWorkflowExecutions({ namespace, query });
      return true;
    } catch (error) {
      if (codeOf(error) === invalidArgument) return false;
      throw error;
    }
  };
  const known = await within(() => Promise.all(requested.map(exists)));
  return requested.filter((_, at) => known[at]);
}

/** Adds attributes, which another worker may do at the same moment. */
async function add(
  { connection, within }: TemporalClient,
  namespace: string,
  absent: readonly Attribute[],
) {
  if (absent.length === 0) return [];
  const searchAttributes = Object.fromEntries(absent.map(({ name, code }) => [name, code]));
  try {
    await within(() =>
      connection.operatorService.addSearchAttributes({ namespace, searchAttributes }),
    );
  } catch (error) {
    if (codeOf(error) !== alreadyExists) throw error;
  }
  return absent;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** Names the attributes, and the commands that create them. */
function adviceFor(missing: readonly Attribute[], namespace: string): string {
  const names = missing.map(({ name }) => name).join(', ');
  const named = missing.map(({ name, type }) => `--name ${name} --type ${type}`).join(' ');
  const pairs = missing.map(({ name, type }) => `--search-attribute ${name}=${type}`).join(' ');
  return (
    `the namespace ${namespace} lacks ${names}. Run, and restart the workers: ` +
    `temporal operator search-attribute create --namespace ${namespace} ${named} ` +
    `(on Temporal Cloud: tcld namespace search-attributes add --namespace ${namespace} ${pairs})`
  );
}
