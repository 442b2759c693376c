-- The core of the books: companies, financial years, periods, references of
-- clients, the audit. All objects are in schema ledger.
--
-- Amounts are rupees, numeric(18,2), everywhere. A journal line bears one signed
-- amount: debit positive, credit negative. Dates are local dates of the company.
--
-- A write runs in a transaction that sets ledger.actor (whose token it was) and
-- ledger.now (the injected clock, timestamptz); see ledger.actor and ledger.now.
-- Functions refuse with a sentence for people as the message, and:
--   LG404  the company has no such thing
--   LG409  the state of the books does not allow it
--   LG422  an argument is missing or wrong
--   LG423  the period is locked or filed
create schema ledger;

create function ledger.fail(p_code text, p_message text) returns void
language plpgsql as $$
begin
  raise exception using errcode = p_code, message = p_message;
end $$;

create function ledger.actor() returns text
language sql stable as $$
  select coalesce(nullif(current_setting('ledger.actor', true), ''), session_user::text)
$$;

create function ledger.now() returns timestamptz
language sql stable as $$
  select coalesce(nullif(current_setting('ledger.now', true), '')::timestamptz, pg_catalog.now())
$$;

-- new_id is random. Setting ledger.ids to a word makes the ids of a transaction
-- repeatable: the demo companies have the same ids in each database.
create sequence ledger.ids;
create function ledger.new_id() returns uuid
language plpgsql as $$
declare
  v_word text := nullif(current_setting('ledger.ids', true), '');
begin
  if v_word is null then
    return gen_random_uuid();
  end if;
  return overlay(overlay(md5(v_word || nextval('ledger.ids')) placing '8' from 13) placing 'a' from 17)::uuid;
end $$;

-- Arguments come as JSON objects. amount, day and words read one member; they
-- answer p_default where it is missing, null or empty.
create function ledger.amount(p_object jsonb, p_key text, p_default numeric default null, p_scale int default 2)
returns numeric
language plpgsql immutable as $$
declare
  v text := nullif(trim(p_object->>p_key), '');
begin
  if v is null then
    return p_default;
  end if;
  if v !~ '^-?[0-9]{1,13}(\.[0-9]{1,12})?$' or round(v::numeric, p_scale) <> v::numeric then
    perform ledger.fail('LG422', format('"%s" must be a number with at most %s decimals.', p_key, p_scale));
  end if;
  return v::numeric;
end $$;

create function ledger.day(p_object jsonb, p_key text, p_default date default null) returns date
language plpgsql immutable as $$
declare
  v text := nullif(trim(p_object->>p_key), '');
begin
  if v is null then
    return p_default;
  end if;
  if v !~ '^[12][0-9]{3}-[01][0-9]-[0-3][0-9]$' then
    perform ledger.fail('LG422', format('"%s" must be a date such as 2026-03-31.', p_key));
  end if;
  return make_date(left(v, 4)::int, substr(v, 6, 2)::int, right(v, 2)::int);
exception when datetime_field_overflow then
  perform ledger.fail('LG422', format('"%s" is not a day of the calendar: %s.', p_key, v));
end $$;

create function ledger.words(p_object jsonb, p_key text, p_default text default null) returns text
language sql immutable as $$
  select coalesce(nullif(trim(p_object->>p_key), ''), p_default)
$$;

-- required_words is words that must be there, at most p_longest characters.
create function ledger.required_words(p_object jsonb, p_key text, p_longest int default 200) returns text
language plpgsql immutable as $$
declare
  v text := ledger.words(p_object, p_key);
begin
  if v is null then
    perform ledger.fail('LG422', format('"%s" is missing.', p_key));
  elsif length(v) > p_longest then
    perform ledger.fail('LG422', format('"%s" is longer than %s characters.', p_key, p_longest));
  end if;
  return v;
end $$;

-- States and union territories by their GST code; 96 stands for abroad, 97 for
-- other territory.
create table ledger.states (
  code text primary key check (code ~ '^[0-9]{2}$'),
  name text not null unique
);
insert into ledger.states (code, name) values
  ('01','Jammu and Kashmir'), ('02','Himachal Pradesh'), ('03','Punjab'), ('04','Chandigarh'), ('05','Uttarakhand'),
  ('06','Haryana'), ('07','Delhi'), ('08','Rajasthan'), ('09','Uttar Pradesh'), ('10','Bihar'), ('11','Sikkim'),
  ('12','Arunachal Pradesh'), ('13','Nagaland'), ('14','Manipur'), ('15','Mizoram'), ('16','Tripura'),
  ('17','Meghalaya'), ('18','Assam'), ('19','West Bengal'), ('20','Jharkhand'), ('21','Odisha'),
  ('22','Chhattisgarh'), ('23','Madhya Pradesh'), ('24','Gujarat'), ('26','Dadra and Nagar Haveli and Daman and Diu'),
  ('27','Maharashtra'), ('29','Karnataka'), ('30','Goa'), ('31','Lakshadweep'), ('32','Kerala'), ('33','Tamil Nadu'),
  ('34','Puducherry'), ('35','Andaman and Nicobar Islands'), ('36','Telangana'), ('37','Andhra Pradesh'),
  ('38','Ladakh'), ('96','Other country'), ('97','Other territory');

create table ledger.companies (
  id uuid primary key default ledger.new_id(),
  code text not null unique check (code ~ '^[a-z0-9-]{2,40}$'),
  name text not null,
  gstin text check (length(gstin) = 15),
  pan text,
  state_code text not null references ledger.states,
  address text not null default '',
  email text,
  currency text not null default 'INR' check (currency = 'INR'),
  time_zone text not null default 'Asia/Kolkata',
  -- Totals of invoices and bills are rounded to the rupee (CGST Act, section 170).
  round_off boolean not null default true,
  books_begin date not null,
  created_at timestamptz not null default ledger.now()
);

-- today is the date at the company.
create function ledger.today(p_company uuid) returns date
language sql stable as $$
  select (ledger.now() at time zone c.time_zone)::date from ledger.companies c where c.id = p_company
$$;

-- fy_start is the first of April on or before a day; fy_name is written 2025-26.
create function ledger.fy_start(p_day date) returns date
language sql immutable parallel safe as $$
  select make_date(extract(year from p_day)::int - (extract(month from p_day) < 4)::int, 4, 1)
$$;
create function ledger.fy_name(p_day date) returns text
language sql immutable parallel safe as $$
  select to_char(ledger.fy_start(p_day), 'YYYY') || '-' || to_char(ledger.fy_start(p_day) + interval '1 year', 'YY')
$$;

create table ledger.financial_years (
  company_id uuid not null references ledger.companies,
  name text not null,             -- 2025-26
  starts date not null,           -- 1 April
  ends date not null,             -- 31 March
  primary key (company_id, name),
  unique (company_id, starts)
);

-- A period is a month. Open takes postings. Locked is closed by the accountant
-- and may be opened again; filed bears the returns of GST and stays as it is:
-- what was wrong in it is corrected by a credit note in an open period.
create table ledger.periods (
  company_id uuid not null references ledger.companies,
  starts date not null check (extract(day from starts) = 1),
  ends date not null,
  fy text not null,
  status text not null default 'open' check (status in ('open', 'locked', 'filed')),
  changed_by text,
  changed_at timestamptz,
  primary key (company_id, starts),
  foreign key (company_id, fy) references ledger.financial_years (company_id, name)
);

-- open_year makes the financial year of a day with its 12 open periods, once.
create function ledger.open_year(p_company uuid, p_day date) returns text
language plpgsql as $$
declare
  v_start date := ledger.fy_start(p_day);
  v_name text := ledger.fy_name(p_day);
begin
  insert into ledger.financial_years (company_id, name, starts, ends)
  values (p_company, v_name, v_start, (v_start + interval '1 year')::date - 1)
  on conflict do nothing;
  insert into ledger.periods (company_id, starts, ends, fy)
  select p_company, m::date, (m + interval '1 month')::date - 1, v_name
  from generate_series(v_start::timestamp, v_start + interval '11 months', interval '1 month') m
  on conflict do nothing;
  return v_name;
end $$;

-- require_open refuses (LG423) unless the period of the day takes postings, and
-- keeps the period from being closed until the transaction ends. The next
-- financial years open by themselves.
create function ledger.require_open(p_company uuid, p_day date) returns void
language plpgsql as $$
declare
  v_status text;
  v_begin date;
begin
  select status into v_status from ledger.periods
  where company_id = p_company and starts = date_trunc('month', p_day)::date
  for share;
  if v_status is null then
    select books_begin into v_begin from ledger.companies where id = p_company;
    if v_begin is null then
      perform ledger.fail('LG404', 'There is no such company.');
    elsif p_day < v_begin then
      perform ledger.fail('LG422', format('The books begin on %s.', to_char(v_begin, 'DD/MM/YYYY')));
    elsif p_day > ledger.today(p_company) + 366 then
      perform ledger.fail('LG422', format('%s is more than a year ahead.', to_char(p_day, 'DD/MM/YYYY')));
    end if;
    perform ledger.open_year(p_company, p_day);
  elsif v_status = 'filed' then
    perform ledger.fail('LG423', format(
      'The returns for %s are filed. Correct it with a credit note or a journal entry in an open period.',
      to_char(p_day, 'FMMonth YYYY')));
  elsif v_status = 'locked' then
    perform ledger.fail('LG423', format(
      'The books of %s are locked. Post in an open period, or have the accountant unlock it.',
      to_char(p_day, 'FMMonth YYYY')));
  end if;
end $$;

-- set_period locks, opens or marks as filed the period of a day, and returns
-- {"period", "fy", "status"}. A filed period stays filed.
create function ledger.set_period(p_company uuid, p_day date, p_status text) returns jsonb
language plpgsql as $$
declare
  v ledger.periods;
begin
  select * into v from ledger.periods
  where company_id = p_company and starts = date_trunc('month', p_day)::date
  for update;
  if v.starts is null then
    perform ledger.fail('LG404', format('There is no period for %s.', to_char(p_day, 'FMMonth YYYY')));
  elsif p_status is null or p_status not in ('open', 'locked', 'filed') then
    perform ledger.fail('LG422', 'The status of a period is open, locked or filed.');
  elsif v.status = 'filed' and p_status <> 'filed' then
    perform ledger.fail('LG423', format('The returns for %s are filed; the period stays closed.',
      to_char(p_day, 'FMMonth YYYY')));
  end if;
  update ledger.periods set status = p_status, changed_by = ledger.actor(), changed_at = ledger.now()
  where company_id = p_company and starts = v.starts;
  perform ledger.note(p_company, 'period_' || p_status, 'period', null, to_char(v.starts, 'YYYY-MM'));
  return jsonb_build_object('period', to_char(v.starts, 'YYYY-MM'), 'fy', v.fy, 'status', p_status);
end $$;

-- The audit holds one row per write: who, what, when.
create table ledger.audit (
  id bigint generated always as identity primary key,
  company_id uuid not null references ledger.companies,
  at timestamptz not null default ledger.now(),
  actor text not null,
  action text not null,           -- create, update, void, delete, apply, period_locked …
  kind text not null,             -- invoice, bill, payment, contact …
  object_id uuid,
  number text,                    -- as people know it
  detail jsonb
);
create index on ledger.audit (company_id, object_id);

create function ledger.note(
  p_company uuid, p_action text, p_kind text, p_object uuid, p_number text, p_detail jsonb default null
) returns void
language sql as $$
  insert into ledger.audit (company_id, at, actor, action, kind, object_id, number, detail)
  values (p_company, ledger.now(), ledger.actor(), p_action, p_kind, p_object, p_number, p_detail)
$$;

-- A client names its create by a reference, one name space per company. The
-- second create with the reference writes nothing and answers with the first
-- one's object, so that a client whose request timed out may look it up or send
-- it again.
create table ledger.write_references (
  company_id uuid not null references ledger.companies,
  reference text not null check (length(reference) between 1 and 200),
  kind text not null,
  object_id uuid not null,
  fingerprint text not null,
  created_by text not null default ledger.actor(),
  created_at timestamptz not null default ledger.now(),
  primary key (company_id, reference)
);

-- claim reserves member "reference" of a create's arguments for the object
-- p_id and returns p_id; or the id of the object that the reference made
-- before. It waits for a transaction that is using the reference. Without a
-- reference it returns p_id. The same reference with other arguments is LG409.
create function ledger.claim(p_company uuid, p_kind text, p_id uuid, p_arguments jsonb) returns uuid
language plpgsql as $$
declare
  v_reference text := ledger.words(p_arguments, 'reference');
  v_print text := md5(p_kind || (p_arguments - 'reference')::text);
  v_row ledger.write_references;
begin
  if v_reference is null then
    return p_id;
  elsif length(v_reference) > 200 then
    perform ledger.fail('LG422', '"reference" is longer than 200 characters.');
  end if;
  insert into ledger.write_references (company_id, reference, kind, object_id, fingerprint)
  values (p_company, v_reference, p_kind, p_id, v_print)
  on conflict do nothing;
  if found then
    return p_id;
  end if;
  select * into v_row from ledger.write_references where company_id = p_company and reference = v_reference;
  if v_row.kind <> p_kind or v_row.fingerprint <> v_print then
    perform ledger.fail('LG409', format('The reference %s was used for something else.', v_reference));
  end if;
  return v_row.object_id;
end $$;

-- written tells what a reference made: {"kind", "id", "created_by", "created_at"},
-- or null. A client looks here after a request whose answer it did not get.
create function ledger.written(p_company uuid, p_reference text) returns jsonb
language sql stable as $$
  select jsonb_build_object('kind', kind, 'id', object_id, 'created_by', created_by, 'created_at', created_at)
  from ledger.write_references where company_id = p_company and reference = p_reference
$$;
