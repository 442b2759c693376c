-- The core of the books: companies, financial years, periods, accounts,
-- journals, numbers. All objects are in schema ledger.
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

-- Accounts. type decides the statement, "group" the heading, role names the one
-- account that postings of that sort use. cash marks bank and cash accounts,
-- whose movement is the cash flow; activity says under which part of the cash
-- flow the account's counterpart movements fall.
create table ledger.accounts (
  id uuid primary key default ledger.new_id(),
  company_id uuid not null references ledger.companies,
  code text not null check (code ~ '^[0-9A-Z-]{1,20}$'),
  name text not null,
  type text not null check (type in ('asset', 'liability', 'equity', 'income', 'expense')),
  "group" text not null,
  role text,
  cash boolean not null default false,
  activity text not null default 'operating' check (activity in ('operating', 'investing', 'financing')),
  active boolean not null default true,
  created_by text not null default ledger.actor(),
  created_at timestamptz not null default ledger.now(),
  unique (company_id, code),
  unique (company_id, id),
  check (not cash or type = 'asset')
);
create unique index on ledger.accounts (company_id, role) where role is not null;
create unique index on ledger.accounts (company_id, lower(name));

-- account_id finds an account by role, code, id or name; LG404 where there is
-- none.
create function ledger.account_id(p_company uuid, p_account text) returns uuid
language plpgsql stable as $$
declare
  v uuid;
begin
  select id into v from ledger.accounts where company_id = p_company and role = p_account;
  if v is null then
    select id into v from ledger.accounts where company_id = p_company and code = upper(p_account);
  end if;
  if v is null then
    select id into v from ledger.accounts
    where company_id = p_company and (lower(name) = lower(p_account) or id::text = lower(p_account));
  end if;
  if v is null then
    perform ledger.fail('LG404', format('There is no account "%s".', p_account));
  end if;
  return v;
end $$;

-- A journal is one balanced posting. It is never changed: a correction reverses
-- it (reverses names the first, on the same date) and posts anew.
--   source     invoice, bill, credit_note, debit_note, receipt, payment,
--              advance, manual, opening, payroll, tax, stock, expense, bank …
--   source_id  the document or payment that made it, or null
--   number     that document's number, or one of the series "journal"
create table ledger.journals (
  id uuid primary key default ledger.new_id(),
  company_id uuid not null references ledger.companies,
  date date not null,
  number text not null,
  narration text not null default '',
  source text not null,
  source_id uuid,
  reverses uuid unique references ledger.journals,
  created_by text not null default ledger.actor(),
  created_at timestamptz not null default ledger.now(),
  unique (company_id, id)
);
create index on ledger.journals (company_id, date);
create index on ledger.journals (source_id);
create index on ledger.journals (company_id, number);

create table ledger.journal_lines (
  journal_id uuid not null,
  line int not null,
  company_id uuid not null,
  date date not null,             -- of the journal
  account_id uuid not null,
  amount numeric(18,2) not null check (amount <> 0), -- debit positive, credit negative
  contact_id uuid,
  memo text,
  primary key (journal_id, line),
  foreign key (company_id, journal_id) references ledger.journals (company_id, id),
  foreign key (company_id, account_id) references ledger.accounts (company_id, id)
);
create index on ledger.journal_lines (company_id, account_id, date) include (amount);

-- Postings live in open periods and stay.
create function ledger.guard_journal() returns trigger
language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    perform ledger.fail('LG409', 'A posted journal is never changed; it is reversed.');
  end if;
  perform ledger.require_open(new.company_id, new.date);
  return new;
end $$;
create trigger guard before insert or update or delete on ledger.journals
  for each row execute function ledger.guard_journal();

create function ledger.guard_line() returns trigger
language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    perform ledger.fail('LG409', 'A posted journal is never changed; it is reversed.');
  end if;
  return new;
end $$;
create trigger guard before update or delete on ledger.journal_lines
  for each row execute function ledger.guard_line();

-- At commit each journal has at least two lines that balance, dated as it is, and
-- no closed period got another line.
create function ledger.check_balance() returns trigger
language plpgsql as $$
declare
  v_id uuid := case tg_table_name when 'journals' then to_jsonb(new)->>'id'
      else to_jsonb(new)->>'journal_id' end::uuid;
  v_lines int;
  v_sum numeric;
  v_dates boolean;
begin
  select count(*), sum(l.amount), bool_and(l.date = j.date) into v_lines, v_sum, v_dates
  from ledger.journal_lines l join ledger.journals j on j.id = l.journal_id
  where l.journal_id = v_id;
  if tg_table_name = 'journal_lines' then
    perform ledger.require_open(new.company_id, new.date);
  end if;
  if v_lines < 2 or v_sum <> 0 or not v_dates then
    perform ledger.fail('LG422', format('The journal does not balance: its debits exceed its credits by %s.',
      coalesce(v_sum, 0)));
  end if;
  return null;
end $$;
create constraint trigger balanced after insert on ledger.journals
  deferrable initially deferred for each row execute function ledger.check_balance();
create constraint trigger balanced after insert on ledger.journal_lines
  deferrable initially deferred for each row when (new.line > 2) execute function ledger.check_balance();

-- post writes one journal and returns its id. p_lines is an array of
--   {"account": role, code, name or id; "debit" or "credit" (positive) or
--    "amount" (debit positive); "contact": id; "memo": text}
-- Lines of zero are left out. The sum must be zero.
create function ledger.post(
  p_company uuid, p_date date, p_narration text, p_source text, p_lines jsonb,
  p_source_id uuid default null, p_number text default null, p_id uuid default null
) returns uuid
language plpgsql as $$
declare
  v_id uuid := coalesce(p_id, ledger.new_id());
  v_sum numeric;
  v_lines int;
begin
  if p_date is null then
    perform ledger.fail('LG422', 'A journal needs a date.');
  elsif jsonb_typeof(p_lines) is distinct from 'array' then
    perform ledger.fail('LG422', 'A journal needs a list of lines.');
  end if;
  insert into ledger.journals (id, company_id, date, number, narration, source, source_id)
  values (v_id, p_company, p_date, coalesce(p_number, ledger.next_number(p_company, 'journal', p_date)),
    coalesce(p_narration, ''), p_source, p_source_id);
  with given as (
    select n, line, ledger.amount(line, 'amount', 0) + ledger.amount(line, 'debit', 0)
      - ledger.amount(line, 'credit', 0) as amount
    from jsonb_array_elements(p_lines) with ordinality l (line, n)
  ), put as (
    insert into ledger.journal_lines (journal_id, line, company_id, date, account_id, amount, contact_id, memo)
    select v_id, row_number() over (order by n), p_company, p_date,
      ledger.account_id(p_company, ledger.required_words(line, 'account')), amount,
      (line->>'contact')::uuid, line->>'memo'
    from given where amount <> 0
    returning amount
  )
  select count(*), sum(amount) into v_lines, v_sum from put;
  if v_lines < 2 then
    perform ledger.fail('LG422', 'A journal needs at least two lines with amounts.');
  elsif v_sum <> 0 then
    perform ledger.fail('LG422', format('The debits and credits differ by ₹%s.', abs(v_sum)));
  end if;
  return v_id;
end $$;

-- reverse posts the opposite of a journal on the same date, and returns its id.
create function ledger.reverse(p_company uuid, p_journal uuid) returns uuid
language plpgsql as $$
declare
  v_id uuid := ledger.new_id();
begin
  insert into ledger.journals (id, company_id, date, number, narration, source, source_id, reverses)
  select v_id, company_id, date, number, 'Reversal: ' || narration, source, source_id, id
  from ledger.journals where company_id = p_company and id = p_journal;
  if not found then
    perform ledger.fail('LG404', 'There is no such journal.');
  end if;
  insert into ledger.journal_lines (journal_id, line, company_id, date, account_id, amount, contact_id, memo)
  select v_id, line, company_id, date, account_id, -amount, contact_id, memo
  from ledger.journal_lines where journal_id = p_journal;
  return v_id;
exception when unique_violation then
  perform ledger.fail('LG409', 'The journal is reversed already.');
end $$;

-- Numbers count from 1 in each company, kind and financial year, without gaps:
-- the counter is a row that a transaction holds until it ends. At most 16
-- characters (CGST Rules, rule 46), such as INV/25-26/0001.
create table ledger.series (
  company_id uuid not null references ledger.companies,
  kind text not null,             -- invoice, bill, credit_note, debit_note, receipt, payment, journal, challan …
  prefix text not null check (prefix ~ '^[A-Z0-9]{1,4}$'),
  primary key (company_id, kind),
  unique (company_id, prefix)
);
create table ledger.numbers (
  company_id uuid not null references ledger.companies,
  kind text not null,
  fy text not null,
  last int not null,
  primary key (company_id, kind, fy)
);

create function ledger.next_number(p_company uuid, p_kind text, p_date date) returns text
language plpgsql as $$
declare
  v_prefix text;
  v_last int;
  v_fy text := ledger.fy_name(p_date);
begin
  select prefix into v_prefix from ledger.series where company_id = p_company and kind = p_kind;
  if v_prefix is null then
    perform ledger.fail('LG404', format('The company has no series of numbers for %s.', p_kind));
  end if;
  insert into ledger.numbers as n (company_id, kind, fy, last) values (p_company, p_kind, v_fy, 1)
  on conflict (company_id, kind, fy) do update set last = n.last + 1
  returning last into v_last;
  return v_prefix || '/' || substr(v_fy, 3) || '/' || lpad(v_last::text, greatest(4, length(v_last::text)), '0');
end $$;

-- number_key is how numbers compare: letters and digits only, in capitals, so
-- that "inv 25-26 0001" finds INV/25-26/0001.
create function ledger.number_key(p_number text) returns text
language sql immutable parallel safe as $$
  select upper(regexp_replace(p_number, '[^[:alnum:]]', '', 'g'))
$$;

-- create_journal posts an entry made by hand: {"date", "narration", "lines": as
-- in post, "reference"}, and returns it as journal does.
create function ledger.create_journal(p_company uuid, p_journal jsonb) returns jsonb
language plpgsql as $$
declare
  v_id uuid := ledger.new_id();
  v_first uuid := ledger.claim(p_company, 'journal', v_id, p_journal);
begin
  if v_first <> v_id then
    return ledger.journal(p_company, v_first);
  end if;
  perform ledger.post(p_company, ledger.day(p_journal, 'date', ledger.today(p_company)),
    ledger.required_words(p_journal, 'narration', 500), 'manual', p_journal->'lines', p_id => v_id);
  perform ledger.note(p_company, 'create', 'journal', v_id, (select number from ledger.journals where id = v_id));
  return ledger.journal(p_company, v_id);
end $$;

-- delete_journal takes an entry made by hand back: it is reversed on its own
-- date, and both are left out of lists.
create function ledger.delete_journal(p_company uuid, p_journal uuid) returns jsonb
language plpgsql as $$
declare
  v ledger.journals;
begin
  select * into v from ledger.journals where company_id = p_company and id = p_journal;
  if v.id is null then
    perform ledger.fail('LG404', 'There is no such journal entry.');
  elsif v.source <> 'manual' or v.reverses is not null then
    perform ledger.fail('LG409', format('%s belongs to a document; void that instead.', v.number));
  end if;
  perform ledger.reverse(p_company, p_journal);
  perform ledger.note(p_company, 'delete', 'journal', p_journal, v.number);
  return ledger.journal(p_company, p_journal);
end $$;

-- journal is one journal with its lines.
create function ledger.journal(p_company uuid, p_journal uuid) returns jsonb
language sql stable as $$
  select jsonb_build_object('id', j.id, 'number', j.number, 'date', j.date, 'narration', j.narration,
    'source', j.source, 'created_by', j.created_by,
    'status', case when exists (select from ledger.journals r where r.reverses = j.id) then 'reversed'
      when j.reverses is not null then 'reversal' else 'posted' end,
    'lines', (select jsonb_agg(jsonb_build_object('account', a.code, 'name', a.name,
        'debit', greatest(l.amount, 0), 'credit', greatest(-l.amount, 0)) order by l.line)
      from ledger.journal_lines l join ledger.accounts a on a.id = l.account_id where l.journal_id = j.id))
  from ledger.journals j where j.company_id = p_company and j.id = p_journal
$$;

-- create_account: {"code", "name", "type", "group", "cash", "activity"}.
create function ledger.create_account(p_company uuid, p_account jsonb) returns jsonb
language plpgsql as $$
declare
  v ledger.accounts;
begin
  insert into ledger.accounts (company_id, code, name, type, "group", role, cash, activity)
  values (p_company, upper(ledger.required_words(p_account, 'code', 20)), ledger.required_words(p_account, 'name',
      100),
    ledger.required_words(p_account, 'type'), ledger.required_words(p_account, 'group', 60), p_account->>'role',
    coalesce((p_account->>'cash')::boolean, false), ledger.words(p_account, 'activity', 'operating'))
  returning * into v;
  perform ledger.note(p_company, 'create', 'account', v.id, v.code);
  return to_jsonb(v) - 'company_id';
exception
  when unique_violation then
    perform ledger.fail('LG409', format('There is an account %s or one named "%s" already.',
      p_account->>'code', p_account->>'name'));
  when check_violation then
    perform ledger.fail('LG422', 'The account''s code, type or activity is not one that the books know.');
end $$;

-- create_company makes a company with its first financial year, its numbers and
-- the accounts that postings use: {"code", "name", "gstin", "pan", "state",
-- "address", "email", "books_begin", "round_off"}. Returns its id.
create function ledger.create_company(p jsonb) returns uuid
language plpgsql as $$
declare
  v_id uuid := ledger.new_id();
  v_begin date := ledger.day(p, 'books_begin');
begin
  insert into ledger.companies (id, code, name, gstin, pan, state_code, address, email, books_begin, round_off)
  values (v_id, ledger.required_words(p, 'code'), ledger.required_words(p, 'name'), ledger.words(p, 'gstin'),
    ledger.words(p, 'pan', substr(p->>'gstin', 3, 10)), ledger.required_words(p, 'state'),
    ledger.words(p, 'address', ''), ledger.words(p, 'email'), v_begin, coalesce((p->>'round_off')::boolean, true));
  perform ledger.open_year(v_id, v_begin);
  insert into ledger.series (company_id, kind, prefix)
  select v_id, kind, prefix from (values ('invoice', 'INV'), ('bill', 'BILL'), ('credit_note', 'CN'),
    ('debit_note', 'DN'), ('receipt', 'RCT'), ('payment', 'PAY'), ('journal', 'JV'), ('challan', 'DC'),
    ('expense', 'EXP')) s (kind, prefix);
  insert into ledger.accounts (company_id, code, name, type, "group", role, cash, activity)
  select v_id, code, name, type, grp, nullif(role, ''), cash, activity from (values
    ('1000', 'Cash in hand',            'asset',     'Cash and bank',       'cash',             true,  'operating'),
    ('1010', 'Current account',         'asset',     'Cash and bank',       'bank',             true,  'operating'),
    ('1100', 'Trade receivables',       'asset',     'Receivables',         'receivable',       false, 'operating'),
    ('1150', 'Advances to suppliers',   'asset',     'Other current assets','vendor_advance',   false, 'operating'),
    ('1200', 'Inventory',               'asset',     'Inventory',           'inventory',        false, 'operating'),
    ('1300', 'Input CGST',              'asset',     'Taxes',               'input_cgst',       false, 'operating'),
    ('1310', 'Input SGST',              'asset',     'Taxes',               'input_sgst',       false, 'operating'),
    ('1320', 'Input IGST',              'asset',     'Taxes',               'input_igst',       false, 'operating'),
    ('1350', 'TDS receivable',          'asset',     'Taxes',               'tds_receivable',   false, 'operating'),
    ('1400', 'Prepaid expenses',        'asset',     'Other current assets','',                 false, 'operating'),
    ('1410', 'Security deposits',       'asset',     'Other current assets','',                 false, 'operating'),
    ('1500', 'Computers and equipment', 'asset',     'Fixed assets',        'equipment',        false, 'investing'),
    ('1510', 'Furniture and fixtures',  'asset',     'Fixed assets',        'furniture',        false, 'investing'),
    ('1590', 'Accumulated depreciation','asset',     'Fixed assets',        'accumulated_depreciation', false,
        'investing'),
    ('2000', 'Trade payables',          'liability', 'Payables',            'payable',          false, 'operating'),
    ('2050', 'Advances from customers', 'liability', 'Other current liabilities', 'customer_advance', false,
        'operating'),
    ('2100', 'Output CGST',             'liability', 'Taxes payable',       'output_cgst',      false, 'operating'),
    ('2110', 'Output SGST',             'liability', 'Taxes payable',       'output_sgst',      false, 'operating'),
    ('2120', 'Output IGST',             'liability', 'Taxes payable',       'output_igst',      false, 'operating'),
    ('2130', 'GST on reverse charge',   'liability', 'Taxes payable',       'reverse_charge',   false, 'operating'),
    ('2150', 'TDS payable',             'liability', 'Taxes payable',       'tds_payable',      false, 'operating'),
    ('2160', 'Provident fund payable',  'liability', 'Other current liabilities', 'pf_payable', false, 'operating'),
    ('2200', 'Salaries payable',        'liability', 'Other current liabilities', 'salaries_payable', false,
        'operating'),
    ('2300', 'Term loan',               'liability', 'Loans',               'loan',             false, 'financing'),
    ('3000', 'Share capital',           'equity',    'Capital',             'capital',          false, 'financing'),
    ('3100', 'Retained earnings',       'equity',    'Reserves',            'retained_earnings',false, 'financing'),
    ('4000', 'Sales of goods',          'income',    'Revenue',             'sales',            false, 'operating'),
    ('4010', 'Sales of services',       'income',    'Revenue',             'services',         false, 'operating'),
    ('4020', 'Export of services',      'income',    'Revenue',             'exports',          false, 'operating'),
    ('4900', 'Interest received',       'income',    'Other income',        'interest_income',  false, 'operating'),
    ('5000', 'Purchases',               'expense',   'Cost of sales',       'purchases',        false, 'operating'),
    ('5010', 'Change in inventory',     'expense',   'Cost of sales',       'inventory_change', false, 'operating'),
    ('5020', 'Freight inward',          'expense',   'Cost of sales',       'freight',          false, 'operating'),
    ('5030', 'Subcontracted work',      'expense',   'Cost of sales',       'subcontract',      false, 'operating'),
    ('6000', 'Salaries and wages',      'expense',   'Employee costs',      'salaries',         false, 'operating'),
    ('6010', 'Provident fund, employer','expense',   'Employee costs',      'pf_expense',       false, 'operating'),
    ('6100', 'Rent',                    'expense',   'Operating expenses',  'rent',             false, 'operating'),
    ('6110', 'Electricity',             'expense',   'Operating expenses',  'electricity',      false, 'operating'),
    ('6120', 'Internet and telephone',  'expense',   'Operating expenses',  'internet',         false, 'operating'),
    ('6130', 'Travel and conveyance',   'expense',   'Operating expenses',  'travel',           false, 'operating'),
    ('6140', 'Office expenses',         'expense',   'Operating expenses',  'office',           false, 'operating'),
    ('6150', 'Software subscriptions',  'expense',   'Operating expenses',  'software',         false, 'operating'),
    ('6160', 'Professional fees',       'expense',   'Operating expenses',  'professional',     false, 'operating'),
    ('6170', 'Marketing',               'expense',   'Operating expenses',  'marketing',        false, 'operating'),
    ('6180', 'Freight outward',         'expense',   'Operating expenses',  'delivery',         false, 'operating'),
    ('6190', 'Repairs and maintenance', 'expense',   'Operating expenses',  'repairs',          false, 'operating'),
    ('6200', 'Bank charges',            'expense',   'Finance costs',       'bank_charges',     false, 'operating'),
    ('6210', 'Interest on loan',        'expense',   'Finance costs',       'interest',         false, 'financing'),
    ('6300', 'Depreciation',            'expense',   'Depreciation',        'depreciation',     false, 'operating'),
    ('6400', 'Bad debts',               'expense',   'Operating expenses',  'bad_debts',        false, 'operating'),
    ('6900', 'Round off',               'expense',   'Operating expenses',  'round_off',        false, 'operating')
  ) a (code, name, type, grp, role, cash, activity);
  return v_id;
end $$;
