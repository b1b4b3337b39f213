-- Ids of deliveries and attempts are UUID v4, which have no order: a position says in which order
-- deliveries were recorded, and each attempt has an id of its own.

create sequence webhook_delivery_positions;
alter table webhook_deliveries add column position bigint;
update webhook_deliveries d set position = placed.place
from (
  select day, id, row_number() over (order by inserted_at, id) as place from webhook_deliveries
) placed
where d.day = placed.day and d.id = placed.id;
select setval('webhook_delivery_positions', coalesce(max(position), 0) + 1) from webhook_deliveries;
alter table webhook_deliveries
  alter column position set not null,
  alter column position set default nextval('webhook_delivery_positions'),
  alter column id set default gen_random_uuid();
-- What waits, in the order in which lanes walk it: shard, subscription, position.
drop index webhook_deliveries_waiting;
create index webhook_deliveries_waiting
  on webhook_deliveries (shard, subscription_id, position) where status = 'pending';

alter table webhook_attempts add column id uuid not null default gen_random_uuid();
