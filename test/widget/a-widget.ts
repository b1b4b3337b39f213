import type { CallOptions, Reply, TestApi, TestTeam } from '../support/api.ts';
import { aJourneyIn, aTemplateWithPages } from '../journeys/a-journey.ts';
import type { AJourney } from '../journeys/a-journey.ts';

export const bank = 'https://bank.example.com';
export const widgetInstances = '/v2/partner/widget-instances';

export async function aWidget(team: TestTeam, fields: object = {}): Promise<string> {
  const { status, body } = await team.post(widgetInstances, {
    ...{ name: 'Checklist', widget_kind: 'journey', allowed_origins: [bank] },
    ...fields,
  });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return String(body.id);
}

export async function exchange(team: TestTeam, widgetId: string, body: object): Promise<Reply> {
  return team.post(`${widgetInstances}/${widgetId}/tokens`, body);
}

/** The token of an exchange that works. */
export async function aToken(team: TestTeam, widgetId: string, body: object): Promise<string> {
  const reply = await exchange(team, widgetId, body);
  if (reply.status !== 201) throw new Error(JSON.stringify(reply.body));
  return String(reply.body.access_token);
}

/** A contact enrolled in a template, with a widget that shows it. */
export async function aScene(
  api: TestApi,
  { contact = {}, template = {}, widget = {}, pages = [{ name: 'Hello' }] as object[] } = {},
): Promise<{ team: TestTeam; journey: AJourney; widgetId: string }> {
  const team = await api.newTeam();
  const templateId = await aTemplateWithPages(team, pages, template);
  const journey = await aJourneyIn(api, team, templateId, contact);
  return { team, journey, widgetId: await aWidget(team, widget) };
}

/** A page in a browser: what it sends, and what it was given. */
export interface Visitor {
  body: any;
  cookie: string;
  csrf: string;
  path: string;
  /** By cookie, from a page of the bank, or from the origin in the headers. */
  call(method: string, path: string, options?: CallOptions): Promise<Reply>;
}

/** The value of the session's cookie, as a browser sends it back. */
export const cookieOf = ({ headers }: Reply) =>
  headers.get('set-cookie')?.split(';', 1).join('') ?? '';

export function visitorOf(api: TestApi, reply: Reply, origin = bank): Visitor {
  if (reply.status !== 201) throw new Error(JSON.stringify(reply.body));
  const cookie = cookieOf(reply);
  const csrf = String(reply.body.session.csrf_token);
  const path = `/v2/widget/journeys/${String(reply.body.journey.id)}`;
  return {
    ...{ body: reply.body, cookie, csrf, path },
    call: (method, at, { headers, ...options } = {}) =>
      api.call(method, at, {
        ...options,
        headers: { Cookie: cookie, Origin: origin, 'X-CSRF-Token': csrf, ...headers },
      }),
  };
}

export const bootstrapByToken = (api: TestApi, token: string, headers: object = {}) =>
  api.call('POST', '/v2/widget/bootstrap', {
    headers: { Authorization: `Bearer ${token}`, Origin: bank, ...headers },
  });

export const bootstrapByLink = (api: TestApi, link_token: string) =>
  api.call('POST', '/v2/widget/bootstrap', {
    body: { link_token },
    headers: { Origin: 'http://onward.test' },
  });

/** A visitor with a session that a token of these words opened. */
export async function aVisitor(
  api: TestApi,
  { team, journey, widgetId }: { team: TestTeam; journey: AJourney; widgetId: string },
  body: object = {},
): Promise<Visitor & { token: string }> {
  const token = await aToken(team, widgetId, { contact_id: journey.contactId, ...body });
  return { ...visitorOf(api, await bootstrapByToken(api, token)), token };
}

export const verdict = ({ status, body }: Reply) =>
  [status, body?.errors?.[0]?.code].filter((part) => part !== undefined).join(' ');
