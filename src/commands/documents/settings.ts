import { settings } from '../../platform/config/settings.ts';
import type { Setting, SettingGroups } from '../../platform/config/settings/setting.ts';
import { code, tableOf } from './table.ts';

/** Tables of docs/settings.md: the settings of each group. */
export function settingTables(groups: SettingGroups = settings): Record<string, string> {
  return Object.fromEntries(
    Object.entries(groups).map(([group, members]) => [
      group,
      tableOf(
        ['Variable', 'Development', 'Production', 'Meaning'],
        Object.entries(members).map(rowOf),
      ),
    ]),
  );
}

function rowOf([name, setting]: [string, Setting]): string[] {
  const usual = setting.default ?? '–';
  const { development = usual, production = usual, meaning } = setting;
  return [code(name), development, production, meaning];
}
