import { isJson } from './components.ts';
import type { Json } from './components.ts';

/**
 * Moves responses that several operations have in common to the components, so that the document
 * stays small. Named by the status and a number in order of first use.
 */
export function shareResponses(paths: Readonly<Record<string, Json>>): Json {
  const uses = new Map<string, number>();
  for (const { response } of responsesIn(paths)) {
    const text = JSON.stringify(response);
    uses.set(text, (uses.get(text) ?? 0) + 1);
  }
  const names = new Map<string, string>();
  const shared: Json = {};
  const numbers = new Map<string, number>();
  for (const { responses, status, response } of responsesIn(paths)) {
    const text = JSON.stringify(response);
    if ((uses.get(text) ?? 0) < 2) continue;
    let name = names.get(text);
    if (name === undefined) {
      const number = (numbers.get(status) ?? 0) + 1;
      numbers.set(status, number);
      name = `status_${status}_${String(number)}`;
      names.set(text, name);
      shared[name] = response;
    }
    responses[status] = { $ref: `#/components/responses/${name}` };
  }
  return shared;
}

function* responsesIn(paths: Readonly<Record<string, Json>>) {
  for (const path of Object.values(paths)) {
    for (const operation of Object.values(path)) {
      const responses = isJson(operation) ? operation['responses'] : undefined;
      if (!isJson(responses)) continue;
      for (const [status, response] of Object.entries(responses)) {
        yield { responses, status, response };
      }
    }
  }
}
