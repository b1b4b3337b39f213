import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { maxFileSources } from '../../../src/operations/file-sources/file-source.ts';
import { maxActiveSftpCredentials } from '../../../src/operations/sftp-credentials/sftp-credential.ts';
import { create } from './recipe.ts';
import type { Make, Owner, Recipes } from './recipe.ts';

const credential = () => ({ name: 'nightly', public_key: newPublicKey() });
const newCredential: Make = (team) => create(team, '/v2/partner/sftp-credentials', credential());
const newUpload: Make = async (team, params) => {
  const credentialId = await newCredential(team, params);
  const [row] = await team.db.look(
    (sql) => sql<{ id: string }[]>`
    insert into sftp_uploads (team_id, sftp_credential_id, path, status)
    values (${team.id}, ${credentialId}, '/in/contacts/june.csv', 'received')
    returning id`,
  );
  return String(row?.id);
};

const fileSource = () => ({
  name: 'Core banking',
  source_kind: 'https',
  server_id: `s-${randomUUID()}`,
  purpose: 'contacts',
  host: 'files.example.com',
  bearer_token: 'b3f19c2e',
});
const scopeOfFiles = 'partner:contacts:write';
const sources = '/v2/partner/file-sources';
const newFileSource: Make = (team) => create(team, sources, fileSource());
const server_id = 's-0123456789abcdef0';
const hasSame = {
  title: 'has a source for the same files',
  deed: (team: Owner) => create(team, sources, { ...fileSource(), server_id }),
};

/** An Ed25519 key in the form of OpenSSH. */
function newPublicKey(): string {
  const { publicKey } = generateKeyPairSync('ed25519');
  const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);
  const parts = [Buffer.from('ssh-ed25519'), raw].flatMap((part) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(part.length);
    return [length, part];
  });
  return `ssh-ed25519 ${Buffer.concat(parts).toString('base64')}`;
}

export const sftpRecipes: Recipes = {
  places: {
    '/v2/partner/sftp-credentials/{id}': newCredential,
    '/v2/partner/sftp-uploads/{id}': newUpload,
    '/v2/partner/file-sources/{id}': newFileSource,
  },
  operations: {
    createFileSource: {
      body: fileSource,
      furtherScopes: [{ scope: scopeOfFiles }],
      quota: { table: 'file_sources', most: maxFileSources },
      scenes: [{ ...hasSame, body: () => ({ ...fileSource(), server_id }) }],
    },
    updateFileSource: {
      body: () => ({ name: 'Exports' }),
      scenes: [{ ...hasSame, body: () => ({ server_id }) }],
    },
    testFileSource: {
      scenes: [
        {
          title: 'tests a source',
          deed: async (team, params) =>
            create(team, `${sources}/${await newFileSource(team, params)}/test`),
        },
      ],
    },
    createSftpCredentials: {
      body: credential,
      quota: { table: 'sftp_credentials', most: maxActiveSftpCredentials },
    },
  },
};
