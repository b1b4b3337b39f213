import { Type } from 'typebox';
import { Count, Id, OneOf, Timestamp, resource } from '../../platform/schema/fields.ts';
import type { ListField } from '../../platform/lists/declaration.ts';

const Status = OneOf(['receiving', 'received', 'processing', 'processed', 'failed']);

/** A file that came by SFTP, or was fetched from a file source. */
export const SftpUpload = resource('sftp_upload', {
  sftp_credential_id: Type.Optional(Id('By which it came')),
  file_source_id: Type.Optional(Id('From which it was fetched')),
  path: Type.String({
    description:
      'From the home directory, such as /in/contacts/june.csv; of a fetched file, as the callback ' +
      'named it',
  }),
  size_bytes: Type.Optional(Count()),
  sha256: Type.Optional(Type.String({ description: 'SHA-256 of its content in hexadecimal' })),
  status: Status,
  batch_operation_id: Type.Optional(Id('The operation that imports it')),
  error: Type.Optional(
    Type.Object({ code: Type.String(), detail: Type.String() }, { title: 'sftp_upload_error' }),
  ),
  warning: Type.Optional(
    Type.Object(
      { code: Type.String(), detail: Type.String() },
      {
        title: 'sftp_upload_warning',
        description:
          'A sign that an imported file may not be whole: no_line_end, for a last record without a line end',
      },
    ),
  ),
  completed_at: Type.Optional(Timestamp('When it was processed, or failed')),
});

const choice = ['eq', 'neq', 'in', 'nin'] as const;

export const sftpUploadListFields = {
  inserted_at: { type: 'timestamp', filter: true, sort: true },
  updated_at: { type: 'timestamp', filter: true, sort: true },
  path: { type: 'text', filter: choice, sort: true },
  status: { type: 'enum', values: Status.enum, filter: choice },
  sftp_credential_id: { type: 'id', filter: choice, nullable: true },
  file_source_id: { type: 'id', filter: choice, nullable: true },
} as const satisfies Record<string, ListField>;
