-- Contacts that a request or its answer names, so that their rows can be erased. Null in rows from
-- before, and in those of processes of the version before.
alter table request_log add column contact_ids uuid[];
create index request_log_contacts on request_log using gin (contact_ids)
  where contact_ids is not null;
-- The application deletes the rows of erased contacts.
comment on table request_log is 'requests of each team of the last seven days, partitioned by day.';
