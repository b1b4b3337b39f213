import { isLoopbackHost } from '../../platform/config/hosts.ts';
import { checkTargetHost, checkTargetUrl } from '../../platform/egress/address-rules.ts';
import type { EgressRules } from '../../platform/egress/address-rules.ts';
import type { ProviderKind } from '../providers/team-provider.ts';

/** The address of a provider in its stored form, or a reason that is written for the client. */
export type Target = { ok: true; url: string; isLocal: boolean } | { ok: false; reason: string };

const smtpUrl = /^(smtps?):\/\/(\[[0-9a-f:.]+\]|[a-z0-9.-]+):(\d{1,5})$/i;

/** Checks the address of a provider by its text, as every connection checks it again. */
export function targetOf(kind: ProviderKind, text: string, rules: EgressRules): Target {
  return kind === 'smtp' ? mailTarget(text, rules) : httpTarget(text, rules);
}

function mailTarget(text: string, rules: EgressRules): Target {
  const [, scheme = '', host = '', digits = ''] = smtpUrl.exec(text) ?? [];
  if (scheme === '') return refuse('The URL must be smtp://host:port or smtps://host:port.');
  const port = Number(digits);
  const checked = checkTargetHost(host, port, rules, 'mail');
  if (!checked.ok) return checked;
  const { hostname } = checked;
  const name = hostname.includes(':') ? `[${hostname}]` : hostname;
  return {
    ok: true,
    url: `${scheme.toLowerCase()}://${name}:${String(port)}`,
    isLocal: isLoopbackHost(hostname),
  };
}

function httpTarget(text: string, rules: EgressRules): Target {
  const checked = checkTargetUrl(text, rules);
  if (!checked.ok) return checked;
  const { protocol, hostname, href } = checked.url;
  const isLocal = isLoopbackHost(hostname);
  if (protocol !== 'https:' && !isLocal) return refuse('The scheme must be https.');
  if (/[?#]/.test(text)) return refuse('The URL must not have a query or a fragment.');
  return { ok: true, url: href.replace(/\/+$/, ''), isLocal };
}

function refuse(reason: string): Target {
  return { ok: false, reason };
}
