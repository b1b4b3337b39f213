import { Type } from 'typebox';
import type { Static } from 'typebox';
import { Count, OneOf, Timestamp, resource } from '../../../platform/schema/fields.ts';

export const uploadFormats = ['csv', 'ndjson'] as const;
export type UploadFormat = (typeof uploadFormats)[number];

/** A file of items for batch operations. */
export const Upload = resource('upload', {
  format: OneOf(uploadFormats),
  status: OneOf(['received'], 'Received in full; a file that was cut off is no upload'),
  size_bytes: Count('Size of the file, at most 200,000,000'),
  sha256: Type.String({
    pattern: '^[0-9a-f]{64}$',
    description: 'SHA-256 of the file in hexadecimal',
  }),
  expires_at: Timestamp('It is deleted then, unless an operation is still reading it'),
});
export type Upload = Static<typeof Upload>;

export const maxUploadBytes = 200_000_000;
