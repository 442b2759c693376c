-- Key figures, breakdowns, comparisons, trends and forecasts.

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
    select coalesce(sum(balance), 0.00) as balance from ledger.cash_position(p_company, p_to)
  ), burn as (
    select coalesce(-sum(cash_flow) / 3, 0.00) as monthly from ledger.monthly(p_company,
      (date_trunc('month', p_to) - interval '3 months')::date, date_trunc('month', p_to)::date - 1)
  ), ageing as (
    select coalesce(sum(total), 0.00) as ar, coalesce(sum(overdue), 0.00) as overdue
    from ledger.aged(p_company, 'receivable', p_to)
  ), payable as (
    select coalesce(sum(total), 0.00) as ap, coalesce(sum(overdue), 0.00) as overdue
    from ledger.aged(p_company, 'payable', p_to)
  )
  select jsonb_build_object(
    'from', p_from, 'to', p_to,
    'revenue', (now).revenue, 'expenses', (now).cost_of_sales + (now).expenses,
    'gross_profit', (now).gross_profit, 'net_profit', (now).net_profit,
    'gross_margin_percent', round(100 * (now).gross_profit / nullif((now).revenue, 0), 1),
    'net_margin_percent', round(100 * (now).net_profit / nullif((now).revenue, 0), 1),
    'cash', cash.balance,
    'cash_flow', (select coalesce(sum(cash_flow), 0.00) from ledger.monthly(p_company, p_from, p_to)),
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
    select coalesce(sum(cash_flow), 0.00) as cash_flow from ledger.monthly(p_company, p_from, p_to)
  ), b as (
    select coalesce(sum(cash_flow), 0.00) as cash_flow from ledger.monthly(p_company, p_from_before, p_to_before)
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
    select coalesce(regr_slope(t.amount, t.n), 0.00) as slope, coalesce(regr_intercept(t.amount, t.n),
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
    select round(coalesce(sum(f.amount), 0.00) / 6, 2) as monthly
    from ledger.cash_flow(p_company, (v_this - interval '6 months')::date, v_this - 1) f
    where f.code not in (select code from ledger.accounts
      where company_id = p_company and role in ('receivable', 'payable'))
  ), flows as (
    select t.m, coalesce((select sum(o.balance) from open o where o.m = t.m and o.sign = 1), 0.00) as received,
      coalesce((select sum(o.balance) from open o where o.m = t.m and o.sign = -1), 0.00) as paid, r.monthly
    from months t, rest r
  )
  select f.m, c.cash + sum(f.received - f.paid + f.monthly) over w - (f.received - f.paid + f.monthly), f.received,
      f.paid,
    f.monthly, c.cash + sum(f.received - f.paid + f.monthly) over w
  from flows f, (select coalesce(sum(balance), 0.00) as cash from ledger.cash_position(p_company, p_as_of)) c
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
    select a.id, a.code, a.name, m::date as month, coalesce(sum(l.amount), 0.00) as amount
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
