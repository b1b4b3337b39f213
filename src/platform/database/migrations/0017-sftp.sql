-- Files that came by SFTP become runs of operations.

alter table sftp_uploads
  -- Its content, as long as that is kept.
  add column upload_id uuid,
  add column batch_operation_id uuid,
  -- The callback that told of it, if one did.
  add column inbound_delivery_id uuid,
  -- The client took it out of its folder; what became of it stays.
  add column removed_at timestamptz(3),
  -- Of the result file, once somebody asked.
  add column result_size_bytes bigint,
  add foreign key (team_id, upload_id) references uploads (team_id, id)
    on delete set null (upload_id),
  add foreign key (team_id, batch_operation_id) references operation_runs (team_id, id)
    on delete set null (batch_operation_id);
create index sftp_uploads_upload on sftp_uploads (team_id, upload_id) where upload_id is not null;
create index sftp_uploads_batch_operation on sftp_uploads (team_id, batch_operation_id)
  where batch_operation_id is not null;
-- A folder, and the newest file of a name.
create index sftp_uploads_folder
  on sftp_uploads (team_id, sftp_credential_id, path, inserted_at desc, id desc);
create index sftp_uploads_unfinished on sftp_uploads (updated_at) where status = 'receiving';
