import { isIP } from 'node:net';
import { isCidr } from '../schema/fields.ts';
import type { SettingName } from './settings.ts';
import type { SettingsReader } from './settings-reader.ts';
import { parseUrl } from '../schema/rules.ts';

/** Networks in CIDR notation with commas between. */
export function readNetworks(settings: SettingsReader, name: SettingName): string[] {
  const given = listOf(settings, name);
  const wrong = given.filter((cidr) => !isCidr(cidr));
  for (const cidr of wrong) {
    settings.problems.push(`${name} has "${cidr}": give networks such as 203.0.113.0/24`);
  }
  return given.filter((cidr) => !wrong.includes(cidr));
}

/** Domains with commas between, in the form of a URL's host: ASCII and lower case. */
export function readDomains(settings: SettingsReader, name: SettingName): string[] {
  return listOf(settings, name).flatMap((given) => {
    const url = `https://${given.replace(/^\*?\./, '')}/`;
    const domain = /[/?#@:\s]/.test(given) ? '' : (parseUrl(url)?.hostname ?? '');
    if (domain !== '' && isIP(domain) === 0) return [domain];
    settings.problems.push(`${name} has "${given}": give domains such as example.com`);
    return [];
  });
}

function listOf({ text }: SettingsReader, name: SettingName): string[] {
  return (text(name) ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);
}
