import { describe, expect, test } from '@jest/globals';
import { brandOf, brandStyle, embeddedBrandStyle } from '../../../src/platform/content/brand.ts';
import { contrast } from '../../../src/platform/content/contrast.ts';

const primaries = ['#0a6847', '#001f5b', '#ffd400', '#fff', '#000', '#e4002b', '#808080'];
const pages = [undefined, '#ffffff', '#0a1a33', '#777777', '#ffeedd'];

describe.each(pages)('on a page of the color %s', (background_color) => {
  test.each(primaries)('the brand %s can be read and seen, light and dark', (primary_color) => {
    const brand = brandOf({ primary_color, background_color, text_color: primary_color });
    for (const colors of [brand.light, brand.dark]) {
      const { page = '', fill = '', accent = '', text = '', soft = '', edge = '' } = colors;
      expect(contrast(accent, page)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(text, page)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(colors['on-fill'] ?? '', fill)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(colors['focus'] ?? '', page)).toBeGreaterThanOrEqual(3);
      expect(contrast(soft, page)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(edge, page)).toBeGreaterThanOrEqual(3);
    }
  });
});

test('the color of a theme is the color of its marks and buttons on a light page', () => {
  expect(brandOf({ primary_color: '#0a6847' }).light).toMatchObject({
    ...{ brand: '#0a6847', fill: '#0a6847', 'on-fill': '#ffffff', accent: '#0a6847' },
  });
});

test('a background decides the scheme, also where a device is dark', () => {
  expect(brandOf({}).scheme).toBeUndefined();
  expect(brandOf({ background_color: '#fffaf0' }).scheme).toBe('light');
  const dark = brandOf({ background_color: '#0a1a33' });
  expect([dark.scheme, dark.light]).toEqual(['dark', dark.dark]);
});

test.each([
  'red;}body{display:none',
  '#12345',
  'url(https://evil.example)',
  'expression(1)',
  '</style>',
])('the value %s is no color, font or length', (value) => {
  const theme = {
    primary_color: value,
    background_color: value,
    font_family: value,
    radius: value,
  };
  expect(brandOf(theme)).toEqual(brandOf({}));
});

test('font and radius are those of the theme, in CSS for pages and for the widget', () => {
  const brand = brandOf({ primary_color: '#001f5b', font_family: "'Inter', serif", radius: 4 });
  for (const css of [brandStyle(brand), embeddedBrandStyle('.onward', brand)]) {
    expect(css).toContain("--font:'Inter', serif;--radius:4px");
  }
  expect(embeddedBrandStyle('.onward', brand)).toContain(
    `--fill:light-dark(#001f5b,${String(brand.dark['fill'])})`,
  );
});
