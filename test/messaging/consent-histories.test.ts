import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { choiceUrls } from '../../src/messaging/unsubscribing/token.ts';
import { seeded } from '../chaos/random.ts';
import type { Random } from '../chaos/random.ts';
import type { TestTeam } from '../support/api.ts';
import { useTestApi } from '../support/use-test-api.ts';

// Random histories against a model of the table “Who has the last word” in docs/sending.md.

const api = useTestApi();
const contacts = '/v2/partner/contacts';

interface Said {
  status: 'never' | 'pending' | 'subscribed' | 'unsubscribed';
  source?: string;
  evidence?: string;
}
/** A consent and the step that it was said in; none of one that nobody said. */
type Consent = Said & { at?: number };
interface Person {
  id: string;
  uniqueId: string;
  delivery: string;
  /** The delivery of a message of the topic. */
  ofTopic: string;
  email: string | null;
  consent: Consent;
  /** The choice about the topic; none where its default holds. */
  topic: Consent | undefined;
  isArchived: boolean;
}

const never: Consent = { status: 'never' };
const link = { status: 'unsubscribed', source: 'unsubscribe_link' } as const;
const words: readonly (Said | undefined)[] = [
  undefined,
  { status: 'subscribed', source: 'bank' },
  { status: 'subscribed', source: 'bank', evidence: 'form 12' },
  { status: 'pending', source: 'bank' },
  { status: 'unsubscribed', source: 'bank' },
];
const isOptOut = ({ status, source }: Said) => status === 'unsubscribed' && source === link.source;
const isSame = (one: Said, other: Said) =>
  one.status === other.status && one.source === other.source && one.evidence === other.evidence;

/** The table for one team; nothing is stored but what it needs. */
class Model {
  readonly people: Person[] = [];
  /** Consents for addresses that their contacts have no longer. */
  private readonly former: { email: string; consent: Consent }[] = [];
  /** The same of opt-outs from the topic. */
  private readonly formerTopic: { email: string; topic: Consent }[] = [];
  private step = 0;

  living() {
    return this.people.filter(({ isArchived }) => !isArchived);
  }

  /** The opt-out that is the last word of an address. */
  private optOutOf(email: string | null): Consent | undefined {
    if (email === null) return undefined;
    const said = [...this.people, ...this.former].filter(
      (one) => one.email && fold(one.email) === fold(email),
    );
    const [last] = said.map(({ consent }) => consent).sort((a, b) => (b.at ?? -1) - (a.at ?? -1));
    return last && isOptOut(last) ? last : undefined;
  }

  /** The opt-out from the topic that is the last word of an address. */
  private topicOptOutOf(email: string | null): Consent | undefined {
    if (email === null) return undefined;
    const said = [...this.people, ...this.formerTopic].filter(
      (one) => one.email && fold(one.email) === fold(email) && one.topic !== undefined,
    );
    const [last] = said.map(({ topic }) => topic).sort((a, b) => (b?.at ?? -1) - (a?.at ?? -1));
    return last && isOptOut(last) ? last : undefined;
  }

  /** After a contact has got an address. */
  private underTopic(optOut: Consent | undefined, own: Consent | undefined): Consent | undefined {
    return optOut && !(own && isOptOut(own)) ? { ...link, at: this.step } : own;
  }

  private say(before: Consent, said: Said | undefined): Consent {
    return said === undefined || isSame(before, said) ? before : { ...said, at: this.step };
  }

  private under(optOut: Consent | undefined, given: Consent, isNew: boolean): Consent {
    const isProven = isNew && given.status !== 'unsubscribed' && given.evidence !== undefined;
    const stays = isProven || given.status === 'pending' || isOptOut(given);
    return optOut && !stays ? { ...optOut, at: this.step } : given;
  }

  create(person: Omit<Person, 'consent' | 'topic' | 'isArchived'>, said: Said | undefined) {
    this.step += 1;
    const given = this.say(never, said);
    const optOut = this.optOutOf(person.email);
    const kept = this.under(optOut, given, true);
    // It is still the opt-out of then.
    const consent = optOut && kept !== given ? optOut : kept;
    const topic = this.underTopic(this.topicOptOutOf(person.email), undefined);
    this.people.push({ ...person, isArchived: false, consent, topic });
  }

  change(person: Person, email: string | null | undefined, said: Said | undefined) {
    this.step += 1;
    const { consent: before, email: old } = person;
    let given = this.say(before, said);
    if (email !== undefined && email !== old) {
      const optOut = this.optOutOf(email);
      const isFormer = old !== null && (email === null || fold(email) !== fold(old));
      if (isFormer && isOptOut(before)) this.former.push({ email: old, consent: before });
      const allows = given.status === 'subscribed' || given.status === 'pending';
      if (isFormer && allows && said === undefined) given = never;
      given = this.under(optOut, given, given !== before);
      const { topic } = person;
      const topicOptOut = this.topicOptOutOf(email);
      if (isFormer && topic && isOptOut(topic)) this.formerTopic.push({ email: old, topic });
      person.topic = this.underTopic(topicOptOut, topic);
      person.email = email;
    }
    person.consent = given;
  }

  /** An import lifts no opt-out without proof. */
  lifted(person: Person, said: Said | undefined): Said | undefined {
    const isLift = said && said.status !== 'unsubscribed' && said.evidence === undefined;
    return isLift && isOptOut(person.consent) ? undefined : said;
  }

  private concernedBy(person: Person): Person[] {
    const { email } = person;
    const concerned = this.living().filter(
      (one) =>
        one === person || (email !== null && one.email !== null && fold(one.email) === fold(email)),
    );
    return concerned.length > 0 ? concerned : [person];
  }

  leave(person: Person) {
    this.step += 1;
    for (const one of this.concernedBy(person)) {
      if (!isOptOut(one.consent)) one.consent = { ...link, at: this.step };
    }
  }

  leaveTopic(person: Person) {
    this.step += 1;
    for (const one of this.concernedBy(person)) {
      if (!(one.topic && isOptOut(one.topic))) one.topic = { ...link, at: this.step };
    }
  }

  choose(person: Person, said: Said) {
    this.step += 1;
    person.topic =
      person.topic && isSame(person.topic, said) ? person.topic : { ...said, at: this.step };
  }

  private mergeTopic(winner: Person, loser: Person, sharesAddress: boolean) {
    const { topic: ours } = winner;
    const { topic: theirs, email } = loser;
    if (theirs && isOptOut(theirs) && email !== null)
      this.formerTopic.push({ email, topic: theirs });
    const isStricter = theirs?.status === 'unsubscribed' && ours?.status !== 'unsubscribed';
    const isOfRecipient = theirs && isOptOut(theirs) && !(ours && isOptOut(ours));
    const comesAlong = theirs?.status === 'subscribed' && !ours && sharesAddress;
    if (theirs && (isStricter || isOfRecipient || comesAlong)) {
      winner.topic = { ...theirs, at: this.step };
    }
    loser.topic = undefined;
  }

  merge(winner: Person, loser: Person) {
    this.step += 1;
    const strictness = { never: 0, subscribed: 1, pending: 2, unsubscribed: 3 };
    const [ours, theirs] = [winner.consent, loser.consent];
    winner.email ??= loser.email;
    const isSameAddress =
      winner.email === loser.email ||
      (winner.email !== null && loser.email !== null && fold(winner.email) === fold(loser.email));
    const isStricter = strictness[theirs.status] > strictness[ours.status];
    const comesAlong = theirs.status === 'unsubscribed' || isSameAddress;
    if ((isOptOut(theirs) && !isOptOut(ours)) || (isStricter && comesAlong)) {
      winner.consent = { ...theirs, at: this.step };
    }
    this.mergeTopic(winner, loser, winner.email === loser.email);
    loser.isArchived = true;
    // The messages of both are the winner's.
    loser.delivery = '';
  }
}

const fold = (email: string) => email.toLowerCase();

/** A history of one team, in the model and in the service. */
async function live(team: TestTeam, random: Random, steps: number) {
  const model = new Model();
  const addresses = [0, 1, 2].map((at) => `person-${String(at)}@example.com`);
  const oneOf = <T>(items: readonly T[]): T => random.pick(items.map((item) => ({ item }))).item;
  const anAddress = () =>
    random.pick([...addresses, ...addresses.map((one) => one.replace('person', 'PERSON'))]);
  const expectSuccess = ({ status, body }: { status: number; body: unknown }) => {
    if (status >= 300) throw new Error(JSON.stringify(body));
  };
  const withConsent = (said: Said | undefined) => (said ? { consents: { email: said } } : {});
  const useLinkOf = async (delivery: string) => {
    const sent = { team_id: team.id, id: delivery };
    const { unsubscribe_url } = choiceUrls('http://onward.test', api.keyring, sent);
    expectSuccess(await api.call('POST', new URL(unsubscribe_url).pathname));
  };
  const topic = await team.post('/v2/partner/topics', { name: 'News' });
  const topicId = String(topic.body.id);
  const ways: Record<string, () => Promise<string>> = {
    async create() {
      const [email, said, unique_id] = [anAddress(), oneOf(words), randomUUID()];
      const made = await team.post(contacts, { email, unique_id, ...withConsent(said) });
      expectSuccess(made);
      const id = String(made.body.id);
      const row = {
        ...{ team_id: team.id, message_id: randomUUID(), template_id: randomUUID() },
        ...{ contact_id: id, channel: 'email', status: 'delivered' },
      };
      const rows = [
        { ...row, topic_id: null },
        { ...row, topic_id: topicId },
      ];
      const sends = await api.db.look(
        (sql) => sql<{ id: string; topic_id: string | null }[]>`
          insert into message_deliveries ${sql(rows)} returning id, topic_id`,
      );
      const sendOf = (requested: string | null) =>
        sends.find(({ topic_id }) => topic_id === requested)?.id ?? '';
      const deliveries = { delivery: sendOf(null), ofTopic: sendOf(topicId) };
      model.create({ id, uniqueId: unique_id, ...deliveries, email }, said);
      return `create ${email} ${JSON.stringify(said)}`;
    },
    async change() {
      const person = random.pick(model.living());
      const email = oneOf([undefined, null, anAddress(), anAddress()]);
      const said = oneOf(words);
      const body = { ...(email !== undefined && { email }), ...withConsent(said) };
      expectSuccess(await team.patch(`${contacts}/${person.id}`, body));
      model.change(person, email, said);
      return `change ${person.id} ${JSON.stringify(body)}`;
    },
    async import() {
      const person = random.pick(model.living());
      const email = oneOf([undefined, anAddress()]);
      const said = oneOf(words);
      const item = { unique_id: person.uniqueId, ...(email && { email }), ...withConsent(said) };
      const path = '/v2/ipaas/operations/contacts.bulk_upsert/execute';
      expectSuccess(await team.post(path, { items: [item] }));
      model.change(person, email, model.lifted(person, said));
      return `import ${JSON.stringify(item)}`;
    },
    async leave() {
      const person = random.pick(model.people.filter((one) => one.delivery !== ''));
      await useLinkOf(person.delivery);
      model.leave(person);
      return `leave ${person.id}`;
    },
    async leaveTopic() {
      const person = random.pick(model.people.filter((one) => one.delivery !== ''));
      await useLinkOf(person.ofTopic);
      model.leaveTopic(person);
      return `leave the topic ${person.id}`;
    },
    async choose() {
      const person = random.pick(model.living());
      const said = { status: oneOf(['subscribed', 'unsubscribed'] as const), source: 'bank' };
      const path = `${contacts}/${person.id}/topic-consents/${topicId}/email`;
      expectSuccess(await team.put(path, said));
      model.choose(person, said);
      return `choose ${person.id} ${said.status}`;
    },
    async remove() {
      const person = random.pick(model.living());
      expectSuccess(await team.delete(`${contacts}/${person.id}`));
      person.isArchived = true;
      return `remove ${person.id}`;
    },
    async merge() {
      const [winner, loser] = [random.pick(model.living()), random.pick(model.living())];
      if (winner === loser) return 'nothing';
      const body = { source_contact_id: loser.id };
      expectSuccess(await team.post(`${contacts}/${winner.id}/merge`, body));
      model.merge(winner, loser);
      return `merge ${loser.id} into ${winner.id}`;
    },
  };
  const often = [
    ...['create', 'change', 'change', 'import', 'leave', 'leave', 'remove', 'merge'],
    ...['leaveTopic', 'leaveTopic', 'choose'],
  ];
  const history: string[] = [];
  for (let step = 0; step < steps; step += 1) {
    const way = model.living().length < 2 ? 'create' : random.pick(often);
    history.push(`${way}: ${(await ways[way]?.()) ?? ''}`);
    const { body } = await team.get(`${contacts}?page[size]=100`);
    const stored = new Map(body.data.map((one: any) => [one.id, one.consents.email]));
    const choices = await api.db.look(
      (sql) => sql<{ contact_id: string; status: string; source: string }[]>`
        select contact_id, status, source from contact_topic_consents where team_id = ${team.id}`,
    );
    for (const { id, consent, topic: choice } of model.living()) {
      const { status, source } = stored.get(id) as Said;
      expect([history, id, status, source]).toEqual([history, id, consent.status, consent.source]);
      const kept = choices.find(({ contact_id }) => contact_id === id);
      const found = [kept?.status, kept?.source];
      expect([history, id, ...found]).toEqual([history, id, choice?.status, choice?.source]);
    }
  }
}

test.each(Array.from({ length: 12 }, (_, at) => at + 1))(
  'consents are what the table of the last word says (seed %i)',
  async (seed) => {
    await live(await api.newTeam(), seeded(`consents ${String(seed)}`), 50);
  },
);
