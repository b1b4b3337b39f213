-- Contacts and their accounts. Text that lists sort or compare has collation "C", so that one index
-- serves both.

create extension if not exists btree_gin;
create extension if not exists pg_trgm;

create table contacts (
  team_id uuid not null references teams (id),
  id uuid not null,
  unique_id text collate "C",
  email text collate "C",
  email_status text collate "C" not null default 'unknown',
  first_name text,
  last_name text collate "C",
  preferred_name text,
  phone text collate "C",
  locale text collate "C",
  timezone text,
  sealed_date_of_birth text,
  postal_code text,
  tags text[] not null default '{}',
  attributes jsonb not null default '{}',
  consents jsonb not null,
  status text collate "C" not null default 'active',
  last_engaged_at timestamptz(3),
  lock_version bigint not null default 1,
  deleted_at timestamptz(3),
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (team_id, id),
  constraint contacts_identity
    check (coalesce(unique_id, email, phone) is not null or status = 'archived'),
  constraint contacts_archived check ((status = 'archived') = (deleted_at is not null))
);
create unique index contacts_unique_id on contacts (team_id, unique_id)
  where unique_id is not null and status <> 'archived';

-- Lists hide archived rows unless a filter names the status.
create index contacts_default on contacts (team_id, inserted_at desc, id desc)
  where status <> 'archived';
create index contacts_status on contacts (team_id, status, inserted_at desc, id desc);
create index contacts_updated_at on contacts (team_id, updated_at, id) where status <> 'archived';
create index contacts_last_name on contacts (team_id, last_name, id) where status <> 'archived';
create index contacts_email on contacts (team_id, email, id) where status <> 'archived';
create index contacts_last_engaged_at on contacts (team_id, last_engaged_at, id)
  where status <> 'archived';
create index contacts_phone on contacts (team_id, phone) where phone is not null;
create index contacts_email_status on contacts (team_id, email_status, inserted_at desc, id desc)
  where status <> 'archived' and email_status <> 'unknown';
create index contacts_locale on contacts (team_id, locale, inserted_at desc, id desc)
  where status <> 'archived' and locale is not null;
create index contacts_tags on contacts using gin (team_id, tags);
create index contacts_email_text on contacts
  using gin (team_id, lower(email collate "default") gin_trgm_ops);

create table accounts (
  team_id uuid not null,
  id uuid not null default gen_random_uuid(),
  contact_id uuid not null,
  unique_id text collate "C",
  name text,
  kind text collate "C" not null,
  product_id uuid,
  status text collate "C" not null generated always as (
    case when closed_at is not null then 'closed' when opened_at is not null then 'open'
      else 'pending' end
  ) stored,
  opened_at timestamptz(3),
  closed_at timestamptz(3),
  balance_cents bigint,
  currency text not null,
  is_primary boolean not null default false,
  attributes jsonb not null default '{}',
  lock_version bigint not null default 1,
  deleted_at timestamptz(3),
  inserted_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (team_id, id),
  foreign key (team_id, contact_id) references contacts (team_id, id),
  constraint accounts_date_order
    check (closed_at is null or (opened_at is not null and closed_at >= opened_at))
);
create unique index accounts_unique_id on accounts (team_id, contact_id, unique_id)
  where unique_id is not null and deleted_at is null;

create index accounts_default on accounts (team_id, inserted_at desc, id desc)
  where deleted_at is null;
create index accounts_contact on accounts (team_id, contact_id, inserted_at desc, id desc)
  where deleted_at is null;
create index accounts_opened_at on accounts (team_id, opened_at, id) where deleted_at is null;
create index accounts_closed_at on accounts (team_id, closed_at, id) where deleted_at is null;
create index accounts_balance_cents on accounts (team_id, balance_cents, id)
  where deleted_at is null;
create index accounts_unique_id_text on accounts (team_id, unique_id)
  where unique_id is not null and deleted_at is null;
create index accounts_kind on accounts (team_id, kind, inserted_at desc, id desc)
  where deleted_at is null;
create index accounts_status on accounts (team_id, status, inserted_at desc, id desc)
  where deleted_at is null;
create index accounts_product on accounts (team_id, product_id, inserted_at desc, id desc)
  where deleted_at is null and product_id is not null;
