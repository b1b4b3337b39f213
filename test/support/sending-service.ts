import { startTestApi } from './api.ts';
import type { TestApi, TestTeam } from './api.ts';
import { eventually } from './eventually.ts';
import { startMailServer } from './mail-server.ts';
import type { MailServer } from './mail-server.ts';
import { startTestWorker } from './worker.ts';
import type { TestWorker } from './worker.ts';

/** The API and a worker that is ready, with a mail server that they send to. */
export interface SendingService {
  api: TestApi;
  worker: TestWorker;
  mail: MailServer;
  /** Mails received for an address. */
  mailsTo(address: string): MailServer['received'];
  stop(): Promise<void>;
}

/** `settings` may name another address for the mail. */
export async function startSendingService(
  settings: Readonly<Record<string, string>> = {},
  mail?: MailServer,
): Promise<SendingService> {
  const server = mail ?? (await startMailServer());
  const api = await startTestApi({ SMTP_URL: server.url, ...settings });
  const worker = await startTestWorker(api);
  await eventually(() => Promise.resolve(worker.isPolling()), Boolean);
  return {
    ...{ api, worker, mail: server },
    mailsTo: (address) => server.received.filter(({ recipient }) => recipient === address),
    async stop() {
      await worker.close();
      await server.stop();
      await api.stop();
    },
  };
}

/** A team that sends at any hour, and as much as it likes. */
export async function anUnboundedTeam(api: TestApi): Promise<TestTeam> {
  const team = await api.newTeam();
  await team.patch('/v2/partner/team', { quiet_hours: null, frequency_cap: null });
  return team;
}
