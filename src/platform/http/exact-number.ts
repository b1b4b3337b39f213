/**
 * Whether the number that JSON.parse makes of these digits has their value: JavaScript prints it
 * with the same digits, zeros at either end apart. An integer is exact within ±(2^53−1).
 */
export function isExactNumber(digits: string): boolean {
  if (digits.length > maxDigits || !isExactInteger(digits)) return false;
  if (!isLong(digits) && !/e/i.test(digits)) return true;
  const value = Number(digits);
  if (!isLong(digits) && Math.abs(value) >= minNormal && Number.isFinite(value)) return true;
  return Number.isFinite(value) && valueOf(digits) === valueOf(String(value));
}

/**
 * The same, but fractions may be rounded: some programs print more digits than a number keeps. A
 * rounded integer or one that becomes zero or infinite is another number.
 */
export function isKeptNumber(digits: string): boolean {
  if (isExactNumber(digits)) return true;
  const size = Math.abs(Number(digits));
  return digits.length <= maxDigits && digits.includes('.') && size >= minNormal && size < 2 ** 53;
}

function isExactInteger(digits: string): boolean {
  if (digits.length > maxDigits) return false;
  return !isLong(digits) || !/^-?\d+$/.test(digits) || Number.isSafeInteger(Number(digits));
}

/** Characters of a number at most: comparing more takes time, and no double has as many digits. */
const maxDigits = 1_000;

/** A double below it has fewer digits than others. */
const minNormal = 1e-290;

/** A double keeps every number of up to 15 digits; the sixteenth may be a sign or a point. */
const isLong = (digits: string) => digits.length > 15;

/** The same text for the same value, but for its sign: 1.50 and 15e-1 are both `15e-1`. */
function valueOf(digits: string): string | undefined {
  const [isNumber, whole = '', fraction = '', exponent = '0'] =
    /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(digits) ?? [];
  if (isNumber === undefined) return undefined;
  const all = whole + fraction;
  let start = 0;
  while (all.charAt(start) === '0') start += 1;
  if (start === all.length) return '0';
  let end = all.length;
  while (all.charAt(end - 1) === '0') end -= 1;
  const power = Number(exponent) - fraction.length + all.length - end;
  return `${all.slice(start, end)}e${String(power)}`;
}
