import { readFileSync, writeFileSync } from 'node:fs';
import { print, runCommand } from './command.ts';
import { generatedFiles, generatedTables } from './documents/pages.ts';
import { withTables } from './documents/table.ts';

// `npm run generate -- documents`: rewrites the tables and files of docs/ that the code determines.
runCommand(() => {
  for (const [path, tables] of Object.entries(generatedTables)) {
    writeFileSync(path, withTables(readFileSync(path, 'utf8'), tables));
    print(`Written to ${path}`);
  }
  for (const [path, text] of Object.entries(generatedFiles)) {
    writeFileSync(path, text);
    print(`Written to ${path}`);
  }
  return Promise.resolve();
});
