import { htmlProblem, removedMarkup, sanitizeMarkup } from '../../platform/content/html.ts';
import { liquidProblem, variablesOf } from '../../platform/content/liquid.ts';
import { isSafeUrl } from '../../platform/schema/safe-url.ts';
import type { UrlUse } from '../../platform/schema/safe-url.ts';
import type { Problem } from '../../platform/http/errors.ts';
import { createContentTurns } from '../../platform/http/event-loop.ts';
import { cutText } from '../../platform/cut-text.ts';
import { warningsOf } from './warnings.ts';
import type { Warning } from './warnings.ts';

/** Content with every HTML in it sanitized, and what that removed; other texts stay. */
export async function cleanMarkup<Content extends object>(
  content: Content,
): Promise<{ cleaned: Content; warnings: Warning[] }>;
export async function cleanMarkup(
  content: object,
): Promise<{ cleaned: object; warnings: Warning[] }> {
  const turn = createContentTurns();
  const warnings: Warning[] = [];
  const clean = async (at: string, name: string, value: unknown): Promise<unknown> => {
    if (typeof value === 'string') {
      if (!isHtml(name)) return value;
      await turn(value.length);
      const styleSheets = name === 'body_html';
      warnings.push(...warningsOf(at, removedMarkup(value, { styleSheets })));
      await turn(value.length);
      return sanitizeMarkup(value, { liquid: true, styleSheets });
    }
    return typeof value === 'object' && value !== null ? within(at, value) : value;
  };
  const within = async (at: string, holder: object): Promise<object> => {
    const entries: [string, unknown][] = [];
    for (const [name, value] of Object.entries(holder)) {
      const pointer = childOf(at, name);
      entries.push([name, await clean(pointer, Array.isArray(holder) ? '' : name, value)]);
    }
    return Array.isArray(holder) ? entries.map(([, value]) => value) : Object.fromEntries(entries);
  };
  return { cleaned: await within('', content), warnings };
}

const childOf = (pointer: string, name: string) =>
  `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

const isHtml = (name: string) => name === 'html' || name === 'body_html';

/** Every text in the content, with the JSON Pointer to it. */
function* textsOf(content: unknown, pointer: string): Generator<[pointer: string, text: string]> {
  if (typeof content === 'string') yield [pointer, content];
  if (typeof content !== 'object' || content === null) return;
  for (const [name, value] of Object.entries(content)) {
    yield* textsOf(value, childOf(pointer, name));
  }
}

/** Problems of the Liquid and the HTML of a content, for a 422. */
export async function sourceProblems(content: object): Promise<Problem[]> {
  const problems: Problem[] = [];
  const turn = createContentTurns();
  for (const [at, text] of textsOf(content, '')) {
    for (const problemAt of [markupProblem, liquidProblemAt, addressProblem]) {
      await turn(text.length);
      const problem = problemAt(at, text);
      if (!problem) continue;
      problems.push(problem);
      break;
    }
  }
  return problems;
}

const fieldOf = (pointer: string) => pointer.slice(pointer.lastIndexOf('/') + 1);

function markupProblem(at: string, text: string): Problem | undefined {
  const problem = isHtml(fieldOf(at)) ? htmlProblem(text) : undefined;
  if (problem === undefined) return undefined;
  return invalid(at, 'html', `The HTML is not accepted: ${problem}.`);
}

function liquidProblemAt(at: string, text: string): Problem | undefined {
  const problem = liquidProblem(text);
  return problem === undefined
    ? undefined
    : invalid(at, 'liquid', `This is no Liquid: ${problem}.`);
}

function addressProblem(at: string, text: string): Problem | undefined {
  const name = fieldOf(at);
  if (!isHtml(name)) {
    return isUnsafeAddress(name, text) ? invalid(at, 'format', unsafeAddress) : undefined;
  }
  const unsafe = removedMarkup(text, { only: 'address' }).find((one) => isWrittenOut(one.name));
  if (!unsafe) return undefined;
  const address = cutText(unsafe.name, maxShownAddress);
  return invalid(at, 'format', `${unsafeAddress} It is: ${address}`);
}

const maxShownAddress = 80;

/** Whether the scheme or the host of an address does not come from Liquid. */
const isWrittenOut = (address: string) => /^(?:[^/?#{]*:|[/\\]{2})/.test(address);

/** Fields of content that hold an address; values that Liquid fills in are checked when rendered. */
const addressUses: Readonly<Record<string, UrlUse>> = {
  url: 'link',
  link_url: 'link',
  image_url: 'web',
  poster_url: 'web',
  deep_link: 'app',
};
const unsafeAddress =
  'The address has a scheme that is not allowed. Use https; links may also have mailto, tel and sms.';

/** Whether a text names a scheme, as written, that its field does not take. */
function isUnsafeAddress(name: string, text: string): boolean {
  const use = addressUses[name];
  if (use === undefined) return false;
  const address = text.trim();
  return isWrittenOut(address) && !isSafeUrl(address, use);
}

function invalid(pointer: string, rule: string, detail: string): Problem {
  return { code: 'validation_failed', detail, meta: { pointer, rule } };
}

/** The variables that a content uses, sorted. Its Liquid has been checked. */
export async function variablesIn(...contents: readonly object[]): Promise<string[]> {
  const found = new Set<string>();
  const turn = createContentTurns();
  for (const [, text] of textsOf(contents, '')) {
    await turn(text.length);
    for (const path of variablesOf(text)) found.add(path);
  }
  return [...found].sort();
}
