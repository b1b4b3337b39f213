import { Client, Connection } from '@temporalio/client';
import { comesTrue } from '../../world/moments.ts';
import type { Team } from '../../world/teams.ts';
import { callAtARate } from '../load.ts';
import type { Report } from '../report.ts';
import { cpuBetween, postContact } from '../stand.ts';
import type { Stand } from '../stand.ts';

/** The requests to Temporal for healthy deliveries, at several rates. */
export async function orchestration(stand: Stand, report: Report): Promise<void> {
  const connection = await Connection.connect({ address: stand.machine.temporal.address });
  const client = new Client({ connection });
  const one = await stand.newSubscribedTeam(1);
  const many = await stand.newSubscribedTeam(50);
  const teams = await Promise.all(Array.from({ length: 19 }, () => stand.newSubscribedTeam(50)));
  const thousand = [many, ...teams];
  const cases = [
    { name: 'at_10', perSecond: 10, amount: 500, to: [one] },
    { name: 'at_50', perSecond: 50, amount: 1_000, to: [one] },
    { name: 'at_1000', perSecond: 1_000, amount: 10_000, to: [one] },
    // Each of the twenty teams has fifty subscriptions, so an event is fifty deliveries.
    { name: 'to_1000_subscriptions', perSecond: 2, amount: 40, to: thousand },
  ];
  try {
    for (const { name, perSecond, amount, to } of cases) {
      const deliveries = amount * (to === thousand ? 50 : 1);
      await untilIdle(client);
      await stand.sink.ask({ ask: 'reset' });
      const cpu = stand.cpu();
      const before = await countWork(client);
      await offerTo(stand, to, { perSecond, amount });
      if (!(await stand.sinkHas(deliveries, 60_000))) throw new Error(`${name} did not arrive`);
      // Ends with the lanes asleep, so that their last events are counted.
      await untilIdle(client);
      const after = await countWork(client);
      const used = cpuBetween(cpu, stand.cpu());
      const per = 1_000 / deliveries;
      report.add(
        `temporal.${name}.workflow_starts`,
        { value: (after.starts - before.starts) * per, unit: 'per 1,000 deliveries' },
        { of: 'value', atMost: 10 },
      );
      report.add(
        `temporal.${name}.history_events`,
        { value: (after.events - before.events) * per, unit: 'per 1,000 deliveries' },
        { of: 'value', atMost: 100 },
      );
      report.add(`temporal.${name}.cpu`, { value: used.temporal * per, unit: 'CPU-s per 1,000' });
    }
  } finally {
    await connection.close();
  }
}

async function offerTo(
  { base }: Stand,
  teams: readonly Team[],
  { perSecond, amount }: { perSecond: number; amount: number },
): Promise<void> {
  await Promise.all(
    teams.map((team) => {
      const share = { perSecond: perSecond / teams.length, amount: amount / teams.length };
      return callAtARate(postContact(base, [team]), share, () => undefined);
    }),
  );
}

const lanes = 'WorkflowId STARTS_WITH "webhook-"';

async function untilIdle(client: Client): Promise<void> {
  const isIdle = async () => {
    const query = `${lanes} AND ExecutionStatus = "Running"`;
    return (await client.workflow.count(query)).count === 0;
  };
  if (!(await comesTrue(isIdle, 60_000, 250))) throw new Error('the lanes did not fall asleep');
}

async function countWork(client: Client) {
  let starts = 0;
  let events = 0;
  for await (const { historyLength } of client.workflow.list({ query: lanes })) {
    starts += 1;
    events += historyLength;
  }
  return { starts, events };
}
