import type { Static } from 'typebox';
import type { Sql } from '../../platform/database/sql.ts';
import { fail } from '../../platform/http/errors.ts';
import type { Operation } from '../operation-type.ts';
import type { NewRun } from '../runs/start.ts';
import { joinMappings } from '../uploads/mapping.ts';
import { checkUpload } from '../uploads/read-upload.ts';
import type { BatchRequest } from './batch-operation.ts';

/** Where the items of a batch are. Throws 422. */
export async function itemsOf(
  sql: Sql,
  teamId: string,
  operation: Operation,
  body: Static<typeof BatchRequest>,
): Promise<Pick<NewRun<'batch'>, 'source' | 'items' | 'uploadId' | 'mapping'>> {
  const { items, upload_id: uploadId } = body;
  const mapping = joinMappings(body);
  if (items) {
    if (uploadId !== undefined) throw misplaced('/upload_id', 'Send items or upload_id, not both.');
    const name = body.mapping ? 'mapping' : 'consent_columns';
    if (mapping) throw misplaced(`/${name}`, `${name} is for the columns of an upload.`);
    return { source: 'inline', items };
  }
  if (uploadId === undefined) throw misplaced('/items', 'Send items or upload_id.', 'required');
  await checkUpload(sql, teamId, uploadId, operation, mapping);
  return { source: 'upload', uploadId, ...(mapping && { mapping }) };
}

function misplaced(pointer: string, detail: string, rule = 'exclusive') {
  return fail('validation_failed', { detail, meta: { pointer, rule } });
}
