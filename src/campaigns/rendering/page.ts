import type { Values } from '../../platform/content/liquid.ts';
import { penForBlocks, renderBlocks } from './blocks.ts';
import type { BlockContent } from './blocks.ts';

/**
 * Renders a page of a template, without the document around it. Throws 422 if rendering exceeds its
 * limits.
 */
export async function renderPage(
  { title }: { title: string | null },
  blocks: readonly BlockContent[],
  values: Values,
): Promise<string> {
  const pen = await penForBlocks(blocks, values);
  const heading = title === null ? '' : `<h1>${pen.text(title)}</h1>\n`;
  // No `main`: the page that embeds it has one.
  return `<div class="page-content">${heading}${renderBlocks(blocks, pen)}</div>`;
}
