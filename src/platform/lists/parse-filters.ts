import type { ProblemList } from '../http/errors.ts';
import { filterNames, findFilterField, operators, operatorsOf } from './declaration.ts';
import type { ListDeclaration, ListField, Operator } from './declaration.ts';
import { quote, suggest } from './suggest.ts';
import { parseFilterValue, type Scalar } from './values.ts';

export interface Filter {
  name: string;
  field: ListField;
  /** Key of the jsonb object, for attribute fields. */
  key?: string;
  operator: Operator;
  values: readonly Scalar[];
}

const maxFilters = 20;

/** Reads the parameters `filter…`; adds what is wrong with them to `problems`. */
export function parseFilters(
  list: ListDeclaration,
  sent: readonly (readonly [string, string])[],
  problems: ProblemList,
): Filter[] {
  if (sent.length > maxFilters) {
    problems.add({
      code: 'invalid_filter_field',
      detail: `There are ${String(sent.length)} filters; send at most ${String(maxFilters)}.`,
      meta: { parameter: sent[maxFilters]?.[0], max: maxFilters },
    });
    return [];
  }
  return sent.flatMap(([parameter, text]) => {
    const filter = parseFilter(list, parameter, text, problems);
    return filter ? [filter] : [];
  });
}

function parseFilter(
  list: ListDeclaration,
  parameter: string,
  text: string,
  problems: ProblemList,
): Filter | undefined {
  const match = /^filter\[([^[\]]*)\](?:\[([^[\]]*)\])?(.*)$/s.exec(parameter);
  const [, name = '', operatorSent = 'eq', rest = ''] = match ?? [];
  const found = match && findFilterField(list, name);
  if (!found) {
    const allowed = filterNames(list);
    const detail = match
      ? `The list cannot be filtered by ${quote(name)}.${suggest(name, allowed)}`
      : `${quote(parameter)} is not of the form filter[<field>] or filter[<field>][<op>].`;
    problems.add({ code: 'invalid_filter_field', detail, meta: { parameter, allowed } });
  }
  const allowed = found ? operatorsOf(found.field) : operators;
  const operator = rest === '' ? allowed.find((known) => known === operatorSent) : undefined;
  if (!operator) {
    const detail =
      rest === ''
        ? `${quote(name)} has no operator ${quote(operatorSent)}.${suggest(operatorSent, allowed)}`
        : `${quote(parameter)} is not of the form filter[<field>][<op>].`;
    if (match) problems.add({ code: 'invalid_filter_op', detail, meta: { parameter, allowed } });
    return undefined;
  }
  if (!found) return undefined;
  const parsed = parseFilterValue(found.field, operator, text);
  if ('problem' in parsed) {
    problems.add({
      code: 'invalid_filter_value',
      detail: parsed.problem,
      meta: {
        parameter,
        expected: found.field.type,
        ...(found.field.values && { allowed: found.field.values }),
      },
    });
    return undefined;
  }
  return { name, ...found, operator, values: parsed.value };
}
