-- Suppressions by soft bounces, which end after a term.
create index suppressions_soft_bounces on suppressions (inserted_at)
  where reason = 'soft_bounces' and source = 'inbound' and deleted_at is null;
