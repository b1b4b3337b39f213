import type { Problem } from '../../platform/http/errors.ts';
import type { WidgetInstance, WidgetInstancePatch } from './widget-instance.ts';
import { mayEmbed, originOf } from '../../platform/schema/rules.ts';

export const maxWidgetInstances = 100;

/** Fields of a widget that clients write. */
export interface WidgetContent extends Pick<
  WidgetInstance,
  'name' | 'widget_kind' | 'allowed_origins' | 'is_active'
> {
  template_id: string | null;
  session_max_days: number | null;
  theme: NonNullable<WidgetInstance['theme']> | null;
  locale: string | null;
  card_on_file: NonNullable<WidgetInstance['card_on_file']> | null;
  opt_in: NonNullable<WidgetInstance['opt_in']> | null;
  mobile_app: NonNullable<WidgetInstance['mobile_app']> | null;
}

export const blankWidget: WidgetContent = {
  name: '',
  widget_kind: 'journey',
  template_id: null,
  allowed_origins: [],
  is_active: true,
  theme: null,
  locale: null,
  session_max_days: null,
  card_on_file: null,
  opt_in: null,
  mobile_app: null,
};

/**
 * Returns the widget with the changes of a body: an absent field is unchanged, null clears it.
 * Origins are in the form of browsers.
 */
export function writeWidget(before: WidgetContent, body: WidgetInstancePatch): WidgetContent {
  const origins = body.allowed_origins?.map((text) => originOf(text) ?? text);
  return {
    name: body.name ?? before.name,
    widget_kind: body.widget_kind ?? before.widget_kind,
    template_id: given(body.template_id?.toLowerCase() ?? body.template_id, before.template_id),
    allowed_origins: origins ? [...new Set(origins)] : before.allowed_origins,
    is_active: body.is_active ?? before.is_active,
    theme: given(body.theme, before.theme),
    locale: given(body.locale, before.locale),
    session_max_days: given(body.session_max_days, before.session_max_days),
    card_on_file: given(body.card_on_file, before.card_on_file),
    opt_in: given(body.opt_in, before.opt_in),
    mobile_app: given(body.mobile_app, before.mobile_app),
  };
}

/** Problems of the fields of a body; `allowsLocal` admits pages of the same machine. */
export function widgetProblems(
  body: WidgetInstancePatch,
  { widget_kind }: WidgetContent,
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

export type WidgetAction = 'archive' | 'unarchive';

/** Archived or not is all its states. */
export function allowedActions({ is_archived }: { is_archived: boolean }): WidgetAction[] {
  return [is_archived ? 'unarchive' : 'archive'];
}

function given<Value>(value: Value | undefined, kept: Value): Value {
  return value === undefined ? kept : value;
}
