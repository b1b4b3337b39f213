// simple-oauth2 gets the tokens, axios makes the calls.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import axios from 'axios';
import { ClientCredentials } from 'simple-oauth2';

const [tokenHost, id, secret] = process.argv.slice(2);

for (const authorizationMethod of ['header', 'body']) {
  for (const request of [{}, { scope: '' }, { scope: [] }, { scope: ['partner:contacts:write'] }]) {
    const client = new ClientCredentials({
      client: { id, secret },
      auth: { tokenHost, tokenPath: '/oauth2/token' },
      options: { authorizationMethod },
    });
    const { token } = await client.getToken(request);
    const api = axios.create({
      baseURL: `${tokenHost}/v2/partner`,
      headers: { Authorization: `Bearer ${token.access_token}` },
    });
    await api.post('/contacts', { unique_id: randomUUID() });
    if (request.scope?.length) continue;
    const { data } = await api.post('/cohorts', { name: randomUUID(), kind: 'static' });
    await api.post(`/cohorts/${data.id}/archive`);
    const { status } = await api.post(`/cohorts/${data.id}/unarchive`, {});
    assert.equal(status, 200);
    const params = { sort: 'last_name,-inserted_at', 'page[size]': 1 };
    const { data: list } = await api.get('/contacts', { params });
    assert.equal(list.data.length, 1);
  }
}
