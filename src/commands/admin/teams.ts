import type { Command } from 'commander';
import { rateBudgets, tiers } from '../../platform/http/rate-limit.ts';
import { LocalFailure } from '../../local/local-failure.ts';
import { providerReleaseRequired } from '../../team/hooks.ts';
import { listTeams, setProviderRelease, setTeamDisabled, setTeamTier } from '../../team/queries.ts';
import { registerHooks } from '../../app/hooks.ts';
import type { Output } from '../../../sdk/cli/src/output.ts';
import { createTeam } from '../create-team.ts';
import { parseId, parseName, parseSwitch, parseTier } from './arguments.ts';
import { withDatabase } from './connection.ts';
import type { CommandAction } from './commands-audit.ts';
import { recordCommand } from './record-command.ts';

export function addTeamCommands(program: Command, output: Output): void {
  const teams = program.command('teams').description('teams and their contract tiers');

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

  teams
    .command('list')
    .description('list all teams')
    .action(async () => {
      const rows = await withDatabase((database) => database.read((sql) => listTeams(sql)));
      output.rows(
        rows.map(({ id, name, tier, disabled_at, inserted_at }) => ({
          ...{ id, name, tier, is_disabled: disabled_at !== null },
          inserted_at,
        })),
        ['id', 'name', 'tier', 'is_disabled', 'inserted_at'],
      );
    });

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

  switching('disable', 'refuse a team: its clients, links, pages and callbacks, within seconds', {
    isDisabled: true,
    action: 'team.disabled',
  });
  switching('enable', 'accept a disabled team again', {
    isDisabled: false,
    action: 'team.enabled',
  });

  function switching(
    name: string,
    description: string,
    { isDisabled, action }: { isDisabled: boolean; action: CommandAction },
  ) {
    teams
      .command(name)
      .description(description)
      .argument('<team-id>', 'id of the team', parseId)
      .action(async (teamId: string) => {
        const team = await withDatabase((database) =>
          database.transact(async (sql) => {
            const changed = await setTeamDisabled(sql, teamId, isDisabled);
            const ids = { teamId, resourceId: teamId };
            const changedFields = ['disabled_at'];
            if (changed) await recordCommand(sql, { ...ids, action, changedFields });
            return changed;
          }),
        );
        if (!team) throw unknownTeam(teamId);
        output.row({ id: team.id, name: team.name, is_disabled: isDisabled });
      });
  }

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
