// Sends a CSV file as a batch: node import.mjs contacts.csv errors.csv
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { Onward } from '@onward/sdk';
import { openFile } from '@onward/sdk/node';

const [file = 'contacts.csv', errorsFile = 'errors.csv'] = process.argv.slice(2);
/** Failures of the service, which may be over the next time. */
const temporary = new Set(['item_failed', 'internal_error']);
const onward = new Onward({
  baseUrl: process.env.ONWARD_BASE_URL,
  clientId: process.env.ONWARD_CLIENT_ID,
  clientSecret: process.env.ONWARD_CLIENT_SECRET,
  maxRetries: 8,
});

async function run() {
  const digest = createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
  const day = new Date().toISOString().slice(0, 10);
  const started = await onward.runFile(
    await openFile(file),
    {
      operation_kind: 'contacts.bulk_upsert',
      mapping: {
        'Customer No': 'unique_id',
        Email: 'email',
        'First Name': 'first_name',
        Remarks: null,
      },
      consent_columns: { 'Marketing OK': { channel: 'email', source: 'CRM' } },
    },
    { idempotencyKey: `nightly-${day}-${digest.slice(0, 32)}` },
  );
  let batch = await onward.waitFor(started, { timeoutMs: 3_600_000 });
  if (batch.error_summary.some(({ code }) => temporary.has(code))) {
    batch = await onward.waitFor(await onward.batchOperations.retry(batch.id));
  }
  console.log(`${batch.succeeded_count} rows are in, ${batch.failed_count} failed.`);
  if (batch.failed_count === 0) return;
  const errors = await onward.batchOperations.getErrors(batch.id);
  await writeFile(errorsFile, await errors.text());
  process.exitCode = 1;
}

run().catch((error) => {
  console.error(`The import failed: ${error.message}`);
  process.exitCode = 2;
});
