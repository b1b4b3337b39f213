import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { endpoints } from '../app/endpoints.ts';
import { openApiDocument } from '../meta/openapi.ts';
import { print, runCommand } from './command.ts';

const snapshot = fileURLToPath(new URL('../../test/contract/openapi.json', import.meta.url));

// `npm run generate -- openapi [-- --print]`: rewrites the committed OpenAPI document, or prints it.
runCommand(async () => {
  const text = `${JSON.stringify(openApiDocument(endpoints, 'http://127.0.0.1:3000'), undefined, 2)}\n`;
  if (process.argv.includes('--print')) {
    process.stdout.write(text);
    return;
  }
  writeFileSync(snapshot, text);
  print(`Written to ${snapshot}`);
});
