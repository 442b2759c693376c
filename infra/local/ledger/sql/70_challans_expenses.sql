-- Delivery challans and expenses.

-- A delivery challan goes with goods that move before or without an invoice
-- (CGST Rules, rule 55). It posts nothing.
create table ledger.challans (
  id uuid primary key default ledger.new_id(),
  company_id uuid not null references ledger.companies,
  number text not null,
  date date not null,
  customer_id uuid not null,
  purpose text not null check (purpose in ('supply', 'job_work', 'approval', 'return', 'exhibition', 'other')),
  status text not null default 'open' check (status in ('open', 'delivered', 'invoiced', 'returned', 'cancelled')),
  vehicle text,
  invoice_number text,            -- once it is invoiced
  notes text not null default '',
  created_by text not null default ledger.actor(),
  created_at timestamptz not null default ledger.now(),
  unique (company_id, number),
  unique (company_id, id),
  foreign key (company_id, customer_id) references ledger.contacts (company_id, id),
  check ((status = 'invoiced') = (invoice_number is not null))
);
create index on ledger.challans (company_id, date);

create table ledger.challan_lines (
  challan_id uuid not null references ledger.challans on delete cascade,
  line int not null,
  description text not null,
  product_id uuid references ledger.products,
  hsn_sac text,
  quantity numeric(14,3) not null check (quantity > 0),
  unit text not null,
  rate numeric(18,2) not null check (rate >= 0),
  value numeric(18,2) not null,
  primary key (challan_id, line)
);

create function ledger.challan(p_company uuid, p_id uuid) returns jsonb
language sql stable as $$
  select jsonb_build_object('id', d.id, 'number', d.number, 'date', d.date, 'customer', c.name,
    'customer_code', c.code, 'customer_id', c.id, 'purpose', d.purpose, 'status', d.status, 'vehicle', d.vehicle,
    'invoice_number', d.invoice_number, 'notes', d.notes, 'created_by', d.created_by,
    'value', (select coalesce(sum(l.value), 0) from ledger.challan_lines l where l.challan_id = d.id),
    'lines', (select jsonb_agg(jsonb_build_object('description', l.description, 'product', p.code,
        'hsn_sac', l.hsn_sac, 'quantity', l.quantity, 'unit', l.unit, 'rate', l.rate, 'value', l.value) order by l.line)
      from ledger.challan_lines l left join ledger.products p on p.id = l.product_id where l.challan_id = d.id))
  from ledger.challans d join ledger.contacts c on c.id = d.customer_id
  where d.company_id = p_company and d.id = p_id
$$;

create function ledger.challan_id(p_company uuid, p_number text) returns uuid
language plpgsql stable as $$
declare
  v uuid;
begin
  select id into v from ledger.challans
  where company_id = p_company
    and (ledger.number_key(number) = ledger.number_key(p_number) or id::text = lower(p_number));
  if v is null then
    perform ledger.fail('LG404', format('There is no delivery challan %s.', p_number));
  end if;
  return v;
end $$;

-- create_challan: {"customer", "date", "purpose", "vehicle", "notes", "lines":
-- [{"product" or "description", "quantity", "unit", "rate", "hsn_sac"}], "reference"}.
create function ledger.create_challan(p_company uuid, p jsonb) returns jsonb
language plpgsql as $$
declare
  v_id uuid := ledger.new_id();
  v_first uuid := ledger.claim(p_company, 'challan', v_id, p);
  v_day date := ledger.day(p, 'date', ledger.today(p_company));
  v_line jsonb;
  v_product ledger.products;
  v_n int := 0;
  v_quantity numeric;
  v_rate numeric;
  v_number text;
begin
  if v_first <> v_id then
    return ledger.challan(p_company, v_first);
  elsif jsonb_typeof(p->'lines') is distinct from 'array' or jsonb_array_length(p->'lines') = 0 then
    perform ledger.fail('LG422', 'A delivery challan needs at least one line.');
  end if;
  v_number := ledger.next_number(p_company, 'challan', v_day);
  insert into ledger.challans (id, company_id, number, date, customer_id, purpose, vehicle, notes)
  values (v_id, p_company, v_number, v_day,
    ledger.find_contact(p_company, 'customer', p->>'customer'), ledger.words(p, 'purpose', 'supply'),
    upper(ledger.words(p, 'vehicle')), ledger.words(p, 'notes', ''));
  for v_line in select * from jsonb_array_elements(p->'lines') loop
    v_n := v_n + 1;
    v_product := null;
    if ledger.words(v_line, 'product') is not null then
      select * into v_product from ledger.products where id = ledger.product_id(p_company, v_line->>'product');
    end if;
    v_quantity := ledger.amount(v_line, 'quantity', 1, 3);
    v_rate := ledger.amount(v_line, 'rate', coalesce(v_product.sale_price, 0));
    insert into ledger.challan_lines (challan_id, line, description, product_id, hsn_sac, quantity, unit, rate, value)
    values (v_id, v_n, coalesce(ledger.words(v_line, 'description'), v_product.name,
        ledger.required_words(v_line, 'description')), v_product.id,
      ledger.words(v_line, 'hsn_sac', v_product.hsn_sac), v_quantity,
      upper(ledger.words(v_line, 'unit', coalesce(v_product.unit, 'NOS'))), v_rate, round(v_quantity * v_rate, 2));
  end loop;
  perform ledger.note(p_company, 'create', 'challan', v_id, v_number);
  return ledger.challan(p_company, v_id);
exception when check_violation then
  perform ledger.fail('LG422', 'The purpose, a quantity or a rate of the delivery challan is not valid.');
end $$;

-- set_challan_status: open becomes delivered, invoiced (with the invoice's
-- number), returned or cancelled; delivered becomes invoiced or returned.
create function ledger.set_challan_status(p_company uuid, p_id uuid, p_status text, p_invoice text default null)
returns jsonb
language plpgsql as $$
declare
  v ledger.challans;
begin
  select * into v from ledger.challans where company_id = p_company and id = p_id for update;
  if v.id is null then
    perform ledger.fail('LG404', 'There is no such delivery challan.');
  elsif not (v.status = 'open' and p_status in ('delivered', 'invoiced', 'returned', 'cancelled')
      or v.status = 'delivered' and p_status in ('invoiced', 'returned')) then
    perform ledger.fail('LG409', format('%s is %s and cannot become %s.', v.number, v.status,
      coalesce(p_status, 'that')));
  elsif p_status = 'invoiced' and p_invoice is null then
    perform ledger.fail('LG422', 'The number of the invoice is missing.');
  end if;
  update ledger.challans set status = p_status,
    invoice_number = case when p_status = 'invoiced' then p_invoice end where id = p_id;
  perform ledger.note(p_company, 'update', 'challan', p_id, v.number, jsonb_build_object('status', p_status));
  return ledger.challan(p_company, p_id);
end $$;

-- An expense was paid at once, from a bank or cash account. amount is without
-- GST, which is part of the cost: input credit is claimed by entering a bill.
-- Deleting an expense reverses its journal.
create table ledger.expenses (
  id uuid primary key default ledger.new_id(),
  company_id uuid not null references ledger.companies,
  number text not null,
  date date not null,
  account_id uuid not null,       -- of type expense
  paid_from uuid not null,        -- a cash account
  description text not null,
  vendor_id uuid,
  amount numeric(18,2) not null check (amount > 0),
  gst_rate numeric(6,3) not null default 0 check (gst_rate between 0 and 100),
  cgst numeric(18,2) not null default 0,
  sgst numeric(18,2) not null default 0,
  igst numeric(18,2) not null default 0,
  total numeric(18,2) not null check (total = amount + cgst + sgst + igst),
  journal_id uuid not null references ledger.journals,
  deleted_at timestamptz,
  created_by text not null default ledger.actor(),
  created_at timestamptz not null default ledger.now(),
  unique (company_id, number),
  unique (company_id, id),
  foreign key (company_id, account_id) references ledger.accounts (company_id, id),
  foreign key (company_id, paid_from) references ledger.accounts (company_id, id),
  foreign key (company_id, vendor_id) references ledger.contacts (company_id, id)
);
create index on ledger.expenses (company_id, date);

create function ledger.expense(p_company uuid, p_id uuid) returns jsonb
language sql stable as $$
  select jsonb_build_object('id', e.id, 'number', e.number, 'date', e.date, 'account', a.name, 'account_code', a.code,
    'paid_from', f.name, 'description', e.description, 'vendor', v.name, 'amount', e.amount, 'gst_rate', e.gst_rate,
    'cgst', e.cgst, 'sgst', e.sgst, 'igst', e.igst, 'total', e.total,
    'status', case when e.deleted_at is null then 'posted' else 'deleted' end, 'created_by', e.created_by)
  from ledger.expenses e join ledger.accounts a on a.id = e.account_id join ledger.accounts f on f.id = e.paid_from
  left join ledger.contacts v on v.id = e.vendor_id
  where e.company_id = p_company and e.id = p_id
$$;

create function ledger.expense_id(p_company uuid, p_number text) returns uuid
language plpgsql stable as $$
declare
  v uuid;
begin
  select id into v from ledger.expenses
  where company_id = p_company
    and (ledger.number_key(number) = ledger.number_key(p_number) or id::text = lower(p_number));
  if v is null then
    perform ledger.fail('LG404', format('There is no expense %s.', p_number));
  end if;
  return v;
end $$;

-- create_expense: {"account", "amount", "date", "description", "paid_from",
-- "vendor", "gst_rate", "reference"}. GST is CGST and SGST unless the vendor is in
-- another state.
create function ledger.create_expense(p_company uuid, p jsonb) returns jsonb
language plpgsql as $$
declare
  v_id uuid := ledger.new_id();
  v_first uuid := ledger.claim(p_company, 'expense', v_id, p);
  v_day date := ledger.day(p, 'date', ledger.today(p_company));
  v_account uuid;
  v_from uuid;
  v_vendor ledger.contacts;
  v_amount numeric := ledger.amount(p, 'amount', 0);
  v_rate numeric := ledger.amount(p, 'gst_rate', 0, 3);
  v_home text;
  v_cgst numeric := 0;
  v_igst numeric := 0;
  v_number text;
  v_journal uuid;
  v_what text;
begin
  if v_first <> v_id then
    return ledger.expense(p_company, v_first);
  end if;
  v_account := ledger.account_id(p_company, ledger.required_words(p, 'account'));
  v_from := ledger.account_id(p_company, ledger.words(p, 'paid_from', 'bank'));
  v_what := ledger.required_words(p, 'description', 300);
  if (select type from ledger.accounts where id = v_account) <> 'expense' then
    perform ledger.fail('LG422', format('"%s" is no expense account.', p->>'account'));
  elsif not (select cash from ledger.accounts where id = v_from) then
    perform ledger.fail('LG422', format('"%s" is no bank or cash account.', p->>'paid_from'));
  elsif v_amount <= 0 then
    perform ledger.fail('LG422', 'The amount must be more than 0.');
  elsif v_rate not between 0 and 40 then
    perform ledger.fail('LG422', 'The GST rate must be between 0 and 40.');
  end if;
  if ledger.words(p, 'vendor') is not null then
    select * into v_vendor from ledger.contacts where id = ledger.find_contact(p_company, 'vendor', p->>'vendor');
  end if;
  select state_code into v_home from ledger.companies where id = p_company;
  if coalesce(v_vendor.state_code, v_home) = v_home then
    v_cgst := round(v_amount * v_rate / 200, 2);
  else
    v_igst := round(v_amount * v_rate / 100, 2);
  end if;
  v_number := ledger.next_number(p_company, 'expense', v_day);
  v_journal := ledger.post(p_company, v_day, v_what, 'expense', jsonb_build_array(
      jsonb_build_object('account', v_account, 'contact', v_vendor.id,
        'amount', v_amount + 2 * v_cgst + v_igst),
      jsonb_build_object('account', v_from, 'amount', -(v_amount + 2 * v_cgst + v_igst))), v_id, v_number);
  insert into ledger.expenses (id, company_id, number, date, account_id, paid_from, description, vendor_id, amount,
    gst_rate, cgst, sgst, igst, total, journal_id)
  values (v_id, p_company, v_number, v_day, v_account, v_from, v_what, v_vendor.id, v_amount, v_rate, v_cgst, v_cgst,
    v_igst, v_amount + 2 * v_cgst + v_igst, v_journal);
  perform ledger.note(p_company, 'create', 'expense', v_id, v_number);
  return ledger.expense(p_company, v_id);
end $$;

-- delete_expense takes one back; its number is not used again.
create function ledger.delete_expense(p_company uuid, p_id uuid) returns jsonb
language plpgsql as $$
declare
  v ledger.expenses;
begin
  select * into v from ledger.expenses where company_id = p_company and id = p_id for update;
  if v.id is null then
    perform ledger.fail('LG404', 'There is no such expense.');
  elsif v.deleted_at is not null then
    perform ledger.fail('LG409', format('%s is deleted already.', v.number));
  end if;
  perform ledger.reverse(p_company, v.journal_id);
  update ledger.expenses set deleted_at = ledger.now() where id = p_id;
  perform ledger.note(p_company, 'delete', 'expense', p_id, v.number);
  return ledger.expense(p_company, p_id);
end $$;
