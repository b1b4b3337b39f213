import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';

/** The default of Postgres (scram_iterations). */
const iterations = 4_096;

/**
 * The verifier that Postgres stores for a password (RFC 5803). A statement with it leaves no
 * password in the server's log, in pg_stat_activity or on the wire.
 */
export function scramVerifier(password: string, salt = randomBytes(16)): string {
  // SASLprep, as far as passwords differ by it: Postgres prepares what it is given in the same way.
  const prepared = password.normalize('NFKC');
  const salted = pbkdf2Sync(prepared, salt, iterations, 32, 'sha256');
  const mac = (text: string) => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(mac('Client Key')).digest('base64');
  const serverKey = mac('Server Key').toString('base64');
  return `SCRAM-SHA-256$${String(iterations)}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}
