import { randomBytes } from 'node:crypto';
import { endpoints } from '../../../src/app/endpoints.ts';
import type { Endpoint } from '../../../src/platform/http/endpoint.ts';
import { isScoped } from '../../../src/platform/http/endpoint.ts';
import type { Reply, TestTeam } from '../../support/api.ts';
import { fieldsOf, isJson } from '../json-schema.ts';
import type { Json } from '../json-schema.ts';

// A canary is a word that names its permitted scopes. It is written into every free text that
// tests send, so that an answer, a file or an event that contains it shows what it has read.

/** The common part of the scopes of one resource: `partner.contacts` of `partner:contacts:read`. */
export const familyOf = (scope: string): string => scope.split(':').slice(0, 2).join('.');

/** The day of birth of everybody that a planting team makes. */
const dayOfBirth = '1911-11-11';
const sensitive = familyOf('partner:contacts_sensitive:read');

const newCanary = (family: string) => `canary.${family}.${randomBytes(4).toString('hex')}`;

/** The families whose canaries a text contains, sorted. */
export function canariesIn(content: unknown): string[] {
  const text = typeof content === 'string' ? content : JSON.stringify(content ?? null);
  const found = [...text.matchAll(/canary\.(\w+\.[\w-]+)\.[0-9a-f]{8}/g)].map(([, name]) => name);
  if (text.includes(dayOfBirth)) found.push(sensitive);
  return [...new Set(found.filter((name) => name !== undefined))].sort();
}

const posts = endpoints
  .filter(({ method, scope }) => method === 'POST' && isScoped(scope))
  .map((endpoint) => ({
    endpoint,
    pattern: new RegExp(`^${endpoint.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));

/** The free texts that the body of an endpoint may have. */
function freeTexts(endpoint: Endpoint): string[] {
  return fieldsOf(endpoint).writable.flatMap(([name, schema]) => {
    const isFree = (schema.anyOf ?? [schema]).some(
      ({ type, format, pattern, maxLength = 0, enum: values, const: only }) =>
        type === 'string' && (format ?? pattern ?? values ?? only) === undefined && maxLength >= 60,
    );
    return isFree ? [name] : [];
  });
}

/** A text that is rendered shows whom it is rendered for. */
const rendered = ' {{ contact.first_name }}';
const isRendered = (name: string) => /body|subject|html/.test(name);

function withCanaries(endpoint: Endpoint, body: Json): Json {
  const canary = newCanary(familyOf(endpoint.scope));
  const texts = freeTexts(endpoint).filter(
    (name) => !(name in body) || /name$|^reason$/.test(name) || isRendered(name),
  );
  const planted = Object.fromEntries(
    texts.map((name) => [name, isRendered(name) ? `${canary}${rendered}` : canary]),
  );
  const isPerson = fieldsOf(endpoint).writable.some(([name]) => name === 'date_of_birth');
  return { ...body, ...planted, ...(isPerson && { date_of_birth: dayOfBirth }) };
}

/** The fields that a refusal is about. */
const refusedIn = ({ body }: Reply): string[] =>
  body.errors.map(({ meta }: { meta: { pointer?: string } }) => meta.pointer?.split('/')[1] ?? '');

/** The team, which plants canaries in what it makes; `planted` counts them by family. */
export function planting(team: TestTeam, planted: Map<string, number>): TestTeam {
  return {
    ...team,
    async post(path, body, headers) {
      const found = posts.find(({ pattern }) => pattern.test(path));
      if (!found || (body !== undefined && !isJson(body))) return team.post(path, body, headers);
      const more = withCanaries(found.endpoint, body ?? {});
      let reply = await team.post(path, more, headers);
      // Fields that the rules of the resource refuse are removed.
      for (let round = 0; reply.status === 422 && round < 3; round += 1) {
        for (const name of refusedIn(reply)) Reflect.deleteProperty(more, name);
        reply = await team.post(path, { ...body, ...more }, headers);
      }
      if (reply.status >= 300) return team.post(path, body, headers);
      for (const family of canariesIn(more)) planted.set(family, (planted.get(family) ?? 0) + 1);
      return reply;
    },
  };
}
