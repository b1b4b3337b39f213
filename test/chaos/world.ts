import { startMailServer } from '../support/mail-server.ts';
import type { MailServer } from '../support/mail-server.ts';
import { openMachine } from '../world/machine.ts';
import type { Machine } from '../world/machine.ts';
import type { Victim } from './kills.ts';
import { startLedger } from './ledger.ts';
import type { Ledger } from './ledger.ts';
import type { Random } from './random.ts';

/** The whole service on this machine, with every part in reach of a kill. */
export interface World extends Machine {
  /** Processes that can be killed with -9, by kind. */
  victims: Readonly<Record<'api' | 'worker' | 'postgres' | 'temporal', readonly Victim[]>>;
  ledger: Ledger;
  mail: MailServer;
  random: Random;
  isShort: boolean;
  /** Reports the progress. */
  note: (line: string) => void;
}

export interface WorldOptions {
  random: Random;
  isShort: boolean;
  onNotice: (line: string) => void;
}

/** Starts Postgres, Temporal, two API processes, two workers, and receivers of webhooks and mail. */
export async function openWorld({ random, isShort, onNotice }: WorldOptions): Promise<World> {
  const ledger = await startLedger();
  const mail = await startMailServer();
  const machine = await openMachine({
    name: 'chaos',
    apis: 2,
    workers: 2,
    // Short, so that what a kill delays is soon made good; many failures in a row are no reason
    // to switch a subscription off here.
    settings: {
      WEBHOOK_RETRY_SCHEDULE_SECONDS: '0,1,1,2,2,3,3,5,5,5,5,5,5,5,5,5,5,5,5,5',
      WEBHOOK_DISABLE_AFTER: '1000',
      WEBHOOK_BREAKER_FIRST_PAUSE_SECONDS: '1',
      WEBHOOK_BREAKER_MAX_PAUSE_SECONDS: '5',
      SMTP_URL: mail.url,
      SMTP_CONNECTIONS: '8',
      SEND_LEASE_SECONDS: '20',
    },
    onNotice,
  });
  const { apis, workers, postgres, temporal } = machine;
  return {
    ...machine,
    ...{ ledger, mail, random, isShort },
    victims: {
      api: apis,
      worker: workers,
      postgres: [
        { name: 'postgres', kill: () => postgres.signal('SIGKILL'), back: () => postgres.back() },
      ],
      temporal: [
        { name: 'temporal', kill: () => temporal.signal('SIGKILL'), back: () => temporal.back() },
      ],
    },
    note: onNotice,
    async close(how) {
      await machine.close(how);
      await ledger.stop();
      await mail.stop();
    },
  };
}
