// story.mjs <action> <port> <user> <key> <local> <folder> <name> <result> <local result>
import { createReadStream, readFileSync } from 'node:fs';
import Client from 'ssh2-sftp-client';

const [, , action, port, username, key, local, folder, name, result, localResult] = process.argv;
const final = `${folder}/${name}`;
const options = { host: '127.0.0.1', port: Number(port), username, privateKey: readFileSync(key) };

async function connect() {
  const sftp = new Client();
  await sftp.connect(options);
  return sftp;
}

if (action === 'interrupt') {
  const broken = await connect();
  const source = createReadStream(local, { highWaterMark: 8_192 });
  let sent = 0;
  source.on('data', (bytes) => {
    sent += bytes.length;
    if (sent > 100_000) source.destroy(new Error('broken off'));
  });
  await broken.put(source, `${final}.tmp`).catch(() => undefined);
  await broken.end();
}

const sftp = await connect();
if (action === 'mkdir') await sftp.mkdir(folder, true);
if (action === 'mkdir') await sftp.put(local, final);
if (action === 'upload') await sftp.fastPut(local, final);
if (action === 'rename' || action === 'interrupt') {
  await sftp.put(local, `${final}.tmp`);
  await (action === 'rename'
    ? sftp.rename(`${final}.tmp`, final)
    : sftp.posixRename(`${final}.tmp`, final).catch(() => sftp.rename(`${final}.tmp`, final)));
  await sftp.stat(final);
}
if (action === 'download') await sftp.fastGet(result, localResult);
await sftp.end();
