import { create } from './recipe.ts';
import type { Make, Recipes } from './recipe.ts';

const credential = () => ({ name: 'nightly', generate_key_pair: true });
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

export const sftpRecipes: Recipes = {
  places: {
    '/v2/partner/sftp-credentials/{id}': newCredential,
    '/v2/partner/sftp-uploads/{id}': newUpload,
  },
  operations: { createSftpCredentials: { body: credential } },
};
