import type { ReportRule } from './report-rule.ts';

/** Parts of a report that hold the answer of the recipient's server. */
interface SmtpAnswer {
  /** Enhanced status code, where the provider gives it apart. */
  status?: string | undefined;
  /** Code of three digits, where the provider gives it apart. */
  code?: number | undefined;
  text?: string | undefined;
}

/** Patterns of answers without an enhanced status code, by the name that rows give them. */
const wordings: readonly (readonly [string, RegExp])[] = [
  [
    'mailbox full',
    /\b(?:mail|in)box (?:is )?full\b|\bover ?quota\b|\bquota\b.{0,20}\bexceeded\b|\b(?:over|exceed(?:s|ed)) .{0,20}\bquota\b|\bstorage allocation\b/i,
  ],
  [
    'policy',
    /\b(?:spam\w*|dnsbl|rbl|blacklist\w*|block ?list\w*|blocked|dmarc|dkim|spf|reputation|policy)\b/i,
  ],
];

// Class, subject and detail of RFC 3463, and no part of an IP address.
const enhanced = /(?<![\d.])[245]\.[0-7]\.\d{1,3}(?!\.?\d)/;

/**
 * The most precise part of an answer: an enhanced status code, else the name of a wording, else
 * the code of three digits. Undefined without any answer.
 */
export function replyOf({ status, code, text }: SmtpAnswer): string | undefined {
  const codes = [status, text].flatMap((part) => enhanced.exec(part ?? '')?.[0] ?? []);
  const precise = codes.find((one) => !one.endsWith('.0.0'));
  if (precise !== undefined) return precise;
  const wording = wordings.find(([, words]) => words.test(text ?? ''))?.[0];
  if (wording !== undefined) return wording;
  const given = code === 0 ? undefined : code;
  const basic = given ?? /(?<![\d.])[45]\d\d(?![\d.])/.exec(text ?? '')?.[0];
  return basic?.toString() ?? codes[0] ?? (text === undefined ? undefined : 'without code');
}

const rfc3463 = 'https://www.rfc-editor.org/rfc/rfc3463';
const rfc5321 = 'https://www.rfc-editor.org/rfc/rfc5321#section-4.2.3';

/** Rows for answers that say more than the type of a bounce, for these events. */
export function smtpReplyRules(event: readonly string[]): ReportRule<'event' | 'reply'>[] {
  const row = (
    reply: readonly string[],
    outcome: ReportRule['outcome'],
    source = rfc3463,
  ): ReportRule<'event' | 'reply'> => ({ when: { event, reply }, outcome, source });
  return [
    row(['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10', '5.2.1'], 'address gone'),
    row(['4.2.1', '4.2.2', '5.2.2', 'mailbox full'], 'mailbox trouble'),
    row(['552'], 'mailbox trouble', rfc5321),
    row(['4.7.*', '5.7.*', '5.6.*', '5.2.3', '5.3.4', '5.1.7', '5.1.8', 'policy'], 'refused'),
    row(['4*', '5.4.7'], 'given up'),
  ];
}
