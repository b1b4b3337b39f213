import { readFile } from 'node:fs/promises';
import { Command, InvalidArgumentError } from 'commander';
import { isLoopbackHost } from '../../platform/config/hosts.ts';
import { readConfig } from '../../platform/config.ts';
import { listen } from '../../platform/http/listen.ts';
import { createLog } from '../../platform/observability/log.ts';
import { createPayloadCodec } from '../../platform/temporal/payload-codec.ts';
import { LocalFailure } from '../../local/local-failure.ts';
import { openServiceKeys } from '../admin/connection.ts';
import { print } from '../command.ts';
import { createCodecHandler } from './serve.ts';
import { parseUrl } from '../../platform/schema/rules.ts';

interface Options {
  host: string;
  port: number;
  origin: string[];
  tokenFile?: string;
}

const minTokenLength = 32;

/** `npm run codec-server`; ends when `signal` is aborted. Lines go to `write`. */
export function createCodecServer(
  signal: AbortSignal,
  write: (line: string) => void = print,
): Command {
  return new Command('npm run codec-server --')
    .description(
      'Decrypts and encrypts payloads for the Temporal UI and CLI, with the keys temporal_codec ' +
        'of ONWARD_KEYS_FILE, until Ctrl-C. With TLS_CERT_FILE and TLS_KEY_FILE it speaks HTTPS.',
    )
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <port>', 'port to listen on', parsePort, 8234)
    .option(
      '--origin <origin...>',
      'origins of the Temporal UI, such as https://temporal.example.com',
      [],
    )
    .option(
      '--token-file <path>',
      'file with the bearer token; required unless on a loopback address',
    )
    .showHelpAfterError('(--help shows what there is)')
    .action(async (options: Options) => {
      const { tls, http, logLevel } = readConfig({ development: true });
      const { host, port, origin: origins } = options;
      const token = await readToken(options);
      for (const origin of origins) {
        if (parseUrl(origin)?.origin !== origin) {
          throw new LocalFailure(
            `--origin ${origin}: give scheme, host and port only, without a path.`,
          );
        }
      }
      const handle = createCodecHandler({
        codec: createPayloadCodec(await openServiceKeys(), true),
        token,
        origins,
        log: createLog(logLevel, 'codec-server', {
          write: (line) => {
            write(line.trimEnd());
          },
        }),
      });
      const listener = await listen(
        (request, response) => {
          handle(request, response).catch(() => response.destroy());
        },
        {
          host,
          port,
          tls,
          http,
        },
      );
      const scheme = tls ? 'https' : 'http';
      write(`Payloads are decrypted at ${scheme}://${host}:${String(listener.port)} until Ctrl-C.`);
      if (!signal.aborted) {
        await new Promise((resolve) => {
          signal.addEventListener('abort', resolve, { once: true });
        });
      }
      await listener.close();
    });
}

function parsePort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new InvalidArgumentError('A port is a number from 0 to 65535.');
}

async function readToken({ host, tokenFile }: Options): Promise<string | undefined> {
  if (tokenFile === undefined) {
    if (isLoopbackHost(host)) return undefined;
    throw new LocalFailure(
      `${host} is no loopback address: name a file with a bearer token by --token-file.`,
    );
  }
  const token = await readFile(tokenFile, 'utf8').then(
    (text) => text.trim(),
    (cause: unknown) => {
      throw new LocalFailure(`${tokenFile} cannot be read.`, { cause });
    },
  );
  if (token.length >= minTokenLength && /^[\x21-\x7e]+$/.test(token)) return token;
  throw new LocalFailure(
    `The token in ${tokenFile} must have ${String(minTokenLength)} visible ASCII characters or more: openssl rand -hex 32.`,
  );
}
