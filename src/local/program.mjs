import { createHash, randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import module from 'node:module';
import { basename, dirname, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Script, constants } from 'node:vm';

// Programs of the service in one file each, since Node.js takes a second to load 900. A program is
// made again where one of its sources or the packages have changed.

const project = fileURLToPath(new URL('../../', import.meta.url));
const folder = join(project, 'dist', 'programs');
/** Time in which a process that is about to read an earlier version of a program has done so. */
const keptMs = 60_000;

/** Packages of many files, which become part of a program; Node.js loads the others. */
const bundled = [
  ...['@koa/router', 'aws4', 'csv-parse', 'htmlparser2', 'ipaddr.js', 'jose', 'koa', 'liquidjs'],
  ...['lru-cache', 'nodemailer', 'postgres', 'prom-client', 'sanitize-html', 'typebox', 'undici'],
];

const digestBytes = 32;
const digestOf = (content) => createHash('sha256').update(content).digest();
const hashOf = (content) => digestOf(content).toString('hex');

/** Whether an entry is of the service or its command line, and not of tests or documentation. */
export const isProgram = (path) => /^(src|sdk[\\/]cli)[\\/]/.test(relative(project, path));

/** The file of a program, made first where that is needed; undefined where it can't be stored. */
export async function programOf(entry) {
  const name = relative(project, entry).replaceAll(sep, '-').replace(/\.ts$/, '');
  const list = join(folder, `${name}.json`);
  const key = keyOf(entry);
  const made = readList(list);
  if (made.key === key && existsSync(made.file) && made.sources.every(isUnchanged)) {
    return made.file;
  }
  // A name of its own, so that neither its list nor its compiled code is ever of another.
  const program = `${name}.${randomUUID().slice(0, 8)}.cjs`;
  const file = join(folder, program);
  const { outputFiles, sources } = await make(entry, file);
  const contents = JSON.stringify({ key, file, sources });
  if (!keep([...outputFiles, { path: list, contents }])) return undefined;
  removeOthers(name, program);
  return file;
}

/** Runs a program in this process, as if it had been started directly. */
export function runProgram(file) {
  const program = { exports: {} };
  const require = module.createRequire(file);
  compile(file).runInThisContext()(program.exports, require, program, file, folder);
}

/** Compiles a program, most often from what an earlier start has kept of it. */
export function compile(file) {
  // V8 accepts it in the same version with the same options only.
  const runtime = hashOf(JSON.stringify([process.version, process.execArgv])).slice(0, 8);
  const compiled = `${file}.${runtime}.v8`;
  const script = new Script(module.wrap(readFileSync(file, 'utf8')), {
    filename: file,
    cachedData: readCompiled(compiled),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  if (script.cachedDataRejected !== false) {
    const code = script.createCachedData();
    keep([{ path: compiled, contents: Buffer.concat([digestOf(code), code]) }]);
  }
  return script;
}

/** V8 does not notice damage, such as that of a power failure: the code comes after its digest. */
function readCompiled(path) {
  const kept = read(path);
  const code = kept?.subarray(digestBytes);
  return code && digestOf(code).equals(kept.subarray(0, digestBytes)) ? code : undefined;
}

/** Packages, by the stamp that the installation leaves, and the way in which a program is made. */
function keyOf(entry) {
  const stamp = read(join(project, 'node_modules', '.onward-lock'));
  const maker = read(fileURLToPath(import.meta.url));
  return hashOf([project, entry, stamp, maker].map(String).join('\n'));
}

function readList(list) {
  try {
    return JSON.parse(readFileSync(list, 'utf8'));
  } catch {
    return {};
  }
}

function isUnchanged({ path, state, hash }) {
  if (stateOf(path) === state) return true;
  // Copying a project changes times and no content.
  const content = read(join(project, path));
  return content !== undefined && hashOf(content) === hash;
}

function stateOf(path) {
  const found = statSync(join(project, path), { throwIfNoEntry: false });
  return found && `${String(found.size)} ${String(found.mtimeMs)}`;
}

async function make(entry, file) {
  const { build, stop } = await import('esbuild');
  const sources = [];
  const { outputFiles } = await build({
    entryPoints: [entry],
    outfile: file,
    write: false,
    absWorkingDir: project,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    // Names of errors and of workflows, which logs and Temporal show.
    keepNames: true,
    sourcemap: 'linked',
    sourcesContent: false,
    legalComments: 'none',
    plugins: [packagesBy(bundled), sourcesInto(sources)],
  });
  await stop();
  return { outputFiles, sources };
}

/** Leaves all packages to Node.js but the given ones, which come with their dependencies. */
function packagesBy(names) {
  const isBundled = (path) => names.some((name) => path === name || path.startsWith(`${name}/`));
  return {
    name: 'packages',
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, ({ path, importer, kind }) => {
        if (kind === 'entry-point' || importer.includes('node_modules')) return undefined;
        return isBundled(path) ? undefined : { path, external: true };
      });
    },
  };
}

/** Lists the sources that are read. Each keeps its own address, by which it finds other files. */
function sourcesInto(sources) {
  return {
    name: 'sources',
    setup(build) {
      build.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const name = relative(project, path);
        const state = stateOf(name);
        const content = readFileSync(path, 'utf8');
        sources.push({ path: name, state, hash: hashOf(content) });
        const address = JSON.stringify(pathToFileURL(path).href);
        // A program is compiled within a function, where no line may name an interpreter.
        const contents = content.replace(/^#!/, '//').replaceAll('import.meta.url', address);
        return { loader: 'ts', contents };
      });
    },
  };
}

function read(path) {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/** Removes earlier versions of a program, but for those that a process may be about to read. */
function removeOthers(name, program) {
  for (const file of readdirSync(folder)) {
    if (!file.startsWith(`${name}.`) || !file.includes('.cjs') || file.startsWith(program))
      continue;
    const path = join(folder, file);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found && Date.now() - found.mtimeMs > keptMs) rmSync(path, { force: true });
  }
}

/** Each file appears whole or not at all, also with concurrent writers. False where none can. */
function keep(files) {
  try {
    for (const { path, contents } of files) {
      mkdirSync(dirname(path), { recursive: true });
      const draft = join(dirname(path), `.${basename(path)}.${String(process.pid)}`);
      writeFileSync(draft, contents);
      renameSync(draft, path);
    }
    return true;
  } catch {
    return false;
  }
}
