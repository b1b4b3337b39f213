import { randomUUID } from 'node:crypto';
import { startEgress, startProxy, startReceiver } from '../platform/egress/receiver.ts';
import { leaf, root, topicKey } from './a-topic.ts';

const host = 'sns.us-east-1.amazonaws.com';

/** The confirmation request of a topic, with its own token; `base` is the host of the answer. */
export function aQuestion(base = `https://${host}`) {
  const Token = randomUUID();
  const path = `/?Action=ConfirmSubscription&Token=${Token}`;
  return { path, fields: { Token, SubscribeURL: base + path } };
}

/** The topic service on loopback, by HTTPS, and an egress that reaches it by its name. */
export async function startTopicService() {
  let status = 200;
  const secure = { cert: leaf({ name: host }), key: topicKey };
  const service = await startReceiver((response) => response.writeHead(status).end(), secure);
  const { proxyUrl, asked } = await startProxy({ port: service.port });
  return {
    egress: startEgress({ proxyUrl, ca: root.pem }),
    /** The calls of an address, by its path. */
    callsOf: (path: string) => service.received.filter((call) => call.path === path),
    /** Hosts and ports of all connection attempts. */
    authorities: () => asked.map(({ authority }) => authority),
    answer(next: number) {
      status = next;
    },
  };
}
