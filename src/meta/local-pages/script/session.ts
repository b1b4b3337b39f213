import { element, labelled } from '../../../widget/script/dom.ts';
import { isRow, rowsOf, textOf } from './api.ts';

interface Team {
  name: string;
  token: string;
  isSample: boolean;
}

/** The teams that this machine may act for without a sign-in; none on any other. */
async function localTeams(): Promise<Team[]> {
  const response = await fetch('/local/session').catch(() => undefined);
  if (response?.status !== 200) return [];
  const body: unknown = await response.json();
  return rowsOf(isRow(body) ? body['teams'] : undefined).map((team) => ({
    name: textOf(team['name']),
    token: textOf(team['access_token']),
    isSample: team['is_sample'] === true,
  }));
}

/**
 * Replaces the field for a token by a choice among the teams of this machine, if there are any. The
 * tokens are in no storage of the browser.
 */
export async function signIn(): Promise<Team[]> {
  const teams = await localTeams();
  if (teams.length === 0) return teams;
  const choice = element(
    'select',
    { name: 'team' },
    ...teams.map(({ name, isSample }, at) =>
      element('option', { value: String(at) }, isSample ? `${name} (made-up data)` : name),
    ),
  );
  document.querySelector('#sign-in')?.replaceChildren(labelled('Team', choice));
  return teams;
}

/** The token of a form: of the chosen team, or what was pasted. */
export function tokenOf(fields: FormData, teams: readonly Team[]): string {
  const team = teams[Number(textOf(fields.get('team')) || '0')];
  return team?.token ?? textOf(fields.get('token')).trim();
}
