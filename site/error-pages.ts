import { isErrorCode } from '../src/meta/pages.ts';
import type { Json } from '../src/meta/openapi/components.ts';
import { errorCatalog } from '../src/platform/http/error-catalog.ts';
import { resolve } from './reference/fields.ts';
import { errorsOf } from './reference/operations.ts';
import type { Entry } from './reference/operations.ts';
import { code, details, prose } from './reference/text.ts';

/** More operations than this are not listed. */
const maxListed = 60;

/** A page for each error code, in Markdown. */
export function errorPages(document: Json, entries: readonly Entry[]): ReadonlyMap<string, string> {
  const users = new Map<string, Entry[]>();
  for (const entry of entries) {
    for (const name of errorsOf(document, entry.json).flatMap(([, codes]) => codes)) {
      users.set(name, [...(users.get(name) ?? []), entry]);
    }
  }
  return new Map(
    Object.keys(errorCatalog)
      .filter(isErrorCode)
      .map((name) => [
        `errors/${name}.md`,
        pageOf(name, users.get(name) ?? [], entries.length, exampleOf(document, name)),
      ]),
  );
}

/** The answer that the OpenAPI document shows; some codes are of no declared operation. */
function exampleOf(document: Json, name: string): unknown {
  const reference = { $ref: `#/components/examples/error_${name}` };
  return resolve(document, reference)['value'];
}

function pageOf(
  name: keyof typeof errorCatalog,
  users: readonly Entry[],
  count: number,
  known: unknown,
): string {
  const [status, title, remedy] = errorCatalog[name];
  const meta = { request_id: '…', docs_url: `/docs/errors/${name}` };
  const example = known ?? { errors: [{ code: name, title, detail: remedy, meta }] };
  const listed = users.map(({ title: text, address }) => `- [${text}](${address})`).join('\n');
  const who =
    users.length > maxListed
      ? `${String(users.length)} of ${String(count)} operations answer with it.`
      : details('Operations that answer with it', listed);
  return [
    `---\ntitle: ${JSON.stringify(`${name}, error ${String(status)}`)}\noutline: false\n---`,
    `# ${title}`,
    `Error code ${code(name)}, HTTP status ${String(status)}`,
    `## Remedy\n\n${prose(remedy)}`,
    `## Answer\n\n\`\`\`json\n${JSON.stringify(example, undefined, 2)}\n\`\`\``,
    '`detail` names the fault of the request, `meta.pointer` or `meta.parameter` its place. Send `meta.request_id` when you ask for help, or [look the request up](/reference/meta#listRequests).',
    users.length === 0 ? '' : who,
    '- [All error codes](/errors)\n- [Handle errors](/guides/handle-errors) in a program\n',
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}
