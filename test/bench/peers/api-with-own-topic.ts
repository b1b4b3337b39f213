import { startApi } from '../../../src/app/start-api.ts';
import { loadKeyring } from '../../../src/platform/auth/key-source.ts';
import { readConfig } from '../../../src/platform/config.ts';
import { receivers } from '../../../src/inbound/receivers.ts';
import { createLog } from '../../../src/platform/observability/log.ts';
import { leaf, toolsWith, topicArn, topicSigning } from '../../inbound/a-topic.ts';
import { answerQuestions } from '../child.ts';

// The API as it ships, but that it trusts a topic of our own, whose notifications are made here.

const config = readConfig({ development: false });
const { databaseUrl = '' } = config;
const api = await startApi(
  { ...config, databaseUrl, port: 0 },
  loadKeyring(config),
  createLog('error', 'api'),
  { verificationTools: toolsWith(leaf()) },
);

answerQuestions(async ({ ask, amount, url, ids }) => {
  if (ask === 'url') return { url: api.url, topicArn };
  const settings = { ...topicSigning, ...ids };
  return Promise.all(
    Array.from({ length: amount }, () =>
      receivers.email_a.sample('Delivery', { url, settings, nowMs: Date.now() }),
    ),
  );
});
