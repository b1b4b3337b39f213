import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  id: string;
  impact: string;
  nodes: { html: string; failureSummary: string }[];
}

/** Expects no serious violation, but for those whose line is known. */
export async function expectAccessible(page: Page, known?: RegExp): Promise<void> {
  // Colors are those of the end. Some animations have none: they repeat, or follow the scrolling.
  await eventually(
    () =>
      page.evaluate<boolean>(
        'document.getAnimations().some((one) => one.playState === "running" && Number.isFinite(one.effect?.getComputedTiming().endTime))',
      ),
    (isMoving) => !isMoving,
  );
  await page.evaluate(axe);
  const found = await page.evaluate<Violation[]>(
    'axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations)',
  );
  const serious = found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) =>
        `${page.url()} ${id}: ${nodes[0]?.html.slice(0, 200) ?? ''} ${nodes[0]?.failureSummary.slice(0, 300) ?? ''}`,
    );
  expect(serious.filter((line) => known?.test(line) !== true)).toEqual([]);
}
