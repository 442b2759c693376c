-- Payments: receipts from customers and payments to vendors, with allocations.
-- What is not allocated is an advance: a liability to the customer, an asset with
-- the vendor. So the receivables account holds what invoices are open for, and no
-- more, on each day.
--
--   create_payment(company, {"kind": "receipt" or "payment", "contact", "date", "amount", "tds", "account", "mode",
--     "bank_reference", "allocations": [{"document", "amount"}], "notes", "reference"})
--   update_payment(company, id, {what to change, "version"})
--   void_payment(company, id, reason)
--   apply_advance(company, {"payment" or "note", "document", "amount", "date"})
--   find_payment(company, number or id)
--
-- tds is what a customer deducted, and settles like money. Without "allocations"
-- the documents due first are settled; an empty list makes an advance. An
-- allocation without an amount takes what is open.

create table ledger.payments (
  id uuid primary key default ledger.new_id(),
  company_id uuid not null references ledger.companies,
  kind text not null check (kind in ('receipt', 'payment')),
  number text not null,
  date date not null,
  contact_id uuid not null,
  account_id uuid not null,       -- the bank or cash account
  amount numeric(18,2) not null check (amount > 0), -- the money that moved
  tds numeric(18,2) not null default 0 check (tds >= 0),
  applied numeric(18,2) not null default 0,
  mode text not null,
  bank_reference text,            -- UTR, cheque number
  notes text not null default '',
  status text not null default 'posted' check (status in ('posted', 'void')),
  void_reason text,
  given jsonb not null,
  journal_id uuid not null,
  version int not null default 1,
  created_by text not null default ledger.actor(),
  created_at timestamptz not null default ledger.now(),
  updated_at timestamptz,
  unique (company_id, id),
  unique (company_id, kind, number),
  foreign key (company_id, contact_id) references ledger.contacts (company_id, id),
  foreign key (company_id, account_id) references ledger.accounts (company_id, id),
  foreign key (company_id, journal_id) references ledger.journals (company_id, id),
  constraint applied_within check (applied between 0 and amount + tds)
);
create index on ledger.payments (company_id, date);
create index on ledger.payments (company_id, contact_id);
create index on ledger.payments (company_id, ledger.number_key(number));

alter table ledger.allocations
  add foreign key (company_id, payment_id) references ledger.payments (company_id, id);

create view ledger.payment_list as
select p.id, p.company_id, p.kind, p.number, p.date, p.contact_id, c.code as contact_code, c.name as contact,
  a.code as account, a.name as account_name, p.amount, p.tds, p.applied,
  case p.status when 'void' then 0.00 else p.amount + p.tds - p.applied end as unapplied,
  p.mode, p.bank_reference, p.status, p.notes, p.version, p.created_by, p.created_at, p.updated_at
from ledger.payments p
join ledger.contacts c on c.id = p.contact_id
join ledger.accounts a on a.id = p.account_id;

-- document is a row of document_list as JSON, with its lines and what settled it.
create function ledger.document(p_company uuid, p_id uuid) returns jsonb
language sql stable as $$
  select to_jsonb(d) - '{company_id}'::text[] || jsonb_build_object(
    'lines', (select jsonb_agg(to_jsonb(l) - '{document_id,company_id,account_id}'::text[]
        || jsonb_build_object('account', a.code, 'account_name', a.name) order by l.line)
      from ledger.document_lines l join ledger.accounts a on a.id = l.account_id where l.document_id = d.id),
    'allocations', (select coalesce(jsonb_agg(jsonb_build_object('by', coalesce(p.number, n.number), 'amount',
        x.amount,
        'date', x.date) order by x.date, coalesce(p.number, n.number)), '[]')
      from ledger.allocations x left join ledger.payments p on p.id = x.payment_id
        left join ledger.documents n on n.id = x.note_id
      where x.document_id = d.id and not x.void))
  from ledger.document_list d where d.company_id = p_company and d.id = p_id
$$;

create function ledger.payment(p_company uuid, p_id uuid) returns jsonb
language sql stable as $$
  select to_jsonb(p) - 'company_id' || jsonb_build_object('allocations', (
    select coalesce(jsonb_agg(jsonb_build_object('document', d.number, 'amount', x.amount, 'date', x.date)
      order by x.date, d.number), '[]')
    from ledger.allocations x join ledger.documents d on d.id = x.document_id
    where x.payment_id = p.id and not x.void))
  from ledger.payment_list p where p.company_id = p_company and p.id = p_id
$$;

create function ledger.find_payment(p_company uuid, p_number text) returns uuid
language plpgsql stable as $$
declare
  v uuid;
  v_key text := ledger.number_key(coalesce(p_number, ''));
  v_parts text[] := regexp_match(v_key, '^([A-Z]+)0*([0-9]{1,6})$');
begin
  select id into v from ledger.payments where company_id = p_company and ledger.number_key(number) = v_key;
  if v is null and p_number ~ '^[0-9a-fA-F-]{36}$' then
    select id into v from ledger.payments where company_id = p_company and id::text = lower(p_number);
  end if;
  if v is null then
    select id into v from ledger.payments
    where company_id = p_company and split_part(number, '/', 1) = v_parts[1]
      and split_part(number, '/', 3)::int = v_parts[2]::int
    order by date desc limit 1;
  end if;
  if v is null then
    perform ledger.fail('LG404', format('There is no payment %s.', coalesce(p_number, '')));
  end if;
  return v;
end $$;

-- move_advance moves an amount from the advances to the receivables or payables.
create function ledger.move_advance(
  p_company uuid, p_kind text, p_contact uuid, p_amount numeric, p_date date, p_source uuid, p_number text
) returns uuid
language sql as $$
  select ledger.post(p_company, p_date, 'Advance of ' || p_number || ' applied', 'advance', jsonb_build_array(
    jsonb_build_object('account', case p_kind when 'invoice' then 'customer_advance' else 'vendor_advance' end,
      'amount', case p_kind when 'invoice' then p_amount else -p_amount end, 'contact', p_contact),
    jsonb_build_object('account', case p_kind when 'invoice' then 'receivable' else 'payable' end,
      'amount', case p_kind when 'invoice' then -p_amount else p_amount end, 'contact', p_contact)),
    p_source, p_number)
$$;

-- settle_document allocates an amount to a document: null is all that is open, up
-- to p_available. With p_number, that of the payment or note, the amount comes out
-- of the advances by a journal of its own. Returns the amount.
create function ledger.settle_document(
  p_company uuid, p_document uuid, p_contact uuid, p_kind text, p_amount numeric, p_available numeric, p_date date,
  p_payment uuid, p_note uuid, p_number text
) returns numeric
language plpgsql as $$
declare
  v ledger.documents;
  v_amount numeric;
begin
  select * into v from ledger.documents where company_id = p_company and id = p_document for update;
  v_amount := coalesce(p_amount, least(v.due_amount - v.settled, p_available));
  if v.status = 'void' then
    perform ledger.fail('LG409', format('%s is void.', v.number));
  elsif v.kind <> p_kind then
    perform ledger.fail('LG422', format('%s is no %s.', v.number, ledger.kind_name(p_kind)));
  elsif v.contact_id <> p_contact then
    perform ledger.fail('LG422', format('%s belongs to another customer or vendor.', v.number));
  elsif v.settled = v.due_amount then
    perform ledger.fail('LG409', format('%s is paid already.', v.number));
  elsif v_amount <= 0 then
    perform ledger.fail('LG422', format('Nothing is left for %s.', v.number));
  elsif v_amount > v.due_amount - v.settled then
    perform ledger.fail('LG422', format('Only ₹%s of %s is open.', v.due_amount - v.settled, v.number));
  elsif v_amount > p_available then
    perform ledger.fail('LG422', format('Only ₹%s is left for %s.', p_available, v.number));
  end if;
  insert into ledger.allocations (company_id, document_id, payment_id, note_id, amount, date, journal_id)
  values (p_company, p_document, p_payment, p_note, v_amount, p_date, case when p_number is not null then
    ledger.move_advance(p_company, p_kind, p_contact, v_amount, p_date, coalesce(p_payment, p_note), p_number) end);
  update ledger.documents set settled = settled + v_amount where id = p_document;
  return v_amount;
end $$;

-- write_payment stores and posts a payment, as write_document does.
create function ledger.write_payment(p_company uuid, p jsonb, v_old ledger.payments, p_id uuid) returns uuid
language plpgsql as $$
declare
  v ledger.payments;
  v_kind text;                    -- of the documents that it settles
  v_sign int;
  v_given jsonb := p->'allocations';
  v_left numeric;
  v_direct numeric := 0;
  v_done numeric;
  x record;
begin
  v.kind := ledger.words(p, 'kind', 'receipt');
  if v.kind not in ('receipt', 'payment') then
    perform ledger.fail('LG422', 'The kind of a payment is receipt or payment.');
  end if;
  v_kind := case v.kind when 'receipt' then 'invoice' else 'bill' end;
  v_sign := case v.kind when 'receipt' then 1 else -1 end;
  v.id := p_id;
  v.date := ledger.day(p, 'date', ledger.today(p_company));
  v.amount := ledger.amount(p, 'amount');
  v.tds := ledger.amount(p, 'tds', 0);
  v.mode := left(ledger.words(p, 'mode', 'NEFT'), 20);
  v.bank_reference := left(ledger.words(p, 'bank_reference'), 60);
  v.notes := left(ledger.words(p, 'notes', ''), 2000);
  if v.amount is null or v.amount <= 0 then
    perform ledger.fail('LG422', 'The amount of a payment is more than zero.');
  elsif v.tds < 0 or v.tds > 0 and v.kind = 'payment' then
    perform ledger.fail('LG422',
      'Tax deducted belongs to a receipt; on a bill it is deducted when the bill is entered.');
  end if;
  if ledger.words(p, 'contact') is null and jsonb_typeof(v_given->0) = 'object' then
    select contact_id into v.contact_id from ledger.documents
    where id = ledger.find_document(p_company, v_kind, v_given->0->>'document');
  else
    v.contact_id := ledger.find_contact(p_company, case v.kind when 'receipt' then 'customer' else 'vendor' end,
        p->>'contact');
  end if;
  perform ledger.hold_contact(v.contact_id);
  v.account_id := ledger.account_id(p_company, ledger.words(p, 'account', case lower(v.mode) when 'cash' then 'cash'
      else 'bank' end));
  if not (select cash from ledger.accounts where id = v.account_id) then
    perform ledger.fail('LG422', 'The account of a payment is a bank or cash account.');
  end if;
  if v_old.id is null then
    v.number := ledger.next_number(p_company, v.kind, v.date);
  elsif v.kind <> v_old.kind or ledger.fy_name(v.date) <> ledger.fy_name(v_old.date) then
    perform ledger.fail('LG422', format('The kind and the financial year of %s stay; void it and make another.',
        v_old.number));
  else
    v.number := v_old.number;
  end if;

  v_left := v.amount + v.tds;
  if v_given is null then
    select coalesce(jsonb_agg(jsonb_build_object('document', id, 'amount', least(open, v.amount + v.tds - before))
      order by due_date, number), '[]') into v_given
    from (
      select id, number, due_date, due_amount - settled as open,
        sum(due_amount - settled) over (order by due_date, number) - (due_amount - settled) as before
      from ledger.documents
      where company_id = p_company and contact_id = v.contact_id and kind = v_kind and status = 'posted'
        and settled < due_amount and date <= v.date
    ) o
    where before < v.amount + v.tds;
  elsif jsonb_typeof(v_given) <> 'array' then
    perform ledger.fail('LG422', '"allocations" is a list.');
  end if;
  -- The row first, since allocations and journals point to it; its journal follows
  -- when it is known what it settles.
  select coalesce(sum(least(coalesce(ledger.amount(g, 'amount'), d.due_amount - d.settled),
      d.due_amount - d.settled)), 0)
  into v_direct
  from jsonb_array_elements(v_given) g
  join ledger.documents d on d.id = ledger.find_document(p_company, v_kind, g->>'document')
  where d.date <= v.date;
  v_direct := least(v_direct, v_left);
  v.journal_id := ledger.post(p_company, v.date,
    initcap(v.kind) || ' ' || v.number || ', ' || (select name from ledger.contacts where id = v.contact_id), v.kind,
    jsonb_build_array(
      jsonb_build_object('account', v.account_id, 'amount', v_sign * v.amount),
      jsonb_build_object('account', 'tds_receivable', 'amount', v.tds, 'contact', v.contact_id),
      jsonb_build_object('account', case v.kind when 'receipt' then 'receivable' else 'payable' end,
        'amount', -v_sign * v_direct, 'contact', v.contact_id),
      jsonb_build_object('account', case v.kind when 'receipt' then 'customer_advance' else 'vendor_advance' end,
        'amount', -v_sign * (v_left - v_direct), 'contact', v.contact_id)),
    v.id, v.number);
  v.given := (p - '{reference,version}'::text[]) || jsonb_build_object('contact', v.contact_id, 'allocations',
      v_given);
  if v_old.id is null then
    insert into ledger.payments (id, company_id, kind, number, date, contact_id, account_id, amount, tds, mode,
      bank_reference, notes, given, journal_id)
    values (v.id, p_company, v.kind, v.number, v.date, v.contact_id, v.account_id, v.amount, v.tds, v.mode,
      v.bank_reference, v.notes, v.given, v.journal_id);
  else
    update ledger.payments set date = v.date, contact_id = v.contact_id, account_id = v.account_id, amount = v.amount,
      tds = v.tds, applied = 0, mode = v.mode, bank_reference = v.bank_reference, notes = v.notes, given = v.given,
      journal_id = v.journal_id, version = version + 1, updated_at = ledger.now()
    where id = v.id;
  end if;
  for x in
    select d.id, d.date > v.date as later, greatest(d.date, v.date) as date, ledger.amount(g, 'amount') as amount
    from jsonb_array_elements(v_given) with ordinality l (g, n)
    join ledger.documents d on d.id = ledger.find_document(p_company, v_kind, g->>'document')
    order by later, n
  loop
    continue when x.amount is null and v_left = 0;
    v_done := ledger.settle_document(p_company, x.id, v.contact_id, v_kind, x.amount, v_left, x.date, v.id, null,
      case when x.later then v.number end);
    v_left := v_left - v_done;
  end loop;
  update ledger.payments set applied = amount + tds - v_left where id = v.id;
  return v.id;
end $$;

create function ledger.create_payment(p_company uuid, p jsonb) returns jsonb
language plpgsql as $$
declare
  v_id uuid := ledger.new_id();
  v_first uuid := ledger.claim(p_company, 'payment', v_id, p);
begin
  if v_first <> v_id then
    return ledger.payment(p_company, v_first);
  end if;
  perform ledger.write_payment(p_company, p, null, v_id);
  perform ledger.note(p_company, 'create', 'payment', v_id, (select number from ledger.payments where id = v_id));
  return ledger.payment(p_company, v_id);
end $$;

-- release_payment takes the allocations of a payment back and reverses its
-- journals, after it has locked and checked it.
create function ledger.release_payment(p_company uuid, p_id uuid, p jsonb) returns ledger.payments
language plpgsql as $$
declare
  v ledger.payments;
  x record;
begin
  perform ledger.hold_contact((select contact_id from ledger.payments where company_id = p_company and id = p_id));
  select * into v from ledger.payments where company_id = p_company and id = p_id for update;
  if v.id is null then
    perform ledger.fail('LG404', 'There is no such payment.');
  elsif v.status = 'void' then
    perform ledger.fail('LG409', format('%s is void.', v.number));
  elsif ledger.amount(p, 'version', v.version, 0) <> v.version then
    perform ledger.fail('LG409', format('%s was changed in the meantime.', v.number));
  end if;
  for x in select * from ledger.allocations where payment_id = p_id and not void order by document_id loop
    if x.journal_id is not null then
      perform ledger.reverse(p_company, x.journal_id);
    end if;
    update ledger.documents set settled = settled - x.amount where id = x.document_id;
  end loop;
  update ledger.allocations set void = true where payment_id = p_id and not void;
  perform ledger.reverse(p_company, v.journal_id);
  return v;
end $$;

-- update_payment reverses the payment and posts it anew with the changes. Of
-- another amount the same documents are settled in their order; for another contact
-- the ones due first. What was applied of an advance later is taken back.
create function ledger.update_payment(p_company uuid, p_id uuid, p jsonb) returns jsonb
language plpgsql as $$
declare
  v ledger.payments := ledger.release_payment(p_company, p_id, p);
begin
  if p ? 'contact' then
    v.given := v.given - 'allocations';
  elsif p ?| '{amount,tds}' then
    v.given := jsonb_set(v.given, '{allocations}', (select coalesce(jsonb_agg(g - 'amount'), '[]')
      from jsonb_array_elements(v.given->'allocations') g));
  end if;
  perform ledger.write_payment(p_company, v.given || jsonb_build_object('date', v.date) || (p - 'version'), v, p_id);
  perform ledger.note(p_company, 'update', 'payment', p_id, v.number, p - 'version');
  return ledger.payment(p_company, p_id);
end $$;

create function ledger.void_payment(p_company uuid, p_id uuid, p_reason text) returns jsonb
language plpgsql as $$
declare
  v ledger.payments := ledger.release_payment(p_company, p_id, '{}');
begin
  update ledger.payments set status = 'void', void_reason = left(p_reason, 500), applied = 0, version = version + 1,
    updated_at = ledger.now()
  where id = p_id;
  perform ledger.note(p_company, 'void', 'payment', p_id, v.number, jsonb_build_object('reason', p_reason));
  return ledger.payment(p_company, p_id);
end $$;

-- apply_advance settles a document from what a payment or a note left over, on
-- "date" (default today). Returns the document.
create function ledger.apply_advance(p_company uuid, p jsonb) returns jsonb
language plpgsql as $$
declare
  v_pay ledger.payments;
  v_note ledger.documents;
  v_kind text;
  v_source uuid;
  v_document uuid;
  v_contact uuid;
  v_left numeric;
  v_date date := ledger.day(p, 'date', ledger.today(p_company));
  v_done numeric;
  v_number text;
begin
  if ledger.words(p, 'payment') is not null then
    v_source := ledger.find_payment(p_company, p->>'payment');
    perform ledger.hold_contact((select contact_id from ledger.payments where id = v_source));
    select * into v_pay from ledger.payments where id = v_source for update;
    v_kind := case v_pay.kind when 'receipt' then 'invoice' else 'bill' end;
    v_left := case v_pay.status when 'void' then 0 else v_pay.amount + v_pay.tds - v_pay.applied end;
    v_contact := v_pay.contact_id;
    v_number := v_pay.number;
  else
    v_source := ledger.find_document(p_company, null, p->>'note');
    perform ledger.hold_contact((select contact_id from ledger.documents where id = v_source));
    select * into v_note from ledger.documents where id = v_source for update;
    v_kind := case v_note.kind when 'credit_note' then 'invoice' when 'debit_note' then 'bill' end;
    if v_kind is null then
      perform ledger.fail('LG422', format('%s is no credit note or debit note.', v_note.number));
    end if;
    v_left := case v_note.status when 'void' then 0 else v_note.due_amount - v_note.settled end;
    v_contact := v_note.contact_id;
    v_number := v_note.number;
  end if;
  if v_left = 0 then
    perform ledger.fail('LG409', format('Nothing of %s is left.', v_number));
  end if;
  v_document := ledger.find_document(p_company, v_kind, p->>'document');
  if v_date < greatest(coalesce(v_pay.date, v_note.date), (select date from ledger.documents where id = v_document))
      then
    perform ledger.fail('LG422', 'An advance is applied on or after the dates of both documents.');
  end if;
  v_done := ledger.settle_document(p_company, v_document, v_contact, v_kind, ledger.amount(p, 'amount'), v_left,
      v_date,
    v_pay.id, v_note.id, v_number);
  update ledger.payments set applied = applied + v_done where id = v_pay.id;
  update ledger.documents set settled = settled + v_done where id = v_note.id;
  perform ledger.note(p_company, 'apply', v_kind, v_document, v_number, p);
  return ledger.document(p_company, v_document);
end $$;
