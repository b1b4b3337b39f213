import { germanWords } from './words-de.ts';
import { spanishWords } from './words-es.ts';
import { frenchWords } from './words-fr.ts';
import { englishWords } from './words.ts';
import type { Words } from './words.ts';

const languageWords = new Map([
  ['en', englishWords],
  ['de', germanWords],
  ['es', spanishWords],
  ['fr', frenchWords],
]);

/** The words for the first of these locales that has some, and their language; else English. */
export function wordsOf(...locales: readonly string[]): { lang: string; words: Words } {
  for (const locale of locales) {
    const [lang = ''] = locale.toLowerCase().split('-');
    const words = languageWords.get(lang);
    if (words) return { lang, words };
  }
  return { lang: 'en', words: englishWords };
}
