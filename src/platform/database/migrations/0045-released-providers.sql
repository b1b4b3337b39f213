-- A team may require that a second client or an operator releases each sending provider.
alter table teams add column requires_provider_release boolean not null default false;
alter table sending_providers
  -- The client that last changed where messages leave to; null for one from before.
  add column changed_by_client_id uuid,
  -- Null until the settings are released; each change of them needs another release.
  add column released_at timestamptz(3);
