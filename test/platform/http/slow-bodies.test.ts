import { expect, test } from '@jest/globals';
import { sendRaw } from '../../contract/raw-http.ts';
import { useTestApi } from '../../support/use-test-api.ts';

const api = useTestApi();

test('a stalled body is refused with 408, both a buffered and a streamed one', async () => {
  const team = await api.newTeam();
  const begin = (path: string, type: string) =>
    sendRaw(
      api.url,
      [
        `POST ${path} HTTP/1.1`,
        'Host: onward.test',
        `Authorization: Bearer ${team.token}`,
        `Content-Type: ${type}`,
        'Content-Length: 1000',
        '',
        '{',
      ].join('\r\n'),
      75_000,
    );
  const replies = await Promise.all([
    begin('/v2/partner/contacts', 'application/json'),
    begin('/v2/batch/uploads', 'text/csv'),
  ]);
  for (const { status, headers, body } of replies) {
    expect([status, headers.get('connection')]).toEqual([408, 'close']);
    expect(body.errors[0].code).toBe('request_timeout');
  }
  expect((await team.get('/v2/partner/contacts')).body.data).toEqual([]);
  const kept = await api.db.look((sql) => sql`select from uploads where team_id = ${team.id}`);
  expect(kept).toEqual([]);
});
