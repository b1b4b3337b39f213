import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ChildProcess } from 'node:child_process';
import { endOf, startEntry } from '../commands/spawn.ts';
import { scratchDirectory } from '../local/scratch.ts';
import { cloneDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { environmentNames, required } from '../support/environment.ts';
import { eventually } from '../support/eventually.ts';
import { takePort } from '../support/ports.ts';
import { newNamespace } from '../support/worker.ts';
import { aBrowser } from '../widget/a-browser.ts';
import { installSdks, python, runStory } from './run-story.ts';
import { readGuide, storyOf } from './samples.ts';
import type { Guide } from './samples.ts';

// One service for all guides, started as the quick start says.
const root = scratchDirectory();
const data = join(root, 'data');
let service: ChildProcess;
let database: TestDatabase;
const browser = await aBrowser();

const pages = [
  'docs/quick-start.md',
  ...readdirSync('docs/guides').map((name) => `docs/guides/${name}`),
].filter((page) => page.endsWith('.md'));
const guides = pages.map((page) => readGuide(page, readFileSync(page, 'utf8')));
const quickStart = readFileSync('docs/quick-start.md', 'utf8');
const [, setup = ''] = /^## 2\. Set up a shell\n+```bash\n([^]*?)^```$/m.exec(quickStart) ?? [];

/** A refused request ends a story, unless the guide reads the error on. */
const strict = `set -eu
curl() { command curl --fail-with-body "$@"; }
`;

beforeAll(async () => {
  await installSdks();
  database = await cloneDatabase();
  const port = String(await takePort());
  service = startEntry('src/main.ts', [], {
    ...{ ONWARD_DATA_DIR: data, PORT: port, DATABASE_URL: database.url, LOG_LEVEL: 'silent' },
    ...{ DATABASE_OWNER_URL: database.ownerUrl, SAMPLE_DATA: 'false' },
    TEMPORAL_ADDRESS: required(environmentNames.temporalAddress),
    TEMPORAL_NAMESPACE: await newNamespace(),
  });
  let output = '';
  service.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  service.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await eventually(
    async () => output,
    (text) => text.includes('Onward is ready'),
    60_000,
  );
}, 120_000);
afterAll(async () => {
  service.kill('SIGTERM');
  await endOf(service);
  await browser?.close();
  await database.stop();
}, 60_000);

type Program = readonly [command: string, file: string, text: string];

/** The samples of a guide in one language, as a program. */
const programs: Record<string, (guide: Guide) => Program> = {
  bash(guide) {
    const begin = guide.page === 'docs/quick-start.md' ? '' : setup;
    return ['bash', 'story.sh', `${strict}${begin}${storyOf(guide, 'bash')}`];
  },
  ts: (guide) => [process.execPath, 'story.mjs', storyOf(guide, 'ts')],
  python: (guide) => [python, 'story.py', storyOf(guide, 'python')],
};

async function runGuide(guide: Guide, program: Program): Promise<void> {
  const story = await runStory(root, data, program);
  try {
    const code = await story.ended;
    if (code !== 0) throw new Error(`exit code ${String(code)}:\n${story.output().slice(-2_000)}`);
    for (const words of guide.prints) {
      await eventually(
        async () => story.output(),
        (output) => output.includes(words),
        30_000,
      );
      expect(story.output()).toContain(words);
    }
    for (const { url, text: words } of guide.shows) {
      await expectShown(story.addressOf(url), words);
    }
  } finally {
    story.stop();
  }
}

async function expectShown(url: string, words: string): Promise<void> {
  await eventually(
    async () => fetch(url).catch(() => undefined),
    (response) => response !== undefined,
  );
  const page = await browser?.newPage();
  await page?.goto(url);
  await page?.getByText(words).waitFor();
  await page?.close();
}

const stories = guides.flatMap((guide) =>
  Object.entries(programs)
    .filter(([language]) => guide.samples.some((sample) => sample.language === language))
    .map(([language, programOf]) => ({ guide, page: guide.page, language, programOf })),
);
test.concurrent.each(stories)(
  '$page does what it says when its samples in $language are pasted',
  async ({ guide, programOf }) => runGuide(guide, programOf(guide)),
  90_000,
);

test('every sample of the guides is run, or says why not', () => {
  const samples = guides.flatMap((guide) => guide.samples);
  const copies = samples.filter(({ file }) => file !== undefined);
  for (const { file = '', text } of copies) expect(text).toBe(readFileSync(file, 'utf8'));
  const idle = samples.filter(({ notRun }) => notRun !== undefined);
  const run = samples.length - idle.length;
  console.info(
    [
      `${String(run)} of ${String(samples.length)} samples of the guides are run; not run:`,
      ...idle.map(({ page, line, notRun = '' }) => `  ${page}:${String(line)}: ${notRun}`),
    ].join('\n'),
  );
  const known = new Set(Object.keys(programs));
  const unknown = samples.filter(
    ({ language, notRun, file }) =>
      !known.has(language) && notRun === undefined && file === undefined,
  );
  expect(unknown).toEqual([]);
  expect(idle.length).toBeLessThan(samples.length / 10);
});
