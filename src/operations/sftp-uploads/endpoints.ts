import { endpoint } from '../../platform/http/endpoint.ts';
import { listEndpoint } from '../../platform/lists/list-endpoint.ts';
import { requireSftpUpload, sftpUploadSource } from './queries.ts';
import { SftpUpload, sftpUploadListFields } from './sftp-upload.ts';

const tag = 'SFTP';
const path = '/v2/partner/sftp-uploads';
const scope = 'partner:sftp:read';

export const listSftpUploads = listEndpoint({
  id: 'listSftpUploads',
  path,
  summary: 'List the files received by SFTP or from a file source',
  description:
    'Returns the files that arrived by SFTP or were fetched from a file source, with the state ' +
    'of their import.',
  tag,
  scope,
  item: SftpUpload,
  fields: sftpUploadListFields,
  defaultSort: '-inserted_at',
  source: ({ teamId }) => sftpUploadSource(teamId),
});

export const getSftpUpload = endpoint({
  id: 'getSftpUpload',
  method: 'GET',
  path: `${path}/{id}`,
  summary: 'Get a file received by SFTP or from a file source, with its import',
  description:
    'Returns one file that arrived by SFTP or was fetched, and the import that it started. Its error says why ' +
    'a file was not imported. Read the results of the items at the batch operation.',
  tag,
  scope,
  rateClass: 'read',
  response: SftpUpload,
  handle: ({ sql, teamId, params }) => requireSftpUpload(sql, teamId, params.id),
});

export const sftpUploadEndpoints = [listSftpUploads, getSftpUpload];
