import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';

const generate = promisify(generateKeyPair);

interface DkimKey {
  publicKey: string;
  privateKey: string;
}

const stock: DkimKey[] = [];
/** Unused keys that are kept: those of requests for a domain that existed already. */
const maxStock = 5;

/**
 * Makes a key pair for the next domain. Called before the transaction, which locks the team: on a busy
 * machine a key takes seconds.
 */
export async function stockDkimKey(): Promise<void> {
  if (stock.length < maxStock) stock.push(await generateDkimKey());
}

/** A key pair that no domain has. */
export async function takeDkimKey(): Promise<DkimKey> {
  return stock.pop() ?? (await generateDkimKey());
}

/** A key pair for DKIM (RFC 8301: RSA of 2,048 bits), made outside of the event loop. */
async function generateDkimKey(): Promise<DkimKey> {
  const { publicKey, privateKey } = await generate('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return { publicKey: publicKey.toString('base64'), privateKey };
}
