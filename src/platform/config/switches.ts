import type { SettingName } from './settings.ts';
import type { SettingsReader } from './settings-reader.ts';

/** Switches of development and what they open, which production refuses at a public address. */
export const refusedSwitches = {
  WEBHOOK_ALLOW_HTTP: 'webhooks, with their signatures and data, travel without TLS',
  WEBHOOK_ALLOW_LOOPBACK: 'tenants reach the programs of this machine by their webhook addresses',
  SENDING_EXAMPLE_DOMAINS: 'tenants send from reserved domains that nobody has verified',
} as const satisfies Partial<Record<SettingName, string>>;

/** Switches of development that production only warns of. */
export const warnedSwitches = {
  MAILBOX_SENDS:
    'messages of a channel without a provider are kept in the mailbox and counted as sent, but reach nobody',
  CHECK_RESPONSES:
    'an answer that does not match its schema becomes a 500, and each costs more time',
} as const satisfies Partial<Record<SettingName, string>>;

type Refused = keyof typeof refusedSwitches;
type Warned = keyof typeof warnedSwitches;

/** Reads a switch that is on in development. In production it is refused, or warned of. */
export function readSwitch(settings: SettingsReader, name: Refused | Warned): boolean {
  const { development, problems, warnings, flag, isPublic } = settings;
  const isOn = flag(name, development);
  if (!isOn || development) return isOn;
  if (isRefused(name) && isPublic) {
    problems.push(`${name}=true is for development: ${refusedSwitches[name]}. Remove it`);
  } else
    warnings.push(
      `${name}=true: ${isRefused(name) ? refusedSwitches[name] : warnedSwitches[name]}`,
    );
  return isOn;
}

const isRefused = (name: Refused | Warned): name is Refused => name in refusedSwitches;
