-- Files are imported with the rights of the client that made or last changed what sends them.
alter table sftp_credentials
  -- The client that gave the scopes; its present entitlement limits them.
  add column client_id uuid,
  -- The scopes of the operations that the client held then.
  add column scopes text[] not null default '{}';

alter table file_sources
  add column client_id uuid,
  add column scopes text[] not null default '{}';
