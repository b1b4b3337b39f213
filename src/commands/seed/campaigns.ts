import { createHash } from 'node:crypto';
import { daysOfYear } from './calendar.ts';

/** The resources of a seeded team: all ids are derived from the team and the seed. */
export interface Plan {
  templates: PlannedTemplate[];
  landingPages: { id: string; name: string; slug: string }[];
  widgets: { id: string; name: string; widget_kind: string }[];
  cohort: { id: string; name: string };
}

export interface PlannedTemplate {
  id: string;
  name: string;
  /** Days of the year between which it enrolls recipients. */
  fromDay: number;
  toDay: number;
  objectiveKeys: string[];
  messages: { id: string; name: string; channel: string; position: number }[];
  pages: {
    id: string;
    name: string;
    path: string;
    completion_rule: string;
    /** Key of the objective that completes it; null if something else does. */
    objective: string | null;
    position: number;
  }[];
}

/** Steps of every campaign: their channels, and after how many days each is sent. */
const channels = ['email', 'email', 'sms', 'push'];
export const stepDays = [0, 3, 7, 14];

const names = [
  'Welcome',
  'Direct deposit',
  'Activate your card',
  'Mobile banking',
  'Bill pay',
  'E-statements',
  'Holiday savings',
  'First loan',
  'Business welcome',
  'Payroll',
  'Card on file',
  'Remote deposit',
  'Student account',
  'Refer a friend',
  'Spring rates',
  'Travel card',
  'Home loan',
  'Summer savings',
  'Back to school',
  'Round up',
  'Win back',
  'Automate payments',
  'Premium account',
  'Year end',
];
const objectives = [
  'direct-deposit',
  'mobile-banking',
  'debit-card-activation',
  'online-bill-pay',
  'estatements',
  'open-cross-sell-account',
  'online-banking',
  'automate-payments',
];
const rules = ['viewed', 'cta_clicked', 'form_submitted', 'objective_completed'];
const widgetKinds = [
  'enrollment',
  'opt_in',
  'card_on_file',
  'mobile_app',
  'secure_personalization',
];

/** An id that follows from its parts. */
function seededId(...parts: readonly (string | number)[]): string {
  const hex = createHash('md5').update(parts.join(' ')).digest('hex');
  const id = `${hex.slice(0, 12)}4${hex.slice(13, 16)}8${hex.slice(17)}`;
  return id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Two dozen campaigns that follow each other over the year, some of which go on for good. */
export function planOf(teamId: string, seed: number): Plan {
  const id = (...parts: readonly (string | number)[]) => seededId(teamId, seed, ...parts);
  const suffix = seed === 1 ? '' : ` ${String(seed)}`;
  const templates = names.map((name, at) => {
    const fromDay = at < 3 ? 0 : at * 15 - 30;
    const keys = [0, 1, 2].slice(0, 1 + (at % 3)).map((next) => pick(objectives, at + next * 3));
    return {
      id: id('template', at),
      name: `${name}${suffix}`,
      fromDay,
      toDay: at % 4 === 0 ? daysOfYear : Math.min(daysOfYear, fromDay + 70 + (at % 5) * 25),
      objectiveKeys: keys,
      messages: channels.map((channel, position) => ({
        id: id('message', at, position),
        channel,
        position,
        name: `${name}: step ${String(position + 1)}`,
      })),
      pages: rules.map((completion_rule, position) => ({
        id: id('page', at, position),
        completion_rule,
        position,
        name: `${name}: page ${String(position + 1)}`,
        path: `page-${String(position + 1)}`,
        objective: completion_rule === 'objective_completed' ? pick(keys, 0) : null,
      })),
    };
  });
  return {
    templates,
    landingPages: [1, 2, 3].map((number) => ({
      id: id('landing page', number),
      name: `Offer ${String(number)}${suffix}`,
      slug: `offer-${String(number)}-${String(seed)}`,
    })),
    widgets: widgetKinds.map((widget_kind) => ({
      id: id('widget', widget_kind),
      widget_kind,
      name: widget_kind.replaceAll('_', ' '),
    })),
    cohort: { id: id('cohort'), name: `Digital first${suffix}` },
  };
}

function pick<T>(items: readonly T[], at: number): T {
  const item = items[at % items.length];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}
