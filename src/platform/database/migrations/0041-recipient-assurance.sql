-- A session that a challenge has verified is unbound from its token, which is revoked. The session
-- still remembers which token opened it, so that a sign-out ends it.
alter table recipient_sessions
  add column opened_by_token uuid,
  -- The time when the assurance was gained, and of the last request with it.
  add column assured_at timestamptz(3),
  add column last_seen_at timestamptz(3),
  drop constraint recipient_sessions_check;

update recipient_sessions
set opened_by_token = token_id,
  assured_at = case when assurance <> 'none' then updated_at end,
  last_seen_at = case when assurance <> 'none' then updated_at end;

-- Tokens live for an hour.
insert into revoked_tokens (token_id, expires_at)
select token_id, now() + interval '65 minutes' from recipient_sessions
where assurance = 'verified' and token_id is not null
on conflict do nothing;
update recipient_sessions set token_id = null
where assurance = 'verified' and token_id is not null;

alter table recipient_sessions
  add constraint recipient_sessions_opened_by
    check ((opened_by_token is null) = (link_generation is not null)),
  add constraint recipient_sessions_bound_to
    check (token_id is null or token_id = opened_by_token),
  add constraint recipient_sessions_assured_at
    check ((assurance = 'none') or (assured_at is not null and last_seen_at is not null));
create index recipient_sessions_opened_by_token
  on recipient_sessions (team_id, opened_by_token) where opened_by_token is not null;
