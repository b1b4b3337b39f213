import { settings } from '../../platform/config/settings.ts';
import type { Setting } from '../../platform/config/setting.ts';
import { code, tableOf } from './table.ts';

/** Tables of docs/settings.md: the settings of each group. */
export function settingTables(groups = settings): Record<string, string> {
  return Object.fromEntries(
    Object.entries(groups).map(([heading, members]) => [
      heading,
      tableOf(['Variable', 'Takes', 'Development', 'Production', 'Meaning'], members.map(rowOf)),
    ]),
  );
}

function rowOf({ name, takes, development, production, meaning }: Setting): string[] {
  return [code(name), takes, development ?? '–', production ?? '–', meaning];
}
