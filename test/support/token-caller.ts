import { Agent, request } from 'node:http';

/** Requests tokens from an address of this machine; each call resolves with the status. */
export function createTokenCaller(base: string, localAddress: string) {
  const agent = new Agent({ keepAlive: true, localAddress });
  const ask = (fields: Record<string, string>, forwardedFor?: string) =>
    new Promise<number>((resolve, reject) => {
      const call = request(
        `${base}/oauth2/token`,
        {
          agent,
          method: 'POST',
          headers: {
            'Content-Type': 'application/x-www-form-urlencoded',
            ...(forwardedFor !== undefined && { 'X-Forwarded-For': forwardedFor }),
          },
        },
        (reply) => {
          reply.resume();
          reply.on('end', () => resolve(reply.statusCode ?? 0));
        },
      );
      call.on('error', reject);
      call.end(new URLSearchParams({ grant_type: 'client_credentials', ...fields }).toString());
    });
  return { ask, end: () => agent.destroy() };
}
