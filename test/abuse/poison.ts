import { randomUUID } from 'node:crypto';
import { beforeAll, expect } from '@jest/globals';
import type { TestApi } from '../support/api.ts';

/** Rows that cannot be written, by triggers that a test makes. */
export function usePoison(api: Pick<TestApi, 'db'>) {
  beforeAll(async () => {
    await api.db.look((sql) => sql`create table poison (scene text, value text)`);
    await api.db.look((sql) =>
      sql.unsafe(`
        create function refuse_poison() returns trigger language plpgsql security definer as $$
        begin
          if exists (select from public.poison where scene = tg_name and value = to_jsonb(new) ->> tg_argv[0]) then
            raise exception 'poisoned' using errcode = 'check_violation';
          end if;
          return new;
        end $$`),
    );
  });
  return {
    /** Lets writes of a table fail whose column has a value; returns how a value is added. */
    async refuse(table: string, column: string, condition = 'true') {
      const name = `poison_${randomUUID().slice(0, 8)}`;
      await api.db.look((sql) =>
        sql.unsafe(`
          create trigger ${name} before insert or update on ${table}
          for each row when (${condition}) execute function refuse_poison('${column}')`),
      );
      return (value: string) =>
        api.db.look((sql) => sql`insert into poison (scene, value) values (${name}, ${value})`);
    },
    /** The rows of a team that a loop leaves out. */
    setAside: (loop: string, team: { id: string }) =>
      api.db.look<{ team_id: string; row_id: string; reason: string; attempts: number }>(
        (sql) => sql`select * from parked_rows where loop = ${loop} and team_id = ${team.id}`,
      ),
  };
}

type Spoil = (value: string) => Promise<unknown>;

/** Measures one round. Its rows become due at `start`; those of others are processed at `stop`. */
export interface Watch {
  start(): void;
  stop(): void;
}

/** Milliseconds by which a bad row may delay the rows of others. */
const maxDelayMs = 5_000;

/** A loop that delays others does so in each round; a pause of the machine does not. */
const maxRounds = 3;

/**
 * Runs a round of a loop without its bad row, and then with it. The rows of others have to be
 * processed as soon, and at most 5 s later. Resolves to the result of the round with the bad row.
 */
export async function inTime<T>(
  loop: string,
  spoil: Spoil,
  round: (spoil: Spoil, watch: Watch) => Promise<T>,
  delayMs = maxDelayMs,
): Promise<T> {
  const delays: number[] = [];
  for (;;) {
    const without = newWatch();
    await round(() => Promise.resolve(), without);
    const spoiled = newWatch();
    const result = await round(spoil, spoiled);
    delays.push(spoiled.ms() - without.ms());
    if (delays.some((ms) => ms <= delayMs)) return result;
    if (delays.length === maxRounds) {
      expect({ loop, delays }).toEqual({ loop, delays: `one of at most ${String(delayMs)} ms` });
    }
  }
}

function newWatch(): Watch & { ms(): number } {
  let startedAtMs = Number.NaN;
  let stoppedAtMs = Number.NaN;
  return {
    start() {
      startedAtMs = performance.now();
    },
    stop() {
      stoppedAtMs = performance.now();
    },
    ms() {
      const ms = stoppedAtMs - startedAtMs;
      if (Number.isNaN(ms)) throw new Error('the round has not started and stopped its watch');
      return ms;
    },
  };
}
