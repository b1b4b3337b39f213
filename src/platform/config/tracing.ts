import { choice, flag, share, text, url } from './kinds.ts';
import { readGroup } from './setting.ts';
import type { SettingsReader } from './settings-reader.ts';

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

const sameOfBoth = (shown: string) => ({ development: shown, production: shown });

/** Standard variables of OpenTelemetry, and whose traces are continued. */
export const tracingSettings = {
  endpoint: url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:'], {
    meaning:
      'Address of a collector for OTLP over HTTP with protobuf, such as `http://collector:4318`; spans go to `/v1/traces` below it. Without it and `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT` nothing is traced',
  }),
  tracesEndpoint: url('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', ['http:', 'https:'], {
    meaning: 'Full address for spans; takes precedence over `OTEL_EXPORTER_OTLP_ENDPOINT`',
  }),
  headers: text('OTEL_EXPORTER_OTLP_HEADERS', {
    meaning:
      'Headers of each export, such as the key of a vendor: `name=value` separated by commas, values percent-encoded',
  }),
  tracesHeaders: text('OTEL_EXPORTER_OTLP_TRACES_HEADERS', {
    meaning: 'More headers, which take precedence over those of `OTEL_EXPORTER_OTLP_HEADERS`',
  }),
  protocol: choice('OTEL_EXPORTER_OTLP_PROTOCOL', ['http/protobuf'], {
    default: 'http/protobuf',
    meaning: 'Protocol of the exports, which collectors accept at port 4318',
  }),
  serviceName: text('OTEL_SERVICE_NAME', {
    shown: sameOfBoth('`onward-api`, `onward-worker`, or `onward` with `npm start`'),
    meaning: 'Name of the service on each span',
  }),
  resource: text('OTEL_RESOURCE_ATTRIBUTES', {
    meaning:
      'Attributes of the process, such as `deployment.environment.name=production`: `name=value` separated by commas, values percent-encoded',
  }),
  sampler: choice('OTEL_TRACES_SAMPLER', samplers, {
    default: 'parentbased_always_on',
    meaning: 'Which requests are traced',
  }),
  ratio: share('OTEL_TRACES_SAMPLER_ARG', {
    default: 1,
    min: 0,
    meaning: 'Share of the requests that `traceidratio` traces',
  }),
  isDisabled: flag('OTEL_SDK_DISABLED', {
    default: false,
    meaning: '`true` switches tracing off, regardless of the other settings',
  }),
  trustsCallers: flag('TRUST_TRACEPARENT', {
    default: false,
    meaning:
      'Continues the trace of the header `traceparent` of a request, and follows its decision to sample. Only behind a proxy that replaces the header: otherwise callers decide what is traced. Without it the trace of a caller becomes a link',
  }),
};

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

/** Undefined where no collector is named or tracing is switched off. */
export function readTracing(
  reader: SettingsReader,
  serviceName: string,
): TracingConfig | undefined {
  const given = readGroup(tracingSettings, reader);
  // As it was given: the slash at its end belongs to the address.
  const own = given.tracesEndpoint && reader.text(tracingSettings.tracesEndpoint.name);
  const address = own ?? (given.endpoint && `${given.endpoint}/v1/traces`);
  if (address === undefined || given.isDisabled) return undefined;
  const pairs = (field: 'headers' | 'tracesHeaders' | 'resource') =>
    pairsOf(reader, tracingSettings[field].name, given[field]);
  const { 'service.name': named, ...resource } = pairs('resource');
  return {
    url: address,
    headers: { ...pairs('headers'), ...pairs('tracesHeaders') },
    serviceName: given.serviceName ?? named ?? serviceName,
    resource,
    sampler: { name: given.sampler, ratio: given.ratio },
    trustsCallers: given.trustsCallers,
  };
}

/** `name=value` separated by commas, values percent-encoded. The problem never quotes a value. */
function pairsOf(
  { problems }: SettingsReader,
  name: string,
  given: string | undefined,
): Record<string, string> {
  const pairs: Record<string, string> = {};
  for (const pair of (given ?? '').split(',')) {
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
