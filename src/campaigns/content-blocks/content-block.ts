import { Type } from 'typebox';
import type { Static, TObject, TProperties } from 'typebox';
import { Compile } from 'typebox/compile';
import {
  ByLocale,
  Count,
  Id,
  Kebab,
  OneOf,
  Text,
  Timestamp,
  resource,
} from '../../platform/schema/fields.ts';
import type { RowOf } from '../../platform/schema/fields.ts';
import { Warnings } from '../rendering/warnings.ts';
import type { ListDeclaration } from '../../platform/lists/declaration.ts';

const shape = <Fields extends TProperties>(fields: Fields) =>
  Type.Object(fields, { additionalProperties: false });

const Html = (description: string) => Text(256_000, `HTML: ${description}`);
/** May hold Liquid, so it is checked where it is shown: http, https, mailto, tel, sms. */
const Link = () => Text(2_048, 'URL, or Liquid that gives one');
const Words = (maxLength: number) => Text(maxLength, 'Plain text, with Liquid');
const ButtonBody = shape({ label: Words(200), url: Link() });

export const blockKinds = [
  'rich_text',
  'image',
  'video',
  'button',
  'disclosure',
  'form',
  'objective_checklist',
  'product_card',
  'html',
] as const;
export type BlockKind = (typeof blockKinds)[number];

/** Body schema of each kind of block. */
export const blockBodies = {
  rich_text: shape({ html: Html('text with headings, lists and links') }),
  image: shape({ url: Link(), alt: Type.Optional(Words(300)), link_url: Type.Optional(Link()) }),
  video: shape({ url: Link(), title: Words(200), poster_url: Type.Optional(Link()) }),
  button: ButtonBody,
  disclosure: shape({ title: Type.Optional(Words(200)), html: Html('the legal text') }),
  form: shape({
    title: Type.Optional(Words(200)),
    submit_label: Words(100),
    fields: Type.Array(
      shape({
        name: Type.String({ pattern: '^[a-z][a-z0-9_]{0,63}$' }),
        label: Words(200),
        kind: OneOf(['text', 'email', 'phone', 'date', 'checkbox', 'select']),
        is_required: Type.Optional(Type.Boolean()),
        consent: Type.Optional(OneOf(['email', 'sms'])),
        options: Type.Optional(Type.Array(Words(200), { minItems: 1, maxItems: 100 })),
      }),
      { minItems: 1, maxItems: 50 },
    ),
    success_message: Type.Optional(Words(500)),
  }),
  objective_checklist: shape({
    title: Type.Optional(Words(200)),
    items: Type.Array(shape({ objective_key: Type.String({ maxLength: 64 }), label: Words(200) }), {
      minItems: 1,
      maxItems: 50,
    }),
  }),
  product_card: shape({
    title: Words(200),
    description: Type.Optional(Words(2_000)),
    image_url: Type.Optional(Link()),
    button: Type.Optional(ButtonBody),
  }),
  html: shape({ html: Html('anything of the allow-list, tables included') }),
} as const satisfies Record<BlockKind, TObject>;
export type FormBody = Static<typeof blockBodies.form>;
const compiledForm = Compile(blockBodies.form);
export const isForm = (body: object): body is FormBody => compiledForm.Check(body);

const bodyDescription =
  'By kind. rich_text, html: {html}; disclosure: {html, title?}; image: {url, alt?, link_url?}; ' +
  'video: {url, title, poster_url?}; button: {label, url}; product_card: {title, description?, ' +
  'image_url?, button?}; objective_checklist: {items: [{objective_key, label}], title?}; form: ' +
  '{fields: [{name, label, kind, is_required?, options?, consent?}], submit_label, title?, ' +
  'success_message?}, where consent names the channel (email, sms) that a ticked checkbox agrees ' +
  'to. HTML is sanitized when it is written; text and HTML may hold Liquid.';

/** A piece of content that pages, messages and landing pages share. */
export const ContentBlock = resource('content_block', {
  name: Text(120),
  key: Kebab(64, 'Unique in the team'),
  kind: OneOf([...blockKinds]),
  body: Type.Record(Type.String(), Type.Unknown(), { description: bodyDescription }),
  localizations: ByLocale(
    Type.Record(Type.String(), Type.Unknown()),
    'Fields of the body in other languages',
  ),
  variables: Type.Array(Type.String(), {
    description: 'Liquid variables that it uses; checked when something that uses it is published',
  }),
  version: Count('Rises with every change of its content'),
  used_by: Type.Object(
    { pages: Count(), messages: Count(), landing_pages: Count() },
    { description: 'Number of references to it' },
  ),
  is_archived: Type.Boolean(),
  archived_at: Type.Optional(Timestamp()),
  warnings: Warnings,
});

export type ContentBlockRow = RowOf<typeof ContentBlock>;

/** Content blocks at most of a team. */
export const maxContentBlocks = 10_000;
/** Body limit of a request with content. */
export const bodyLimitBytes = 2_000_000;

/** Content blocks at most of a page, message or landing page. */
export const maxBlocksUsed = 100;

export const contentBlockFields: ListDeclaration['fields'] = {
  updated_at: { type: 'timestamp', filter: true, sort: true },
  inserted_at: { type: 'timestamp', filter: true, sort: true },
  name: { type: 'text', filter: true, sort: true },
  key: { type: 'text', filter: true },
  kind: { type: 'enum', values: blockKinds, filter: true },
  is_archived: { type: 'boolean', filter: true },
};

const User = Type.Object({ id: Id(), name: Text(120), status: Type.Optional(Type.String()) });
const Step = Type.Object({ ...User.properties, template_id: Id() });

/** References to a block, the first hundred of each kind. */
export const ContentBlockUsage = Type.Object(
  { pages: Type.Array(Step), messages: Type.Array(Step), landing_pages: Type.Array(User) },
  { title: 'content_block_usage' },
);
