import type { SendingConfig } from '../platform/config.ts';
import type { Sql } from '../platform/database/sql.ts';
import { changedFields } from '../platform/events/record.ts';
import { endpoint } from '../platform/http/endpoint.ts';
import { fail } from '../platform/http/errors.ts';
import { addressAt } from './sending-domains/rules.ts';
import { maySendFrom } from './sending-domains/sender.ts';
import { lockTeam, requireTeam, updateTeamRow } from './queries.ts';
import { Team, TeamPatch } from './team.ts';

const tag = 'Team';
const path = '/v2/partner/team';

export const getTeam = endpoint({
  id: 'getTeam',
  method: 'GET',
  path,
  summary: 'Get the team of the token, with its settings',
  description:
    'Returns the team of the token with its settings, such as time zone, currency, quiet ' +
    'hours and frequency cap. A token belongs to exactly one team.',
  tag,
  scope: 'partner:team:read',
  rateClass: 'read',
  response: Team,
  handle: ({ sql, teamId }) => requireTeam(sql, teamId),
});

export const updateTeam = endpoint({
  id: 'updateTeam',
  method: 'PATCH',
  path,
  summary:
    'Change the settings of the team; null ends quiet hours, frequency cap, retention or tracking',
  description:
    'Changes the settings of the team. Null ends the quiet hours, the frequency cap, the ' +
    'retention of its own or the tracking. A new term of archived messages holds for those sent afterwards. ' +
    'Messages that are scheduled follow the new settings when they are due. The change is ' +
    'recorded in the audit trail.',
  tag,
  scope: 'partner:team:write',
  rateClass: 'write',
  body: TeamPatch,
  response: Team,
  audit: 'team.updated',
  errors: ['sender_not_verified'],
  async handle({ sql, teamId, body, services, checkPrecondition }) {
    const before = await lockTeam(sql, teamId);
    checkPrecondition(before);
    const { quiet_hours, frequency_cap, retention, tracking } = body;
    const wanted = {
      name: body.name ?? before.name,
      timezone: body.timezone ?? before.timezone,
      locale: body.locale ?? before.locale,
      currency: body.currency ?? before.currency,
      quiet_hours: quiet_hours === undefined ? before.quiet_hours : quiet_hours,
      frequency_cap: frequency_cap === undefined ? before.frequency_cap : frequency_cap,
      retention: retention === undefined ? before.retention : retention,
      tracking: tracking === undefined ? before.tracking : tracking,
      domains: body.domains ?? before.domains,
      sms_allowed_prefixes: body.sms_allowed_prefixes ?? before.sms_allowed_prefixes,
      is_in_benchmarks: body.is_in_benchmarks ?? before.is_in_benchmarks,
    };
    if (!changedFields(Team, before, { ...before, ...wanted })) return before;
    if (wanted.quiet_hours && wanted.quiet_hours.start === wanted.quiet_hours.end) {
      throw fail('validation_failed', {
        detail: 'quiet_hours must not end when they start; null stands for none.',
        meta: { pointer: '/quiet_hours/end', rule: 'date_order' },
      });
    }
    const domain = wanted.tracking?.domain;
    if (domain !== undefined && domain !== before.tracking?.domain) {
      await checkTrackingDomain(sql, services.config.sending, teamId, domain);
    }
    return updateTeamRow(sql, teamId, wanted);
  },
});

/** Asked again before each message is sent. */
async function checkTrackingDomain(
  sql: Sql,
  { domains }: SendingConfig,
  teamId: string,
  domain: string,
): Promise<void> {
  if (await maySendFrom(sql, domains, teamId, addressAt(domain))) return;
  throw fail('sender_not_verified', {
    detail: 'tracking.domain is neither a verified sending domain of the team nor below one.',
    meta: { pointer: '/tracking/domain' },
  });
}

export const teamEndpoints = [getTeam, updateTeam];
