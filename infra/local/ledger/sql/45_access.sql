-- Who may use the books over MCP: users with tokens, members of companies with
-- a role, and the organisations that companies belong to.

create table ledger.users (
  id uuid primary key default ledger.new_id(),
  email text not null unique check (email = lower(email)),
  name text not null check (name <> ''),
  created_at timestamptz not null default ledger.now()
);

create table ledger.orgs (
  id uuid primary key default ledger.new_id(),
  name text not null unique
);

-- What others call a company: its id as an entity, and its organisation.
create table ledger.entities (
  company_id uuid primary key references ledger.companies (id),
  entity_id uuid not null unique default ledger.new_id(),
  org_id uuid not null references ledger.orgs (id)
);

create table ledger.members (
  company_id uuid not null references ledger.companies (id),
  user_id uuid not null references ledger.users (id),
  role text not null check (role in ('owner', 'accountant', 'viewer')),
  primary key (company_id, user_id)
);

create index members_by_user on ledger.members (user_id);

-- digest is the SHA-256 of the token: the token itself is not kept.
create table ledger.tokens (
  digest bytea primary key check (length(digest) = 32),
  user_id uuid not null references ledger.users (id),
  created_at timestamptz not null default ledger.now(),
  expires_at timestamptz not null,
  revoked_at timestamptz
);

-- calls is what writes with a reference answered. A second call of the same tool
-- with the reference and the same arguments gets the answer of the first and
-- writes nothing.
create table ledger.calls (
  company_id uuid not null references ledger.companies,
  reference text not null check (length(reference) between 1 and 200),
  tool text not null,
  fingerprint text not null,
  text text,
  data jsonb,
  created_by text not null default ledger.actor(),
  created_at timestamptz not null default ledger.now(),
  primary key (company_id, reference)
);
