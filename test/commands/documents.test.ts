import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { Command } from 'commander';
import { commandAudits } from '../../src/commands/admin/commands-audit.ts';
import { createAdmin } from '../../src/commands/admin/program.ts';
import { generatedFiles, generatedTables } from '../../src/commands/documents/pages.ts';
import { withTables } from '../../src/commands/documents/table.ts';

describe('the generated tables of a page match the code (npm run generate -- documents)', () => {
  test.each(Object.entries(generatedTables))('%s', (path, tables) => {
    const page = readFileSync(path, 'utf8');
    expect(page).toBe(withTables(page, tables));
  });
});

test.each(Object.entries(generatedFiles))(
  '%s matches the code (npm run generate -- documents)',
  (path, text) => {
    expect(readFileSync(path, 'utf8')).toBe(text);
  },
);

test('every admin command declares its audit events or the reason for none', () => {
  const namesOf = ({ commands }: Command, prefix = ''): string[] =>
    commands.flatMap((command) =>
      command.commands.length > 0
        ? namesOf(command, `${prefix}${command.name()} `)
        : [`${prefix}${command.name()}`],
    );
  expect(Object.keys(commandAudits).sort()).toEqual(namesOf(createAdmin()).sort());
});

test('a page without a place for its table is refused', () => {
  expect(() => withTables('# Page', { actions: '' })).toThrow('no place for the table "actions"');
});
