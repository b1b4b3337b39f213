import type { Problem } from '../../platform/http/errors.ts';
import type { WidgetInstanceRow } from './widget-instance.ts';
import { mayEmbed, originOf } from '../../platform/schema/rules.ts';

export const maxWidgetInstances = 100;

/** Fields of a body. */
export type Written = {
  readonly [Name in keyof WidgetInstanceRow]?: WidgetInstanceRow[Name] | undefined;
};

/** Fields of a widget in their stored form: origins as browsers send them, each once. */
export function inStoredForm<Content extends Pick<Written, 'allowed_origins' | 'template_id'>>(
  content: Content,
) {
  const { allowed_origins: origins, template_id } = content;
  return {
    ...content,
    ...(origins && {
      allowed_origins: [...new Set(origins.map((text) => originOf(text) ?? text))],
    }),
    ...(template_id && { template_id: template_id.toLowerCase() }),
  };
}

/** Problems of the fields of a body; `allowsLocal` admits pages of the same machine. */
export function widgetProblems(
  body: Written,
  widget_kind: WidgetInstanceRow['widget_kind'],
  allowsLocal: boolean,
): Problem[] {
  const origins = (body.allowed_origins ?? []).flatMap((text, at) =>
    mayEmbed(originOf(text), allowsLocal)
      ? []
      : [invalid(`/allowed_origins/${String(at)}`, 'format', 'is no https origin')],
  );
  const settings = (['card_on_file', 'opt_in', 'mobile_app'] as const)
    .filter((name) => name !== widget_kind && body[name] != null)
    .map((name) =>
      invalid(`/${name}`, 'unknown_field', `is no field of a widget of kind ${widget_kind}`),
    );
  return [...origins, ...settings];
}

function invalid(pointer: string, rule: string, says: string): Problem {
  const name = pointer.slice(1).replaceAll('/', '.');
  const detail = `${name} ${says}.`;
  return { code: 'validation_failed', detail, meta: { pointer, rule } };
}
