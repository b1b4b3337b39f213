import SMTPConnection from 'nodemailer/lib/smtp-connection';

/** Longest reply of a server; a longer one ends the connection. */
export const maxReplyBytes = 65_536;
/** Empty lines between the replies of a connection; some servers send a few. */
const maxEmptyLines = 8;

/**
 * Closes connections whose server sends many empty lines, which no reply contains (RFC 5321 §4.2).
 * The library stores each, and takes one out in a turn of the event loop, even after the end of the
 * connection: a megabyte of them would occupy the process for minutes.
 */
export function boundEmptyLines(): void {
  const { prototype } = SMTPConnection;
  const read: unknown = Reflect.get(prototype, '_processResponse');
  if (typeof read !== 'function') throw new Error('nodemailer reads replies in another way');
  const counts = new WeakMap<SMTPConnection, number>();
  Reflect.set(prototype, '_processResponse', function (this: SMTPConnection) {
    if (this.destroyed) return;
    const queue: unknown = Reflect.get(this, '_responseQueue');
    const reply: unknown = Array.isArray(queue) ? queue[0] : undefined;
    const isEmpty = typeof reply === 'string' && reply.trim() === '';
    const count = (counts.get(this) ?? 0) + (isEmpty ? 1 : 0);
    counts.set(this, count);
    if (count <= maxEmptyLines) {
      Reflect.apply(read, this, []);
      return;
    }
    const about = { code: 'EPROTOCOL', command: 'CONN' };
    this.emit('error', Object.assign(new Error('the server sends empty lines'), about));
    this.close();
  });
}
