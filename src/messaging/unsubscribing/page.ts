import { escapeHtml } from '../../platform/content/html.ts';
import { invalidLink, plainPage } from '../../platform/content/plain-page.ts';
import type { PlainPage } from '../../platform/content/plain-page.ts';
import { HttpError } from '../../platform/http/errors.ts';
import type { Services } from '../../platform/http/services.ts';
import { localized } from '../../platform/schema/language.ts';
import { listTopicsOf } from '../../contacts/topics/queries.ts';
import type { TopicRow } from '../../contacts/topics/topic.ts';
import { choicePage } from '../preferences/frame.ts';
import { findArrival } from '../preferences/queries.ts';
import type { Arrival } from '../preferences/queries.ts';
import { fill, pluralOf, wordsFor } from '../preferences/words.ts';
import { readChoiceToken } from './token.ts';
import { unsubscribe } from './unsubscribe.ts';

/** Names in the query the button that unsubscribes from the channel rather than the topic. */
const wholeChannel = 'all';

/**
 * The page at the unsubscribe address of a delivery: buttons on GET, since programs that scan links
 * follow them. POST unsubscribes without authentication (RFC 8058: the mail program, without cookies
 * or a page before), from the topic of the message if it has one. Any body is accepted.
 */
export async function unsubscribePage(
  { database, keyring, teamStates }: Pick<Services, 'database' | 'keyring' | 'teamStates'>,
  method: string,
  token: string,
  { search }: { search: URLSearchParams },
): Promise<PlainPage> {
  const delivery = readChoiceToken(keyring, token);
  if (!delivery) return invalidLink;
  const from = search.has(wholeChannel) ? 'channel' : 'list';
  try {
    if (method === 'POST') {
      await database.transact((sql) => unsubscribe(sql, keyring, delivery, from));
    }
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return invalidLink;
  }
  const { suspended } = await teamStates.current();
  const shown = await database.read(async (sql) => {
    const arrival = await findArrival(sql, delivery);
    return arrival && { arrival, topics: await listTopicsOf(sql, delivery.team_id) };
  });
  if (suspended.has(delivery.team_id)) return pageOfSuspended(method, shown?.arrival);
  if (!shown) return invalidLink;
  const hasChoices = shown.topics.some(({ is_archived }) => !is_archived);
  const more =
    hasChoices && !shown.arrival.is_archived
      ? `<p class="more"><a href="/preferences/${token}">${escapeHtml(wordsFor(shown.arrival.locale).words.choose)}</a></p>`
      : '';
  const topic = shown.topics.find(({ id }) => id === shown.arrival.topic_id);
  return method === 'POST'
    ? donePage(shown.arrival, from === 'list' ? topic : undefined, more)
    : questionPage(shown.arrival, topic, more);
}

/** Recipients can leave a suspended team, but see nothing that it has written. */
function pageOfSuspended(method: string, arrival: Arrival | undefined): PlainPage {
  const { lang, words } = wordsFor(arrival?.locale ?? 'en');
  const channel = pluralOf(words, arrival?.channel ?? 'email');
  const page = (title: string, body: string) => plainPage(title, body, lang);
  if (method === 'POST') {
    const done = escapeHtml(fill(words.doneChannel, { channel }));
    return { status: 200, html: page(words.done, `<p>${done}</p>`) };
  }
  const form = `<form method="post" action="?all"><button type="submit">${escapeHtml(words.unsubscribe)}</button></form>`;
  return { status: 200, html: page(words.stop, form) };
}

function questionPage(arrival: Arrival, topic: TopicRow | undefined, more: string): PlainPage {
  const { words, values } = textsFor(arrival, topic);
  const form = (text: string, attributes: { of?: string; button?: string } = {}) =>
    `<form method="post"${attributes.of ?? ''}><button type="submit"${attributes.button ?? ''}>` +
    `${escapeHtml(fill(text, values))}</button></form>`;
  if (!topic) return choicePage(arrival, words.stop, form(words.unsubscribe) + more);
  const all = { of: ` action="?${wholeChannel}"`, button: ' class="second"' };
  const body = form(words.unsubscribeTopic) + form(words.unsubscribeChannel, all) + more;
  return choicePage(arrival, fill(words.stopTopic, values), body);
}

function donePage(arrival: Arrival, topic: TopicRow | undefined, more: string): PlainPage {
  const { words, values } = textsFor(arrival, topic);
  const text = fill(topic ? words.doneTopic : words.doneChannel, values);
  const body = `<p role="status" tabindex="-1" autofocus>${escapeHtml(text)}</p>${more}`;
  return choicePage(arrival, words.done, body);
}

function textsFor({ locale, channel }: Arrival, topic: TopicRow | undefined) {
  const { words } = wordsFor(locale);
  const name = topic ? localized(topic, topic.localizations, locale).name : '';
  return { words, values: { topic: name, channel: pluralOf(words, channel) } };
}
