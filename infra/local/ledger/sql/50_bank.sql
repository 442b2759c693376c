-- Banks: accounts, lines of their statements, and which postings those are.

-- Of a cash account that a bank keeps. The statement begins after opens with
-- the balance opening.
create table ledger.bank_accounts (
  id uuid primary key default ledger.new_id(),
  company_id uuid not null references ledger.companies,
  account_id uuid not null,
  name text not null,
  bank text not null,
  number text not null,           -- of the account at the bank
  ifsc text,
  opens date not null,
  opening numeric(18,2) not null default 0,
  unique (company_id, id),
  unique (company_id, account_id),
  unique (company_id, number),
  foreign key (company_id, account_id) references ledger.accounts (company_id, id)
);

create table ledger.bank_imports (
  id uuid primary key default ledger.new_id(),
  company_id uuid not null,
  bank_account_id uuid not null,
  file text not null default '',
  digest text not null,           -- of the file
  lines int not null,
  added int not null,
  created_by text not null default ledger.actor(),
  created_at timestamptz not null default ledger.now(),
  foreign key (company_id, bank_account_id) references ledger.bank_accounts (company_id, id)
);

-- A line is known by its digest (of date, amount, narration and reference) and
-- its number among equal lines: importing it again adds nothing. status is
-- unmatched, matched (its postings are in bank_matches) or excluded (seen to
-- need no posting, such as a line that the bank took back).
create table ledger.bank_lines (
  id uuid primary key default ledger.new_id(),
  company_id uuid not null,
  bank_account_id uuid not null,
  import_id uuid not null references ledger.bank_imports,
  date date not null,
  amount numeric(18,2) not null check (amount <> 0), -- what came in is positive
  narration text not null default '',
  reference text not null default '',
  balance numeric(18,2),          -- after the line, where the file told it
  digest text not null,
  occurrence int not null check (occurrence > 0),
  status text not null default 'unmatched' check (status in ('unmatched', 'matched', 'excluded')),
  note text not null default '',
  unique (bank_account_id, digest, occurrence),
  unique (company_id, id),
  foreign key (company_id, bank_account_id) references ledger.bank_accounts (company_id, id)
);
create index on ledger.bank_lines (bank_account_id, date);
create index on ledger.bank_lines (bank_account_id, amount) where status = 'unmatched';

-- A posting is matched with one line of a statement at most.
create table ledger.bank_matches (
  bank_line_id uuid not null references ledger.bank_lines,
  journal_id uuid not null,
  line int not null,
  created_by text not null default ledger.actor(),
  created_at timestamptz not null default ledger.now(),
  primary key (journal_id, line),
  foreign key (journal_id, line) references ledger.journal_lines
);
create index on ledger.bank_matches (bank_line_id);

-- create_bank_account: {"account", "name", "bank", "number", "ifsc", "opens",
-- "opening"}. Returns its id.
create function ledger.create_bank_account(p_company uuid, p jsonb) returns uuid
language plpgsql as $$
declare
  v_id uuid := ledger.new_id();
  v_account uuid := ledger.account_id(p_company, ledger.required_words(p, 'account'));
begin
  if not (select cash from ledger.accounts where id = v_account) then
    perform ledger.fail('LG422', 'That account is no cash or bank account.');
  end if;
  insert into ledger.bank_accounts (id, company_id, account_id, name, bank, number, ifsc, opens, opening)
  values (v_id, p_company, v_account, ledger.required_words(p, 'name'), ledger.required_words(p, 'bank'),
    ledger.required_words(p, 'number', 34), ledger.words(p, 'ifsc'), ledger.day(p, 'opens', ledger.today(p_company)),
    ledger.amount(p, 'opening', 0));
  return v_id;
exception when unique_violation then
  perform ledger.fail('LG409', 'There is a bank account of that number or account already.');
end $$;

-- bank_account_id finds one by id, number, name or the code of its account;
-- without words it is the company's only one.
create function ledger.bank_account_id(p_company uuid, p_words text) returns uuid
language plpgsql stable as $$
declare
  v uuid[];
begin
  select array_agg(b.id) into v
  from ledger.bank_accounts b join ledger.accounts a on a.id = b.account_id
  where b.company_id = p_company and (nullif(trim(p_words), '') is null or lower(trim(p_words)) in
    (b.id::text, lower(b.number), lower(b.name), lower(a.code), lower(a.name)));
  if v is null then
    perform ledger.fail('LG404', case when nullif(trim(p_words), '') is null then 'The company has no bank account.'
      else format('There is no bank account "%s".', p_words) end);
  elsif cardinality(v) > 1 then
    perform ledger.fail('LG422', 'The company has several bank accounts: name one.');
  end if;
  return v[1];
end $$;

-- import_statement adds the lines that are new, and answers {"lines", "added",
-- "known", "before_opening", "from", "to"}. p_lines is an array of arrays:
-- date, amount, narration, reference, balance or null, digest, occurrence.
create function ledger.import_statement(p_company uuid, p_bank uuid, p_file text, p_digest text, p_lines jsonb)
returns jsonb
language plpgsql as $$
declare
  v_import uuid := ledger.new_id();
  v_bank ledger.bank_accounts;
  v_total int;
  v_added int;
  v_early int;
  v_from date;
  v_to date;
begin
  -- Two imports of one account take their turns.
  select * into v_bank from ledger.bank_accounts where company_id = p_company and id = p_bank for update;
  if v_bank.id is null then
    perform ledger.fail('LG404', 'There is no such bank account.');
  end if;
  insert into ledger.bank_imports (id, company_id, bank_account_id, file, digest, lines, added)
  values (v_import, p_company, p_bank, p_file, p_digest, 0, 0);
  with given as (
    select (l->>0)::date as date, (l->>1)::numeric as amount, l->>2 as narration, l->>3 as reference,
      (l->>4)::numeric as balance, l->>5 as digest, (l->>6)::int as occurrence
    from jsonb_array_elements(p_lines) l
  ), put as (
    insert into ledger.bank_lines (company_id, bank_account_id, import_id, date, amount, narration, reference,
      balance, digest, occurrence)
    select p_company, p_bank, v_import, date, amount, narration, reference, balance, digest, occurrence
    from given where date > v_bank.opens
    on conflict (bank_account_id, digest, occurrence) do nothing
    returning 1
  )
  select (select count(*) from given), (select count(*) from put),
    (select count(*) from given where date <= v_bank.opens), (select min(date) from given),
    (select max(date) from given)
  into v_total, v_added, v_early, v_from, v_to;
  update ledger.bank_imports set lines = v_total, added = v_added where id = v_import;
  perform ledger.note(p_company, 'import', 'bank_statement', v_import, null,
    jsonb_build_object('lines', v_total, 'added', v_added));
  return jsonb_build_object('import_id', v_import, 'bank_account', v_bank.name, 'lines', v_total, 'added', v_added,
    'known', v_total - v_added - v_early, 'before_opening', v_early, 'from', v_from, 'to', v_to);
end $$;

-- bank_line is one line with its postings.
create function ledger.bank_line(p_company uuid, p_line uuid) returns jsonb
language sql stable as $$
  select jsonb_build_object('id', l.id, 'bank_account', b.name, 'date', l.date, 'amount', l.amount,
    'direction', case when l.amount > 0 then 'in' else 'out' end, 'narration', l.narration,
    'reference', l.reference, 'balance', l.balance, 'status', l.status, 'note', l.note,
    'matches', coalesce((select jsonb_agg(jsonb_build_object('journal_id', j.id, 'number', j.number, 'date', j.date,
        'narration', j.narration, 'amount', jl.amount) order by j.date, j.number)
      from ledger.bank_matches m join ledger.journal_lines jl using (journal_id, line)
      join ledger.journals j on j.id = m.journal_id where m.bank_line_id = l.id), '[]'))
  from ledger.bank_lines l join ledger.bank_accounts b on b.id = l.bank_account_id
  where l.company_id = p_company and l.id = p_line
$$;

-- book_lines is the postings to a bank's account after it opens that count: of
-- journals that are reversed and that reverse, neither does.
create function ledger.book_lines(p_bank uuid)
returns table (journal_id uuid, line int, date date, amount numeric, number text, narration text, contact_id uuid,
  matched boolean)
language sql stable as $$
  select l.journal_id, l.line, l.date, l.amount, j.number, j.narration,
    coalesce(l.contact_id, (select o.contact_id from ledger.journal_lines o
      where o.journal_id = j.id and o.contact_id is not null limit 1)),
    exists (select from ledger.bank_matches m where m.journal_id = l.journal_id and m.line = l.line)
  from ledger.bank_accounts b
  join ledger.journal_lines l on l.company_id = b.company_id and l.account_id = b.account_id and l.date > b.opens
  join ledger.journals j on j.id = l.journal_id
  where b.id = p_bank and j.reverses is null
    and not exists (select from ledger.journals r where r.reverses = j.id)
$$;

-- match_candidates is the unmatched postings of the same amount within ten days
-- of each unmatched line, best first. The score is 50 for the amount, up to 20
-- for the date, 20 for a number or reference that the narration shows, and 10
-- for a word of the contact's name in it.
create function ledger.match_candidates(p_bank uuid, p_line uuid default null)
returns table (bank_line_id uuid, journal_id uuid, line int, date date, number text, narration text, amount numeric,
  score int)
language sql stable as $$
  select s.id, k.journal_id, k.line, k.date, k.number, k.narration, k.amount,
    50 + 20 - 2 * abs(k.date - s.date)
      + case when position(ledger.number_key(k.number) in ledger.number_key(s.narration || s.reference)) > 0
          or (length(ledger.number_key(s.reference)) >= 6
            and position(ledger.number_key(s.reference) in ledger.number_key(k.narration)) > 0) then 20 else 0 end
      + case when exists (select from ledger.contacts c, regexp_split_to_table(lower(c.name), '[^a-z0-9]+') w
          where c.id = k.contact_id and length(w) > 3 and position(w in lower(s.narration)) > 0) then 10 else 0 end
  from ledger.bank_lines s
  join ledger.book_lines(p_bank) k on k.amount = s.amount and not k.matched and abs(k.date - s.date) <= 10
  where s.bank_account_id = p_bank and s.status = 'unmatched' and (p_line is null or s.id = p_line)
$$;

-- match_line ties a line to postings of the same sum. p_numbers are those of
-- the journals or their documents; without them it takes the one posting that
-- fits best, if no other fits as well.
create function ledger.match_line(p_company uuid, p_line uuid, p_numbers text[] default null) returns jsonb
language plpgsql as $$
declare
  v ledger.bank_lines;
  v_sum numeric;
  v_missing text;
  v_best int;
  v_journal uuid;
  v_row int;
  v_count int;
begin
  select * into v from ledger.bank_lines where company_id = p_company and id = p_line for update;
  if v.id is null then
    perform ledger.fail('LG404', 'There is no such line of a statement.');
  elsif v.status = 'matched' then
    perform ledger.fail('LG409', 'The line is matched already; undo that first.');
  end if;
  if coalesce(cardinality(p_numbers), 0) = 0 then
    select max(score) into v_best from ledger.match_candidates(v.bank_account_id, p_line);
    select count(*), min(journal_id::text)::uuid, min(line) into v_count, v_journal, v_row
    from ledger.match_candidates(v.bank_account_id, p_line) where score = v_best;
    if v_count = 0 then
      perform ledger.fail('LG404', 'No posting fits this line: record the payment or the expense first.');
    elsif v_count > 1 then
      perform ledger.fail('LG409', 'Several postings fit equally well: name one by its number.');
    end if;
    insert into ledger.bank_matches (bank_line_id, journal_id, line) values (p_line, v_journal, v_row);
  else
    select n into v_missing from unnest(p_numbers) n where not exists (
      select from ledger.book_lines(v.bank_account_id) k
      where ledger.number_key(k.number) = ledger.number_key(n) and not k.matched) limit 1;
    if v_missing is not null then
      perform ledger.fail('LG404', format('There is no unmatched posting %s on this account.', v_missing));
    end if;
    insert into ledger.bank_matches (bank_line_id, journal_id, line)
    select p_line, k.journal_id, k.line from ledger.book_lines(v.bank_account_id) k
    where not k.matched and ledger.number_key(k.number) in (select ledger.number_key(n) from unnest(p_numbers) n);
    select sum(l.amount) into v_sum
    from ledger.bank_matches m join ledger.journal_lines l using (journal_id, line) where m.bank_line_id = p_line;
    if v_sum <> v.amount then
      perform ledger.fail('LG422', format('The postings sum to ₹%s, the line is ₹%s.', v_sum, v.amount));
    end if;
  end if;
  update ledger.bank_lines set status = 'matched' where id = p_line;
  perform ledger.note(p_company, 'match', 'bank_line', p_line, null);
  return ledger.bank_line(p_company, p_line);
end $$;

create function ledger.unmatch_line(p_company uuid, p_line uuid) returns jsonb
language plpgsql as $$
begin
  update ledger.bank_lines set status = 'unmatched'
  where company_id = p_company and id = p_line and status = 'matched';
  if not found then
    perform ledger.fail('LG404', 'There is no such matched line of a statement.');
  end if;
  delete from ledger.bank_matches where bank_line_id = p_line;
  perform ledger.note(p_company, 'unmatch', 'bank_line', p_line, null);
  return ledger.bank_line(p_company, p_line);
end $$;

-- match_statement matches, one after another, the lines whose best candidate is
-- better than every other of that line and of that posting, from p_least on.
-- Returns {"matched", "left"}.
create function ledger.match_statement(p_company uuid, p_bank uuid, p_least int default 60) returns jsonb
language plpgsql as $$
declare
  v_matched int;
begin
  perform from ledger.bank_accounts where company_id = p_company and id = p_bank for update;
  if not found then
    perform ledger.fail('LG404', 'There is no such bank account.');
  end if;
  with c as (
    select *, rank() over (partition by bank_line_id order by score desc) as of_line,
      rank() over (partition by journal_id, line order by score desc) as of_posting,
      count(*) over (partition by bank_line_id, score) as lines_alike,
      count(*) over (partition by journal_id, line, score) as postings_alike
    from ledger.match_candidates(p_bank) where score >= p_least
  ), put as (
    insert into ledger.bank_matches (bank_line_id, journal_id, line)
    select bank_line_id, journal_id, line from c
    where of_line = 1 and of_posting = 1 and lines_alike = 1 and postings_alike = 1
    returning bank_line_id
  ), done as (
    update ledger.bank_lines l set status = 'matched' from put where l.id = put.bank_line_id returning 1
  )
  select count(*) into v_matched from done;
  perform ledger.note(p_company, 'match', 'bank_statement', p_bank, null, jsonb_build_object('matched', v_matched));
  return jsonb_build_object('matched', v_matched, 'left',
    (select count(*) from ledger.bank_lines where bank_account_id = p_bank and status = 'unmatched'));
end $$;

-- post_line records what a line was as a journal between the bank and another
-- account, such as bank charges, and matches the two.
create function ledger.post_line(p_company uuid, p_line uuid, p_account text, p_narration text default null)
returns jsonb
language plpgsql as $$
declare
  v ledger.bank_lines;
  v_bank uuid;
  v_journal uuid;
begin
  select * into v from ledger.bank_lines where company_id = p_company and id = p_line for update;
  if v.id is null then
    perform ledger.fail('LG404', 'There is no such line of a statement.');
  elsif v.status <> 'unmatched' then
    perform ledger.fail('LG409', format('The line is %s already.', v.status));
  end if;
  select account_id into v_bank from ledger.bank_accounts where id = v.bank_account_id;
  if v_bank = ledger.account_id(p_company, p_account) then
    perform ledger.fail('LG422', 'The other account cannot be the bank''s own.');
  end if;
  v_journal := ledger.post(p_company, v.date, coalesce(nullif(trim(p_narration), ''), v.narration), 'bank',
    jsonb_build_array(jsonb_build_object('account', v_bank, 'amount', v.amount),
      jsonb_build_object('account', p_account, 'amount', -v.amount)), p_line);
  insert into ledger.bank_matches (bank_line_id, journal_id, line) values (p_line, v_journal, 1);
  update ledger.bank_lines set status = 'matched' where id = p_line;
  perform ledger.note(p_company, 'create', 'bank_posting', v_journal, null);
  return ledger.bank_line(p_company, p_line);
end $$;

-- update_bank_line changes note and status of a line that is not matched:
-- {"note", "status": "unmatched" or "excluded"}.
create function ledger.update_bank_line(p_company uuid, p_line uuid, p jsonb) returns jsonb
language plpgsql as $$
declare
  v ledger.bank_lines;
begin
  select * into v from ledger.bank_lines where company_id = p_company and id = p_line for update;
  if v.id is null then
    perform ledger.fail('LG404', 'There is no such line of a statement.');
  elsif p ? 'status' and coalesce(p->>'status', '') not in ('unmatched', 'excluded') then
    perform ledger.fail('LG422', 'The status of a line is set to unmatched or excluded.');
  elsif p ? 'status' and v.status = 'matched' then
    perform ledger.fail('LG409', 'The line is matched; undo that first.');
  end if;
  update ledger.bank_lines set note = coalesce(p->>'note', note), status = coalesce(p->>'status', status)
  where id = p_line;
  perform ledger.note(p_company, 'update', 'bank_line', p_line, null, p);
  return ledger.bank_line(p_company, p_line);
end $$;

-- reconciliation compares the statement with the books on a day:
--   statement = opening + lines
--   difference = (books - postings not on the statement) - (statement - lines not in the books)
-- which is the difference of the openings: 0 when the books began with the
-- bank's balance. Excluded lines count as lines not in the books.
create function ledger.reconciliation(p_company uuid, p_bank uuid, p_day date) returns jsonb
language sql stable as $$
  with b as (
    select * from ledger.bank_accounts where company_id = p_company and id = p_bank
  ), s as (
    select coalesce(sum(l.amount), 0) as total,
      coalesce(sum(l.amount) filter (where l.status <> 'matched'), 0) as open,
      count(*) filter (where l.status = 'unmatched') as unmatched, count(*) as lines, max(l.date) as last
    from b left join ledger.bank_lines l on l.bank_account_id = b.id and l.date <= p_day
  ), k as (
    select coalesce(sum(l.amount), 0) as total
    from b left join ledger.journal_lines l on l.company_id = b.company_id and l.account_id = b.account_id
      and l.date <= p_day
  ), o as (
    -- Matched with a line after the day: not yet on the statement.
    select coalesce(sum(l.amount), 0) as open, count(*) as postings
    from b cross join ledger.book_lines(b.id) l
    where l.date <= p_day and not exists (select from ledger.bank_matches m
      join ledger.bank_lines bl on bl.id = m.bank_line_id
      where m.journal_id = l.journal_id and m.line = l.line and bl.date <= p_day)
  ), ahead as (
    -- On the statement by the day, in the books after it.
    select coalesce(sum(jl.amount), 0) as open
    from b join ledger.bank_lines bl on bl.bank_account_id = b.id and bl.date <= p_day and bl.status = 'matched'
    join ledger.bank_matches m on m.bank_line_id = bl.id
    join ledger.journal_lines jl using (journal_id, line) where jl.date > p_day
  )
  select jsonb_build_object('bank_account', b.name, 'as_of', p_day, 'statement_balance', b.opening + s.total,
    'book_balance', k.total, 'lines', s.lines, 'unmatched_lines', s.unmatched,
    'lines_not_in_books', s.open + ahead.open, 'unmatched_postings', o.postings,
    'postings_not_on_statement', o.open, 'last_line', s.last,
    'difference', (k.total - o.open) - (b.opening + s.total - s.open - ahead.open))
  from b, s, k, o, ahead
$$;

-- A posting that the bank has confirmed is not reversed behind its back.
create function ledger.guard_matched() returns trigger
language plpgsql as $$
begin
  if exists (select from ledger.bank_matches where journal_id = new.reverses) then
    perform ledger.fail('LG409', format('%s is reconciled with the bank; undo that first.', new.number));
  end if;
  return new;
end $$;
create trigger guard_matched before insert on ledger.journals
  for each row when (new.reverses is not null) execute function ledger.guard_matched();
