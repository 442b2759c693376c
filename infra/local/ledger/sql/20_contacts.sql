-- Customers and vendors, one table.

-- gstin_valid says whether the 15th character of a GSTIN is its check character:
-- values 0-9A-Z are 0 to 35, weights 1, 2, 1, 2 … from the left, quotient and
-- remainder by 36 of each product are added, the check is (36 - sum mod 36) mod 36.
create function ledger.gstin_valid(p_gstin text) returns boolean
language sql immutable parallel safe as $$
  select p_gstin ~ '^[0-9]{2}[A-Z]{5}[0-9]{4}[A-Z][1-9A-Z]Z[0-9A-Z]$' and substr(p_gstin, 15, 1) = (
    select substr('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ', 1 + ((36 - sum(v / 36 + v % 36) % 36) % 36)::int, 1)
    from (
      select (strpos('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ', substr(p_gstin, n, 1)) - 1) * (2 - n % 2) as v
      from generate_series(1, 14) n
    ) products)
$$;

create table ledger.contacts (
  id uuid primary key default ledger.new_id(),
  company_id uuid not null references ledger.companies,
  kind text not null check (kind in ('customer', 'vendor')),
  code text not null,             -- C-0001, V-0001
  name text not null,
  -- A GSTIN with another check character, or of another pattern (TDS, UIN …), is
  -- kept; gstin_verified tells.
  gstin text check (gstin ~ '^[0-9A-Z]{15}$'),
  gstin_verified boolean generated always as (coalesce(ledger.gstin_valid(gstin), false)) stored,
  pan text check (pan ~ '^[A-Z]{3}[ABCFGHJLPT][A-Z][0-9]{4}[A-Z]$'),
  state_code text not null references ledger.states, -- decides the place of supply
  email text,
  phone text,
  address text not null default '',
  terms_days int not null default 30 check (terms_days between 0 and 365),
  credit_limit numeric(18,2),
  -- Of a micro or small vendor: at most 45 days with an agreement, 15 without
  -- (MSMED Act, section 15).
  msme boolean not null default false,
  tds_section text,               -- the usual one on a vendor's bills
  active boolean not null default true,
  notes text not null default '',
  version int not null default 1,
  created_by text not null default ledger.actor(),
  created_at timestamptz not null default ledger.now(),
  updated_at timestamptz,
  unique (company_id, kind, code),
  unique (company_id, id)
);
create unique index on ledger.contacts (company_id, kind, lower(name));
create index on ledger.contacts (company_id, gstin);

alter table ledger.journal_lines
  add foreign key (company_id, contact_id) references ledger.contacts (company_id, id);

create view ledger.customers as select * from ledger.contacts where kind = 'customer';
create view ledger.vendors as select * from ledger.contacts where kind = 'vendor';

-- find_contact finds one by id, code, GSTIN or name (whole, then a part of it that
-- only one has); LG404 where there is none, LG409 where a part fits several.
create function ledger.find_contact(p_company uuid, p_kind text, p_text text) returns uuid
language plpgsql stable as $$
declare
  v uuid;
  v_names text[];
begin
  if coalesce(trim(p_text), '') = '' then
    perform ledger.fail('LG422', format('The %s is missing.', p_kind));
  end if;
  select id into v from ledger.contacts
  where company_id = p_company and kind = p_kind and code = upper(trim(p_text));
  if v is not null then
    return v;
  end if;
  select id into v from ledger.contacts
  where company_id = p_company and kind = p_kind and lower(name) = lower(trim(p_text));
  if v is not null then
    return v;
  end if;
  select id into v from ledger.contacts
  where company_id = p_company and kind = p_kind and (id::text = lower(trim(p_text)) or gstin = upper(trim(p_text)));
  if v is not null then
    return v;
  end if;
  select array_agg(name order by name), min(id::text)::uuid into v_names, v from ledger.contacts
  where company_id = p_company and kind = p_kind and strpos(lower(name), lower(trim(p_text))) > 0;
  if v_names is null then
    perform ledger.fail('LG404', format('There is no %s "%s".', p_kind, p_text));
  elsif cardinality(v_names) > 1 then
    perform ledger.fail('LG409', format('"%s" could be %s.', p_text, array_to_string(v_names[1:5], ', ')));
  end if;
  return v;
end $$;

-- hold_contact lets one transaction at a time settle, change or void what a contact
-- has. It comes before all locks on documents, payments and numbers, so that no two
-- transactions wait for each other.
create function ledger.hold_contact(p_contact uuid) returns void
language sql as $$
  select from ledger.contacts where id = p_contact for no key update
$$;

-- contact is one contact as JSON, with what it owes or is owed.
create function ledger.contact(p_company uuid, p_id uuid) returns jsonb
language sql stable as $$
  select to_jsonb(c) - 'company_id' || jsonb_build_object('state', s.name)
  from ledger.contacts c join ledger.states s on s.code = c.state_code
  where c.company_id = p_company and c.id = p_id
$$;

-- contact_fields reads what create and update have in common from p over the row.
create function ledger.contact_fields(v ledger.contacts, p jsonb) returns ledger.contacts
language plpgsql as $$
begin
  v.name := left(ledger.words(p, 'name', v.name), 200);
  v.gstin := upper(ledger.words(p, 'gstin', v.gstin));
  if v.gstin !~ '^[0-9A-Z]{15}$' then
    perform ledger.fail('LG422', 'A GSTIN has 15 letters and digits.');
  end if;
  v.pan := upper(ledger.words(p, 'pan', coalesce(v.pan, case when ledger.gstin_valid(v.gstin)
    then substr(v.gstin, 3, 10) end)));
  if v.pan !~ '^[A-Z]{3}[ABCFGHJLPT][A-Z][0-9]{4}[A-Z]$' then
    perform ledger.fail('LG422', 'A PAN looks like AAAPA1234A; its fourth letter says the kind of holder.');
  end if;
  -- A state by code or by name; otherwise the GSTIN's first two digits.
  if ledger.words(p, 'state') is not null then
    select code into v.state_code from ledger.states
    where code = p->>'state' or lower(name) = lower(trim(p->>'state'));
    if v.state_code is null then
      perform ledger.fail('LG422', format('There is no state "%s".', p->>'state'));
    end if;
  elsif v.state_code is null then
    select code into v.state_code from ledger.states where code = left(v.gstin, 2);
  end if;
  v.email := ledger.words(p, 'email', v.email);
  v.phone := ledger.words(p, 'phone', v.phone);
  v.address := ledger.words(p, 'address', v.address);
  v.notes := ledger.words(p, 'notes', v.notes);
  v.tds_section := ledger.words(p, 'tds_section', v.tds_section);
  v.terms_days := ledger.amount(p, 'terms_days', v.terms_days, 0);
  if v.terms_days not between 0 and 365 then
    perform ledger.fail('LG422', 'Payment terms are 0 to 365 days.');
  end if;
  v.credit_limit := ledger.amount(p, 'credit_limit', v.credit_limit);
  v.msme := coalesce((p->>'msme')::boolean, v.msme);
  v.active := coalesce((p->>'active')::boolean, v.active);
  return v;
end $$;

-- create_contact: {"name", "gstin", "pan", "state": code or name, "email",
-- "phone", "address", "terms_days", "credit_limit", "msme", "tds_section",
-- "notes", "reference"}. Without a state and a GSTIN the state is the company's.
create function ledger.create_contact(p_company uuid, p_kind text, p jsonb) returns jsonb
language plpgsql as $$
declare
  v_id uuid := ledger.new_id();
  v_first uuid := ledger.claim(p_company, p_kind, v_id, p);
  v ledger.contacts;
begin
  if v_first <> v_id then
    return ledger.contact(p_company, v_first);
  end if;
  v.id := v_id;
  v.company_id := p_company;
  v.kind := p_kind;
  v.name := ledger.required_words(p, 'name');
  v.address := '';
  v.notes := '';
  v.terms_days := 30;
  v.msme := false;
  v.active := true;
  v := ledger.contact_fields(v, p);
  -- Codes count like numbers, without a year.
  insert into ledger.numbers as n (company_id, kind, fy, last) values (p_company, p_kind, '', 1)
  on conflict (company_id, kind, fy) do update set last = n.last + 1
  returning upper(left(p_kind, 1)) || '-' || lpad(n.last::text, greatest(4, length(n.last::text)), '0') into v.code;
  insert into ledger.contacts (id, company_id, kind, code, name, gstin, pan, state_code, email, phone, address,
    terms_days, credit_limit, msme, tds_section, notes)
  values (v.id, v.company_id, v.kind, v.code, v.name, v.gstin, v.pan, coalesce(v.state_code,
    (select state_code from ledger.companies where id = p_company)), v.email, v.phone, v.address,
    v.terms_days, v.credit_limit, v.msme, v.tds_section, v.notes);
  perform ledger.note(p_company, 'create', p_kind, v_id, v.code);
  return ledger.contact(p_company, v_id);
exception when unique_violation then
  perform ledger.fail('LG409', format('There is a %s named "%s" already.', p_kind, p->>'name'));
end $$;

-- update_contact changes the members that p has, see create_contact, and
-- "active". "version", if given, must be the row's.
create function ledger.update_contact(p_company uuid, p_id uuid, p jsonb) returns jsonb
language plpgsql as $$
declare
  v ledger.contacts;
begin
  select * into v from ledger.contacts where company_id = p_company and id = p_id for update;
  if v.id is null then
    perform ledger.fail('LG404', 'There is no such customer or vendor.');
  elsif ledger.amount(p, 'version', v.version, 0) <> v.version then
    perform ledger.fail('LG409', format('%s was changed in the meantime.', v.name));
  end if;
  v := ledger.contact_fields(v, p);
  update ledger.contacts set name = v.name, gstin = v.gstin, pan = v.pan, state_code = v.state_code,
    email = v.email, phone = v.phone, address = v.address, notes = v.notes, tds_section = v.tds_section,
    terms_days = v.terms_days, credit_limit = v.credit_limit, msme = v.msme, active = v.active,
    version = version + 1, updated_at = ledger.now()
  where id = p_id;
  perform ledger.note(p_company, 'update', v.kind, p_id, v.code, p - 'version');
  return ledger.contact(p_company, p_id);
exception when unique_violation then
  perform ledger.fail('LG409', format('There is a %s named "%s" already.', v.kind, p->>'name'));
end $$;

-- company is what a company's documents say of it, and which months take no
-- posting.
create function ledger.company(p_company uuid) returns jsonb
language sql stable as $$
  select jsonb_build_object('name', c.name, 'gstin', c.gstin,
    'gstin_verified', coalesce(ledger.gstin_valid(c.gstin), false), 'pan', c.pan, 'state', s.name,
    'state_code', c.state_code, 'address', c.address, 'email', c.email, 'currency', c.currency,
    'time_zone', c.time_zone, 'round_off', c.round_off, 'books_begin', c.books_begin,
    'closed_months', coalesce((select jsonb_agg(jsonb_build_object('month', to_char(p.starts, 'YYYY-MM'),
        'status', p.status) order by p.starts)
      from ledger.periods p where p.company_id = c.id and p.status <> 'open'), '[]'))
  from ledger.companies c join ledger.states s on s.code = c.state_code where c.id = p_company
$$;
