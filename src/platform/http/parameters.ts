import { isUuid, partnerKeyOf } from '../schema/fields.ts';
import type { Endpoint } from './endpoint.ts';
import { ProblemList, fail } from './errors.ts';
import { isStorable } from './json.ts';

/** No resource has this id: it is no UUID of a known version. */
const nobodysId = '00000000-0000-0000-0000-000000000000';

/**
 * Lowers ids. A malformed one is treated like an id that does not exist, so that both get the same
 * response (ADR 5).
 */
export function readParams(endpoint: Endpoint, sent: Record<string, string>) {
  const params: Record<string, string> = {};
  let areWellFormed = true;
  for (const [name, value] of Object.entries(sent)) {
    if (endpoint.textParams?.includes(name)) {
      if (!isStorable(value)) throw notFound();
      params[name] = value;
    } else if (endpoint.keyParams?.includes(name) && isPartnerKey(value)) {
      params[name] = value;
    } else {
      params[name] = isUuid(value) ? value.toLowerCase() : nobodysId;
      areWellFormed &&= isUuid(value);
    }
  }
  return { params, areWellFormed };
}

/** The schema of a unique_id admits 255 characters. */
function isPartnerKey(value: string): boolean {
  const key = partnerKeyOf(value);
  return key !== undefined && key.length > 0 && key.length <= 255 && isStorable(key);
}

/** A malformed id is refused before a body that breaks the schema. */
export function orNotFound<Value>(read: () => Value): Value {
  try {
    return read();
  } catch {
    throw notFound();
  }
}

function notFound() {
  return fail('not_found', { detail: 'No such resource.' });
}

/** Lists read their query themselves; elsewhere every parameter must be declared, once. */
export function checkQuery(endpoint: Endpoint, search: URLSearchParams): unknown {
  if (endpoint.list) return {};
  const allowed = Object.keys(endpoint.query?.properties ?? {});
  const values: Record<string, string> = {};
  const problems = new ProblemList();
  for (const [name, value] of search) {
    if (problems.isFull) break;
    if (!allowed.includes(name) || Object.hasOwn(values, name)) {
      const detail = allowed.includes(name)
        ? `The parameter ${name} stands more than once.`
        : 'The request has a query parameter that this endpoint does not take.';
      problems.add({
        code: 'invalid_query_parameter',
        detail,
        meta: { parameter: name, allowed },
      });
    } else {
      values[name] = value;
    }
  }
  problems.check();
  return values;
}
