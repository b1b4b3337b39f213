import { describe, expect, test } from '@jest/globals';
import {
  allowedActions,
  applyAction,
  affectsWorkflow,
  dateProblems,
  dueTransition,
  isPermutation,
  lockedFields,
  mayChangeHoldout,
  missingParts,
  nextDue,
  scheduleHorizonMs,
  templateStatuses,
  transitions,
} from '../../src/campaigns/templates/rules.ts';
import type {
  Lifecycle,
  TemplateAction,
  TemplateStatus,
} from '../../src/campaigns/templates/rules.ts';

const nowMs = Date.parse('2026-11-21T12:00:00.000Z');
const now = new Date(nowMs).toISOString();
const past = '2026-11-21T11:00:00.000Z';
const future = '2026-11-21T13:00:00.000Z';
const later = '2026-11-22T13:00:00.000Z';

/** A template in a state, with the stamps that the state has. */
function aTemplate(status: TemplateStatus, fields: Partial<Lifecycle> = {}): Lifecycle {
  const wasLaunched = status === 'launched' || status === 'paused' || status === 'expired';
  return {
    status,
    is_locked: wasLaunched,
    scheduled_at: status === 'scheduled' ? future : null,
    deadline_at: null,
    launched_at: wasLaunched ? past : null,
    paused_at: status === 'paused' ? past : null,
    expired_at: status === 'expired' ? past : null,
    archived_at: status === 'archived' ? past : null,
    locked_at: wasLaunched ? past : null,
    ...fields,
  };
}

/** The state that an action leads to, or the refusal. */
function outcomeOf(row: Lifecycle, action: TemplateAction): string {
  const outcome = applyAction(row, action, nowMs);
  return 'refusal' in outcome ? outcome.refusal : (outcome.changes.status ?? row.status);
}

const no = 'invalid_state_transition';
const locked = 'template_locked';
// prettier-ignore
const table: Record<TemplateAction, Record<TemplateStatus, string>> = {
  schedule:    { draft: 'scheduled', scheduled: 'scheduled', launched: no, paused: no, archived: no, expired: no },
  unschedule:  { draft: no, scheduled: 'draft', launched: no, paused: no, archived: no, expired: no },
  launch:      { draft: 'launched', scheduled: 'launched', launched: no, paused: no, archived: no, expired: no },
  pause:       { draft: no, scheduled: no, launched: 'paused', paused: no, archived: no, expired: no },
  resume:      { draft: no, scheduled: no, launched: no, paused: 'launched', archived: no, expired: no },
  expire:      { draft: no, scheduled: 'expired', launched: 'expired', paused: 'expired', archived: no, expired: no },
  archive:     { draft: 'archived', scheduled: 'archived', launched: no, paused: 'archived', archived: no, expired: 'archived' },
  unarchive:   { draft: no, scheduled: no, launched: no, paused: no, archived: 'draft', expired: no },
  lock:        { draft: 'draft', scheduled: 'scheduled', launched: 'launched', paused: 'paused', archived: no, expired: 'expired' },
  unlock:      { draft: 'draft', scheduled: locked, launched: locked, paused: 'paused', archived: no, expired: 'expired' },
  fail_launch: { draft: no, scheduled: 'draft', launched: no, paused: no, archived: no, expired: no },
};

const cases = Object.entries(transitions).flatMap(([name]) => {
  const action = Object.keys(table).find((known): known is TemplateAction => known === name);
  if (!action) throw new Error(`the table lacks ${name}`);
  return templateStatuses.map((status) => ({ action, status, expected: table[action][status] }));
});

describe('every action in every state', () => {
  test.each(cases)('$action of a template that is $status: $expected', (entry) => {
    expect(outcomeOf(aTemplate(entry.status), entry.action)).toBe(entry.expected);
  });

  test.each(templateStatuses.map((status) => ({ status })))(
    'the allowed actions while $status are those that are not refused, except the action of the timer',
    ({ status }) => {
      const possible = cases
        .filter((entry) => entry.status === status && ![no, locked].includes(entry.expected))
        .map(({ action }) => action)
        .filter((action) => action !== 'fail_launch');
      expect(allowedActions(status)).toEqual(possible);
    },
  );
});

describe('the changes of an action', () => {
  const changesOf = (row: Lifecycle, action: TemplateAction) => applyAction(row, action, nowMs);

  test('the first launch sets stamps and the lock, and clears the schedule', () => {
    expect(changesOf(aTemplate('scheduled'), 'launch')).toEqual({
      changes: { status: 'launched', launched_at: now, locked_at: now, scheduled_at: null },
    });
  });

  test('a resume retains the first launch and locks an unlocked template again', () => {
    const row = aTemplate('paused', { locked_at: null, is_locked: false });
    expect(changesOf(row, 'resume')).toEqual({
      changes: { status: 'launched', launched_at: past, locked_at: now, paused_at: null },
    });
  });

  test('a template whose deadline has passed neither launches nor resumes', () => {
    expect(outcomeOf(aTemplate('draft', { deadline_at: past }), 'launch')).toBe('deadline_passed');
    expect(outcomeOf(aTemplate('draft', { deadline_at: now }), 'launch')).toBe('deadline_passed');
    expect(outcomeOf(aTemplate('paused', { deadline_at: past }), 'resume')).toBe('deadline_passed');
    expect(outcomeOf(aTemplate('draft', { deadline_at: future }), 'launch')).toBe('launched');
  });

  test.each([
    { was: 'never launched', fields: {}, becomes: 'draft' },
    { was: 'never launched, deadline passed', fields: { deadline_at: past }, becomes: 'draft' },
    { was: 'launched, no deadline', fields: { launched_at: past }, becomes: 'paused' },
    {
      was: 'launched, deadline ahead',
      fields: { launched_at: past, deadline_at: future },
      becomes: 'paused',
    },
    {
      was: 'launched, deadline passed',
      fields: { launched_at: past, deadline_at: past },
      becomes: 'expired',
    },
  ])('unarchive of a template that was $was leads to $becomes', ({ fields, becomes }) => {
    const outcome = changesOf(aTemplate('archived', fields), 'unarchive');
    expect(outcome).toMatchObject({ changes: { status: becomes, archived_at: null } });
  });

  test('unarchive retains the time of expiry, or sets the current time', () => {
    const row = aTemplate('archived', { launched_at: past, deadline_at: past });
    expect(changesOf(row, 'unarchive')).toMatchObject({ changes: { expired_at: now } });
    expect(changesOf({ ...row, expired_at: past }, 'unarchive')).toMatchObject({
      changes: { expired_at: past },
    });
  });

  test('a lock of a locked template and an unlock of an unlocked one change nothing', () => {
    expect(changesOf(aTemplate('launched'), 'lock')).toEqual({ changes: {} });
    expect(changesOf(aTemplate('draft'), 'unlock')).toEqual({ changes: {} });
  });
});

describe('transitions by time', () => {
  const asOf = (row: Lifecycle, atMs = nowMs) => dueTransition(row, atMs)?.action ?? null;

  test.each(templateStatuses.map((status) => ({ status })))(
    'a passed deadline expires a template that is $status only if that state can expire',
    ({ status }) => {
      const expires = transitions.expire.includes(status) ? 'expire' : null;
      expect(asOf(aTemplate(status, { deadline_at: past }))).toBe(expires);
      expect(asOf(aTemplate(status, { deadline_at: now }))).toBe(expires);
      expect(asOf(aTemplate(status, { deadline_at: future }))).toBe(null);
    },
  );

  test('a scheduled template launches at its time, not before', () => {
    const row = aTemplate('scheduled', { scheduled_at: future, deadline_at: later });
    expect(asOf(row, Date.parse(future) - 1)).toBe(null);
    expect(asOf(row, Date.parse(future))).toBe('launch');
    expect(nextDue(row)).toEqual({ action: 'launch', at: future });
  });

  test('a template with overdue launch and expiry expires', () => {
    const row = aTemplate('scheduled', { scheduled_at: future, deadline_at: later });
    expect(asOf(row, Date.parse(later))).toBe('expire');
  });

  test.each(templateStatuses.map((status) => ({ status })))(
    'without a deadline a template that is $status has no due transition but a launch',
    ({ status }) => {
      const expected = status === 'scheduled' ? { action: 'launch', at: future } : undefined;
      expect(nextDue(aTemplate(status))).toEqual(expected);
    },
  );

  test('only a deadline or status of a template that can expire affects its due transitions', () => {
    const launched = aTemplate('launched', { deadline_at: future });
    expect(affectsWorkflow(launched, { ...launched, deadline_at: later })).toBe(true);
    expect(affectsWorkflow(launched, { ...launched, deadline_at: null })).toBe(true);
    expect(affectsWorkflow(launched, { ...launched, status: 'paused' })).toBe(true);
    expect(affectsWorkflow(launched, { ...launched })).toBe(false);
    const draft = aTemplate('draft');
    expect(affectsWorkflow(draft, { ...draft, deadline_at: later })).toBe(false);
    expect(affectsWorkflow(draft, aTemplate('scheduled'))).toBe(true);
  });
});

describe('dates in a request', () => {
  const none = { scheduled_at: null, deadline_at: null };
  const beyond = new Date(nowMs + scheduleHorizonMs + 1).toISOString();

  test.each([
    { written: {}, row: none, problems: [] },
    { written: { deadline_at: null }, row: none, problems: [] },
    { written: { deadline_at: past }, row: none, problems: ['deadline_at min'] },
    { written: { deadline_at: now }, row: none, problems: ['deadline_at min'] },
    { written: { deadline_at: future }, row: none, problems: [] },
    { written: { scheduled_at: past }, row: none, problems: ['scheduled_at min'] },
    { written: { scheduled_at: beyond }, row: none, problems: ['scheduled_at max'] },
    {
      written: { scheduled_at: past, deadline_at: past },
      row: none,
      problems: ['scheduled_at min', 'deadline_at min'],
    },
    { written: { scheduled_at: future, deadline_at: later }, row: none, problems: [] },
    {
      written: { scheduled_at: future, deadline_at: future },
      row: none,
      problems: ['deadline_at date_order'],
    },
    {
      written: { deadline_at: future },
      row: { scheduled_at: later, deadline_at: null },
      problems: ['deadline_at date_order'],
    },
    {
      written: { scheduled_at: later },
      row: { scheduled_at: null, deadline_at: future },
      problems: ['scheduled_at date_order'],
    },
    {
      written: { scheduled_at: null, deadline_at: future },
      row: { scheduled_at: later, deadline_at: null },
      problems: [],
    },
    { written: {}, row: { scheduled_at: later, deadline_at: past }, problems: [] },
  ])('$written on $row: $problems', ({ written, row, problems }) => {
    const found = dateProblems(written, row, nowMs).map(({ field, rule }) => `${field} ${rule}`);
    expect(found).toEqual(problems);
  });
});

describe('edits', () => {
  test('a lock permits only changes to the four operational fields', () => {
    const changed = ['name', 'description', 'deadline_at', 'send_rate_per_minute', 'use_case'];
    expect(lockedFields(aTemplate('launched'), changed)).toEqual(['use_case']);
    expect(lockedFields(aTemplate('draft'), changed)).toEqual([]);
  });

  test('the holdout can change only before the launch', () => {
    expect(templateStatuses.filter(mayChangeHoldout)).toEqual(['draft', 'scheduled']);
  });

  test.each([
    { ids: [], of: [], is: true },
    { ids: ['b', 'a'], of: ['a', 'b'], is: true },
    { ids: ['a'], of: ['a', 'b'], is: false },
    { ids: ['a', 'a'], of: ['a', 'b'], is: false },
    { ids: ['a', 'c'], of: ['a', 'b'], is: false },
    { ids: ['a', 'b', 'b'], of: ['a', 'b'], is: false },
  ])('$ids is a permutation of $of: $is', ({ ids, of, is }) => {
    expect(isPermutation(ids, of)).toBe(is);
  });
});

describe('completeness', () => {
  const message = {
    id: 'm',
    channel: 'email',
    purpose: 'marketing',
    from_email: 'team@example.com',
    list_unsubscribe: true,
  };
  const whole = {
    entry: 'manual',
    target_cohort_ids: [],
    objective_ids: ['o'],
    page_ids: ['p'],
    messages: [message],
  };

  test.each([
    { parts: whole, missing: [] },
    { parts: { ...whole, page_ids: [] }, missing: [] },
    { parts: { ...whole, messages: [] }, missing: [] },
    { parts: { ...whole, entry: 'on_cohort_entry' }, missing: ['target_cohort'] },
    { parts: { ...whole, page_ids: [], messages: [] }, missing: ['page_or_message'] },
    { parts: { ...whole, objective_ids: [] }, missing: ['objective'] },
    {
      parts: { ...whole, messages: [{ ...message, from_email: null, list_unsubscribe: false }] },
      missing: ['messages/m/from_email', 'messages/m/list_unsubscribe'],
    },
    {
      parts: { ...whole, messages: [{ ...message, purpose: 'servicing', from_email: null }] },
      missing: [],
    },
    {
      parts: { ...whole, messages: [{ ...message, channel: 'sms', from_email: null }] },
      missing: [],
    },
  ])('lacks $missing', ({ parts, missing }) => {
    expect(missingParts(parts)).toEqual(missing);
  });
});
