import { endpoint } from '../../http/endpoint.ts';
import { listEndpoint } from '../../listing/list-endpoint.ts';
import { requireSftpUpload, sftpUploadSource } from './queries.ts';
import { SftpUpload, sftpUploadListFields } from './sftp-upload.ts';

const tag = 'SFTP';
const path = '/v2/partner/sftp-uploads';
const scope = 'partner:sftp:read';

export const listSftpUploads = listEndpoint({
  id: 'listSftpUploads',
  path,
  summary: 'List the files that came by SFTP',
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
  summary: 'Get a file that came by SFTP, with what became of it',
  tag,
  scope,
  rateClass: 'read',
  response: SftpUpload,
  handle: ({ sql, teamId, params }) => requireSftpUpload(sql, teamId, params.id),
});

export const sftpUploadEndpoints = [listSftpUploads, getSftpUpload];
