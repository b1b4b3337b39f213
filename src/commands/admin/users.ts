import type { Command } from 'commander';
import type { Output } from '../../../sdk/cli/src/output.ts';
import { LocalFailure } from '../../local/local-failure.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { HttpError } from '../../platform/http/errors.ts';
import { userActivated, userInvited, userSuspended } from '../../team/events.ts';
import { publish } from '../../team/users/edit.ts';
import { listUsersOf, lockUser, updateUserRow } from '../../team/users/queries.ts';
import type { UserRow } from '../../team/users/queries.ts';
import { reactivatedStatus } from '../../team/users/rules.ts';
import { parseId } from './arguments.ts';
import type { CommandAction } from './commands-audit.ts';
import { withDatabase } from './connection.ts';
import { recordCommand } from './record-command.ts';

/** Operators may suspend every user, the last active admin of a team too. */
export function addUserCommands(program: Command, output: Output): void {
  const users = program.command('users').description('users of teams');

  users
    .command('list')
    .description('list the users of a team')
    .argument('<team-id>', 'id of the team', parseId)
    .action(async (teamId: string) => {
      const rows = await withDatabase((database) =>
        database.read((sql) => listUsersOf(sql, teamId)),
      );
      output.rows(
        rows.map(({ id, email, role, status }) => ({ id, email, role, status })),
        ['id', 'email', 'role', 'status'],
      );
    });

  changing('suspend', 'suspend a user', 'user.suspended', (sql, before) =>
    before.status === 'suspended'
      ? undefined
      : updateUserRow(sql, before, { status: 'suspended', suspended_at: new Date().toISOString() }),
  );
  changing('reactivate', 'end the suspension of a user', 'user.reactivated', (sql, before) =>
    before.status === 'suspended'
      ? updateUserRow(sql, before, { status: reactivatedStatus(before), suspended_at: null })
      : undefined,
  );

  function changing(
    name: string,
    description: string,
    action: CommandAction,
    change: (sql: Sql, before: UserRow) => Promise<UserRow> | undefined,
  ) {
    users
      .command(name)
      .description(description)
      .argument('<team-id>', 'id of the team', parseId)
      .argument('<user-id>', 'id of the user', parseId)
      .action(async (teamId: string, id: string) => {
        const row = await withDatabase((database) =>
          database.transact(async (sql) => {
            const before = await lockUser(sql, teamId, id);
            const after = await change(sql, before);
            if (!after) return before;
            const changedFields = ['status', 'suspended_at'];
            await recordCommand(sql, { teamId, resourceId: id, action, changedFields });
            return publish(sql, eventOf[after.status], after);
          }),
        ).catch((error: unknown) => {
          if (!(error instanceof HttpError)) throw error;
          throw new LocalFailure(`The team has no user ${id}; see \`users list\`.`);
        });
        output.row({ id: row.id, email: row.email, status: row.status });
      });
  }
}

const eventOf = { suspended: userSuspended, active: userActivated, invited: userInvited };
