import ts from 'typescript';
import { withTables } from '../../src/commands/documents/table.ts';
import type { SourceFile } from './invariants.ts';

interface Kind {
  noun: string;
  page: string;
  /** Names that a source file declares. Never uses the list of the generator. */
  declaredIn: (file: SourceFile) => Iterable<string>;
}

const settingName = /^[A-Z][A-Z\d]+(?:_[A-Z\d]+)*$/;

/** The declared names in the code, and the page that must describe them. */
const kinds: readonly Kind[] = [
  {
    noun: 'table',
    page: 'docs/generated/tables.md',
    *declaredIn({ path, text }) {
      if (!/\/migrations\/[^/]+\.sql$/.test(path)) return;
      const found = text
        .replaceAll(/--.*$/gm, '')
        .matchAll(/\bcreate\s+(?:\w+\s+)?table\s+(?:if\s+not\s+exists\s+)?(\w+)\s*\(/gi);
      for (const [, name = ''] of found) yield name;
    },
  },
  {
    noun: 'setting',
    page: 'docs/settings.md',
    *declaredIn({ path, text }) {
      if (!/^src\/platform\/config\/[^/]+\.ts$/.test(path)) return;
      for (const node of nodesOf(path, text)) {
        if (ts.isStringLiteral(node) && settingName.test(node.text)) yield node.text;
      }
    },
  },
  {
    noun: 'metric',
    page: 'docs/generated/metrics.md',
    *declaredIn({ path, text }) {
      if (!path.startsWith('src/') || !text.includes('prom-client')) return;
      for (const node of nodesOf(path, text)) {
        if (!ts.isNewExpression(node)) continue;
        if (!/^(Counter|Gauge|Histogram|Summary)$/.test(node.expression.getText())) continue;
        const [, name = node.getText()] = /\bname: '(\w+)'/.exec(node.getText()) ?? [];
        yield name;
      }
    },
  },
  {
    noun: 'workflow',
    page: 'docs/generated/workflows.md',
    *declaredIn({ path, text }) {
      if (!path.startsWith('workflows/')) return;
      for (const [, name = ''] of text.matchAll(/\bworkflow: '(\w+)'/g)) yield name;
    },
  },
];

/** Tables, settings, metrics and workflows that have no entry in their page, or one without a purpose. */
export function findUndescribed(
  files: readonly SourceFile[],
  pages: readonly SourceFile[],
): string[] {
  return kinds.flatMap(({ noun, page, declaredIn }) => {
    const text = pages.find(({ path }) => path === page)?.text ?? '';
    return files.flatMap((file) =>
      [...new Set(declaredIn(file))].flatMap((name) => {
        const purpose = purposeOf(name, text);
        if (purpose === undefined) {
          return [`${file.path} has the ${noun} ${name}, which ${page} does not have`];
        }
        // A purpose of one word repeats the name.
        return purpose.includes(' ') ? [] : [`${page} has no purpose of the ${noun} ${name}`];
      }),
    );
  });
}

/** Pages that differ from what `npm run generate -- documents` writes. */
export function findStalePages(
  generated: Readonly<Record<string, Readonly<Record<string, string>>>>,
  pages: readonly SourceFile[],
): string[] {
  return Object.entries(generated).flatMap(([path, tables]) => {
    const text = pages.find((page) => page.path === path)?.text;
    if (text === undefined) return [`${path} does not exist`];
    const isCurrent = withTables(text, tables) === text;
    return isCurrent ? [] : [`${path} is out of date: run \`npm run generate -- documents\``];
  });
}

/** The last cell of the row that begins with the name, or the paragraph below its heading. */
function purposeOf(name: string, page: string): string | undefined {
  const quoted = `\`${name}\``;
  const lines = page.split('\n').map((line) => line.trim());
  const heading = lines.indexOf(`### ${quoted}`);
  if (heading !== -1) return lines[heading + 2] ?? '';
  const row = lines.find((line) => line.startsWith(`| ${quoted} `));
  return row?.split('|').at(-2)?.trim();
}

function* nodesOf(path: string, text: string): Generator<ts.Node> {
  const open: ts.Node[] = [ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)];
  for (let node = open.pop(); node; node = open.pop()) {
    yield node;
    ts.forEachChild(node, (child) => void open.push(child));
  }
}
