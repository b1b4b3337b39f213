import { htmlProblem, sanitizeMarkup } from '../../platform/content/html.ts';
import { liquidProblem, variablesOf } from '../../platform/content/liquid.ts';
import { isSafeUrl } from '../../platform/schema/safe-url.ts';
import type { UrlUse } from '../../platform/schema/safe-url.ts';
import type { Problem } from '../../platform/http/errors.ts';
import { createYielding } from '../../platform/http/event-loop.ts';

/** Content with every HTML in it sanitised; other texts stay as they are. */
export async function cleanMarkup<Content extends object>(content: Content): Promise<Content>;
export async function cleanMarkup(content: object): Promise<object> {
  const pause = createYielding();
  const clean = async (name: string, value: unknown): Promise<unknown> => {
    if (typeof value === 'string') {
      await pause();
      return isHtml(name) ? sanitizeMarkup(value, { liquid: true }) : value;
    }
    return typeof value === 'object' && value !== null ? within(value) : value;
  };
  const within = async (holder: object): Promise<object> => {
    const entries: [string, unknown][] = [];
    for (const [name, value] of Object.entries(holder)) {
      entries.push([name, await clean(Array.isArray(holder) ? '' : name, value)]);
    }
    return Array.isArray(holder) ? entries.map(([, value]) => value) : Object.fromEntries(entries);
  };
  return within(content);
}

const isHtml = (name: string) => name === 'html' || name === 'body_html';

/** Every text in the content, with the JSON Pointer to it. */
function* textsOf(content: unknown, pointer: string): Generator<[pointer: string, text: string]> {
  if (typeof content === 'string') yield [pointer, content];
  if (typeof content !== 'object' || content === null) return;
  for (const [name, value] of Object.entries(content)) {
    yield* textsOf(value, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  }
}

/** Problems of the Liquid and the HTML of a content, for a 422. */
export async function sourceProblems(content: object): Promise<Problem[]> {
  const problems: Problem[] = [];
  const pause = createYielding();
  for (const [at, text] of textsOf(content, '')) {
    const problem = sourceProblem(at, text);
    if (problem) problems.push(problem);
    await pause();
  }
  return problems;
}

function sourceProblem(at: string, text: string): Problem | undefined {
  const name = at.slice(at.lastIndexOf('/') + 1);
  const html = isHtml(name) ? htmlProblem(text) : undefined;
  if (html !== undefined) return invalid(at, 'html', `This HTML is not taken: ${html}.`);
  const liquid = liquidProblem(text);
  if (liquid !== undefined) return invalid(at, 'liquid', `This is no Liquid: ${liquid}.`);
  return isUnsafeAddress(name, text) ? invalid(at, 'format', unsafeAddress) : undefined;
}

/** Fields of content that hold an address; values that Liquid fills in are checked when rendered. */
const addressUses: Readonly<Record<string, UrlUse>> = {
  url: 'link',
  link_url: 'link',
  image_url: 'web',
  poster_url: 'web',
  deep_link: 'app',
};
const unsafeAddress =
  'The address has a scheme that is not allowed. Use https, or mailto or tel in links.';

/** Whether a text names a scheme, as written, that its field does not take. */
function isUnsafeAddress(name: string, text: string): boolean {
  const use = addressUses[name];
  if (use === undefined) return false;
  const address = text.trim();
  return /^[^/?#{]*:/.test(address) && !isSafeUrl(address, use);
}

function invalid(pointer: string, rule: string, detail: string): Problem {
  return { code: 'validation_failed', detail, meta: { pointer, rule } };
}

/** The variables that a content uses, sorted. Its Liquid has been checked. */
export function variablesIn(...contents: readonly object[]): string[] {
  const found = contents.flatMap((content) =>
    [...textsOf(content, '')].flatMap(([, text]) => variablesOf(text)),
  );
  return [...new Set(found)].sort();
}
