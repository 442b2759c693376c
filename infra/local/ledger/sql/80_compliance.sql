-- Due dates, returns that were filed, e-invoices, reminders.

-- A rule gives one due date per period: day "day" of the month that follows the
-- period's last month by months_after. last_months are the months with which the
-- periods of the rule end. The rates and days of Indian law are dated facts: a
-- rule holds for periods that end from valid_from on.
create table ledger.due_rules (
  form text not null,
  title text not null,
  last_months int[] not null,
  months int not null check (months in (1, 3, 12)), -- how long a period is
  months_after int not null,
  day int not null check (day between 1 and 31),
  valid_from date not null default '2017-07-01',
  valid_to date,
  source text not null,
  primary key (form, last_months, valid_from)
);
insert into ledger.due_rules (form, title, last_months, months, months_after, day, source) values
  ('GSTR-1', 'Outward supplies', '{1,2,3,4,5,6,7,8,9,10,11,12}', 1, 1, 11, 'CGST Act, section 37'),
  ('GSTR-3B', 'Summary return and payment of GST', '{1,2,3,4,5,6,7,8,9,10,11,12}', 1, 1, 20, 'CGST Rules, rule 61'),
  ('TDS', 'Deposit of tax deducted at source', '{1,2,4,5,6,7,8,9,10,11,12}', 1, 1, 7, 'Income-tax Rules, rule 30'),
  ('TDS', 'Deposit of tax deducted at source', '{3}', 1, 1, 30, 'Income-tax Rules, rule 30'),
  ('PF', 'Provident fund contributions', '{1,2,3,4,5,6,7,8,9,10,11,12}', 1, 1, 15, 'EPF Scheme, paragraph 38'),
  ('26Q', 'Quarterly TDS return', '{6,9,12}', 3, 1, 31, 'Income-tax Rules, rule 31A'),
  ('26Q', 'Quarterly TDS return', '{3}', 3, 2, 31, 'Income-tax Rules, rule 31A'),
  ('ADVANCE-TAX', 'Advance income tax', '{3,6,9,12}', 3, 0, 15, 'Income-tax Act, section 211'),
  ('ITR-6', 'Income tax return of a company with audit', '{3}', 12, 7, 31, 'Income-tax Act, section 139'),
  ('GSTR-9', 'Annual return', '{3}', 12, 9, 31, 'CGST Rules, rule 80');

create table ledger.filings (
  id uuid primary key default ledger.new_id(),
  company_id uuid not null references ledger.companies,
  form text not null,
  period date not null check (extract(day from period) = 1), -- the period's last month
  arn text not null unique,       -- the acknowledgement's number
  filed_on date not null,
  figures jsonb not null default '{}', -- as they were filed
  created_by text not null default ledger.actor(),
  created_at timestamptz not null default ledger.now(),
  unique (company_id, form, period)
);

-- due_dates is what falls due within the days, and whether it is filed.
create function ledger.due_dates(p_company uuid, p_from date, p_to date)
returns table (form text, title text, period date, due date, status text, arn text, filed_on date, source text)
language sql stable as $$
  with d as (
    select r.form, r.title, r.source, m::date as period,
      least((m + make_interval(months => r.months_after))::date + r.day - 1,
        (m + make_interval(months => r.months_after + 1))::date - 1) as due
    from ledger.due_rules r, generate_series(date_trunc('month', p_from) - interval '13 months',
      date_trunc('month', p_to), interval '1 month') m
    where extract(month from m)::int = any (r.last_months) and m::date >= r.valid_from
      and (r.valid_to is null or m::date < r.valid_to)
      and m::date >= (select date_trunc('month', books_begin)::date from ledger.companies where id = p_company)
  )
  select d.form, d.title, d.period, d.due,
    case when f.id is not null then 'filed' when d.due < ledger.today(p_company) then 'overdue'
      when d.due <= ledger.today(p_company) + 7 then 'due' else 'upcoming' end,
    f.arn, f.filed_on, d.source
  from d left join ledger.filings f on f.company_id = p_company and f.form = d.form and f.period = d.period
  where d.due between p_from and p_to
$$;

-- file_return records that a return of a month was filed and answers with it.
-- GSTR-1 locks the month's books; GSTR-3B needs GSTR-1 and closes them for good.
create function ledger.file_return(p_company uuid, p_form text, p_month date, p_figures jsonb) returns jsonb
language plpgsql as $$
declare
  v_month date := date_trunc('month', p_month)::date;
  v_today date := ledger.today(p_company);
  v_arn text;
  v_id uuid := ledger.new_id();
  v_n int;
begin
  if p_form not in ('GSTR-1', 'GSTR-3B') then
    perform ledger.fail('LG422', format('%s cannot be filed here.', p_form));
  elsif v_month is null then
    perform ledger.fail('LG422', 'The month is missing.');
  elsif v_month + interval '1 month' > v_today then
    perform ledger.fail('LG409', format('%s is not over yet.', to_char(v_month, 'FMMonth YYYY')));
  elsif not exists (select from ledger.periods where company_id = p_company and starts = v_month) then
    perform ledger.fail('LG404', format('The books have no %s.', to_char(v_month, 'FMMonth YYYY')));
  elsif p_form = 'GSTR-3B' and not exists (
      select from ledger.filings where company_id = p_company and form = 'GSTR-1' and period = v_month) then
    perform ledger.fail('LG409', format('GSTR-1 of %s is to be filed first.', to_char(v_month, 'FMMonth YYYY')));
  end if;
  insert into ledger.numbers as n (company_id, kind, fy, last) values (p_company, 'arn', '', 1)
  on conflict (company_id, kind, fy) do update set last = n.last + 1 returning last into v_n;
  select 'AA' || state_code || to_char(v_today, 'MMYY') || lpad(
      (('x' || substr(md5(p_company::text), 1, 4))::bit(16)::int % 100 * 10000 + v_n)::text, 6, '0')
      || chr(65 + v_n % 26)
  into v_arn from ledger.companies where id = p_company;
  insert into ledger.filings (id, company_id, form, period, arn, filed_on, figures)
  values (v_id, p_company, p_form, v_month, v_arn, v_today, coalesce(p_figures, '{}'))
  on conflict (company_id, form, period) do nothing;
  if not found then
    perform ledger.fail('LG409', format('%s of %s is filed already.', p_form, to_char(v_month, 'FMMonth YYYY')));
  end if;
  if p_form = 'GSTR-3B' then
    perform ledger.set_period(p_company, v_month, 'filed');
  elsif exists (select from ledger.periods where company_id = p_company and starts = v_month and status = 'open') then
    perform ledger.set_period(p_company, v_month, 'locked');
  end if;
  perform ledger.note(p_company, 'file', lower(p_form), v_id, v_arn);
  return jsonb_build_object('id', v_id, 'form', p_form, 'period', to_char(v_month, 'YYYY-MM'), 'arn', v_arn,
    'filed_on', v_today, 'figures', coalesce(p_figures, '{}'));
end $$;

-- The IRN of an e-invoice is the SHA-256 of the supplier's GSTIN, the financial
-- year, the type and the number of the document, as the portal of the GST network
-- computes it.
create table ledger.einvoices (
  document_id uuid primary key references ledger.documents,
  company_id uuid not null references ledger.companies,
  irn text not null unique check (irn ~ '^[0-9a-f]{64}$'),
  ack_number text not null,
  ack_at timestamptz not null,
  cancelled_at timestamptz,
  created_by text not null default ledger.actor()
);

-- generate_einvoice registers an invoice or a credit note to a customer with a
-- GSTIN, once; asked again it answers with the same.
create function ledger.generate_einvoice(p_company uuid, p_document uuid) returns jsonb
language plpgsql as $$
declare
  v ledger.documents;
  v_company ledger.companies;
  v_contact ledger.contacts;
  v_row ledger.einvoices;
begin
  select * into v from ledger.documents where company_id = p_company and id = p_document for update;
  select * into v_company from ledger.companies where id = p_company;
  select * into v_contact from ledger.contacts where id = v.contact_id;
  if v.id is null then
    perform ledger.fail('LG404', 'There is no such document.');
  elsif v.kind not in ('invoice', 'credit_note') then
    perform ledger.fail('LG422', format('%s is no invoice or credit note.', v.number));
  elsif v.status = 'void' then
    perform ledger.fail('LG409', format('%s is void.', v.number));
  elsif v_company.gstin is null or v_contact.gstin is null then
    perform ledger.fail('LG409', format('An e-invoice is for a customer with a GSTIN; %s has none.', v_contact.name));
  end if;
  insert into ledger.einvoices (document_id, company_id, irn, ack_number, ack_at)
  values (v.id, p_company, encode(sha256(convert_to(v_company.gstin || ledger.fy_name(v.date)
      || case v.kind when 'invoice' then 'INV' else 'CRN' end || v.number, 'UTF8')), 'hex'),
    to_char(ledger.now() at time zone 'Asia/Kolkata', 'YYMMDDHH24MISS')
      || lpad((abs(hashtext(v.id::text)) % 1000)::text, 3, '0'),
    ledger.now())
  on conflict (document_id) do nothing;
  if found then
    perform ledger.note(p_company, 'register', 'einvoice', v.id, v.number);
  end if;
  select * into v_row from ledger.einvoices where document_id = v.id;
  return jsonb_build_object('number', v.number, 'irn', v_row.irn, 'ack_number', v_row.ack_number,
    'ack_at', v_row.ack_at, 'status', case when v_row.cancelled_at is null then 'active' else 'cancelled' end, 'total', v.total,
    'customer', v_contact.name);
end $$;

-- document is that of 40_payments, with the registration of an e-invoice that is in
-- force.
create or replace function ledger.document(p_company uuid, p_id uuid) returns jsonb
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
    || coalesce((select jsonb_build_object('einvoice', jsonb_build_object('irn', e.irn, 'ack_number', e.ack_number,
        'ack_at', e.ack_at))
      from ledger.einvoices e where e.document_id = d.id and e.cancelled_at is null), '{}')
  from ledger.document_list d where d.company_id = p_company and d.id = p_id
$$;

-- A document that is registered is corrected by a credit note, or cancelled there
-- first.
create function ledger.guard_registered() returns trigger
language plpgsql as $$
begin
  if exists (select from ledger.einvoices where document_id = new.id and cancelled_at is null) then
    perform ledger.fail('LG409', format(
      '%s is registered as an e-invoice: cancel that within 24 hours, or issue a credit note.', new.number));
  end if;
  return new;
end $$;
create trigger guard_registered before update of status, total, contact_id, date on ledger.documents
  for each row when (new.status <> old.status or new.total <> old.total or new.contact_id <> old.contact_id
    or new.date <> old.date) execute function ledger.guard_registered();

create function ledger.cancel_einvoice(p_company uuid, p_document uuid) returns jsonb
language plpgsql as $$
declare
  v ledger.einvoices;
begin
  select * into v from ledger.einvoices where company_id = p_company and document_id = p_document for update;
  if v.irn is null then
    perform ledger.fail('LG404', 'The document is not registered as an e-invoice.');
  elsif v.cancelled_at is not null then
    perform ledger.fail('LG409', 'The e-invoice is cancelled already.');
  elsif v.ack_at < ledger.now() - interval '24 hours' then
    perform ledger.fail('LG409', 'An e-invoice is cancelled within 24 hours; issue a credit note instead.');
  end if;
  update ledger.einvoices set cancelled_at = ledger.now() where irn = v.irn;
  perform ledger.note(p_company, 'cancel', 'einvoice', p_document, null);
  return jsonb_build_object('irn', v.irn, 'status', 'cancelled',
    'number', (select number from ledger.documents where id = p_document));
end $$;

-- Reminders by e-mail are records: nothing is sent. An invoice gets one per step
-- and at most one a day. A step is a number of days after the due date.
create table ledger.reminder_steps (
  step int primary key,           -- days after the due date
  subject text not null
);
insert into ledger.reminder_steps (step, subject) values
  (-3, 'is due in a few days'), (0, 'is due'), (7, 'is overdue'), (15, 'is overdue: second reminder'),
  (30, 'is overdue: third reminder'), (60, 'is long overdue: last reminder');

create table ledger.reminders (
  id uuid primary key default ledger.new_id(),
  company_id uuid not null references ledger.companies,
  document_id uuid not null references ledger.documents,
  step int not null references ledger.reminder_steps,
  day date not null,
  recipient text not null,
  subject text not null,
  body text not null,
  balance numeric(18,2) not null, -- what was open then
  created_by text not null default ledger.actor(),
  created_at timestamptz not null default ledger.now(),
  unique (document_id, step),
  unique (document_id, day)
);
create index on ledger.reminders (company_id, day);

-- remind records the reminders that are due: {"invoice": number, or "customer", or
-- neither for all}. Returns {"recorded": […], "skipped": [{"number", "why"}]}.
create function ledger.remind(p_company uuid, p jsonb) returns jsonb
language plpgsql as $$
declare
  v_day date := ledger.today(p_company);
  v_invoice uuid;
  v_customer uuid;
  v_recorded jsonb := '[]';
  v_skipped jsonb := '[]';
  v_id uuid;
  v_step int;
  v_subject text;
  x record;
begin
  if ledger.words(p, 'invoice') is not null then
    v_invoice := ledger.find_document(p_company, 'invoice', p->>'invoice');
  elsif ledger.words(p, 'customer') is not null then
    v_customer := ledger.find_contact(p_company, 'customer', p->>'customer');
  end if;
  for x in
    select d.*, c.email from ledger.invoices d join ledger.contacts c on c.id = d.contact_id
    where d.company_id = p_company and d.balance > 0 and (v_invoice is null or d.id = v_invoice)
      and (v_customer is null or d.contact_id = v_customer) and (v_invoice is not null or d.due_date <= v_day + 3)
    order by d.due_date, d.number
  loop
    select max(step) into v_step from ledger.reminder_steps where step <= v_day - x.due_date;
    if x.email is null then
      v_skipped := v_skipped || jsonb_build_object('number', x.number, 'why', 'The customer has no e-mail address.');
    elsif v_step is null then
      v_skipped := v_skipped || jsonb_build_object('number', x.number, 'why', 'It is not due yet.');
    else
      select format('Invoice %s %s', x.number, s.subject) into v_subject
      from ledger.reminder_steps s where s.step = v_step;
      insert into ledger.reminders (company_id, document_id, step, day, recipient, subject, body, balance)
      values (p_company, x.id, v_step, v_day, x.email, v_subject,
        format(E'Dear %s,\n\ninvoice %s of %s over ₹%s was due on %s. ₹%s is open. '
          'Please arrange the payment.\n\n%s',
          x.contact, x.number, to_char(x.date, 'DD/MM/YYYY'), x.total, to_char(x.due_date, 'DD/MM/YYYY'), x.balance,
          (select name from ledger.companies where id = p_company)), x.balance)
      on conflict do nothing returning id into v_id;
      if v_id is null then
        v_skipped := v_skipped || jsonb_build_object('number', x.number, 'why', 'This reminder was recorded already.');
      else
        v_recorded := v_recorded || jsonb_build_object('id', v_id, 'number', x.number, 'customer', x.contact,
          'recipient', x.email, 'subject', v_subject, 'balance', x.balance, 'step', v_step);
      end if;
      v_id := null;
    end if;
  end loop;
  perform ledger.note(p_company, 'remind', 'invoice', v_invoice, null,
    jsonb_build_object('recorded', jsonb_array_length(v_recorded)));
  return jsonb_build_object('recorded', v_recorded, 'skipped', v_skipped);
end $$;

-- by_reference is what a client's write with a reference did: {"reference",
-- "found"} and, when it is found, "number" (of what was written, or its code, the
-- acknowledgement's number, its id or the name of the tool), "tool", "created_by",
-- "created_at", "result".
create function ledger.by_reference(p_company uuid, p_reference text) returns jsonb
language sql stable as $$
  select coalesce((
    select jsonb_build_object('reference', c.reference, 'found', true, 'number', coalesce(n.number, c.tool),
      'tool', c.tool, 'created_by', c.created_by, 'created_at', c.created_at, 'result', c.data)
    from ledger.calls c left join lateral (
      select coalesce(value->>'number', value->>'code', value->>'arn', value->>'id') as number
      from jsonb_each(c.data) where jsonb_typeof(value) = 'object' limit 1) n on true
    where c.company_id = p_company and c.reference = p_reference
  ), jsonb_build_object('reference', p_reference, 'found', false))
$$;
