import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Context } from 'koa';
import { readiness, scrapeMetrics } from './readiness.ts';
import { errorCatalogue } from '../http/error-catalogue.ts';
import { registry } from '../http/metrics.ts';
import type { Services } from '../http/services.ts';
import { recipientSite } from '../widget/site/pages.ts';
import { insightsAsset, insightsPage } from './insights/page.ts';
import { docsPage, errorPage, errorIndexPage, requestsPage } from './pages.ts';

const assetTypes: ReadonlyMap<string, string> = new Map([
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
]);

const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; " +
  "img-src 'self' data:; font-src 'self' data:; connect-src 'self'; frame-ancestors 'none'";

/** The pages beside the API: health, metrics and the documentation, all served locally. */
export function createSite(services: Services) {
  const assets = path.dirname(
    createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'),
  );

  /** Answers the request and returns true when the path is one of the site's. */
  return async (context: Context, urlPath: string): Promise<boolean> => {
    if (context.method !== 'GET' && context.method !== 'HEAD') return false;
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
      case '/metrics':
        context.type = registry.contentType;
        context.body = await scrapeMetrics(services.database);
        return true;
      case '/docs':
        return page(context, docsPage());
      case '/docs/start.js':
        context.type = 'text/javascript; charset=utf-8';
        context.body = startScript;
        return true;
      case '/docs/errors':
        return page(context, errorIndexPage());
      case '/insights':
        return page(context, insightsPage);
      case '/docs/requests':
        return page(context, requestsPage(services.config.publicBaseUrl));
      default:
        return (await showFile(context, urlPath)) || showToRecipient(context, urlPath);
    }
  };

  async function showToRecipient(context: Context, urlPath: string): Promise<boolean> {
    const { method, headers } = context.req;
    const shown = await recipientSite(services, urlPath, { method: method ?? 'GET', headers });
    if (!shown) return false;
    context.set(shown.headers);
    context.type = `${shown.type}; charset=utf-8`;
    context.body = shown.body;
    context.status = shown.status ?? 200;
    return true;
  }

  async function showFile(context: Context, urlPath: string): Promise<boolean> {
    const script = await insightsAsset(urlPath);
    if (script !== undefined) {
      context.type = 'text/javascript; charset=utf-8';
      context.body = script;
      return true;
    }
    const asset = /^\/docs\/assets\/([\w.-]+)$/.exec(urlPath)?.[1] ?? '';
    const type = assetTypes.get(asset);
    if (type !== undefined) {
      context.type = type;
      context.set('Cache-Control', 'public, max-age=86400');
      context.body = await readFile(path.join(assets, asset));
      return true;
    }
    const code = /^\/docs\/errors\/([a-z_]+)$/.exec(urlPath)?.[1] ?? '';
    return isErrorCode(code) ? page(context, errorPage(code)) : false;
  }
}

const startScript = `window.addEventListener('load', () => {
  window.SwaggerUIBundle({
    url: '/v2/meta/openapi.json',
    dom_id: '#docs',
    deepLinking: true,
    persistAuthorization: false,
    validatorUrl: null,
  });
});
`;

function page(context: Context, html: string): true {
  context.type = 'text/html; charset=utf-8';
  context.set('Content-Security-Policy', pagePolicy);
  context.body = html;
  return true;
}

function isErrorCode(code: string): code is keyof typeof errorCatalogue {
  return Object.hasOwn(errorCatalogue, code);
}
