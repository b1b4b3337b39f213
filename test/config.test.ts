import { expect, test } from '@jest/globals';
import { readConfig } from '../src/config.ts';
import type { Environment } from '../src/config/settings-reader.ts';

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
  ONWARD_KEYS: '{}',
};

test('one message names the problems of every group of settings', () => {
  const message = refusal({
    PORT: '0',
    WEBHOOK_JITTER_PERCENT: 'much',
    SMS_SENDER: 'sms_a',
    SFTP_ENABLED: 'perhaps',
    BATCH_SHARE: '2',
  });
  for (const name of [
    ...['PORT', 'WEBHOOK_JITTER_PERCENT', 'SMS_PROVIDER_KEY', 'SFTP_ENABLED', 'BATCH_SHARE'],
    ...['DATABASE_URL', 'ONWARD_KEYS_FILE'],
  ]) {
    expect(message).toMatch(new RegExp(`^ {2}- ${name} `, 'm'));
  }
});

test('production starts with an https address and a long password', () => {
  expect(refusal(usable)).toBe('');
});

test('production demands the address that clients use', () => {
  expect(refusal({ ...usable, PUBLIC_BASE_URL: '' })).toContain('PUBLIC_BASE_URL is required');
});

test.each([
  ...['http://localhost:3000', 'http://127.0.0.1', 'http://[::1]:3000', 'http://10.1.2.3'],
  ...['http://onward.test', 'http://onward.internal', 'http://[fd00::1]'],
])('production accepts %s, which only a machine or a private network reaches', (address) => {
  expect(refusal({ ...usable, PUBLIC_BASE_URL: address })).toBe('');
});
