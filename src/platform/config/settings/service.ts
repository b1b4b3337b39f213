import type { SettingGroups } from './setting.ts';

/** Addresses, limits of connections, keys, and what only `npm start` reads. */
export const serviceSettings = {
  addresses: {
    HOST: { development: '`127.0.0.1`', production: '`0.0.0.0`', meaning: 'Address to listen on' },
    PORT: {
      development: '`3000`, or the next free one',
      production: '`3000`',
      meaning: 'Port of the API',
    },
    METRICS_PORT: {
      development: '`9465`, or any where it is taken',
      production: '`9465`',
      meaning:
        'Port of `/healthz`, `/readyz` and `/metrics` of a process, at `HOST`. Not for the public; each process on a machine needs its own',
    },
    TEMPORAL_METRICS_PORT: {
      default: 'none',
      meaning:
        "Port of the Temporal SDK's own metrics of a worker, `/metrics` at `HOST`, without TLS. Not for the public; each worker on a machine needs its own",
    },
    TLS_CERT_FILE: {
      meaning:
        'PEM file with the certificate chain of the API and of `METRICS_PORT`. With it and `TLS_KEY_FILE`, both ports speak HTTPS only (TLS 1.2 and 1.3). A renewed pair is used within seconds, without a restart',
    },
    TLS_KEY_FILE: { meaning: 'PEM file with the key of `TLS_CERT_FILE`' },
    PUBLIC_BASE_URL: {
      development: '`http://127.0.0.1:<PORT>`',
      production: 'required',
      meaning:
        'Address that clients use, without a trailing slash. Production accepts `http://` only with a loopback address, a private address or a private name (`localhost`, `.test`, `.local`, `.internal`, `.home.arpa`). It is the issuer of access tokens: a change ends all tokens',
    },
    PUBLIC_HOSTS: {
      default: 'none',
      meaning:
        'Further host names by which clients reach the API, without scheme and port, separated by commas, such as an internal name. The host of `PUBLIC_BASE_URL` is known, and in development every loopback name; requests to hosts that nobody knows are 421',
    },
    SECURITY_CONTACT: {
      meaning:
        'Where vulnerabilities are reported, `mailto:…` or `https://…`; served at `/.well-known/security.txt`, which does not exist without it',
    },
    TRUSTED_PROXIES: {
      development: '`0`',
      production: '`0`, required behind a proxy with TLS',
      meaning:
        'Reverse proxies in front whose `X-Forwarded-For` is believed, 0 to 10. Too many lets callers choose their address. With an `https://` `PUBLIC_BASE_URL` and no `TLS_CERT_FILE`, production needs it; `0` is then a warning at each start',
    },
    LOG_LEVEL: {
      development: '`warn`',
      production: '`info`',
      meaning:
        'Lowest level of log lines: `trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`; JSON lines on standard output',
    },
    REQUEST_LOG: {
      default: '`true`',
      meaning:
        'Stores the requests of each team, without their texts, for seven days (`npm run admin -- requests list`)',
    },
  },
  'limits of strangers': {
    UNAUTHENTICATED_PER_SECOND: {
      default: '`50`',
      meaning:
        'Requests per second without valid credentials that an address may send for long, in one process',
    },
    UNAUTHENTICATED_BURST: {
      default: '`1000`',
      meaning:
        'Requests without valid credentials that an address may send at once, in one process',
    },
  },
  connections: {
    HTTP_MAX_CONNECTIONS: {
      default: '`5000`',
      meaning:
        'Connections that a process serves, idle ones included, 16 to 65536; more are closed at once. One address (IPv4, IPv6 /64) gets a quarter of them, and all of them with `TRUSTED_PROXIES`. The limit of open files of the process must allow them',
    },
    HTTP_HEADERS_TIMEOUT_SECONDS: {
      default: '`15`',
      meaning:
        'Longest time in seconds from the opening of a connection to the end of the headers of a request, 1 to 60',
    },
    HTTP_REQUEST_TIMEOUT_SECONDS: {
      default: '`30`',
      meaning: 'Longest time in seconds for the body of a request that sends no file, 1 to 300',
    },
    HTTP_UPLOAD_TIMEOUT_SECONDS: {
      default: '`3600`',
      meaning:
        'Longest time in seconds for a request that sends a file, 1 to 86400; at least `HTTP_HEADERS_TIMEOUT_SECONDS` and `HTTP_REQUEST_TIMEOUT_SECONDS` together. A file must also bring 16 KB in every 30 s',
    },
  },
  keys: {
    ONWARD_KEYS_FILE: {
      development: '`<data>/keys.json`, made on the first start',
      production: 'required, or `ONWARD_KEYS`',
      meaning:
        'File made by `npm run admin -- keys init --file keys.json`: one list of keys for each purpose',
    },
    ONWARD_KEYS: {
      meaning: 'The JSON of `ONWARD_KEYS_FILE` as text; takes precedence over the file',
    },
  },
  local: {
    ONWARD_DATA_DIR: {
      default: '`.onward`',
      meaning:
        'Directory of the data, the keys and the demo client. A second one, with another `PORT`, can run at the same time',
    },
    ONWARD_CACHE_DIR: {
      default: '`XDG_CACHE_HOME`, else `~/.cache`',
      meaning:
        'Directory of the Temporal program and the workflow bundles, which are in `onward/` below it',
    },
    LOCAL_SIGN_IN: {
      development: '`true` on loopback',
      production: '`false`',
      meaning:
        'Lets the pages that `npm start` serves to browsers on this machine act as the demo client without a sign-in. Every program of this machine can then get its token; refused where `HOST` is not an address of this machine',
    },
    SAMPLE_DATA: {
      default: '`true`',
      meaning:
        'Loads a team with a year of made-up data into the embedded database of `npm start`, for `/insights`; `npm run seed -- --remove-sample` removes it for good',
    },
    CHECK_RESPONSES: {
      development: '`true`',
      production: '`false`',
      meaning: 'Checks every answer against its schema; a mismatch is a 500',
    },
    UNDECLARED_ERRORS_FILE: {
      meaning:
        'File to which error codes are appended that an operation answers without declaring them, for tests',
    },
    XDG_CACHE_HOME: {
      default: '`.cache` of the home directory',
      meaning: 'Directory of caches where `ONWARD_CACHE_DIR` is not set',
    },
    PATH: {
      meaning: 'Directories in which `npm start` searches for a Temporal program',
    },
  },
} satisfies SettingGroups;
