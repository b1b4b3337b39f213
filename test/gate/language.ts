import type { Finding, SourceFile } from './invariants.ts';

/** Words of a private vocabulary, each with the standard terms to write instead. */
const bannedWords: readonly { pattern: string; instead: string }[] = [
  { pattern: 'anew', instead: 'again, recompute, retry, restart' },
  { pattern: 'as it is now', instead: 'current, unchanged' },
  { pattern: 'beside', instead: 'next to, with, in addition to, compared with' },
  { pattern: 'dearer', instead: 'costs more' },
  { pattern: 'hear|hears|heard', instead: 'receive, subscribe' },
  { pattern: 'mend|mends|mended|mending', instead: 'fix, correct' },
  { pattern: 'nap|naps', instead: 'sleep, pause' },
  { pattern: 'nudge|nudges', instead: 'work notification, wake-up signal' },
  { pattern: 'rouse|rouses|roused', instead: 'signal' },
  { pattern: 'stir|stirs', instead: 'resync, reprocess' },
  { pattern: 'tell|tells|telling|told', instead: 'send, publish, notify, return, distinguish' },
  {
    pattern: '(?:un)?recognised|normalised|sanitised|neighbours?|colours?|labelled|behaviours?',
    instead: 'the US spelling',
  },
  { pattern: 'whatever', instead: 'any, regardless of, the noun' },
  { pattern: 'whoever', instead: 'the noun: the caller, the client, the owner' },
];
/** Words with which no comment opens: the noun that the thing is, or a verb, comes first. */
const bannedOpening = /^\s*(?:\/\*\*|\*|\/\/|--) (What|How|Of|Else|Has) /;
const banned = new RegExp(`\\b(?:${bannedWords.map(({ pattern }) => pattern).join('|')})\\b`, 'gi');

/** Comments of code that open with a banned word. */
export function findBannedOpenings(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(({ path }) => !path.endsWith('.md'))
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, at) => {
        const [, word] = bannedOpening.exec(line) ?? [];
        const message = `a comment opens with “${word ?? ''}”; instead: the noun, or a verb`;
        return word === undefined ? [] : [{ path, line: at + 1, message }];
      }),
    );
}

/**
 * Banned words in comments, strings and parts of camelCase identifiers; in Markdown outside of code.
 * Names in snake_case are names of the wire, which stay.
 */
export function findBannedWords(files: readonly SourceFile[]): Finding[] {
  return files.flatMap(({ path, text }) =>
    (path.endsWith('.md') ? withoutCode(text) : text).split('\n').flatMap((line, at) =>
      [...splitIdentifiers(line).matchAll(banned)].map(([word]) => ({
        path,
        line: at + 1,
        message: `“${word}” is no standard term; instead: ${insteadOf(word)}`,
      })),
    ),
  );
}

function insteadOf(word: string): string | undefined {
  return bannedWords.find(({ pattern }) => new RegExp(`^(?:${pattern})$`, 'i').test(word))?.instead;
}

function splitIdentifiers(line: string): string {
  return line.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, ' ');
}

/** Line breaks stay, so that findings have the line of the page. */
function withoutCode(text: string): string {
  return text.replaceAll(/^ *```[^]*?^ *```|`[^`\n]*`/gm, (code) => code.replaceAll(/[^\n]/g, ''));
}
