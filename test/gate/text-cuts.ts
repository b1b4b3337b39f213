import path from 'node:path';
import ts from 'typescript';
import type { SourceFile } from './invariants.ts';

/** The function that cuts texts, and what is generated or has no text of others. */
const exempt = /^src\/(platform\/cut-text\.ts|local\/|commands\/seed)|\/generated\//;

/**
 * Texts of ASCII only: timestamps, digests, UUIDs and own secrets, by the last name of an
 * expression or of the function that returns it. An id is none: providers choose theirs.
 */
const asciiName =
  /^(now|start|end|timestamp|hex|said|secret|runId|toISOString|fromUnix|digest|randomUUID)$|_at$|[a-z]At$/;
/** Lists and bytes whose types come from packages. */
const listName = /^(items|bytes|toByteArray)$/;
/** Names of limits that are not constants. */
const limitName = /^(max|most|limit|length|width|size)|(Length|Limit|Width|Size)$/;

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  lib: ['lib.es2023.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  types: [],
};

/**
 * Places that cut a text at a fixed number of UTF-16 units, which may leave half a character:
 * Postgres then refuses the JSON with it. Positions that were searched for are not reported.
 */
export function findTextCuts(files: readonly SourceFile[]): string[] {
  const checked = files.filter(({ path: name }) => !exempt.test(name));
  const texts = new Map(checked.map((file) => [path.resolve(file.path), file.text]));
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists } = host;
  host.readFile = (name) => texts.get(path.resolve(name)) ?? readFile(name);
  host.fileExists = (name) => texts.has(path.resolve(name)) || fileExists(name);
  // Types of packages take four times as long: what they would tell counts as text.
  host.resolveModuleNameLiterals = (literals, from) =>
    literals.map(({ text }) => ({
      resolvedModule: text.startsWith('.')
        ? {
            resolvedFileName: path.resolve(path.dirname(from), text),
            extension: ts.Extension.Ts,
          }
        : undefined,
    }));
  // Files without such a call need no types.
  const cutting = [...texts].filter(([, text]) => /\.(slice|substring|substr)\(/.test(text));
  const program = ts.createProgram({
    rootNames: cutting.map(([name]) => name),
    options,
    host,
  });
  const checker = program.getTypeChecker();
  return cutting.flatMap(([name]) => {
    const source = program.getSourceFile(name);
    return source ? cutsIn(source, checker) : [];
  });
}

function cutsIn(source: ts.SourceFile, checker: ts.TypeChecker): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isCut(node, checker)) {
      const { line } = source.getLineAndCharacterOfPosition(node.expression.end);
      found.push(
        `${path.relative('.', source.fileName)}:${String(line + 1)}: ${node.getText().slice(-60)} ` +
          'may leave half a character: use cutText, or cutShown for people (src/platform/cut-text.ts)',
      );
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function isCut({ expression, arguments: args }: ts.CallExpression, checker: ts.TypeChecker) {
  if (!ts.isPropertyAccessExpression(expression)) return false;
  const { name, expression: receiver } = expression;
  if (!['slice', 'substring', 'substr'].includes(name.text)) return false;
  const [from, to] = args;
  const isLimited = to
    ? isLimit(to, checker)
    : from !== undefined && ts.isPrefixUnaryExpression(from) && isLimit(from.operand, checker);
  if (name.text === 'slice' && !isLimited) return false;
  const receiverName = lastNameOf(receiver);
  if (asciiName.test(receiverName) || listName.test(receiverName)) return false;
  const type = checker.getNonNullableType(checker.getTypeAtLocation(receiver));
  return (type.isUnion() ? type.types : [type]).some(
    ({ flags }) => (flags & (ts.TypeFlags.StringLike | ts.TypeFlags.Any)) !== 0,
  );
}

/** A number that does not come from a search: a constant, or what is named like a limit. */
function isLimit(node: ts.Expression, checker: ts.TypeChecker): boolean {
  if (ts.isParenthesizedExpression(node)) return isLimit(node.expression, checker);
  if (ts.isBinaryExpression(node))
    return isLimit(node.left, checker) && isLimit(node.right, checker);
  if (ts.isPrefixUnaryExpression(node)) return false;
  const isNamed = ts.isIdentifier(node) && limitName.test(node.text);
  return isNamed || checker.getTypeAtLocation(node).isNumberLiteral();
}

/** `now` of `call.now`, `toISOString` of `date.toISOString()`, `hex` of `hex.replaceAll('-', '')`. */
function lastNameOf(node: ts.Expression): string {
  if (ts.isCallExpression(node)) return lastNameOf(node.expression);
  if (ts.isPropertyAccessExpression(node)) {
    return node.name.text === 'replaceAll' ? lastNameOf(node.expression) : node.name.text;
  }
  return ts.isIdentifier(node) ? node.text : '';
}
