import { Type } from 'typebox';
import { recordAudit } from '../../platform/http/audit.ts';
import { createSerializer } from '../../platform/http/response-serializer.ts';
import { requireContact } from '../../contacts/queries.ts';
import { askForContact } from '../exports/ask.ts';
import { Export } from '../exports/export.ts';
import { contactReference, findReferred } from '../../contacts/lookup/contact-reference.ts';
import { failAll } from '../../platform/http/errors.ts';
import { oneByOne, operation } from '../operation-type.ts';

export const contactsExport = operation({
  kind: 'contacts.export',
  category: 'privacy',
  summary: 'Export all data of a contact to a file for the person',
  notes: 'Puts out the export, whose file is there when its status is succeeded.',
  idempotencyMode: 'keyed',
  failureMode: 'transactional',
  executionMode: 'async',
  scopes: ['partner:contacts:read'],
  rateLimitClass: 'bulk',
  audit: { byHandler: 'export.created' },
  input: Type.Object({ ...contactReference }, { additionalProperties: false }),
  output: Export,
  apply: oneByOne(async (call, item) => {
    const { sql, teamId, principal } = call;
    const [referred] = await findReferred(sql, teamId, [item], { isLocked: false });
    if (!referred || 'problems' in referred) throw failAll(referred?.problems ?? []);
    const { id } = await requireContact(sql, teamId, referred.contact.id);
    const row = await askForContact(sql, principal, id);
    recordAudit(sql, {
      action: 'export.created',
      principal,
      trace: call.trace,
      pathId: undefined,
      clean,
      body: {},
      before: undefined,
      after: row,
    });
    return { status: 'created', row };
  }),
});

const clean = createSerializer(Export);
