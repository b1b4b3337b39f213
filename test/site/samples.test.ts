import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ChildProcess } from 'node:child_process';
import { pagesForOthers } from '../../site/navigation.ts';
import { addressOf } from '../../site/pages.ts';
import { endOf, startLine } from '../commands/spawn.ts';
import { scratchDirectory } from '../local/scratch.ts';
import { cloneDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { environmentNames, required } from '../support/environment.ts';
import { eventually } from '../support/eventually.ts';
import { takePort } from '../support/ports.ts';
import { newNamespace } from '../support/worker.ts';
import { aBrowser } from '../widget/a-browser.ts';
import { installSdks, project, pythonIn, runStory } from './run-story.ts';
import type { Story } from './run-story.ts';
import { readGuide, samplesRunBy, storyOf } from './samples.ts';
import type { Guide } from './samples.ts';

// One service for all guides, started as the quick start says.
const root = scratchDirectory();
const data = join(root, 'data');
let service: ChildProcess;
/** Also those that a test has given up. */
const begun: Story[] = [];
let database: TestDatabase;
const browser = await aBrowser();

/** Every page of the site but records of decisions and what is written from the code. */
const pages = readdirSync('docs', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md') && !/^(adr|generated)\//.test(name))
  .map((name) => `docs/${name}`)
  .sort();
const guides = pages.map((page) => readGuide(page, readFileSync(page, 'utf8')));
const isForPartners = (page: string) =>
  !pagesForOthers.includes(
    `/${addressOf(page.slice('docs/'.length)).replace(/(index)?\.md$/, '')}`,
  );
const quickStart = readFileSync('docs/quick-start.md', 'utf8');
const [, setup = ''] = /^## 2\. Set up a shell\n+```bash\n([^]*?)^```$/m.exec(quickStart) ?? [];

/** A refused request ends a story, unless the guide reads the error on. */
const strict = `set -eu
curl() { command curl --fail-with-body "$@"; }
`;

beforeAll(async () => {
  const [start = '', ...installs] = samplesRunBy(
    'docs/quick-start.md',
    'test/site/samples.test.ts',
  ).map(({ text }) => text);
  await installSdks(root, installs);
  database = await cloneDatabase();
  const port = String(await takePort());
  service = startLine(start, {
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
  );
  // Guides run side by side as one client, which would ask for too many tokens in a minute.
  await database.look((sql) => sql`update teams set tier = 'unlimited' returning id`);
});
afterAll(async () => {
  for (const story of begun) story.stop();
  const ended = endOf(service);
  if (service.pid !== undefined) process.kill(-service.pid, 'SIGTERM');
  await ended;
  await browser?.close();
  await database.stop();
});

type Program = readonly [command: string, file: string, text: string];

const commandLine = 'node src/local/run.mjs sdk/cli/src/main.ts';

/** The last line of a program. Its receivers go on. */
const end = 'Every sample has run.';

/** The samples of a guide in one language, as a program. */
const programs: Record<string, (guide: Guide) => Program> = {
  bash(guide) {
    const begin = guide.page === 'docs/quick-start.md' ? '' : setup;
    const story = `${strict}${begin}${storyOf(guide, 'bash')}\necho '${end}'\n`;
    return ['bash', 'story.sh', story];
  },
  ts(guide) {
    const story = `${storyOf(guide, 'ts')}\nconsole.log('${end}');\n`;
    return [process.execPath, 'story.mjs', story];
  },
  // Neither npm nor a build of its own for each command.
  shell: (guide) => [
    'bash',
    'story.sh',
    `${strict}${storyOf(guide, 'shell').replace(
      'npm run --silent onward --',
      commandLine,
    )}\necho '${end}'\n`,
  ],
  python: (guide) => [pythonIn(root), 'story.py', `${storyOf(guide, 'python')}\nprint('${end}')\n`],
};

async function runGuide(guide: Guide, program: Program): Promise<void> {
  const story = await runStory(root, data, program);
  begun.push(story);
  try {
    const code = await Promise.race([story.ended, story.printed(end).then(() => 0)]);
    if (code !== 0) throw new Error(`exit code ${String(code)}:\n${story.output().slice(-2_000)}`);
    // A field that no answer has.
    expect(story.output()).not.toMatch(/^undefined$/m);
    for (const words of guide.prints) {
      await eventually(
        async () => story.output(),
        (output) => output.includes(words),
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
    .filter(([language]) =>
      guide.samples.some((sample) => sample.language === language && sample.runBy === undefined),
    )
    .map(([language, programOf]) => ({ guide, page: guide.page, language, programOf })),
);
test.concurrent.each(stories)(
  '$page does what it says when its samples in $language are pasted',
  async ({ guide, programOf }) => runGuide(guide, programOf(guide)),
);

test('every sample for partners is run, and every other one is run or says why not', () => {
  const samples = guides.flatMap((guide) => guide.samples);
  const copies = samples.filter(({ file }) => file !== undefined);
  for (const { file = '', text } of copies) expect(text).toBe(readFileSync(file, 'utf8'));
  for (const { page, runBy } of samples) {
    if (runBy !== undefined) expect(readFileSync(runBy, 'utf8')).toContain(page);
  }
  const idle = samples.filter(({ notRun }) => notRun !== undefined);
  const known = new Set(Object.keys(programs));
  const unknown = samples.filter(
    ({ language, notRun, runBy, file }) =>
      !known.has(language) && (notRun ?? runBy ?? file) === undefined,
  );
  expect(unknown).toEqual([]);
  const lines = idle.map(({ page, line, notRun = '' }) => `  ${page}:${String(line)}: ${notRun}`);
  const run = samples.length - idle.length;
  console.info(
    `${String(run)} of ${String(samples.length)} samples are run; not run:\n${lines.join('\n')}`,
  );
  expect(idle.filter(({ page }) => isForPartners(page))).toEqual([]);
});

test.each(['by-hand', 'with-a-public-key'])(
  'verify-%s.mjs accepts what was signed a moment ago, and nothing else',
  async (name) => {
    const { isOurs } = await import(join(project, 'docs', 'guides', `verify-${name}.mjs`));
    const isPublic = name === 'with-a-public-key';
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const secret = Buffer.from('a secret of thirty-two bytes ...');
    // The last 32 bytes of the structure are the key itself.
    const bytes = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);
    const key = isPublic
      ? `whpk_${bytes.toString('base64')}`
      : `whsec_${secret.toString('base64')}`;
    const headersAt = (seconds: number) => {
      const signed = Buffer.from(`msg.${String(seconds)}.{}`);
      const signature = isPublic
        ? `v1a,${sign(null, signed, privateKey).toString('base64')}`
        : `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`;
      return {
        ...{ 'webhook-id': 'msg', 'webhook-timestamp': String(seconds) },
        'webhook-signature': `v1,AAAA v1a,AAAA ${signature}`,
      };
    };
    const seconds = Math.floor(Date.now() / 1_000);
    expect(isOurs(key, headersAt(seconds), '{}')).toBe(true);
    expect(isOurs(key, headersAt(seconds), '{ }')).toBe(false);
    expect(isOurs(key, headersAt(seconds - 400), '{}')).toBe(false);
  },
);
