import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { generatePythonFiles } from './python/files.ts';

// `npm run sdk` writes the generated files of the SDKs from the OpenAPI document.
for (const [path, text] of generatePythonFiles()) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
