/** Red, green and blue of a color in hexadecimal, each from 0 to 1; undefined for other text. */
function channelsOf(color: string): [number, number, number] | undefined {
  const [, short, long] = /^#(?:([\da-f]{3})|([\da-f]{6}))$/i.exec(color.trim()) ?? [];
  const digits = long ?? short?.replaceAll(/./g, '$&$&');
  if (digits === undefined) return undefined;
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map(
    (at) => Number.parseInt(digits.slice(at, at + 2), 16) / 255,
  );
  return [red, green, blue];
}

/** Relative luminance (WCAG 2.2). */
function luminance([red, green, blue]: readonly [number, number, number]): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

const linear = (value: number) =>
  value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;

/**
 * Contrast of two colors in hexadecimal, from 1 to 21 (WCAG 2.2); undefined where one is written in
 * another form. Text needs 4.5.
 */
export function contrast(color: string, other: string): number | undefined {
  const [first, second] = [channelsOf(color), channelsOf(other)];
  if (!first || !second) return undefined;
  const one = luminance(first) + 0.05;
  const two = luminance(second) + 0.05;
  return Math.max(one, two) / Math.min(one, two);
}

/** Contrast that text needs. */
export const readable = 4.5;
