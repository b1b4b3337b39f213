import { createHmac, randomBytes } from 'node:crypto';
import { Pool } from 'undici';
import { answerQuestions } from '../child.ts';

// The upper limit of delivery: bodies in memory are signed and sent, and nothing is stored.

const key = randomBytes(32);

async function post(url: string, bodies: readonly string[], underWay: number): Promise<number> {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections: underWay, pipelining: 1 });
  let next = 0;
  const startedAt = performance.now();
  async function loop() {
    for (;;) {
      const at = next;
      next += 1;
      const body = bodies[at];
      if (body === undefined) return;
      const id = `event-${String(at)}`;
      const timestamp = String(Math.floor(Date.now() / 1_000));
      const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`);
      const { body: answer } = await pool.request({
        path: pathname,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'webhook-id': id,
          'webhook-timestamp': timestamp,
          'webhook-signature': `v1,${signature.digest('base64')}`,
        },
        body,
      });
      await answer.dump();
    }
  }
  await Promise.all(Array.from({ length: underWay }, loop));
  const seconds = (performance.now() - startedAt) / 1_000;
  await pool.destroy();
  return bodies.length / seconds;
}

answerQuestions(({ url, bodies, underWay }) => post(url, bodies, underWay));
