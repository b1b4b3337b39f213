import { element, labeled, onSubmit } from '../../../widget/script/dom.ts';
import { operationOf } from './operations.ts';
import { isRow, rowsOf, textOf } from './values.ts';

/** The caller of the API, as the pages know it. */
interface Caller {
  name: string;
  token: string;
  isSample: boolean;
}

/** The address below which the pages are, without a slash at its end. */
const base = document.documentElement.dataset['base'] ?? '';
/** The chosen team, so that the next page shows the same; no token is stored. */
const teamKey = 'onward.team';

let callers: Caller[] = [];
let current: Caller | undefined;

/** The address of one of the pages; `fragment` names what is open in it. */
export const pageHref = (page: string, fragment = '') => `${base}/${page}${fragment}`;

/** The page of a workflow; undefined where this installation shows none. */
export function workflowHref(id: string): string | undefined {
  const { temporal } = document.documentElement.dataset;
  return temporal === undefined ? undefined : `${temporal}/${encodeURIComponent(id)}`;
}

export const token = (): string => current?.token ?? '';
export const isSignedIn = (): boolean => current !== undefined;

/** The scope that the token lacks for an operation; undefined if it may be called. */
export function missingScopeOf(operation: string): string | undefined {
  const { scopes } = operationOf(operation);
  const granted = grantedScopes(token());
  // A token that cannot be read is for the service to reject.
  if (!granted || scopes.length === 0) return undefined;
  return scopes.some((scope) => granted.has(scope)) ? undefined : scopes[0];
}

export const mayCall = (operation: string): boolean => missingScopeOf(operation) === undefined;

/** The scopes that a token names (RFC 9068). */
function grantedScopes(text: string): ReadonlySet<string> | undefined {
  const [, claims = ''] = text.split('.');
  try {
    const claim: unknown = JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/')));
    if (!isRow(claim)) return undefined;
    return new Set(textOf(claim['scope']).split(' '));
  } catch {
    return undefined;
  }
}

/** Says which command prints the address to open first; empty where none is needed. */
let missing = '';

/** The teams that this machine may act for without a sign-in; none on any other. */
async function localCallers(): Promise<Caller[]> {
  const response = await fetch('/local/session').catch(() => undefined);
  if (response?.status !== 200) return [];
  const body: unknown = await response.json();
  missing = isRow(body) ? textOf(body['missing']) : '';
  return rowsOf(isRow(body) ? body['teams'] : undefined).map((team) => ({
    name: textOf(team['name']),
    token: textOf(team['access_token']),
    isSample: team['is_sample'] === true,
  }));
}

/** The id of the portal session whose pages these are. */
const portalId = /^\/portal\/([\w-]{36})$/.exec(base)?.[1];
const portalKey = `onward.portal.${portalId ?? ''}`;

/** Whether the pages are those of a portal session, whose holder cannot ask for a token. */
export const isPortal = portalId !== undefined;

/** The secret of a link, which leaves the address at once. */
function takeSecret(): string | undefined {
  const secret = /^#([\w-]{43})$/.exec(location.hash)?.[1];
  if (secret !== undefined) history.replaceState(undefined, '', location.pathname);
  return secret;
}

/**
 * The caller of a portal session. The secret is exchanged for a token once; the token stays in this
 * tab, as long as its browser lets pages store anything. Without an answer the link may still open.
 */
async function portalCaller(
  id: string,
  secret: string | undefined,
): Promise<Caller | 'no answer' | undefined> {
  if (secret === undefined) return storedCaller();
  const response = await fetch(`/v2/partner/portal-sessions/${id}/open`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ secret }),
  }).catch(() => undefined);
  if (!response || response.status === 429 || response.status >= 500) return 'no answer';
  if (response.status !== 200) return storedCaller();
  const body: unknown = await response.json();
  if (!isRow(body)) return undefined;
  const caller = { name: textOf(body['team_name']), token: textOf(body['access_token']) };
  storeText(portalKey, JSON.stringify(caller));
  return { ...caller, isSample: false };
}

/** A text of this tab; null in a browser that lets pages store nothing. */
function storedText(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

function storeText(key: string, text: string): void {
  try {
    sessionStorage.setItem(key, text);
  } catch {
    // The next page then asks again, and a frame of a portal shows this page only.
  }
}

function storedCaller(): Caller | undefined {
  try {
    const stored: unknown = JSON.parse(storedText(portalKey) ?? 'null');
    if (!isRow(stored)) return undefined;
    return { name: textOf(stored['name']), token: textOf(stored['token']), isSample: false };
  } catch {
    return undefined;
  }
}

/** Replaces an expired token where that needs no sign-in. */
export async function renewToken(): Promise<boolean> {
  if (callers.length === 0) return false;
  callers = await localCallers();
  current = callers.find(({ name }) => name === current?.name);
  return current !== undefined;
}

/**
 * Signs in: by itself on the machine of the service, with a choice among its teams, or else by a
 * token that is pasted. Calls `change` when the caller is known, and when it changes. `prefers`
 * chooses the first team to show.
 */
export async function openSession(
  host: HTMLElement,
  change: () => void,
  prefers?: () => Promise<boolean>,
): Promise<void> {
  if (portalId !== undefined) {
    await openPortal(host, change, portalId, takeSecret());
    return;
  }
  callers = await localCallers();
  if (callers.length === 0) {
    const hint = missing === '' ? [] : [element('p', { role: 'alert' }, missing)];
    host.replaceChildren(...hint, tokenForm(change));
    return;
  }
  const stored = storedText(teamKey);
  current = callers.find(({ name }) => name === stored) ?? callers[0];
  const sample = callers.find((caller) => caller.isSample);
  // The team with made-up data, as long as the own one has nothing to show.
  if (stored === null && sample && prefers && !(await prefers())) current = sample;
  if (callers.length > 1) host.replaceChildren(teamChoice(change));
  change();
}

async function openPortal(
  host: HTMLElement,
  change: () => void,
  id: string,
  secret: string | undefined,
): Promise<void> {
  const caller = await portalCaller(id, secret);
  if (caller === 'no answer') {
    const again = element('button', { type: 'button' }, 'Try again');
    again.addEventListener('click', () => {
      again.disabled = true;
      void openPortal(host, change, id, secret);
    });
    const text = element('p', { role: 'alert' }, 'The service does not answer now. ', again);
    host.replaceChildren(text);
    return;
  }
  current = caller;
  host.replaceChildren(
    caller
      ? element('p', { class: 'summary' }, `Team: ${caller.name}`)
      : element(
          'p',
          { role: 'alert' },
          'The link was already used, has expired, or was ended. It opens one tab: go back to that one, or request a new link where you got it.',
        ),
  );
  if (caller) change();
}

function teamChoice(change: () => void): HTMLElement {
  const options = callers.map((caller) =>
    element(
      'option',
      { value: caller.name, selected: caller === current },
      caller.isSample ? `${caller.name} (made-up data)` : caller.name,
    ),
  );
  const choice = element('select', { name: 'team' }, ...options);
  choice.addEventListener('change', () => {
    current = callers.find(({ name }) => name === choice.value);
    storeText(teamKey, choice.value);
    change();
  });
  return labeled('Team', choice);
}

function tokenForm(change: () => void): HTMLElement {
  const field = element('input', { type: 'password', required: true, autocomplete: 'off' });
  const form = element(
    'form',
    { class: 'sign-in' },
    labeled('Access token', field),
    element('button', { class: 'primary' }, 'Show'),
  );
  onSubmit(form, async () => {
    current = { name: '', token: field.value.trim(), isSample: false };
    change();
    return Promise.resolve();
  });
  return form;
}
