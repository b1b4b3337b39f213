import ts from 'typescript';
import type { SourceFile } from './invariants.ts';

/** Sources whose exported limits partners meet. */
const shared = /^src\/(?!(app|commands|local|meta|platform(?!\/egress\/))\/)[a-z]+\//;
const limitName = /^max[A-Z]/;
/** The last cell of a row: the file, then the constant or the member of an object of constants. */
const sourcePattern = /^`(src\/[\w./-]+\.ts)` `(\w+(?:\.\w+)*)`$/;

/**
 * Faults of docs/limits.md: each row has the value of the constant that it names, and each exported
 * limit of a resource has a row.
 */
export function findLimitFaults(text: string, files: readonly SourceFile[]): string[] {
  const faults: string[] = [];
  const listed = new Set<string>();
  const sources = new Map(files.map((file) => [file.path, file.text]));
  for (const line of text.split('\n')) {
    const cells = line.split('|').map((cell) => cell.trim());
    const [, path = '', name = ''] = sourcePattern.exec(cells.at(-2) ?? '') ?? [];
    if (path === '') continue;
    listed.add(`${path} ${name}`);
    const value = constantsOf(path, sources.get(path) ?? '').get(name);
    const written = /^[\d,.]+/.exec(cells[2] ?? '')?.[0].replaceAll(',', '');
    if (value === undefined) faults.push(`${path} has no number ${name}`);
    else if (String(value) !== written) {
      faults.push(
        `${name} of ${path} is ${String(value)}, and the row says ${written ?? 'nothing'}`,
      );
    }
  }
  for (const { path, text: source } of files.filter((file) => shared.test(file.path))) {
    for (const name of constantsOf(path, source, 'exported').keys()) {
      if (!limitName.test(name) || listed.has(`${path} ${name}`)) continue;
      faults.push(`${path} has the limit ${name}, which has no row`);
    }
  }
  return faults;
}

/** Numbers that a file declares at its top, also as members of objects: "limits.sessions". */
function constantsOf(path: string, text: string, which?: 'exported'): Map<string, number> {
  const found = new Map<string, number>();
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  const add = (name: string, node: ts.Node | undefined): void => {
    if (node === undefined) return;
    if (ts.isAsExpression(node)) add(name, node.expression);
    // The declaration of a setting.
    if (ts.isCallExpression(node)) add(name, node.arguments.at(-1));
    const value = numberOf(node);
    if (value !== undefined) found.set(name, value);
    if (!ts.isObjectLiteralExpression(node)) return;
    for (const member of node.properties) {
      if (!ts.isPropertyAssignment(member) || !ts.isIdentifier(member.name)) continue;
      add(`${name}.${member.name.text}`, member.initializer);
    }
  };
  for (const statement of source.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    const isExported = statement.modifiers?.some(
      ({ kind }) => kind === ts.SyntaxKind.ExportKeyword,
    );
    if (which === 'exported' && !isExported) continue;
    for (const { name, initializer } of statement.declarationList.declarations) {
      if (ts.isIdentifier(name)) add(name.text, initializer);
    }
  }
  return found;
}

/** The value of a number or of a product of numbers. */
function numberOf(node: ts.Node): number | undefined {
  if (ts.isNumericLiteral(node)) return Number(node.text);
  if (!ts.isBinaryExpression(node)) return undefined;
  if (node.operatorToken.kind !== ts.SyntaxKind.AsteriskToken) return undefined;
  const [left, right] = [numberOf(node.left), numberOf(node.right)];
  return left === undefined || right === undefined ? undefined : left * right;
}
