import { expect, test } from '@jest/globals';
import {
  languageAttributes,
  probableLanguageAttributes,
} from '../../../src/platform/content/language-attributes.ts';
import { directionOf } from '../../../src/platform/schema/direction.ts';

test.each([
  ...['ar', 'ar-EG', 'he', 'fa-IR', 'ur', 'ps', 'sd', 'ug', 'yi', 'dv', 'ckb', 'nqo'],
  ...['az-Arab', 'az-IR', 'AZ-arab', 'ku-Arab', 'pa-PK', 'uz-Arab-AF', 'ff-Adlm', 'en-Arab'],
])('%s is written from right to left', (locale) => {
  expect(directionOf(locale)).toBe('rtl');
});

test.each([
  ...['en', 'de-CH', 'az', 'ku', 'pa', 'sd-Deva', 'ar-Latn', 'ug-Cyrl', 'zh-Hant-TW', 'ja'],
  ...['und', 'x-private', '', 'not a locale'],
])('%s is written from left to right', (locale) => {
  expect(directionOf(locale)).toBe('ltr');
});

test('the attributes name the language and the direction', () => {
  expect(languageAttributes('ar')).toBe('lang="ar" dir="rtl"');
  expect(languageAttributes('"><b')).toBe('lang="&quot;&gt;&lt;b" dir="ltr"');
  expect(probableLanguageAttributes('he-IL')).toBe('lang="he-IL" dir="rtl"');
  expect(probableLanguageAttributes('en')).toBe('lang="en" dir="auto"');
});
