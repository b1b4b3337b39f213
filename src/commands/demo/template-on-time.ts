import { LocalFailure } from '../../local/local-failure.ts';
import type { Onward } from '../../../sdk/typescript/src/index.ts';
import type { Receiver } from './receivers.ts';
import type { Timeline } from './timeline.ts';

const launchInMs = 3_000;
const expireInMs = 8_000;
// Half a second is usual; a busy machine takes longer.
const latestMs = 10_000;

/** Makes a template that launches and expires by itself, and times both. Returns its id. */
export async function showTemplateOnTime(
  { objectives, templates }: Onward,
  receiver: Receiver,
  say: Timeline,
): Promise<string> {
  const { data } = await objectives.list({ page: { size: 1 } });
  const { id } = await templates.create({
    name: 'Demo: a deadline',
    objective_ids: data.map((objective) => objective.id),
  });
  await templates.createMessage(id, {
    name: 'Welcome',
    channel: 'email',
    from_email: 'demo@example.com',
  });
  const scheduledAtMs = Date.now() + launchInMs;
  const deadlineAtMs = Date.now() + expireInMs;
  await templates.update(id, {
    scheduled_at: new Date(scheduledAtMs).toISOString(),
    deadline_at: new Date(deadlineAtMs).toISOString(),
  });
  say('template', `scheduled ${id}: launches in 3 s, expires in 8 s`);
  await expectOnTime('template.launched', scheduledAtMs);
  await expectOnTime('template.expired', deadlineAtMs);
  return id;

  async function expectOnTime(type: string, dueAtMs: number) {
    await receiver.waitFor(
      (event) => event.type === type && event.data.id === id,
      type,
      dueAtMs - Date.now() + 15_000,
    );
    const lateMs = Date.now() - dueAtMs;
    say('template', `${type} arrived, signature good, ${String(lateMs)} ms after its time`);
    if (lateMs > latestMs) {
      throw new LocalFailure(`${type} came later than ${String(latestMs)} ms after its time.`);
    }
  }
}
