import type { Connection } from 'ssh2';
import { keyAlgorithms } from '../algorithms.ts';

/** Number of the message of RFC 8308. */
const extInfo = 7;

/** The parts of ssh2 1.17 that send its own announcement. */
interface Protocol {
  _onHandshakeComplete(...negotiated: unknown[]): void;
  _kex?: { remoteExtInfoEnabled?: boolean } | undefined;
  _packetRW: {
    write: {
      allocStart: number;
      alloc(length: number): Buffer;
      finalize(packet: Buffer): Buffer;
    };
  };
  _cipher: { encrypt(packet: Buffer): void };
}

/**
 * Announces the signature algorithms to a client in place of ssh2, whose list joins two names without
 * a comma, and names algorithms that the drop refuses. Clients with RSA keys look at it.
 */
export function announceSignatureAlgorithms(connection: Connection): void {
  const protocol: unknown = Reflect.get(connection, '_protocol');
  if (!isProtocol(protocol)) return;
  const complete = protocol._onHandshakeComplete;
  protocol._onHandshakeComplete = (...negotiated) => {
    protocol._onHandshakeComplete = complete;
    const exchange = protocol._kex;
    const isAwaited = exchange?.remoteExtInfoEnabled === true;
    if (exchange) exchange.remoteExtInfoEnabled = false;
    complete(...negotiated);
    if (!isAwaited) return;
    const payload = Buffer.concat([
      Buffer.from([extInfo, 0, 0, 0, 1]),
      textOf('server-sig-algs'),
      textOf(keyAlgorithms.join(',')),
    ]);
    const { write } = protocol._packetRW;
    const packet = write.alloc(payload.length);
    packet.set(payload, write.allocStart);
    protocol._cipher.encrypt(write.finalize(packet));
  };
}

function textOf(text: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(text.length);
  return Buffer.concat([length, Buffer.from(text)]);
}

function isProtocol(value: unknown): value is Protocol {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['_onHandshakeComplete', '_packetRW', '_cipher'].every((name) => name in value)
  );
}
