import { createHash, createHmac } from 'node:crypto';

interface SignedRequest {
  method: string;
  path: string;
  headers: Readonly<Record<string, unknown>>;
  /** The body as it came. */
  text: string;
}

/** AWS Signature Version 4 in headers, computed from what arrived. */
export function hasAwsSignature(
  { method, path, headers, text }: SignedRequest,
  account: string,
  secret: string,
): boolean {
  const form =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/us-east-1\/ses\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/;
  const [, access, day = '', signed = '', signature] =
    form.exec(String(headers['authorization'])) ?? [];
  const time = String(headers['x-amz-date']);
  const names = signed.split(';');
  if (access !== account || !time.startsWith(day) || !names.includes('host')) return false;
  const sha256 = (value: string) => createHash('sha256').update(value).digest('hex');
  const hmac = (key: string | Buffer, value: string) =>
    createHmac('sha256', key).update(value).digest();
  const lines = names.map((name) => `${name}:${String(headers[name])}\n`).join('');
  const canonical = [method, path, '', lines, signed, sha256(text)].join('\n');
  const scope = `${day}/us-east-1/ses/aws4_request`;
  const key = [day, 'us-east-1', 'ses', 'aws4_request'].reduce<string | Buffer>(
    hmac,
    `AWS4${secret}`,
  );
  const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n');
  return hmac(key, toSign).toString('hex') === signature;
}
