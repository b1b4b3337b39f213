import type { Command } from 'commander';
import type { Database } from '../../platform/database/client.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { endpoints } from '../../app/endpoints.ts';
import { LocalFailure } from '../../local/local-failure.ts';
import { issueClientSecret } from '../../team/oauth2/client-secret.ts';
import { knownScopes } from '../../team/oauth2/endpoints.ts';
import {
  findClientOfAnyTeam,
  insertClient,
  listClients,
  setClientNetworks,
  updateClient,
} from '../../team/oauth2/queries.ts';
import type { ClientSummary } from '../../team/oauth2/queries.ts';
import { listTeams } from '../../team/queries.ts';
import type { Output } from '../../../sdk/cli/src/output.ts';
import { collectNetwork, collectScope, parseId, parseName, parseSeconds } from './arguments.ts';
import { openServiceKeys, withDatabase } from './connection.ts';
import { recordCommand } from './record-command.ts';
import { addSuspending } from './suspending.ts';

interface CreateOptions {
  team: string;
  name: string;
  scope?: string[];
  allScopes?: boolean;
  allowWildcards?: boolean;
}

/** Printed next to a secret in every output format. */
const shownOnce = 'shown only now: keep it where secrets are kept';

export function addClientCommands(program: Command, output: Output): void {
  const clients = program.command('clients').description('OAuth clients of teams');

  addCreate(clients, output);
  addList(clients, output);

  addSuspending(clients, output, {
    suspend: 'suspend a client: its tokens, sessions and all that it has made, within seconds',
    resume: 'end the suspension of a client; it needs new tokens',
    ids: ['client-id'],
    apply: async (database, [clientId = ''], { isSuspended, reason }) => {
      const action = isSuspended ? 'client.suspended' : 'client.resumed';
      const recorded = { action, changedFields: ['suspended_at'], reason } as const;
      return shown(await changeClient(database, clientId, { isSuspended }, recorded));
    },
  });

  addRevokeTokens(clients, output);
  addSetScopes(clients, output);
  addSetNetworks(clients, output);
  addRotateSecret(clients, output);
}

function addCreate(clients: Command, output: Output): void {
  clients
    .command('create')
    .description('make a client and show its secret, once')
    .requiredOption('--team <team-id>', 'id of its team', parseId)
    .requiredOption('--name <name>', 'what it is for', parseName)
    .option('--scope <scope>', 'a scope that it may ask for; may be repeated', collectScope)
    .option('--all-scopes', 'every scope there is now')
    .option('--allow-wildcards', 'let it ask for wildcards such as partner:*:read')
    .action(async (options: CreateOptions) => {
      const keyring = await openServiceKeys();
      const { team: teamId, name, allowWildcards = false } = options;
      const scopes = scopesOf(options.scope, options.allScopes);
      const made = await withDatabase((database) =>
        database.transact(async (sql) => {
          await requireTeam(sql, teamId);
          const client = await insertClient(sql, teamId, { name, scopes, allowWildcards });
          const ids = { teamId, clientId: client.id };
          const changedFields = ['name', 'scopes', 'allow_wildcards'];
          await record(sql, client, { action: 'client.created', changedFields });
          return { client, secret: await issueClientSecret(sql, keyring, ids, 0) };
        }),
      );
      const { client, secret } = made;
      output.row({ ...shown(client), client_secret: secret, hint: shownOnce });
    });
}

function addList(clients: Command, output: Output): void {
  clients
    .command('list')
    .description('list clients, of one team or of all, with the end of each secret that works')
    .option('--team <team-id>', 'id of the team', parseId)
    .action(async ({ team }: { team?: string }) => {
      const rows = await withDatabase((database) => database.read((sql) => listClients(sql, team)));
      output.rows(
        rows.map(({ secret_hints, ...client }) => ({
          ...shown(client),
          secret_hints,
          scope_count: client.scopes.length,
          inserted_at: client.inserted_at,
        })),
        [
          'client_id',
          'team_id',
          'name',
          'suspended_at',
          'scope_count',
          'secret_hints',
          'inserted_at',
        ],
      );
    });
}

function addRevokeTokens(clients: Command, output: Output): void {
  clients
    .command('revoke-tokens')
    .description('end every token issued so far; the client may ask for new ones')
    .argument('<client-id>', 'id of the client', parseId)
    .action(async (clientId: string) => {
      const changedFields = ['tokens_valid_after'];
      const recorded = { action: 'client.tokens_revoked', changedFields } as const;
      const client = await withDatabase((database) =>
        changeClient(database, clientId, {}, recorded),
      );
      output.row(shown(client));
    });
}

function addSetScopes(clients: Command, output: Output): void {
  clients
    .command('set-scopes')
    .description('replace what a client may ask for; its tokens end, it may ask for new ones')
    .argument('<client-id>', 'id of the client', parseId)
    .argument('[scope...]', 'scopes, see `scopes list`', collectScope)
    .option('--all-scopes', 'every scope there is now')
    .option('--allow-wildcards', 'let it ask for wildcards')
    .option('--no-allow-wildcards', 'do not let it ask for wildcards')
    .action(
      async (
        clientId: string,
        given: string[] | undefined,
        options: { allScopes?: boolean; allowWildcards?: boolean },
      ) => {
        const { allowWildcards } = options;
        const scopes = scopesOf(given, options.allScopes);
        const change = { scopes, ...(allowWildcards !== undefined && { allowWildcards }) };
        const changedFields = [
          'scopes',
          ...(allowWildcards === undefined ? [] : ['allow_wildcards']),
        ];
        const recorded = { action: 'client.scopes_set', changedFields } as const;
        const client = await withDatabase((database) =>
          changeClient(database, clientId, change, recorded),
        );
        output.row(shown(client));
      },
    );
}

function addSetNetworks(clients: Command, output: Output): void {
  clients
    .command('set-networks')
    .description('say from which networks a client may be used; its tokens too, within seconds')
    .argument('<client-id>', 'id of the client', parseId)
    .argument('[network...]', 'such as 203.0.113.0/24 or 2001:db8::/48', collectNetwork)
    .option('--any', 'from every address')
    .action(async (clientId: string, given: string[] = [], { any = false }: { any?: boolean }) => {
      if (any === given.length > 0) {
        throw new LocalFailure('Name the networks, or say --any.');
      }
      const client = await withDatabase((database) =>
        database.transact(async (sql) => {
          const { team_id: teamId } = await requireClient(sql, clientId);
          const networks = any ? null : given;
          const changed = await setClientNetworks(sql, { teamId, clientId }, networks);
          if (!changed) return unknownClient(clientId);
          const recorded = { action: 'client.networks_set', changedFields: ['networks'] } as const;
          await record(sql, changed, recorded);
          return changed;
        }),
      );
      output.row(shown(client));
    });
}

function addRotateSecret(clients: Command, output: Output): void {
  clients
    .command('rotate-secret')
    .description('make a new secret and show it, once; the old one works until the overlap ends')
    .argument('<client-id>', 'id of the client', parseId)
    .option('--overlap-seconds <seconds>', 'how long the old one works', parseSeconds, 86_400)
    .action(async (clientId: string, { overlapSeconds }: { overlapSeconds: number }) => {
      const keyring = await openServiceKeys();
      const { client, secret } = await withDatabase((database) =>
        database.transact(async (sql) => {
          const found = await requireClient(sql, clientId);
          const ids = { teamId: found.team_id, clientId };
          const made = await issueClientSecret(sql, keyring, ids, overlapSeconds);
          const changedFields = ['client_secret'];
          await record(sql, found, { action: 'client.secret_rotated', changedFields });
          return { client: found, secret: made };
        }),
      );
      const overlap = { old_secret_works_for_seconds: overlapSeconds };
      const row = { ...shown(client), client_secret: secret, hint: shownOnce, ...overlap };
      output.row(row);
    });
}

function shown(client: ClientSummary) {
  const { id, team_id, name, suspended_at, allow_wildcards, networks, scopes } = client;
  return { client_id: id, team_id, name, suspended_at, allow_wildcards, networks, scopes };
}

function scopesOf(given: readonly string[] | undefined, all = false): string[] {
  const scopes = all ? knownScopes(endpoints) : [...new Set(given)];
  if (scopes.length > 0) return scopes;
  throw new LocalFailure(
    'Say what the client may ask for: scopes (see `scopes list`), or --all-scopes.',
  );
}

async function changeClient(
  database: Database,
  clientId: string,
  change: Parameters<typeof updateClient>[2],
  recorded: Recorded,
): Promise<ClientSummary> {
  return database.transact(async (sql) => {
    const { team_id: teamId, ...before } = await requireClient(sql, clientId);
    const { isSuspended } = change;
    if (isSuspended !== undefined && isSuspended === (before.suspended_at !== null)) {
      return { team_id: teamId, ...before };
    }
    const changed = await updateClient(sql, { teamId, clientId }, change);
    if (!changed) return unknownClient(clientId);
    await record(sql, changed, recorded);
    return changed;
  });
}

/** Entry of a command in the audit trail of the team. */
type Recorded = Pick<Parameters<typeof recordCommand>[1], 'action' | 'changedFields' | 'reason'>;

function record(sql: Sql, { id, team_id: teamId }: ClientSummary, recorded: Recorded) {
  return recordCommand(sql, { teamId, resourceId: id, ...recorded });
}

async function requireClient(sql: Sql, clientId: string): Promise<ClientSummary> {
  return (await findClientOfAnyTeam(sql, clientId)) ?? unknownClient(clientId);
}

function unknownClient(clientId: string): never {
  throw new LocalFailure(`There is no client ${clientId}; see \`clients list\`.`);
}

async function requireTeam(sql: Sql, teamId: string): Promise<void> {
  const teams = await listTeams(sql);
  if (teams.some(({ id }) => id === teamId)) return;
  throw new LocalFailure(`There is no team ${teamId}; see \`teams list\`.`);
}
