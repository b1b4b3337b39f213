import { readFileSync } from 'node:fs';
import { BlockList } from 'node:net';
import { expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';

interface Policy {
  metadata: { name: string };
  spec: {
    podSelector: object;
    policyTypes: string[];
    egress?: { to?: { ipBlock?: { cidr: string; except: string[] } }[] }[];
  };
}

const text = readFileSync(
  new URL('../../docs/kubernetes/network-policy.yaml', import.meta.url),
  'utf8',
);
const policies = parseAllDocuments(text).map((document): Policy => document.toJS());

test('nothing is allowed that no policy names', () => {
  expect(policies[0]).toMatchObject({
    metadata: { name: 'nothing-by-default' },
    spec: { podSelector: {}, policyTypes: ['Ingress', 'Egress'] },
  });
});

const inside = [
  ...['10.1.2.3', '100.64.0.1', '127.0.0.1', '168.63.129.16', '169.254.169.254'],
  ...['172.16.0.1', '192.168.1.1', '198.18.0.1', '224.0.0.1', '255.255.255.255', '0.0.0.0'],
];

test.each(['api', 'worker'])('%s reaches no address on the inside', (name) => {
  const policy = policies.find(({ metadata }) => metadata.name === name);
  const blocks = (policy?.spec.egress ?? []).flatMap(({ to = [] }) =>
    to.flatMap(({ ipBlock }) => (ipBlock ? [ipBlock] : [])),
  );
  expect(blocks).not.toEqual([]);
  for (const { except } of blocks) {
    const excepted = new BlockList();
    for (const range of except) {
      const [network = '', prefix = ''] = range.split('/');
      excepted.addSubnet(network, Number(prefix));
    }
    for (const address of inside)
      expect([address, excepted.check(address)]).toEqual([address, true]);
    expect(excepted.check('93.184.216.34')).toBe(false);
  }
});
