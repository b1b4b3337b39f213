import type { SettingsReader } from './settings-reader.ts';
import type { SettingName } from './settings.ts';

export interface TracingConfig {
  /** Address for spans. */
  url: string;
  headers: Readonly<Record<string, string>>;
  serviceName: string;
  /** Attributes of the process. */
  resource: Readonly<Record<string, string>>;
  sampler: { name: (typeof samplers)[number]; ratio: number };
  /** Whether the traces of callers are continued. */
  trustsCallers: boolean;
}

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/** Undefined where no collector is named or tracing is switched off. */
export function readTracing(
  settings: SettingsReader,
  serviceName: string,
): TracingConfig | undefined {
  const { text, url, flag, share, choice } = settings;
  const shared = url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:']);
  const ofTraces = url('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', ['http:', 'https:']);
  // As it was given: the slash at its end belongs to the address.
  const own = ofTraces && text('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT');
  const isDisabled = flag('OTEL_SDK_DISABLED', false);
  const trustsCallers = flag('TRUST_TRACEPARENT', false);
  const address = own ?? (shared && `${shared}/v1/traces`);
  if (address === undefined || isDisabled) return undefined;
  choice('OTEL_EXPORTER_OTLP_PROTOCOL', ['http/protobuf']);
  const { 'service.name': named, ...resource } = pairsOf(settings, 'OTEL_RESOURCE_ATTRIBUTES');
  return {
    url: address,
    headers: {
      ...pairsOf(settings, 'OTEL_EXPORTER_OTLP_HEADERS'),
      ...pairsOf(settings, 'OTEL_EXPORTER_OTLP_TRACES_HEADERS'),
    },
    serviceName: text('OTEL_SERVICE_NAME') ?? named ?? serviceName,
    resource,
    sampler: {
      name: choice('OTEL_TRACES_SAMPLER', samplers) ?? 'parentbased_always_on',
      ratio: share('OTEL_TRACES_SAMPLER_ARG', 1, 0),
    },
    trustsCallers,
  };
}

/** `name=value` separated by commas, values percent-encoded. The problem never quotes a value. */
function pairsOf({ text, problems }: SettingsReader, name: SettingName): Record<string, string> {
  const pairs: Record<string, string> = {};
  for (const pair of (text(name) ?? '').split(',')) {
    if (pair.trim() === '') continue;
    const at = pair.indexOf('=');
    const key = pair.slice(0, Math.max(at, 0)).trim();
    const value = decoded(pair.slice(at + 1).trim());
    if (/^[\w.-]+$/.test(key) && value !== undefined) pairs[key] = value;
    else problems.push(`${name} must be name=value separated by commas, values percent-encoded`);
  }
  return pairs;
}

function decoded(value: string): string | undefined {
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}
