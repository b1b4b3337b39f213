import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { runEntry } from './spawn.ts';

const project = new URL('../../', import.meta.url).pathname;

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
    readFileSync(`${project}package.json`, 'utf8'),
  );
  for (const [name, declared] of Object.entries(dependencies ?? {})) {
    const version = declared === 'file:vendor/postgres' ? '3.4.9-onward.1' : declared;
    expect(document.components).toContainEqual(
      expect.objectContaining({ name, version, hashes: [expect.anything()] }),
    );
  }
  expect(stdout).not.toContain(project);
  expect(document.components.map(({ name }) => name)).not.toContain('jest');
  expect(Object.keys(devDependencies ?? {})).toContain('jest');
});
