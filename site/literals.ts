interface Manner {
  text(value: string): string;
  constants: Readonly<Record<'true' | 'false' | 'null', string>>;
  key(name: string): string;
}

const javaScript: Manner = {
  text: singleQuoted,
  constants: { true: 'true', false: 'false', null: 'null' },
  key: (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : singleQuoted(name)),
};
const python: Manner = {
  text: (value) => JSON.stringify(value),
  constants: { true: 'True', false: 'False', null: 'None' },
  key: (name) => JSON.stringify(name),
};

/** A JSON value as a literal of JavaScript. */
export const javaScriptOf = (value: unknown) => literalOf(value, javaScript, '');
/** A JSON value as a literal of Python. */
export const pythonOf = (value: unknown) => literalOf(value, python, '');

function literalOf(value: unknown, manner: Manner, indent: string): string {
  if (typeof value === 'string') return manner.text(value);
  if (value === null || value === undefined) return manner.constants.null;
  if (typeof value === 'boolean') return manner.constants[value ? 'true' : 'false'];
  if (typeof value !== 'object') return JSON.stringify(value);
  const deeper = `${indent}  `;
  const isList = Array.isArray(value);
  const entries = isList
    ? value.map((item: unknown) => literalOf(item, manner, deeper))
    : Object.entries(value).map(
        ([name, item]) => `${manner.key(name)}: ${literalOf(item, manner, deeper)}`,
      );
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  if (entries.length === 0) return `${open}${close}`;
  const pad = isList || manner === python ? '' : ' ';
  const line = `${open}${pad}${entries.join(', ')}${pad}${close}`;
  if (line.length + indent.length <= 72 && !line.includes('\n')) return line;
  const lines = entries.map((entry) => `${deeper}${entry},\n`);
  return `${open}\n${lines.join('')}${indent}${close}`;
}

function singleQuoted(value: string): string {
  return `'${JSON.stringify(value)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`)}'`;
}
