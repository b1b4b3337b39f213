import Router from '@koa/router';
import type { Endpoint } from './endpoint.ts';
import { fail } from './errors.ts';

export interface Match {
  endpoint: Endpoint;
  params: Record<string, string>;
}

/** Segments of a path that choose the router: /v2/<surface>/<resource>. */
const prefixDepth = 3;

/**
 * Finds the endpoint of a request. One small @koa/router per resource behind a map: a single one
 * would try every pattern of the service in turn. Case and trailing slashes matter.
 */
export function createRouter(endpoints: readonly Endpoint[]) {
  const routers = new Map<string, Router>();
  const byName = new Map<string, Endpoint>();
  for (const endpoint of endpoints) {
    if (byName.has(endpoint.id)) throw new Error(`the operation ${endpoint.id} is declared twice`);
    byName.set(endpoint.id, endpoint);
    const prefix = prefixOf(endpoint.path);
    const router = routers.get(prefix) ?? new Router({ sensitive: true, strict: true });
    routers.set(prefix, router);
    const pattern = endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1');
    router.register(pattern, [endpoint.method], () => undefined, { name: endpoint.id });
  }
  // Literal paths first: /templates/counts is not the template "counts".
  for (const router of routers.values()) {
    router.stack.sort((a, b) => countParams(a.path) - countParams(b.path));
  }

  return (method: string, path: string): Match => {
    const requested = method === 'HEAD' ? 'GET' : method;
    const router = routers.get(prefixOf(path));
    const found = router?.match(path, requested);
    const [layer] = found?.pathAndMethod ?? [];
    const endpoint = layer?.name === undefined ? undefined : byName.get(layer.name);
    if (layer && endpoint) {
      return { endpoint, params: layer.params(path, layer.captures(path)) };
    }
    const methods = new Set(found?.path.flatMap((candidate) => candidate.methods));
    if (methods.size > 0) {
      const allow = [...methods].sort().join(', ');
      throw fail('method_not_allowed', {
        detail: `${method} is not available here; use ${allow}.`,
        meta: { allowed: [...methods].sort() },
        headers: { Allow: allow },
      });
    }
    throw fail('route_not_found', { detail: 'No endpoint has this path.' });
  };
}

function prefixOf(path: string): string {
  return path.split('/', prefixDepth + 1).join('/');
}

function countParams(path: string | RegExp): number {
  return String(path).split(':').length;
}
