import { endpoints } from '../src/app/endpoints.ts';
import { openApiDocument } from '../src/meta/openapi.ts';

/** The document for the reference; its page fills in the address of the API. */
export function openApiText(): string {
  return JSON.stringify(openApiDocument(endpoints, ''));
}
