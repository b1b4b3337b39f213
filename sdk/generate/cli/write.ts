import type { Document, Operation } from '../document.ts';
import { filterFields, partsOf } from '../query-parts.ts';
import { columnsOf } from './columns.ts';
import { exampleOf } from './example.ts';
import { fieldsOf } from './fields.ts';

/**
 * Help and columns of each operation for the command line, as one text that is parsed where it is needed: a
 * line with its id, then lines that begin with a letter for what they hold.
 */
export function writeFacts(operations: readonly Operation[], document: Document): string {
  const lines = operations.flatMap((operation) => linesOf(operation, document));
  const text = lines.join('\n').replaceAll(/[\\`]|\$(?=\{)/g, String.raw`\$&`);
  return `export const facts = \`\n${text}\n\`;\n`;
}

function linesOf(operation: Operation, document: Document): string[] {
  const example = exampleOf(operation);
  const fields = fieldsOf(operation, document).map(({ typed, isRequired, type, description }) =>
    ['f', typed, isRequired ? '*' : '', type, description].join('\t').trimEnd(),
  );
  const { inFilter, plain } = partsOf(operation.query);
  const { fields: filters, isOpen } = filterFields(inFilter);
  const filtered = [...filters.keys(), ...(isOpen ? ['attributes.<name>'] : [])];
  const sorted = plain.find(({ name }) => name === 'sort')?.schema.items?.enum ?? [];
  const others = plain.flatMap(({ name }) =>
    ['sort', 'include', 'meta'].includes(name) ? [] : [name],
  );
  const included = plain.find(({ name }) => name === 'include')?.schema.items?.enum ?? [];
  const columns = columnsOf(operation, document);
  const line = (letter: string, values: readonly string[]) =>
    values.length === 0 ? [] : [[letter, ...values].join('\t')];
  const facts = [
    ...line('e', example === '' ? [] : [example]),
    ...fields,
    ...line('w', filtered),
    ...line(
      's',
      sorted.filter((name) => !name.startsWith('-')),
    ),
    ...line('i', included),
    ...line('q', others),
    ...line('c', columns),
  ];
  return facts.length === 0 ? [] : [operation.id, ...facts];
}
