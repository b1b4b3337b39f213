import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import typescript from 'typescript';

// The modules of the product are loaded once in a process of jest, by Node, and not once for each
// test file: evaluating them took more than half of the time of all tests. For a test file each is
// a module that passes the exports on.

const require = createRequire(import.meta.url);
const root = path.resolve(import.meta.dirname, '../../..');
const tests = `${path.join(root, 'test')}/`;
const registry = Symbol.for('onward.shared-modules');

/** Exports by file name. */
const shared = new Map();
const imports = new Map();

/** Loads the modules of the product that a test file needs, and shows them to its global object. */
export async function shareModules(testFile, global) {
  for (const file of modulesOf(testFile)) {
    if (!shared.has(file)) shared.set(file, await import(pathToFileURL(file).href));
  }
  global[registry] = shared;
}

/** Files outside of test/ that a file of test/ imports, itself or by other files of test/. */
function modulesOf(testFile) {
  const seen = new Set([testFile]);
  for (const file of seen) {
    if (file.startsWith(tests)) for (const imported of importsOf(file)) seen.add(imported);
  }
  return [...seen].filter((file) => !file.startsWith(tests));
}

function importsOf(file) {
  let known = imports.get(file);
  if (!known) {
    const { importedFiles } = typescript.preProcessFile(readFileSync(file, 'utf8'), true, true);
    known = importedFiles
      .map(({ fileName }) => fileName)
      .filter((name) => name.startsWith('.') && name.endsWith('.ts'))
      .map((name) => path.resolve(path.dirname(file), name));
    imports.set(file, known);
  }
  return known;
}

const transformer = {
  // What stands in the cache of jest has not been loaded in this process.
  getCacheKey: () => createHash('sha256').update(randomUUID()).digest('hex').slice(0, 32),
  process(text, file, { supportsDynamicImport, supportsStaticESM }) {
    if (!supportsDynamicImport) return { code: text };
    if (!shared.has(file)) shared.set(file, require(file));
    const exports = shared.get(file);
    const lookUp = `globalThis[Symbol.for('onward.shared-modules')].get(${JSON.stringify(file)})`;
    if (!supportsStaticESM) return { code: `module.exports = ${lookUp};` };
    const names = Object.keys(exports).filter((name) => /^(?!default$)\w+$/.test(name));
    const code = [
      `const shared = ${lookUp};`,
      ...names.map((name) => `const _${name} = shared.${name};`),
      `export { ${names.map((name) => `_${name} as ${name}`).join(', ')} };`,
      ...('default' in exports ? ['export default shared.default;'] : []),
    ];
    return { code: code.join('\n') };
  },
};
export { transformer as default };
