import type { Operation } from '../document.ts';

/** An id that nothing has: a request answers 404 until another one has created something. */
export const startValue = '00000000-0000-4000-8000-000000000000';

/** Values of parameters that are no ids. */
const words: Readonly<Record<string, string>> = {
  channel: 'email',
  operation_kind: 'contacts.upsert',
  version: '1',
};

/** Variables whose name is not that of the type of the resource. */
const types: Readonly<Record<string, string>> = {
  completion_id: 'objective_completion_id',
  execution_id: 'operation_execution_id',
  operation_id: 'batch_operation_id',
  receiver_id: 'incoming_webhook_receiver_id',
};

interface PathVariable {
  key: string;
  value: string;
}

/** `/v2/partner/contacts/:id` with the variable of the collection that each parameter stands for. */
export function pathOf({ path }: Operation): { path: string; variables: PathVariable[] } {
  const segments = path.split('/');
  const variables = segments.flatMap((segment, at) => {
    const [, name] = /^\{(\w+)\}$/.exec(segment) ?? [];
    if (name === undefined) return [];
    return [{ key: name, value: words[name] ?? `{{${variableOf(name, segments, at)}}}` }];
  });
  return { path: path.replaceAll(/\{(\w+)\}/g, ':$1'), variables };
}

/** Names of the ids that paths and bodies use. */
export function placeholders(operations: readonly Operation[]): string[] {
  const inPaths = operations.flatMap((operation) =>
    pathOf(operation).variables.flatMap(({ value }) => /^\{\{(\w+)\}\}$/.exec(value)?.[1] ?? []),
  );
  const inBodies = operations.flatMap(({ example }) =>
    [...JSON.stringify(example ?? null).matchAll(/"(\w+_id)":"[0-9a-f]{8}-[0-9a-f-]{27}"/g)].map(
      ([, name = '']) => name,
    ),
  );
  return [...new Set([...inPaths, ...inBodies])].sort();
}

/** `{id}` after `contacts` is `contact_id`. */
function variableOf(name: string, segments: readonly string[], at: number): string {
  const resource = segments[at - 1] ?? '';
  const singular = resource.replace(/ies$/, 'y').replace(/s$/, '').replaceAll('-', '_');
  const variable = name === 'id' ? `${singular}_id` : name;
  const isOutbound = segments.includes('webhook-subscriptions');
  if (variable === 'delivery_id' || variable === 'replay_id') {
    return `${isOutbound ? 'webhook' : 'inbound'}_${variable}`;
  }
  return types[variable] ?? variable;
}
