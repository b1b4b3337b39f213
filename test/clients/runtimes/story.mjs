import { Onward, isCode, verifyWebhook } from '@onward/sdk';
import { createEvent, signWebhook, testSecret } from '@onward/sdk/testing';

// The steps of an integrator with the SDK, with nothing of a runtime but its arguments.

const args = 'Deno' in globalThis ? globalThis.Deno.args : globalThis.process.argv.slice(2);
const [baseUrl, clientId, clientSecret] = args;
const onward = new Onward({ baseUrl, clientId, clientSecret });
const run = crypto.randomUUID();

function check(isTrue, promise) {
  if (!isTrue) throw new Error(`Not true: ${promise}`);
}

const contact = await onward.contacts.create({ unique_id: run, email: 'ada@example.com' });
const repeated = await onward.contacts
  .create({ unique_id: run })
  .catch((error) => (isCode(error, 'unique_id_taken') ? 'refused' : String(error)));
check(repeated === 'refused', `a second contact with the same key is refused: ${repeated}`);

const found = [];
for await (const { id } of onward.contacts.list({ filter: { unique_id: run } })) found.push(id);
check(found.length === 1 && found[0] === contact.id, 'the list has the contact');

const rows = ['unique_id,first_name', `${run}-1,Grace`, `${run}-2,Mary`].join('\n');
const batch = await onward.runFile(new Blob([rows], { type: 'text/csv' }), {
  operation_kind: 'contacts.bulk_upsert',
});
const done = await onward.waitFor(batch);
check(done.status === 'succeeded', `the batch succeeds: ${done.status}`);

const event = createEvent('contact.created', contact);
const { body, headers } = await signWebhook(event, testSecret);
const verified = await verifyWebhook(body, headers, testSecret);
check(verified.type === 'contact.created', 'a signed webhook is verified');
const forged = await verifyWebhook(body.replace('contact', 'account'), headers, testSecret).catch(
  (error) => (isCode(error, 'webhook_invalid') ? 'refused' : String(error)),
);
check(forged === 'refused', 'a forged webhook is refused');
console.log('The story ends well.');
