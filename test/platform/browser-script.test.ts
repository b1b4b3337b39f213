import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@jest/globals';
import { browserScript } from '../../src/platform/content/browser-script.ts';
import { scratchDirectory } from '../local/scratch.ts';

const directory = scratchDirectory();

function part(name: string, text: string): URL {
  const path = join(directory, name);
  writeFileSync(path, text);
  return pathToFileURL(path);
}

test('a script with a part that uses another one which is missing cannot be made', async () => {
  const cut = part('cut.ts', 'export const cut = (text: string) => text.slice(0, 1);\n');
  const page = part('page.ts', "import { cut } from './cut.ts';\nconsole.log(cut('ab'));\n");
  const { text } = await browserScript([cut, page])();
  expect(text).toContain('const cut = ');
  expect(text).not.toContain('import');
  await expect(browserScript([page])()).rejects.toThrow('./cut.ts is no part of the script');
});
