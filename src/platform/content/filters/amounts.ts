import { LRUCache } from 'lru-cache';
import { languagesOf, maxFormatters } from './reader.ts';
import type { Reader } from './reader.ts';

/** Currencies whose smaller unit is not the hundredth (ISO 4217), with their decimal places. */
const decimalPlaces: ReadonlyMap<string, number> = new Map([
  ...'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'
    .split(' ')
    .map((code) => [code, 0] as const),
  ...'BHD IQD JOD KWD LYD OMR TND'.split(' ').map((code) => [code, 3] as const),
  ...'CLF UYW'.split(' ').map((code) => [code, 4] as const),
]);

/** Decimal places at most of a number. */
const maxPlaces = 20;

const formatters = new LRUCache<string, Intl.NumberFormat>({ max: maxFormatters });

function formatterOf(reader: Reader, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = JSON.stringify([reader.locale, options]);
  const known = formatters.get(key);
  if (known) return known;
  const made = new Intl.NumberFormat(languagesOf(reader), options);
  formatters.set(key, made);
  return made;
}

/** A number, also in the form of text; undefined for anything else. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'string' && /^\s*[+-]?\d+(\.\d+)?\s*$/.test(value)) {
    return numberOf(Number(value));
  }
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** A number as the reader's language writes it; rounded where the decimal places are given. */
export function formatNumber(value: number, reader: Reader, places?: number): string {
  const digits = places === undefined ? undefined : Math.min(Math.max(0, places), maxPlaces);
  return formatterOf(reader, {
    ...(digits !== undefined && { minimumFractionDigits: digits, maximumFractionDigits: digits }),
  }).format(digits === undefined ? value : roundedHalfUp(value, digits));
}

const currencies = new Set(Intl.supportedValuesOf('currency'));

/** The code of a currency in capitals; undefined where there is none of this code. */
export function currencyOf(value: unknown): string | undefined {
  const code = typeof value === 'string' ? value.toUpperCase() : '';
  return currencies.has(code) ? code : undefined;
}

/** An amount in the smaller unit of a currency, as the API has amounts: 1999 is €19.99, or ¥1,999. */
export function formatMoney(amount: number, currency: string, reader: Reader): string {
  const digits = decimalPlaces.get(currency) ?? 2;
  return formatterOf(reader, {
    ...{ style: 'currency', currency },
    ...{ minimumFractionDigits: digits, maximumFractionDigits: digits },
  }).format(roundedHalfUp(amount, 0) / 10 ** digits);
}

/** 1.005 has the nearest binary value below it: rounded by its digits, as people do. */
function roundedHalfUp(value: number, digits: number): number {
  const [mantissa = '0', power = '0'] = String(Math.abs(value)).split('e');
  const scaled = Number(`${mantissa}e${String(Number(power) + digits)}`);
  if (!(scaled < Number.MAX_SAFE_INTEGER)) return value;
  const rounded = Number(`${String(Math.round(scaled))}e-${String(digits)}`);
  return value < 0 ? -rounded : rounded;
}
