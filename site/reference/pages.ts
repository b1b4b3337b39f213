import { isJson } from '../../src/meta/openapi/components.ts';
import type { Json } from '../../src/meta/openapi/components.ts';
import { isErrorCode } from '../../src/meta/pages.ts';
import { codeSamplesOf } from '../code-samples.ts';
import type { Operation } from '../code-samples.ts';
import { pageOfTag, tagsInOrder } from './areas.ts';
import { fieldTable, resolve } from './fields.ts';
import { answersOf, errorsOf, resourceOf } from './operations.ts';
import type { Answer, Entry } from './operations.ts';
import { parameterTables } from './parameters.ts';
import { code, details, prose } from './text.ts';

/** Knows the other pages that a section links. */
export interface Links {
  /** The address of an event type or of an operation, by its name. */
  find(name: string): string | undefined;
  /** The page on which operations are tried. */
  tryPage: string;
}

/** Languages of the blocks of samples, which become tabs (site/markdown.ts). */
const languages: Readonly<Record<string, string>> = {
  curl: 'bash',
  TypeScript: 'ts',
  Python: 'python',
  'Command line': 'shell',
};

/** The pages of the reference by their file: one for each tag, in Markdown. */
export function referencePages(document: Json, entries: readonly Entry[], links: Links) {
  const described = Array.isArray(document['tags']) ? document['tags'].filter(isJson) : [];
  return new Map(
    tagsInOrder().flatMap(({ tag, title }): [string, string][] => {
      const members = entries.filter((entry) => entry.tag === tag);
      if (members.length === 0) return [];
      const description = described.find(({ name }) => name === tag)?.['description'];
      const text = tagPage(document, title, String(description), members, links);
      return [[`${pageOfTag(tag).slice(1)}.md`, text]];
    }),
  );
}

function tagPage(
  document: Json,
  title: string,
  description: string,
  members: readonly Entry[],
  links: Links,
): string {
  const objects = objectsOf(document, members);
  const contents = members.map(
    ({ operation: { id, method, path }, title: name }) =>
      `- [${name}](#${id}) ${code(`${method} ${path}`)}`,
  );
  return [
    `---\npageClass: reference\naside: false\ntitle: ${JSON.stringify(`${title}, API reference`)}\n---`,
    `# ${title}`,
    prose(description, links.find),
    `<div class="contents">\n\n${contents.join('\n')}\n\n</div>`,
    ...members.map((entry) => operationSection(document, entry, objects, links)),
    ...[...objects].map(([name, schema]) => objectSection(document, name, schema)),
    '',
  ].join('\n\n');
}

/** The resources that the operations answer with, each with the schema that has most fields. */
function objectsOf(document: Json, members: readonly Entry[]): Map<string, Json> {
  const objects = new Map<string, Json>();
  for (const { json } of members) {
    for (const { schema } of answersOf(document, json)) {
      const found = resourceOf(document, schema);
      if (!found) continue;
      const known = objects.get(found.name);
      if (!known || sizeOf(found.schema) > sizeOf(known)) objects.set(found.name, found.schema);
    }
  }
  return objects;
}

const sizeOf = ({ properties }: Json) => Object.keys(isJson(properties) ? properties : {}).length;

function operationSection(
  document: Json,
  entry: Entry,
  objects: ReadonlyMap<string, Json>,
  links: Links,
): string {
  const { operation, json, title } = entry;
  const { id, method, path, body } = operation;
  const parameters = (Array.isArray(json['parameters']) ? json['parameters'] : []).filter(isJson);
  const answers = answersOf(document, json);
  const scope = json['x-required-scope'];
  const access = typeof scope === 'string' ? `Scope ${code(scope)}` : accessOf(operation.security);
  const route = `<a class="try" href="${links.tryPage}#${id}" target="_self" aria-label="Try it: ${title}">Try it</a><span class="method ${method.toLowerCase()}">${method}</span> ${code(path)}`;
  const facts = [
    `## ${title} {#${id}}`,
    `<div class="route">\n\n${route}\n\n</div>`,
    prose(String(json['description']), links.find),
    `${access} · ${code(id)}`,
    ...parameterTables(document, parameters),
    ...(body ? bodySection(document, json, body.mediaType) : []),
    ...answers.map((answer) => answerSection(document, answer, objects)),
    errorSection(document, json),
  ];
  const samples = sampleBlocks(operation);
  const shown = answers.find(({ example }) => example !== undefined);
  const answer = shown
    ? [
        `Answer, HTTP ${shown.status}`,
        `\`\`\`${typeof shown.example === 'string' ? 'text' : 'json'}\n${textOf(shown.example)}\n\`\`\``,
      ]
    : answers.slice(0, 1).map(({ status }) => `Answer: HTTP ${status} without a body`);
  return `<div class="operation">\n<div class="facts">\n\n${facts.join('\n\n')}\n\n</div>\n<div class="samples">\n\n${[...samples, ...answer].join('\n\n')}\n\n</div>\n</div>`;
}

/** The samples of an operation, which the site shows as tabs. */
export const sampleBlocks = (operation: Operation) =>
  codeSamplesOf(operation).map(
    ({ label, source }) => `\`\`\`${languages[label] ?? 'text'}\n${source}\n\`\`\``,
  );

function accessOf(security: Entry['operation']['security']): string {
  const names = new Set(security.flatMap((one) => Object.keys(one)));
  if (names.has('oauth2')) return 'Any access token';
  return names.has('widget_token') ? 'Token of a widget, or the session cookie' : 'No token';
}

const textOf = (value: unknown) =>
  typeof value === 'string' ? value.trimEnd() : JSON.stringify(value, undefined, 2);

function bodySection(document: Json, json: Json, mediaType: string): string[] {
  const { content } = resolve(document, json['requestBody']);
  const media = isJson(content) ? content[mediaType] : undefined;
  const schema = resolve(document, isJson(media) ? media['schema'] : undefined);
  const types = Object.keys(isJson(content) ? content : {}).map(code);
  const fields = fieldTable(document, schema, 'body');
  return [`### Body\n\n${types.join(' or ')}`, ...(fields === '' ? [] : [fields])];
}

function answerSection(
  document: Json,
  { status, description, schema }: Answer,
  objects: ReadonlyMap<string, Json>,
): string {
  const found = resourceOf(document, schema);
  const begin = `### Answer ${status}\n\n${prose(description)}`;
  if (found && objects.has(found.name)) {
    const object = `[${wordsOf(found.name)}](#object-${found.name})`;
    const text = found.isList ? `A page of the object ${object}.` : `The object ${object}.`;
    return `${begin} ${text}`;
  }
  const fields = fieldTable(document, schema, 'answer');
  return fields === '' ? begin : `${begin}\n\n${details('Fields of the answer', fields)}`;
}

function errorSection(document: Json, json: Json): string {
  const rows = errorsOf(document, json).map(([status, codes]) => {
    const links = codes.map((name) =>
      isErrorCode(name) ? `[${code(name)}](/errors/${name})` : code(name),
    );
    return `- ${status}: ${links.join(', ')}`;
  });
  return rows.length === 0 ? '' : details('Errors', rows.join('\n'));
}

const wordsOf = (name: string) => name.replaceAll('_', ' ');

function objectSection(document: Json, name: string, schema: Json): string {
  return [
    `## The object ${wordsOf(name)} {#object-${name}}`,
    fieldTable(document, schema, 'answer'),
  ].join('\n\n');
}
