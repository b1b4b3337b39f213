import { endpoints } from '../src/app/endpoints.ts';
import { openApiDocument } from '../src/meta/openapi.ts';
import { isJson } from '../src/meta/openapi/components.ts';
import type { Json } from '../src/meta/openapi/components.ts';
import { codeSamplesOf } from './code-samples.ts';
import type { Operation } from './code-samples.ts';

/** The document for the reference, with samples. Its page fills in the address of the API. */
export function openApiText(): string {
  const document = openApiDocument(endpoints, '');
  for (const { operation, json } of operationsOf(document)) {
    json['x-codeSamples'] = codeSamplesOf(operation);
  }
  return JSON.stringify(document);
}

/** The operations of a document, each with its JSON. */
export function operationsOf(document: Json): { operation: Operation; json: Json }[] {
  return entriesOf(document['paths']).flatMap(([path, methods]) =>
    entriesOf(methods).map(([method, json]) => {
      const body = bodyOf(document, json);
      const parameters = listOf(json['parameters']);
      const operation = {
        ...{ id: String(json['operationId']), method: method.toUpperCase(), path },
        security: listOf(json['security']),
        needsKey: parameters.some(
          ({ name, required }) => name === 'Idempotency-Key' && required === true,
        ),
        isList: parameters.some(({ name }) => name === 'page[after]'),
        ...(body && { body }),
      };
      return { operation, json };
    }),
  );
}

function bodyOf(document: Json, operation: Json): Operation['body'] {
  const request = operation['requestBody'];
  const content = isJson(request) ? request['content'] : undefined;
  const [[mediaType, media] = []] = entriesOf(content);
  if (mediaType === undefined || !media) return undefined;
  const [[, example] = []] = entriesOf(media['examples']);
  const reference = example?.['$ref'];
  const resolved = typeof reference === 'string' ? at(document, reference) : example;
  return { mediaType, example: resolved?.['value'] ?? {} };
}

/** The part of the document that a reference such as `#/components/examples/contact` names. */
function at(document: Json, reference: string): Json | undefined {
  let found: unknown = document;
  for (const name of reference.split('/').slice(1)) found = isJson(found) ? found[name] : undefined;
  return isJson(found) ? found : undefined;
}

const entriesOf = (value: unknown) =>
  Object.entries(isJson(value) ? value : {}).flatMap(([name, item]): [string, Json][] =>
    isJson(item) ? [[name, item]] : [],
  );
const listOf = (value: unknown) => (Array.isArray(value) ? value : []).filter(isJson);
