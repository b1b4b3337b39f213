import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export const chart = 'docs/kubernetes/onward';

/** Values with which the chart is rendered. */
export const variants = ['usual', 'full'] as const;
export type Variant = (typeof variants)[number];

export const renderedFile = (variant: Variant) => `test/kubernetes/rendered/${variant}.yaml`;

/** Changes with every file that the manifests come from. */
export function fingerprintOf(variant: Variant): string {
  const files = readdirSync(chart, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const hash = createHash('sha256');
  for (const file of [...files, `test/kubernetes/${variant}.yaml`]) {
    hash.update(`${file}\n`).update(readFileSync(file));
  }
  return hash.digest('hex');
}
