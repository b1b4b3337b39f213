-- Scopes of the operation: results are shown only to a caller that holds all of them. Runs from
-- before show theirs only to a caller that holds every scope of the client that requested them.
alter table operation_runs add column needed_scopes text[] not null default '{}';
update operation_runs set needed_scopes = scopes;
