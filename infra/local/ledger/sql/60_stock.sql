-- Products and stock. Goods are valued at the weighted average of what came in.
-- Each movement posts its value between the accounts inventory and
-- inventory_change (equity retained_earnings for an opening), so that the value
-- of the stock is the balance of the account inventory.

create table ledger.products (
  id uuid primary key default ledger.new_id(),
  company_id uuid not null references ledger.companies,
  code text not null check (code ~ '^[0-9A-Z._-]{1,40}$'), -- the SKU
  name text not null,
  kind text not null default 'goods' check (kind in ('goods', 'service')),
  unit text not null default 'NOS',
  hsn_sac text check (hsn_sac ~ '^[0-9]{4,8}$'),
  gst_rate numeric(6,3) not null default 18 check (gst_rate between 0 and 100),
  sale_price numeric(18,2) check (sale_price >= 0),
  purchase_price numeric(18,2) check (purchase_price >= 0),
  reorder_level numeric(14,3) not null default 0 check (reorder_level >= 0),
  active boolean not null default true,
  created_by text not null default ledger.actor(),
  created_at timestamptz not null default ledger.now(),
  unique (company_id, code),
  unique (company_id, id)
);
create unique index on ledger.products (company_id, lower(name));

-- quantity and value are positive for what came in. Movements stay; a reversal
-- is another one.
create table ledger.stock_movements (
  id uuid primary key default ledger.new_id(),
  company_id uuid not null,
  product_id uuid not null,
  date date not null,
  quantity numeric(14,3) not null check (quantity <> 0),
  value numeric(18,2) not null check (sign(value) in (0, sign(quantity))),
  source text not null check (source in ('opening', 'purchase', 'sale', 'sale_return', 'purchase_return',
    'adjustment', 'reversal')),
  number text not null default '', -- of the document
  reason text not null default '',
  journal_id uuid references ledger.journals, -- null when the value is 0
  cause_id uuid references ledger.journals,   -- the document's journal that moved the goods
  seq bigint generated always as identity,
  created_by text not null default ledger.actor(),
  created_at timestamptz not null default ledger.now(),
  foreign key (company_id, product_id) references ledger.products (company_id, id)
);
create index on ledger.stock_movements (product_id, seq);
create index on ledger.stock_movements (cause_id);

-- stock is what is there of each product, and what it is worth.
create view ledger.stock as
  select p.company_id, p.id as product_id, coalesce(sum(m.quantity), 0) as quantity, coalesce(sum(m.value), 0) as value
  from ledger.products p left join ledger.stock_movements m on m.product_id = p.id
  where p.kind = 'goods'
  group by p.company_id, p.id;

-- product_id finds one by code, id or name; LG404 where there is none.
create function ledger.product_id(p_company uuid, p_text text) returns uuid
language plpgsql stable as $$
declare
  v uuid;
begin
  select id into v from ledger.products where company_id = p_company
    and (code = upper(trim(p_text)) or lower(name) = lower(trim(p_text)) or id::text = lower(trim(p_text)))
  order by code = upper(trim(p_text)) desc limit 1;
  if v is null then
    perform ledger.fail('LG404', format('There is no product "%s".', p_text));
  end if;
  return v;
end $$;

-- product is one product as JSON, with its stock.
create function ledger.product(p_company uuid, p_id uuid) returns jsonb
language sql stable as $$
  select to_jsonb(p) - 'company_id' || case when p.kind = 'service' then '{}' else jsonb_build_object(
      'quantity', s.quantity, 'value', s.value,
      'average_cost', case when s.quantity > 0 then round(s.value / s.quantity, 2) end,
      'low', s.quantity <= p.reorder_level and p.reorder_level > 0) end
  from ledger.products p left join ledger.stock s on s.product_id = p.id
  where p.company_id = p_company and p.id = p_id
$$;

-- move_stock records one movement and posts its value. p_value is that of what
-- comes in; null takes the average, which what goes out always has. Returns
-- the movement's id.
create function ledger.move_stock(
  p_company uuid, p_product uuid, p_date date, p_quantity numeric, p_value numeric, p_source text,
  p_number text default '', p_reason text default '', p_cause uuid default null, p_exact boolean default false
) returns uuid
language plpgsql as $$
declare
  v_product ledger.products;
  v_have numeric;
  v_worth numeric;
  v_value numeric := p_value;
  v_journal uuid;
  v_id uuid := ledger.new_id();
begin
  -- Movements of one product take their turns.
  select * into v_product from ledger.products where company_id = p_company and id = p_product for update;
  if v_product.id is null then
    perform ledger.fail('LG404', 'There is no such product.');
  elsif v_product.kind <> 'goods' then
    perform ledger.fail('LG422', format('%s is a service and has no stock.', v_product.name));
  elsif coalesce(p_quantity, 0) = 0 then
    perform ledger.fail('LG422', 'The quantity must not be 0.');
  end if;
  select coalesce(sum(quantity), 0), coalesce(sum(value), 0) into v_have, v_worth
  from ledger.stock_movements where product_id = p_product;
  if v_have + p_quantity < 0 then
    perform ledger.fail('LG409', format('There are only %s %s of %s in stock.', trim_scale(v_have), v_product.unit,
      v_product.name));
  end if;
  if p_quantity < 0 and not p_exact then
    v_value := round(v_worth * p_quantity / v_have, 2);
  elsif v_value is null then
    v_value := round(p_quantity * coalesce(case when v_have > 0 then v_worth / v_have end,
      v_product.purchase_price, 0), 2);
  end if;
  -- The last ones take all that is left of the value.
  if v_have + p_quantity = 0 or v_worth + v_value < 0 then
    v_value := -v_worth;
  end if;
  if v_value <> 0 then
    v_journal := ledger.post(p_company, p_date, format('Stock: %s %s %s', p_source, trim_scale(p_quantity),
        v_product.name), 'stock', jsonb_build_array(
        jsonb_build_object('account', 'inventory', 'amount', v_value),
        jsonb_build_object('account', case p_source when 'opening' then 'retained_earnings'
          else 'inventory_change' end, 'amount', -v_value)), v_id);
  end if;
  insert into ledger.stock_movements (id, company_id, product_id, date, quantity, value, source, number, reason,
    journal_id, cause_id)
  values (v_id, p_company, p_product, p_date, p_quantity, v_value, p_source, p_number, p_reason, v_journal, p_cause);
  return v_id;
end $$;

-- create_product: {"code", "name", "kind", "unit", "hsn_sac", "gst_rate",
-- "sale_price", "purchase_price", "reorder_level", "opening_quantity",
-- "opening_cost" of one, "reference"}. Without a code it gets P-0001 and so on.
create function ledger.create_product(p_company uuid, p jsonb) returns jsonb
language plpgsql as $$
declare
  v_id uuid := ledger.new_id();
  v_first uuid := ledger.claim(p_company, 'product', v_id, p);
  v_code text := upper(ledger.words(p, 'code'));
  v_quantity numeric := ledger.amount(p, 'opening_quantity', 0, 3);
begin
  if v_first <> v_id then
    return ledger.product(p_company, v_first);
  end if;
  if v_code is null then
    insert into ledger.numbers as n (company_id, kind, fy, last) values (p_company, 'product', '', 1)
    on conflict (company_id, kind, fy) do update set last = n.last + 1
    returning 'P-' || lpad(n.last::text, greatest(4, length(n.last::text)), '0') into v_code;
  end if;
  insert into ledger.products (id, company_id, code, name, kind, unit, hsn_sac, gst_rate, sale_price, purchase_price,
    reorder_level)
  values (v_id, p_company, v_code, ledger.required_words(p, 'name'), ledger.words(p, 'kind', 'goods'),
    upper(ledger.words(p, 'unit', 'NOS')), ledger.words(p, 'hsn_sac'), ledger.amount(p, 'gst_rate', 18, 3),
    ledger.amount(p, 'sale_price'), ledger.amount(p, 'purchase_price'), ledger.amount(p, 'reorder_level', 0, 3));
  perform ledger.note(p_company, 'create', 'product', v_id, v_code);
  if v_quantity <> 0 then
    perform ledger.move_stock(p_company, v_id, ledger.today(p_company), v_quantity,
      round(v_quantity * ledger.amount(p, 'opening_cost', ledger.amount(p, 'purchase_price', 0)), 2), 'opening');
  end if;
  return ledger.product(p_company, v_id);
exception
  when unique_violation then
    perform ledger.fail('LG409', format('There is a product %s or one named "%s" already.', v_code, p->>'name'));
  when check_violation then
    perform ledger.fail('LG422', 'The code, kind, HSN or SAC, price or rate of the product is not valid.');
end $$;

-- update_product changes the members that p has.
create function ledger.update_product(p_company uuid, p_id uuid, p jsonb) returns jsonb
language plpgsql as $$
begin
  update ledger.products set name = ledger.words(p, 'name', name), hsn_sac = ledger.words(p, 'hsn_sac', hsn_sac),
    gst_rate = ledger.amount(p, 'gst_rate', gst_rate, 3), sale_price = ledger.amount(p, 'sale_price', sale_price),
    purchase_price = ledger.amount(p, 'purchase_price', purchase_price),
    reorder_level = ledger.amount(p, 'reorder_level', reorder_level, 3),
    active = coalesce((p->>'active')::boolean, active)
  where company_id = p_company and id = p_id;
  if not found then
    perform ledger.fail('LG404', 'There is no such product.');
  end if;
  perform ledger.note(p_company, 'update', 'product', p_id, null, p);
  return ledger.product(p_company, p_id);
exception
  when unique_violation then
    perform ledger.fail('LG409', format('There is a product named "%s" already.', p->>'name'));
  when check_violation then
    perform ledger.fail('LG422', 'The HSN or SAC, price or rate of the product is not valid.');
end $$;

create function ledger.stock_movement(p_company uuid, p_id uuid) returns jsonb
language sql stable as $$
  select jsonb_build_object('id', m.id, 'product', p.code, 'name', p.name, 'date', m.date, 'quantity', m.quantity,
    'unit', p.unit, 'value', m.value, 'source', m.source, 'number', m.number, 'reason', m.reason)
  from ledger.stock_movements m join ledger.products p on p.id = m.product_id
  where m.company_id = p_company and m.id = p_id
$$;

-- adjust_stock: {"product", "quantity": what is added or, negative, taken;
-- "unit_cost" of what is added, "reason", "date", "reference"}.
create function ledger.adjust_stock(p_company uuid, p jsonb) returns jsonb
language plpgsql as $$
declare
  v_claim uuid := ledger.new_id();
  v_id uuid := ledger.claim(p_company, 'stock_movement', v_claim, p);
  v_product uuid;
  v_quantity numeric := ledger.amount(p, 'quantity', null, 3);
begin
  if v_id = v_claim then
    v_product := ledger.product_id(p_company, ledger.required_words(p, 'product'));
    v_id := ledger.move_stock(p_company, v_product, ledger.day(p, 'date', ledger.today(p_company)), v_quantity,
      round(v_quantity * ledger.amount(p, 'unit_cost'), 2), 'adjustment', '', ledger.required_words(p, 'reason', 300));
    update ledger.write_references set object_id = v_id
    where company_id = p_company and reference = ledger.words(p, 'reference');
    perform ledger.note(p_company, 'adjust', 'stock', v_id, null);
  end if;
  return jsonb_build_object('movement', ledger.stock_movement(p_company, v_id), 'product',
    (select ledger.product(p_company, product_id) from ledger.stock_movements where id = v_id));
end $$;

-- stock_valuation is the stock on a day beside the account that bears its value.
create function ledger.stock_valuation(p_company uuid, p_day date) returns jsonb
language sql stable as $$
  with s as (
    select p.code, p.name, p.unit, p.reorder_level, sum(m.quantity) as quantity, sum(m.value) as value
    from ledger.stock_movements m join ledger.products p on p.id = m.product_id
    where m.company_id = p_company and m.date <= p_day
    group by p.id
  ), a as (
    select coalesce(sum(l.amount), 0) as balance from ledger.accounts a
    join ledger.journal_lines l on l.company_id = p_company and l.account_id = a.id and l.date <= p_day
    where a.company_id = p_company and a.role = 'inventory'
  )
  select jsonb_build_object('as_of', p_day, 'products', coalesce((select jsonb_agg(jsonb_build_object(
      'product', code, 'name', name, 'unit', unit, 'quantity', quantity, 'value', value,
      'average_cost', case when quantity > 0 then round(value / quantity, 2) end,
      'low', reorder_level > 0 and quantity <= reorder_level) order by code) from s), '[]'),
    'total_value', coalesce((select sum(value) from s), 0), 'stock_account_balance', a.balance,
    'difference', a.balance - coalesce((select sum(value) from s), 0))
  from a
$$;

-- Documents move the stock of the products that their lines name: a bill brings
-- in at cost, an invoice takes out, notes give back; a reversal moves back what
-- was moved, at the same value. It runs at commit, when the lines are there.
create function ledger.move_document_stock() returns trigger
language plpgsql as $$
declare
  x record;
begin
  -- All products first and in one order, so that no two documents wait for each
  -- other's.
  perform from ledger.products where id in (
    select product_id from ledger.stock_movements where cause_id = new.reverses
    union
    select p.id from ledger.document_lines l
    join ledger.products p on p.company_id = l.company_id and p.code = upper(l.product)
    where l.document_id = new.source_id)
  order by id for update;
  if new.reverses is not null then
    for x in select * from ledger.stock_movements where cause_id = new.reverses order by seq desc loop
      perform ledger.move_stock(x.company_id, x.product_id, x.date, -x.quantity, -x.value, 'reversal', x.number, '',
        new.id, true);
    end loop;
    return null;
  end if;
  -- Another posting may have taken this one's place in the same transaction.
  if exists (select from ledger.journals where reverses = new.id) then
    return null;
  end if;
  for x in
    select p.id, l.quantity, l.taxable + case when l.itc then 0 else l.cgst + l.sgst + l.igst end as cost
    from ledger.document_lines l join ledger.products p on p.company_id = l.company_id and p.code = upper(l.product)
    where l.document_id = new.source_id and p.kind = 'goods' order by p.id, l.line
  loop
    perform ledger.move_stock(new.company_id, x.id, new.date,
      case when new.source in ('bill', 'credit_note') then x.quantity else -x.quantity end,
      case new.source when 'bill' then x.cost end,
      case new.source when 'bill' then 'purchase' when 'invoice' then 'sale' when 'credit_note' then 'sale_return'
        else 'purchase_return' end, new.number, '', new.id);
  end loop;
  return null;
end $$;
create constraint trigger move_stock after insert on ledger.journals
  deferrable initially deferred for each row
  when (new.source in ('invoice', 'bill', 'credit_note', 'debit_note')) execute function ledger.move_document_stock();
