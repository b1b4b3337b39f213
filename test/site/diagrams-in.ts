import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export interface Diagram {
  page: string;
  text: string;
}

/** The diagrams of the Markdown pages of a folder. */
export function diagramsIn(folder: string): Diagram[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .flatMap((name) =>
      [...readFileSync(join(folder, name), 'utf8').matchAll(/^```mermaid\n([^]*?)^```$/gm)].map(
        ([, text = '']) => ({ page: name, text }),
      ),
    );
}
