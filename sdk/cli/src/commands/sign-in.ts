import type { Command } from 'commander';
import { readInput } from '../arguments.ts';
import { allowsHttp, defaultUrl, findLocalService, storeLogin } from '../credentials.ts';
import type { Credentials } from '../credentials.ts';
import { UsageError } from '../failures.ts';
import { connect, openSession, outputOf } from '../session.ts';
import type { GlobalOptions, Terminal } from '../session.ts';

/** `onward login`: by default, as the demo client of this machine. */
export function addLogin(program: Command, terminal: Terminal): void {
  const command = program
    .command('login')
    .description('stores a client in a private file, after a call with it')
    .addHelpText(
      'after',
      '\nWithout options it finds the demo client of `npm start`. `--client-secret -` reads the ' +
        'secret from standard input, so that it is in no history of a shell.',
    );
  command.action(async () => {
    const login = await loginOf(command.optsWithGlobals<GlobalOptions>(), terminal);
    const team = await connect(login).team.get();
    const file = storeLogin(terminal.environment, login);
    outputOf(terminal, command).row({ team: team.name, url: login.url, file });
  });
}

async function loginOf(
  options: GlobalOptions,
  { environment, signal }: Terminal,
): Promise<Credentials> {
  const { url = environment['ONWARD_BASE_URL'] } = options;
  const clientId = options.clientId ?? environment['ONWARD_CLIENT_ID'];
  const given = options.clientSecret ?? environment['ONWARD_CLIENT_SECRET'];
  if (clientId === undefined && given === undefined) {
    const local = findLocalService(environment);
    if (local && (url === undefined || url === local.url)) return local;
    throw new UsageError(
      'There is no demo client here: start the service with `npm start` in its folder, or pass ' +
        '--url, --client-id and --client-secret.',
    );
  }
  if (clientId === undefined || given === undefined) {
    throw new UsageError('A login has both, --client-id and --client-secret.');
  }
  const clientSecret = given === '-' ? (await readInput(signal)).trim() : given;
  const login = { url: (url ?? defaultUrl).replace(/\/+$/, ''), clientId, clientSecret };
  return { ...login, source: 'login', allowHttp: allowsHttp(environment) };
}

export function addWhoami(program: Command, terminal: Terminal): void {
  const command = program
    .command('whoami')
    .description('shows the service, the team, and what the client may do');
  command.action(async () => {
    const { onward, credentials, output } = openSession(terminal, command);
    const [team, { scopes }] = await Promise.all([
      onward.team.get(),
      onward.meta.getCapabilities(),
    ]);
    output.row({
      url: credentials.url,
      team: team.name,
      team_id: team.id,
      client_id: credentials.clientId,
      credentials: credentials.source,
      scopes: output.isJson ? scopes : `${String(scopes.length)} (--json lists them)`,
    });
  });
}
