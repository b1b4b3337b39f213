import net from 'node:net';
import { createDnsLookup } from '../../../src/platform/egress/lookup.ts';
import { selfSigned } from './certificate.ts';
import { openHoneypot } from './honeypot.ts';
import { startNameServer } from './name-server.ts';
import { closeAll, countConnects, startEgress } from './receiver.ts';
import { forbidden, refusedUrls } from './refusals.ts';
import { productionRules } from './rules.ts';

// Runs in a network of its own, where every address of both families is this machine and has a
// listener: a connection that the client does not prevent succeeds, and is counted.

const flips = Number(process.argv[2]);
const workers = 32;
const timeoutMs = 20_000;
const publicOnes = ['8.8.8.8', '2606:4700::1111'] as const;
const [publicV4, publicV6] = publicOnes;
const inside = forbidden.map(([address]) => address).filter((address) => net.isIP(address) !== 0);
const resolvable = inside.filter((address) => !address.includes('%'));
const ports = [1, 22, 25, 80, 443, 444, 1023, 8443];
const name = 'hooks.example.com';

/** Alternating answers for a name, by its label: every second one holds a forbidden address. */
const turns: Record<string, (bad: string) => readonly [string[], string[]]> = {
  alone: (bad) => [[publicV4], [bad]],
  'v6-first': (bad) => [[publicV6], [bad]],
  'one-of-two': (bad) => [
    [publicV4, publicV6],
    [publicV4, bad],
  ],
  'first-of-many': (bad) => [
    [publicV4, publicV4],
    [bad, publicV4, publicV6, publicV4],
  ],
};
const asked = new Map<string, number>();

/** Both families are queried together: the first query flips the answer, the second repeats it. */
function flipped(label: string, kind: string): readonly string[] {
  const question = asked.get(label) ?? 0;
  asked.set(label, question + 1);
  const turn = Math.floor(question / 2);
  const bad = resolvable[(turn * workers + Number(label)) % resolvable.length] ?? '';
  return turns[kind]?.(bad)[turn % 2] ?? [];
}

const server = await startNameServer((asked) => {
  const [label = '', kind = ''] = asked.split('.');
  if (asked.endsWith('.flips.example.com')) return flipped(label, kind);
  if (asked.endsWith('.inside.example.com')) return [resolvable[Number(label)] ?? ''];
  if (asked.endsWith('.mixed.example.com')) {
    return [publicV4, publicV6, resolvable[Number(label)] ?? ''];
  }
  if (asked === name) return [publicV4, publicV6];
  if (asked === `six.${name}`) return [publicV6];
  // The address of a name of this machine or of our networks.
  return ['127.0.0.1'];
});
const certificate = selfSigned(name);
const lookup = createDnsLookup([server]);
const egress = startEgress({ rules: productionRules, lookup, ca: certificate.cert });
const honeypot = await openHoneypot(ports, certificate);

/** Counts the outcomes of the targets, the connections begun, and the addresses reached. */
async function call(targets: readonly string[], client = egress) {
  const outcomes: Record<string, number> = {};
  const begun = await countConnects(async () => {
    for (const url of targets) {
      const result = await client.post({ url, owner: 'one', headers: {}, body: '{}', timeoutMs });
      const outcome = result.kind === 'failed' ? result.code : String(result.status);
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    }
  });
  return { tried: targets.length, outcomes, begun, taken: honeypot.taken() };
}

async function flip() {
  // Without TLS, which takes most of the time and comes after the verdict.
  const client = startEgress({ rules: { ...productionRules, allowHttp: true }, lookup });
  const kinds = Object.keys(turns);
  const outcomes: Record<string, number> = {};
  const begun = await countConnects(async () => {
    let left = flips;
    const work = async (_: unknown, index: number) => {
      const host = `${index}.${kinds[index % kinds.length] ?? ''}.flips.example.com`;
      for (; left > 0;) {
        left -= 1;
        const url = `http://${host}/`;
        const result = await client.post({ url, owner: 'one', headers: {}, body: '{}', timeoutMs });
        const outcome = result.kind === 'failed' ? result.code : String(result.status);
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      }
    };
    await Promise.all(Array.from({ length: workers }, work));
  });
  return { tried: flips, outcomes, begun, taken: honeypot.taken() };
}

/** Shows that each uncalled address has a listener, so that a call would be visible. */
async function dialAll() {
  const unreachable: string[] = [];
  for (const address of inside) {
    // An address of a link is reached by the link only, and lo is the one there is.
    const zoned = /^fe[89ab]/.test(address) ? address.replace(/%.*|$/, '%lo') : address;
    if (!(await honeypot.dial(zoned, 443))) unreachable.push(address);
  }
  for (const port of ports) {
    if (!(await honeypot.dial('127.0.0.1', port))) unreachable.push(`port ${port}`);
  }
  return { tried: inside.length + ports.length, unreachable };
}

const everyInside = (zone: string) => resolvable.map((_, n) => `https://${n}.${zone}.example.com/`);
const findings = {
  urls: await call(refusedUrls),
  names: await call([...everyInside('inside'), ...everyInside('mixed')]),
  allowed: await call([`https://${name}/`, `https://${name}:8443/`]),
  redirects: await call(
    inside.map((address) => {
      const host = net.isIPv6(address) ? `[${address}]` : address;
      return `https://${name}/elsewhere/https://${host}/`;
    }),
  ),
  flips: await flip(),
  bare: await dialAll(),
};
process.stdout.write(JSON.stringify(findings), () => void closeAll().then(() => process.exit()));
