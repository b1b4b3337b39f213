import { element } from '../../../widget/script/dom.ts';
import { fullTimeOf, words } from './shown.ts';
import type { Shown } from './shown.ts';

export interface Moment {
  at: unknown;
  text: Shown;
  tone?: 'good' | 'bad' | 'next';
}

const timeIn = (value: unknown) => new Date(String(value)).getTime();

/** Past and planned moments in the order of time; the planned ones are marked. */
export function timeline(moments: readonly Moment[]): HTMLElement[] {
  const known = moments.filter(({ at }) => !Number.isNaN(timeIn(at)));
  if (known.length === 0) return [];
  const lines = [...known]
    .sort((a, b) => timeIn(a.at) - timeIn(b.at))
    .map(({ at, text, tone }) =>
      element(
        'li',
        { class: tone ?? (timeIn(at) > Date.now() ? 'next' : '') },
        element('div', {}, text),
        element('div', { class: 'small soft' }, fullTimeOf(at)),
      ),
    );
  return [element('ol', { class: 'timeline' }, ...lines)];
}

/** Reasons for which a message is not sent, in full sentences. */
const reasons: Readonly<Record<string, string>> = {
  no_consent: 'The contact has not agreed to messages of this channel.',
  topic_unsubscribed: 'The contact has unsubscribed from the topic.',
  suppressed: 'The address or the contact is suppressed.',
  missing_address: 'The contact has no address for the channel.',
  quiet_hours_expired: 'The quiet hours lasted longer than the message may wait.',
  frequency_cap: 'The contact has had as many messages as the team allows.',
  holdout: 'The contact is in the group that gets no messages, for comparison.',
  condition_false: 'The condition of the message is false for the contact.',
  objective_completed: 'The contact has completed the objective already.',
  template_paused_stale: 'The template was paused longer than the message may wait.',
  deadline_passed: 'The deadline has passed.',
  sender_not_verified: 'The domain of the sender is not verified.',
};

export const reasonOfSkip = (code: string): string =>
  code === '' ? '' : (reasons[code] ?? words(code));
