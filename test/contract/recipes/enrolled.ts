import { randomUUID } from 'node:crypto';
import { newObjective } from './objective.ts';
import { create, firstOf } from './recipe.ts';
import type { Owner, Params } from './recipe.ts';

const templates = '/v2/partner/templates';
const cohorts = '/v2/partner/cohorts';
const latestContact = (team: Owner) => firstOf(team, '/v2/partner/contacts');

interface Wish {
  /** Trigger of its message. */
  waits?: object;
  /** Adds a push to the text message. */
  sendsPush?: boolean;
  exclusion_cohort_ids?: string[];
  exit_on_leaving_cohort?: boolean;
}

/** A launched template with this objective, or a new one; a message of it waits for an event. */
async function launched(
  team: Owner,
  objective?: string,
  { waits = {}, sendsPush = false, ...fields }: Wish = {},
): Promise<string> {
  const objective_ids = [objective ?? (await newObjective(team, {}))];
  const id = await create(team, templates, { name: 'Template', objective_ids, ...fields });
  await create(team, `${templates}/${id}/messages`, {
    name: 'Thanks',
    channel: 'sms',
    body: 'Thank you',
    trigger: { kind: 'on_event', event_kind: 'custom', ...waits },
  });
  const push = { name: 'Push', channel: 'push', title: 'Hello', body: 'Hello' };
  if (sendsPush) await create(team, `${templates}/${id}/messages`, push);
  return create(team, `${templates}/${id}/launch`);
}

/** Enrolls a contact in a template that sends texts and pushes. */
export async function enrollInBoth(team: Owner, contact_id: string): Promise<void> {
  const template = await launched(team, undefined, { sendsPush: true });
  await create(team, `${templates}/${template}/enrollments`, { contact_id });
}

/** An open journey of a member that its cohort brought; it may end with the membership. */
export async function bring(
  team: Owner,
  { cohort, contact_id }: { cohort: string; contact_id: string },
  exit_on_leaving_cohort: boolean,
): Promise<void> {
  const template = await launched(team, undefined, { exit_on_leaving_cohort });
  const journey = await create(team, `${templates}/${template}/enrollments`, { contact_id });
  await team.db.look(
    (sql) => sql`
      update journeys set cohort_id = ${cohort}
      where team_id = ${team.id} and id = ${journey} returning id`,
  );
}

/** Enrolls contacts in a template of their own, whose message waits so after its event; returns its id. */
export async function enroll(
  team: Owner,
  contacts: readonly string[],
  objective?: string,
  waits?: object,
): Promise<string> {
  const template = await launched(team, objective, { ...(waits && { waits }) });
  for (const contact_id of contacts) {
    await create(team, `${templates}/${template}/enrollments`, { contact_id });
  }
  return template;
}

/** A journey of a contact of its own; returns its id. */
export async function newJourney(team: Owner): Promise<string> {
  await enroll(team, [await create(team, '/v2/partner/contacts', { unique_id: randomUUID() })]);
  return firstOf(team, '/v2/partner/journeys');
}

/** The contact is the one that was made last; a path may name the objective. */
export const hasEnrolled = {
  title: 'has enrolled the contact',
  deed: async (team: Owner, { id }: Params) => enroll(team, [await latestContact(team)], id),
};

export const hasExcluded = {
  title: 'has excluded the contact',
  target: async (team: Owner) => {
    const cohort = await create(team, cohorts, { name: 'Not these', kind: 'static' });
    return launched(team, undefined, { exclusion_cohort_ids: [cohort] });
  },
  deed: async (team: Owner) =>
    create(team, `${cohorts}/${await firstOf(team, cohorts)}/members/add`, {
      contact_ids: [await latestContact(team)],
    }),
};
