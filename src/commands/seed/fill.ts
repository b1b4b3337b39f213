import type { Database } from '../../database/client.ts';
import { analyzeSeeded, seedContacts } from './queries.ts';

const chunk = 20_000;
const deadlineMs = 600_000;

/** Fills a team with contacts and accounts; says after each chunk how many there are. */
export async function fillTeam(
  database: Database,
  teamId: string,
  contacts: number,
  onProgress: (done: number) => void,
): Promise<void> {
  for (let done = 0; done < contacts;) {
    const count = Math.min(chunk, contacts - done);
    const first = done + 1;
    await database.transact((sql) => seedContacts(sql, teamId, first, count), { deadlineMs });
    done += count;
    onProgress(done);
  }
  await database.read((sql) => analyzeSeeded(sql), { deadlineMs });
}
