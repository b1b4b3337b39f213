import { Type } from 'typebox';
import { Deprecation } from '../platform/http/deprecation.ts';
import { listEventTypes } from '../platform/events/registered-types.ts';
import { exampleOf } from '../platform/events/example.ts';
import { readScopeOf } from '../webhooks/read-scopes.ts';
import { errorCatalog } from '../platform/http/error-catalog.ts';
import { docsUrlOf } from '../platform/http/errors.ts';

export const ErrorCodes = Type.Object({
  data: Type.Array(
    Type.Object(
      {
        code: Type.String(),
        status: Type.Integer({ description: 'HTTP status where the code stands first' }),
        title: Type.String({ description: 'Constant; the detail of an error says more' }),
        remedy: Type.String({ description: 'Steps that resolve the error' }),
        docs_url: Type.String(),
      },
      { title: 'error_code' },
    ),
  ),
});

export function errorCodes(publicBaseUrl: string) {
  return Object.entries(errorCatalog).map(([code, [status, title, remedy]]) => ({
    code,
    status,
    title,
    remedy,
    docs_url: docsUrlOf(code, publicBaseUrl),
  }));
}

export const EventTypes = Type.Object({
  data: Type.Array(
    Type.Object(
      {
        name: Type.String(),
        description: Type.String(),
        since: Type.String({ description: 'Date since which it is sent' }),
        required_scope: Type.String({
          description: 'Reads the resource; without it `data` is thin',
        }),
        deprecation: Type.Optional(Deprecation),
        data_schema: Type.Unknown({ description: 'JSON Schema of `data`, the resource' }),
        example: Type.Unknown({ description: 'A whole body, made up, with every field' }),
      },
      { title: 'event_type' },
    ),
  ),
});

export function describeEventTypes() {
  return listEventTypes().map((type) => ({
    name: type.name,
    description: type.description,
    since: type.since,
    required_scope: readScopeOf(type.name) ?? '',
    deprecation: type.deprecation,
    data_schema: type.data,
    example: exampleOf(type),
  }));
}
