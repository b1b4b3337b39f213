import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { smsConsentIn } from '../../src/inbound/sms-keywords.ts';
import { optInWords, optOutWords, politeWords } from '../../src/inbound/sms-words.ts';

const words = Object.values(optOutWords).flat();
const isOptOut = (text: string) => smsConsentIn(text) === 'unsubscribed';

describe('a reply revokes the consent', () => {
  test.each(words)('by %s, in any case and between polite words', (word) => {
    const texts = [
      word,
      word.toLowerCase(),
      ` ${word}!\n`,
      `“${word}”…`,
      `*${word.toLowerCase()}*`,
    ];
    for (const text of [
      ...texts,
      `Please ${word}`,
      `${word}, thanks`,
      `ok ${word} now. Thank you!`,
    ]) {
      expect([text, smsConsentIn(text)]).toEqual([text, 'unsubscribed']);
    }
  });

  // Words of the FCC (47 CFR 64.1200(a)(10)), of Twilio, Telnyx and Amazon SNS.
  test.each([
    ...['stop', 'quit', 'end', 'revoke', 'opt out', 'cancel', 'unsubscribe'],
    ...['STOPALL', 'OPTOUT', 'OPT-OUT', 'ARRET', 'REMOVE', 'TD', 'STOP ALL', 'STOP.', 'STOP!!'],
  ])('by the keyword %j of a regulator or provider', (text) => {
    expect(smsConsentIn(text)).toBe('unsubscribed');
  });

  test.each([
    ['full-width letters', 'ＳＴＯＰ'],
    ['letters of mathematics', '𝗦𝗧𝗢𝗣'],
    ['no-break spaces', '\u00a0Stop\u202fall\u00a0'],
    ['a zero-width space', 'S\u200bTOP'],
    ['marks of direction', '\u200eSTOP\u202c'],
    ['a byte order mark', '\ufeffstop'],
    ['a soft hyphen', 'unsub\u00adscribe'],
    ['an emoji', '🛑 Stop 🙏🏽'],
    ['a flag and a heart', 'STOP ❤️🇫🇷'],
    ['combining accents', 'arre\u0302t'],
    ['curly quotes', '‘Stop’'],
    ['points between the letters', 'S.T.O.P.'],
    ['dashes', 'un-subscribe'],
    ['a line break', 'STOP\r\n'],
    ['a repetition', 'stop stop STOP!!!'],
    ['a dotted capital', 'İptal'],
    ['a dotless letter', 'ıptal'],
    ['an accent that is left out', 'desabonnement'],
    ['spelled umlauts', 'kuendigen'],
    ['half-width katakana', 'ｽﾄｯﾌﾟ'],
    ['vowel points', 'إِيقَاف'],
    ['French typography', 'ARRÊT !'],
    ['inverted marks', '¡Alto!'],
    ['a full-width mark', '停止！'],
  ])('in spite of %s', (_, text) => {
    expect(smsConsentIn(text)).toBe('unsubscribed');
  });
});

describe('a reply says nothing about the consent', () => {
  test.each([
    ...['don’t stop', "Don't stop!", 'Please do not stop', 'no stop', 'never stop', 'nonstop'],
    ...['I can’t stop by today', 'end of month?', 'The end', 'in the end', 'weekend', 'friend'],
    ...[
      'Should I stop?',
      'stop by',
      'bus stop',
      'STOP 12345',
      'stop2',
      '2 stop',
      'stops',
      'stopped',
    ],
    ...['Count me in! We have got to STOP this terrible bill from passing!!'],
    ...['Liked “Reply STOP to unsubscribe”', 'Reply STOP', 'cancel my appointment on Monday'],
    ...['cancellation', 'quitting', 'endless', 'Ann Stop', 'stop?'.repeat(60), 'fine', 'para'],
    ...['ne pas arrêter', 'nicht abmelden', 'no cancelar', 'não pare', 'alto y claro'],
    ...['please', 'thanks', 'ok', '', ' ', '.', '🛑', '\u200b', 'YES', 'Yes please', 'NO', 'HELP'],
    ...['START?', 'start the car', 'un stop', 'restart', 'JOIN', 'start stop', '0'],
  ])('by %j', (text) => {
    expect(smsConsentIn(text)).toBeUndefined();
  });

  test('with another word beside a keyword', () => {
    const others = fc.constantFrom('not', 'dont', 'we', 'bus', 'monday', 'nicht', 'pas', 'ne', '7');
    const places = fc.constantFrom<(word: string, other: string) => string>(
      (word, other) => `${other} ${word}`,
      (word, other) => `${word} ${other}`,
      (word, other) => `${other} ${word} please`,
      (word, other) => `please, ${word}: ${other}!`,
    );
    fc.assert(
      fc.property(fc.constantFrom(...words), others, places, (word, other, place) => {
        expect(smsConsentIn(place(word, other))).toBeUndefined();
      }),
      { numRuns: 1_000 },
    );
  });

  test('with polite words alone', () => {
    const phrase = fc.constantFrom(...politeWords);
    fc.assert(
      fc.property(fc.array(phrase, { maxLength: 3 }), (phrases) => {
        expect(smsConsentIn(phrases.join(' '))).toBeUndefined();
      }),
    );
  });

  test('of any other characters, without an exception', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        smsConsentIn(text);
      }),
    );
  });
});

test.each(['START', 'start', ' Unstop! ', 'ＳＴＡＲＴ', 'start please', '“START”'])(
  'the reply %j gives the consent',
  (text) => {
    expect(smsConsentIn(text)).toBe('subscribed');
  },
);

test('the words of a receiver add to those of everybody', () => {
  const settings = {
    opt_out_words: ['Nie wieder', 'YES'],
    opt_in_words: ['Dabei', 'JOIN', 'stop'],
  };
  expect(smsConsentIn('NIE WIEDER!', settings)).toBe('unsubscribed');
  expect(smsConsentIn('yes please', settings)).toBe('unsubscribed');
  expect(smsConsentIn('dabei', settings)).toBe('subscribed');
  expect(smsConsentIn('JOIN', settings)).toBe('subscribed');
  expect(smsConsentIn('join the club', settings)).toBeUndefined();
  expect(smsConsentIn('STOP', settings)).toBe('unsubscribed');
  expect(smsConsentIn('!', { opt_out_words: ['!'] })).toBeUndefined();
});

test('the documentation lists the words', () => {
  const page = readFileSync('docs/inbound/sms_a.md', 'utf8');
  const rows = [...page.matchAll(/^\| (\w+) +\| (.+?) +\|$/gm)].map(([, language, texts]) => [
    language,
    texts?.split(', '),
  ]);
  expect(Object.fromEntries(rows.slice(1))).toEqual(optOutWords);
  for (const word of optInWords) expect(page).toContain(word);
  expect(words.every(isOptOut)).toBe(true);
});
