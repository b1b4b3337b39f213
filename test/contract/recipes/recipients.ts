import { randomUUID } from 'node:crypto';
import type { Reply } from '../../support/api.ts';
import type { Json } from '../json-schema.ts';
import { newObjective } from './objective.ts';
import { create } from './recipe.ts';
import type { Owner, Params } from './recipe.ts';

const templates = '/v2/partner/templates';
const widgets = '/v2/partner/widget-instances';

/** The page of whose origin recipients call. */
export const recipientOrigin = 'https://bank.example.com';

/** The identity of a recipient, and the ids that they may name. */
export interface RecipientScene {
  /** Token of a widget that shows the journey. */
  token: string;
  /** Token of a widget that enrolls anybody. */
  doorToken: string;
  ids: { journey_id: string; page_id: string; id: string };
  /** Opens a session by a fresh token, with a question of its own; returns what there is then. */
  begin(): Promise<Pick<RecipientScene, 'token' | 'ids'>>;
  /** Another token of the journey's widget, with these scopes. */
  tokenFor(...scopes: string[]): Promise<string>;
}

/** A request as a recipient makes it. */
export type AsRecipient = (
  token: string,
  path: string,
  body?: Json,
) => Promise<Pick<Reply, 'status' | 'body'>>;

/** Somebody under way, with a session and a question that waits for its answer. */
export async function newRecipient(team: Owner, call: AsRecipient): Promise<RecipientScene> {
  const template_id = await create(team, templates, {
    name: 'Welcome',
    objective_ids: [await newObjective(team, {})],
    secure_personalization: { enabled: true, factors: ['postal_code', 'otp_email'] },
  });
  const page_id = await create(team, `${templates}/${template_id}/pages`, { name: 'Hello' });
  await create(team, `${templates}/${template_id}/launch`);
  const contact_id = await create(team, '/v2/partner/contacts', {
    ...{ unique_id: randomUUID(), postal_code: '80331' },
    ...{ email: `${randomUUID()}@example.com`, phone: '+14155550123' },
  });
  const journey_id = await create(team, `${templates}/${template_id}/enrollments`, { contact_id });
  const tokenOf = await widgetFor(team, { name: 'Checklist', widget_kind: 'journey' });
  const doorOf = await widgetFor(team, { name: 'Door', widget_kind: 'enrollment', template_id });
  const begin = async () => {
    const token = await tokenOf({ contact_id });
    await expectDone(call(token, '/v2/widget/bootstrap'));
    const questions = `/v2/widget/journeys/${journey_id}/identity-challenges`;
    const { id } = await expectDone(call(token, questions, {}));
    return { token, ids: { journey_id, page_id, id: String(id) } };
  };
  return {
    ...(await begin()),
    ...{ doorToken: await doorOf({}), begin },
    tokenFor: (...scopes) => tokenOf({ contact_id, scopes }),
  };
}

/** A widget; returns a function that requests a token for it. */
async function widgetFor(team: Owner, fields: Json): Promise<(body: Json) => Promise<string>> {
  const id = await create(team, widgets, { ...fields, allowed_origins: [recipientOrigin] });
  return async (body) => {
    const { access_token } = await expectDone(team.post(`${widgets}/${id}/tokens`, body));
    return String(access_token);
  };
}

async function expectDone(reply: ReturnType<AsRecipient>): Promise<Record<string, unknown>> {
  const { status, body } = await reply;
  if (status === 201) return body;
  throw new Error(`${String(status)} ${JSON.stringify(body)}`);
}

/** Properties of an operation for recipients that its schemas do not contain. */
interface RecipientRecipe {
  /** The least that it takes. */
  body?: (scene: RecipientScene) => Json;
  /** Values of path parameters that are no ids. */
  texts?: Params;
  /** The caller has no session yet. */
  isDoor?: boolean;
  /** The session, or the question, is good for one such call. */
  isUsedUp?: boolean;
}

/** By operation id; one that is missing here fails test/contract/samples.test.ts. */
export const recipientRecipes: Readonly<Record<string, RecipientRecipe>> = {
  bootstrapWidget: {},
  endRecipientSession: { isUsedUp: true },
  endWidgetSession: { isUsedUp: true },
  getRecipientJourney: {},
  getRecipientPage: {},
  recordRecipientEvents: {
    body: ({ ids: { page_id } }) => ({
      events: [{ unique_id: randomUUID(), kind: 'page.viewed', page_id }],
    }),
  },
  setRecipientConsent: {
    body: () => ({ status: 'unsubscribed' }),
    texts: { channel: 'email' },
  },
  createIdentityChallenge: { body: () => ({ factor: 'postal_code' }) },
  answerIdentityChallenge: { body: () => ({ answer: 'not this' }), isUsedUp: true },
  enrollRecipient: {
    body: () => ({ email: `${randomUUID()}@example.com` }),
    isDoor: true,
  },
};
