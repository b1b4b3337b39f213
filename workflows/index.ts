export { deliverWebhooks } from './deliver-webhooks.ts';
export { maintainStorage } from './maintain-storage.ts';
export { projectInbound } from './project-inbound.ts';
export { recoverWebhookSubscription } from './recover-webhook-subscription.ts';
export { replayInbound } from './replay-inbound.ts';
export { runOperation } from './run-operation.ts';
export { runTemplate } from './run-template.ts';
export { sealAuditTrail } from './seal-audit-trail.ts';
