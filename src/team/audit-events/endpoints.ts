import { endpoint } from '../../platform/http/endpoint.ts';
import { listEndpoint } from '../../platform/lists/list-endpoint.ts';
import { AuditEvent, auditEventListFields } from './audit-event.ts';
import { auditEventSource, requireAuditEvent } from './queries.ts';

const tag = 'Audit';
const path = '/v2/partner/audit-events';
const scope = 'partner:audit:read';

export const listAuditEvents = listEndpoint({
  id: 'listAuditEvents',
  path,
  summary: 'List the administrative changes of the team and who made them, newest first',
  description:
    'Returns who changed which administrative resource of the team, the latest first. Each ' +
    'event has the request id and the change.',
  tag,
  scope,
  audit: { counted: 'audit_event.read' },
  item: AuditEvent,
  fields: auditEventListFields,
  defaultSort: '-occurred_at',
  source: ({ teamId }) => auditEventSource(teamId),
});

export const getAuditEvent = endpoint({
  id: 'getAuditEvent',
  method: 'GET',
  path: `${path}/{id}`,
  summary: 'Get an audit event',
  description:
    'Returns one audit event with the change that it records. Audit events cannot be changed ' +
    'or deleted through the interface.',
  tag,
  scope,
  rateClass: 'read',
  audit: { counted: 'audit_event.read' },
  response: AuditEvent,
  handle: ({ sql, teamId, params }) => requireAuditEvent(sql, teamId, params.id),
});

export const auditEventEndpoints = [listAuditEvents, getAuditEvent];
