import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { generateCollection } from './files.ts';

// `npm run generate -- collection` writes the collection of requests from the OpenAPI document.
for (const [path, text] of generateCollection()) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  console.log(`${path}: ${String(text.length)} bytes`);
}
