import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { readConfig } from '../../src/platform/config.ts';
import type { Environment } from '../../src/platform/config/settings-reader.ts';
import { settings } from '../../src/platform/config/settings.ts';

/** The message of a production root that is started with these settings, '' if it may start. */
function refusal(environment: Environment): string {
  try {
    readConfig({ development: false }, environment);
    return '';
  } catch (error) {
    return String(error);
  }
}

const usable = {
  DATABASE_URL: 'postgres://app:a-long-password-for-tests@127.0.0.1/onward',
  PUBLIC_BASE_URL: 'https://onward.example.com',
  TRUSTED_PROXIES: '1',
  ONWARD_KEYS: '{}',
};

test('one message names the problems of every group of settings', () => {
  const message = refusal({
    PORT: '0',
    WEBHOOK_JITTER_PERCENT: 'much',
    SMS_SENDER: 'sms_a',
    SFTP_ENABLED: 'perhaps',
    BATCH_CPU_SHARE: '2',
    LOG_LEVEL: 'verbose',
    SEND_EMAIL_FROM: 'Bank',
  });
  for (const name of [
    ...['PORT', 'WEBHOOK_JITTER_PERCENT', 'SMS_PROVIDER_KEY', 'SFTP_ENABLED', 'BATCH_CPU_SHARE'],
    ...['DATABASE_URL', 'ONWARD_KEYS_FILE', 'LOG_LEVEL', 'SEND_EMAIL_FROM'],
  ]) {
    expect(message).toMatch(new RegExp(`^ {2}- ${name} `, 'm'));
  }
});

test('production starts with an https address and a long password', () => {
  expect(refusal(usable)).toBe('');
});

test('production warns where messages without a provider are kept and not sent', () => {
  const warningsOf = (environment: Environment) =>
    readConfig({ development: false }, { ...usable, ...environment }).warnings.filter((warning) =>
      warning.startsWith('MAILBOX_SENDS'),
    );
  expect(warningsOf({})).toEqual([]);
  expect(warningsOf({ MAILBOX_SENDS: 'true' })).toHaveLength(1);
});

test('production requires the address that clients use', () => {
  expect(refusal({ ...usable, PUBLIC_BASE_URL: '' })).toContain('PUBLIC_BASE_URL is required');
});

test.each([
  ...['http://localhost:3000', 'http://127.0.0.1', 'http://[::1]:3000', 'http://10.1.2.3'],
  ...['http://onward.test', 'http://onward.internal', 'http://[fd00::1]'],
])('production accepts %s, which only a machine or a private network reaches', (address) => {
  expect(refusal({ ...usable, PUBLIC_BASE_URL: address })).toBe('');
});

test('lists of networks and domains of targets are read, and malformed ones are named', () => {
  const { webhooks } = readConfig(
    { development: false },
    {
      ...usable,
      EGRESS_DENIED_NETWORKS: ' 203.0.113.0/24,2001:db8::/32 ',
      EGRESS_DENIED_HOSTS: 'Example.COM, *.bücher.example',
      EGRESS_ALLOWED_HOSTS: '.example.net',
    },
  );
  expect(webhooks).toMatchObject({
    deniedNetworks: ['203.0.113.0/24', '2001:db8::/32'],
    deniedHosts: ['example.com', 'xn--bcher-kva.example'],
    allowedHosts: ['example.net'],
  });
  const message = refusal({
    ...usable,
    WEBHOOK_ALLOWED_NETWORKS: '10.0.0.0',
    EGRESS_DENIED_NETWORKS: '10.0.0.0/33,fd00::/8',
    EGRESS_DENIED_HOSTS: 'https://example.com,10.0.0.1,a b',
  });
  for (const text of [
    'WEBHOOK_ALLOWED_NETWORKS has "10.0.0.0"',
    'EGRESS_DENIED_NETWORKS has "10.0.0.0/33"',
    ...['https://example.com', '10.0.0.1', 'a b'].map((one) => `EGRESS_DENIED_HOSTS has "${one}"`),
  ]) {
    expect(message).toContain(text);
  }
  expect(message).not.toContain('fd00::/8');
});

test('balancers of the file drop are networks, and never all addresses', () => {
  expect(refusal({ ...usable, SFTP_PROXY_NETWORKS: '10.1.0.0/16, fd00::/8' })).toBe('');
  for (const networks of ['10.1.0.0', '10.1.0.0/33', 'balancer', '0.0.0.0/0', '10.0.0.0/8,::/0']) {
    expect(refusal({ ...usable, SFTP_PROXY_NETWORKS: networks })).toContain('SFTP_PROXY_NETWORKS');
  }
});

const all = Object.values(settings).flat();

test('each setting is declared once', () => {
  const names = all.map(({ name }) => name);
  expect([...new Set(names)]).toEqual(names);
  expect(names.length).toBeGreaterThan(100);
});

test.each([true, false])(
  'the defaults that are shown are those of an empty environment (development: %s)',
  (development) => {
    const shown = all.flatMap(({ name, development: ofStart, production }) => {
      // Other defaults are described in words.
      const [, value] = /^`([^`<]*)`$/.exec((development ? ofStart : production) ?? '') ?? [];
      return value === undefined ? [] : [[name, value]];
    });
    expect(shown.length).toBeGreaterThan(40);
    const base = development ? {} : usable;
    expect(readConfig({ development }, { ...Object.fromEntries(shown), ...base })).toEqual(
      readConfig({ development }, base),
    );
  },
);

const ranges = all.flatMap(({ name, takes }) => {
  const [, min, max] = /^([\d.]+) to ([\d.]+)/.exec(takes) ?? [];
  return min === undefined || max === undefined ? [] : [{ name, min, max }];
});

test.each(ranges)('$name takes $min and $max, and nothing beyond', ({ name, min, max }) => {
  const problems = (value: number | string) =>
    refusal({ ...usable, [name]: String(value) })
      .split('\n')
      .filter((line) => new RegExp(`^  - ${name} must be an? (integer|number) from`).test(line));
  expect([...problems(min), ...problems(max)]).toEqual([]);
  for (const wrong of [Number(min) - 1, Number(max) + 1, 'many']) {
    expect(problems(wrong)).toHaveLength(1);
  }
});

test('the values of .env.example are taken, but for its passwords', () => {
  const known = new Set(all.map(({ name }) => name));
  const examples = [...readFileSync('.env.example', 'utf8').matchAll(/^(?:# )?([A-Z_]+)=(.+)$/gm)]
    .map(([, name = '', value = '']): [string, string] => [name, value])
    .filter(([name, value]) => known.has(name) && value !== 'change-me');
  expect(examples.length).toBeGreaterThan(10);
  expect(refusal({ ...usable, ...Object.fromEntries(examples) })).toBe('');
});
