import { isRecord } from '../reach/places.ts';

const version4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const types: readonly unknown[] = ['webhook_delivery', 'webhook_attempt'];

/**
 * Throws if an answer shows a webhook delivery, attempt or event whose id is not a random UUID:
 * those of other versions tell when and in what order they were made.
 */
export function checkWebhookIds(body: unknown): void {
  if (Array.isArray(body)) body.forEach(checkWebhookIds);
  if (!isRecord(body)) return;
  if (types.includes(body['type'])) {
    const { id, event_id = id, event } = body;
    const ids = [id, event_id, isRecord(event) ? event['id'] : id];
    const other = ids.find((one) => typeof one !== 'string' || !version4.test(one));
    if (other !== undefined) {
      throw new Error(
        `${String(body['type'])} shows an id that is no UUID v4: ${JSON.stringify(other)}`,
      );
    }
  }
  Object.values(body).forEach(checkWebhookIds);
}
