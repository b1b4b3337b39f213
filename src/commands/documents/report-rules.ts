import { emailARules } from '../../inbound/report-rules/email-a.ts';
import { emailBRules } from '../../inbound/report-rules/email-b.ts';
import { emailCRules } from '../../inbound/report-rules/email-c.ts';
import { outcomes } from '../../inbound/report-rules/report-rule.ts';
import type { Outcome, ReportRule } from '../../inbound/report-rules/report-rule.ts';
import { code, tableOf } from './table.ts';

/** Tables of the reports of e-mail providers, by the page of each kind. */
export const reportTables: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'docs/inbound/email_a.md': { reports: reportTable(emailARules) },
  'docs/inbound/email_b.md': { reports: reportTable(emailBRules) },
  'docs/inbound/email_c.md': { reports: reportTable(emailCRules) },
};

function reportTable(rules: readonly ReportRule[]): string {
  const sources = [...new Set(rules.map(({ source }) => source))];
  const rows = rules.map(({ when, outcome: name, source }) => {
    const outcome: Outcome = outcomes[name];
    return [
      Object.entries(when)
        .map(([field, values = []]) => `${code(field)} ${values.map(code).join(', ')}`)
        .join('; '),
      name,
      statusOf(outcome),
      suppressionOf(outcome),
      outcome.consent ?? '–',
      String(sources.indexOf(source) + 1),
    ];
  });
  return [
    tableOf(['Report', 'Meaning', 'Message', 'Suppression', 'Consent', 'Source'], rows),
    'Sources:',
    sources.map((source, at) => `${String(at + 1)}. <${source}>`).join('\n'),
  ].join('\n\n');
}

function statusOf({ kind, keepsDelivered }: Outcome): string {
  if (kind === undefined) return '–';
  const word = kind.replace('message.', '');
  return keepsDelivered ? `${word}, unless delivered` : word;
}

function suppressionOf({ suppression }: Outcome): string {
  if (suppression === undefined) return '–';
  return suppression === 'soft_bounces' ? 'soft_bounces, at the third' : suppression;
}
