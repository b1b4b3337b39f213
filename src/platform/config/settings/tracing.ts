import type { SettingGroups } from './setting.ts';

/** Standard variables of OpenTelemetry, and whose traces are continued. */
export const tracingSettings = {
  tracing: {
    OTEL_EXPORTER_OTLP_ENDPOINT: {
      meaning:
        'Address of a collector for OTLP over HTTP with protobuf, such as `http://collector:4318`; spans go to `/v1/traces` below it. Without it and `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT` nothing is traced',
    },
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: {
      meaning: 'Full address for spans; takes precedence over `OTEL_EXPORTER_OTLP_ENDPOINT`',
    },
    OTEL_EXPORTER_OTLP_HEADERS: {
      meaning:
        'Headers of each export, such as the key of a vendor: `name=value` separated by commas, values percent-encoded',
    },
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: {
      meaning: 'More headers, which take precedence over those of `OTEL_EXPORTER_OTLP_HEADERS`',
    },
    OTEL_EXPORTER_OTLP_PROTOCOL: {
      default: '`http/protobuf`',
      meaning: 'Only `http/protobuf` is spoken, which collectors accept at port 4318',
    },
    OTEL_SERVICE_NAME: {
      default: '`onward-api`, `onward-worker`, or `onward` with `npm start`',
      meaning: 'Name of the service on each span',
    },
    OTEL_RESOURCE_ATTRIBUTES: {
      meaning:
        'Attributes of the process, such as `deployment.environment.name=production`: `name=value` separated by commas, values percent-encoded',
    },
    OTEL_TRACES_SAMPLER: {
      default: '`parentbased_always_on`',
      meaning:
        'Which requests are traced: `always_on`, `always_off`, `traceidratio`, or one of them with `parentbased_` in front',
    },
    OTEL_TRACES_SAMPLER_ARG: {
      default: '`1`',
      meaning: 'Share of the requests that `traceidratio` traces, 0 to 1',
    },
    OTEL_SDK_DISABLED: {
      default: '`false`',
      meaning: '`true` switches tracing off, regardless of the other settings',
    },
    TRUST_TRACEPARENT: {
      default: '`false`',
      meaning:
        'Continues the trace of the header `traceparent` of a request, and follows its decision to sample. Only behind a proxy that replaces the header: otherwise callers decide what is traced. Without it the trace of a caller becomes a link',
    },
  },
} satisfies SettingGroups;
