import { budgetId } from '../../platform/auth/budget-id.ts';
import { escapeHtml } from '../../platform/content/html.ts';
import { renderText } from '../../platform/content/liquid.ts';
import { missingPage } from '../../platform/content/plain-page.ts';
import { findLook } from '../../messaging/preferences/queries.ts';
import { networkOf } from '../../platform/http/client-address.ts';
import { contentTag, hasText } from '../../platform/http/content-tag.ts';
import { parseForm } from '../../platform/http/body.ts';
import { contentPolicy } from '../../platform/http/security-headers.ts';
import type { Services } from '../../platform/http/services.ts';
import { isMachineAgent } from '../../engagement/engagement-events/rules.ts';
import type { FormBody } from '../../campaigns/content-blocks/content-block.ts';
import { recordEngagement } from '../../engagement/engagement-events/record.ts';
import { formOf } from '../../campaigns/rendering/blocks.ts';
import { renderLandingPage } from '../../campaigns/rendering/landing-page.ts';
import {
  formMarkup,
  formStyle,
  noticeMarkup,
  proofName,
  sentMarkup,
  trapName,
} from '../../campaigns/rendering/form-markup.ts';
import type { Entries, FieldProblem } from '../../campaigns/rendering/form-markup.ts';
import { formWordsFor } from '../../campaigns/rendering/form-words.ts';
import { checkForm } from '../forms/check.ts';
import { recordSubmission } from '../forms/submit.ts';
import { newFormToken, readFormToken } from '../forms/token.ts';
import { partnerContent } from './page.ts';
import type { SitePage, Visit } from './page.ts';
import { openPublishedPage } from './published-pages.ts';
import type { OpenedPage } from './published-pages.ts';
import { cutText } from '../../platform/cut-text.ts';

/** The page under a slug: shown, or sent a form. */
export async function landingPage(
  services: Services,
  teamId: string,
  slug: string,
  visit: Visit,
): Promise<SitePage> {
  const published = await openPublishedPage(services, teamId, slug);
  if (!published) {
    const look = await services.database.read((sql) => findLook(sql, teamId), {
      isPipelined: true,
    });
    return { status: 404, type: 'text/html', headers, body: missingPage(look, 'en') };
  }
  const opened: Opened = { ...published, services, teamId, visit };
  if (visit.method === 'POST') return sendForm(opened);
  const sentKey = visit.search.get('sent') ?? undefined;
  // A visitor who returns from a form has already been counted.
  if (visit.method === 'GET' && sentKey === undefined) await recordView(opened);
  return show(opened, { sentKey });
}

interface Opened extends OpenedPage {
  services: Services;
  teamId: string;
  visit: Visit;
}

const headers = {
  'Content-Security-Policy': contentPolicy({ ...partnerContent, 'form-action': "'self'" }),
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'Cache-Control': 'no-cache',
};

/** Variants of the response, other than the page as it is opened. */
interface Shown {
  status?: number;
  /** The form that was sent before. */
  sentKey?: string | undefined;
  /** The form that was sent now, and what is wrong with it. */
  formKey?: string | undefined;
  token?: string | undefined;
  entries?: Entries;
  problems?: readonly FieldProblem[];
  notice?: string;
  further?: Readonly<Record<string, string>>;
}

function show(opened: Opened, shown: Shown): SitePage {
  const { services, page, content, pen: ink, visit } = opened;
  const { sentKey, formKey, token, entries, problems = [], notice } = shown;
  const words = formWordsFor(ink.locale);
  const isRefused = problems.length > 0 || notice !== undefined;
  const forms = content.blocks.filter((block) => block.kind === 'form');
  const isSent = !isRefused && forms.some(({ key }) => key === sentKey);
  const write = (key: string, form: FormBody, pen: Parameters<typeof sentMarkup>[2]) => {
    if (isSent && key === sentKey) return sentMarkup(key, form, pen);
    const isMeant = key === formKey;
    const fresh = () =>
      newFormToken(services.keyring, { pageId: page.id, formKey: key }, Date.now());
    return formMarkup(key, form, pen, {
      token: (isMeant ? token : undefined) ?? fresh(),
      entries: isMeant && entries ? repeatable(entries) : new Map(),
      problems: isMeant ? problems : [],
    });
  };
  const body = renderLandingPage(content, ink, {
    write,
    style: forms.length > 0 ? formStyle : '',
    outcome: isRefused ? words.outcomeRefused : isSent ? words.outcomeSent : undefined,
    notice: notice === undefined ? '' : noticeMarkup(notice),
  });
  const all = { ...headers, ...shown.further };
  const answer: SitePage = { status: shown.status ?? 200, type: 'text/html', headers: all, body };
  return forms.length > 0 || isRefused ? answer : unlessKnown(answer, visit);
}

/** Characters of input that an error page repeats, more than a form allows. */
const maxRepeated = 8_000;

function repeatable(entries: Entries): Entries {
  let room = maxRepeated;
  return new Map([...entries].filter(([, value]) => (room -= value.length) >= 0));
}

/** A page without forms is the same for all visitors; a form belongs to one showing. */
function unlessKnown(answer: SitePage, visit: Visit): SitePage {
  const tag = contentTag(answer.body);
  const all = { ...answer.headers, ETag: tag, 'Cache-Control': 'private, max-age=30' };
  if (!hasText(visit.headers, tag)) return { ...answer, headers: all };
  return { ...answer, status: 304, headers: all, body: '' };
}

/**
 * The response to a form is the page again, or a redirect to it, so that a reload sends nothing.
 */
async function sendForm(opened: Opened): Promise<SitePage> {
  const { services, teamId, page, content, values, visit } = opened;
  const { keyring, database } = services;
  const params = parseForm(await visit.readForm());
  const entries = entriesOf(params);
  const token = params.get(proofName) ?? '';
  const showing = readFormToken(keyring, token, Date.now());
  const forms = content.blocks.flatMap((block) => {
    const form = formOf(block, values.locale);
    return form ? [{ key: block.key, form }] : [];
  });
  const meant = forms.find(({ key }) => key === showing?.formKey);
  const isOfPage = showing?.pageId === page.id && meant !== undefined;
  const formKey = meant?.key ?? (forms.length === 1 ? forms[0]?.key : undefined);
  if (isOfPage && params.has(trapName) && params.get(trapName) !== '') return sent(meant.key);
  const words = formWordsFor(values.locale);
  const retryAfter = await spend(opened);
  if (retryAfter !== undefined) {
    return show(opened, {
      status: 429,
      formKey,
      entries,
      token,
      notice: words.tooOften.replace('{seconds}', String(retryAfter)),
      further: { 'Retry-After': String(retryAfter) },
    });
  }
  if (!isOfPage || showing.isExpired) {
    return show(opened, { status: 422, formKey, entries, notice: words.tooOld });
  }
  const checked = checkForm(meant.form, entries, {
    locale: page.team.locale,
    language: values.locale,
    wordsOf: (source) => renderText(source, values),
  });
  if ('problems' in checked) {
    const { problems } = checked;
    return show(opened, { status: 422, formKey, entries, token, problems });
  }
  const agent = agentOf(visit);
  await database.transact((sql) =>
    recordSubmission(sql, services, {
      ...checked,
      teamId,
      tier: page.tier,
      from: visit.address,
      formKey: meant.key,
      showingId: showing.showingId,
      page: { id: page.id, version: page.version, locale: content.locale },
      userAgent: agent,
      isMachine: isMachineAgent(agent),
    }),
  );
  return sent(meant.key);
}

const sent = (key: string): SitePage => ({
  status: 303,
  type: 'text/html',
  headers: { ...headers, Location: `?sent=${encodeURIComponent(key)}` },
  body: `<!doctype html><title>Sent</title><p><a href="?sent=${escapeHtml(key)}">Sent</a></p>`,
});

/** Input of the fields of forms; a browser trims nothing, and a database stores no NUL. */
function entriesOf(params: URLSearchParams): Entries {
  return new Map(
    [...params]
      .filter(([name]) => !name.startsWith('_'))
      .map(([name, value]) => [name, value.replaceAll('\0', '').toWellFormed().trim()]),
  );
}

/**
 * Takes from the budgets of the source and of the page; returns the seconds to wait if one is used
 * up.
 */
async function spend({ services, page, visit }: Opened): Promise<number | undefined> {
  const { limiter, keyring } = services;
  const budgets = [
    {
      owner: budgetId(keyring, `form ${page.id} of ${networkOf(visit.address)}`),
      rateClass: 'session',
    },
    // Its own, so that a flood of visits leaves people their forms.
    { owner: budgetId(keyring, `form ${page.id}`), rateClass: 'widget' },
  ] as const;
  for (const { owner, rateClass } of budgets) {
    const decision = await limiter.take(owner, page.tier, rateClass);
    if (decision?.allowed === false) return decision.resetSeconds;
  }
  return undefined;
}

const agentOf = ({ headers: { 'user-agent': agent } }: Visit) =>
  agent === undefined ? undefined : cutText(agent, 512);

/** A visitor is anonymous. Visits above the rate limit get the page, but are not counted. */
async function recordView({ services, teamId, page, visit }: Opened): Promise<void> {
  const { database, limiter, log } = services;
  const agent = agentOf(visit);
  try {
    const decision = await limiter.take(page.id, page.tier, 'widget');
    if (decision?.allowed === false) return;
    await database.transact((sql) =>
      recordEngagement(sql, teamId, [
        {
          kind: 'landing_page.viewed',
          channel: 'web',
          source: 'landing_page',
          landing_page_id: page.id,
          is_machine: isMachineAgent(agent),
          occurred_at: new Date().toISOString(),
          ...(agent !== undefined && agent !== '' && { user_agent: agent }),
        },
      ]),
    );
  } catch (error) {
    // The page is worth more than its count.
    log.warn({ err: error }, 'a visit could not be recorded');
  }
}
