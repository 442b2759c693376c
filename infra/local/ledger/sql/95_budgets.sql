-- Budgets are per account and month, in the sign of profit_loss.
create table ledger.budgets (
  company_id uuid not null references ledger.companies,
  account_id uuid not null,
  month date not null check (extract(day from month) = 1),
  amount numeric(18,2) not null,
  primary key (company_id, account_id, month),
  foreign key (company_id, account_id) references ledger.accounts (company_id, id)
);

-- budget_vs_actual compares whole months.
create function ledger.budget_vs_actual(p_company uuid, p_from date, p_to date)
returns table (section text, code text, name text, budget numeric, actual numeric, variance numeric,
  variance_percent numeric)
language sql stable as $$
  select coalesce(p.section, ledger.profit_section(a.type, a."group")), a.code, a.name, coalesce(b.amount, 0),
    coalesce(p.amount, 0), coalesce(p.amount, 0) - coalesce(b.amount, 0),
    ledger.percent(coalesce(p.amount, 0), b.amount)
  from ledger.accounts a
  left join (select account_id, sum(amount) as amount from ledger.budgets
    where company_id = p_company and month between date_trunc('month', p_from) and p_to
    group by account_id) b on b.account_id = a.id
  left join ledger.profit_loss(p_company, date_trunc('month', p_from)::date,
    (date_trunc('month', p_to) + interval '1 month')::date - 1) p on p.code = a.code
  where a.company_id = p_company and (b.account_id is not null or p.code is not null)
  order by a.code
$$;
