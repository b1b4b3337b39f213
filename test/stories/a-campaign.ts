import { randomUUID } from 'node:crypto';
import { anObjective, at, templates } from '../campaigns/a-template.ts';
import { aReader, anEmail } from '../journeys/a-send.ts';
import type { TestTeam } from '../support/api.ts';
import { aWidget } from '../widget/a-widget.ts';

/** Numbers of contacts of each kind; all but the excluded are enrolled. */
export const people = {
  reachable: 185,
  withoutAddress: 4,
  suppressed: 3,
  withoutConsent: 3,
  ofAnotherLanguage: 5,
  excluded: 3,
};
export const enrolled = 200;

export interface Campaign {
  templateId: string;
  /** The message to all contacts, and the one that follows a view of the first page. */
  letterId: string;
  guideId: string;
  widgetId: string;
}

const must = async (team: TestTeam, path: string, body?: object) => {
  const reply = await team.post(path, body);
  if (reply.status >= 300) throw new Error(`${path}: ${JSON.stringify(reply.body)}`);
  return reply.body;
};
const many = (count: number, make: () => Promise<string>) =>
  Promise.all(Array.from({ length: count }, make));

/** Two cohorts: those whom the template is for, and those of them whom it leaves out. */
async function cohortsOfPeople(team: TestTeam): Promise<{ all: string; left: string }> {
  const none = { status: 'never' };
  const suppressed = async () => {
    const address = `${randomUUID()}@example.com`;
    await must(team, '/v2/partner/suppressions', { channel: 'email', address });
    return aReader(team, { email: address });
  };
  const excluded = await many(people.excluded, () => aReader(team));
  const all = [
    ...excluded,
    ...(await many(people.reachable, () => aReader(team, { locale: 'en' }))),
    ...(await many(people.withoutAddress, () => aReader(team, { locale: 'en', email: null }))),
    ...(await many(people.suppressed, suppressed)),
    ...(await many(people.withoutConsent, () => aReader(team, { consents: { email: none } }))),
    ...(await many(people.ofAnotherLanguage, () => aReader(team, { locale: 'fr' }))),
  ];
  const listOf = async (name: string, contact_ids: readonly string[]) => {
    const { id } = await must(team, '/v2/partner/cohorts', { name, kind: 'static' });
    await must(team, `/v2/partner/cohorts/${String(id)}/members/add`, { contact_ids });
    return String(id);
  };
  return { all: await listOf('New customers', all), left: await listOf('Staff', excluded) };
}

/** A template with an objective, two pages and two messages, and a widget to show it in. */
export async function aCampaign(
  team: TestTeam,
  bankOrigin: string,
  value_cents: number,
): Promise<Campaign> {
  const { all, left } = await cohortsOfPeople(team);
  const objectiveId = await anObjective(team);
  await team.patch(`/v2/partner/objectives/${objectiveId}`, { value_cents });
  const { id: templateId } = await must(team, templates, {
    ...{ name: 'Welcome', objective_ids: [objectiveId], entry: 'on_launch_snapshot' },
    ...{ target_cohort_ids: [all], exclusion_cohort_ids: [left], exit_on_objectives: true },
  });
  const block = await must(team, '/v2/partner/content-blocks', {
    ...{ name: 'Form', key: 'call-you', kind: 'form' },
    body: {
      ...{ title: 'How may we call you?', submit_label: 'Send' },
      fields: [{ name: 'nickname', label: 'Nickname', kind: 'text', is_required: true }],
    },
  });
  const pagesPath = at(templateId, '/pages');
  const { id: firstPageId } = await must(team, pagesPath, { name: 'Hello', title: 'Hello' });
  await must(team, pagesPath, {
    ...{ name: 'About you', title: 'About you', kind: 'form', content_block_ids: [block.id] },
    ...{ completion_rule: 'form_submitted', objective_id: objectiveId },
  });
  const messagesPath = at(templateId, '/messages');
  const { id: letterId } = await must(team, messagesPath, {
    ...anEmail,
    condition: { op: 'none', rules: [{ field: 'contact.locale', op: 'eq', value: 'fr' }] },
  });
  const { id: guideId } = await must(team, messagesPath, {
    ...{ ...anEmail, name: 'Guide', subject: 'Your guide', purpose: 'servicing' },
    trigger: { kind: 'on_page', page_id: firstPageId },
  });
  const widgetId = await aWidget(team, { allowed_origins: [bankOrigin] });
  return { templateId, letterId, guideId, widgetId };
}
