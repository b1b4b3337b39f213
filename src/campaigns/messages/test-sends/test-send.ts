import { randomUUID } from 'node:crypto';
import type { Keyring } from '../../../platform/auth/keyring.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { isEmail, isPhone } from '../../../platform/schema/fields.ts';
import type { Problem } from '../../../platform/http/errors.ts';
import type { MessageRow } from '../message.ts';
import { masked } from '../rules.ts';
import { insertTestSends } from './queries.ts';

/** A message on its way to somebody who tries it; it counts nowhere. */
export interface TestSend {
  id: string;
  to_masked: string;
}

/** Problem of an address that does not fit the channel of this message. */
export function addressProblem(
  { channel }: MessageRow,
  to: string,
  pointer: string,
): Problem | undefined {
  const suits = { email: isEmail, sms: isPhone, push: () => true }[channel];
  if (suits(to)) return undefined;
  return {
    code: 'validation_failed',
    detail: `The address does not suit the channel ${channel}.`,
    meta: { pointer, rule: channel === 'sms' ? 'invalid_phone' : 'format' },
  };
}

/** Where the address of a test is sealed to. */
export function testAddressPlace(teamId: string, id: string): string[] {
  return ['message_sends', 'test_address', teamId, id];
}

/** Queues the current message for each of the addresses, which are sealed. */
export async function sendTests(
  sql: Sql,
  keyring: Keyring,
  { team_id, id: message_id, channel }: MessageRow,
  addresses: readonly string[],
): Promise<TestSend[]> {
  const sends = addresses.map((to) => {
    const id = randomUUID();
    const sealed = keyring.seal(to, testAddressPlace(team_id, id));
    return { id, to_masked: masked(to), sealed };
  });
  await insertTestSends(sql, team_id, { message_id, channel }, sends);
  return sends.map(({ id, to_masked }) => ({ id, to_masked }));
}
