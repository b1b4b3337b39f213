/** One entry of `packages` in package-lock.json. */
export interface LockedPackage {
  version?: string;
  integrity?: string;
  resolved?: string;
  license?: string;
  link?: boolean;
  dev?: boolean;
  hasInstallScript?: boolean;
}
export type LockedPackages = Readonly<Record<string, LockedPackage>>;

/** Terms under which a package may be part of the product or of its development. */
const licenses: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC-BY-4.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
  'Zlib',
]);

/** Packages of tests under terms that bind changed copies of their files only. */
const testLicenses: Readonly<Record<string, string>> = { 'axe-core': 'MPL-2.0' };

/** Packages whose package.json names no SPDX license; read from their LICENSE files. */
const readLicenses: Readonly<Record<string, string>> = {
  buildcheck: 'MIT',
  'cpu-features': 'MIT',
  ssh2: 'MIT',
  'starkbank-ecdsa': 'MIT',
  unionfs: 'Unlicense',
  'url-template': 'BSD-3-Clause',
};

/** Packages without an integrity digest or with an unapproved license. */
export function findUntrusted(packages: LockedPackages): string[] {
  const lines: string[] = [];
  for (const [path, entry] of Object.entries(packages)) {
    if (path === '' || entry.link) continue;
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const version = `${name}@${entry.version ?? '?'}`;
    const isOfRepository = entry.resolved?.startsWith('file:vendor/') ?? false;
    if (entry.integrity === undefined && !isOfRepository) {
      lines.push(
        `${version} has no integrity digest: remove its entry, then npm install --package-lock-only`,
      );
    }
    const license = readLicenses[name] ?? entry.license;
    if (entry.dev && license !== undefined && license === testLicenses[name]) continue;
    if (license === undefined || !isAgreed(license)) {
      lines.push(`${version} has the license ${license ?? '(none)'}: see test/gate/packages.ts`);
    }
  }
  return lines;
}

/** Settings of npm that keep a package from running code or from being replaced on installation. */
export function findUnsafeSettings(npmrc: string, packages: LockedPackages): string[] {
  const lines = npmrc.split('\n').map((line) => line.trim());
  const scripted = Object.values(packages).filter((entry) => entry.hasInstallScript).length;
  const reasons = {
    'ignore-scripts=true': `${String(scripted)} packages have install scripts`,
    'save-exact=true': 'versions must not move by themselves',
  };
  return Object.entries(reasons)
    .filter(([setting]) => !lines.includes(setting))
    .map(([setting, reason]) => `.npmrc lacks ${setting}: ${reason}`);
}

/** Reads the SPDX expressions that occur: names joined by OR or by AND, in parentheses or not. */
function isAgreed(expression: string): boolean {
  const text = expression.replace(/[()]/g, '');
  if (text.includes(' OR ')) return text.split(' OR ').some((name) => isAgreed(name));
  return text.split(' AND ').every((name) => licenses.has(name));
}
