import type { Command } from 'commander';
import { rateBudgets, tiers } from '../../platform/http/rate-limit.ts';
import { LocalFailure } from '../../local/local-failure.ts';
import { providerReleaseRequired } from '../../team/hooks.ts';
import {
  listTeams,
  setProviderRelease,
  setTeamSuspended,
  setTeamTier,
} from '../../team/queries.ts';
import { registerHooks } from '../../app/hooks.ts';
import type { Output } from '../../../sdk/cli/src/output.ts';
import { createTeam } from '../create-team.ts';
import { parseId, parseName, parseSwitch, parseTier } from './arguments.ts';
import { withDatabase } from './connection.ts';
import { recordCommand } from './record-command.ts';
import { addSuspending } from './suspending.ts';

export function addTeamCommands(program: Command, output: Output): void {
  const teams = program.command('teams').description('teams and their contract tiers');

  addCreate(teams, output);
  addList(teams, output);
  addSetTier(teams, output);

  addSuspending(teams, output, {
    suspend:
      'suspend a team: its clients, links, pages, files, messages and webhooks, within seconds',
    resume: 'end the suspension of a team; what waited continues',
    ids: ['team-id'],
    apply: async (database, [teamId = ''], { isSuspended, reason }) =>
      database.transact(async (sql) => {
        const before = (await listTeams(sql)).find(({ id }) => id === teamId);
        if (!before) throw unknownTeam(teamId);
        const { id, name, suspended_at: since } = before;
        if ((since !== null) === isSuspended) return { id, name, suspended_at: since };
        const { suspended_at } = await setTeamSuspended(sql, teamId, isSuspended);
        await recordCommand(sql, {
          ...{ teamId, resourceId: teamId, changedFields: ['suspended_at'], reason },
          action: isSuspended ? 'team.suspended' : 'team.resumed',
        });
        return { id, name, suspended_at };
      }),
  });

  addSetProviderRelease(teams, output);
  addTiersList(program, output);
}

function addCreate(teams: Command, output: Output): void {
  teams
    .command('create')
    .description('make a team')
    .requiredOption('--name <name>', 'its name', parseName)
    .option('--tier <tier>', 'contract tier, see `tiers list`', parseTier, 'standard')
    .action(async ({ name, tier }: { name: string; tier: string }) => {
      const team = await withDatabase((database) =>
        database.transact(async (sql) => {
          const made = await createTeam(sql, { name, tier });
          const changedFields = ['name', 'tier'];
          const ids = { teamId: made.id, resourceId: made.id };
          await recordCommand(sql, { ...ids, action: 'team.created', changedFields });
          return made;
        }),
      );
      output.row({ id: team.id, name: team.name, tier: team.tier });
    });
}

function addList(teams: Command, output: Output): void {
  teams
    .command('list')
    .description('list all teams')
    .action(async () => {
      const rows = await withDatabase((database) => database.read((sql) => listTeams(sql)));
      output.rows(
        rows.map(({ id, name, tier, suspended_at, inserted_at }) => {
          return { id, name, tier, suspended_at, inserted_at };
        }),
        ['id', 'name', 'tier', 'suspended_at', 'inserted_at'],
      );
    });
}

function addSetTier(teams: Command, output: Output): void {
  teams
    .command('set-tier')
    .description('move a team to another tier; running processes follow within seconds')
    .argument('<team-id>', 'id of the team', parseId)
    .argument('<tier>', 'contract tier, see `tiers list`', parseTier)
    .action(async (teamId: string, tier: string) => {
      const team = await withDatabase((database) =>
        database.transact(async (sql) => {
          const changed = await setTeamTier(sql, teamId, tier);
          const ids = { teamId, resourceId: teamId };
          const changedFields = ['tier'];
          if (changed) await recordCommand(sql, { ...ids, action: 'team.updated', changedFields });
          return changed;
        }),
      );
      if (!team) throw unknownTeam(teamId);
      output.row({ id: team.id, name: team.name, tier: team.tier });
    });
}

function addSetProviderRelease(teams: Command, output: Output): void {
  teams
    .command('set-provider-release')
    .description('require a release of sending providers, or end it; within seconds')
    .argument('<team-id>', 'id of the team', parseId)
    .argument('<on|off>', 'whether messages leave through released providers only', parseSwitch)
    .action(async (teamId: string, isRequired: boolean) => {
      registerHooks();
      const team = await withDatabase((database) =>
        database.transact(async (sql) => {
          const before = (await listTeams(sql)).find(({ id }) => id === teamId);
          if (before && isRequired && !before.requires_provider_release) {
            await providerReleaseRequired(sql, teamId, undefined);
          }
          const changed = await setProviderRelease(sql, teamId, isRequired);
          const ids = { teamId, resourceId: teamId };
          const changedFields = ['requires_provider_release'];
          if (changed) await recordCommand(sql, { ...ids, action: 'team.updated', changedFields });
          return changed;
        }),
      );
      if (!team) throw unknownTeam(teamId);
      output.row({ id: team.id, name: team.name, requires_provider_release: isRequired });
    });
}

function addTiersList(program: Command, output: Output): void {
  program
    .command('tiers')
    .description('contract tiers')
    .command('list')
    .description('list the tiers and the requests a minute that they allow')
    .action(() => {
      const rows = Object.entries(tiers).map(([tier, factor]) => ({
        tier,
        ...Object.fromEntries(
          Object.entries(rateBudgets).map(([name, { steady }]) => [
            name,
            Number.isFinite(factor) ? steady * factor : 'unlimited',
          ]),
        ),
      }));
      output.rows(rows, ['tier', ...Object.keys(rateBudgets)]);
    });
}

const unknownTeam = (id: string) => new LocalFailure(`There is no team ${id}; see \`teams list\`.`);
