-- Accounts, journals and numbers.

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
