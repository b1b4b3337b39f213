-- When marketing was counted for the frequency cap of its team, right before it was handed over. It
-- counts until the delivery has its outcome.
alter table message_sends add column counted_at timestamptz(3);
