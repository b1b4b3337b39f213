import { randomUUID } from 'node:crypto';
import { newAccount } from './accounts.ts';
import { newContact } from './contacts.ts';
import { enroll, hasEnrolled, newJourney } from './enrolled.ts';
import { newMessage } from './messages.ts';
import { newObjective } from './objective.ts';
import { newPage } from './pages.ts';
import type { Owner, Params, Recipes } from './recipe.ts';
import { newTemplate } from './templates.ts';

const path = '/v2/partner/engagement-events';
const ofContact = async (team: Owner, params: Params) => ({
  events: [{ ...engagement(), contact_id: await newContact(team, params) }],
});
const engagement = () => ({ kind: 'custom', unique_id: randomUUID() });
const hourAgo = () => new Date(Date.now() - 3_600_000).toISOString();

export const engagementEventRecipes: Recipes = {
  places: {
    '/v2/partner/engagement-events/{id}': async (team) => {
      const reply = await team.post(path, { events: [engagement()] });
      return String(reply.body.data[0].id);
    },
  },
  operations: {
    listEngagementEvents: {
      // Events of a contact with a message, and with a page.
      shown: async (team, params) => {
        const contact_id = await newContact(team, params);
        const events = [
          { ...engagement(), contact_id, message_id: await newMessage(team, params) },
          { ...engagement(), contact_id, page_id: await newPage(team, params) },
        ];
        return team.post(path, { events });
      },
    },
    recordEngagementEvents: {
      body: async (team, params) => {
        const contact_id = await newContact(team, params);
        const template_id = await enroll(team, [contact_id]);
        return { events: [{ ...engagement(), contact_id, template_id }] };
      },
      deepIds: [
        { field: 'contact_id', make: newContact },
        { field: 'template_id', make: newTemplate },
        { field: 'message_id', make: newMessage },
        { field: 'page_id', make: newPage },
        { field: 'journey_id', make: newJourney },
        { field: 'objective_id', make: newObjective },
        { field: 'account_id', make: newAccount({}) },
      ].map(({ field, make }) => ({
        name: `events of a ${field}`,
        make,
        body: (id) => ({ events: [{ kind: 'custom', [field]: id }] }),
      })),
      scenes: [
        {
          title: 'is in another time zone',
          body: async (team, params) => {
            const contact_id = await newContact(team, params);
            const template_id = await enroll(team, [contact_id], undefined, {
              delay: 'P1D',
              at_local_time: '09:00',
            });
            return { events: [{ ...engagement(), contact_id, template_id }] };
          },
          deed: (team) =>
            team.db.look(
              (sql) => sql`
                update teams set timezone = 'Africa/Algiers' where id = ${team.id} returning id`,
            ),
          seen: async (team) => {
            const [row] = await team.db.look(
              (sql) => sql<{ hour: number }[]>`
                select extract(hour from (step.value ->> 'due_at')::timestamptz
                  at time zone 'UTC')::int as hour
                from journeys j cross join jsonb_each(j.scheduled_steps) as step
                where j.team_id = ${team.id} order by j.enrolled_at desc limit 1`,
            );
            return row?.hour;
          },
        },
        { ...hasEnrolled, body: ofContact },
        {
          title: 'knows of no engagement of the contact',
          body: async (team, params) => {
            const contact_id = await newContact(team, params);
            const event = { kind: 'custom', contact_id };
            await team.post(path, { events: [event] });
            return { events: [{ ...event, occurred_at: hourAgo() }] };
          },
          deed: (team) =>
            team.db.look(
              (sql) => sql`
                update contacts set last_engaged_at = null where team_id = ${team.id}
                returning id`,
            ),
        },
      ],
    },
  },
  references: { events: newContact },
};
