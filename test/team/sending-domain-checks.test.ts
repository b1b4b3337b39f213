import { expect, test } from '@jest/globals';
import { applyCheck } from '../../src/team/sending-domains/check.ts';
import { sendingDomains } from '../../src/team/sending-domains/queries.ts';
import { useTestApi } from '../support/use-test-api.ts';

const api = useTestApi();

test('a check that was requested during a lookup is due when the lookup ends', async () => {
  const team = await api.newTeam();
  const path = '/v2/partner/sending-domains';
  const { body: domain } = await team.post(path, { domain: 'bank.dev' });
  const { database } = api.db;
  const find = () =>
    database.read((sql) => sendingDomains.require(sql, team.id, String(domain.id)));
  const look = async (during: () => Promise<unknown>) => {
    const row = await find();
    await during();
    const missing = { ownership: 'missing', dkim: 'missing', dmarc: 'missing' } as const;
    const { domains } = api.config.sending;
    await database.transact((sql) => applyCheck(sql, row, missing, domains));
    return Date.parse((await find()).next_check_at) - Date.now();
  };
  expect(await look(() => Promise.resolve())).toBeGreaterThan(0);
  const requested = () => team.post(`${path}/${String(domain.id)}/verify`);
  expect(await look(requested)).toBeLessThanOrEqual(0);
});

test('domains that are added at the same time have different keys', async () => {
  const teams = await Promise.all(Array.from({ length: 8 }, () => api.newTeam()));
  const made = await Promise.all(
    teams.map((team) => team.post('/v2/partner/sending-domains', { domain: 'bank.dev' })),
  );
  const keys = made.map(
    ({ body }) =>
      body.dns_records.find(({ purpose }: { purpose: string }) => purpose === 'dkim').value,
  );
  expect(new Set(keys).size).toBe(teams.length);
});
