-- Documents: invoices and credit notes to customers, bills and debit notes of
-- vendors. The functions that people call:
--
--   create_invoice(company, {"customer", "date", "due_date", "place_of_supply", "lines", "notes", "reference"})
--   create_bill(company, {"vendor", "vendor_number", "date", "due_date", "lines", "tds_section", "reverse_charge",
--     "notes", "reference"})
--   create_credit_note(company, {"invoice", "date", "reason", "lines", "reference"})
--   create_debit_note(company, {"bill", "date", "reason", "lines", "reference"})
--   update_document(company, id, {what to change, "version"})
--   void_document(company, id, reason)
--   find_document(company, kind, number or id)
--
-- All but find_document, which returns the id, return what ledger.document does.
-- customer and vendor are anything that find_contact finds. A line is
--   {"description", "hsn_sac", "quantity" (1), "unit" ("nos"), "rate", "discount_percent" (0), "gst_rate" (18),
--    "account": role, code or name, "product": its code, "itc": false for a tax that gives no credit}
-- and a line of a note {"line": of the document, "quantity", "rate"}; without lines
-- a note takes back the whole document.

-- Rates of GST in per cent, by date of supply. 12 and 28 ended with 21-09-2025
-- (56th GST Council); 40 began the day after.
create table ledger.gst_rates (
  rate numeric(5,2) not null,
  since date not null,
  until date,                     -- the last day, or null
  primary key (rate, since)
);
insert into ledger.gst_rates (rate, since, until) values
  (0, '2017-07-01', null), (0.25, '2017-07-01', null), (3, '2017-07-01', null), (5, '2017-07-01', null),
  (12, '2017-07-01', '2025-09-21'), (18, '2017-07-01', null), (28, '2017-07-01', '2025-09-21'),
  (40, '2025-09-22', null);

-- Rates of tax deducted at source in per cent, by the sections of the Income-tax
-- Act, 1961.
create table ledger.tds_rates (
  section text not null,
  description text not null,
  rate numeric(5,2) not null,
  since date not null,
  until date,
  primary key (section, since)
);
insert into ledger.tds_rates (section, description, rate, since, until) values
  ('194C', 'Contractors, companies and firms', 2, '2009-10-01', null),
  ('194C-I', 'Contractors, individuals', 1, '2009-10-01', null),
  ('194H', 'Commission or brokerage', 5, '2016-06-01', '2024-09-30'),
  ('194H', 'Commission or brokerage', 2, '2024-10-01', null),
  ('194I', 'Rent of land or building', 10, '2009-10-01', null),
  ('194I-A', 'Rent of plant and machinery', 2, '2009-10-01', null),
  ('194J', 'Professional fees', 10, '2012-07-01', null),
  ('194J-T', 'Technical services', 2, '2020-04-01', null),
  ('194Q', 'Purchase of goods', 0.1, '2021-07-01', null);

create table ledger.documents (
  id uuid primary key default ledger.new_id(),
  company_id uuid not null references ledger.companies,
  kind text not null check (kind in ('invoice', 'bill', 'credit_note', 'debit_note')),
  number text not null,           -- ours; vendor_number is the vendor's
  vendor_number text,
  date date not null,
  due_date date not null,
  contact_id uuid not null,
  gstin text,                     -- of the contact at that time
  place_of_supply text not null references ledger.states,
  supply text not null check (supply in ('intra', 'inter', 'export')),
  reverse_charge boolean not null default false, -- the tax is ours to pay, not in the total
  against_id uuid,                -- of a note: its invoice or bill
  reason text,
  taxable numeric(18,2) not null,
  cgst numeric(18,2) not null,
  sgst numeric(18,2) not null,
  igst numeric(18,2) not null,
  round_off numeric(18,2) not null,
  total numeric(18,2) not null check (total > 0),
  tds_section text,
  tds numeric(18,2) not null default 0,
  due_amount numeric(18,2) not null,             -- total less tds
  -- What payments and notes settled; of a note, what was applied of it.
  settled numeric(18,2) not null default 0,
  status text not null default 'posted' check (status in ('posted', 'void')),
  void_reason text,
  notes text not null default '',
  given jsonb not null,           -- the arguments, over which update_document lays the changes
  journal_id uuid not null,       -- the posting in force
  version int not null default 1,
  created_by text not null default ledger.actor(),
  created_at timestamptz not null default ledger.now(),
  updated_at timestamptz,
  unique (company_id, id),
  unique (company_id, kind, number),
  foreign key (company_id, contact_id) references ledger.contacts (company_id, id),
  foreign key (company_id, against_id) references ledger.documents (company_id, id),
  foreign key (company_id, journal_id) references ledger.journals (company_id, id),
  constraint settled_within check (settled between 0 and due_amount)
);
create index on ledger.documents (company_id, kind, date);
create index on ledger.documents (company_id, contact_id);
create index on ledger.documents (company_id, ledger.number_key(number));
create index on ledger.documents (against_id) where against_id is not null;
-- A vendor's number comes once.
create unique index documents_vendor_number on ledger.documents (company_id, contact_id,
    ledger.number_key(vendor_number))
  where kind = 'bill' and status = 'posted';

create table ledger.document_lines (
  document_id uuid not null references ledger.documents,
  line int not null,
  company_id uuid not null,
  description text not null,
  product text,                   -- code of the product, where it is one
  hsn_sac text,                   -- HSN of goods, SAC (99…) of services
  quantity numeric(14,3) not null check (quantity > 0),
  unit text not null,
  rate numeric(18,2) not null check (rate >= 0),
  discount_percent numeric(5,2) not null check (discount_percent between 0 and 100),
  taxable numeric(18,2) not null,
  gst_rate numeric(5,2) not null,
  cgst numeric(18,2) not null,
  sgst numeric(18,2) not null,
  igst numeric(18,2) not null,
  itc boolean not null default true,
  account_id uuid not null,
  primary key (document_id, line),
  foreign key (company_id, account_id) references ledger.accounts (company_id, id)
);

-- Allocations settle an invoice or a bill from a payment or a note. journal_id is
-- null where the payment's or the note's own journal settles; otherwise it is the
-- one that moved the amount out of the advances later.
create table ledger.allocations (
  id uuid primary key default ledger.new_id(),
  company_id uuid not null,
  document_id uuid not null,
  payment_id uuid,
  note_id uuid,
  amount numeric(18,2) not null check (amount > 0),
  date date not null,
  journal_id uuid references ledger.journals,
  void boolean not null default false,
  created_by text not null default ledger.actor(),
  foreign key (company_id, document_id) references ledger.documents (company_id, id),
  foreign key (company_id, note_id) references ledger.documents (company_id, id),
  check ((payment_id is null) <> (note_id is null))
);
create index on ledger.allocations (document_id) where not void;
create index on ledger.allocations (payment_id);
create index on ledger.allocations (note_id);

-- kind_name is how people call a kind.
create function ledger.kind_name(p_kind text) returns text
language sql immutable as $$ select replace(p_kind, '_', ' ') $$;

-- find_document finds by number, whatever its punctuation, by the vendor's number
-- (bills) or by id. A number without a year, such as INV-123, is one of the latest
-- year that has it. p_kind null finds all kinds.
create function ledger.find_document(p_company uuid, p_kind text, p_number text) returns uuid
language plpgsql stable as $$
declare
  v uuid;
  v_key text := ledger.number_key(coalesce(p_number, ''));
  v_parts text[];
begin
  if v_key = '' then
    perform ledger.fail('LG422', format('The number of the %s is missing.', ledger.kind_name(coalesce(p_kind,
        'document'))));
  end if;
  select id into v from ledger.documents
  where company_id = p_company and (p_kind is null or kind = p_kind) and ledger.number_key(number) = v_key;
  if v is null and p_number ~ '^[0-9a-fA-F-]{36}$' then
    select id into v from ledger.documents
    where company_id = p_company and (p_kind is null or kind = p_kind) and id::text = lower(p_number);
  end if;
  if v is null then
    v_parts := regexp_match(v_key, '^([A-Z]+)0*([0-9]{1,6})$');
    select d.id into v from ledger.documents d
    where d.company_id = p_company and (p_kind is null or d.kind = p_kind)
      and (d.kind = 'bill' and ledger.number_key(d.vendor_number) = v_key
        or split_part(d.number, '/', 1) = v_parts[1] and split_part(d.number, '/', 3)::int = v_parts[2]::int)
    order by d.date desc limit 1;
  end if;
  if v is null then
    perform ledger.fail('LG404', format('There is no %s %s.', ledger.kind_name(coalesce(p_kind, 'document')),
        p_number));
  end if;
  return v;
end $$;

-- document_state is void, paid, overdue, partly_paid or unpaid on a day; of a note
-- applied, partly_applied or unapplied.
create function ledger.document_state(p_status text, p_kind text, p_due numeric, p_settled numeric, p_due_date date,
    p_day date)
returns text
language sql immutable parallel safe as $$
  select case
    when p_status = 'void' then 'void'
    when p_kind in ('credit_note', 'debit_note') then
      case when p_settled = p_due then 'applied' when p_settled > 0 then 'partly_applied' else 'unapplied' end
    when p_settled = p_due then 'paid'
    when p_due_date < p_day then 'overdue'
    when p_settled > 0 then 'partly_paid'
    else 'unpaid'
  end
$$;

-- document_list has one row per document with what lists show.
create view ledger.document_list as
select d.id, d.company_id, d.kind, d.number, d.vendor_number, d.date, d.due_date, d.contact_id, c.code as contact_code,
  c.name as contact, d.gstin, d.place_of_supply, d.supply, d.reverse_charge, a.number as against, d.reason,
  d.taxable, d.cgst, d.sgst, d.igst, d.round_off, d.total, d.tds, d.due_amount, d.settled,
  case d.status when 'void' then 0.00 else d.due_amount - d.settled end as balance,
  ledger.document_state(d.status, d.kind, d.due_amount, d.settled, d.due_date,
    (ledger.now() at time zone o.time_zone)::date) as state,
  case when d.status = 'posted' and d.kind in ('invoice', 'bill') and d.settled < d.due_amount
    then greatest((ledger.now() at time zone o.time_zone)::date - d.due_date, 0) else 0 end as days_overdue,
  d.notes, d.version, d.created_by, d.created_at, d.updated_at
from ledger.documents d
join ledger.contacts c on c.id = d.contact_id
join ledger.companies o on o.id = d.company_id
left join ledger.documents a on a.id = d.against_id;

create view ledger.invoices as select * from ledger.document_list where kind = 'invoice';
create view ledger.bills as select * from ledger.document_list where kind = 'bill';
create view ledger.credit_notes as select * from ledger.document_list where kind = 'credit_note';
create view ledger.debit_notes as select * from ledger.document_list where kind = 'debit_note';

-- document_line checks one line of the arguments and computes its amounts. p_taxed
-- says that the supplier charges GST, p_day is the day on which its rate must be
-- in force.
create function ledger.document_line(
  p_company uuid, p_line jsonb, p_kind text, p_supply text, p_taxed boolean, p_day date
) returns ledger.document_lines
language plpgsql stable as $$
declare
  v ledger.document_lines;
  v_account text := ledger.words(p_line, 'account');
  v_rate numeric;
begin
  v.company_id := p_company;
  v.description := ledger.required_words(p_line, 'description', 500);
  v.product := ledger.words(p_line, 'product');
  v.hsn_sac := ledger.words(p_line, 'hsn_sac');
  if v.hsn_sac !~ '^[0-9]{4,8}$' then
    perform ledger.fail('LG422', format('"%s" is no HSN or SAC: these have 4 to 8 digits.', v.hsn_sac));
  end if;
  v.quantity := ledger.amount(p_line, 'quantity', 1, 3);
  v.unit := left(ledger.words(p_line, 'unit', 'nos'), 20);
  v.rate := ledger.amount(p_line, 'rate');
  v.discount_percent := ledger.amount(p_line, 'discount_percent', 0);
  if v.rate is null then
    perform ledger.fail('LG422', format('The rate of "%s" is missing.', v.description));
  elsif v.quantity <= 0 or v.rate < 0 or v.discount_percent not between 0 and 100 then
    perform ledger.fail('LG422', format('The quantity, rate or discount of "%s" is out of range.', v.description));
  end if;
  v_rate := ledger.amount(p_line, 'gst_rate', case when p_taxed then 18 else 0 end);
  if not exists (select from ledger.gst_rates where rate = v_rate and since <= p_day and coalesce(until,
      p_day) >= p_day) then
    perform ledger.fail('LG422', format('%s %% is no rate of GST on %s.', trim_scale(v_rate), to_char(p_day,
        'DD/MM/YYYY')));
  elsif v_rate > 0 and not p_taxed then
    perform ledger.fail('LG422', 'A vendor without a GSTIN charges no GST.');
  end if;
  v.gst_rate := v_rate;
  v.taxable := round(v.quantity * v.rate * (100 - v.discount_percent) / 100, 2);
  v.cgst := case p_supply when 'intra' then round(v.taxable * v_rate / 200, 2) else 0 end;
  v.sgst := v.cgst;
  v.igst := case p_supply when 'inter' then round(v.taxable * v_rate / 100, 2) else 0 end;
  v.itc := coalesce((p_line->>'itc')::boolean, true);
  -- SACs begin with 99.
  v.account_id := ledger.account_id(p_company, coalesce(v_account, case
    when p_kind in ('bill', 'debit_note') then case when v.hsn_sac like '99%' then 'office' else 'purchases' end
    when p_supply = 'export' then 'exports'
    when v.hsn_sac like '99%' then 'services'
    else 'sales' end));
  return v;
end $$;

-- release_note takes back what a note settled, before its journal is reversed.
create function ledger.release_note(p_company uuid, p_note uuid) returns void
language plpgsql as $$
declare
  x record;
begin
  for x in select * from ledger.allocations where note_id = p_note and not void loop
    if x.journal_id is not null then
      perform ledger.reverse(p_company, x.journal_id);
    end if;
    update ledger.documents set settled = settled - x.amount where id = x.document_id;
  end loop;
  update ledger.allocations set void = true where note_id = p_note and not void;
  update ledger.documents set settled = 0 where id = p_note;
end $$;

-- write_document computes, stores and posts a document. v_old is the row to
-- replace, or a row of nulls. p holds all arguments.
create function ledger.write_document(p_company uuid, p_kind text, p jsonb, v_old ledger.documents,
    p_id uuid) returns uuid
language plpgsql as $$
declare
  v ledger.documents;
  v_company ledger.companies;
  v_contact ledger.contacts;
  v_against ledger.documents;
  v_lines ledger.document_lines[] := '{}';
  v_line ledger.document_lines;
  v_base jsonb;
  v_given jsonb;
  v_side int := case when p_kind in ('invoice', 'debit_note') then 1 else -1 end;
  v_sales boolean := p_kind in ('invoice', 'credit_note');
  v_note boolean := p_kind in ('credit_note', 'debit_note');
  v_exact numeric;
  v_applied numeric := 0;
  v_party text := case when p_kind in ('invoice', 'credit_note') then 'receivable' else 'payable' end;
  v_tax text := case when p_kind in ('invoice', 'credit_note') then 'output_' else 'input_' end;
  v_post jsonb := '[]';
  n int := 0;
begin
  select * into v_company from ledger.companies where id = p_company;
  if v_company.id is null then
    perform ledger.fail('LG404', 'There is no such company.');
  end if;
  v.date := ledger.day(p, 'date', ledger.today(p_company));
  if v_note then
    v.against_id := ledger.find_document(p_company, case p_kind when 'credit_note' then 'invoice' else 'bill' end,
      p->>case p_kind when 'credit_note' then 'invoice' else 'bill' end);
    perform ledger.hold_contact((select contact_id from ledger.documents where id = v.against_id));
    select * into v_against from ledger.documents where id = v.against_id for update;
    if v_against.status = 'void' then
      perform ledger.fail('LG409', format('%s is void.', v_against.number));
    elsif v.date < v_against.date then
      perform ledger.fail('LG422', format('%s is of %s; its note cannot be earlier.', v_against.number,
        to_char(v_against.date, 'DD/MM/YYYY')));
    end if;
    v.contact_id := v_against.contact_id;
    v.gstin := v_against.gstin;
    v.place_of_supply := v_against.place_of_supply;
    v.supply := v_against.supply;
    v.reverse_charge := v_against.reverse_charge;
    v.due_date := v.date;
    v.reason := left(ledger.words(p, 'reason', 'Return'), 500);
    select * into v_contact from ledger.contacts where id = v.contact_id;
    if p->'lines' is null then
      p := p || jsonb_build_object('lines', (select jsonb_agg(jsonb_build_object('line', l.line) order by l.line)
        from ledger.document_lines l where document_id = v_against.id));
    end if;
  else
    select * into v_contact from ledger.contacts where id = ledger.find_contact(p_company,
      case p_kind when 'invoice' then 'customer' else 'vendor' end,
      p->>case p_kind when 'invoice' then 'customer' else 'vendor' end);
    perform ledger.hold_contact(v_contact.id);
    v.contact_id := v_contact.id;
    v.gstin := v_contact.gstin;
    v.reverse_charge := coalesce((p->>'reverse_charge')::boolean, false) and p_kind = 'bill';
    v.place_of_supply := case p_kind when 'invoice' then v_contact.state_code else v_company.state_code end;
    if ledger.words(p, 'place_of_supply') is not null then
      select code into v.place_of_supply from ledger.states
      where code = p->>'place_of_supply' or lower(name) = lower(trim(p->>'place_of_supply'));
      if v.place_of_supply is null then
        perform ledger.fail('LG422', format('There is no state "%s".', p->>'place_of_supply'));
      end if;
    end if;
    v.supply := case
      when p_kind = 'invoice' and v.place_of_supply = '96' then 'export'
      when v.place_of_supply = case p_kind when 'invoice' then v_company.state_code else v_contact.state_code end
        then 'intra'
      else 'inter' end;
    -- With a micro or small supplier no more than 45 days can be agreed.
    v.due_date := ledger.day(p, 'due_date', v.date + case when v_contact.msme then least(v_contact.terms_days, 45)
      else v_contact.terms_days end);
    if v.due_date < v.date then
      perform ledger.fail('LG422', 'The due date is before the date.');
    end if;
    v.vendor_number := case p_kind when 'bill' then left(ledger.words(p, 'vendor_number'), 40) end;
    -- The index refuses the same number of two transactions at once.
    if exists (select from ledger.documents where company_id = p_company and contact_id = v.contact_id
        and kind = 'bill'
        and status = 'posted' and ledger.number_key(vendor_number) = ledger.number_key(v.vendor_number)
        and id <> p_id) then
      perform ledger.fail('LG409', format('The bill %s of this vendor is entered already.', v.vendor_number));
    end if;
  end if;
  if jsonb_typeof(p->'lines') is distinct from 'array' or jsonb_array_length(p->'lines') not between 1 and 200 then
    perform ledger.fail('LG422', format('The %s needs 1 to 200 lines.', ledger.kind_name(p_kind)));
  end if;
  v.taxable := 0; v.cgst := 0; v.sgst := 0; v.igst := 0;
  for v_given in select jsonb_array_elements(p->'lines') loop
    n := n + 1;
    if v_note then
      select to_jsonb(l) - '{line,document_id,company_id,account_id,taxable,cgst,sgst,igst}'::text[]
        || jsonb_build_object('account', a.code) into v_base
      from ledger.document_lines l join ledger.accounts a on a.id = l.account_id
      where l.document_id = v_against.id and l.line = ledger.amount(v_given, 'line', n, 0);
      if v_base is null then
        perform ledger.fail('LG422', format('%s has no line %s.', v_against.number, coalesce(v_given->>'line',
            n::text)));
      end if;
      v_given := v_base || (v_given - '{gst_rate,hsn_sac,account,itc}'::text[]);
    end if;
    v_line := ledger.document_line(p_company, v_given, p_kind, v.supply,
      p_kind in ('invoice', 'credit_note') or v_contact.gstin is not null or v.reverse_charge,
      coalesce(v_against.date, v.date));
    v_line.line := n;
    v_lines := v_lines || v_line;
    v.taxable := v.taxable + v_line.taxable;
    v.cgst := v.cgst + v_line.cgst;
    v.sgst := v.sgst + v_line.sgst;
    v.igst := v.igst + v_line.igst;
  end loop;
  v_exact := v.taxable + case when v.reverse_charge then 0 else v.cgst + v.sgst + v.igst end;
  v.total := case when v_company.round_off then round(v_exact, 0) else v_exact end;
  v.round_off := v.total - v_exact;
  if v.total <= 0 then
    perform ledger.fail('LG422', format('The total of the %s is zero.', ledger.kind_name(p_kind)));
  end if;
  v.tds := 0;
  if p_kind = 'bill' and ledger.words(p, 'tds_section', v_contact.tds_section) is not null then
    v.tds_section := upper(ledger.words(p, 'tds_section', v_contact.tds_section));
    if v.tds_section = 'NONE' then
      v.tds_section := null;
    else
      -- On the amount without GST (CBDT circular 23/2017), in whole rupees.
      select round(v.taxable * rate / 100, 0) into v.tds from ledger.tds_rates
      where section = v.tds_section and since <= v.date and coalesce(until, v.date) >= v.date;
      if not found then
        perform ledger.fail('LG422', format('There is no section %s for deducting tax.', v.tds_section));
      end if;
    end if;
  end if;
  v.due_amount := v.total - v.tds;
  if v_note and (select coalesce(sum(total), 0) from ledger.documents
      where against_id = v_against.id and status = 'posted' and id is distinct from v_old.id)
          + v.total > v_against.total then
    perform ledger.fail('LG422', format('The notes would take back more than %s was for.', v_against.number));
  end if;

  v.id := p_id;
  if v_old.id is null then
    v.number := ledger.next_number(p_company, p_kind, v.date);
  elsif ledger.fy_name(v.date) <> ledger.fy_name(v_old.date) then
    perform ledger.fail('LG422', format('%s belongs to the year %s; void it and make another.', v_old.number,
      ledger.fy_name(v_old.date)));
  else
    v.number := v_old.number;
  end if;

  -- The posting: the party, taxes and rounding on one side, the lines on the other.
  if v_note then
    v_applied := least(v.due_amount, v_against.due_amount - v_against.settled);
    v_post := jsonb_build_array(
      jsonb_build_object('account', v_party, 'amount', v_side * v_applied, 'contact', v.contact_id),
      jsonb_build_object('account', case when v_sales then 'customer_advance' else 'vendor_advance' end,
        'amount', v_side * (v.due_amount - v_applied), 'contact', v.contact_id));
  else
    v_post := jsonb_build_array(
      jsonb_build_object('account', v_party, 'amount', v_side * v.due_amount, 'contact', v.contact_id),
      jsonb_build_object('account', 'tds_payable', 'amount', v_side * v.tds, 'contact', v.contact_id));
  end if;
  v_post := v_post || (
    select jsonb_agg(jsonb_build_object('account', l.account_id, 'amount', -v_side * l.amount)) from (
      select account_id, sum(taxable + case when itc or v_sales then 0 else cgst + sgst + igst end) as amount
      from unnest(v_lines) group by account_id order by account_id) l
  ) || (
    select jsonb_agg(jsonb_build_object('account', v_tax || t.tax, 'amount', -v_side * t.amount)) from (
      select tax, sum(amount) filter (where itc or v_sales) as amount
      from unnest(v_lines) l, lateral (values ('cgst', l.cgst), ('sgst', l.sgst), ('igst', l.igst)) x (tax, amount)
      group by tax order by tax) t
  ) || jsonb_build_array(
    jsonb_build_object('account', 'round_off', 'amount', -v_side * v.round_off),
    jsonb_build_object('account', 'reverse_charge', 'amount', case when v.reverse_charge
      then v_side * (v.cgst + v.sgst + v.igst) else 0 end));
  v.journal_id := ledger.post(p_company, v.date,
    initcap(ledger.kind_name(p_kind)) || ' ' || v.number || ', ' || v_contact.name, p_kind, v_post, v.id, v.number);

  v.given := p - '{reference,version}'::text[];
  v.notes := left(ledger.words(p, 'notes', ''), 2000);
  if v_old.id is null then
    insert into ledger.documents (id, company_id, kind, number, vendor_number, date, due_date, contact_id, gstin,
      place_of_supply, supply, reverse_charge, against_id, reason, taxable, cgst, sgst, igst, round_off, total,
          tds_section, tds, due_amount,
      settled, notes, given, journal_id)
    values (v.id, p_company, p_kind, v.number, v.vendor_number, v.date, v.due_date, v.contact_id, v.gstin,
      v.place_of_supply, v.supply, v.reverse_charge, v.against_id, v.reason, v.taxable, v.cgst, v.sgst, v.igst,
          v.round_off, v.total,
      v.tds_section, v.tds, v.due_amount, v_applied, v.notes, v.given, v.journal_id);
  else
    delete from ledger.document_lines where document_id = v.id;
    update ledger.documents set vendor_number = v.vendor_number, date = v.date, due_date = v.due_date,
      contact_id = v.contact_id, gstin = v.gstin, place_of_supply = v.place_of_supply, supply = v.supply,
      reverse_charge = v.reverse_charge, reason = v.reason, taxable = v.taxable, cgst = v.cgst, sgst = v.sgst,
      igst = v.igst, round_off = v.round_off, total = v.total, tds_section = v.tds_section, tds = v.tds,
      due_amount = v.due_amount, settled = case when v_note then v_applied else settled end, notes = v.notes,
      given = v.given, journal_id = v.journal_id, version = version + 1, updated_at = ledger.now()
    where id = v.id;
  end if;
  insert into ledger.document_lines (document_id, line, company_id, description, product, hsn_sac, quantity, unit,
      rate,
    discount_percent, taxable, gst_rate, cgst, sgst, igst, itc, account_id)
  select v.id, line, company_id, description, product, hsn_sac, quantity, unit, rate, discount_percent, taxable,
      gst_rate,
    cgst, sgst, igst, itc, account_id
  from unnest(v_lines);
  if v_applied > 0 then
    insert into ledger.allocations (company_id, document_id, note_id, amount, date)
    values (p_company, v_against.id, v.id, v_applied, v.date);
    update ledger.documents set settled = settled + v_applied where id = v_against.id;
  end if;
  return v.id;
end $$;

create function ledger.create_document(p_company uuid, p_kind text, p jsonb) returns jsonb
language plpgsql as $$
declare
  v_id uuid := ledger.new_id();
  v_first uuid := ledger.claim(p_company, p_kind, v_id, p);
begin
  if v_first <> v_id then
    return ledger.document(p_company, v_first);
  end if;
  perform ledger.write_document(p_company, p_kind, p, null, v_id);
  perform ledger.note(p_company, 'create', p_kind, v_id, (select number from ledger.documents where id = v_id));
  return ledger.document(p_company, v_id);
end $$;

create function ledger.create_invoice(p_company uuid, p jsonb) returns jsonb
language sql as $$ select ledger.create_document(p_company, 'invoice', p) $$;
create function ledger.create_bill(p_company uuid, p jsonb) returns jsonb
language sql as $$ select ledger.create_document(p_company, 'bill', p) $$;
create function ledger.create_credit_note(p_company uuid, p jsonb) returns jsonb
language sql as $$ select ledger.create_document(p_company, 'credit_note', p) $$;
create function ledger.create_debit_note(p_company uuid, p jsonb) returns jsonb
language sql as $$ select ledger.create_document(p_company, 'debit_note', p) $$;

-- editable locks a posted document and refuses unless the version is p's.
create function ledger.editable(p_company uuid, p_id uuid, p jsonb) returns ledger.documents
language plpgsql as $$
declare
  v ledger.documents;
begin
  perform ledger.hold_contact((select contact_id from ledger.documents where company_id = p_company and id = p_id));
  select * into v from ledger.documents where company_id = p_company and id = p_id for update;
  if v.id is null then
    perform ledger.fail('LG404', 'There is no such document.');
  elsif v.status = 'void' then
    perform ledger.fail('LG409', format('%s is void.', v.number));
  elsif ledger.amount(p, 'version', v.version, 0) <> v.version then
    perform ledger.fail('LG409', format('%s was changed in the meantime.', v.number));
  end if;
  perform ledger.require_open(p_company, v.date);
  if v.kind in ('credit_note', 'debit_note')
    and exists (select from ledger.allocations where note_id = p_id and not void and journal_id is not null) then
    perform ledger.fail('LG409', format('A part of %s was applied to another document.', v.number));
  end if;
  return v;
end $$;

-- update_document reverses the posting and posts anew, with the changes over the
-- arguments of the document. A document that is settled in part keeps its contact,
-- and is not dated after what settled it.
create function ledger.update_document(p_company uuid, p_id uuid, p jsonb) returns jsonb
language plpgsql as $$
declare
  v ledger.documents := ledger.editable(p_company, p_id, p);
  v_new ledger.documents;
  v_constraint text;
begin
  if v.kind in ('credit_note', 'debit_note') then
    perform ledger.release_note(p_company, p_id);
  elsif exists (select from ledger.documents where against_id = p_id and status = 'posted') then
    perform ledger.fail('LG409', format('A note was issued against %s.', v.number));
  end if;
  perform ledger.reverse(p_company, v.journal_id);
  perform ledger.write_document(p_company, v.kind, v.given || jsonb_build_object('date', v.date)
    || case when p ?| '{date,customer,vendor}' then '{}' else jsonb_build_object('due_date', v.due_date) end
    || (p - 'version'), v, p_id);
  select * into v_new from ledger.documents where id = p_id;
  if v_new.settled > 0 and v.kind in ('invoice', 'bill') and (v_new.contact_id <> v.contact_id or exists (
      select from ledger.allocations where document_id = p_id and not void and date < v_new.date)) then
    perform ledger.fail('LG409', format(
      '%s is settled in part: its contact stays, and its date at most that of the payment.',
      v.number));
  end if;
  perform ledger.note(p_company, 'update', v.kind, p_id, v.number, p - 'version');
  return ledger.document(p_company, p_id);
exception
  when check_violation then
    get stacked diagnostics v_constraint = constraint_name;
    if v_constraint <> 'settled_within' then
      raise;
    end if;
    perform ledger.fail('LG409', format('More than the new total of %s was paid already.', v.number));
end $$;

-- void_document reverses the posting on the document's date. What payments or
-- notes settled stays: void those first.
create function ledger.void_document(p_company uuid, p_id uuid, p_reason text) returns jsonb
language plpgsql as $$
declare
  v ledger.documents := ledger.editable(p_company, p_id, '{}');
begin
  if v.kind in ('credit_note', 'debit_note') then
    perform ledger.release_note(p_company, p_id);
  elsif exists (select from ledger.documents where against_id = p_id and status = 'posted') then
    perform ledger.fail('LG409', format('A note was issued against %s; void that first.', v.number));
  elsif v.settled > 0 then
    perform ledger.fail('LG409', format('₹%s of %s is settled; void the payment first.', v.settled, v.number));
  end if;
  perform ledger.reverse(p_company, v.journal_id);
  update ledger.documents set status = 'void', void_reason = left(p_reason, 500), version = version + 1,
    updated_at = ledger.now()
  where id = p_id;
  perform ledger.note(p_company, 'void', v.kind, p_id, v.number, jsonb_build_object('reason', p_reason));
  return ledger.document(p_company, p_id);
end $$;

-- tax_rates is the rates of GST and of tax deducted at source on a day.
create function ledger.tax_rates(p_day date) returns jsonb
language sql stable as $$
  select jsonb_build_object('date', p_day,
    'gst', (select coalesce(jsonb_agg(rate order by rate), '[]') from ledger.gst_rates
      where since <= p_day and coalesce(until, p_day) >= p_day),
    'tds', (select coalesce(jsonb_agg(jsonb_build_object('section', section, 'description', description, 'rate', rate)
        order by section), '[]') from ledger.tds_rates
      where since <= p_day and coalesce(until, p_day) >= p_day))
$$;
