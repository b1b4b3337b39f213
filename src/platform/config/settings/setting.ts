/** An environment variable. The texts are Markdown. */
export interface Setting {
  /** Its shape, unit and range, in words. */
  meaning: string;
  /** The default of `npm start` and of production. */
  default?: string;
  /** The default of `npm start` where production has another one or none. */
  development?: string;
  production?: string;
}

/** Settings by the heading of docs/settings.md that lists them. */
export type SettingGroups = Readonly<Record<string, Readonly<Record<string, Setting>>>>;
