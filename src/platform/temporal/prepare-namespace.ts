import Long from 'long';
import { registerSearchAttributes } from './register-attributes.ts';
import type { MissingAttributes } from './register-attributes.ts';
import type { TemporalClient } from './client.ts';
import type { Log } from '../observability/log.ts';

const retentionDays = 30;

/**
 * Makes the namespace retain history for 30 days, and adds the search attributes. If the server
 * rejects this, logs the commands for the operator. Returns the attributes that workflows cannot use.
 */
export async function prepareNamespace(
  temporal: TemporalClient,
  namespace: string,
  log: Log,
): Promise<MissingAttributes> {
  const { connection, within } = temporal;
  try {
    await within(async () => {
      const described = await connection.workflowService.describeNamespace({ namespace });
      const seconds = Number(described.config?.workflowExecutionRetentionTtl?.seconds ?? 0);
      if (seconds >= retentionDays * 86_400) return;
      await connection.workflowService.updateNamespace({
        namespace,
        config: {
          workflowExecutionRetentionTtl: { seconds: Long.fromNumber(retentionDays * 86_400) },
        },
      });
    });
  } catch (error) {
    const days = String(retentionDays);
    log.warn(
      { err: error },
      `the namespace retains history for less than ${days} days; run: ` +
        `temporal operator namespace update --namespace ${namespace} --retention ${days}d ` +
        `(on Temporal Cloud: tcld namespace retention set --namespace ${namespace} --retention-days ${days})`,
    );
  }
  return registerSearchAttributes(temporal, namespace, log);
}
