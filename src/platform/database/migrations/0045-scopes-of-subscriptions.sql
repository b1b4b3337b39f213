-- Read scopes of the token that last said which events go where: an event about a resource that
-- it could not read is sent without its data.
alter table webhook_subscriptions add column read_scopes text[] not null default '{}';

-- Subscriptions from before have the scopes of the client that last changed them.
with latest as (
  select distinct on (e.team_id, e.resource_id) e.team_id, e.resource_id, e.client_id
  from audit_events e
  where e.action in ('webhook_subscription.created', 'webhook_subscription.updated')
  order by e.team_id, e.resource_id, e.occurred_at desc, e.id desc
),
readable as (
  select l.team_id, l.resource_id, array_agg(distinct s.scope) as scopes
  from latest l
  join clients c on c.team_id = l.team_id and c.id = l.client_id
  cross join unnest(c.scopes) as held (pattern)
  join unnest(array[
    'partner:contacts:read', 'partner:objectives:read', 'partner:templates:read',
    'partner:journeys:read', 'partner:users:read', 'partner:landing_pages:read',
    'partner:cohorts:read', 'partner:sftp:read', 'partner:messages:read',
    'partner:engagement:read', 'partner:incoming-webhooks:read', 'partner:webhooks:read',
    'batch:operations:read', 'ipaas:operations:read'
  ]) as s (scope)
    on s.scope like replace(held.pattern, '*', '%')
      -- The scopes that imply the one to read.
      or (s.scope = replace(held.pattern, ':write', ':read')
        and held.pattern in ('partner:webhooks:write', 'partner:users:write',
          'partner:landing_pages:write', 'partner:sftp:write', 'batch:operations:write'))
  group by l.team_id, l.resource_id
)
update webhook_subscriptions w set read_scopes = r.scopes
from readable r
where w.team_id = r.team_id and w.id = r.resource_id;
