import { describe, expect, test } from '@jest/globals';
import { contrast, readable } from '../../../src/platform/content/contrast.ts';
import { darkColors, lightColors } from '../../../src/platform/content/tokens.ts';

const texts = ['text', 'strong', 'soft', 'accent', 'good', 'warn', 'bad'] as const;

describe.each([
  ['light', lightColors],
  ['dark', darkColors],
])('the colors of %s pages', (_, colors) => {
  test.each(texts)('%s can be read on a page and in a field', (name) => {
    expect(contrast(colors[name], colors.page)).toBeGreaterThanOrEqual(readable);
    expect(contrast(colors[name], colors.field)).toBeGreaterThanOrEqual(readable);
  });
  test.each(['good', 'warn', 'bad'] as const)('%s can be read on its own fill', (name) => {
    expect(contrast(colors[name], colors[`${name}-fill`])).toBeGreaterThanOrEqual(readable);
    expect(contrast(colors.text, colors[`${name}-fill`])).toBeGreaterThanOrEqual(readable);
  });
  test('the text of a button can be read, and its edge and that of a field seen', () => {
    expect(contrast(colors['on-fill'], colors.fill)).toBeGreaterThanOrEqual(readable);
    expect(contrast(colors.fill, colors.page)).toBeGreaterThanOrEqual(3);
    expect(contrast(colors.edge, colors.field)).toBeGreaterThanOrEqual(3);
  });
});
