import { at } from '../campaigns/a-template.ts';
import type { TestTeam } from '../support/api.ts';
import type { Received } from '../support/receiver.ts';

/** Counts each word of a list. */
function tally(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

/** Every element of a list, page by page. */
async function everyOne(team: TestTeam, path: string): Promise<any[]> {
  const all: any[] = [];
  let cursor = '';
  for (;;) {
    const { status, body } = await team.get(`${path}page[size]=100${cursor}`);
    if (status !== 200) throw new Error(JSON.stringify(body));
    all.push(...body.data);
    if (body.page.next_cursor === null) return all;
    cursor = `&page[after]=${encodeURIComponent(body.page.next_cursor)}`;
  }
}

/** The figures of a template by the lists. */
export async function listsOf(team: TestTeam, templateId: string) {
  const of = `filter[template_id]=${templateId}&`;
  const [shown, messages, journeys, deliveries, events] = await Promise.all([
    team.get(at(templateId)),
    team.get(at(templateId, '/messages')),
    everyOne(team, `/v2/partner/journeys?${of}`),
    everyOne(team, `/v2/partner/message-deliveries?${of}`),
    everyOne(team, `${at(templateId, '/engagement-events')}?`),
  ]);
  const skipped = deliveries.flatMap(({ skip_reason: reason }) => reason ?? []);
  return {
    template: shown.body,
    statsOf: new Map<string, any>(messages.body.data.map(({ id, stats }: any) => [id, stats])),
    journeys: tally(journeys.map(({ status }) => status)),
    deliveries: tally(deliveries.map(({ status }) => status)),
    skips: tally(skipped),
    events: tally(
      events.map(({ kind, is_machine }) => (is_machine ? `${String(kind)} (machine)` : kind)),
    ),
  };
}

/** The value of an insight for a template. */
export async function insightOf(team: TestTeam, templateId: string, name: string): Promise<any> {
  const path = `/v2/partner/insights/advanced/${name}?filter[template_id]=${templateId}`;
  const { status, body } = await team.get(path);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.value;
}

/** Events that a subscriber received, without duplicates. */
export function heardBy(received: readonly Received[]): Record<string, number> {
  const types = new Map(received.map(({ headers, event }) => [headers['webhook-id'], event.type]));
  return tally([...types.values()]);
}
