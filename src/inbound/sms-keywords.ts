import { Type } from 'typebox';
import type { Projection } from './receiver.ts';
import { optInWords, optOutWords, politeWords } from './sms-words.ts';

/** Longer than any keyword with polite words; a longer text is not looked at. */
const maxTextLength = 160;
/** Room for a plain text after compatible characters are spelled out. */
const maxWords = 12;

/** Accents of Latin, Greek and Cyrillic letters, and vowel points of Hebrew and Arabic. */
const marks = /[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0640]/g;
/** Characters without a shape, such as joiners, marks of direction and selectors of emoji. */
const invisible = /\p{Default_Ignorable_Code_Point}/gu;

/** The words of a text without case, accents, punctuation and emoji. */
function wordsOf(text: string): string[] {
  return text
    .normalize('NFKC')
    .replaceAll(invisible, '')
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(marks, '')
    .normalize('NFC')
    .replaceAll('ı', 'i')
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => word !== '');
}

const polite = politeWords.map(wordsOf);

/** People write "opt-out" and "o p t o u t"; a word that gives consent is taken as it is spelled. */
const spellings = {
  optOut: (words: readonly string[]) => words.join(''),
  optIn: (words: readonly string[]) => words.join(' '),
};
type List = keyof typeof spellings;

const spelledAs = (list: List, texts: readonly string[] = []) =>
  new Set(texts.map((text) => spellings[list](wordsOf(text))));
const known = {
  optOut: spelledAs('optOut', Object.values(optOutWords).flat()),
  optIn: spelledAs('optIn', optInWords),
};

const startsWith = (words: readonly string[], phrase: readonly string[]) =>
  phrase.length <= words.length && phrase.every((word, at) => words[at] === word);
const endsWith = (words: readonly string[], phrase: readonly string[]) =>
  startsWith(words.toReversed(), phrase.toReversed());

/** The words that a reply may be compared by: as they are, and ever fewer polite ones around. */
function* readings(text: string): Generator<string[]> {
  let words = wordsOf(text).filter((word, at, all) => word !== all[at - 1]);
  while (words.length > 0 && words.length <= maxWords) {
    yield words;
    const before = polite.find((phrase) => startsWith(words, phrase));
    const after = polite.find((phrase) => endsWith(words, phrase));
    if (after) words = words.slice(0, -after.length);
    else if (before) words = words.slice(before.length);
    else return;
  }
}

const Words = (description: string) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 40 }), {
      maxItems: 50,
      uniqueItems: true,
      description,
    }),
  );

/** Settings of receivers of replies. */
export const keywordSettings = {
  opt_out_words: Words('Replies that revoke the SMS consent, in addition to STOP and the like'),
  opt_in_words: Words('Replies that give the SMS consent, in addition to START and UNSTOP'),
};

export interface KeywordSettings {
  readonly opt_out_words?: readonly string[];
  readonly opt_in_words?: readonly string[];
}

/**
 * Consent that the whole text of a reply expresses. A sentence that contains a keyword expresses
 * none, and a question gives no consent.
 */
export function smsConsentIn(
  text: string | undefined,
  settings: KeywordSettings = {},
): 'subscribed' | 'unsubscribed' | undefined {
  if (text === undefined || text.trim().length > maxTextLength) return undefined;
  const all = [...readings(text)];
  const says = (list: List, own: readonly string[] | undefined) => {
    const owned = spelledAs(list, own);
    return all.some((words) => {
      const spelling = spellings[list](words);
      return known[list].has(spelling) || owned.has(spelling);
    });
  };
  if (says('optOut', settings.opt_out_words)) return 'unsubscribed';
  const isQuestion = /[?\u037e\u061f\uff1f]/.test(text);
  return says('optIn', settings.opt_in_words) && !isQuestion ? 'subscribed' : undefined;
}

/** The consent that a reply expresses, as fields of its payload. */
export function consentFields(
  text: string | undefined,
  settings: KeywordSettings,
  reported: { optOut?: boolean | undefined; optIn?: boolean | undefined } = {},
): { opt_out?: true; opt_in?: true } {
  const said = smsConsentIn(text, settings);
  if (reported.optOut || said === 'unsubscribed') return { opt_out: true };
  return reported.optIn || said === 'subscribed' ? { opt_in: true } : {};
}

/** A reply by SMS; an opt-out or opt-in that the provider reports counts with any text. */
export function projectReply({
  text,
  opt_out: isOptOut,
  opt_in: isOptIn,
}: {
  readonly text?: string;
  readonly opt_out?: boolean;
  readonly opt_in?: boolean;
}): Pick<Projection, 'kind' | 'smsConsent'> {
  const said = isOptOut ? 'unsubscribed' : smsConsentIn(text);
  const smsConsent = said ?? (isOptIn ? 'subscribed' : undefined);
  return {
    kind: smsConsent === 'unsubscribed' ? 'message.unsubscribed' : 'contact.replied',
    ...(smsConsent !== undefined && { smsConsent }),
  };
}
