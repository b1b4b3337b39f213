import { expect, test } from '@jest/globals';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { whenRun } from '../operations/runs/a-run.ts';
import { eventually } from '../support/eventually.ts';
import { useService } from '../support/use-service.ts';
import { jobId } from '../../src/platform/jobs/shape.ts';
import { exportJob } from '../../workflows/jobs.ts';

const { api, temporal } = useService();

test('the Temporal histories show no data of the rows that an error quotes', async () => {
  const team = await api.newTeam();
  const email = 'nobody-else-may-know@example.com';
  await team.post('/v2/partner/contacts', { email });
  // Postgres quotes the row in the message, the detail and the hint of the error.
  await api.db.look((sql) =>
    sql.unsafe(`
      create function quote_row() returns trigger language plpgsql as $$
      begin
        raise exception 'bad row: %', convert_from(new.bytes, 'UTF8')
          using errcode = '23514', hint = convert_from(new.bytes, 'UTF8');
      end $$;
      create trigger quote_row before insert on export_parts
        for each row execute function quote_row();`),
  );
  const { status, body } = await team.post('/v2/partner/exports', { kind: 'contacts' });
  expect(status).toBe(202);
  const run = temporal.handleOf(jobId(exportJob, String(body.id)));
  const describe = async () => (await run.describe()).raw.pendingActivities ?? [];
  const [pending] = await eventually(
    () => describe().catch(() => []),
    ([activity]) => activity?.lastFailure != null,
  );
  expect(pending?.lastFailure?.message).toBe('PostgresError 23514');
  expect(JSON.stringify(pending)).not.toContain(email);

  await api.db.look((sql) => sql`drop trigger quote_row on export_parts`);
  await whenRun(
    team,
    `/v2/partner/exports/${String(body.id)}`,
    (row) => row.status === 'succeeded',
  );
  await run.result();
  const history = historyToJSON(await run.fetchHistory());
  expect(history).toContain('"message": "PostgresError 23514"');
  expect(history).not.toContain(email);
  expect(history).not.toContain('quote_row');
});
