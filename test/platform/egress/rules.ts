import type { EgressRules } from '../../../src/platform/egress/address-rules.ts';

export const productionRules: EgressRules = {
  allowHttp: false,
  allowLoopback: false,
  allowedNetworks: [],
  deniedNetworks: [],
  allowedHosts: [],
  deniedHosts: [],
};

export const developmentRules: EgressRules = {
  ...productionRules,
  allowHttp: true,
  allowLoopback: true,
};
