import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { hashOf, releases, widgetScript } from '../widget/site/script.ts';
import { print, runCommand } from './command.ts';

// `npm run release -- widget-release`: keeps the widget script of this version, so that later versions serve it
// to the pages that pin it. To be committed with each release.
runCommand(async () => {
  const { text } = await widgetScript();
  const file = new URL(`${hashOf(text)}.txt`, releases);
  await mkdir(releases, { recursive: true });
  await writeFile(file, text);
  print(`Written to ${fileURLToPath(file)}`);
});
