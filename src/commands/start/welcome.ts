import path from 'node:path';
import type { DemoFile } from '../demo-file.ts';

/** Next steps after the start of the service; the lines without indentation can be pasted. */
export function welcome(
  demo: DemoFile,
  environmentFile: string,
  ports: { sftp: number | undefined; metrics: number },
  seconds: number,
): string {
  const { base_url: base, docs_url: docs, page_key: key } = demo;
  const open = key === undefined ? '' : `?key=${key}`;
  const places = {
    'Quick start': `${docs}/quick-start`,
    'Team’s pages': `${base}/webhooks${open}, with batches, campaigns, people, insights and requests`,
    Mailbox: `${base}/mailbox${open}, where sent messages stay`,
    Temporal: demo.temporal_ui_url ?? '(not known: set TEMPORAL_UI_URL)',
    Metrics: `http://127.0.0.1:${String(ports.metrics)}/metrics`,
    SFTP: ports.sftp === undefined ? '(not served)' : `port ${String(ports.sftp)}`,
    Client: `${demo.client_id}, which may do everything`,
  };
  const lines = Object.entries(places).map(([name, place]) => `  ${name.padEnd(14)}${place}`);
  return `
Onward is ready after ${seconds.toFixed(1)} s. Ctrl-C stops it; the data stays.

${lines.join('\n')}

Try it in another terminal:

. ${shellWord(fromHere(environmentFile))}
npm run --silent onward -- contacts create email=ada@example.com first_name=Ada
npm run --silent onward -- contacts list
npm run demo
`;
}

/** The shorter one of the two ways to name a file. */
function fromHere(file: string): string {
  const relative = path.relative(process.cwd(), file);
  return relative.startsWith('..') ? file : relative;
}

const shellWord = (text: string) =>
  /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
