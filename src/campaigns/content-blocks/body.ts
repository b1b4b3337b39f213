import { Type } from 'typebox';
import { ByLocale } from '../../platform/schema/fields.ts';
import { failAll } from '../../platform/http/errors.ts';
import type { Problem } from '../../platform/http/errors.ts';
import { bodyValidator } from '../../platform/http/validate.ts';
import { cleanMarkup, sourceProblems, variablesIn } from '../rendering/sources.ts';
import { blockBodies, isForm } from './content-block.ts';
import type { BlockKind, ContentBlockRow } from './content-block.ts';

type Written = Pick<ContentBlockRow, 'kind' | 'body' | 'localizations'>;

const validators: Readonly<Record<BlockKind, (value: unknown) => unknown>> = {
  rich_text: validatorOf('rich_text'),
  image: validatorOf('image'),
  video: validatorOf('video'),
  button: validatorOf('button'),
  disclosure: validatorOf('disclosure'),
  form: validatorOf('form'),
  objective_checklist: validatorOf('objective_checklist'),
  product_card: validatorOf('product_card'),
  html: validatorOf('html'),
};

function validatorOf(kind: BlockKind) {
  const body = blockBodies[kind];
  const partial = Type.Partial(body, { additionalProperties: false });
  return bodyValidator(Type.Object({ body, localizations: ByLocale(partial) }));
}

/**
 * The content of a block in its stored form: valid for its kind, HTML sanitized, variables listed;
 * with warnings of what sanitizing removed. Throws 422 with all problems.
 */
export async function contentOf({ kind, body, localizations }: Written) {
  validators[kind]({ body, localizations });
  const written = { body, localizations };
  const problems = [...(await sourceProblems(written)), ...formProblems(body)];
  if (problems.length > 0) throw failAll(problems);
  const { cleaned, warnings } = await cleanMarkup(written);
  // Sanitizing may have removed half of an "if" with an element.
  const broken = await sourceProblems(cleaned);
  if (broken.length > 0) throw failAll(broken);
  const content = { kind, ...cleaned, variables: await variablesIn(cleaned) };
  return { content, warnings };
}

/** Rules of a form beyond its schema: unique names of fields, and consents only by checkboxes. */
function formProblems(body: object): Problem[] {
  if (!isForm(body)) return [];
  const names = body.fields.map(({ name }) => name);
  return body.fields.flatMap(({ name, kind, consent }, at) => {
    const problems: Problem[] = [];
    const report = (field: string, rule: string, detail: string) => {
      const pointer = `/body/fields/${String(at)}/${field}`;
      problems.push({ code: 'validation_failed', detail, meta: { pointer, rule } });
    };
    if (names.indexOf(name) !== at) report('name', 'unique', 'Another field has this name.');
    if (consent !== undefined && kind !== 'checkbox') {
      report('consent', 'enum', 'A consent is given by a field of the kind checkbox.');
    }
    return problems;
  });
}
