import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { chart, fingerprintOf, renderedFile, variants } from './chart.ts';

// `npm run verify -- helm`: renders the chart of docs/kubernetes with Helm (HELM, else `helm` of the PATH), for
// the test that checks the manifests; needed after each change of the chart.

const helm = process.env['HELM'] ?? 'helm';
for (const variant of variants) {
  const values = `test/kubernetes/${variant}.yaml`;
  const options = ['--namespace', 'onward', '--values', values];
  execFileSync(helm, ['lint', '--strict', chart, ...options], { stdio: 'inherit' });
  const template = ['template', 'onward', chart, '--kube-version', '1.30.0', ...options];
  const manifests = execFileSync(helm, template, { encoding: 'utf8' });
  writeFileSync(renderedFile(variant), `# ${fingerprintOf(variant)}\n${manifests}`);
  console.log(`Written to ${renderedFile(variant)}`);
}
