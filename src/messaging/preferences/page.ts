import { escapeHtml } from '../../platform/content/html.ts';
import { invalidLink } from '../../platform/content/plain-page.ts';
import type { PlainPage } from '../../platform/content/plain-page.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { HttpError } from '../../platform/http/errors.ts';
import { parseForm } from '../../platform/http/body.ts';
import type { Services } from '../../platform/http/services.ts';
import { localized } from '../../platform/schema/language.ts';
import { topicChoicesOf } from '../../contacts/topic-consents/present.ts';
import type { TopicChoices } from '../../contacts/topic-consents/present.ts';
import { readChoiceToken } from '../unsubscribing/token.ts';
import { choicePage } from './frame.ts';
import { channelStates, nameOf } from './offer.ts';
import type { Channel, ChannelState } from './offer.ts';
import { findArrival } from './queries.ts';
import type { Arrival } from './queries.ts';
import { savePreferences } from './save.ts';
import type { Sent } from './save.ts';
import { fill, pluralOf, wordsFor } from './words.ts';
import type { Words } from './words.ts';

/** Most entries of a form that are read; a team has fewer topics. */
const maxEntries = 1_000;

/**
 * The page at which the recipient of a delivery chooses topics. GET changes nothing, since programs
 * that scan links follow them; POST saves the form. The token in the path is the only proof, so that
 * no other site can send a form.
 */
export async function preferencesPage(
  { database, keyring, teamStates }: Pick<Services, 'database' | 'keyring' | 'teamStates'>,
  method: string,
  token: string,
  { search, readForm }: { search: URLSearchParams; readForm(): Promise<Buffer> },
): Promise<PlainPage> {
  const delivery = readChoiceToken(keyring, token);
  const { suspended } = await teamStates.current();
  if (!delivery || suspended.has(delivery.team_id)) return invalidLink;
  const sent = method === 'POST' ? sentBy(await readForm()) : undefined;
  try {
    if (
      sent &&
      !(await database.transact((sql) => savePreferences(sql, keyring, delivery, sent)))
    ) {
      return invalidLink;
    }
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return invalidLink;
  }
  // A redirect, so that a reload sends nothing: it would undo what another tab has saved since.
  if (sent) return { status: 303, html: '', location: sent === 'everything' ? '?left' : '?saved' };
  const shown = await database.read((sql) => show(sql, delivery, search));
  return shown ?? invalidLink;
}

function sentBy(body: Buffer): Sent {
  const entries = [...parseForm(body)].slice(0, maxEntries);
  const of = (requested: string) =>
    new Set(entries.flatMap(([name, value]) => (name === requested ? [value] : [])));
  if (of('action').has('everything')) return 'everything';
  const before = entries.some(([name]) => name === 'before') ? of('before') : undefined;
  return { shown: of('shown'), ticked: of('topic'), before, withdrawn: of('withdrawn') };
}

async function show(
  sql: Sql,
  delivery: { team_id: string; id: string },
  search: URLSearchParams,
): Promise<PlainPage | undefined> {
  const arrival = await findArrival(sql, delivery);
  if (!arrival || arrival.is_archived) return undefined;
  const choices = await topicChoicesOf(sql, arrival.team_id, arrival.contact_id);
  const { words } = wordsFor(arrival.locale);
  const states = channelStates(arrival.consents, arrival);
  const offered = choices.filter(({ topic }) => !topic.is_archived);
  const outcome = search.has('left') ? words.left : search.has('saved') ? words.saved : undefined;
  const body = [
    outcome === undefined ? '' : statusMarkup(outcome),
    ...noticesMarkup(arrival, states, words),
    topicsForm(arrival, offered, states, words),
    everythingForm(arrival, words),
  ];
  return choicePage(arrival, words.preferences, body.join('\n'), outcome);
}

/** Focused when the page opens, so that screen readers say it. */
const statusMarkup = (text: string) =>
  `<p role="status" tabindex="-1" autofocus>${escapeHtml(text)}</p>`;

function noticesMarkup(
  { team_name: team }: Arrival,
  states: ReadonlyMap<Channel, ChannelState>,
  words: Words,
): string[] {
  return (['withdrawn', 'closed'] as const).flatMap((state) => {
    const names = [...states].flatMap(([channel, one]) =>
      one === state ? pluralOf(words, channel) : [],
    );
    if (names.length === 0) return [];
    return `<p>${escapeHtml(fill(words[state], { team, channel: names.join(', ') }))}</p>`;
  });
}

function topicsForm(
  { team_name: team, locale }: Arrival,
  offered: readonly TopicChoices[],
  states: ReadonlyMap<Channel, ChannelState>,
  words: Words,
): string {
  const shown = [...states].filter(([, state]) => state !== 'closed');
  if (shown.length === 0 || offered.length === 0) return `<p>${escapeHtml(words.nothing)}</p>`;
  const fields = offered.map(({ topic, consents }) => {
    const { name, description } = localized(topic, topic.localizations, locale);
    const about = `about-${topic.id}`;
    const boxes = shown.map(([channel, state]) => {
      const value = nameOf({ topicId: topic.id, channel });
      const isTicked = state === 'open' && consents[channel].status === 'subscribed';
      return (
        `<input type="hidden" name="shown" value="${value}">` +
        (isTicked ? `<input type="hidden" name="before" value="${value}">` : '') +
        `<label><input type="checkbox" name="topic" value="${value}"${isTicked ? ' checked' : ''}>` +
        `${escapeHtml(words[channel])}</label>`
      );
    });
    return (
      `<fieldset${description === null ? '' : ` aria-describedby="${about}"`}>` +
      `<legend dir="auto">${escapeHtml(name)}</legend>` +
      (description === null ? '' : `<p id="${about}" dir="auto">${escapeHtml(description)}</p>`) +
      `${boxes.join('\n')}</fieldset>`
    );
  });
  const withdrawn = shown.flatMap(([channel, state]) =>
    state === 'withdrawn' ? [`<input type="hidden" name="withdrawn" value="${channel}">`] : [],
  );
  return (
    `<p>${escapeHtml(fill(words.intro, { team }))}</p>\n` +
    // Browsers would show the ticks of an earlier visit after Back and after a reload.
    `<form method="post" action="?" autocomplete="off"><input type="hidden" name="before" value="">` +
    `${withdrawn.join('')}${fields.join('\n')}\n` +
    `<button type="submit" name="action" value="save">${escapeHtml(words.save)}</button></form>`
  );
}

function everythingForm({ consents }: Arrival, words: Words): string {
  const isAnything = Object.values(consents).some(
    ({ status }) => status === 'subscribed' || status === 'pending',
  );
  if (!isAnything) return '';
  return (
    '<form method="post" action="?"><button type="submit" class="second" name="action" value="everything">' +
    `${escapeHtml(words.everything)}</button></form>`
  );
}
