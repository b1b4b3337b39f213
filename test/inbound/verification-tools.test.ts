import { X509Certificate } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { createEgress } from '../../src/platform/egress/client.ts';
import type { EgressResult } from '../../src/platform/egress/client.ts';
import { createVerificationTools } from '../../src/inbound/verification-tools.ts';
import { closeAll, startReceiver } from '../platform/egress/receiver.ts';
import { developmentRules } from '../platform/egress/rules.ts';
import { nowMs } from './a-callback.ts';
import { certificateUrl, intermediate, issuerUrl, leaf, root } from './a-topic.ts';

afterAll(closeAll);

const hour = 3_600_000;

/** A network with one answer, which counts requests. */
function worldOf(answer: () => Partial<EgressResult & { kind: 'answered' }> | 'away') {
  const asked: string[] = [];
  const get = async ({ url }: { url: string }): Promise<EgressResult> => {
    asked.push(url);
    const given = answer();
    if (given === 'away')
      return Promise.resolve({ kind: 'failed', code: 'timeout', detail: '', durationMs: 1 });
    const base = {
      kind: 'answered',
      status: 200,
      headers: {},
      bodyExcerpt: '',
      truncated: false,
      durationMs: 1,
    } as const;
    return Promise.resolve({ ...base, ...given });
  };
  return { asked, get };
}

describe('certificates', () => {
  test('are fetched once a day', async () => {
    const world = worldOf(() => ({ bodyExcerpt: leaf() }));
    const tools = createVerificationTools(world);
    await Promise.all([1, 2, 3].map(() => tools.fetchCertificate(certificateUrl)));
    await tools.fetchCertificate(certificateUrl);
    expect(world.asked).toEqual([certificateUrl]);
    await tools.fetchCertificate(`${certificateUrl}2`);
    expect(world.asked).toHaveLength(2);
  });

  test.each([
    ['their end', leaf({ notAfter: new Date(nowMs + hour) }), hour],
    ['a day', leaf(), 24 * hour],
  ])('are not cached beyond %s', async (_, pem, ageMs) => {
    let now = nowMs;
    const world = worldOf(() => ({ bodyExcerpt: pem }));
    const tools = createVerificationTools(world, [], () => now);
    await tools.fetchCertificate(certificateUrl);
    now += ageMs;
    await tools.fetchCertificate(certificateUrl);
    expect(world.asked).toHaveLength(1);
    now += 1;
    await tools.fetchCertificate(certificateUrl);
    expect(world.asked).toHaveLength(2);
  });

  test('are evicted when the cache is full', async () => {
    const world = worldOf(() => ({ bodyExcerpt: leaf() }));
    const tools = createVerificationTools(world);
    for (let count = 0; count < 250; count += 1)
      await tools.fetchCertificate(`${certificateUrl}${count}`);
    await tools.fetchCertificate(`${certificateUrl}0`);
    expect(world.asked).toHaveLength(251);
  });

  test.each<[string, Partial<EgressResult & { kind: 'answered' }> | 'away']>([
    ['away', 'away'],
    ['moved', { status: 302, headers: { location: 'https://evil.example/' }, bodyExcerpt: leaf() }],
    ['gone', { status: 404 }],
    ['broken', { status: 500 }],
    ['huge', { truncated: true, bodyExcerpt: leaf() }],
    ['empty', { bodyExcerpt: '' }],
    ['no certificates', { bodyExcerpt: '<html>' }],
  ])('that are %s make the provider send again, and are fetched again', async (_, first) => {
    let answer = first;
    const tools = createVerificationTools(worldOf(() => answer));
    await expect(tools.fetchCertificate(certificateUrl)).rejects.toMatchObject({ status: 503 });
    answer = { bodyExcerpt: leaf() };
    expect(await tools.fetchCertificate(certificateUrl)).toContain('BEGIN CERTIFICATE');
  });

  test('of issuers are fetched as bytes', async () => {
    const bytes = new X509Certificate(intermediate.pem).raw;
    const world = worldOf(() => ({ bytes }));
    const tools = createVerificationTools(world);
    expect(await tools.fetchIssuer?.(issuerUrl)).toEqual(bytes);
    await tools.fetchIssuer?.(issuerUrl);
    expect(world.asked).toEqual([issuerUrl]);
    const garbage = createVerificationTools(worldOf(() => ({ bytes: Buffer.from('x') })));
    await expect(garbage.fetchIssuer?.(issuerUrl)).rejects.toMatchObject({ status: 503 });
  });

  test('are fetched through the egress guard: raw bytes, no redirects, 16 KB, no private hosts', async () => {
    const bytes = new X509Certificate(root.pem).raw;
    const served = await startReceiver((response, { path }) => {
      if (path === '/moved') response.writeHead(302, { location: '/hook' }).end();
      else if (path === '/huge') response.end(Buffer.concat([bytes, Buffer.alloc(20_000)]));
      else response.end(bytes);
    });
    const egress = createEgress({ rules: developmentRules });
    const tools = createVerificationTools(egress);
    const base = `http://127.0.0.1:${served.port}`;
    expect(await tools.fetchIssuer?.(`${base}/hook`)).toEqual(bytes);
    await expect(tools.fetchIssuer?.(`${base}/moved`)).rejects.toMatchObject({ status: 503 });
    await expect(tools.fetchIssuer?.(`${base}/huge`)).rejects.toMatchObject({ status: 503 });
    expect(served.received.map(({ path }) => path)).toEqual(['/hook', '/moved', '/huge']);
    const guarded = createEgress({ rules: { ...developmentRules, allowLoopback: false } });
    await expect(
      createVerificationTools(guarded).fetchIssuer?.(`${base}/hook`),
    ).rejects.toMatchObject({
      status: 503,
    });
    expect(served.received).toHaveLength(3);
    await Promise.all([egress.close(), guarded.close()]);
  });
});

describe('keys of the bus', () => {
  const keys = (kid: string) => ({ bodyExcerpt: JSON.stringify({ keys: [{ kid }] }) });

  test('are fetched once an hour, and for an unknown key again at most once a minute', async () => {
    let now = 0;
    const world = worldOf(() => keys('one'));
    const tools = createVerificationTools(world, [], () => now);
    await tools.fetchKeySet();
    await tools.fetchKeySet({ fresh: true });
    expect(world.asked).toHaveLength(1);
    now = 61_000;
    await tools.fetchKeySet();
    expect(world.asked).toHaveLength(1);
    await tools.fetchKeySet({ fresh: true });
    expect(world.asked).toHaveLength(2);
    now += hour;
    await tools.fetchKeySet();
    expect(world.asked).toHaveLength(3);
  });

  test('remain valid during an outage of their publisher', async () => {
    let now = 0;
    let answer: any = keys('one');
    const tools = createVerificationTools(
      worldOf(() => answer),
      [],
      () => now,
    );
    await tools.fetchKeySet();
    now = 2 * hour;
    answer = 'away';
    expect(await tools.fetchKeySet()).toEqual({ keys: [{ kid: 'one' }] });
  });

  test.each([
    ['away' as const],
    [{ bodyExcerpt: 'no' }],
    [{ bodyExcerpt: '{}' }],
    [{ status: 500 }],
  ])('that cannot be fetched (%j) make the provider send again', async (answer) => {
    const tools = createVerificationTools(worldOf(() => answer));
    await expect(tools.fetchKeySet()).rejects.toMatchObject({ status: 503 });
  });
});
