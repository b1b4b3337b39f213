import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { aCompleteTemplate, aLaunchedTemplate, at } from '../campaigns/a-template.ts';
import { verdictOf } from '../contract/answers.ts';
import { useTestApi } from '../support/use-test-api.ts';

const api = useTestApi();

type Kind = 'launched' | 'other' | 'draft' | 'unknown';
type Naming = 'id' | 'unique_id' | 'nobody' | 'both' | 'none';

const requested = fc.record({
  template: fc.constantFrom<Kind>('launched', 'launched', 'other', 'draft', 'unknown'),
  contact: fc.nat(3),
  naming: fc.constantFrom<Naming>('id', 'id', 'unique_id', 'nobody', 'both', 'none'),
});

test('enrollments sent at once are answered as in some order one after the other', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(requested, { minLength: 2, maxLength: 24 }), async (requests) => {
      const team = await api.newTeam();
      const templates = {
        launched: await aLaunchedTemplate(team),
        other: await aLaunchedTemplate(team),
        draft: await aCompleteTemplate(team),
        unknown: randomUUID(),
      };
      const contacts: string[] = [];
      for (const unique_id of ['u0', 'u1', 'u2', 'u3']) {
        contacts.push((await team.post('/v2/partner/contacts', { unique_id })).body.id);
      }
      const bodyOf = ({ contact, naming }: (typeof requests)[number]) => {
        const unique_id = `u${String(contact)}`;
        if (naming === 'none') return {};
        if (naming === 'nobody') return { unique_id: 'nobody' };
        if (naming === 'unique_id') return { unique_id };
        const contact_id = contacts[contact];
        return naming === 'both' ? { contact_id, unique_id } : { contact_id };
      };
      const replies = await Promise.all(
        requests.map((one) => team.post(at(templates[one.template], '/enrollments'), bodyOf(one))),
      );
      const journeys = new Map<string, string>();
      for (const [index, { template, contact, naming }] of requests.entries()) {
        const reply = replies[index];
        if (!reply) continue;
        const verdict = verdictOf(reply);
        if (naming === 'both' || naming === 'none') expect(verdict).toBe('422 validation_failed');
        else if (template === 'unknown') expect(verdict).toBe('404 not_found');
        else if (naming === 'nobody') expect(verdict).toBe('422 validation_failed');
        else if (template === 'draft') expect(verdict).toBe('409 invalid_state_transition');
        else {
          expect(['201', '409 already_enrolled']).toContain(verdict);
          if (verdict !== '201') continue;
          const place = `${template} ${String(contact)}`;
          expect(journeys.has(place)).toBe(false);
          expect(reply.body).toMatchObject({
            template_id: templates[template],
            contact_id: contacts[contact],
            link_url: expect.stringMatching(/^http:\/\/onward\.test\/journey#/),
          });
          journeys.set(place, reply.body.id);
        }
      }
      for (const [index, { template, contact }] of requests.entries()) {
        const reply = replies[index];
        if (!reply || verdictOf(reply) !== '409 already_enrolled') continue;
        const { journey_id } = reply.body.errors[0].meta;
        expect(journey_id).toBe(journeys.get(`${template} ${String(contact)}`));
      }
      const stored = (await team.get('/v2/partner/journeys?page[size]=100')).body.data;
      expect(stored.map(({ id }: { id: string }) => id).sort()).toEqual(
        [...journeys.values()].sort(),
      );
    }),
    { numRuns: 25 },
  );
});
