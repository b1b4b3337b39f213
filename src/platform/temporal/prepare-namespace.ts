import Long from 'long';
import { searchAttributeTypes } from './search-attributes.ts';
import type { TemporalClient } from './client.ts';
import type { Log } from '../observability/log.ts';

const retentionDays = 30;
/** INDEXED_VALUE_TYPE_* of Temporal's API. */
const indexedTypes: Readonly<Record<string, number>> = {
  Text: 1,
  Keyword: 2,
  Int: 3,
  Double: 4,
  Bool: 5,
  Datetime: 6,
  KeywordList: 7,
};

/**
 * Makes the namespace retain history for 30 days, and adds the search attributes. If the server
 * rejects this, logs the command for the operator. Returns whether workflows may use the
 * attributes.
 */
export async function prepareNamespace(
  { connection, within }: TemporalClient,
  namespace: string,
  log: Log,
): Promise<boolean> {
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
    log.warn(
      { err: error },
      `the namespace retains history for less than ${String(retentionDays)} days; run: ` +
        `temporal operator namespace update --namespace ${namespace} --retention ${String(retentionDays)}d`,
    );
  }
  try {
    return await within(async () => {
      const known = await connection.operatorService.listSearchAttributes({ namespace });
      const missing = Object.entries(searchAttributeTypes).filter(
        ([name]) => !(name in known.customAttributes),
      );
      if (missing.length > 0) {
        await connection.operatorService.addSearchAttributes({
          namespace,
          searchAttributes: Object.fromEntries(
            missing.map(([name, type]) => [name, indexedTypes[type] ?? 2]),
          ),
        });
      }
      return true;
    });
  } catch (error) {
    const wanted = Object.entries(searchAttributeTypes)
      .map(([name, type]) => `--name ${name} --type ${type}`)
      .join(' ');
    log.warn(
      { err: error },
      'the search attributes cannot be checked; workflows run without them. Run: ' +
        `temporal operator search-attribute create --namespace ${namespace} ${wanted}`,
    );
    return false;
  }
}
