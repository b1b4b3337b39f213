import type { Context } from 'koa';
import { confirmationPage } from '../messaging/confirming/page.ts';
import { invalidLink, invalidLinkIn, plainLanguages } from '../platform/content/plain-page.ts';
import { readConfirmationPath } from '../messaging/confirming/token.ts';
import { preferencesPage } from '../messaging/preferences/page.ts';
import { isTrackedPath } from '../messaging/tracking/token.ts';
import { unsubscribePage } from '../messaging/unsubscribing/page.ts';
import { readChoicePath } from '../messaging/unsubscribing/token.ts';
import { readiness } from './readiness.ts';
import { checkMediaType, readBody } from '../platform/http/body.ts';
import { contentPolicy, framingOrigins } from '../platform/http/security-headers.ts';
import type { Services } from '../platform/http/services.ts';
import { widgetBodyLimitBytes } from '../widget/recipient.ts';
import { partnerContent } from '../widget/site/page.ts';
import { recipientSite } from '../widget/site/pages.ts';
import { openPageScripts } from './local-pages/assets.ts';
import { readIcon } from './local-pages/icon.ts';
import { pageLinks } from './local-pages/links.ts';
import { readMailbox } from './local-pages/mailbox.ts';
import { isTeamPage, teamPage } from './local-pages/pages.ts';
import { portalPage } from './local-pages/portal.ts';
import { exchangePageKey, hasPageKey } from './local-pages/page-key.ts';
import { localSession } from './local-pages/session.ts';
import { securityText } from './security-txt.ts';
import { buildingPage, errorPage, isErrorCode, keyPage, requestsPage } from './pages.ts';
import { openSiteFiles, siteFolder } from './site-files.ts';
import type { SiteFile } from './site-files.ts';
import { hasText } from '../platform/http/content-tag.ts';

const scripted = {
  'script-src': "'self'",
  'style-src': "'self' 'unsafe-inline'",
  'img-src': "'self' data:",
  'font-src': "'self' data:",
  'connect-src': "'self'",
};
const pagePolicy = contentPolicy(scripted);

/** Policy of a page with text and the icon only. */
const textPolicy = contentPolicy({ 'style-src': "'unsafe-inline'", 'img-src': "'self'" });
/** Policy of a page with forms and nothing else. */
const formPolicy = (frameAncestors?: readonly string[]) =>
  contentPolicy({
    'style-src': "'unsafe-inline'",
    'form-action': "'self'",
    'frame-ancestors': framingOrigins(frameAncestors),
  });
/** Pages at links of messages. */
const recipientPages = {
  unsubscribe: unsubscribePage,
  preferences: preferencesPage,
  confirm: confirmationPage,
};
/** Policy of messages, which show pictures from anywhere and run nothing. */
const mailboxPolicy = contentPolicy({ ...partnerContent, 'form-action': "'self'" });

interface Site {
  services: Services;
  documentation: ReturnType<typeof openSiteFiles>;
  pageScript: ReturnType<typeof openPageScripts>;
}

/** Everything but endpoints: health, the documentation and pages for recipients, all served locally. */
export function createSite(services: Services) {
  const pageScript = openPageScripts(services.endpoints);
  const site = { services, pageScript, documentation: openSiteFiles(siteFolder) };
  /** Responds to the request and returns true if the path belongs to the site. */
  return (context: Context, urlPath: string, address: string): Promise<boolean> =>
    respond(site, context, urlPath, address);
}

async function respond(
  site: Site,
  context: Context,
  urlPath: string,
  address: string,
): Promise<boolean> {
  const { services } = site;
  const link = readChoicePath(urlPath) ?? readConfirmationPath(urlPath);
  if (link && ['GET', 'HEAD', 'POST'].includes(context.method)) {
    return showLinkedPage(services, context, link);
  }
  if (context.method === 'POST') return showToRecipient(services, context, urlPath, address);
  if (context.method !== 'GET' && context.method !== 'HEAD') return false;
  if (isTrackedPath(urlPath)) {
    context.status = invalidLink.status;
    return page(context, invalidLinkIn(languageOf(context)).html, textPolicy);
  }
  const portal = await portalPage(services, urlPath);
  if (portal) return showPortal(context, portal);
  if (exchangeKey(services, context, urlPath)) return true;
  if (services.config.sending.showsMailbox && /^\/mailbox(\/|$)/.test(urlPath)) {
    return showMailbox(services, context, urlPath.slice('/mailbox/'.length));
  }
  const isShown = await showFixedPath(site, context, urlPath);
  if (isShown !== undefined) return isShown;
  return (
    (await showFile(site, context, urlPath)) || showToRecipient(services, context, urlPath, address)
  );
}

/** A page at a link of a message. */
async function showLinkedPage(
  services: Services,
  context: Context,
  link: { page: keyof typeof recipientPages; token: string },
): Promise<true> {
  const visit = { search: searchOf(context), readForm: () => readForm(services, context) };
  const show = recipientPages[link.page];
  const answer = await show(services, context.method, link.token, visit);
  const { status, html, frameAncestors, location } =
    answer === invalidLink ? invalidLinkIn(languageOf(context)) : answer;
  context.status = status;
  if (location !== undefined) context.set('Location', location);
  return page(context, html, formPolicy(frameAncestors));
}

type Portal = NonNullable<Awaited<ReturnType<typeof portalPage>>>;

function showPortal(context: Context, { status, html, frameAncestors }: Portal): true {
  context.status = status;
  // The address has the secret until the page has read it.
  context.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' });
  const ancestors = framingOrigins(frameAncestors);
  return page(context, html, contentPolicy({ ...scripted, 'frame-ancestors': ancestors }));
}

/** Undefined unless the path is one of a few. */
async function showFixedPath(
  site: Site,
  context: Context,
  urlPath: string,
): Promise<boolean | undefined> {
  const { services } = site;
  switch (urlPath) {
    case '/':
      context.redirect('/docs');
      return true;
    case '/healthz':
      context.body = { status: 'ok' };
      return true;
    case '/readyz': {
      const report = await readiness(services.database);
      context.status = report.status === 'unavailable' ? 503 : 200;
      context.body = report;
      return true;
    }
    case '/.well-known/security.txt': {
      const text = securityText(services.config, Date.now());
      if (text === undefined) return false;
      context.type = 'text/plain; charset=utf-8';
      context.body = text;
      return true;
    }
    case '/favicon.ico':
      context.type = 'image/x-icon';
      context.set('Cache-Control', 'public, max-age=86400');
      context.body = await readIcon();
      return true;
    case '/llms.txt':
      return showDocumentation(site, context, '/docs/llms.txt');
    case '/local/session':
      return showLocalSession(services, context);
    case '/docs/requests': {
      const html = requestsPage(pageLinks(services), services.config.publicBaseUrl);
      return page(context, html, textPolicy);
    }
    default:
      return undefined;
  }
}

async function showToRecipient(
  services: Services,
  context: Context,
  urlPath: string,
  address: string,
): Promise<boolean> {
  const { method = 'GET', headers } = context.req;
  const shown = await recipientSite(services, urlPath, {
    method,
    headers,
    address,
    search: searchOf(context),
    readForm: () => readForm(services, context),
  });
  if (!shown) return false;
  context.set(shown.headers);
  context.type = `${shown.type}; charset=utf-8`;
  context.body = shown.body;
  context.status = shown.status ?? 200;
  return true;
}

/** The body of a form. Throws 415 and 413. */
async function readForm({ config }: Services, { req }: Context): Promise<Buffer> {
  checkMediaType(req, 'application/x-www-form-urlencoded');
  return readBody(req, widgetBodyLimitBytes, config.http.requestTimeoutMs);
}

async function showLocalSession(services: Services, context: Context): Promise<true> {
  const session = await localSession(services, context.req);
  if (session) context.body = session;
  // No error, which browsers would show to every visitor of a page.
  else context.status = 204;
  return true;
}

/** Moves the key from the address of a page into a cookie. */
function exchangeKey({ local }: Services, context: Context, urlPath: string): boolean {
  const exchanged = local && exchangePageKey(local, urlPath, searchOf(context));
  if (!exchanged) return false;
  context.set({ 'Set-Cookie': exchanged.cookie, 'Referrer-Policy': 'no-referrer' });
  context.set('Cache-Control', 'no-store');
  context.redirect(exchanged.location);
  context.status = 303;
  return true;
}

/** The list of the mailbox, or one message of it. */
async function showMailbox(services: Services, context: Context, id: string): Promise<boolean> {
  const { local } = services;
  // The id of a message cannot be guessed; guides read it with curl.
  if (local && id === '' && !hasPageKey(local, context.req)) {
    context.status = 403;
    return page(context, keyPage(pageLinks(services)), textPolicy);
  }
  const html = await readMailbox(services, id, searchOf(context), context.query['team']);
  return html === undefined ? false : page(context, html, mailboxPolicy);
}

async function showFile(site: Site, context: Context, urlPath: string): Promise<boolean> {
  const name = urlPath.slice(1);
  if (isTeamPage(name)) return page(context, teamPage(site.services, name));
  const script = await site.pageScript(urlPath);
  if (script !== undefined) {
    sendFile(context, script);
    return true;
  }
  return /^\/docs(\/|$)/.test(urlPath) && showDocumentation(site, context, urlPath);
}

async function showDocumentation(
  { services, documentation }: Site,
  context: Context,
  urlPath: string,
): Promise<boolean> {
  const isForPeople = context.accepts('json', 'html') === 'html';
  const file = await documentation.find(urlPath);
  const code = /^\/docs\/errors\/([a-z_]+)$/.exec(urlPath)?.[1] ?? '';
  if (isErrorCode(code)) {
    context.vary('Accept');
    // Programs get a short page, and people as well until the site is built.
    if (!file || !isForPeople) {
      return page(context, errorPage(pageLinks(services), code), textPolicy);
    }
  }
  if (file) {
    sendFile(context, file);
    return true;
  }
  const isBuilding = (isForPeople || urlPath === '/docs') && !(await documentation.isBuilt());
  if (isBuilding) return page(context, buildingPage(pageLinks(services)), textPolicy);
  if (!isForPeople) return false;
  const missing = await documentation.find('/docs/404');
  if (!missing) return false;
  sendFile(context, missing);
  context.status = 404;
  return true;
}

/** The language that the browser asks for, of those that there are. */
const languageOf = (context: Context): string =>
  context.acceptsLanguages(...plainLanguages) || 'en';

const searchOf = ({ querystring }: Context) => new URLSearchParams(querystring);

function sendFile(context: Context, file: SiteFile): void {
  const { bytes, gzip, mediaType, etag, isImmutable, policy } = file;
  context.vary('Accept-Encoding');
  context.set('ETag', etag);
  context.set('Cache-Control', isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache');
  if (policy !== undefined) context.set('Content-Security-Policy', policy);
  context.type = mediaType;
  if (hasText(context.req.headers, etag)) {
    context.status = 304;
    return;
  }
  const isCompressed =
    gzip !== undefined && context.acceptsEncodings('gzip', 'identity') === 'gzip';
  if (isCompressed) context.set('Content-Encoding', 'gzip');
  context.body = isCompressed ? gzip : bytes;
}

function page(context: Context, html: string, policy = pagePolicy): true {
  context.type = 'text/html; charset=utf-8';
  context.set('Content-Security-Policy', policy);
  context.body = html;
  return true;
}
