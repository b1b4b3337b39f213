import { randomUUID } from 'node:crypto';
import { maxContentBlocks } from '../../../src/campaigns/content-blocks/content-block.ts';
import type { Json } from '../json-schema.ts';
import { newContact } from './contacts.ts';
import { newObjective } from './objective.ts';
import { act, create, firstOf } from './recipe.ts';
import type { Make, Owner, Params, Recipes } from './recipe.ts';
import { newTemplate } from './templates.ts';

const path = '/v2/partner/content-blocks';
const richText = (): Json => ({ kind: 'rich_text', body: { html: '<p>Hello</p>' } });
const contentBlock = () => ({ name: 'Block', key: `b-${randomUUID()}`, ...richText() });
export const newContentBlock: Make = (team) => create(team, path, contentBlock());

/** A block that a page, a message and a landing page refer to. */
const usedBlock: Make = async (team, params) => {
  const id = await newContentBlock(team, params);
  const content_block_ids = [id];
  const template = `/v2/partner/templates/${await newTemplate(team, params)}`;
  await create(team, `${template}/pages`, { name: 'Page', content_block_ids });
  const message = { name: 'Message', channel: 'email', content_block_ids };
  await create(team, `${template}/messages`, message);
  const page = { name: 'Page', slug: `p-${randomUUID()}`, title: 'Page', content_block_ids };
  await create(team, '/v2/partner/landing-pages', page);
  return id;
};

/** A block, and a paused template whose steps could refer to it. */
const blockBesidePaused: Make = async (team, params) => {
  const objective_ids = [await newObjective(team, params)];
  const templates = '/v2/partner/templates';
  const id = await create(team, templates, { name: 'Template', objective_ids });
  await create(team, `${templates}/${id}/pages`, { name: 'Paused' });
  await create(team, `${templates}/${id}/messages`, {
    ...{ name: 'Paused', from_name: 'Bank', from_email: 'bank@example.com' },
    ...{ channel: 'email', subject: 'Hello', body_html: '<p>Hello</p>' },
  });
  await act(team, templates, id, ['launch', 'pause', 'unlock']);
  return newContentBlock(team, params);
};
/** Refers to a block from a step of a template that is paused. */
const referFrom =
  (kind: 'pages' | 'messages') =>
  async (team: Owner, { id = '' }: Params) => {
    const step = await firstOf(team, `/v2/partner/${kind}?filter[name]=Paused`);
    return team.patch(`/v2/partner/${kind}/${step}`, { content_block_ids: [id] });
  };

export const contentBlockRecipes: Recipes = {
  places: { '/v2/partner/content-blocks/{id}': newContentBlock },
  operations: {
    archiveContentBlock: {
      scenes: [
        {
          title: 'shows the block in a page of a paused template',
          target: blockBesidePaused,
          deed: referFrom('pages'),
        },
        {
          title: 'shows the block in a message of a paused template',
          target: blockBesidePaused,
          deed: referFrom('messages'),
        },
        {
          title: 'has published what refers to the block',
          target: usedBlock,
          deed: async (team) => {
            const page = await firstOf(team, '/v2/partner/landing-pages?sort=-inserted_at');
            return act(team, '/v2/partner/landing-pages', page, ['publish']);
          },
        },
        {
          title: 'has launched what refers to the block',
          target: usedBlock,
          deed: (team) =>
            team.db.look(
              (sql) => sql`
                update templates
                set status = 'launched', launched_at = now(), locked_at = now()
                where team_id = ${team.id} returning id`,
            ),
        },
      ],
    },
    createContentBlock: {
      body: contentBlock,
      quota: { table: 'content_blocks', most: maxContentBlocks },
    },
    getContentBlock: { target: usedBlock },
    getContentBlockUsage: { target: usedBlock },
    listContentBlocks: { shown: usedBlock },
    previewContentBlock: { body: richText },
    renderContentBlock: {
      furtherScopes: [
        {
          scope: 'partner:contacts:read',
          body: async (team, params) => ({ contact_id: await newContact(team, params) }),
        },
      ],
    },
    unarchiveContentBlock: {
      target: async (team, params) =>
        act(team, path, await newContentBlock(team, params), ['archive']),
    },
  },
  references: { content_block_ids: newContentBlock },
};
