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
