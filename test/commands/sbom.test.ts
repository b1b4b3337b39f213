import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { runEntry } from './spawn.ts';

interface Component {
  name: string;
  version: string;
  hashes?: unknown[];
}

test('the bill of materials names every package of the product and no test package', async () => {
  const { stdout, code } = await runEntry('src/commands/sbom.ts', [], {});
  expect(code).toBe(0);
  const document: {
    bomFormat: string;
    metadata: { component: Component };
    components: Component[];
  } = JSON.parse(stdout);
  expect(document.bomFormat).toBe('CycloneDX');
  expect(document.metadata.component.name).toBe('onward');

  const {
    dependencies,
    devDependencies,
  }: Record<string, Record<string, string>> = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  for (const [name, version] of Object.entries(dependencies ?? {})) {
    expect(document.components).toContainEqual(
      expect.objectContaining({ name, version, hashes: [expect.anything()] }),
    );
  }
  expect(document.components.map(({ name }) => name)).not.toContain('jest');
  expect(Object.keys(devDependencies ?? {})).toContain('jest');
});
