import { rotateSigningKey } from '../../../src/platform/auth/signing-keys.ts';
import { rateBudgets } from '../../../src/platform/http/rate-limit.ts';
import { persist, send } from '../../world/client.ts';
import { comesTrue, offer, pause } from '../../world/moments.ts';
import type { Report } from '../report.ts';
import { newTeam } from '../../world/teams.ts';
import { readablePath } from '../teams.ts';
import type { World } from '../world.ts';

/** Rate limits, revocation and new signing keys hold over two API processes. */
export async function access(world: World, report: Report): Promise<void> {
  await Promise.all([rateLimits(world, report), revocation(world, report)]);
  await signingKeys(world, report);
}

/** Offers reads so many times a second through both processes; how many were let through. */
async function offerReads(world: World, perSecond: number, seconds: number) {
  const team = await newTeam(world, 'standard');
  const path = await readablePath(team);
  const startedAt = performance.now();
  const until = startedAt + seconds * 1_000;
  const counts = { allowed: 0, refused: 0, other: 0 };
  await offer({ perSecond, limit: 64, until: () => performance.now() > until }, async (index) => {
    const base = world.bases[index % world.bases.length] ?? '';
    const { status } = await send(base, 'GET', path, { token: team.token });
    if (status === 200) counts.allowed += 1;
    else if (status === 429) counts.refused += 1;
    else counts.other += 1;
  });
  return { ...counts, seconds: (performance.now() - startedAt) / 1_000 };
}

async function rateLimits(world: World, report: Report): Promise<void> {
  const { burst } = rateBudgets.read;
  const seconds = world.isShort ? 8 : 20;
  const below = await offerReads(world, burst * 0.8 * 0.99, seconds);
  report.exactly('rate_limit.refused_below_80_percent', below.refused, 0);
  const above = await offerReads(world, burst * 2, seconds);
  // The initial burst, and the refill of every second.
  const budget = burst + burst * above.seconds;
  report.between('rate_limit.share_of_budget', above.allowed / budget, 0.9, 1.1);
  report.exactly('rate_limit.other_answers', below.other + above.other, 0);
}

async function revocation(world: World, report: Report): Promise<void> {
  const { bases } = world;
  const team = await newTeam(world);
  const path = await readablePath(team);
  const read = (base: string) => send(base, 'GET', path, { token: team.token });
  await Promise.all(bases.map(read));
  await persist(bases, 0, 'POST', '/oauth2/revoke', {
    form: { client_id: team.clientId, client_secret: team.clientSecret, token: team.token },
  });
  const startedAt = performance.now();
  const isRefused = async (base: string) => (await read(base)).status === 401;
  const slowest = await Promise.all(
    bases.map(async (base) => {
      await comesTrue(() => isRefused(base), 30_000, 100);
      return performance.now() - startedAt;
    }),
  );
  report.atMost('revocation.seconds', Math.max(...slowest) / 1_000, 10);
  await pause(1_000);
  const refused = await Promise.all(bases.map(isRefused));
  report.exactly('revocation.accepted_again', refused.filter((isSo) => !isSo).length, 0);
}

/** Tokens are requested from one process and used at the other, while the keys are replaced. */
async function signingKeys(world: World, report: Report): Promise<void> {
  const { bases, database, keyring, isShort } = world;
  const team = await newTeam(world);
  const path = await readablePath(team);
  const form = {
    grant_type: 'client_credentials',
    client_id: team.clientId,
    client_secret: team.clientSecret,
  };
  const failures: string[] = [];
  const keys = new Set<string>();
  const rotations = isShort ? 3 : 8;
  let isOver = false;
  const offering = offer({ perSecond: 40, limit: 64, until: () => isOver }, async (index) => {
    const [one = '', two = ''] = index % 2 === 0 ? bases : [...bases].reverse();
    const issued = await send(one, 'POST', '/oauth2/token', { form });
    const token = String(issued.body?.access_token);
    if (issued.status === 200) keys.add(token.split('.')[0] ?? '');
    const used = await send(two, 'GET', path, { token });
    if (issued.status !== 200 || used.status !== 200) {
      failures.push(`${issued.status} ${used.status}`);
    }
  });
  for (let rotation = 0; rotation < rotations; rotation += 1) {
    await database.transact((sql) => rotateSigningKey(sql, keyring, 0));
    await pause(world.random.between(3_000, 6_000));
  }
  // Waits until both processes sign with the newest.
  await pause(11_000);
  isOver = true;
  const requests = await offering;
  report.atLeast('signing_keys.requests', requests, rotations * 100);
  report.atLeast('signing_keys.keys_seen', keys.size, 2);
  report.exactly('signing_keys.failed_requests', failures.length, 0);
}
