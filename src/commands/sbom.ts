import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import Type from 'typebox';
import type { Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { LocalFailure } from '../local/local-failure.ts';
import { runCommand } from './command.ts';

const project = fileURLToPath(new URL('../../', import.meta.url));
/** From the lock file, so that the document is the same on every machine. */
const npmArguments = [
  'sbom',
  '--sbom-format',
  'cyclonedx',
  '--sbom-type',
  'application',
  '--package-lock-only',
];
const maxDocumentBytes = 64 * 1024 ** 2;

const packageReference = Type.Object({ 'bom-ref': Type.String() });
const packageEntry = Type.Object({
  'bom-ref': Type.String(),
  externalReferences: Type.Optional(
    Type.Array(Type.Object({ type: Type.String(), url: Type.String() })),
  ),
});
const bomDocument = Compile(
  Type.Object({
    metadata: Type.Object({ component: packageReference }),
    components: Type.Array(packageEntry),
    dependencies: Type.Array(Type.Object({ ref: Type.String() })),
  }),
);
const lockFile = Compile(
  Type.Object({
    packages: Type.Record(
      Type.String(),
      Type.Object({ version: Type.Optional(Type.String()), dev: Type.Optional(Type.Boolean()) }),
    ),
  }),
);

// `npm run --silent release -- sbom`: prints the software bill of materials in the CycloneDX form.
runCommand(async () => {
  const { stdout } = await promisify(execFile)('npm', npmArguments, {
    cwd: project,
    maxBuffer: maxDocumentBytes,
  }).catch((cause: unknown) => {
    throw new LocalFailure('`npm sbom` failed. npm 10 or newer is needed.', { cause });
  });
  const document = bomDocument.Parse(JSON.parse(stdout));
  const shipped = readShipped();
  const { component } = document.metadata;
  const result = {
    ...document,
    // npm names the product by its folder.
    metadata: { ...document.metadata, component: { ...component, name: 'onward' } },
    components: document.components
      .filter((entry) => shipped.has(entry['bom-ref']))
      .map((entry) => ofThisProject(entry) ?? entry),
    dependencies: document.dependencies.filter(
      ({ ref }) => ref === component['bom-ref'] || shipped.has(ref),
    ),
  };
  process.stdout.write(`${JSON.stringify(result, undefined, 2)}\n`);
});

/** A package whose sources are in this project: npm names its folder on this machine, and no digest. */
function ofThisProject(entry: Static<typeof packageEntry>) {
  const { externalReferences: places = [] } = entry;
  const url = places.find((place) => place.url.startsWith('file:'))?.url;
  if (url === undefined) return undefined;
  const folder = fileURLToPath(new URL(url.replace(/^file:(?!\/\/)/, 'file://')));
  const shown = `file:${relative(project, folder)}`;
  return {
    ...entry,
    externalReferences: places.map((place) =>
      place.url === url ? { ...place, url: shown } : place,
    ),
    hashes: [{ alg: 'SHA-512', content: digestOfFolder(folder) }],
  };
}

/** SHA-512 of the paths and contents of all files, in the order of their paths. */
function digestOfFolder(folder: string): string {
  const digest = createHash('sha512');
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  for (const path of paths.sort()) {
    digest
      .update(`${path}\0`)
      .update(readFileSync(join(folder, path)))
      .update('\0');
  }
  return digest.digest('hex');
}

/**
 * `name@version` of every package that is not for development alone. `npm sbom --omit dev` also
 * leaves out packages that tests share with the product.
 */
function readShipped(): ReadonlySet<string> {
  const { packages } = lockFile.Parse(
    JSON.parse(readFileSync(`${project}package-lock.json`, 'utf8')),
  );
  return new Set(
    Object.entries(packages)
      .filter(([path, { dev }]) => path !== '' && dev !== true)
      .map(([path, { version = '' }]) => `${path.replace(/^.*node_modules\//, '')}@${version}`),
  );
}
