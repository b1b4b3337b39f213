// Places where a source keeps teams or scopes apart, and how it reads with a switch in each. Plain
// JavaScript: jest loads it outside of its own loader. The switch `onwardMutant` is a global of the
// suite, asked by id whenever the place is reached.

/** Predicates of statements, with a value that is filled in. */
const predicates = /(?:\b\w+\.)?\bteam_id = \$\{[\w.]+\}/g;
/** Conditions of lists, plain strings with numbered values. */
const conditions = /(['`])(?:(?!\1)[^\n])*?\bteam_id = \$1(?:::uuid)?(?:(?!\1)[^\n])*\1/g;
const numbered = /(?:\b\w+\.)?\bteam_id = \$1(?:::uuid)?/;
const scopeCheck = 'checkScope(exchange.principal, endpoint.scope);';
const includeCheck =
  'for (const name of asked.include) checkScope(principal, includes.get(name)?.scope ?? scope);';

/** @returns {{ id: string, at: number, found: string, switched: string }[]} */
export function findSites(path, text) {
  if (!path.endsWith('/queries.ts')) return [];
  const sites = [];
  const add = (at, found, makeSwitched) => {
    const line = text.slice(0, at).split('\n').length;
    const others = sites.filter(({ id }) => id.split('#')[0] === `${path}:${line}`).length;
    const id = `${path}:${line}${others > 0 ? `#${others + 1}` : ''}`;
    const isOn = `globalThis.onwardMutant(${JSON.stringify(id)})`;
    sites.push({ id, at, found, switched: makeSwitched(isOn) });
  };
  for (const { 0: found, index } of text.matchAll(predicates)) {
    add(index, found, (isOn) => `(\${sql.unsafe(${isOn} ? 'true or ' : '')}${found})`);
  }
  for (const { 0: found, index } of text.matchAll(conditions)) {
    const without = found.replace(numbered, (predicate) => `(true or ${predicate})`);
    add(index, found, (isOn) => `(${isOn} ? ${without} : ${found})`);
  }
  return sites.sort((a, b) => a.at - b.at);
}

/** The text with a switch at each of its places. */
export function withSwitches(path, text) {
  if (path === 'src/http/serve.ts') {
    return replaceOnce(
      text,
      scopeCheck,
      `if (!globalThis.onwardMutant('scope ' + endpoint.id)) ${scopeCheck}`,
    );
  }
  if (path === 'src/listing/list-endpoint.ts') {
    const [head, call] = includeCheck.split(') checkScope');
    return replaceOnce(
      text,
      includeCheck,
      `${head}) if (!globalThis.onwardMutant('include ' + id + ' ' + name)) checkScope${call}`,
    );
  }
  let switched = text;
  for (const site of findSites(path, text).reverse()) {
    const rest = switched.slice(site.at + site.found.length);
    switched = switched.slice(0, site.at) + site.switched + rest;
  }
  return switched;
}

function replaceOnce(text, found, switched) {
  if (text.split(found).length !== 2) throw new Error(`"${found}" is not there once`);
  return text.replace(found, () => switched);
}
