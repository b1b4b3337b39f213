import type { Reader } from '../../platform/content/filters/reader.ts';
import type { Values } from '../../platform/content/liquid.ts';
import type { MessageContent } from '../messages/message.ts';
import { sampleAddresses } from './addresses.ts';
import type { Letterhead } from './addresses.ts';
import { valuesOf } from './variables.ts';

/** For whom content is rendered, be it sent, shown on a page or a preview. */
export interface Audience {
  team: Reader & { name: string };
  /** Its locale and time zone are the team's where it has none. */
  contact?: { locale: string | null; timezone: string | null } | undefined;
  /** Whether texts have the values of the contact; true by default. */
  isContactShown?: boolean;
  /** The language in place of the contact's. */
  locale?: string | null | undefined;
  /** Template, journey, landing page, addresses and data. */
  surroundings: object;
  /** Values in place of all others. */
  instead?: object;
}

/** The values and the reader of an audience: the only way from a contact to its text. */
export function valuesFor(audience: Audience): Values {
  const { team, contact, isContactShown = true, surroundings, instead = {} } = audience;
  const timezone = contact?.timezone ?? team.timezone;
  const ownLocale = contact?.locale ?? team.locale;
  const reader = { locale: audience.locale ?? ownLocale, timezone, currency: team.currency };
  const shown = contact && isContactShown && { ...contact, locale: ownLocale, timezone };
  return valuesOf(reader, instead, { ...surroundings, team, ...(shown && { contact: shown }) });
}

/** Somebody to show content to, where no contact is named: with the locale and zone of the team. */
export const sampleContact = {
  unique_id: 'sample-1',
  email: 'ada@example.com',
  phone: '+14155550100',
  first_name: 'Ada',
  last_name: 'Lovelace',
  preferred_name: 'Ada',
  locale: null,
  timezone: null,
  postal_code: '94105',
  tags: ['sample'],
};

/** The template that content belongs to. */
interface TemplateFacts {
  name: string;
  deadline_at: string | null;
}

/** Surroundings of a message that is shown or tried before it is sent. */
export function surroundingsOf(
  { trigger }: Pick<MessageContent, 'trigger'>,
  { name, deadline_at }: TemplateFacts,
  letterhead: Letterhead,
): object {
  const { journey, ...choices } = sampleAddresses(letterhead);
  // A message that is sent on request belongs to no journey.
  const link = trigger.kind === 'on_request' ? {} : { journey };
  return { template: { name, deadline_at }, ...link, ...choices };
}

/** Surroundings of a content block, which may be shown anywhere. */
export function sampleSurroundings(letterhead: Letterhead): object {
  return {
    template: { name: 'Sample template', deadline_at: '2030-01-31T17:00:00.000Z' },
    landing_page: { title: 'Sample page', url: `${letterhead.publicBaseUrl}/p/sample` },
    ...sampleAddresses(letterhead),
  };
}
