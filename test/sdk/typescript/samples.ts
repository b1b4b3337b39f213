import { readFileSync } from 'node:fs';

/** The TypeScript samples of a page as one program; the first declares what the others use. */
export function writeSamples(page: string): string {
  const text = readFileSync(page, 'utf8');
  const blocks = [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code);
  const isImport = (line: string) => line.startsWith('import ');
  const names = new Map<string, Set<string>>();
  for (const line of blocks.flatMap((code) => code.split('\n')).filter(isImport)) {
    const [, list = '', from = ''] = /\{ (.*) \} from '(.*)'/.exec(line) ?? [];
    names.set(from, new Set([...(names.get(from) ?? []), ...list.split(', ')]));
  }
  const [first = '', ...others] = blocks.map((code) =>
    code
      .split('\n')
      .filter((line) => !isImport(line))
      .join('\n'),
  );
  return [
    ...Array.from(names, ([from, list]) => `import { ${[...list].join(', ')} } from '${from}';`),
    'const [url, id, secret] = process.argv.slice(2);',
    'const given = { ONWARD_BASE_URL: url, ONWARD_CLIENT_ID: id, ONWARD_CLIENT_SECRET: secret, PORT: "0" };',
    'Object.assign(process.env, given);',
    first,
    ...others.map((code) => `{\n${code}}`),
    'process.exit();',
  ].join('\n');
}
