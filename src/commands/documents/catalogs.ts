import { listEventTypes } from '../../platform/events/registered-types.ts';
import { groupBy } from '../../platform/group-by.ts';
import { errorCatalog } from '../../platform/http/error-catalog.ts';
import { readScopeOf } from '../../webhooks/read-scopes.ts';
import { code, tableOf } from './table.ts';

/** Sections of docs/generated/errors.md: each code with its meaning and remedy, by status. */
export function errorSections(): Record<string, string> {
  const entries = Object.entries(errorCatalog);
  const byStatus = groupBy(entries, ([, [status]]) => String(status));
  const inOrder = [...byStatus].toSorted(([one], [other]) => Number(one) - Number(other));
  const sections = inOrder.map(([status, members]) => {
    const codes = members
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(
        ([name, [, title, remedy]]) => `### ${code(name)}\n\n${escape(title)}. ${escape(remedy)}`,
      );
    return [`## ${status}`, ...codes].join('\n\n');
  });
  return { errors: sections.join('\n\n') };
}

/** Tables of docs/generated/events.md: each event type, by the resource that it is about. */
export function eventSections(): Record<string, string> {
  const byResource = groupBy(listEventTypes(), ({ name }) => name.replace(/\..*/, ''));
  const sections = [...byResource].map(([resource, types]) => {
    const rows = types.map(({ name, description, deprecation, since }) => {
      const end = deprecation ? ` Deprecated, until ${deprecation.sunset_at.slice(0, 10)}.` : '';
      return [code(name), `${description}${end}`, since];
    });
    const scope = readScopeOf(types[0]?.name ?? '') ?? '';
    return [
      `## ${capitalize(resource.replaceAll('_', ' '))}`,
      `Scope for the data: ${code(scope)}.`,
      tableOf(['Event', 'Sent when', 'Since'], rows),
    ].join('\n\n');
  });
  return { events: sections.join('\n\n') };
}

/** Marks of Markdown in plain text. */
const escape = (text: string) => text.replaceAll(/[*<]/g, '\\$&');

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
