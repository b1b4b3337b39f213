import { endpoints } from '../../src/app/endpoints.ts';
import type { Endpoint } from '../../src/platform/http/endpoint.ts';
import { isForRecipients, isScoped } from '../../src/platform/http/endpoint.ts';
import { newRecipient, recipientRecipes } from '../contract/recipes/recipients.ts';
import type { AsRecipient, RecipientScene } from '../contract/recipes/recipients.ts';
import { paramsOf, positionsOf, referencesOf } from '../contract/samples.ts';
import type { Owner } from '../contract/recipes/recipe.ts';

/** Operations that are left out, and why. */
const leftOut: Readonly<Record<string, string>> = {};

/** Things that an operation may find of each kind; a team has at most 50 subscriptions. */
const thingsEach = 2;

/**
 * The configuration for the operations of these ids, or all: ids in paths and bodies are mostly
 * those of things that exist, since a made-up id never gets past the 404. Those for recipients are
 * called with the token of one.
 */
export async function configurationOf(
  owner: Owner,
  asRecipient: AsRecipient,
  names: readonly string[],
): Promise<string> {
  const lines: string[] = [];
  const recipient = await newRecipient(owner, asRecipient);
  for (const endpoint of endpoints) {
    const { id } = endpoint;
    const isWanted = leftOut[id] === undefined && (names.length === 0 || names.includes(id));
    const isRecipients = isForRecipients(endpoint);
    const isForClients = isScoped(endpoint.scope) && !isRecipients;
    const values = !isWanted
      ? {}
      : isRecipients
        ? valuesFor(recipient, endpoint)
        : isForClients
          ? await valuesOf(owner, endpoint)
          : {};
    const places = Object.keys(values);
    for (const [place, found] of Object.entries(values)) {
      lines.push(`[dictionaries.${JSON.stringify(nameOf(id, place))}]`);
      lines.push(`values = ${JSON.stringify(found)}`);
    }
    if (isWanted && places.length === 0 && !isRecipients) continue;
    const bound = places.map(
      (place) =>
        `${JSON.stringify(place)} = { dictionary = ${JSON.stringify(nameOf(id, place))}, probability = 0.8 }`,
    );
    lines.push('[[operations]]', `include-operation-id = ${JSON.stringify(id)}`);
    lines.push(isWanted ? `parameters = { ${bound.join(', ')} }` : 'enabled = false');
    if (isWanted && isRecipients) {
      const token = recipientRecipes[id]?.isDoor ? recipient.doorToken : recipient.token;
      lines.push(`headers = { Authorization = ${JSON.stringify(`Bearer ${token}`)} }`);
    }
  }
  return `${lines.join('\n')}\n`;
}

function nameOf(id: string, place: string): string {
  return `${id} ${place}`;
}

/** Values of the path parameters that a recipient may use. */
function valuesFor({ ids }: RecipientScene, endpoint: Endpoint): Record<string, string[]> {
  const known = new Map(Object.entries({ ...ids, ...recipientRecipes[endpoint.id]?.texts }));
  return Object.fromEntries(
    positionsOf(endpoint).map(({ name }) => [`path.${name}`, [known.get(name) ?? '']]),
  );
}

/** Existing values, by place such as path.id or body.objective_ids[*]. */
async function valuesOf(owner: Owner, endpoint: Endpoint): Promise<Record<string, string[]>> {
  const values: Record<string, string[]> = {};
  const add = (place: string, value: string) => (values[place] ??= []).push(value);
  for (let made = 0; made < thingsEach; made += 1) {
    const params = await paramsOf(owner, endpoint);
    for (const [name, value] of Object.entries(params)) add(`path.${name}`, value);
    for (const { name, make, isList } of referencesOf(endpoint)) {
      // Lists of objects with ids in them: there is no place to bind.
      if (!/_ids?$/.test(name)) continue;
      add(`body.${name}${isList ? '[*]' : ''}`, await make(owner, params));
    }
  }
  return values;
}
