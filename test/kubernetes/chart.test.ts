import { readFileSync } from 'node:fs';
import { BlockList } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { Service } from 'kubernetes-models/v1/Service';
import { parseAllDocuments } from 'yaml';
import { readConfig } from '../../src/platform/config.ts';
import { settings } from '../../src/platform/config/settings.ts';
import { fingerprintOf, renderedFile, variants } from './chart.ts';

interface Model {
  apiVersion: string;
  validate(): void;
}
const models: Record<string, new (manifest?: any) => Model> = {
  ...{ Deployment, HorizontalPodAutoscaler, Job, NetworkPolicy, PodDisruptionBudget, Service },
};

const settingNames = new Set(
  Object.values(settings).flatMap((group) => group.map(({ name }) => name)),
);

function manifestsOf(text: string): any[] {
  return parseAllDocuments(text).map((document) => document.toJS());
}

const compose = readFileSync('docker-compose.yml', 'utf8');
const dockerfile = readFileSync('Dockerfile', 'utf8');

describe.each(variants)('the manifests of the chart with the values "%s"', (variant) => {
  const text = readFileSync(renderedFile(variant), 'utf8');
  const manifests = manifestsOf(text);
  const named = (kind: string, name: string) =>
    manifests.find((one) => one.kind === kind && one.metadata.name === name);
  const pods = manifests.flatMap(({ spec }) => (spec.template ? [spec.template] : []));

  test('are those of the chart (npm run verify -- helm)', () => {
    expect(text.split('\n', 1)[0]).toBe(`# ${fingerprintOf(variant)}`);
  });

  test('fit the schemas of Kubernetes', () => {
    expect(manifests.length).toBeGreaterThan(10);
    for (const manifest of manifests) {
      const Model = models[manifest.kind];
      if (!Model) throw new Error(`no schema of ${String(manifest.kind)}`);
      expect(manifest.apiVersion).toBe(new Model().apiVersion);
      expect(() => {
        new Model(manifest).validate();
      }).not.toThrow();
    }
  });

  test.each(['api', 'worker', 'migrate'])('give %s an environment that it accepts', (name) => {
    const [container] = pods.find(({ metadata }) => metadata.labels.app === `onward-${name}`).spec
      .containers;
    const given = container.env.map((one: any) => [
      one.name,
      one.value ??
        'postgres://owner:a-password-of-the-test@db.example.com/onward?sslmode=verify-full',
    ]);
    const environment: Record<string, string> = Object.fromEntries(given);
    // Two of the same name would hide one of them.
    expect(Object.keys(environment)).toHaveLength(given.length);
    expect(Object.keys(environment).filter((one) => !settingNames.has(one))).toEqual([]);
    expect(environment['ONWARD_KEYS_FILE']).toBe('/run/secrets/onward/keys.json');
    delete environment['ONWARD_KEYS_FILE'];
    const secrets = {
      DATABASE_URL: 'postgres://app:a-password-of-the-test@db.example.com/onward',
      ONWARD_KEYS: '{}',
    };
    expect(() => readConfig({ development: false }, { ...environment, ...secrets })).not.toThrow();
    // The same command as in docker-compose.yml.
    expect(compose).toContain(`command: [${container.command.join(', ')}]`);
  });

  test('give processes no rights, and only the migration the password of the owner', () => {
    expect(pods).toHaveLength(3);
    for (const { metadata, spec } of pods) {
      const [container] = spec.containers;
      expect(spec).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      });
      expect(container).toMatchObject({
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
        resources: { limits: { memory: expect.any(String) } },
      });
      const isMigration = metadata.labels.app === 'onward-migrate';
      expect(JSON.stringify(spec).includes('onward-owner')).toBe(isMigration);
    }
    expect(dockerfile).toContain('USER node');
  });

  test('probe each process, give it time to end, and keep one of each kind', () => {
    for (const name of ['onward-api', 'onward-worker']) {
      const { spec } = named('Deployment', name).spec.template;
      const [container] = spec.containers;
      const paths = ['startupProbe', 'readinessProbe', 'livenessProbe'].map((probe) => {
        expect(container[probe].httpGet.port).toBe('metrics');
        return container[probe].httpGet.path;
      });
      // A worker with a backlog is not ready by /readyz, and goes on to serve SFTP.
      const ready = name === 'onward-api' ? '/readyz' : '/healthz';
      expect(paths).toEqual([ready, ready, '/healthz']);
      expect(spec.terminationGracePeriodSeconds).toBe(45);
      expect(named('PodDisruptionBudget', name).spec).toMatchObject({
        maxUnavailable: 1,
        selector: { matchLabels: { app: name } },
      });
    }
  });

  const inside = [
    ...['10.1.2.3', '100.64.0.1', '127.0.0.1', '168.63.129.16', '169.254.169.254'],
    ...['172.16.0.1', '192.168.1.1', '198.18.0.1', '224.0.0.1', '255.255.255.255', '0.0.0.0'],
  ];

  test.each(['onward-api', 'onward-worker'])('let %s reach no address on the inside', (name) => {
    const policy = named('NetworkPolicy', name);
    expect(policy.spec.policyTypes).toEqual(['Ingress', 'Egress']);
    const blocks = policy.spec.egress.flatMap(({ to }: any) =>
      to.flatMap(({ ipBlock }: any) => (ipBlock ? [ipBlock] : [])),
    );
    expect(blocks).toHaveLength(1);
    const excepted = new BlockList();
    for (const range of blocks[0].except) {
      const [network = '', prefix = ''] = range.split('/');
      excepted.addSubnet(network, Number(prefix));
    }
    expect(inside.filter((address) => !excepted.check(address))).toEqual([]);
    expect(excepted.check('93.184.216.34')).toBe(false);
  });
});

test('a manifest that does not fit the schemas is noticed', () => {
  const manifest = { spec: { selector: {}, template: {}, replicas: 'two' } };
  expect(() => {
    Reflect.construct(Deployment, [manifest]).validate();
  }).toThrow('replicas');
});

test('workers are added for their backlog, and taken away slowly', () => {
  const manifests = manifestsOf(readFileSync(renderedFile('full'), 'utf8'));
  const scaler = manifests.find(
    ({ kind, metadata }) => kind === 'HorizontalPodAutoscaler' && metadata.name === 'onward-worker',
  );
  const metrics = scaler.spec.metrics.map(({ external }: any) => external?.metric.name);
  expect(metrics).toEqual([undefined, 'onward_outbox_age_seconds', 'onward_activity_wait_seconds']);
  expect(scaler.spec.behavior.scaleDown.stabilizationWindowSeconds).toBe(600);
  const deployment = manifests.find(
    ({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'onward-worker',
  );
  expect(deployment.spec.replicas).toBeUndefined();
});
