import { exampleOf } from '../src/platform/events/example.ts';
import type { EventType } from '../src/platform/events/event-type.ts';
import { listEventTypes } from '../src/platform/events/registered-types.ts';
import { groupBy } from '../src/platform/group-by.ts';
import { isJson } from '../src/meta/openapi/components.ts';
import type { Json } from '../src/meta/openapi/components.ts';
import { readScopeOf } from '../src/webhooks/read-scopes.ts';
import { fieldTable, resolve } from './reference/fields.ts';
import { code, prose, table } from './reference/text.ts';

const resourceOf = (name: string) => name.replace(/\..*/, '');
const fileOf = (name: string) => `events/${resourceOf(name).replaceAll('_', '-')}`;
const anchorOf = (name: string) => name.replace(/\.\*$/, '');

/** Address of the section of each event type, without the base of the site. */
export function eventAddresses(): ReadonlyMap<string, string> {
  return new Map(listEventTypes().map(({ name }) => [name, `/${fileOf(name)}#${anchorOf(name)}`]));
}

/** Pages of events in the order of the list, with their titles. */
export const eventMenu = () =>
  [...byResource()].map(([resource, types]) => ({
    title: titleOf(resource),
    page: `/${fileOf(resource)}`,
    types: types.map(({ name }) => name),
  }));

const byResource = () => groupBy(listEventTypes(), ({ name }) => resourceOf(name));

function titleOf(resource: string): string {
  const words = resource.replaceAll('_', ' ').replace(/^sftp/, 'SFTP');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)} events`;
}

/** A page for each resource, with the body of each of its events, in Markdown. */
export function eventPages(document: Json): ReadonlyMap<string, string> {
  const pages = [...byResource()].map(([resource, types]): [string, string] => [
    `${fileOf(resource)}.md`,
    pageOf(document, resource, types),
  ]);
  return new Map(pages);
}

function pageOf(document: Json, resource: string, types: readonly EventType[]): string {
  const rows = types.map(({ name, description }) => [
    `[${code(name)}](#${anchorOf(name)})`,
    prose(description),
  ]);
  const scope = readScopeOf(types[0]?.name ?? '');
  const access =
    scope === undefined
      ? ''
      : `\`data\` is filled in for subscriptions whose client may read the resource: scope ${code(scope)}. Others get its id only ([events without data](/webhooks#events-without-data)).`;
  return [
    `---\npageClass: reference\naside: false\ntitle: ${JSON.stringify(`${titleOf(resource)}, webhooks`)}\n---`,
    `# ${titleOf(resource)}`,
    access,
    table(['Event', 'Recorded when'], rows),
    ...types.map((type) => section(type)),
    ...fieldSections(document, types),
    '- All events: [Event types](/events)\n- How to receive them: [Receive webhooks](/guides/receive-webhooks)\n- Signatures, retries and order: [Webhook delivery](/webhooks)\n',
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function section(type: EventType): string {
  const { name, description, since, deprecation } = type;
  const end = deprecation ? ` Deprecated, until ${deprecation.sunset_at.slice(0, 10)}.` : '';
  const facts = [
    `## ${code(name)} {#${anchorOf(name)}}`,
    `${prose(description)} Sent since ${since}.${end}`,
    name.endsWith('.*')
      ? 'Types of this form are [defined by the team](/custom-events).'
      : `Subscribe with ${code(`"event_types": ["${name}"]`)} ([createWebhookSubscription](/reference/webhooks#createWebhookSubscription)), or try it: ${code(`onward trigger ${name}`)}.`,
  ].join('\n\n');
  const body = JSON.stringify(exampleOf(type), undefined, 2);
  return `<div class="operation">\n<div class="facts">\n\n${facts}\n\n</div>\n<div class="samples">\n\n\`\`\`json\n${body}\n\`\`\`\n\n</div>\n</div>`;
}

/** The fields of `data` once for all events that have the same. */
function fieldSections(document: Json, types: readonly EventType[]): string[] {
  const schemas = isJson(document['components']) ? document['components']['schemas'] : undefined;
  const byTable = new Map<string, string[]>();
  for (const { name } of types) {
    const whole = resolve(document, isJson(schemas) ? schemas[`event.${name}`] : undefined);
    const { data, previous } = isJson(whole['properties']) ? whole['properties'] : {};
    const text = [
      fieldTable(document, resolve(document, data), 'answer'),
      previous === undefined
        ? ''
        : 'The body has `previous` as well: the former values of fields that changed.',
    ]
      .filter((part) => part !== '')
      .join('\n\n');
    byTable.set(text, [...(byTable.get(text) ?? []), name]);
  }
  return [...byTable].map(([text, names]) => {
    const whose = byTable.size === 1 ? '' : ` of ${names.map(code).join(', ')}`;
    return `## Fields of \`data\`${whose}\n\n${text}`;
  });
}
