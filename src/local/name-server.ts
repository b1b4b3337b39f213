import { createSocket } from 'node:dgram';
import { RECURSION_DESIRED, decode, encode } from 'dns-packet';
import type { Answer } from 'dns-packet';

/** Records of a name and a type such as TXT; undefined where the name does not exist. */
export type Zone = (
  name: string,
  type: string,
) => Promise<readonly Answer[] | undefined> | readonly Answer[] | undefined;

/** A text record, in parts of 255 bytes as they travel. */
export function textRecord(name: string, text: string): Answer {
  return { type: 'TXT', name, ttl: 0, data: text.match(/.{1,255}/g) ?? [] };
}

export interface NameServer {
  /** Address and port. */
  address: string;
  close(): void;
}

const nameError = 3;
/** A test may ask for thousands of names at a time. */
const receiveBufferBytes = 1_000_000;

async function answer(zone: Zone, message: Buffer): Promise<Buffer> {
  const { id = 0, questions = [] } = decode(message);
  const [question] = questions;
  if (!question) throw new Error('The packet has no question.');
  const answers = await zone(question.name.toLowerCase(), question.type);
  const flags = RECURSION_DESIRED | (answers === undefined ? nameError : 0);
  return encode({
    type: 'response',
    id,
    flags,
    questions: [question],
    answers: [...(answers ?? [])],
  });
}

/** A name server on loopback, over UDP, for development and tests. Port 0 is any free one. */
export async function startNameServer(zone: Zone, port = 0): Promise<NameServer> {
  const server = createSocket({ type: 'udp4', recvBufferSize: receiveBufferBytes });
  server.on('message', (message, from) => {
    // A packet that cannot be read gets no answer, as a zone that cannot.
    answer(zone, message).then(
      (response) => {
        server.send(response, from.port, from.address);
      },
      () => undefined,
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject);
    server.bind(port, '127.0.0.1', resolve);
  });
  return {
    address: `127.0.0.1:${String(server.address().port)}`,
    close() {
      server.close();
    },
  };
}
