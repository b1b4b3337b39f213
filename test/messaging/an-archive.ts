import { copyErasers } from '../../src/app/copy-erasers.ts';
import { listOpenErasures } from '../../src/contacts/contact-erasures/sweeping/queries.ts';
import { eraseCopiesOf } from '../../src/contacts/contact-erasures/sweeping/sweep.ts';
import { maintain } from '../support/maintenance.ts';
import type { TestApi, TestTeam } from '../support/api.ts';
import { aReader, aSendingTemplate } from '../journeys/a-send.ts';
import type { SendingLanes } from './sending-lanes.ts';

export const archivePath = '/v2/partner/archived-messages';

/** Switches the archive of a team on. */
export async function archiving(team: TestTeam, retention: object = {}): Promise<TestTeam> {
  const requested = { archived_messages_days: 365, ...retention };
  const { status } = await team.patch('/v2/partner/team', { retention: requested });
  if (status !== 200) throw new Error('The archive of the team cannot be switched on.');
  return team;
}

/** A text message that is the same for everybody. */
export const aSameText = {
  ...{ name: 'Text', channel: 'sms', purpose: 'transactional', body: 'Your order is on its way.' },
  trigger: { kind: 'on_request' },
};

/** A message that is sent on request, with one send to each contact; gives their deliveries. */
export async function sentTo(
  team: TestTeam,
  lanes: Pick<SendingLanes, 'send'>,
  message: object,
  contacts: readonly string[],
): Promise<string[]> {
  const template = await aSendingTemplate(team, [message]);
  const sent: string[] = [];
  for (const contact_id of contacts) {
    const path = `/v2/partner/messages/${template.messageIds[0] ?? ''}/sends`;
    const { status, body } = await team.post(path, { contact_id });
    if (status !== 202) throw new Error(JSON.stringify(body));
    sent.push(String(body.id));
  }
  await lanes.send();
  return sent;
}

/** A contact with a number. */
export const aPhoneReader = (team: TestTeam, fields: object = {}) =>
  aReader(team, { phone: aNumber(), ...fields });

/** Ends the term of an archived message, and runs the maintenance. */
export async function expired(
  { db }: Pick<TestApi, 'db'>,
  team: Pick<TestTeam, 'id'>,
  id: string,
): Promise<void> {
  await db.look(
    (sql) => sql`
      update archived_messages set expires_at = now() - interval '1 second'
      where team_id = ${team.id} and id = ${id}`,
  );
  await maintain(db.database, 'archived-messages');
}

/** Does what the workflow of erasures does first, for all that are open. */
export async function swept({ db, keyring }: TestApi, team: Pick<TestTeam, 'id'>): Promise<void> {
  const { database } = db;
  const erasures = await database.read((sql) => listOpenErasures(sql, team.id));
  await eraseCopiesOf({ database, keyring, erasers: copyErasers }, team.id, erasures);
}

let numbers = 0;
const aNumber = () => `+1415555${String((numbers += 1)).padStart(4, '0')}`;

/** Numbers of archived lines and contents of a team. */
export async function archiveOf({ db }: Pick<TestApi, 'db'>, team: Pick<TestTeam, 'id'>) {
  const [row] = await db.look(
    (sql) => sql<[{ lines: number; contents: number }]>`
      select
        (select count(*)::int from archived_messages where team_id = ${team.id}) as lines,
        (select count(*)::int from archived_contents where team_id = ${team.id}) as contents`,
  );
  return row;
}
