import type { IncomingMessage } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { defaultHttpLimits } from '../../platform/config/http.ts';
import { listen } from '../../platform/http/listen.ts';
import { LocalFailure } from '../../local/local-failure.ts';

const Event = Type.Object({
  id: Type.String(),
  type: Type.String(),
  timestamp: Type.String(),
  data: Type.Object({ id: Type.String() }),
});
export type Event = Static<typeof Event>;

const compiled = Compile(Event);

export interface Listener {
  url: string;
  /** The secret of the subscription, known only after it was made with the URL. */
  trust(secret: string): void;
  /** The first event that fits, come or still to come. Throws LocalFailure when none comes. */
  waitFor(fits: (event: Event) => boolean, what: string, withinMs: number): Promise<Event>;
  close(): Promise<void>;
}

interface Waiter {
  fits: (event: Event) => boolean;
  resolve: (event: Event) => void;
}

/**
 * A local webhook receiver, as a partner would write one. It verifies each signature with a
 * third-party library, and responds with the status that `answer` returns.
 */
export async function startListener(answer: (event: Event) => number): Promise<Listener> {
  const events: Event[] = [];
  const waiters = new Set<Waiter>();
  let webhook: Webhook | undefined;

  const listener = await listen(
    (request, response) => {
      receive(request).then(
        (status) => {
          response.writeHead(status).end();
        },
        () => response.destroy(),
      );
    },
    { host: '127.0.0.1', port: 0, http: defaultHttpLimits },
  );

  async function receive(request: IncomingMessage): Promise<number> {
    const event = verify(await readBody(request), request);
    if (!event) return 401;
    const status = answer(event);
    events.push(event);
    for (const waiter of waiters) {
      if (!waiter.fits(event)) continue;
      waiters.delete(waiter);
      waiter.resolve(event);
    }
    return status;
  }

  function verify(body: string, { headers }: IncomingMessage): Event | undefined {
    const read = (name: string) => headers[name]?.toString() ?? '';
    try {
      const event = webhook?.verify(body, {
        'webhook-id': read('webhook-id'),
        'webhook-timestamp': read('webhook-timestamp'),
        'webhook-signature': read('webhook-signature'),
      });
      return compiled.Check(event) ? event : undefined;
    } catch {
      return undefined;
    }
  }

  return {
    url: `http://127.0.0.1:${String(listener.port)}/`,
    trust(secret) {
      webhook = new Webhook(secret);
    },
    waitFor(fits, what, withinMs) {
      const known = events.find(fits);
      if (known) return Promise.resolve(known);
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          const seconds = String(Math.round(withinMs / 1_000));
          reject(new LocalFailure(`No ${what} with a good signature came within ${seconds} s.`));
        }, withinMs);
        waiters.add({
          fits,
          resolve(event) {
            clearTimeout(timer);
            resolve(event);
          },
        });
      });
    },
    close: () => listener.close(1_000),
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  request.setEncoding('utf8');
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}
