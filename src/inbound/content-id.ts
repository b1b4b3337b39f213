import { createHash } from 'node:crypto';

const prefix = 'sha256:';

/** The id of an event that comes without one: a digest of its content. */
export function contentId(content: unknown): string {
  return prefix + createHash('sha256').update(JSON.stringify(content)).digest('hex');
}

/** The id that the provider gave an event. */
export function givenId(id: string | undefined): string | undefined {
  return id?.startsWith(prefix) ? undefined : id;
}
