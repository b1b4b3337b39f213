import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readConfig } from '../../../src/platform/config.ts';
import { connectionOptions } from '../../../src/platform/temporal/client.ts';
import { scratchDirectory } from '../../local/scratch.ts';
import { newAuthority } from '../../support/authority.ts';

const root = scratchDirectory();
const save = (name: string, text: string) => {
  const path = join(root, name);
  writeFileSync(path, text);
  return path;
};
const authority = newAuthority('Authority of the test');
const { certificate, key } = authority.issue('onward-worker');
const certificateFile = save('worker.crt', certificate);
const keyFile = save('worker.key', key);

const read = (environment: Record<string, string>) =>
  readConfig({ development: true }, environment);

/** The options of both connections, and the namespace. */
function optionsOf(environment: Record<string, string>) {
  const { temporalAddress = '', temporalNamespace, temporalProfile } = read(environment);
  const { tls, apiKey, metadata, address } = connectionOptions({
    temporalAddress,
    temporalNamespace,
    temporalProfile,
  });
  return { address, namespace: temporalNamespace, apiKey, metadata, tls };
}

/** The lines of the message with which a process refuses to start. */
function problemsOf(environment: Record<string, string>): string[] {
  try {
    read(environment);
    return [];
  } catch (error) {
    return String(error)
      .split('\n')
      .filter((line) => line.startsWith('  - '));
  }
}

const toml = `
[profile.default]
address = "127.0.0.1:7233"
[profile.cloud]
address = "onward.a1b2c.tmprl.cloud:7233"
namespace = "onward-prod.a1b2c"
api_key = "from-the-file"
grpc_meta = { "temporal-namespace" = "onward-prod.a1b2c" }
[profile.bank]
address = "temporal.bank.example:7233"
tls.client_cert_path = "${certificateFile}"
tls.client_key_path = "${keyFile}"
tls.server_name = "frontend.bank.example"
`;
const file = save('temporal.toml', toml);

describe('A profile', () => {
  test('gives address, namespace, API key and headers', () => {
    expect(optionsOf({ TEMPORAL_CONFIG_FILE: file, TEMPORAL_PROFILE: 'cloud' })).toEqual({
      address: 'onward.a1b2c.tmprl.cloud:7233',
      namespace: 'onward-prod.a1b2c',
      apiKey: 'from-the-file',
      metadata: { 'temporal-namespace': 'onward-prod.a1b2c' },
      tls: true,
    });
  });

  test('gives the client certificate, and variables override its values', () => {
    const environment = {
      TEMPORAL_CONFIG_FILE: file,
      TEMPORAL_PROFILE: 'bank',
      TEMPORAL_NAMESPACE: 'onward-staging',
      TEMPORAL_TLS_SERVER_NAME: 'staging.bank.example',
    };
    expect(optionsOf(environment)).toMatchObject({
      address: 'temporal.bank.example:7233',
      namespace: 'onward-staging',
      tls: {
        serverNameOverride: 'staging.bank.example',
        clientCertPair: { crt: Uint8Array.from(Buffer.from(certificate)) },
      },
    });
  });

  test('is "default" with a file alone', () => {
    expect(optionsOf({ TEMPORAL_CONFIG_FILE: file }).address).toBe('127.0.0.1:7233');
  });

  test('of the home directory is used only if a setting names it', () => {
    const home = { HOME: root, XDG_CONFIG_HOME: root };
    expect(optionsOf(home).address).toBe('');
    expect(problemsOf({ ...home, TEMPORAL_PROFILE: 'cloud' })).toEqual([
      expect.stringMatching(/TEMPORAL_PROFILE: .* has no table \[profile\.cloud\]/),
    ]);
  });
});

test('an API key implies TLS, and contents of files are taken from variables', () => {
  expect(optionsOf({ TEMPORAL_API_KEY: 'secret' })).toMatchObject({ apiKey: 'secret', tls: true });
  const tls = {
    TEMPORAL_TLS_CLIENT_CERT_DATA: certificate,
    TEMPORAL_TLS_CLIENT_KEY_DATA: key,
    TEMPORAL_TLS_SERVER_CA_CERT_DATA: authority.certificate,
  };
  expect(Object.keys(Object(optionsOf(tls).tls))).toEqual(
    expect.arrayContaining(['clientCertPair', 'serverRootCACertificate']),
  );
});

const otherKey = save('other.key', authority.issue('another').key);
const broken = save('broken.toml', 'api_key = "a-secret-of-the-file\n');
const empty = save('empty.toml', '');
const unknownField = save('unknown.toml', '[profile.default]\nadress = "127.0.0.1:7233"\n');
const missing = save('missing.toml', '[profile.default]\ntls.server_ca_cert_path = "/none"\n');

test.each<[string, Record<string, string>, string]>([
  [
    'a URL as the address',
    { TEMPORAL_ADDRESS: 'https://temporal.example' },
    'TEMPORAL_ADDRESS is "https://temporal.example": give host:port',
  ],
  [
    'a certificate without its key',
    { TEMPORAL_TLS_CLIENT_CERT_PATH: certificateFile },
    'TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH belong together',
  ],
  [
    'a key of another certificate',
    { TEMPORAL_TLS_CLIENT_CERT_PATH: certificateFile, TEMPORAL_TLS_CLIENT_KEY_PATH: otherKey },
    'TEMPORAL_TLS_CLIENT_KEY_PATH is not the key of TEMPORAL_TLS_CLIENT_CERT_PATH',
  ],
  [
    'a key as the authority',
    { TEMPORAL_TLS_SERVER_CA_CERT_PATH: keyFile },
    'TEMPORAL_TLS_SERVER_CA_CERT_PATH has no certificate in PEM',
  ],
  [
    'a file and its content',
    {
      TEMPORAL_TLS_SERVER_CA_CERT_PATH: certificateFile,
      TEMPORAL_TLS_SERVER_CA_CERT_DATA: certificate,
    },
    'TEMPORAL_TLS_SERVER_CA_CERT_PATH and TEMPORAL_TLS_SERVER_CA_CERT_DATA exclude each other',
  ],
  [
    'a file that does not exist',
    { TEMPORAL_CONFIG_FILE: join(root, 'none.toml') },
    'TEMPORAL_CONFIG_FILE names the file',
  ],
  [
    'a profile that the file lacks',
    { TEMPORAL_CONFIG_FILE: file, TEMPORAL_PROFILE: 'prod' },
    `TEMPORAL_PROFILE: ${file} has no table [profile.prod]`,
  ],
  [
    'a file without profiles',
    { TEMPORAL_CONFIG_FILE: empty },
    `TEMPORAL_PROFILE: ${empty} has no table [profile.default]`,
  ],
  [
    'a file that is not TOML',
    { TEMPORAL_CONFIG_FILE: broken },
    `TEMPORAL_CONFIG_FILE: ${broken} is not TOML, see line 1`,
  ],
  [
    'a misspelled field of a profile',
    { TEMPORAL_CONFIG_FILE: unknownField },
    'key(s) unrecognized in profile.default: adress',
  ],
  [
    'a profile whose authority cannot be read',
    { TEMPORAL_CONFIG_FILE: missing },
    'server_ca_cert of the Temporal profile names the file /none',
  ],
  [
    'TLS switched off with an API key',
    { TEMPORAL_API_KEY: 'k', TEMPORAL_TLS: 'false' },
    'TEMPORAL_API_KEY needs TLS',
  ],
  ['a flag that is none', { TEMPORAL_TLS: 'yes' }, 'TEMPORAL_TLS must be true or false'],
])('%s is refused with one line that names the setting', (_, environment, message) => {
  expect(problemsOf(environment)).toEqual([expect.stringContaining(message)]);
});

test('a file with a mistake is never quoted', () => {
  expect(problemsOf({ TEMPORAL_CONFIG_FILE: broken }).join('')).not.toContain('a-secret');
});

describe('the version of a worker', () => {
  test('exists with a build id only, in the deployment of that name', () => {
    expect(read({}).temporalVersion).toBeUndefined();
    expect(read({ TEMPORAL_DEPLOYMENT_NAME: 'bank' }).temporalVersion).toBeUndefined();
    expect(read({ TEMPORAL_WORKER_BUILD_ID: 'a1' }).temporalVersion).toEqual({
      ...{ deploymentName: 'onward', buildId: 'a1' },
    });
  });

  test('has a deployment without a period in its name', () => {
    const problems = problemsOf({ TEMPORAL_DEPLOYMENT_NAME: 'bank.eu' });
    expect(problems).toEqual([expect.stringContaining('TEMPORAL_DEPLOYMENT_NAME must not')]);
  });
});
