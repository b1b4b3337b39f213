import { withImplied } from '../../platform/auth/scopes.ts';
import { errorsOf } from '../../platform/http/declared-errors.ts';
import type { EndpointFacts } from '../../platform/http/endpoint-facts.ts';
import { isScoped } from '../../platform/http/endpoint.ts';
import { errorCatalog } from '../../platform/http/error-catalog.ts';

/** The endpoints that a script names. */
const operationsIn = (text: string, endpoints: readonly EndpointFacts[]) =>
  endpoints.filter(({ id }) => text.includes(`'${id}'`));

/**
 * The facts of the interface that a script needs, from the declarations: where its operations are,
 * which scopes open them, and the remedies of their errors.
 */
export function operationTables(endpoints: readonly EndpointFacts[]) {
  const everyScope = [...new Set(endpoints.map(({ scope }) => scope).filter(isScoped))];
  return (text: string): string => {
    const used = operationsIn(text, endpoints);
    const operations = used.map(({ id, method, path, scope }) => {
      const implying = everyScope.filter(
        (one) => one !== scope && withImplied([one]).includes(scope),
      );
      return [id, { method, path, scopes: isScoped(scope) ? [scope, ...implying] : [] }];
    });
    const codes = [...new Set(used.flatMap(errorsOf))];
    const remedies = codes.map((code) => [code, errorCatalog[code][2]]);
    return `const operations = ${JSON.stringify(Object.fromEntries(operations))};
const remedies = ${JSON.stringify(Object.fromEntries(remedies))};
`;
  };
}
