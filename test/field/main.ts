import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { newAuthority } from '../support/authority.ts';
import { takePorts } from '../support/ports.ts';
import { openMachine } from '../world/machine.ts';
import { newTeam } from '../world/teams.ts';
import { stories as proxyStories } from './http/proxies.ts';
import { stories as httpStories } from './http/stories.ts';
import { stories as receiverStories } from './receivers/stories.ts';
import { stories as sftpStories } from './sftp/stories.ts';
import type { FieldService, Story } from './story.ts';

// `npm run verify -- field`: programs that nobody here wrote use a service that runs, each as its users do.
// Prints a row for each story, and ends with 1 where one of them is not as expected. A program that
// cannot be had here is named, and not counted.

const { values } = parseArgs({
  options: {
    /** Programs whose name contains one of these; all unless set. */
    only: { type: 'string', multiple: true, default: [] },
    /** Programs that are left out. */
    without: { type: 'string', multiple: true, default: [] },
    /** Fetches the programs, and tells no story. */
    prepare: { type: 'boolean', default: false },
  },
});
const isNamed = ({ program }: Story, names: readonly string[]) =>
  names.some((name) => program.toLowerCase().includes(name.toLowerCase()));

const stories = [...httpStories, ...proxyStories, ...receiverStories, ...sftpStories]
  .filter((story) => values.only.length === 0 || isNamed(story, values.only))
  .filter((story) => !isNamed(story, values.without));

const directory = resolve('.onward', 'field');
mkdirSync(directory, { recursive: true });

/** Stories by their result; those of programs that cannot be had here are missing. */
const counts = { ok: 0, failed: 0, missing: 0 };

/** Versions of programs; undefined for one that cannot be had. */
async function prepareAll(): Promise<ReadonlyMap<string, string | undefined>> {
  const versions = new Map<string, string | undefined>();
  for (const { program, prepare } of stories) {
    if (!versions.has(program)) versions.set(program, await prepare?.(directory));
  }
  return versions;
}

async function tell(
  { program, story, run }: Story,
  version: string | undefined,
  service: FieldService,
): Promise<keyof typeof counts> {
  if (version === undefined) {
    console.log(`missing  ${program}: ${story}`);
    return 'missing';
  }
  let failure: string | undefined;
  try {
    await run(service);
  } catch (error) {
    failure = error instanceof Error ? error.message : JSON.stringify(error);
  }
  console.log(
    `${failure === undefined ? 'ok     ' : 'FAILED '}  ${program} (${version}): ${story}`,
  );
  if (failure !== undefined) console.log(failure.slice(0, 2_000));
  return failure === undefined ? 'ok' : 'failed';
}

const versions = await prepareAll();
if (values.prepare) process.exit();
const authority = newAuthority('Authority of the stories');
const trusted = join(directory, 'authority.pem');
writeFileSync(trusted, authority.certificate);
const [sftpPort = 0] = await takePorts(1);
const machine = await openMachine({
  ...{ name: 'field-service', apis: 1, workers: 1 },
  settings: {
    ...{ SFTP_ENABLED: 'true', SFTP_PORT: String(sftpPort), SFTP_HOST: '127.0.0.1' },
    // The second attempt follows at once.
    ...{ WEBHOOK_RETRY_SCHEDULE_SECONDS: '0,1,1,1', LOG_LEVEL: 'warn' },
    // A setting of Node.js, which the authorities of the system do not replace.
    NODE_EXTRA_CA_CERTS: trusted,
  },
  onNotice: (line) => process.stderr.write(`${line}\n`),
});
try {
  const { token, clientId, clientSecret } = await newTeam(machine);
  const [apiUrl = ''] = machine.bases;
  const service = { apiUrl, sftpPort, token, clientId, clientSecret, authority, directory };
  for (const story of stories) {
    counts[await tell(story, versions.get(story.program), service)] += 1;
  }
} finally {
  await machine.close({ keepLogs: counts.failed > 0 });
}
console.log(
  `field ${String(counts.ok)} as expected, ${String(counts.failed)} failed, ${String(counts.missing)} missing`,
);
process.exitCode = counts.failed === 0 ? 0 : 1;
