import type { Egress, EgressResult } from '../../platform/egress/client.ts';
import { parseRetryAfter } from '../../platform/egress/retry-after.ts';
import type { OutgoingMessage, Outage, SendResult, Sender } from './sender.ts';

/** A request to a provider, with the parser of its responses. */
export interface ProviderCall {
  url: string;
  headers: Record<string, string>;
  body: string;
  /** The recipient, which deliveries show in part. */
  recipient: string;
  /** The provider's id of the message, from a response that accepted it. */
  idIn(json: unknown): string | undefined;
}

/** Limit of messages in flight of a process with one provider. */
const places = 64;

/** A way out over HTTP, of a provider that reports what becomes of its messages. */
export function createHttpSender(
  egress: Egress,
  about: Pick<Sender, 'provider' | 'callbackKind'>,
  callOf: (message: OutgoingMessage) => ProviderCall | undefined,
): Sender {
  return {
    ...about,
    places,
    reports: true,
    async send(message, timeoutMs): Promise<SendResult> {
      const call = callOf(message);
      if (!call) return { kind: 'refused', code: 'wrong_channel' };
      const { url, headers, body, recipient, idIn } = call;
      const result = await egress.post({ url, owner: about.provider, headers, body, timeoutMs });
      return readAnswer(result, recipient, idIn);
    },
    close: () => Promise.resolve(),
  };
}

/** Temporary errors and rejected credentials are retried; a rejected message fails permanently. */
function readAnswer(
  result: EgressResult,
  recipient: string,
  idIn: ProviderCall['idIn'],
): SendResult {
  if (result.kind === 'failed') return failureOf(result.code);
  const { status, bodyExcerpt } = result;
  if (status >= 200 && status < 300) {
    const providerMessageId = idIn(parsed(bodyExcerpt));
    if (providerMessageId === undefined) return { kind: 'refused', code: 'no_recipient' };
    return { kind: 'sent', providerMessageId, recipient };
  }
  const code = `http_${String(status)}`;
  const isLater = status >= 500 || [401, 402, 403, 408, 425, 429].includes(status);
  if (!isLater) return { kind: 'refused', code };
  return { kind: 'later', code, outage: outageOf(status, result.headers['retry-after']) };
}

/** The message may have caused a failure after it was sent, but none before that. */
function failureOf(code: Extract<EgressResult, { kind: 'failed' }>['code']): SendResult {
  if (code === 'aborted') return { kind: 'later', code };
  const isSure = !['timeout', 'connection_reset', 'response_too_large'].includes(code);
  return { kind: 'later', code, outage: { isSure } };
}

/** A provider that rejects the credentials or requests a pause accepts no messages. */
function outageOf(status: number, retryAfter: string | undefined): Outage {
  const retryAfterMs = parseRetryAfter(retryAfter, Date.now());
  return { isSure: status === 401 || status === 429 || retryAfterMs > 0, retryAfterMs };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A text of an object, by its keys; undefined where it has none. */
export function textIn(value: unknown, ...keys: readonly string[]): string | undefined {
  let found = value;
  for (const key of keys) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = Reflect.get(found, key);
  }
  return typeof found === 'string' && found !== '' ? found.slice(0, 255) : undefined;
}
