import { eventType } from '../platform/events/event-type.ts';
import { InboundReplay } from './replays/inbound-replay.ts';
import { IncomingWebhookReceiver } from './incoming-webhook-receivers/incoming-webhook-receiver.ts';

export const incomingWebhookReceiverSignatureFailing = eventType(
  'incoming_webhook_receiver.signature_failing',
  'Ten calls in a row failed signature verification; the receiver stays active.',
  IncomingWebhookReceiver,
);
export const incomingWebhookReceiverDisabled = eventType(
  'incoming_webhook_receiver.disabled',
  'A receiver was deactivated by a client; later calls get 410.',
  IncomingWebhookReceiver,
  { since: '2026-11-25' },
);
export const inboundReplayCompleted = eventType(
  'inbound_replay.completed',
  'A replay of deliveries of a receiver completed.',
  InboundReplay,
);
export const inboundReplayCanceled = eventType(
  'inbound_replay.canceled',
  'A replay was canceled by a client, or its receiver was deleted; replayed deliveries stay applied.',
  InboundReplay,
  { since: '2026-11-26' },
);
export const inboundReplayFailed = eventType(
  'inbound_replay.failed',
  'A replay failed after many attempts; replayed deliveries stay applied.',
  InboundReplay,
  { since: '2026-11-26' },
);

export const inboundEvents = [
  incomingWebhookReceiverSignatureFailing,
  incomingWebhookReceiverDisabled,
  inboundReplayCompleted,
  inboundReplayCanceled,
  inboundReplayFailed,
];
