import type { CheckedSender, SendResult } from './sender.ts';

/** Codes of providers that reject the credentials of a request. */
const rejections = [
  ...['http_401', 'http_403', 'token_rejected', 'invalid_credentials'],
  ...['smtp_eauth', 'smtp_530', 'smtp_534', 'smtp_535'],
];
/** Time for which the secret that works is tried first, so that logins do not fail all the time. */
const preferenceMs = 60_000;

const isRejected = (result: SendResult) =>
  result.kind === 'later' && rejections.includes(result.code);

/** Sends with the previous secret while the provider rejects the current one. */
export function withPreviousSecret(current: CheckedSender, previous: CheckedSender): CheckedSender {
  let previousUntilMs = 0;
  return {
    ...current,
    async send(message, timeoutMs) {
      const startedAt = performance.now();
      const isReversed = startedAt < previousUntilMs;
      const [first, second] = isReversed ? [previous, current] : [current, previous];
      const result = await first.send(message, timeoutMs);
      const leftMs = timeoutMs - (performance.now() - startedAt);
      if (!isRejected(result) || leftMs < 1) return result;
      const other = await second.send(message, leftMs);
      if (isRejected(other)) return result;
      previousUntilMs = isReversed ? 0 : performance.now() + preferenceMs;
      return other;
    },
    async close() {
      await Promise.all([current.close(), previous.close()]);
    },
  };
}
