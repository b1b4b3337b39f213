import { isJson } from '../../src/meta/openapi/components.ts';
import type { Json } from '../../src/meta/openapi/components.ts';
import type { Operation } from '../code-samples.ts';
import { operationsOf } from '../openapi.ts';
import { pageOfTag } from './areas.ts';
import { resolve } from './fields.ts';

/** An operation as the reference shows it. */
export interface Entry {
  operation: Operation;
  json: Json;
  tag: string;
  title: string;
  /** Address with its anchor, without the base of the site. */
  address: string;
}

const maxTitle = 56;

/** Every operation of a document, with its heading and its address. */
export function entriesOf(document: Json): Entry[] {
  return operationsOf(document).map(({ operation, json }) => {
    const [tag = ''] = Array.isArray(json['tags']) ? json['tags'].map(String) : [];
    const title = titleOf(operation.id, String(json['summary']));
    return { operation, json, tag, title, address: `${pageOfTag(tag)}#${operation.id}` };
  });
}

/** The summary up to its first sign, or the words of the id where that is long. */
function titleOf(id: string, summary: string): string {
  const [short = ''] = summary.split(/[:;,(]/);
  if (short.trim().length <= maxTitle) return short.trim();
  const words = id.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export interface Answer {
  status: string;
  description: string;
  mediaType: string | undefined;
  schema: Json;
  example: unknown;
}

/** Answers of an operation below 300. */
export function answersOf(document: Json, json: Json): Answer[] {
  return Object.entries(isJson(json['responses']) ? json['responses'] : {})
    .filter(([status]) => status < '300')
    .map(([status, value]) => {
      const { description, content } = resolve(document, value);
      const [[mediaType, media] = []] = Object.entries(isJson(content) ? content : {});
      const { schema, examples } = isJson(media) ? media : {};
      const [example] = Object.values(isJson(examples) ? examples : {});
      return {
        ...{ status, description: String(description), mediaType },
        schema: resolve(document, schema),
        example: resolve(document, example)['value'],
      };
    });
}

/** The codes of errors that an operation answers with, by HTTP status. */
export function errorsOf(document: Json, json: Json): [status: string, codes: string[]][] {
  return Object.entries(isJson(json['responses']) ? json['responses'] : {})
    .filter(([status]) => status >= '400')
    .map(([status, value]) => {
      const { content } = resolve(document, value);
      const [media] = Object.values(isJson(content) ? content : {});
      return [
        status,
        Object.keys(isJson(media) && isJson(media['examples']) ? media['examples'] : {}),
      ];
    });
}

/** The resource that an answer is, or lists: the constant `type` of its schema. */
export function resourceOf(
  document: Json,
  schema: Json,
): { name: string; isList: boolean; schema: Json } | undefined {
  const { properties } = schema;
  if (!isJson(properties)) return undefined;
  const own = resolve(document, properties['type'])['const'];
  if (typeof own === 'string') return { name: own, isList: false, schema };
  const data = resolve(document, properties['data']);
  if (data['type'] !== 'array') return undefined;
  const item = resolve(document, data['items']);
  const { type } = isJson(item['properties']) ? item['properties'] : {};
  const name = resolve(document, type)['const'];
  return typeof name === 'string' ? { name, isList: true, schema: item } : undefined;
}
