import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { buildPackage, measurePackage } from './build.ts';
import { generateFiles } from './files.ts';
import { generatePythonFiles } from './python/files.ts';

// `npm run generate -- sdk` writes the generated files of the SDKs from the OpenAPI document;
// `npm run generate -- sdk build` builds the npm packages as they are published, and prints the size of the SDK.
if (process.argv[2] === 'build') {
  const home = '.onward/packages';
  const folder = buildPackage('typescript', home);
  buildPackage('cli', home);
  const { bytes, gzippedBytes, dependencies } = measurePackage(folder);
  console.log(`${folder}: ${String(bytes)} bytes minified, ${String(gzippedBytes)} gzipped`);
  console.log(`Dependencies: ${dependencies.join(', ') || 'none'}`);
} else {
  for (const [path, text] of [...(await generateFiles()), ...generatePythonFiles()]) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}
