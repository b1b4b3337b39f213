import type { Egress, EgressResult } from '../../platform/egress/client.ts';
import type { EgressFailure } from '../../platform/egress/failure.ts';
import { parseRetryAfter } from '../../platform/egress/retry-after.ts';
import type { OutgoingMessage, Outage, ProviderCheck, SendResult, Sender } from './sender.ts';
import { readForeignText } from '../../platform/http/foreign-json.ts';
import { storableText } from '../../platform/http/json.ts';
import { cutText } from '../../platform/cut-text.ts';

/** A request to a provider. */
interface ProviderRequest {
  url: string;
  headers: Record<string, string>;
}

/** A request that sends a message, with the parser of its responses. */
export interface ProviderCall extends ProviderRequest {
  body: string;
  /** The recipient, which deliveries show in part. */
  recipient: string;
  /** The provider's id of the message, from a response that accepted it. */
  idIn(json: unknown, headers: Readonly<Record<string, string>>): string | undefined;
}

/** The interface of a provider over HTTP. */
export interface HttpProvider extends Pick<Sender, 'provider' | 'callbackKind'> {
  /** Connections are shared by requests of one owner only. */
  owner: string;
  /** One request, or one for each device; none where the message is of another channel. */
  callsOf(message: OutgoingMessage): readonly ProviderCall[] | Promise<readonly ProviderCall[]>;
}

/** Limit of messages in flight of a process with one provider. */
const places = 64;

/** A way out over HTTP, of a provider that reports what becomes of its messages. */
export function createHttpSender(
  egress: Egress,
  { owner, callsOf, ...about }: HttpProvider,
): Sender {
  async function post(call: ProviderCall, timeoutMs: number): Promise<SendResult> {
    const { url, headers, body, recipient, idIn } = call;
    return readAnswer(await egress.post({ url, owner, headers, body, timeoutMs }), recipient, idIn);
  }
  return {
    ...about,
    places,
    reports: true,
    async send(message, timeoutMs) {
      try {
        const calls = await callsOf(message);
        return resultOf(await Promise.all(calls.map((call) => post(call, timeoutMs))));
      } catch (error) {
        if (error instanceof TypeError) return unusable;
        throw error;
      }
    },
    close: () => Promise.resolve(),
  };
}

/** Checks the credentials by a GET that requires them. */
export function createCheck(egress: Egress, owner: string, requestOf: () => ProviderRequest) {
  return async (timeoutMs: number): Promise<ProviderCheck> => {
    try {
      return checkOf(await egress.get({ ...requestOf(), owner, timeoutMs }));
    } catch (error) {
      if (error instanceof TypeError) return { isOk: false, code: unusable.code };
      throw error;
    }
  };
}

/** Credentials with characters that no header may have: the client throws a TypeError. */
export const unusable = {
  kind: 'later',
  code: 'invalid_credentials',
  outage: { isSure: true },
} as const satisfies SendResult;

/** A message is sent when one device has it; otherwise the devices that may accept it later count. */
function resultOf(results: readonly SendResult[]): SendResult {
  const best =
    results.find(({ kind }) => kind === 'sent') ?? results.find(({ kind }) => kind === 'later');
  return best ?? results[0] ?? { kind: 'refused', code: 'wrong_channel' };
}

function checkOf(result: EgressResult): ProviderCheck {
  if (result.kind === 'failed') return { isOk: false, code: result.code };
  const isOk = result.status >= 200 && result.status < 300;
  return isOk ? { isOk } : { isOk, code: `http_${String(result.status)}` };
}

/** Temporary errors and rejected credentials are retried; a rejected message fails permanently. */
function readAnswer(
  result: EgressResult,
  recipient: string,
  idIn: ProviderCall['idIn'],
): SendResult {
  if (result.kind === 'failed') return egressFailure(result.code);
  const { status, bodyExcerpt, headers } = result;
  if (status >= 200 && status < 300) {
    const providerMessageId = idIn(readForeignText(bodyExcerpt), headers);
    if (providerMessageId === undefined) return { kind: 'refused', code: 'no_recipient' };
    return { kind: 'sent', providerMessageId, recipient };
  }
  const code = `http_${String(status)}`;
  const isLater = status >= 500 || [401, 402, 403, 408, 425, 429].includes(status);
  if (!isLater) return { kind: 'refused', code };
  return { kind: 'later', code, outage: outageOf(status, headers['retry-after']) };
}

/** The message may have caused a failure after it was sent, but none before that. */
export function egressFailure(code: EgressFailure): Extract<SendResult, { kind: 'later' }> {
  if (code === 'aborted') return { kind: 'later', code, isUnknown: true };
  const isSure = !['timeout', 'connection_reset', 'response_too_large'].includes(code);
  return { kind: 'later', code, outage: { isSure }, isUnknown: !isSure };
}

/** A provider that rejects the credentials or requests a pause accepts no messages. */
function outageOf(status: number, retryAfter: string | undefined): Outage {
  const retryAfterMs = parseRetryAfter(retryAfter, Date.now());
  return { isSure: status === 401 || status === 429 || retryAfterMs > 0, retryAfterMs };
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A text of an object, by its keys, or the digits of a number; undefined where it has none. */
export function textIn(value: unknown, ...keys: readonly string[]): string | undefined {
  let found = value;
  for (const key of keys) {
    if (typeof found !== 'object' || found === null) return undefined;
    found = Reflect.get(found, key);
  }
  if (typeof found === 'number') return String(found);
  return typeof found === 'string' && found !== '' ? cutText(storableText(found), 255) : undefined;
}

export const basicLogin = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
