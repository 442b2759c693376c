-- Reports: functions of the postings and documents. Days are inclusive. Amounts
-- have the sign that a reader expects: income and expenses, assets and liabilities
-- positive. ledger.ties compares what must be equal.

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
      coalesce(sum(l.amount) filter (where l.date < (select ledger.fy_start(p_from))), 0) as before_year,
      coalesce(sum(l.amount) filter (where l.date >= (select ledger.fy_start(p_from)) and l.date < p_from),
          0) as in_year,
      coalesce(sum(l.amount) filter (where l.date >= p_from and l.amount > 0), 0) as debit,
      coalesce(-sum(l.amount) filter (where l.date >= p_from and l.amount < 0), 0) as credit
    from ledger.journal_lines l
    where l.company_id = p_company and l.date <= p_to
    group by l.account_id
  ), rows as (
    select a.*, coalesce(s.in_year, 0) + case
        when a.type in ('income', 'expense') then 0
        when a.role = 'retained_earnings' then coalesce(s.before_year, 0) + (
          select coalesce(sum(p.before_year), 0) from sums p join ledger.accounts b on b.id = p.account_id
          where b.type in ('income', 'expense'))
        else coalesce(s.before_year, 0) end as opening, coalesce(s.debit, 0) as debit, coalesce(s.credit, 0) as credit
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
      coalesce(-sum(l.amount) filter (where s.section = 'revenue'), 0) as revenue,
      coalesce(-sum(l.amount) filter (where s.section = 'other_income'), 0) as other_income,
      coalesce(sum(l.amount) filter (where s.section = 'cost_of_sales'), 0) as cost_of_sales,
      coalesce(sum(l.amount) filter (where s.section = 'expenses'), 0) as expenses,
      coalesce(sum(l.amount) filter (where a.cash and l.amount > 0), 0) as cash_in,
      coalesce(-sum(l.amount) filter (where a.cash and l.amount < 0), 0) as cash_out
    from ledger.journal_lines l
    join ledger.accounts a on a.id = l.account_id,
    lateral (select ledger.profit_section(a.type, a."group") as section) s
    where l.company_id = p_company and l.date between p_from and p_to and (s.section is not null or a.cash)
    group by 1
  )
  select m::date, coalesce(s.revenue, 0), coalesce(s.other_income, 0), coalesce(s.cost_of_sales, 0),
    coalesce(s.revenue - s.cost_of_sales, 0), coalesce(s.expenses, 0),
    coalesce(s.revenue - s.cost_of_sales + s.other_income - s.expenses, 0), coalesce(s.cash_in, 0),
    coalesce(s.cash_out, 0), coalesce(s.cash_in - s.cash_out, 0)
  from generate_series(date_trunc('month', p_from::timestamp), p_to::timestamp, interval '1 month') m
  left join sums s on s.month = m::date
  order by 1
$$;

-- profit is profit_loss in one row.
create function ledger.profit(p_company uuid, p_from date, p_to date)
returns table (revenue numeric, cost_of_sales numeric, gross_profit numeric, other_income numeric, expenses numeric,
  net_profit numeric)
language sql stable as $$
  select coalesce(sum(revenue), 0), coalesce(sum(cost_of_sales), 0), coalesce(sum(gross_profit), 0),
    coalesce(sum(other_income), 0), coalesce(sum(expenses), 0), coalesce(sum(net_profit), 0)
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
  select a.code, a.name, coalesce(sum(l.amount), 0)
  from ledger.accounts a
  left join ledger.journal_lines l on l.account_id = a.id and l.company_id = a.company_id and l.date <= p_as_of
  where a.company_id = p_company and a.cash
  group by a.code, a.name
  order by a.code
$$;

-- account_balance is what an account holds at the end of a day, debit positive.
create function ledger.account_balance(p_company uuid, p_account text, p_as_of date) returns numeric
language sql stable as $$
  select coalesce(sum(amount), 0) from ledger.journal_lines
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

-- aged_items has the invoices (p_side receivable) or bills (payable) that were
-- open at the end of a day. Due that day is not overdue.
create function ledger.aged_items(p_company uuid, p_side text, p_as_of date)
returns table (contact_id uuid, contact_code text, contact text, document_id uuid, number text, vendor_number text,
  date date, due_date date, total numeric, balance numeric, days_overdue int, bucket text)
language sql stable as $$
  select c.id, c.code, c.name, d.id, d.number, d.vendor_number, d.date, d.due_date, d.total, d.open,
    greatest(p_as_of - d.due_date, 0), case
      when p_as_of <= d.due_date then 'not_due'
      when p_as_of - d.due_date <= 30 then '1-30'
      when p_as_of - d.due_date <= 60 then '31-60'
      when p_as_of - d.due_date <= 90 then '61-90'
      else '90+' end
  from (
    select o.*, o.due_amount - coalesce((select sum(x.amount) from ledger.allocations x
      where x.document_id = o.id and not x.void and x.date <= p_as_of), 0) as open
    from ledger.documents o
    where o.company_id = p_company and o.kind = case p_side when 'receivable' then 'invoice' when 'payable'
        then 'bill' end
      and o.status = 'posted' and o.date <= p_as_of
  ) d
  join ledger.contacts c on c.id = d.contact_id
  where d.open > 0
  order by d.due_date, d.number
$$;

-- aged has one row per customer or vendor with open documents. The totals add up
-- to the balance of account receivable or payable.
create function ledger.aged(p_company uuid, p_side text, p_as_of date)
returns table (contact_code text, contact text, documents bigint, not_due numeric, days_1_30 numeric,
    days_31_60 numeric,
  days_61_90 numeric, days_over_90 numeric, overdue numeric, total numeric, oldest_due date)
language sql stable as $$
  select i.contact_code, i.contact, count(*),
    coalesce(sum(i.balance) filter (where i.bucket = 'not_due'), 0),
    coalesce(sum(i.balance) filter (where i.bucket = '1-30'), 0),
    coalesce(sum(i.balance) filter (where i.bucket = '31-60'), 0),
    coalesce(sum(i.balance) filter (where i.bucket = '61-90'), 0),
    coalesce(sum(i.balance) filter (where i.bucket = '90+'), 0),
    coalesce(sum(i.balance) filter (where i.bucket <> 'not_due'), 0),
    sum(i.balance), min(i.due_date)
  from ledger.aged_items(p_company, p_side, p_as_of) i
  group by i.contact_code, i.contact
  order by sum(i.balance) desc, i.contact_code
$$;

-- supplies has one row per posted document and rate of GST, notes negative. All
-- returns are sums of it.
create function ledger.supplies(p_company uuid, p_from date, p_to date)
returns table (outward boolean, document_id uuid, kind text, number text, date date, contact text, gstin text,
  place_of_supply text, supply text, reverse_charge boolean, value numeric, against text, rate numeric,
      taxable numeric,
  igst numeric, cgst numeric, sgst numeric, blocked numeric)
language sql stable as $$
  select d.kind in ('invoice', 'credit_note'), d.id, d.kind, d.number, d.date, c.name, d.gstin, d.place_of_supply,
    d.supply, d.reverse_charge, s.sign * d.total, a.number, l.gst_rate, s.sign * sum(l.taxable), s.sign * sum(l.igst),
    s.sign * sum(l.cgst), s.sign * sum(l.sgst),
    s.sign * coalesce(sum(l.igst + l.cgst + l.sgst) filter (where not l.itc), 0)
  from ledger.documents d
  join ledger.document_lines l on l.document_id = d.id
  join ledger.contacts c on c.id = d.contact_id
  left join ledger.documents a on a.id = d.against_id,
  lateral (select case when d.kind in ('credit_note', 'debit_note') then -1 else 1 end as sign) s
  where d.company_id = p_company and d.status = 'posted' and d.date between p_from and p_to
  group by d.id, c.name, a.number, l.gst_rate, s.sign
$$;

-- gstr1 has the outward supplies by table of the return: b2b (to registered
-- buyers), b2cl (large, to consumers of another state), b2cs (other consumers), exp
-- (exports), cdnr and cdnur (notes to registered buyers and to others).
create function ledger.gstr1(p_company uuid, p_from date, p_to date)
returns table (section text, number text, date date, contact text, gstin text, place_of_supply text, against text,
  value numeric, rate numeric, taxable numeric, igst numeric, cgst numeric, sgst numeric)
language sql stable as $$
  select x.section, s.number, s.date, s.contact, s.gstin, s.place_of_supply, s.against, s.value, s.rate, s.taxable,
    s.igst, s.cgst, s.sgst
  from ledger.supplies(p_company, p_from, p_to) s
  left join ledger.documents a on a.company_id = p_company and a.number = s.against and a.kind = 'invoice',
  lateral (select s.supply = 'inter'
    -- One lakh since August 2024, 2.5 lakh before.
    and coalesce(a.total, s.value) > case when coalesce(a.date, s.date) < '2024-08-01' then 250000
        else 100000 end as large) g,
  lateral (select case
    when s.kind = 'credit_note' and s.gstin is not null then 'cdnr'
    when s.kind = 'credit_note' and (g.large or s.supply = 'export') then 'cdnur'
    when s.supply = 'export' then 'exp'
    when s.gstin is not null then 'b2b'
    when g.large then 'b2cl'
    else 'b2cs' end as section) x
  where s.outward
  order by array_position('{b2b,b2cl,b2cs,exp,cdnr,cdnur}', x.section), s.date, s.number, s.rate
$$;

-- gstr1_hsn is the summary of outward supplies by HSN or SAC and rate.
create function ledger.gstr1_hsn(p_company uuid, p_from date, p_to date)
returns table (hsn_sac text, unit text, quantity numeric, rate numeric, taxable numeric, igst numeric, cgst numeric,
  sgst numeric)
language sql stable as $$
  select coalesce(l.hsn_sac, ''), min(l.unit), sum(s.sign * l.quantity), l.gst_rate, sum(s.sign * l.taxable),
    sum(s.sign * l.igst), sum(s.sign * l.cgst), sum(s.sign * l.sgst)
  from ledger.documents d
  join ledger.document_lines l on l.document_id = d.id,
  lateral (select case d.kind when 'credit_note' then -1 else 1 end as sign) s
  where d.company_id = p_company and d.status = 'posted' and d.kind in ('invoice', 'credit_note')
    and d.date between p_from and p_to
  group by coalesce(l.hsn_sac, ''), l.gst_rate
  order by 1, 4
$$;

-- gstr3b has the lines of tables 3.1 and 4 of the return. 4(A)(5) is all credit of
-- bills, 4(B)(1) what of it the law blocks, 4(C) what is left to use.
create function ledger.gstr3b(p_company uuid, p_from date, p_to date)
returns table (line text, description text, taxable numeric, igst numeric, cgst numeric, sgst numeric)
language sql stable as $$
  with s as materialized (select * from ledger.supplies(p_company, p_from, p_to)), blocked as (
    select coalesce(sum(k.sign * l.igst), 0) as igst, coalesce(sum(k.sign * l.cgst), 0) as cgst,
      coalesce(sum(k.sign * l.sgst), 0) as sgst, coalesce(sum(k.sign * l.taxable), 0) as taxable
    from ledger.documents d join ledger.document_lines l on l.document_id = d.id and not l.itc,
    lateral (select case d.kind when 'debit_note' then -1 else 1 end as sign) k
    where d.company_id = p_company and d.status = 'posted' and d.kind in ('bill', 'debit_note')
      and d.date between p_from and p_to
  )
  select x.line, x.description, coalesce(x.taxable, 0), coalesce(x.igst, 0), coalesce(x.cgst, 0), coalesce(x.sgst, 0)
  from (
    select '3.1(a)' as line, 'Outward taxable supplies' as description, sum(taxable) as taxable, sum(igst) as igst,
      sum(cgst) as cgst, sum(sgst) as sgst from s where outward and supply <> 'export' and rate > 0
    union all
    select '3.1(b)', 'Outward zero-rated supplies', sum(taxable), sum(igst), sum(cgst), sum(sgst)
    from s where outward and supply = 'export'
    union all
    select '3.1(c)', 'Other outward supplies, nil-rated or exempt', sum(taxable), sum(igst), sum(cgst), sum(sgst)
    from s where outward and supply <> 'export' and rate = 0
    union all
    select '3.1(d)', 'Inward supplies liable to reverse charge', sum(taxable), sum(igst), sum(cgst), sum(sgst)
    from s where not outward and reverse_charge
    union all
    select '4(A)(3)', 'Credit of inward supplies liable to reverse charge', sum(taxable), sum(igst), sum(cgst),
        sum(sgst)
    from s where not outward and reverse_charge
    union all
    select '4(A)(5)', 'All other credit', sum(taxable), sum(igst), sum(cgst), sum(sgst)
    from s where not outward and not reverse_charge and rate > 0
    union all
    select '4(B)(1)', 'Credit reversed, blocked by section 17(5)', taxable, igst, cgst, sgst from blocked
    union all
    select '4(C)', 'Net credit available', null, sum(s.igst) - min(b.igst), sum(s.cgst) - min(b.cgst),
      sum(s.sgst) - min(b.sgst)
    from s, blocked b where not s.outward
  ) x
  order by x.line
$$;

-- gst_summary has one row per head of tax with what arose between the days: tax on
-- sales, tax on reverse charge, credit, and their difference.
create function ledger.gst_summary(p_company uuid, p_from date, p_to date)
returns table (head text, output numeric, reverse_charge numeric, credit numeric, net numeric)
language sql stable as $$
  select h.head, o.output, o.reverse, o.credit, o.output + o.reverse - o.credit
  from (values ('igst'), ('cgst'), ('sgst')) h (head),
  lateral (
    select coalesce(sum(x.tax) filter (where x.line like '3.1(_)' and x.line <> '3.1(d)'), 0) as output,
      coalesce(sum(x.tax) filter (where x.line = '3.1(d)'), 0) as reverse,
      coalesce(sum(x.tax) filter (where x.line = '4(C)'), 0) as credit
    from (select b.line, case h.head when 'igst' then b.igst when 'cgst' then b.cgst else b.sgst end as tax
      from ledger.gstr3b(p_company, p_from, p_to) b) x
  ) o
$$;

-- itc_summary has one row per vendor with the credit of its bills.
create function ledger.itc_summary(p_company uuid, p_from date, p_to date)
returns table (contact text, gstin text, documents bigint, taxable numeric, igst numeric, cgst numeric, sgst numeric,
  blocked numeric, eligible numeric)
language sql stable as $$
  select s.contact, s.gstin, count(distinct s.document_id), sum(s.taxable), sum(s.igst), sum(s.cgst), sum(s.sgst),
    sum(s.blocked), sum(s.igst + s.cgst + s.sgst - s.blocked)
  from ledger.supplies(p_company, p_from, p_to) s
  where not s.outward and s.rate > 0
  group by s.contact, s.gstin
  order by sum(s.igst + s.cgst + s.sgst) desc, s.contact
$$;

-- gst_setoff is how the credit at the end of a day pays the tax (CGST Act, section
-- 49, and rule 88A): IGST credit goes to IGST, then CGST, then SGST; CGST and SGST
-- credit to their own head, then to IGST, never to each other. Tax on reverse
-- charge is paid in cash.
create function ledger.gst_setoff(p_company uuid, p_as_of date)
returns table (head text, liability numeric, from_igst numeric, from_cgst numeric, from_sgst numeric, cash numeric)
language plpgsql stable as $$
declare
  li numeric := greatest(-ledger.account_balance(p_company, 'output_igst', p_as_of), 0);
  lc numeric := greatest(-ledger.account_balance(p_company, 'output_cgst', p_as_of), 0);
  ls numeric := greatest(-ledger.account_balance(p_company, 'output_sgst', p_as_of), 0);
  ci numeric := greatest(ledger.account_balance(p_company, 'input_igst', p_as_of), 0);
  cc numeric := greatest(ledger.account_balance(p_company, 'input_cgst', p_as_of), 0);
  cs numeric := greatest(ledger.account_balance(p_company, 'input_sgst', p_as_of), 0);
  ii numeric := least(li, ci);
  ic numeric := least(lc, ci - ii);
  iss numeric := least(ls, ci - ii - ic);
  c2 numeric := least(lc - ic, cc);
  ci2 numeric := least(li - ii, cc - c2);
  s2 numeric := least(ls - iss, cs);
  si2 numeric := least(li - ii - ci2, cs - s2);
begin
  return query values
    ('igst', li, ii, ci2, si2, li - ii - ci2 - si2),
    ('cgst', lc, ic, c2, 0.00, lc - ic - c2),
    ('sgst', ls, iss, 0.00, s2, ls - iss - s2),
    ('reverse_charge', -ledger.account_balance(p_company, 'reverse_charge', p_as_of), 0.00, 0.00, 0.00,
      -ledger.account_balance(p_company, 'reverse_charge', p_as_of));
end $$;

-- pay_gst posts the set-off of the balances at the end of a month and the payment
-- of the rest, on a later day. Returns the journal, or null where nothing is due.
create function ledger.pay_gst(p_company uuid, p_month date, p_date date) returns uuid
language plpgsql as $$
declare
  v_end date := (date_trunc('month', p_month) + interval '1 month')::date - 1;
  v_lines jsonb;
begin
  select jsonb_agg(jsonb_build_object('account', l.account, 'amount', l.amount)) into v_lines
  from (
    select x.account, sum(x.amount) as amount from ledger.gst_setoff(p_company, v_end) s, lateral (values
      (case s.head when 'reverse_charge' then s.head else 'output_' || s.head end, s.liability),
      ('input_igst', -s.from_igst), ('input_cgst', -s.from_cgst), ('input_sgst', -s.from_sgst), ('bank', -s.cash)
    ) x (account, amount)
    group by x.account order by x.account
  ) l where l.amount <> 0;
  if v_lines is null then
    return null;
  end if;
  return ledger.post(p_company, p_date, 'GST for ' || to_char(v_end, 'FMMonth YYYY'), 'tax', v_lines);
end $$;

-- revenue_breakdown divides what was invoiced, less notes and without tax, by
-- customer, product, month, state or hsn.
create function ledger.revenue_breakdown(p_company uuid, p_from date, p_to date, p_by text)
returns table (label text, amount numeric, share_percent numeric, documents bigint)
language plpgsql stable as $$
begin
  if p_by is null or p_by not in ('customer', 'product', 'month', 'state', 'hsn') then
    perform ledger.fail('LG422', 'Revenue is broken down by customer, product, month, state or hsn.');
  end if;
  return query
  select x.label, x.amount, round(100 * x.amount / nullif(sum(x.amount) over (), 0), 1), x.documents
  from (
    select case p_by when 'customer' then c.name when 'product' then l.description
        when 'month' then to_char(d.date, 'YYYY-MM') when 'state' then t.name else coalesce(l.hsn_sac,
            'none') end as label,
      sum(case d.kind when 'invoice' then l.taxable else -l.taxable end) as amount,
      count(distinct d.id) as documents
    from ledger.documents d
    join ledger.document_lines l on l.document_id = d.id
    join ledger.contacts c on c.id = d.contact_id
    join ledger.states t on t.code = d.place_of_supply
    where d.company_id = p_company and d.status = 'posted' and d.kind in ('invoice', 'credit_note')
      and d.date between p_from and p_to
    group by 1
  ) x
  order by case p_by when 'month' then x.label end, x.amount desc, x.label;
end $$;

-- expense_breakdown divides the cost of sales and the expenses by account, group
-- or month; by vendor, what vendors billed less notes, without tax.
create function ledger.expense_breakdown(p_company uuid, p_from date, p_to date, p_by text)
returns table (label text, amount numeric, share_percent numeric)
language plpgsql stable as $$
begin
  if p_by is null or p_by not in ('account', 'group', 'month', 'vendor') then
    perform ledger.fail('LG422', 'Expenses are broken down by account, group, month or vendor.');
  end if;
  return query
  select x.label, x.amount, round(100 * x.amount / nullif(sum(x.amount) over (), 0), 1)
  from (
    select case p_by when 'account' then a.name when 'group' then a."group" else to_char(l.date,
        'YYYY-MM') end as label,
      sum(l.amount) as amount
    from ledger.journal_lines l join ledger.accounts a on a.id = l.account_id
    where l.company_id = p_company and l.date between p_from and p_to and a.type = 'expense' and p_by <> 'vendor'
    group by 1
    union all
    select s.contact, sum(s.taxable) from ledger.supplies(p_company, p_from, p_to) s
    where not s.outward and p_by = 'vendor'
    group by 1
  ) x
  where x.amount <> 0
  order by case p_by when 'month' then x.label end, x.amount desc, x.label;
end $$;

-- percent is the change from p_was to p_is, null where it has no meaning.
create function ledger.percent(p_is numeric, p_was numeric) returns numeric
language sql immutable parallel safe as $$
  select case when p_was > 0 then round(100 * (p_is - p_was) / p_was, 1) end
$$;

-- kpis has the key figures of a span of days, and the change from the span of the
-- same length before it. dso is the average number of days until customers pay,
-- runway_months how long the cash lasts at the net outflow of the last three whole
-- months (null when cash grows).
create function ledger.kpis(p_company uuid, p_from date, p_to date) returns jsonb
language sql stable as $$
  with spans as (
    select ledger.profit(p_company, p_from, p_to) as now,
      ledger.profit(p_company, p_from - (p_to - p_from + 1), p_from - 1) as before
  ), cash as (
    select coalesce(sum(balance), 0) as balance from ledger.cash_position(p_company, p_to)
  ), burn as (
    select coalesce(-sum(cash_flow) / 3, 0) as monthly from ledger.monthly(p_company,
      (date_trunc('month', p_to) - interval '3 months')::date, date_trunc('month', p_to)::date - 1)
  ), ageing as (
    select coalesce(sum(total), 0) as ar, coalesce(sum(overdue), 0) as overdue
    from ledger.aged(p_company, 'receivable', p_to)
  ), payable as (
    select coalesce(sum(total), 0) as ap, coalesce(sum(overdue), 0) as overdue
    from ledger.aged(p_company, 'payable', p_to)
  )
  select jsonb_build_object(
    'from', p_from, 'to', p_to,
    'revenue', (now).revenue, 'expenses', (now).cost_of_sales + (now).expenses,
    'gross_profit', (now).gross_profit, 'net_profit', (now).net_profit,
    'gross_margin_percent', round(100 * (now).gross_profit / nullif((now).revenue, 0), 1),
    'net_margin_percent', round(100 * (now).net_profit / nullif((now).revenue, 0), 1),
    'cash', cash.balance,
    'cash_flow', (select coalesce(sum(cash_flow), 0) from ledger.monthly(p_company, p_from, p_to)),
    'receivables', ageing.ar, 'receivables_overdue', ageing.overdue,
    'payables', payable.ap, 'payables_overdue', payable.overdue,
    'dso_days', round(ageing.ar * (p_to - p_from + 1) / nullif((now).revenue, 0), 0),
    'revenue_growth_percent', ledger.percent((now).revenue, (before).revenue),
    'profit_growth_percent', ledger.percent((now).net_profit, (before).net_profit),
    'runway_months', case when burn.monthly > 0 then round(cash.balance / burn.monthly, 1) end)
  from spans, cash, burn, ageing, payable
$$;

-- compare sets the figures of two spans of days side by side.
create function ledger.compare(p_company uuid, p_from date, p_to date, p_from_before date, p_to_before date)
returns table (metric text, current numeric, previous numeric, change numeric, change_percent numeric)
language sql stable as $$
  with c as (
    select coalesce(sum(cash_flow), 0) as cash_flow from ledger.monthly(p_company, p_from, p_to)
  ), b as (
    select coalesce(sum(cash_flow), 0) as cash_flow from ledger.monthly(p_company, p_from_before, p_to_before)
  )
  select x.metric, x.is, x.was, x.is - x.was, ledger.percent(x.is, x.was)
  from ledger.profit(p_company, p_from, p_to) i, ledger.profit(p_company, p_from_before, p_to_before) w, c, b,
  lateral (values
    (1, 'revenue', i.revenue, w.revenue), (2, 'cost_of_sales', i.cost_of_sales, w.cost_of_sales),
    (3, 'gross_profit', i.gross_profit, w.gross_profit), (4, 'other_income', i.other_income, w.other_income),
    (5, 'expenses', i.expenses, w.expenses), (6, 'net_profit', i.net_profit, w.net_profit),
    (7, 'cash_flow', c.cash_flow, b.cash_flow)) x (n, metric, "is", was)
  order by x.n
$$;

-- compare_periods compares the month (mom), the quarter (qoq) or the financial year
-- (yoy) up to a day with as much of the one before.
create function ledger.compare_periods(p_company uuid, p_mode text, p_as_of date)
returns table (from_date date, to_date date, previous_from date, previous_to date, metric text, current numeric,
  previous numeric, change numeric, change_percent numeric)
language plpgsql stable as $$
declare
  v_from date := case p_mode when 'mom' then date_trunc('month', p_as_of) when 'qoq' then date_trunc('quarter',
      p_as_of)
    when 'yoy' then ledger.fy_start(p_as_of) end;
  v_back interval := case p_mode when 'mom' then interval '1 month' when 'qoq' then interval '3 months'
    else interval '1 year' end;
  v_before date := v_from - v_back;
  v_to date := (p_as_of - v_back)::date;
begin
  if v_from is null then
    perform ledger.fail('LG422', 'Periods are compared by mom, qoq or yoy.');
  end if;
  -- The end of a month is compared with the end of a month.
  if extract(day from p_as_of + 1) = 1 then
    v_to := (date_trunc('month', v_to) + interval '1 month')::date - 1;
  end if;
  return query select v_from, p_as_of, v_before, v_to, c.* from ledger.compare(p_company, v_from, p_as_of, v_before,
      v_to) c;
end $$;

-- trend has a figure of ledger.monthly for the last whole months before a day, and
-- its change from the month before.
create function ledger.trend(p_company uuid, p_metric text, p_months int, p_as_of date)
returns table (month date, amount numeric, change_percent numeric)
language plpgsql stable as $$
declare
  v_this date := date_trunc('month', p_as_of);
begin
  if p_metric is null or p_metric not in ('revenue', 'other_income', 'cost_of_sales', 'gross_profit', 'expenses',
      'net_profit', 'cash_in', 'cash_out', 'cash_flow') then
    perform ledger.fail('LG422', 'A trend is of revenue, other_income, cost_of_sales, gross_profit, expenses, '
      || 'net_profit, cash_in, cash_out or cash_flow.');
  elsif p_months is null or p_months not between 1 and 60 then
    perform ledger.fail('LG422', 'A trend has 1 to 60 months.');
  end if;
  return query
  select t.month, t.amount, t.change_percent
  from (
    select m.month, (to_jsonb(m)->>p_metric)::numeric as amount,
      ledger.percent((to_jsonb(m)->>p_metric)::numeric, (lag(to_jsonb(m)->>p_metric) over (order by m.month))::numeric)
        as change_percent
    from ledger.monthly(p_company, (v_this - make_interval(months => p_months + 1))::date, v_this - 1) m
  ) t
  where t.month >= v_this - make_interval(months => p_months)
  order by t.month;
end $$;

-- forecast continues the straight line of least squares through the last twelve
-- whole months for p_months months, the current one first.
create function ledger.forecast(p_company uuid, p_metric text, p_months int, p_as_of date)
returns table (month date, amount numeric)
language plpgsql stable as $$
begin
  if p_months is null or p_months not between 1 and 24 then
    perform ledger.fail('LG422', 'A forecast has 1 to 24 months.');
  end if;
  return query
  with line as (
    select coalesce(regr_slope(t.amount, t.n), 0) as slope, coalesce(regr_intercept(t.amount, t.n),
        avg(t.amount)) as base
    from (select h.amount, row_number() over (order by h.month) as n from ledger.trend(p_company, p_metric, 12,
        p_as_of) h) t
  )
  select (date_trunc('month', p_as_of) + make_interval(months => i - 1))::date, round((base + slope * (12
      + i))::numeric, 2)
  from line, generate_series(1, p_months) i;
end $$;

-- forecast_cash_flow expects open invoices to be paid and open bills to be due in
-- the month of their due date, what is overdue in the current month, and of all
-- other movements the average of the last six whole months. The current month is
-- the rest of it, counted as a whole month for the average.
create function ledger.forecast_cash_flow(p_company uuid, p_months int, p_as_of date)
returns table (month date, opening numeric, receipts numeric, payments numeric, other numeric, closing numeric)
language plpgsql stable as $$
declare
  v_this date := date_trunc('month', p_as_of);
begin
  if p_months is null or p_months not between 1 and 24 then
    perform ledger.fail('LG422', 'A forecast has 1 to 24 months.');
  end if;
  return query
  with months as (
    select (v_this + make_interval(months => i))::date as m from generate_series(0, p_months - 1) i
  ), open as (
    select greatest(date_trunc('month', due_date)::date, v_this) as m, balance, 1 as sign
    from ledger.aged_items(p_company, 'receivable', p_as_of)
    union all
    select greatest(date_trunc('month', due_date)::date, v_this), balance, -1
    from ledger.aged_items(p_company, 'payable', p_as_of)
  ), rest as (
    select round(coalesce(sum(f.amount), 0) / 6, 2) as monthly
    from ledger.cash_flow(p_company, (v_this - interval '6 months')::date, v_this - 1) f
    where f.code not in (select code from ledger.accounts
      where company_id = p_company and role in ('receivable', 'payable'))
  ), flows as (
    select t.m, coalesce((select sum(o.balance) from open o where o.m = t.m and o.sign = 1), 0) as received,
      coalesce((select sum(o.balance) from open o where o.m = t.m and o.sign = -1), 0) as paid, r.monthly
    from months t, rest r
  )
  select f.m, c.cash + sum(f.received - f.paid + f.monthly) over w - (f.received - f.paid + f.monthly), f.received,
      f.paid,
    f.monthly, c.cash + sum(f.received - f.paid + f.monthly) over w
  from flows f, (select coalesce(sum(balance), 0) as cash from ledger.cash_position(p_company, p_as_of)) c
  window w as (order by f.m)
  order by f.m;
end $$;

-- anomalies are the expenses of a month, in the last p_months months, that are
-- at least twice what the account had on average in those of the six months before
-- in which it had any.
create function ledger.anomalies(p_company uuid, p_months int, p_as_of date)
returns table (month date, code text, name text, amount numeric, average numeric, times numeric)
language sql stable as $$
  with spent as (
    select a.id, a.code, a.name, m::date as month, coalesce(sum(l.amount), 0) as amount
    from ledger.accounts a
    cross join generate_series(date_trunc('month', p_as_of::timestamp) - make_interval(months => p_months + 5),
      p_as_of::timestamp, interval '1 month') m
    left join ledger.journal_lines l on l.company_id = p_company and l.account_id = a.id
      and l.date between m::date and least((m + interval '1 month')::date - 1, p_as_of)
    where a.company_id = p_company and a.type = 'expense' and a.role is distinct from 'inventory_change'
    group by a.id, m
  ), compared as (
    select s.*, avg(s.amount) filter (where s.amount > 0) over w as usual,
        count(*) filter (where s.amount > 0) over w as months
    from spent s
    window w as (partition by s.id order by s.month rows between 6 preceding and 1 preceding)
  )
  select c.month, c.code, c.name, c.amount, round(c.usual, 2), round(c.amount / c.usual, 1)
  from compared c
  where c.months >= 2 and c.amount >= 2 * c.usual
    and c.month > date_trunc('month', p_as_of) - make_interval(months => p_months)
  order by c.amount - c.usual desc
$$;

-- unapplied is what payments and notes of a kind left over at the end of a day.
create function ledger.unapplied(p_company uuid, p_payments text, p_notes text, p_as_of date) returns numeric
language sql stable as $$
  select coalesce(sum(u.amount - coalesce((select sum(x.amount) from ledger.allocations x
    where (x.payment_id = u.id or x.note_id = u.id) and not x.void and x.date <= p_as_of), 0)), 0)
  from (
    select id, amount + tds as amount from ledger.payments
    where company_id = p_company and kind = p_payments and status = 'posted' and date <= p_as_of
    union all
    select id, due_amount from ledger.documents
    where company_id = p_company and kind = p_notes and status = 'posted' and date <= p_as_of
  ) u
$$;

-- ties compares figures that come from different places and must be equal at the
-- end of a day; flows are of its financial year so far.
create function ledger.ties(p_company uuid, p_as_of date) returns table (name text, books numeric, figure numeric)
language sql stable as $$
  with y as (select ledger.fy_start(p_as_of) as first)
  select x.name, coalesce(x.books, 0), coalesce(x.figure, 0) from y, lateral (
    select 'trial balance: debits and credits' as name, sum(debit) as books, sum(credit) as figure
    from ledger.trial_balance(p_company, y.first, p_as_of)
    union all
    select 'trial balance: closing balances are zero', sum(closing), 0
    from ledger.trial_balance(p_company, y.first, p_as_of)
    union all
    select 'balance sheet: assets and claims', sum(amount) filter (where section = 'assets'),
      sum(amount) filter (where section <> 'assets')
    from ledger.balance_sheet(p_company, p_as_of)
    union all
    select 'cash flow and movement of bank and cash',
      (select sum(balance) from ledger.cash_position(p_company, p_as_of))
        - (select sum(balance) from ledger.cash_position(p_company, y.first - 1)),
      (select sum(amount) from ledger.cash_flow(p_company, y.first, p_as_of))
    union all
    select 'profit and loss, by account and by month',
      (select sum(case when section in ('revenue', 'other_income') then amount else -amount end)
        from ledger.profit_loss(p_company, y.first, p_as_of)),
      (select net_profit from ledger.profit(p_company, y.first, p_as_of))
    union all
    select 'receivables and aged receivables', ledger.account_balance(p_company, 'receivable', p_as_of),
      (select sum(total) from ledger.aged(p_company, 'receivable', p_as_of))
    union all
    select 'payables and aged payables', -ledger.account_balance(p_company, 'payable', p_as_of),
      (select sum(total) from ledger.aged(p_company, 'payable', p_as_of))
    union all
    select 'advances from customers', -ledger.account_balance(p_company, 'customer_advance', p_as_of),
      ledger.unapplied(p_company, 'receipt', 'credit_note', p_as_of)
    union all
    select 'advances to suppliers', ledger.account_balance(p_company, 'vendor_advance', p_as_of),
      ledger.unapplied(p_company, 'payment', 'debit_note', p_as_of)
    union all
    select 'output tax and GSTR-1', (select -sum(l.amount) from ledger.journal_lines l
        join ledger.accounts a on a.id = l.account_id join ledger.journals j on j.id = l.journal_id
        where l.company_id = p_company and l.date between y.first and p_as_of and j.source in ('invoice',
            'credit_note')
          and a.role in ('output_igst', 'output_cgst', 'output_sgst')),
      (select sum(igst + cgst + sgst) from ledger.gstr1(p_company, y.first, p_as_of))
    union all
    select 'GSTR-1 and GSTR-3B', (select sum(taxable + igst + cgst + sgst) from ledger.gstr1(p_company, y.first,
        p_as_of)),
      (select sum(taxable + igst + cgst + sgst) from ledger.gstr3b(p_company, y.first, p_as_of)
        where line in ('3.1(a)', '3.1(b)', '3.1(c)'))
    union all
    select 'GSTR-1 and its summary by HSN', (select sum(taxable) from ledger.gstr1(p_company, y.first, p_as_of)),
      (select sum(taxable) from ledger.gstr1_hsn(p_company, y.first, p_as_of))
    union all
    select 'input tax and GSTR-3B', (select sum(l.amount) from ledger.journal_lines l
        join ledger.accounts a on a.id = l.account_id join ledger.journals j on j.id = l.journal_id
        where l.company_id = p_company and l.date between y.first and p_as_of and j.source in ('bill', 'debit_note')
          and a.role in ('input_igst', 'input_cgst', 'input_sgst')),
      (select sum(igst + cgst + sgst) from ledger.gstr3b(p_company, y.first, p_as_of) where line = '4(C)')
    union all
    select 'invoiced sales and revenue of invoices', (select -sum(l.amount) from ledger.journal_lines l
        join ledger.accounts a on a.id = l.account_id join ledger.journals j on j.id = l.journal_id
        where l.company_id = p_company and l.date between y.first and p_as_of and j.source in ('invoice',
            'credit_note')
          and a.type = 'income'),
      (select sum(amount) from ledger.revenue_breakdown(p_company, y.first, p_as_of, 'customer'))
  ) x
$$;
