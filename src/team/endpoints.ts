import { randomUUID } from 'node:crypto';
import type { SendingConfig } from '../platform/config.ts';
import { unlessConflict } from '../platform/database/on-conflict.ts';
import type { Sql } from '../platform/database/sql.ts';
import { changedFields } from '../platform/events/record.ts';
import { insertAuditEvent } from '../platform/http/audit.ts';
import { endpoint } from '../platform/http/endpoint.ts';
import { fail } from '../platform/http/errors.ts';
import { inStoredForm } from '../platform/schema/email.ts';
import { traceOfRun } from '../platform/http/trace.ts';
import { addressAt } from './sending-domains/rules.ts';
import { providerReleaseRequired, retentionShortened } from './hooks.ts';
import { maySendFrom } from './sending-domains/sender.ts';
import {
  lockDomainHolder,
  lockTeam,
  removeTrackingDomain,
  requireTeam,
  updateTeamRow,
} from './queries.ts';
import { isShortened } from './rules.ts';
import { Team, TeamPatch } from './team.ts';
import type { Tracking } from './team.ts';

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
    'Update the settings of the team; null removes quiet hours, frequency cap, retention or tracking',
  description:
    'Changes the settings of the team. Null ends the quiet hours, the frequency cap, the ' +
    'retention of its own or the tracking. No term becomes shorter while a legal hold stands. ' +
    'A new term of archived messages holds for those sent afterwards. Messages that are ' +
    'scheduled follow the new settings when they are due.',
  tag,
  scope: 'partner:team:write',
  rateClass: 'write',
  body: TeamPatch,
  response: Team,
  audit: 'team.updated',
  errors: ['sender_not_verified', 'domain_taken', 'immutable_field', 'legal_hold'],
  async handle({ sql, teamId, body, services, checkPrecondition }) {
    const before = await lockTeam(sql, teamId);
    checkPrecondition(before);
    const { quiet_hours, frequency_cap, retention } = body;
    const tracking = inStoredTracking(body.tracking);
    const requested = {
      name: body.name ?? before.name,
      timezone: body.timezone ?? before.timezone,
      locale: body.locale ?? before.locale,
      currency: body.currency ?? before.currency,
      quiet_hours: quiet_hours === undefined ? before.quiet_hours : quiet_hours,
      frequency_cap: frequency_cap === undefined ? before.frequency_cap : frequency_cap,
      retention: retention === undefined ? before.retention : retention,
      tracking: tracking === undefined ? before.tracking : tracking,
      sms_allowed_prefixes: body.sms_allowed_prefixes ?? before.sms_allowed_prefixes,
      requires_provider_release: body.requires_provider_release ?? before.requires_provider_release,
      is_in_benchmarks: body.is_in_benchmarks ?? before.is_in_benchmarks,
    };
    if (!changedFields(Team, before, { ...before, ...requested })) return before;
    if (requested.quiet_hours && requested.quiet_hours.start === requested.quiet_hours.end) {
      throw fail('validation_failed', {
        detail: 'quiet_hours must not start and end at the same time; null means none.',
        meta: { pointer: '/quiet_hours/end', rule: 'date_order' },
      });
    }
    if (isShortened(before.retention, requested.retention)) {
      await retentionShortened(sql, teamId, undefined);
    }
    if (before.requires_provider_release && !requested.requires_provider_release) {
      throw fail('immutable_field', {
        detail: 'Only an operator can turn off requires_provider_release.',
        meta: { pointer: '/requires_provider_release' },
      });
    }
    if (requested.requires_provider_release && !before.requires_provider_release) {
      await providerReleaseRequired(sql, teamId, undefined);
    }
    const domain = requested.tracking?.domain;
    if (domain !== undefined && domain !== before.tracking?.domain) {
      const { hosts, sending } = services.config;
      if (hosts.names.includes(domain)) throw domainTaken();
      await checkTrackingDomain(sql, sending, teamId, domain);
      await releaseTrackingDomain(sql, sending, { teamId, domain });
    }
    const write = () => updateTeamRow(sql, teamId, requested);
    const updated = await unlessConflict(sql, 'teams_tracking_domain', write);
    if (!updated) throw domainTaken();
    return updated;
  },
});

function inStoredTracking(tracking: Tracking | null | undefined) {
  const { domain } = tracking ?? {};
  return tracking && domain !== undefined
    ? { ...tracking, domain: inStoredForm(domain) }
    : tracking;
}

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

/** Takes the domain from a team that may no longer use it: it has left, and cannot block others. */
async function releaseTrackingDomain(
  sql: Sql,
  { domains }: SendingConfig,
  { teamId, domain }: { teamId: string; domain: string },
): Promise<void> {
  const holder = await lockDomainHolder(sql, teamId, domain);
  if (holder === undefined || (await maySendFrom(sql, domains, holder, addressAt(domain)))) return;
  await removeTrackingDomain(sql, holder);
  await insertAuditEvent(sql, {
    teamId: holder,
    action: 'team.updated',
    resourceId: holder,
    changedFields: ['tracking'],
    clientId: null,
    actor: 'service',
    trace: traceOfRun(randomUUID()),
  });
}

function domainTaken() {
  return fail('domain_taken', {
    detail: 'tracking.domain is the domain of another team, or a host of the service.',
    meta: { pointer: '/tracking/domain' },
  });
}

export const teamEndpoints = [getTeam, updateTeam];
