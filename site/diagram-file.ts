import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';

/** File of the picture of a diagram, named by the digest of its text. */
export function diagramFile(text: string): string {
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 12);
  return fileURLToPath(new URL(`../docs/images/diagrams/${digest}.svg`, import.meta.url));
}
