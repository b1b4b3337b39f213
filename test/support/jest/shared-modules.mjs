import { createHash } from 'node:crypto';
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
  global[registry] = exportsOf;
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

/** Loads packages at their first use; modules of the product are loaded before the test file. */
function exportsOf(file) {
  if (!shared.has(file)) shared.set(file, require(file));
  return shared.get(file);
}

function namesOf(file) {
  return Object.keys(exportsOf(file)).filter((name) => /^\w+$/.test(name));
}

// Jest also compiles what the set-up of the whole run imports; Node loads that as it is.
const isForTests = ({ supportsDynamicImport }) => supportsDynamicImport;

const transformer = {
  // By the names and not the text: the cache of jest then grows with the exports only.
  getCacheKey(text, file, options) {
    const content = isForTests(options) ? namesOf(file) : text;
    return createHash('sha256')
      .update(JSON.stringify([file, options.supportsStaticESM, content]))
      .digest('hex')
      .slice(0, 32);
  },
  process(text, file, options) {
    if (!isForTests(options)) return { code: text };
    const lookUp = `globalThis[Symbol.for('${registry.description}')](${JSON.stringify(file)})`;
    if (!options.supportsStaticESM) return { code: `module.exports = ${lookUp};` };
    const names = namesOf(file);
    const named = names.filter((name) => name !== 'default');
    const code = [
      `const shared = ${lookUp};`,
      ...named.map((name) => `const _${name} = shared.${name};`),
      `export { ${named.map((name) => `_${name} as ${name}`).join(', ')} };`,
      ...(names.includes('default') ? ['export default shared.default;'] : []),
    ];
    return { code: code.join('\n') };
  },
};
export { transformer as default };
