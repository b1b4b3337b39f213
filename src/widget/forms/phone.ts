import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import type { PhoneNumber } from 'libphonenumber-js/min';
import { maxWrittenPhone } from '../../campaigns/rendering/form-fields.ts';
import { isPhone } from '../../platform/schema/fields.ts';

/**
 * The E.164 form of a number as people write it; undefined for a text that cannot be one. A number
 * without a country code is read by the rules of the country of `locale`, where it names one.
 */
export function readPhone(written: string, locale: string): string | undefined {
  if (written.length > maxWrittenPhone) return undefined;
  // Address books put marks of direction around numbers; some keyboards write wide digits.
  const text = written.normalize('NFKC').replaceAll(/\p{Cf}/gu, '');
  const { region } = new Intl.Locale(locale);
  return (
    international(text) ??
    // Before `00`: the prefix of international calls may be another one.
    national(text, region) ??
    international(text.replace(/^[\s(]*00/, '+'))
  );
}

/** By the length only: new ranges of numbers come sooner than releases of the library. */
function international(text: string): string | undefined {
  const number = parsePhoneNumberFromString(text, { extract: false });
  return number?.isPossible() ? inE164(number) : undefined;
}

/** By the ranges of the country: another country may have numbers of the same length. */
function national(text: string, region: string | undefined): string | undefined {
  if (region === undefined || !isSupportedCountry(region)) return undefined;
  const number = parsePhoneNumberFromString(text, { defaultCountry: region, extract: false });
  return number?.isValid() ? inE164(number) : undefined;
}

const inE164 = ({ number, ext }: PhoneNumber) =>
  ext === undefined && isPhone(number) ? number : undefined;
