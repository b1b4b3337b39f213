// `node src/local/part.mjs <script> [part] [arguments]`: one script for programs that belong together,
// such as `npm run verify -- mutants --only notes`.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Programs by script and part. */
const scripts = {
  generate: {
    openapi: 'src/commands/openapi.ts',
    documents: 'src/commands/documents.ts',
    sdk: 'sdk/generate/main.ts',
    collection: 'sdk/generate/collection/main.ts',
    diagrams: 'test/site/diagrams.ts',
  },
  verify: {
    reach: 'test/reach/main.ts',
    mutants: 'test/mutants/main.ts',
    clients: 'test/clients/main.ts',
    field: 'test/field/main.ts',
    'node-versions': 'test/node-versions/main.ts',
    schemathesis: 'test/schemathesis/main.ts',
    helm: 'test/kubernetes/main.ts',
  },
  pictures: {
    pages: 'test/pictures/main.ts',
    gallery: 'test/campaigns/gallery/main.ts',
    tour: 'test/tour/main.ts',
  },
  bench: {
    figures: 'test/bench/main.ts',
    lists: 'test/bench/lists-at-scale.ts',
    plans: 'test/bench/plans/main.ts',
    'insight-plans': 'test/bench/plans/insights.ts',
  },
  release: {
    sbom: 'src/commands/sbom.ts',
    'widget-release': 'src/commands/widget-release.ts',
  },
};
/** Run in turn where no part is named: all that a change of the interface needs. */
const inTurn = { generate: ['openapi', 'documents', 'sdk', 'collection'] };
/** Where the first argument is no part. */
const usual = { pictures: 'pages', bench: 'figures' };

const [, , script = '', ...given] = process.argv;
const parts = scripts[script] ?? {};
const [first] = given;
if (first !== undefined && Object.hasOwn(parts, first)) await run(parts[first], given.slice(1));
else if (usual[script]) await run(parts[usual[script]], given);
else if (first === undefined && inTurn[script]) {
  for (const part of inTurn[script]) {
    const file = fileURLToPath(new URL('run.mjs', import.meta.url));
    const { status } = spawnSync(process.execPath, [file, parts[part]], { stdio: 'inherit' });
    if (status !== 0) process.exit(status ?? 1);
  }
} else {
  console.error(
    `Usage: npm run ${script} -- <part>, which is one of: ${Object.keys(parts).join(', ')}`,
  );
  process.exit(2);
}

/** In this very process, so that a signal reaches it. */
async function run(file, args) {
  process.argv.splice(2, process.argv.length, file, ...args);
  await import('./run.mjs');
}
