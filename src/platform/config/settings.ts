import { sendingSettings } from './settings/sending.ts';
import { serviceSettings } from './settings/service.ts';
import { storeSettings } from './settings/stores.ts';
import { tracingSettings } from './settings/tracing.ts';
import { webhookSettings } from './settings/webhooks.ts';

/** Every setting, with its defaults and its meaning for docs/settings.md. */
export const settings = {
  ...serviceSettings,
  ...tracingSettings,
  ...storeSettings,
  ...webhookSettings,
  ...sendingSettings,
};

type NamesIn<Groups> = { [Group in keyof Groups]: keyof Groups[Group] & string }[keyof Groups];

/** A setting can only be read if it is declared. */
export type SettingName = NamesIn<typeof settings>;
