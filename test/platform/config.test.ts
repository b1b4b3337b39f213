import { expect, test } from '@jest/globals';
import { readConfig } from '../../src/platform/config.ts';
import type { Environment } from '../../src/platform/config/settings-reader.ts';
import { settings } from '../../src/platform/config/settings.ts';
import type { Setting } from '../../src/platform/config/settings/setting.ts';

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
  });
  for (const name of [
    ...['PORT', 'WEBHOOK_JITTER_PERCENT', 'SMS_PROVIDER_KEY', 'SFTP_ENABLED', 'BATCH_CPU_SHARE'],
    ...['DATABASE_URL', 'ONWARD_KEYS_FILE'],
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

test.each([true, false])(
  'the declared defaults are those of an empty environment (development: %s)',
  (development) => {
    const mode = development ? 'development' : 'production';
    const declared = Object.values<Readonly<Record<string, Setting>>>(settings)
      .flatMap((group) => Object.entries(group))
      .flatMap(([name, setting]) => {
        // Other defaults are described in words.
        const [, value] = /^`([^`<]*)`$/.exec(setting[mode] ?? setting.default ?? '') ?? [];
        return value === undefined ? [] : [[name, value]];
      });
    expect(declared.length).toBeGreaterThan(40);
    const base = development ? {} : usable;
    expect(readConfig({ development }, { ...Object.fromEntries(declared), ...base })).toEqual(
      readConfig({ development }, base),
    );
  },
);
