-- Who owes what since when.

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
      where x.document_id = o.id and not x.void and x.date <= p_as_of), 0.00) as open
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
    coalesce(sum(i.balance) filter (where i.bucket = 'not_due'), 0.00),
    coalesce(sum(i.balance) filter (where i.bucket = '1-30'), 0.00),
    coalesce(sum(i.balance) filter (where i.bucket = '31-60'), 0.00),
    coalesce(sum(i.balance) filter (where i.bucket = '61-90'), 0.00),
    coalesce(sum(i.balance) filter (where i.bucket = '90+'), 0.00),
    coalesce(sum(i.balance) filter (where i.bucket <> 'not_due'), 0.00),
    sum(i.balance), min(i.due_date)
  from ledger.aged_items(p_company, p_side, p_as_of) i
  group by i.contact_code, i.contact
  order by sum(i.balance) desc, i.contact_code
$$;
