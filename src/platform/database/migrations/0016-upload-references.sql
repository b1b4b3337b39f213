-- A file goes before the runs that have read it.
alter table operation_runs
  drop constraint operation_runs_team_id_upload_id_fkey,
  add foreign key (team_id, upload_id) references uploads (team_id, id)
    on delete set null (upload_id);
create index operation_runs_upload on operation_runs (team_id, upload_id)
  where upload_id is not null;
-- Of several files that a team sends at once, and of those that were cut off.
create index uploads_receiving on uploads (team_id, updated_at) where status = 'receiving';
