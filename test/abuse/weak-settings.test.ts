import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { readConfig, readMigrationConfig } from '../../src/platform/config.ts';
import { settings } from '../../src/platform/config/settings.ts';

const usable = {
  DATABASE_URL: 'postgres://app:a-long-password-for-tests@127.0.0.1/onward',
  DATABASE_OWNER_URL: 'postgres://owner:another-password-for-tests@127.0.0.1/onward',
  PUBLIC_BASE_URL: 'https://onward.example.com',
  TRUSTED_PROXIES: '1',
  ONWARD_KEYS: '{}',
};

function refusal(read: () => unknown): string {
  try {
    read();
    return '';
  } catch (error) {
    return String(error);
  }
}
const asProduction = (settings: Record<string, string>) =>
  refusal(() => readConfig({ development: false }, { ...usable, ...settings }));
const asDevelopment = (settings: Record<string, string>) =>
  refusal(() => readConfig({ development: true }, settings));
const asMigration = (settings: Record<string, string>) =>
  refusal(() => readMigrationConfig({ ...usable, ...settings }));

const withPassword = (password: string) => `postgres://app:${password}@127.0.0.1/onward`;

test.each(['http://onward.example.com', 'http://93.184.216.34', 'http://[2001:db8::1]'])(
  'production refuses the public address %s, which exposes tokens to eavesdroppers',
  (address) => {
    expect(asProduction({ PUBLIC_BASE_URL: address })).toContain(
      'PUBLIC_BASE_URL must begin with https://',
    );
  },
);

test('production, development and migrations refuse the password of the example', () => {
  const given = { DATABASE_URL: withPassword('change-me') };
  for (const read of [asProduction, asDevelopment, asMigration]) {
    expect(read(given)).toContain('The password in DATABASE_URL has the value "change-me"');
  }
  expect(asMigration({ DATABASE_OWNER_URL: withPassword('change-me') })).toContain(
    'The password in DATABASE_OWNER_URL has the value "change-me"',
  );
  expect(asProduction({ TEMPORAL_API_KEY: 'change-me' })).toContain(
    'TEMPORAL_API_KEY has the value "change-me"',
  );
});

test.each(['', 'onward', '15-characters-x', '%C3%A9%C3%A9%C3%A9%C3%A9%C3%A9%C3%A9'])(
  'production and migrations refuse the short password "%s"',
  (password) => {
    const given = { DATABASE_URL: withPassword(password) };
    for (const read of [asProduction, asMigration]) {
      expect(read(given)).toContain('The password in DATABASE_URL needs at least 16 characters');
    }
  },
);

test('a refusal does not show the password', () => {
  const message = asProduction({ DATABASE_URL: withPassword('short-secret') });
  expect(message).not.toContain('short-secret');
});

test('production behind a proxy with TLS refuses to see all clients at one address', () => {
  const { TRUSTED_PROXIES: given, ...uncounted } = usable;
  const read = (settings: Record<string, string>) =>
    refusal(() => readConfig({ development: false }, { ...uncounted, ...settings }));
  for (const empty of [{}, { TRUSTED_PROXIES: '' }]) {
    expect(read(empty)).toContain('Set TRUSTED_PROXIES to the number of proxies');
  }
  const cert = fileURLToPath(import.meta.url);
  for (const settings of [
    { TRUSTED_PROXIES: given },
    { TLS_CERT_FILE: cert, TLS_KEY_FILE: cert },
    { PUBLIC_BASE_URL: 'http://localhost:3000' },
  ]) {
    expect(read(settings)).toBe('');
  }
  const { warnings, trustedProxies } = readConfig(
    { development: false },
    { ...usable, TRUSTED_PROXIES: '0' },
  );
  expect(warnings).toEqual([expect.stringContaining('Accepted by TRUSTED_PROXIES=0')]);
  expect(trustedProxies).toBe(0);
});

test.each(['https://a.example', 'a.example:3000', 'a b', 'a.example,,b.example'])(
  'PUBLIC_HOSTS refuses "%s", by which no request would be known',
  (PUBLIC_HOSTS) => {
    expect(asProduction({ PUBLIC_HOSTS })).toContain('PUBLIC_HOSTS must be host names');
  },
);

test.each(['0.0.0.0', '::', '10.0.0.5', 'onward.example.com'])(
  'the mailbox page needs an explicit setting if the process listens on %s',
  (HOST) => {
    for (const read of [asProduction, asDevelopment]) {
      expect(read({ HOST, MAILBOX_PAGE: 'true' })).toContain(`everybody who reaches HOST=${HOST}`);
      expect(read({ HOST, MAILBOX_PAGE: 'true', MAILBOX_PAGE_IS_PUBLIC: 'true' })).toBe('');
    }
    const { sending } = readConfig({ development: true }, { HOST });
    expect(sending.showsMailbox).toBe(false);
  },
);

const switchedOn = (name: string, more: Record<string, string> = {}) =>
  readConfig({ development: false }, { ...usable, [name]: 'true', ...more });

const risks = Object.values(settings)
  .flat()
  .flatMap(({ name, risk }) => (risk ? [{ name, ...risk }] : []));

test.each(risks.filter(({ isRefused }) => isRefused))(
  'production at a public address refuses $name, with which $opens',
  ({ name, opens }) => {
    expect(asProduction({ [name]: 'true' })).toContain(`${name}=true is for development: ${opens}`);
    const inside = { PUBLIC_BASE_URL: 'https://onward.internal' };
    expect(switchedOn(name, inside).warnings).toEqual([`${name}=true: ${opens}`]);
  },
);

test.each(risks.filter(({ isRefused }) => !isRefused))(
  'production warns of $name, with which $opens',
  ({ name, opens }) => {
    expect(switchedOn(name).warnings).toEqual([`${name}=true: ${opens}`]);
  },
);

test('every switch that is on in development alone is refused or warned of in production', () => {
  const switches = Object.values(settings)
    .flat()
    .filter(({ development = '', production }) => {
      return development.startsWith('`true`') && production === '`false`';
    })
    .map(({ name }) => name);
  // Those of pages have conditions of their own, which are tested above.
  const listed = [...risks.map(({ name }) => name), 'LOCAL_SIGN_IN', 'MAILBOX_PAGE'];
  expect(switches.sort()).toEqual(listed.sort());
});
