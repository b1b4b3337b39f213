-- Exports of archived messages, whose lines are chained by digests.

alter table exports drop constraint exports_kind_check;
alter table exports add constraint exports_kind_check
  check (kind in ('contacts', 'accounts', 'objective_completions', 'archived_messages', 'contact'));
-- SHA-256 of the last line so far, in hexadecimal digits.
alter table exports add column chain_sha256 text collate "C";
