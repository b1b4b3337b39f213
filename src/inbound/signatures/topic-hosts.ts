/**
 * Hosts of the topic service: a region of each partition, and the domain of the partition.
 * https://docs.aws.amazon.com/whitepapers/latest/aws-fault-isolation-boundaries/partitions.html
 */
const partitions: readonly { region: RegExp; domain: string }[] = [
  { region: /^(?!cn)[a-z]{2}(-gov)?-[a-z]+-\d$/, domain: 'amazonaws.com' },
  { region: /^cn-[a-z]+-\d$/, domain: 'amazonaws.com.cn' },
  { region: /^eusc-[a-z]{2}-[a-z]+-\d$/, domain: 'amazonaws.eu' },
  { region: /^us-iso-[a-z]+-\d$/, domain: 'c2s.ic.gov' },
  { region: /^us-isob-[a-z]+-\d$/, domain: 'sc2s.sgov.gov' },
  { region: /^eu-isoe-[a-z]+-\d$/, domain: 'cloud.adc-e.uk' },
  { region: /^us-isof-[a-z]+-\d$/, domain: 'csp.hci.ic.gov' },
];

const domainOf = (region: string): string | undefined =>
  partitions.find((partition) => partition.region.test(region))?.domain;

/** The host of the service in a region. */
export const topicHost = (region: string): string =>
  `sns.${region}.${domainOf(region) ?? 'amazonaws.com'}`;

/** The names that a certificate of a host of the service may have; undefined for other hosts. */
export function topicHostNames(host: string): string[] | undefined {
  const [service, region = '', ...rest] = host.split('.');
  const domain = domainOf(region);
  if (service !== 'sns' || domain === undefined || rest.join('.') !== domain) return undefined;
  return [host, `sns.${domain}`];
}
