import type { TObject } from 'typebox';
import { recordAudit } from '../http/audit.ts';
import { cleaner } from '../http/clean.ts';
import type { OperationCall } from './operation.ts';

/** Writes what the endpoint of the same action writes into the audit trail (DECISIONS 50). */
export function audited<Row extends object>(
  { sql, principal, trace }: OperationCall,
  { action, schema }: { action: string; schema: TObject },
  change: { before: Row; after: Row },
): Row {
  const about = { action, principal, trace, pathId: undefined, body: {} };
  recordAudit(sql, { ...about, clean: cleaner(schema), ...change });
  return change.after;
}
