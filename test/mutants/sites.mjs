// Places where a source keeps teams apart, and how the source reads with a mark around each. Plain
// JavaScript: jest loads it outside of its own loader. Marks are comments of SQL, so that they pass
// through fragments and strings; switches.ts finds them in what is sent.
import ts from 'typescript';

/** A condition on the team: of a value, of a numbered value, or of another row's team. */
const predicates = new RegExp(
  [
    String.raw`(?:\b\w+\.)?\bteam_id = (?:\$\{[^{}]*\}|\$\d+(?:::uuid)?|\w+\.\w+)`,
    String.raw`\b\w+\.\w+ = \w+\.team_id\b`,
    String.raw`(?:\b\w+\.)?\bid = \$\{(?:\w+\.)?(?:teamId|team_id)\}`,
  ].join('|'),
  'g',
);
/** Other ways to say it, which no mark can switch off. */
const otherForms =
  /\bteam_id\s+(?:in|<>|!=|between)\b|\bteam_id = any\b|using\s*\([^)]*\bteam_id|\([^()]*\bteam_id\b[^()]*\)\s*(?:=|in\b)/g;

/** Its statements are those of every declared table; a mutant is one of them for one table. */
export const tableBuilder = 'src/platform/resources/table.ts';

/**
 * @returns {{ at: number, end: number, line: number, within: string, canSwitch: boolean }[]}
 */
export function findSites(path, text) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const literals = [];
  const collect = (node) => {
    if (ts.isStringLiteral(node) || ts.isTemplateLiteralToken(node)) {
      literals.push({ from: node.getStart(), to: node.getEnd(), within: nameAround(path, node) });
    }
    ts.forEachChild(node, collect);
  };
  collect(source);
  const found = [];
  const add = (canSwitch) => (match) => {
    const literal = literals.find(({ from, to }) => match.index > from && match.index < to);
    if (!literal || isInComment(text, literal.from, match.index)) return;
    const at = match.index;
    const { line } = source.getLineAndCharacterOfPosition(at);
    const end = at + match[0].length;
    found.push({ at, end, line: line + 1, within: literal.within, canSwitch });
  };
  [...text.matchAll(predicates)].forEach(add(true));
  [...text.matchAll(otherForms)].forEach(add(false));
  return found.sort((a, b) => a.at - b.at);
}

/** Whether a comment of SQL is open. */
function isInComment(text, from, at) {
  const before = text.slice(from, at);
  return before.lastIndexOf('/*') > before.lastIndexOf('*/');
}

/** The function or constant of the file that a node stands in; the statement, in the builder. */
function nameAround(path, node) {
  let name = '';
  for (let outer = node.parent; outer && !ts.isSourceFile(outer); outer = outer.parent) {
    if (path === tableBuilder && ts.isPropertyAssignment(outer)) return outer.name.getText();
    if (ts.isFunctionDeclaration(outer) || ts.isVariableDeclaration(outer)) {
      name = outer.name?.getText() ?? name;
    }
  }
  return name;
}

/** A name that stays while lines move: the file, what the site stands in, and its number there. */
export function namesOf(path, sites) {
  const seen = new Map();
  return sites.map(({ within }) => {
    const count = (seen.get(within) ?? 0) + 1;
    seen.set(within, count);
    return `${path} ${within}${count > 1 ? `#${count}` : ''}`;
  });
}

export const ofTable = (name, table) => `${name} of ${table}`;

const scopeChecks = 'endpoint.scope, ...(demands?.scopes ?? []));';
const includeChecks = 'checkScopes(principal, ...scopes);';
const handlerCheck = 'checkScopes(principal, ';
const mechanisms = ['src/platform/http/authorize.ts', 'src/platform/lists/list-endpoint.ts'];
const asking = 'src/operations/runs/running/apply-chunk.ts';
const workerCheck = 'missingScopes(operation, principal)';
const driver = "import postgres from 'postgres';";

/** The text with a mark around each of its sites, and a switch at each check of a scope. */
export function withSwitches(path, text) {
  let switched = text;
  const sites = findSites(path, text);
  const names = namesOf(path, sites);
  [...sites.entries()].reverse().forEach(([index, { at, end, canSwitch }]) => {
    if (!canSwitch) return;
    const found = switched.slice(at, end);
    // The statements are plain templates, which fill in the name of their table.
    const name = path === tableBuilder ? ofTable(names[index], '${name}') : names[index];
    const marked = `/*<${name}>*/${found}/*</${name}>*/`;
    switched = switched.slice(0, at) + marked + switched.slice(end);
  });
  const [authorizing, listing] = mechanisms;
  if (path === authorizing) {
    const asked = (scopes, name) =>
      `...${scopes}.filter(() => !onwardSwitch('${name} ' + endpoint.id))`;
    const demanded = asked('(demands?.scopes ?? [])', 'scope demanded by');
    return replaceOnce(
      switched,
      scopeChecks,
      `${asked('[endpoint.scope]', 'scope of')}, ${demanded});`,
    );
  }
  if (path === listing) {
    const isOff = "onwardSwitch('scope of ' + query.include[at] + ' in ' + id)";
    return replaceOnce(
      switched,
      includeChecks,
      `checkScopes(principal, ...scopes.filter((_, at) => !${isOff}));`,
    );
  }
  if (path === 'src/platform/database/connection.ts') {
    // The setup of a run, where no switch is, comes by here as well.
    const wrapped =
      'const postgres = (...values) => seen(driver(...values));\n' +
      'const seen = (sql) => globalThis.onwardSql?.(sql) ?? sql;';
    return replaceOnce(switched, driver, `import driver from 'postgres';\n${wrapped}`);
  }
  if (path === asking) {
    const isOff = `onwardSwitch('scope in ${path}')`;
    return replaceOnce(switched, workerCheck, `(${isOff} ? [] : ${workerCheck})`);
  }
  if (mechanisms.includes(path)) return switched;
  // All checks of a file are one switch.
  return switched.replaceAll(
    handlerCheck,
    () => `if (!onwardSwitch('scope in ${path}')) ${handlerCheck}`,
  );
}

/** Whether a handler, a function it calls, or a worker checks a scope itself. */
export function isAskedInHandler(path, text) {
  return path === asking || (!mechanisms.includes(path) && text.includes(handlerCheck));
}

function replaceOnce(text, found, replacement) {
  if (text.split(found).length !== 2) throw new Error(`"${found}" is not there once`);
  return text.replace(found, () => replacement);
}
