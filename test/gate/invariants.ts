import ts from 'typescript';

export interface SourceFile {
  /** Relative to the project, with forward slashes. */
  path: string;
  text: string;
}

export interface Finding {
  path: string;
  /** Counted from 1. */
  line: number;
  message: string;
}

type Check = (file: ParsedFile) => Iterable<{ at: number; message: string }>;
interface ParsedFile extends SourceFile {
  source: ts.SourceFile;
  nodes: readonly ts.Node[];
  teamTables: ReadonlySet<string>;
}

const shipped = /^(src|workflows|activities)\//;
/** An insight is one value in one file, its SQL included. */
const answers = /^src\/insights\/answers\//;
const sqlHomes = new RegExp(
  `(/queries\\.ts$)|^src/(platform/(database|auth|http|lists|temporal|replays|events|resources)/)|${answers.source}`,
);
/** Files that build statements from declarations, so that no tag marks them. */
const builders = /^src\/platform\/resources\//;
const statementStart = /^\s*(select|insert|update|delete|with|merge|truncate)(\s|$)/i;
// Commands make up their own times.
const timeHomes = /^src\/(platform\/time|commands)\//;
const unboundedSum = /(?<!to_safe_integer\((?:coalesce\()?)\bsum\((?:\w+\.)?\w*_cents\b/g;
const environmentHomes = /^src\/platform\/config\.ts$|^src\/local\/[^/]+\.mjs$|^test\//;
const temporalHomes =
  /^src\/(platform\/temporal|commands|app)\/|^src\/(main|worker)\.ts$|^test\/(?!gate\/)/;

/** Invariants of the sources that no type or import rule can check. ADR 47. */
const checks: readonly Check[] = [
  function* sqlInItsPlaces({ path, nodes }) {
    if (!shipped.test(path) || sqlHomes.test(path)) return;
    for (const node of nodes) {
      if (!isSqlTag(node) && !isUnsafeSql(node)) continue;
      yield { at: node.getStart(), message: 'SQL belongs in the queries.ts of its resource' };
    }
  },
  function* environmentInConfig({ path, nodes }) {
    if (!shipped.test(path) || environmentHomes.test(path)) return;
    for (const node of nodes) {
      if (!isMember(node, /^process$/, /^env$/)) continue;
      yield { at: node.getStart(), message: 'read the environment in src/platform/config.ts' };
    }
  },
  function* rulesHaveNoClock({ path, nodes }) {
    if (!/^src\/.+\/rules\.ts$/.test(path)) return;
    for (const node of nodes) {
      if (!isCurrentDate(node)) continue;
      yield { at: node.getStart(), message: 'take the time as an argument' };
    }
  },
  function* timesAreBounded({ path, nodes }) {
    if (!/^(src|activities)\//.test(path) || timeHomes.test(path)) return;
    for (const node of nodes) {
      if (!isUnboundedTime(node)) continue;
      yield {
        at: node.getStart(),
        message: 'use toTimestamp of src/platform/time/rules.ts, which bounds the time',
      };
    }
  },
  function* sumsAreBounded({ path, text }) {
    if (!sqlHomes.test(path)) return;
    for (const match of text.matchAll(unboundedSum)) {
      yield { at: match.index, message: 'sum amounts by to_safe_integer(sum(…))' };
    }
  },
  function* temporalClientInItsPlaces({ path, nodes }) {
    if (temporalHomes.test(path)) return;
    for (const node of nodes) {
      if (!isImportOf(node, /^@temporalio\/client$/)) continue;
      yield {
        at: node.getStart(),
        message:
          'use signalJob of src/platform/jobs/queries.ts; only src/platform/temporal and roots call Temporal',
      };
    }
  },
  function* statementsNameTheirTeam({ path, nodes, teamTables }) {
    if (!path.endsWith('/queries.ts') && !answers.test(path)) return;
    for (const node of nodes) {
      if (!isSqlTag(node) || !isStatement(node) || isInsideSql(node)) continue;
      const text = node.getText();
      const isMarked = /\/\* (any team:|team_id) \S/.test(text);
      if (isMarked || /\bteam_id\b/.test(withoutComments(text))) continue;
      if (!tablesOf(text).some((table) => table === '$' || teamTables.has(table))) continue;
      yield {
        at: node.getStart(),
        message:
          'say `team_id` in the statement, or in a comment where it is: /* team_id … */, ' +
          'or why it is not: /* any team: … */',
      };
    }
  },
  function* builtStatementsNameTheirTeam({ path, nodes }) {
    if (!builders.test(path)) return;
    for (const node of nodes) {
      if (!ts.isTemplateExpression(node) || ts.isTaggedTemplateExpression(node.parent)) continue;
      const text = node.getText().slice(1);
      if (!statementStart.test(text) || /\bteam_id\b/.test(withoutComments(text))) continue;
      yield { at: node.getStart(), message: 'say `team_id` in the statement' };
    }
  },
  function* nothingLeftToDo({ text }) {
    for (const match of text.matchAll(/\b(?:TO[D]O|FIX[M]E|XX[X])\b/g)) {
      yield { at: match.index, message: `${match[0]}: do it, or write it down in docs/adr` };
    }
  },
  function* everyTestRuns({ path, nodes }) {
    if (!path.startsWith('test/')) return;
    for (const node of nodes) {
      const isLeftOut =
        isMember(node, /^(test|it|describe)$/, /^(only|skip|todo|failing)$/) ||
        isCall(node, /^([xf](it|describe)|xtest)$/);
      if (isLeftOut) yield { at: node.getStart(), message: 'every test runs, everywhere' };
    }
  },
  function* noSleepInTests({ path, nodes }) {
    // The programs of test/chaos and test/bench, and what they share, offer load by the clock.
    if (!/^test\/(?!support\/|world\/|chaos\/|bench\/)/.test(path)) return;
    for (const node of nodes) {
      const isSleep =
        isCall(node, /^(setTimeout|sleep|delay)$/) ||
        isImportOf(node, /^(node:)?timers(\/promises)?$/);
      if (isSleep) {
        yield {
          at: node.getStart(),
          message: 'wait for what shall happen (test/support), not for time to pass',
        };
      }
    }
  },
];

/** Every violation of an invariant in the sources. `migrations` define the tables of teams. */
export function findBreaches(
  files: readonly SourceFile[],
  migrations: readonly string[],
): Finding[] {
  const teamTables = teamTablesOf(migrations);
  return files.flatMap((file) => {
    const source = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.Latest, true);
    const parsed = { ...file, source, nodes: [...walk(source)], teamTables };
    return checks.flatMap((check) =>
      [...check(parsed)].map(({ at, message }) => ({
        path: file.path,
        line: source.getLineAndCharacterOfPosition(at).line + 1,
        message,
      })),
    );
  });
}

/** Tables with a column team_id, by their `create table`. */
export function teamTablesOf(migrations: readonly string[]): Set<string> {
  const tables = migrations.flatMap((text) => [
    ...withoutComments(text).matchAll(/create table (?:if not exists )?(\w+) \(([\s\S]*?)\n\)/g),
  ]);
  return new Set(
    tables.flatMap(([, name = '', columns = '']) => (/\bteam_id\b/.test(columns) ? [name] : [])),
  );
}

/** Names after from, join, into, update and using; `$` for one that is filled in. */
function tablesOf(statement: string): string[] {
  const found = withoutComments(statement).matchAll(
    /\b(?:from|join|into|update|using)\s+(?:only\s+|lateral\s+)?(\w+|\$)/g,
  );
  return [...found].map(([, table = '']) => table);
}

function withoutComments(sql: string): string {
  return sql.replaceAll(/\/\*[\s\S]*?\*\//g, ' ').replaceAll(/--.*$/gm, ' ');
}

function* walk(node: ts.Node): Generator<ts.Node> {
  yield node;
  const children: ts.Node[] = [];
  ts.forEachChild(node, (child) => {
    children.push(child);
  });
  for (const child of children) yield* walk(child);
}

/** The module's name in an import or a re-export, static or not. */
function isImportOf(node: ts.Node, name: RegExp): boolean {
  if (!ts.isStringLiteral(node) || !name.test(node.text)) return false;
  const { parent } = node;
  if (ts.isCallExpression(parent)) return parent.expression.kind === ts.SyntaxKind.ImportKeyword;
  return ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent);
}

/** `new Date()`. */
function isCurrentDate(node: ts.Node): boolean {
  if (!ts.isNewExpression(node) || (node.arguments?.length ?? 0) > 0) return false;
  return node.expression.getText() === 'Date';
}

/** `….toISOString()`, but of the present time: `new Date()` or `new Date(nowMs)`. */
function isUnboundedTime(node: ts.Node): boolean {
  if (!ts.isPropertyAccessExpression(node) || node.name.text !== 'toISOString') return false;
  return !/^new Date\((?:(?:\w+\.)*now(?:Ms)?)?\)$/.test(node.expression.getText());
}

function isSqlTag(node: ts.Node): node is ts.TaggedTemplateExpression {
  return ts.isTaggedTemplateExpression(node) && /^(sql|tx)$/.test(node.tag.getText());
}

function isUnsafeSql(node: ts.Node): boolean {
  return isMember(node, /^(sql|tx)$/, /^(unsafe|file)$/);
}

/** A fragment, such as a condition that several statements share, is part of a statement. */
function isStatement(node: ts.TaggedTemplateExpression): boolean {
  const text = withoutComments(node.template.getText().slice(1));
  return statementStart.test(text);
}

function isInsideSql(node: ts.Node): boolean {
  for (let outer = node.parent; !ts.isSourceFile(outer); outer = outer.parent) {
    if (isSqlTag(outer)) return true;
  }
  return false;
}

function isMember(node: ts.Node, object: RegExp, property: RegExp): boolean {
  if (ts.isPropertyAccessExpression(node)) {
    return object.test(node.expression.getText()) && property.test(node.name.text);
  }
  return (
    ts.isElementAccessExpression(node) &&
    object.test(node.expression.getText()) &&
    ts.isStringLiteral(node.argumentExpression) &&
    property.test(node.argumentExpression.text)
  );
}

function isCall(node: ts.Node, name: RegExp): boolean {
  return ts.isCallExpression(node) && name.test(node.expression.getText());
}
