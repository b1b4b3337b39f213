import { expect, test } from '@jest/globals';
import { useTestApi } from '../support/use-test-api.ts';

const api = useTestApi();

test('a list that fails on a row takes nothing from the next request, also of another team', async () => {
  const [failing, other] = [await api.newTeam(), await api.newTeam()];
  const first = await failing.post('/v2/partner/contacts', { email: 'first@example.com' });
  for (const name of ['b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'])
    await failing.post('/v2/partner/contacts', { email: `${name}@example.com` });
  const created = await other.post('/v2/partner/contacts', {
    email: 'ada@example.com',
    unique_id: 'ada',
  });
  expect(created).toMatchObject({ status: 201 });
  const { id } = created.body;
  // Reading the oldest row, the last of the list, is an error.
  await api.db.look((sql) => sql`alter table contacts enable row level security`);
  await api.db.look(
    (sql) => sql`
      create policy broken on contacts
      using (1 / (case when id = ${sql.unsafe(`'${String(first.body.id)}'`)} then 0 else 1 end) = 1)`,
  );
  const credentials = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: other.clientId,
    client_secret: other.clientSecret,
  });
  const next = {
    'GET /contacts/{id}': () => other.get(`/v2/partner/contacts/${String(id)}`),
    'GET /contacts/unique_id:ada': () => other.get('/v2/partner/contacts/unique_id:ada'),
    'GET /contacts': () => other.get('/v2/partner/contacts'),
    'GET /templates/counts': () => other.get('/v2/partner/templates/counts'),
    'POST /oauth2/token': () =>
      api.call('POST', '/oauth2/token', {
        raw: credentials.toString(),
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      }),
  };
  for (const [name, request] of Object.entries(next)) {
    for (let round = 0; round < 4; round += 1) {
      expect((await failing.get('/v2/partner/contacts?page[size]=100')).status).toBe(500);
      const { status, body } = await request();
      expect({ name, status, body: status === 200 ? undefined : body }).toEqual({
        name,
        status: 200,
        body: undefined,
      });
    }
  }
  // The same with requests that share connections.
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, at) =>
      at % 3 === 0
        ? failing.get('/v2/partner/contacts?page[size]=100')
        : other.get(`/v2/partner/contacts/${String(id)}`),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(
    answers.map((_, at) => (at % 3 === 0 ? 500 : 200)),
  );
  for (const { status, body } of answers) if (status === 200) expect(body.id).toBe(id);
});
