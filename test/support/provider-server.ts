import { createServer } from 'node:http';

/** A message as a provider has accepted it. */
export interface AcceptedMessage {
  /** Secret of the request. */
  key: string;
  to: string;
  from: string;
  /** Id of the delivery; none for e-mail. */
  id: string | undefined;
  atMs: number;
}

export type ProviderServer = Awaited<ReturnType<typeof startProviderServer>>;

/** A server that speaks as a provider of text messages (sms_b) and of e-mail (email_b). */
export async function startProviderServer() {
  const received: AcceptedMessage[] = [];
  let status = 200;
  let hangs = false;
  let requests = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      requests += 1;
      if (hangs) return;
      if (status === 200) received.push(messageOf(request.headers, Buffer.concat(chunks)));
      const id = `m-${String(received.length)}`;
      response.writeHead(status, { 'x-message-id': id });
      response.end(JSON.stringify({ data: { id } }));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${String(port)}`,
    received,
    /** Number of requests with any answer. */
    requests: () => requests,
    /** Sets the answer to the next messages. */
    answer(how: number | 'nothing') {
      hangs = how === 'nothing';
      if (how !== 'nothing') status = how;
    },
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function messageOf(headers: NodeJS.Dict<string | string[]>, body: Buffer): AcceptedMessage {
  const key = String(headers.authorization).replace('Bearer ', '');
  const sent = JSON.parse(body.toString());
  const atMs = Date.now();
  if (sent.personalizations === undefined) {
    return { key, to: sent.to, from: sent.from, id: String(headers['idempotency-key']), atMs };
  }
  const [{ to }] = sent.personalizations;
  return { key, to: to[0].email, from: sent.from.email, id: undefined, atMs };
}
