import { parseArgs } from 'node:util';
import { isUuid } from '../fields.ts';
import { LocalFailure } from '../local/local-failure.ts';
import { withDatabase } from './admin/connection.ts';
import { print, runCommand } from './command.ts';
import { createTeam } from './create-team.ts';
import { fillTeam } from './seed/fill.ts';

const maxContacts = 10_000_000;

// `npm run seed -- --contacts 1000000 [--team <id>]`: fills a team, a new one unless it is named,
// with contacts and accounts. They tell nobody: no events, no webhooks.
runCommand(async () => {
  const { values } = parseArgs({
    options: { contacts: { type: 'string', default: '10000' }, team: { type: 'string' } },
  });
  const contacts = Number(values.contacts);
  if (!Number.isInteger(contacts) || contacts < 1 || contacts > maxContacts) {
    throw new LocalFailure(`--contacts takes a number from 1 to ${String(maxContacts)}.`);
  }
  const { team } = values;
  if (team !== undefined && !isUuid(team)) throw new LocalFailure('--team takes the id of a team.');
  await withDatabase(async (database) => {
    const teamId =
      team ??
      (await database.transact((sql) => createTeam(sql, { name: 'Seeded', tier: 'standard' }))).id;
    print(`Seeding ${contacts.toLocaleString('en')} contacts into the team ${teamId}.`);
    const startedAt = performance.now();
    await fillTeam(database, teamId, contacts, (done) => {
      const seconds = (performance.now() - startedAt) / 1_000;
      const rate = Math.round(done / seconds).toLocaleString('en');
      const percent = Math.floor((done / contacts) * 100);
      print(`${String(percent).padStart(3)} %  ${done.toLocaleString('en')} contacts, ${rate}/s`);
    });
    if (team === undefined) {
      print(`A client for it: npm run admin -- clients create --team ${teamId} --help`);
    }
  });
});
