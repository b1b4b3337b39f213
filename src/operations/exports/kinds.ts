import type { TObject } from 'typebox';
import { ProblemList } from '../../platform/http/errors.ts';
import type { ListField } from '../../platform/lists/declaration.ts';
import { parseFilters } from '../../platform/lists/parse-filters.ts';
import type { Filter } from '../../platform/lists/parse-filters.ts';
import type { ListSource } from '../../platform/lists/sql.ts';
import { Account, accountListFields } from '../../contacts/accounts/account.ts';
import { listAccountsOf } from '../../contacts/accounts/queries.ts';
import { Contact, contactListFields } from '../../contacts/contact.ts';
import { ContactRead, contactReadFields } from '../../contacts/contact-reads/contact-read.ts';
import { contactReadSource } from '../../contacts/contact-reads/queries.ts';
import { listContactsOf } from '../../contacts/queries.ts';
import {
  ObjectiveCompletion,
  completionListFields,
} from '../../engagement/completions/completion.ts';
import {
  ArchivedMessage,
  archivedMessageFields,
} from '../../messaging/archived-messages/archived-message.ts';
import { archivedMessageSource } from '../../messaging/archived-messages/queries.ts';
import { completionSource } from '../../engagement/completions/queries.ts';

/** Scope of a file that shows a date of birth. */
export const sensitiveScope = 'partner:contacts_sensitive:read';

/** A list that can be exported whole. */
interface ExportKind {
  item: TObject;
  fields: Readonly<Record<string, ListField>>;
  /** Scope required in addition to the right to export. */
  scope: `${string}:${string}:${string}`;
  source(teamId: string): ListSource;
}

export const exportKinds = {
  contacts: {
    item: Contact,
    fields: contactListFields,
    scope: 'partner:contacts:read',
    source: listContactsOf,
  },
  accounts: {
    item: Account,
    fields: accountListFields,
    scope: 'partner:contacts:read',
    source: (teamId) => listAccountsOf(teamId),
  },
  objective_completions: {
    item: ObjectiveCompletion,
    fields: completionListFields,
    scope: 'partner:objectives:read',
    source: (teamId) => completionSource(teamId),
  },
  archived_messages: {
    item: ArchivedMessage,
    fields: archivedMessageFields,
    scope: 'partner:archived_messages:read',
    source: (teamId) => archivedMessageSource(teamId),
  },
  contact_reads: {
    item: ContactRead,
    fields: contactReadFields,
    scope: 'partner:audit:read',
    source: contactReadSource,
  },
} as const satisfies Record<string, ExportKind>;

export type ExportedList = keyof typeof exportKinds;

/** A filter as it was read when the export was requested; its meaning does not change later. */
export type Condition = Pick<Filter, 'name' | 'operator' | 'values'> & { key?: string };

/** Reads filters by the conventions of the list. Throws 400. */
export function readConditions(
  kind: ExportedList,
  filters: Readonly<Record<string, string>>,
): Condition[] {
  const problems = new ProblemList();
  const { fields } = exportKinds[kind];
  const read = parseFilters({ fields, defaultSort: 'id' }, Object.entries(filters), problems);
  problems.check();
  return read.map(({ name, key, operator, values }) => ({
    name,
    operator,
    values,
    ...(key !== undefined && { key }),
  }));
}

/** The filters of conditions. */
export function filtersOf(kind: ExportedList, conditions: readonly Condition[]): Filter[] {
  const fields: Readonly<Record<string, ListField>> = exportKinds[kind].fields;
  return conditions.flatMap((condition) => {
    const { name, key } = condition;
    const field = fields[key === undefined ? name : `${name.slice(0, name.indexOf('.'))}.<key>`];
    return field ? [{ ...condition, field }] : [];
  });
}
