import type { SettingGroups } from './setting.ts';

/** Connections to Postgres and Temporal. */
export const storeSettings = {
  postgres: {
    DATABASE_URL: {
      development: 'embedded server',
      production: 'required',
      meaning:
        "`postgres://user:password@host:port/database` with the application's role. Its parameters `sslmode`, `sslrootcert`, `sslcert` and `sslkey` have the meaning of libpq and override the settings below",
    },
    DATABASE_OWNER_URL: {
      production: 'for `npm run migrate`',
      meaning: 'The same database with the role that owns it and may make roles',
    },
    DATABASE_POOL_SIZE: {
      default: '`10`',
      meaning: 'Connections of one process, 2 to 200; a worker has one more',
    },
    DATABASE_SSL_MODE: {
      development: '`disable`',
      production: '`verify-full`, on loopback `disable`',
      meaning:
        "`disable`, `require`, `verify-ca` or `verify-full`. `verify-full` checks the authority and the name in the server's certificate, TLS 1.2 or newer",
    },
    DATABASE_SSL_CA_FILE: {
      meaning: 'PEM file with the authority of the server; without it, the authorities of Node.js',
    },
    DATABASE_SSL_CERT_FILE: {
      meaning:
        'PEM file with the client certificate, for a server that demands one. It is read for every new connection, so a renewed certificate needs no restart',
    },
    DATABASE_SSL_KEY_FILE: { meaning: 'PEM file with the key of `DATABASE_SSL_CERT_FILE`' },
    DATABASE_PRIVATE_LINK: {
      production: '`false`',
      meaning:
        '`true` accepts a weaker mode than `verify-full` to a host that is not loopback, because nobody else reaches the network between. The process logs it as a warning at the start',
    },
  },
  temporal: {
    TEMPORAL_ADDRESS: {
      development: 'local server',
      production: 'required by the worker',
      meaning: '`host:port`; the API does not use it',
    },
    TEMPORAL_NAMESPACE: {
      default: '`default`',
      meaning: 'Namespace of the workflows; each environment needs its own',
    },
    TEMPORAL_API_KEY: {
      meaning:
        'API key for Temporal, as Temporal Cloud issues them; with it the connection uses TLS',
    },
    TEMPORAL_TLS: {
      default: '`false`',
      meaning:
        '`true` connects by TLS. An API key and each of the other `TEMPORAL_TLS_*` settings imply it',
    },
    TEMPORAL_TLS_SERVER_CA_CERT_PATH: {
      meaning: 'PEM file with the authority of the server; without it, those of the system',
    },
    TEMPORAL_TLS_SERVER_CA_CERT_DATA: {
      meaning: 'Content of that file, where a variable is easier to provide than a file',
    },
    TEMPORAL_TLS_CLIENT_CERT_PATH: {
      meaning:
        'PEM file with the client certificate, for a server that demands one (mTLS). Restart the workers after a renewal',
    },
    TEMPORAL_TLS_CLIENT_CERT_DATA: { meaning: 'Content of that file' },
    TEMPORAL_TLS_CLIENT_KEY_PATH: {
      meaning: 'PEM file with the key of the client certificate, without a passphrase',
    },
    TEMPORAL_TLS_CLIENT_KEY_DATA: { meaning: 'Content of that file' },
    TEMPORAL_TLS_SERVER_NAME: {
      meaning: "Name in the server's certificate where it is not the host of `TEMPORAL_ADDRESS`",
    },
    TEMPORAL_CONFIG_FILE: {
      meaning:
        "TOML file with profiles, as the `temporal` program writes it. Default with `TEMPORAL_PROFILE`: `temporalio/temporal.toml` in the user's configuration directory, such as `~/.config`",
    },
    TEMPORAL_PROFILE: {
      meaning:
        'Profile in that file, `default` with `TEMPORAL_CONFIG_FILE` alone. The variables above override its values. Without both settings, no file is read',
    },
    TEMPORAL_PRIVATE_LINK: {
      production: '`false`',
      meaning:
        '`true` accepts a connection without TLS to a host that is not loopback, because nobody else reaches the network between. The worker logs it as a warning at the start',
    },
    TEMPORAL_WORKER_BUILD_ID: {
      meaning:
        'Version of the worker, such as a commit. With it the worker gets only what Worker Versioning assigns to this version (docs/operators.md); without it any work',
    },
    TEMPORAL_DEPLOYMENT_NAME: {
      default: '`onward`',
      meaning: 'Name of the worker deployment that `TEMPORAL_WORKER_BUILD_ID` is a version of',
    },
    TEMPORAL_ENCRYPT_PAYLOADS: {
      default: '`false`',
      meaning:
        'Whether workers encrypt what Temporal stores of arguments, results, memos and details, with the keys `temporal_codec`. Encrypted payloads are read with either value',
    },
    TEMPORAL_UI_URL: {
      development: 'that of the local server',
      meaning: 'Address of the Temporal UI that `npm start` shows where Temporal is elsewhere',
    },
  },
} satisfies SettingGroups;
