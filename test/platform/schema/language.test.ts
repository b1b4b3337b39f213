import { expect, test } from '@jest/globals';
import { localized, lookUpLanguage } from '../../../src/platform/schema/language.ts';

test.each([
  ['zh-Hant-TW', ['zh', 'zh-Hant'], 'zh-Hant'],
  ['zh-Hant-TW', ['zh', 'zh-hant-tw'], 'zh-hant-tw'],
  ['zh-Hans-CN', ['zh', 'zh-Hant'], 'zh'],
  ['zh-TW', ['zh-Hant', 'zh'], 'zh'],
  ['sr-Latn-RS', ['sr-Cyrl', 'sr'], 'sr'],
  ['pt-BR', ['pt-PT', 'en'], undefined],
  ['DE-ch', ['en', 'De'], 'De'],
  ['de-DE-u-co-phonebk', ['de', 'de-DE'], 'de-DE'],
  ['en-a-bbb-x-ccc', ['en-a', 'en'], 'en'],
  ['zh-Hant-CN-x-private1', ['zh-Hant-CN', 'zh'], 'zh-Hant-CN'],
  ['den', ['de'], undefined],
  ['de', ['de-CH'], undefined],
  ['fr', [], undefined],
  ['', ['de'], undefined],
  ['constructor', ['de'], undefined],
])('%s among %j finds %s', (requested, available, found) => {
  expect(lookUpLanguage(requested, available)).toBe(found);
});

test('content has the texts of one language, and its own where none suits', () => {
  const content = { name: 'Offers', description: 'Weekly' };
  const localizations = { zh: { name: '优惠' }, 'zh-Hant': { name: '優惠' } };
  const nameFor = (locale: string | undefined) => localized(content, localizations, locale).name;
  expect(['zh-Hant-HK', 'zh-SG', 'ja', undefined].map(nameFor)).toEqual([
    ...['優惠', '优惠', 'Offers', 'Offers'],
  ]);
  expect(localized(content, localizations, 'zh').description).toBe('Weekly');
});
