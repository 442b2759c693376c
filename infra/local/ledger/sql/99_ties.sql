-- Figures that come from different places and must be equal.

-- unapplied is what payments and notes of a kind left over at the end of a day.
create function ledger.unapplied(p_company uuid, p_payments text, p_notes text, p_as_of date) returns numeric
language sql stable as $$
  select coalesce(sum(u.amount - coalesce((select sum(x.amount) from ledger.allocations x
    where (x.payment_id = u.id or x.note_id = u.id) and not x.void and x.date <= p_as_of), 0.00)), 0)
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
  select x.name, coalesce(x.books, 0.00), coalesce(x.figure, 0.00) from y, lateral (
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
