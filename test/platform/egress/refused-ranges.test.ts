import { execFile, execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from '@jest/globals';
import { forbidden, refusedUrls } from './refusals.ts';

// ONWARD_FLIPS=50000 changes the answers of names as often.
const flips = Number(process.env['ONWARD_FLIPS'] ?? 2_000);
const runner = fileURLToPath(new URL('../../../src/local/run.mjs', import.meta.url));
const fixture = fileURLToPath(new URL('refused-ranges-fixture.ts', import.meta.url));

/** A network whose every address is this machine, for a program; it takes the program's place. */
const setUp = `
  ip link set lo up &&
  ip route add local 0.0.0.0/0 dev lo &&
  ip -6 route add local ::/0 dev lo &&
  ip -6 address add fe80::1/64 dev lo &&
  ip -6 address add febf::1/64 dev lo &&
  exec "$@"`;
const unshare = 'unshare';
const apart = (...more: string[]) => [...more, 'sh', '-c', setUp, 'sh'];
const ways = [apart('--user', '--map-root-user', '--net'), apart('--net')];

const possible = ways.find((way) => {
  try {
    execFileSync(unshare, [...way, 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
});

interface Called {
  tried: number;
  outcomes: Record<string, number>;
  begun: number;
  taken: Record<string, number>;
}
let findings: Record<'urls' | 'names' | 'allowed' | 'redirects' | 'flips', Called> & {
  bare: { tried: number; unreachable: string[] };
};

async function run(way: readonly string[]): Promise<void> {
  const program = [...way, process.execPath, runner, fixture, String(flips)];
  const { stdout } = await promisify(execFile)(unshare, program);
  findings = JSON.parse(stdout);
}

const promises: Record<string, () => void> = {
  'no spelling of a refused target is connected to'() {
    const { tried, ...called } = findings.urls;
    expect(tried).toBe(refusedUrls.length);
    expect(called).toEqual({ outcomes: { target_not_allowed: tried }, begun: 0, taken: {} });
  },

  'no name that leads inside, alone or among others, is connected to'() {
    const { tried, ...called } = findings.names;
    expect(tried).toBeGreaterThanOrEqual(120);
    expect(called).toEqual({ outcomes: { target_not_allowed: tried }, begun: 0, taken: {} });
  },

  'targets that are allowed are delivered to in the same network'() {
    expect(findings.allowed).toEqual({
      ...{ tried: 2, outcomes: { 204: 2 }, begun: 2 },
      taken: { '8.8.8.8': 2 },
    });
  },

  'no redirect to a refused address is followed'() {
    const { tried, outcomes, begun, taken } = findings.redirects;
    expect(tried).toBeGreaterThanOrEqual(60);
    expect([outcomes, begun, taken]).toEqual([{ 307: tried }, tried, { '8.8.8.8': tried }]);
  },

  'of names that change between every two answers only what is public is connected to'() {
    const { tried, outcomes, begun, taken } = findings.flips;
    const { 204: delivered = 0, target_not_allowed: refused = 0, ...others } = outcomes;
    expect(tried).toBe(flips);
    expect(others).toEqual({});
    expect(delivered + refused).toBe(flips);
    expect(Math.min(delivered, refused)).toBeGreaterThan(flips * 0.45);
    const { '8.8.8.8': v4 = 0, '2606:4700::1111': v6 = 0, ...inside } = taken;
    expect(inside).toEqual({});
    expect(Math.min(v4, v6)).toBeGreaterThan(0);
    expect([v4 + v6, begun]).toEqual([delivered, delivered]);
  },

  'somebody would have taken the connections that were not made'() {
    const { tried, unreachable } = findings.bare;
    expect(tried).toBeGreaterThan(forbidden.length);
    // No machine can connect to these addresses.
    expect(unreachable).toEqual(['224.0.0.1', '239.255.255.255', '255.255.255.255', 'ff02::1']);
  },
};

const names = Object.keys(promises);
if (possible) {
  beforeAll(() => run(possible), 600_000);
  test.each(names)('%s', (name) => promises[name]?.());
} else {
  test(`${names.length} promises about refused addresses were not tried in a network of their own`, () => {
    process.stderr.write(
      `${names.length} tests of refused addresses did not run: they need unshare and ip, and the ` +
        'right to make a network namespace.\n',
    );
    expect(names).not.toEqual([]);
  });
}
