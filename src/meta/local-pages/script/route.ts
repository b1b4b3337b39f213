import type { List } from './declared.ts';

/** One thing of a list that the address of the page opens. */
export interface Step {
  list: List;
  id: string;
}

export interface Route {
  /** The list at the top: the page's only one, or the chosen tab. */
  root: List;
  steps: readonly Step[];
  query: URLSearchParams;
}

/**
 * Reads the fragment of the address, `#/subscriptions/<id>/deliveries/<id>?<filters>`: it stays in
 * the browser, so that ids of people are in no log of requests. What is not declared is left out.
 */
export function readRoute(roots: readonly [List, ...List[]]): Route {
  const [path = '', search = ''] = location.hash.replace(/^#\/?/, '').split('?');
  const names = path.split('/').filter((part) => part !== '');
  const steps: Step[] = [];
  const root = roots.find(({ name }) => name === names[0]) ?? roots[0];
  let lists: readonly List[] = [root];
  for (let at = 0; at + 1 < names.length; at += 2) {
    const list = lists.find(({ name }) => name === names[at]);
    if (!list?.item) break;
    steps.push({ list, id: decoded(names[at + 1] ?? '') });
    lists = list.item.parts.flatMap((part) => ('list' in part ? [part.list] : []));
  }
  return { root, steps, query: new URLSearchParams(search) };
}

/** The fragment that opens the same. */
export function hashOf({ root, steps, query }: Readonly<Route>): string {
  const path = steps.map(({ list, id }) => `/${list.name}/${encodeURIComponent(id)}`).join('');
  const search = query.toString();
  return `#${path === '' ? `/${root.name}` : path}${search === '' ? '' : `?${search}`}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
