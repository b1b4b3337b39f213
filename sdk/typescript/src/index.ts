export { Onward } from './onward.ts';
export type { CallInput } from './onward.ts';
export { OnwardError, isCode } from './errors.ts';
export type { ClientErrorCode, ErrorCode, KnownCode } from './errors.ts';
export { isThin, verifyWebhook } from './webhooks.ts';
export type { EventOf, EventType, ThinData, VerifyOptions, WebhookEvent } from './webhooks.ts';
export type { WaitOptions, Waitables } from './waiting.ts';
export type { Resources } from './generated/resources.ts';
export type * from './generated/schemas.ts';
export type {
  Answer,
  ApiPromise,
  ClientOptions,
  FileLike,
  ListPromise,
  RequestOptions,
  UploadBody,
} from './types.ts';
export { version } from './version.ts';
