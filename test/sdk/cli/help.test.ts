import { expect, test } from '@jest/globals';
import { kebab } from '../../../sdk/cli/src/commands/resources.ts';
import { readDocument, readOperations } from '../../../sdk/generate/document.ts';
import type { Schema } from '../../../sdk/generate/document.ts';
import { formOf } from '../../../sdk/generate/cli/types.ts';
import { runCli } from './run-cli.ts';

const document = readDocument();
const operations = readOperations(document);
const environment = { ONWARD_BASE_URL: 'https://api.example.com/', ONWARD_DATA_DIR: '/nowhere' };

const helpOf = async (words: readonly string[], columns = 80) => {
  const { lines, code } = await runCli([...words, '--help'], { environment, columns });
  expect(code).toBe(0);
  return lines.join('\n').split('\n');
};

/** Fields that a client can write; the name of the resource says nothing. */
function writable(schema: Schema): string[] {
  const { properties = {}, required = [], anyOf } = formOf(schema, document).schema;
  if (anyOf) return anyOf.flatMap(writable);
  return Object.entries(properties).flatMap(([name, property]) => {
    const { schema: form } = formOf(property, document);
    const isName = name === 'type' && form.const !== undefined && !required.includes(name);
    return form.readOnly === true || isName ? [] : [name];
  });
}

test.each(operations.filter(({ flags }) => /[jf]/.test(flags)))(
  'the help of $id names the fields of its body, within a terminal, and the reference',
  async ({ id, namespace, method, body }) => {
    const lines = await helpOf([kebab(namespace), kebab(method)]);
    const text = lines.join('\n');
    const [[, schema] = ['', {}]] = body?.types ?? [];
    const isCut = / {2}and \d+ more, which the reference has/.test(text);
    const missing = writable(schema).filter((name) => !text.includes(` ${name}`));
    expect(isCut ? [] : missing).toEqual([]);
    expect(text).toContain(`Reference: https://api.example.com/docs/reference#${id}`);
    expect(text).toContain('Example:\n  onward ');
    // A word without a space to break at is longer, such as an example to copy.
    const start = lines.findIndex((line) => line.startsWith('Fields (name='));
    const wide = lines
      .slice(start)
      .filter((line) => line.length > 80 && !line.startsWith('  onward '));
    expect(wide).toEqual([]);
    expect(lines.length).toBeLessThan(220);
  },
);

test('a field has its type, its values, whether it is required, and a sentence', async () => {
  const text = (await helpOf(['templates', 'create-message'])).join('\n');
  expect(text).toMatch(/^ {2}\* channel= +email \| sms \| push\. Fixed;/m);
  expect(text).toMatch(/^ {4}trigger\.weekday_mask:= +whole number from 1 to 127\./m);
  expect(text).toMatch(/^ {4}from_email= +e-mail address or null\./m);
  expect(text).toMatch(/^ {4}localizations\.<name>\.subject=/m);
  expect(text).toMatch(/^ {2}onward templates create-message <id> .*trigger\.kind=/m);
  const contact = (await helpOf(['contacts', 'create'])).join('\n');
  expect(contact).toContain('attributes.<name>=');
  expect(contact).toMatch(/consents\.sms\.status= +never \| pending \| subscribed/);
  expect(contact).not.toContain('inserted_at');
});

test('a wide terminal is used, up to a width that can be read', async () => {
  const widest = async (columns: number) =>
    Math.max(
      ...(await helpOf(['contacts', 'update'], columns))
        .filter((line) => line.startsWith('    '))
        .map((line) => line.length),
    );
  expect(await widest(80)).toBeLessThanOrEqual(80);
  const wide = await widest(400);
  expect(wide).toBeGreaterThan(80);
  expect(wide).toBeLessThanOrEqual(120);
});

test('the help of a list names its filters, orders and relations', async () => {
  const text = (await helpOf(['contacts', 'list'])).join('\n');
  expect(text).toMatch(/Filter \(.*\):\n {2}unique_id, email,/);
  expect(text).toContain('attributes.<name>');
  expect(text).toMatch(/Sort:\n {2}email, last_name,/);
  expect(text).toMatch(/Include:\n {2}accounts, cohorts, journeys/);
});
