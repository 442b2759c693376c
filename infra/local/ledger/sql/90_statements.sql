-- The statements: functions of the postings. Days are inclusive. Amounts have the
-- sign that a reader expects: income and expenses, assets and liabilities positive.

-- trial_balance has one row per account with postings up to p_to. Income and
-- expenses count from the financial year of p_from; what earlier years earned is in
-- the retained earnings. opening and closing are debit positive; the sum of each
-- is zero, and debit and credit have the same sum.
create function ledger.trial_balance(p_company uuid, p_from date, p_to date)
returns table (code text, name text, type text, "group" text, opening numeric, debit numeric, credit numeric,
    closing numeric)
language sql stable as $$
  -- The first of the year once, not per line.
  with sums as (
    select l.account_id,
      coalesce(sum(l.amount) filter (where l.date < (select ledger.fy_start(p_from))), 0.00) as before_year,
      coalesce(sum(l.amount) filter (where l.date >= (select ledger.fy_start(p_from)) and l.date < p_from),
          0) as in_year,
      coalesce(sum(l.amount) filter (where l.date >= p_from and l.amount > 0), 0.00) as debit,
      coalesce(-sum(l.amount) filter (where l.date >= p_from and l.amount < 0), 0.00) as credit
    from ledger.journal_lines l
    where l.company_id = p_company and l.date <= p_to
    group by l.account_id
  ), rows as (
    select a.*, coalesce(s.in_year, 0.00) + case
        when a.type in ('income', 'expense') then 0.00
        when a.role = 'retained_earnings' then coalesce(s.before_year, 0.00) + (
          select coalesce(sum(p.before_year), 0.00) from sums p join ledger.accounts b on b.id = p.account_id
          where b.type in ('income', 'expense'))
        else coalesce(s.before_year, 0.00) end as opening, coalesce(s.debit, 0.00) as debit, coalesce(s.credit,
            0.00) as credit
    from ledger.accounts a left join sums s on s.account_id = a.id
    where a.company_id = p_company
  )
  select r.code, r.name, r.type, r."group", r.opening, r.debit, r.credit, r.opening + r.debit - r.credit
  from rows r
  where r.opening <> 0 or r.debit <> 0 or r.credit <> 0
  order by r.code
$$;

-- profit_section is the part of the profit and loss of an account, null for others.
create function ledger.profit_section(p_type text, p_group text) returns text
language sql immutable parallel safe as $$
  select case
    when p_type = 'income' then case p_group when 'Revenue' then 'revenue' else 'other_income' end
    when p_type = 'expense' then case p_group when 'Cost of sales' then 'cost_of_sales' else 'expenses' end
  end
$$;

-- profit_loss has one row per account of income or expense with postings between
-- the days. section is revenue, cost_of_sales, other_income or expenses.
create function ledger.profit_loss(p_company uuid, p_from date, p_to date)
returns table (section text, "group" text, code text, name text, amount numeric)
language sql stable as $$
  select s.section, a."group", a.code, a.name, case a.type when 'income' then -s.amount else s.amount end
  from (
    select l.account_id, sum(l.amount) as amount, ledger.profit_section(b.type, b."group") as section
    from ledger.journal_lines l join ledger.accounts b on b.id = l.account_id
    where l.company_id = p_company and l.date between p_from and p_to and b.type in ('income', 'expense')
    group by l.account_id, b.type, b."group"
  ) s join ledger.accounts a on a.id = s.account_id
  where s.amount <> 0
  order by array_position('{revenue,cost_of_sales,other_income,expenses}', s.section), a.code
$$;

-- monthly has one row per month that p_from to p_to touches, with what falls
-- between the days: profit and loss, and the movement of bank and cash.
create function ledger.monthly(p_company uuid, p_from date, p_to date)
returns table (month date, revenue numeric, other_income numeric, cost_of_sales numeric, gross_profit numeric,
  expenses numeric, net_profit numeric, cash_in numeric, cash_out numeric, cash_flow numeric)
language sql stable as $$
  with sums as (
    select date_trunc('month', l.date)::date as month,
      coalesce(-sum(l.amount) filter (where s.section = 'revenue'), 0.00) as revenue,
      coalesce(-sum(l.amount) filter (where s.section = 'other_income'), 0.00) as other_income,
      coalesce(sum(l.amount) filter (where s.section = 'cost_of_sales'), 0.00) as cost_of_sales,
      coalesce(sum(l.amount) filter (where s.section = 'expenses'), 0.00) as expenses,
      coalesce(sum(l.amount) filter (where a.cash and l.amount > 0), 0.00) as cash_in,
      coalesce(-sum(l.amount) filter (where a.cash and l.amount < 0), 0.00) as cash_out
    from ledger.journal_lines l
    join ledger.accounts a on a.id = l.account_id,
    lateral (select ledger.profit_section(a.type, a."group") as section) s
    where l.company_id = p_company and l.date between p_from and p_to and (s.section is not null or a.cash)
    group by 1
  )
  select m::date, coalesce(s.revenue, 0.00), coalesce(s.other_income, 0.00), coalesce(s.cost_of_sales, 0.00),
    coalesce(s.revenue - s.cost_of_sales, 0.00), coalesce(s.expenses, 0.00),
    coalesce(s.revenue - s.cost_of_sales + s.other_income - s.expenses, 0.00), coalesce(s.cash_in, 0.00),
    coalesce(s.cash_out, 0.00), coalesce(s.cash_in - s.cash_out, 0.00)
  from generate_series(date_trunc('month', p_from::timestamp), p_to::timestamp, interval '1 month') m
  left join sums s on s.month = m::date
  order by 1
$$;

-- profit is profit_loss in one row.
create function ledger.profit(p_company uuid, p_from date, p_to date)
returns table (revenue numeric, cost_of_sales numeric, gross_profit numeric, other_income numeric, expenses numeric,
  net_profit numeric)
language sql stable as $$
  select coalesce(sum(revenue), 0.00), coalesce(sum(cost_of_sales), 0.00), coalesce(sum(gross_profit), 0.00),
    coalesce(sum(other_income), 0.00), coalesce(sum(expenses), 0.00), coalesce(sum(net_profit), 0.00)
  from ledger.monthly(p_company, p_from, p_to)
$$;

-- balance_sheet has one row per account with a balance at the end of a day, and
-- one for the profit of the financial year so far, which has no code. section is
-- assets, liabilities or equity: assets equal liabilities and equity.
create function ledger.balance_sheet(p_company uuid, p_as_of date)
returns table (section text, "group" text, code text, name text, amount numeric)
language sql stable as $$
  select case t.type when 'asset' then 'assets' when 'liability' then 'liabilities' else 'equity' end, t."group",
      t.code,
    t.name, case t.type when 'asset' then t.closing else -t.closing end
  from ledger.trial_balance(p_company, ledger.fy_start(p_as_of), p_as_of) t
  where t.type in ('asset', 'liability', 'equity') and t.closing <> 0
  union all
  select 'equity', 'Reserves', '', 'Profit for the year ' || ledger.fy_name(p_as_of), p.net_profit
  from ledger.profit(p_company, ledger.fy_start(p_as_of), p_as_of) p
  where p.net_profit <> 0
$$;

-- cash_flow, by the direct method: the accounts on the other side of each journal
-- that moves bank or cash. Its sum is the movement of the bank and cash accounts.
create function ledger.cash_flow(p_company uuid, p_from date, p_to date)
returns table (activity text, code text, name text, amount numeric)
language sql stable as $$
  with moving as (
    select distinct l.journal_id
    from ledger.journal_lines l join ledger.accounts a on a.id = l.account_id
    where l.company_id = p_company and l.date between p_from and p_to and a.cash
  )
  select a.activity, a.code, a.name, -sum(l.amount)
  from moving m
  join ledger.journal_lines l on l.journal_id = m.journal_id
  join ledger.accounts a on a.id = l.account_id
  where not a.cash
  group by a.activity, a.code, a.name
  having sum(l.amount) <> 0
  order by array_position('{operating,investing,financing}', a.activity), a.code
$$;

-- cash_position has one row per bank or cash account, at the end of a day.
create function ledger.cash_position(p_company uuid, p_as_of date)
returns table (code text, name text, balance numeric)
language sql stable as $$
  select a.code, a.name, coalesce(sum(l.amount), 0.00)
  from ledger.accounts a
  left join ledger.journal_lines l on l.account_id = a.id and l.company_id = a.company_id and l.date <= p_as_of
  where a.company_id = p_company and a.cash
  group by a.code, a.name
  order by a.code
$$;

-- account_balance is what an account holds at the end of a day, debit positive.
create function ledger.account_balance(p_company uuid, p_account text, p_as_of date) returns numeric
language sql stable as $$
  select coalesce(sum(amount), 0.00) from ledger.journal_lines
  where company_id = p_company and account_id = ledger.account_id(p_company, p_account) and date <= p_as_of
$$;

-- account_statement lists the postings of an account with the balance after each.
create function ledger.account_statement(p_company uuid, p_account text, p_from date, p_to date)
returns table (date date, number text, narration text, source text, contact text, debit numeric, credit numeric,
  balance numeric)
language sql stable as $$
  select j.date, j.number, j.narration, j.source, c.name, greatest(l.amount, 0), greatest(-l.amount, 0),
    ledger.account_balance(p_company, p_account, p_from - 1)
      + sum(l.amount) over (order by j.date, j.created_at, j.number, j.id, l.line)
  from ledger.journal_lines l
  join ledger.journals j on j.id = l.journal_id
  left join ledger.contacts c on c.id = l.contact_id
  where l.company_id = p_company and l.account_id = ledger.account_id(p_company, p_account)
    and l.date between p_from and p_to
  order by j.date, j.created_at, j.number, j.id, l.line
$$;
