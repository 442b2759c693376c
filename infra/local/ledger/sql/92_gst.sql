-- The returns of GST and the payment of the tax: functions of the documents.

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
    s.sign * coalesce(sum(l.igst + l.cgst + l.sgst) filter (where not l.itc), 0.00)
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
    select coalesce(sum(k.sign * l.igst), 0.00) as igst, coalesce(sum(k.sign * l.cgst), 0.00) as cgst,
      coalesce(sum(k.sign * l.sgst), 0.00) as sgst, coalesce(sum(k.sign * l.taxable), 0.00) as taxable
    from ledger.documents d join ledger.document_lines l on l.document_id = d.id and not l.itc,
    lateral (select case d.kind when 'debit_note' then -1 else 1 end as sign) k
    where d.company_id = p_company and d.status = 'posted' and d.kind in ('bill', 'debit_note')
      and d.date between p_from and p_to
  )
  select x.line, x.description, coalesce(x.taxable, 0.00), coalesce(x.igst, 0.00), coalesce(x.cgst, 0.00),
      coalesce(x.sgst, 0.00)
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
    select coalesce(sum(x.tax) filter (where x.line like '3.1(_)' and x.line <> '3.1(d)'), 0.00) as output,
      coalesce(sum(x.tax) filter (where x.line = '3.1(d)'), 0.00) as reverse,
      coalesce(sum(x.tax) filter (where x.line = '4(C)'), 0.00) as credit
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
