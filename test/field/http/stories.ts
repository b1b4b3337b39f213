import { join, resolve } from 'node:path';
import { run } from '../../clients/client.ts';
import {
  buildGo,
  buildJava,
  installNode,
  installPython,
  versionIf,
  versionOf,
} from '../programs.ts';
import type { MavenPackage } from '../programs.ts';
import type { FieldService, Story } from '../story.ts';

// Clients that get tokens and call the API, as they are unless they are told otherwise.

const sources = resolve('test/field/http/programs');
const story = 'gets tokens with and without scopes, creates, lists, and acts without a body';
const expects = 'every token has the scopes of the client; no call is refused';

const argumentsOf = ({ apiUrl, clientId, clientSecret }: FieldService) => [
  ...[apiUrl, clientId, clientSecret],
];

const packages = {
  python: ['requests-oauthlib==2.0.0', 'oauthlib==3.3.1'],
  node: ['simple-oauth2@5.1.0', 'axios@1.13.2'],
  go: 'golang.org/x/oauth2@v0.30.0',
};

const python: Story = {
  ...{ program: 'requests-oauthlib', story, expects },
  prepare: (directory) =>
    versionIf('2.0.0', () => {
      installPython(join(directory, 'requests-oauthlib'), packages.python);
    }),
  run(service) {
    const program = join(service.directory, 'requests-oauthlib', 'bin', 'python3');
    // Its rule that tokens travel by https alone does not suit this machine.
    const env = {
      ...process.env,
      ...{ OAUTHLIB_INSECURE_TRANSPORT: '1', OAUTHLIB_RELAX_TOKEN_SCOPE: '1' },
    };
    run(program, [join(sources, 'oauth.py'), ...argumentsOf(service)], { env });
  },
};

const node: Story = {
  ...{ program: 'simple-oauth2 and axios', story, expects },
  prepare: (directory) =>
    versionIf(packages.node.join(', '), () => {
      installNode(join(directory, 'oauth'), packages.node, join(sources, 'oauth.mjs'));
    }),
  run(service) {
    const script = join(service.directory, 'oauth', 'story.mjs');
    run(process.execPath, [script, ...argumentsOf(service)]);
  },
};

const go: Story = {
  ...{ program: 'golang.org/x/oauth2', story, expects },
  prepare: (directory) =>
    versionIf('0.30.0', () => {
      buildGo(join(directory, 'oauth2'), join(sources, 'go', 'oauth2'), [packages.go]);
    }),
  run(service) {
    run(join(service.directory, 'oauth2', 'program'), argumentsOf(service));
  },
};

const jdk: Story = {
  program: 'HttpClient of the JDK',
  story: 'gets a token, and sends bodies of unknown length, empty ones included',
  expects,
  prepare: () => versionOf('java', ['-version']),
  run(service) {
    run('java', [join(sources, 'Jdk.java'), ...argumentsOf(service)]);
  },
};

const springPackages = (security: string, spring: string): readonly MavenPackage[] => [
  ['org.springframework.security', 'spring-security-oauth2-client', security],
  ['org.springframework', 'spring-web', spring],
  ['com.fasterxml.jackson.core', 'jackson-databind', '2.18.2'],
  ['jakarta.servlet', 'jakarta.servlet-api', '6.0.0'],
  ['javax.servlet', 'javax.servlet-api', '4.0.1'],
];

const spring = (security: string, framework: string): Story => ({
  program: `Spring Security ${security}`,
  story: 'gets tokens by its client for client credentials, by Basic and by form',
  expects: 'a token, although it accepts "application/json;charset=UTF-8" alone',
  prepare: (directory) =>
    versionIf(security, () => {
      const place = join(directory, `spring-${security}`);
      buildJava(place, join(sources, 'Spring.java'), springPackages(security, framework));
    }),
  run(service) {
    const place = join(service.directory, `spring-${security}`);
    const path = `${join(place, 'classes')}:${join(place, 'libs')}/*`;
    run('java', ['-cp', path, 'Spring', ...argumentsOf(service)]);
  },
});

/** One call of curl, which fails where the answer is an error. */
const curl = (told: string, args: (service: FieldService) => readonly string[]): Story => ({
  program: 'curl',
  story: told,
  expects: 'a success',
  prepare: () => versionOf('curl', ['--version'])?.split(' ').slice(0, 2).join(' '),
  run(service) {
    run('curl', ['--silent', '--show-error', '--fail-with-body', ...args(service)]);
  },
});

const bearer = ({ token }: FieldService) => ['-H', `Authorization: Bearer ${token}`];
const contacts = ({ apiUrl }: FieldService) => `${apiUrl}/v2/partner/contacts`;
const basic = ({ clientId, clientSecret }: FieldService) => ['-u', `${clientId}:${clientSecret}`];
const form = ['-d', 'grant_type=client_credentials', '-d', 'scope=', '-d', 'audience='];

const curls: readonly Story[] = [
  curl('asks for a token with parameters without a value', (service) => [
    ...[...basic(service), ...form, `${service.apiUrl}/oauth2/token`],
  ]),
  curl('asks for a token as XML, which the token endpoint does not look at', (service) => [
    ...[...basic(service), ...form, '-H', 'Accept: application/xml'],
    `${service.apiUrl}/oauth2/token`,
  ]),
  curl('lists with a type that has parameters', (service) => [
    ...[...bearer(service), '-H', 'Accept: application/json;odata.metadata=none;q=0.8'],
    contacts(service),
  ]),
  curl('filters by a zone without its colon, as strftime writes it', (service) => [
    ...[...bearer(service), '-G', '--data-urlencode'],
    ...['filter[inserted_at][gte]=2026-01-01T00:00:00+0000', contacts(service)],
  ]),
  curl('uploads in chunks, with "Expect: 100-continue"', (service) => [
    ...[...bearer(service), '-H', 'Expect: 100-continue', '-H', 'Content-Type: text/csv'],
    ...['-H', 'Transfer-Encoding: chunked', '--data-binary', 'unique_id\r\r\nfield\r\r\n'],
    `${service.apiUrl}/v2/batch/uploads`,
  ]),
];

export const stories: readonly Story[] = [
  ...curls,
  ...[python, node, go, jdk, spring('5.8.16', '5.3.39'), spring('6.5.1', '6.2.8')],
];
