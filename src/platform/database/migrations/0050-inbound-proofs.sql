-- Proofs that do not cover the body (email_c), by the digest of the signature. The signature depends
-- on the key, so a proof is known at every receiver with the same key. It proves one body.
create table inbound_proofs (
  proof_hash bytea primary key,
  body_sha256 text collate "C" not null,
  received_at timestamptz(3) not null default now()
);
create index inbound_proofs_received_at on inbound_proofs using brin (received_at);

-- Topics sign with SHA-1 unless they are set up otherwise, and receivers took that until now. They
-- go on, since their callbacks would be lost; new receivers have to opt in.
update incoming_webhook_receivers
set settings = settings || '{"allow_signature_version_1": true}'
where receiver_kind in ('email_a', 'file_transfer_a') and deleted_at is null;
