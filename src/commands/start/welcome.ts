import type { DemoFile } from '../demo-file.ts';

/** Next steps after the start of the service; every line can be pasted into a shell. */
export function welcome(
  demo: DemoFile,
  ports: { sftp: number | undefined; metrics: number },
  seconds: number,
): string {
  const { base_url: base, client_id: id, client_secret: secret } = demo;
  return `
Onward is ready after ${seconds.toFixed(1)} s. Ctrl-C stops it; the data stays.

  Documentation  ${demo.docs_url}
  Insights       ${base}/insights
  Requests       ${base}/requests
  Mailbox        ${base}/mailbox, where sent messages stay
  Temporal       ${demo.temporal_ui_url ?? '(not known: set TEMPORAL_UI_URL)'}
  Client id      ${id}
  Client secret  ${secret}
${ports.sftp === undefined ? '' : `  SFTP           port ${String(ports.sftp)}\n`}  Metrics        http://127.0.0.1:${String(ports.metrics)}/metrics

Try it in another terminal:

TOKEN=$(curl -s ${base}/oauth2/token -d grant_type=client_credentials -d client_id=${id} -d client_secret=${secret} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
curl -sw '\\n' ${base}/v2/partner/contacts -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '{"email":"ada@example.com","first_name":"Ada"}'
curl -sw '\\n' ${base}/v2/partner/contacts -H "Authorization: Bearer $TOKEN"

\`npm run demo\` shows templates on a timer, retried webhooks, and where to see them in Temporal.
\`npm run listen -- --forward <url>\` brings events to a receiver that you are writing.
\`npm run --silent onward -- contacts list\` calls any operation: docs/cli.md.
`;
}
