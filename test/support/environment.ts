/** Environment variables that the setup of a run sets for its test files. */
export const environmentNames = {
  serverUrl: 'ONWARD_TEST_SERVER_URL',
  temporalAddress: 'ONWARD_TEST_TEMPORAL_ADDRESS',
  /** Absent with an external Temporal. */
  temporalUiUrl: 'ONWARD_TEST_TEMPORAL_UI_URL',
} as const;

export const templateDatabase = 'onward_test_template';
export const appLogin = { user: 'onward_test_app', password: 'onward_test_app_password' };

/** Run by the teardown, last first. */
export const stops: (() => Promise<unknown>)[] = [];

export function required(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: run the tests by \`npm test\``);
  return value;
}
