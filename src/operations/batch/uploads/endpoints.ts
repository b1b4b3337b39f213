import { endpoint, streamingEndpoint } from '../../../platform/http/endpoint.ts';
import { fail } from '../../../platform/http/errors.ts';
import {
  completeUpload,
  removeUpload,
  isInUse,
  lockUpload,
  requireUpload,
} from '../../uploads/queries.ts';
import { receiveParts } from '../../uploads/receive-upload.ts';
import { Upload, maxUploadBytes } from './upload.ts';

const tag = 'Batch';
const path = '/v2/batch/uploads';
const write = 'batch:operations:write';

export const createUpload = streamingEndpoint({
  id: 'createUpload',
  method: 'POST',
  path,
  summary: 'Upload a file of items, CSV or NDJSON, for batch operations',
  description:
    'Uploads a file of items for batch operations, as CSV or NDJSON. The body is the file ' +
    'itself, without multipart. The same bytes sent again make another upload unless the ' +
    'Idempotency-Key is the same. Name the id of the upload in upload_id of ' +
    'createBatchOperation or validateBatchOperation.',
  errors: ['quota_exceeded', 'too_many_operations'],
  tag,
  scope: write,
  rateClass: 'bulk',
  audit: 'upload.created',
  bodyLimitBytes: maxUploadBytes,
  streamExamples: {
    'text/csv': 'unique_id,email\ncustomer-1,ada@example.com\n',
    'application/x-ndjson': '{"unique_id":"customer-1","email":"ada@example.com"}\n',
  },
  stream: {
    mediaTypes: ['text/csv', 'application/x-ndjson'],
    store: ({ services, teamId, mediaType, bytes }) =>
      receiveParts(services.database, {
        teamId,
        format: mediaType === 'text/csv' ? 'csv' : 'ndjson',
        stream: bytes,
        limitBytes: maxUploadBytes,
      }),
  },
  status: 201,
  response: Upload,
  location: `${path}/{id}`,
  handle: ({ sql, body }) => completeUpload(sql, body, body.sha256),
});

export const getUpload = endpoint({
  id: 'getUpload',
  method: 'GET',
  path: `${path}/{id}`,
  summary: 'Get an uploaded file, without its content',
  description:
    'Returns one uploaded file with its size and SHA-256, without its content. Compare the ' +
    'hash to make sure that the file arrived complete.',
  tag,
  scope: 'batch:operations:read',
  rateClass: 'read',
  response: Upload,
  handle: ({ sql, teamId, params }) => requireUpload(sql, teamId, params.id),
});

export const deleteUpload = endpoint({
  id: 'deleteUpload',
  method: 'DELETE',
  path: `${path}/{id}`,
  summary: 'Delete an uploaded file, unless an operation is still reading it',
  description:
    'Deletes an uploaded file permanently. A file that an operation is still reading is refused ' +
    'with 409. Results of finished operations stay.',
  errors: ['conflict'],
  tag,
  scope: write,
  rateClass: 'write',
  audit: 'upload.deleted',
  async handle({ sql, teamId, params, checkPrecondition }) {
    const upload = await lockUpload(sql, teamId, params.id);
    checkPrecondition(upload);
    const key = { teamId, id: upload.id };
    if (await isInUse(sql, key)) {
      throw fail('conflict', {
        detail: 'A batch operation is still reading this upload; cancel it or wait until it ends.',
      });
    }
    await removeUpload(sql, key);
    return undefined;
  },
});

export const uploadEndpoints = [createUpload, getUpload, deleteUpload];
