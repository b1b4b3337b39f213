import { expect, test } from '@jest/globals';
import { readConfig } from '../../../src/platform/config.ts';

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' };
const read = (settings: Record<string, string>) =>
  readConfig({ development: true, serviceName: 'onward-api' }, settings).tracing;

test('nothing is traced without a collector, or where tracing is switched off', () => {
  expect(read({})).toBeUndefined();
  expect(read({ OTEL_SERVICE_NAME: 'onward', OTEL_TRACES_SAMPLER: 'always_on' })).toBeUndefined();
  expect(read({ ...endpoint, OTEL_SDK_DISABLED: 'true' })).toBeUndefined();
});

test('the address of a collector is enough', () => {
  expect(read(endpoint)).toEqual({
    url: 'http://collector:4318/v1/traces',
    headers: {},
    serviceName: 'onward-api',
    resource: {},
    sampler: { name: 'parentbased_always_on', ratio: 1 },
    trustsCallers: false,
  });
});

test('settings of traces take precedence over those of all signals', () => {
  const tracing = read({
    ...endpoint,
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example.com/otlp/',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20abc%3D, x-tenant=one',
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-tenant=two',
    OTEL_RESOURCE_ATTRIBUTES: 'service.name=ignored,deployment.environment.name=a%2Cb',
    OTEL_SERVICE_NAME: 'onboarding',
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
    TRUST_TRACEPARENT: 'true',
  });
  expect(tracing).toEqual({
    url: 'https://traces.example.com/otlp/',
    headers: { authorization: 'Basic abc=', 'x-tenant': 'two' },
    serviceName: 'onboarding',
    resource: { 'deployment.environment.name': 'a,b' },
    sampler: { name: 'parentbased_traceidratio', ratio: 0.25 },
    trustsCallers: true,
  });
  expect(read({ ...endpoint, OTEL_RESOURCE_ATTRIBUTES: 'service.name=named' })?.serviceName).toBe(
    'named',
  );
});

test.each([
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'grpc://collector:4317'],
  ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'collector'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization: Bearer the-secret'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization=%zz-the-secret'],
  ['OTEL_EXPORTER_OTLP_TRACES_HEADERS', '=the-secret'],
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
  ['OTEL_RESOURCE_ATTRIBUTES', 'the-secret'],
  ['OTEL_TRACES_SAMPLER', 'sometimes'],
  ['OTEL_TRACES_SAMPLER_ARG', '2'],
  ['OTEL_SDK_DISABLED', 'perhaps'],
  ['TRUST_TRACEPARENT', 'perhaps'],
])('a malformed setting is refused by its name: %s=%s', (name, value) => {
  const refused = () => read({ ...endpoint, [name]: value });
  expect(refused).toThrow(new RegExp(`^ {2}- ${name} must `, 'm'));
  expect(refused).not.toThrow('the-secret');
});
