import { Type } from 'typebox';
import { Id } from '../../platform/schema/fields.ts';
import { LandingPage } from '../../campaigns/landing-pages/landing-page.ts';
import { publish } from '../../campaigns/landing-pages/publish.ts';
import { lockLandingPage } from '../../campaigns/landing-pages/queries.ts';
import { audited } from '../audited.ts';
import { oneByOne, operation } from '../operation-type.ts';

export const landingPagesPublish = operation({
  kind: 'landing_pages.publish',
  category: 'content',
  summary: 'Publish the current content of a landing page',
  notes: 'A published page without unpublished changes stays as it is.',
  idempotencyMode: 'natural',
  failureMode: 'transactional',
  executionMode: 'sync',
  scopes: ['partner:landing_pages:write'],
  rateLimitClass: 'write',
  audit: { byHandler: 'landing_page.published' },
  input: Type.Object({ landing_page_id: Id() }, { additionalProperties: false }),
  output: LandingPage,
  apply: oneByOne(async (call, { landing_page_id }) => {
    const { sql, teamId, publicBaseUrl } = call;
    const place = { teamId, id: landing_page_id, baseUrl: publicBaseUrl };
    const before = await lockLandingPage(sql, place);
    if (before.status === 'published' && !before.has_unpublished_changes) {
      return { status: 'unchanged', row: before };
    }
    const after = await publish(sql, place, before);
    const about = { action: 'landing_page.published', schema: LandingPage };
    return { status: 'updated', row: audited(call, about, { before, after }) };
  }),
});
