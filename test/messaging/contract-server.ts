import { createServer } from 'node:http';
import { once } from 'node:events';
import { Compile } from 'typebox/compile';
import type { Contract, ProviderRequest } from './provider-contracts.ts';

export interface ContractServer {
  url: string;
  received: ProviderRequest[];
  /** Ports of clients, one for each connection. */
  connections: Set<number>;
  /** Breaches of the contract. */
  breaches: string[];
  /** Answers all requests with this status; undefined as the contract says. */
  answerWith(status: number | undefined, headers?: Record<string, string>): void;
  /** Answers 401 unless the request is authorized by this secret. */
  accept(secret: string): void;
  stop(): Promise<void>;
}

/** A provider on loopback that checks each request against its contract. */
export async function startContractServer(
  contract: Pick<Contract, 'operations' | 'isAuthorized'>,
): Promise<ContractServer> {
  const { operations, isAuthorized } = contract;
  const received: ProviderRequest[] = [];
  const breaches: string[] = [];
  const connections = new Set<number>();
  let fixed: { status: number; headers: Record<string, string> } | undefined;
  let accepted = '';

  function answerTo(request: ProviderRequest): {
    status: number;
    headers?: Record<string, string>;
    body: string;
  } {
    const operation = operations[`${request.method} ${request.path}`];
    if (!operation) {
      breaches.push(`no operation ${request.method} ${request.path}`);
      return { status: 404, body: '' };
    }
    const errors = [...Compile(operation.schema).Errors(request)];
    breaches.push(...errors.map(({ instancePath, message }) => `${instancePath}: ${message}`));
    if (errors.length > 0) return { status: 400, body: '' };
    if (!isAuthorized(request, accepted)) return { status: 401, body: '' };
    return fixed ? { ...fixed, body: 'no JSON +14155550100' } : operation.answer;
  }

  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    connections.add(incoming.socket.remotePort ?? 0);
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const { method = '', url: path = '', headers } = incoming;
      void decode(headers['content-type'] ?? '', text).then((body) => {
        const request = { method, path, headers, body, text };
        received.push(request);
        const { status, headers: more, body: answer } = answerTo(request);
        response.writeHead(status, { 'content-type': 'application/json', ...more }).end(answer);
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${String(typeof address === 'object' ? address?.port : '')}`,
    ...{ received, connections, breaches },
    answerWith(status, headers = {}) {
      fixed = status === undefined ? undefined : { status, headers };
    },
    accept(secret) {
      accepted = secret;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The value of a body by its media type; a file of a form is its text. */
async function decode(type: string, text: string): Promise<unknown> {
  if (text === '') return undefined;
  if (type.startsWith('application/json')) return JSON.parse(text);
  // oxlint-disable-next-line typescript/no-deprecated -- bodies of this test are small
  const form = await new Response(text, { headers: { 'content-type': type } }).formData();
  const fields = [...form].map(async ([name, value]) => [
    name,
    typeof value === 'string' ? value : await value.text(),
  ]);
  return Object.fromEntries(await Promise.all(fields));
}
