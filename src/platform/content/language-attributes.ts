import { directionOf } from '../schema/direction.ts';
import { escapeHtml } from './html.ts';

/** The attributes of an element whose text has a language. */
export const languageAttributes = (locale: string) => attributes(locale, directionOf(locale));

/**
 * The attributes of an element whose text is probably in a language: where that is written from
 * left to right, the first letter decides.
 */
export const probableLanguageAttributes = (locale: string) =>
  attributes(locale, directionOf(locale) === 'rtl' ? 'rtl' : 'auto');

const attributes = (locale: string, direction: string) =>
  `lang="${escapeHtml(locale)}" dir="${direction}"`;
