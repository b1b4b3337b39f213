/**
 * The direction in which languages are written. The scripts of browsers use it, so this file imports
 * nothing.
 */

/** ISO 15924 codes of the scripts in use that are written from right to left. */
const rightToLeft = [
  'Adlm',
  'Arab',
  'Aran',
  'Hebr',
  'Mand',
  'Nkoo',
  'Rohg',
  'Samr',
  'Syrc',
  'Thaa',
  'Yezi',
];

/** The direction of a BCP 47 language tag: of the script that it names, or else of the usual one. */
export function directionOf(locale: string): 'ltr' | 'rtl' {
  try {
    const { script = '' } = new Intl.Locale(locale).maximize();
    return rightToLeft.includes(script) ? 'rtl' : 'ltr';
  } catch {
    return 'ltr';
  }
}
