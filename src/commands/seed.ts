import { parseArgs } from 'node:util';
import { isUuid } from '../platform/schema/fields.ts';
import { LocalFailure } from '../local/local-failure.ts';
import { withDatabase } from './admin/connection.ts';
import { print, runCommand } from './command.ts';
import { createTeam } from './create-team.ts';
import { openDataDirectory } from './data-directory.ts';
import { fillTeam, fillYear } from './seed/fill.ts';
import { removeSample } from './start/sample.ts';
import { readConfig } from '../platform/config.ts';

const most = 10_000_000;
const maxEvents = 50_000_000;

// `npm run seed -- --contacts 1000000 [--team <id>]`: fills a team, a new one unless it is named,
// with contacts and accounts; `--events 10000000 [--seed 1]` with a year of campaigns as well. They
// publish nothing: no webhooks, no workflows. `--remove-sample` removes what `npm start` has made up.
runCommand(async () => {
  const { values } = parseArgs({
    options: {
      contacts: { type: 'string' },
      events: { type: 'string', default: '0' },
      seed: { type: 'string', default: '1' },
      team: { type: 'string' },
      'remove-sample': { type: 'boolean', default: false },
    },
  });
  if (values['remove-sample']) {
    await removeLocalSample();
    return;
  }
  const events = readNumber('--events', values.events, 0, maxEvents);
  const seed = readNumber('--seed', values.seed, 1, 1_000_000);
  // Some three journeys for each in a year.
  const usual = events === 0 ? 10_000 : Math.max(1_000, Math.ceil(events / 50));
  const contacts = readNumber('--contacts', values.contacts ?? String(usual), 1, most);
  const { team } = values;
  if (team !== undefined && !isUuid(team)) throw new LocalFailure('--team takes the id of a team.');
  await withDatabase(async (database) => {
    const teamId =
      team ??
      (await database.transact((sql) => createTeam(sql, { name: 'Seeded', tier: 'standard' }))).id;
    print(`Seeding ${contacts.toLocaleString('en')} contacts into the team ${teamId}.`);
    await fillTeam(database, teamId, contacts, createProgress('contacts', contacts));
    if (events > 0) {
      print(`Seeding a year with about ${events.toLocaleString('en')} engagement events.`);
      const report = createProgress('events', 1);
      await fillYear(database, teamId, { events, contacts, seed, nowMs: Date.now() }, report);
    }
    if (team === undefined) {
      print(`A client for it: npm run admin -- clients create --team ${teamId} --help`);
    }
  });
});

async function removeLocalSample(): Promise<void> {
  const { sample } = openDataDirectory(readConfig({ development: true }).dataDirectory);
  const isRemoved = await withDatabase((database) => removeSample(database, sample));
  print(isRemoved ? 'The made-up data is removed.' : 'There is no made-up data.');
}

function readNumber(option: string, text: string, least: number, atMost: number): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= least && number <= atMost) return number;
  throw new LocalFailure(
    `${option} takes a number from ${String(least)} to ${atMost.toLocaleString('en')}.`,
  );
}

/** Prints how far it is, and how fast it goes: `done` of `all`, which are `rows`. */
function createProgress(what: string, all: number) {
  const startedAt = performance.now();
  let reported = -1;
  return (done: number, rows = done) => {
    const percent = Math.floor((done / all) * 100);
    if (percent === reported) return;
    reported = percent;
    const rate = Math.round((rows / (performance.now() - startedAt)) * 1_000).toLocaleString('en');
    print(`${String(percent).padStart(3)} %  ${rows.toLocaleString('en')} ${what}, ${rate}/s`);
  };
}
