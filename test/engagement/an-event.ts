import { randomUUID } from 'node:crypto';
import type { Reply, TestApi, TestTeam } from '../support/api.ts';

export const types = '/v2/partner/custom-event-types';
const order = {
  type: 'object',
  properties: {
    order_id: { type: 'string', minLength: 1 },
    amount_cents: { type: 'integer', minimum: 0 },
    items: {
      type: 'array',
      maxItems: 5,
      items: {
        type: 'object',
        properties: { sku: { type: 'string', enum: ['A', 'B'] } },
        required: ['sku'],
      },
    },
  },
  required: ['order_id'],
  additionalProperties: false,
};

/** A team with the types custom.order_placed and custom.ping. */
export async function aTeam(api: TestApi): Promise<TestTeam> {
  const made = await api.newTeam();
  await make(made, types, { name: 'custom.order_placed', schema: order });
  await make(made, types, { name: 'custom.ping' });
  return made;
}

export async function make(of: TestTeam, path: string, body: object): Promise<any> {
  const reply = await of.post(path, body);
  if (reply.status !== 201) throw new Error(JSON.stringify(reply.body));
  return reply.body;
}

export const ping = (fields: object = {}) => ({
  type: 'custom.ping',
  unique_id: randomUUID(),
  ...fields,
});

export const problemsOf = ({ body }: Reply) =>
  body.errors.map(({ code, meta }: any) => [code, meta.rule, meta.pointer]);
