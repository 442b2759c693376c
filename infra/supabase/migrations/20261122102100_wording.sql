-- Wording: how amounts, dates and counts read, and how names are compared and refused.

-- The decimals of a price in a currency: none for those without a minor unit,
-- otherwise the two that amounts are kept with.
create function app.currency_digits(p_currency text) returns int
language plpgsql immutable set search_path = '' as $$
begin
  return case when p_currency = any ('{ADP,AFN,ALL,AMD,BIF,BYR,CLP,COP,DJF,ESP,GNF,GYD,IDR,IQD,IRR,ISK,ITL,JPY,KMF,KPW,KRW,LAK,LBP,LUF,MGA,MGF,MMK,MNT,MRO,MUR,PKR,PYG,RSD,RWF,SLL,SOS,STD,SYP,TMM,TRL,TZS,UGX,UYI,UZS,VND,VUV,XAF,XOF,XPF,YER,ZMK,ZWD}'::text[])
    then 0 else 2 end;
end $$;

-- An amount for people, as money.Amount's Format shows those of at most two
-- decimals: "₹1,23,456.00", "$1,234.50", "CHF 45.00".
create function app.show_money(p_currency text, p_amount numeric) returns text
language plpgsql immutable set search_path = '' as $$
declare
  v_parts constant text[] := string_to_array(round(abs(p_amount), app.currency_digits(p_currency))::text, '.');
begin
  return case when round(p_amount, app.currency_digits(p_currency)) < 0 then '-' else '' end
    || case p_currency when 'INR' then '₹' when 'USD' then '$' when 'EUR' then '€' when 'GBP' then '£' when 'JPY' then '¥' else p_currency || ' ' end
    || regexp_replace(v_parts[1], case p_currency when 'INR' then '(\d)(?=(\d{2})+\d$)' else '(\d)(?=(\d{3})+$)' end, '\1,', 'g')
    || coalesce('.' || v_parts[2], '');
end $$;

create function app.show_date(p_date date) returns text
language plpgsql immutable set search_path = '' as $$
begin
  return to_char(p_date, 'DD-Mon-YYYY');
end $$;

create function app.nights(p_nights int) returns text
language sql immutable set search_path = '' as $$
  select p_nights || case p_nights when 1 then ' night' else ' nights' end
$$;

-- "3 bookings", "1 booking".
create function app.counted(p_count bigint, p_one text, p_many text) returns text
language sql immutable set search_path = '' as $$
  select p_count || ' ' || case p_count when 1 then p_one else p_many end
$$;

-- Why rooms are blocked, after "for".
create function app.for_reason(p_reason text) returns text
language sql immutable set search_path = '' as $$
  select case p_reason when 'other' then 'another reason' else replace(p_reason, '_', ' ') end
$$;

-- The form in which names are compared: composed letters, lower case, without
-- invisible signs; hyphens, underscores and runs of spaces count as one space.
-- Go compares in the same way (pkg/hospitality/names). A database with the "C"
-- locale lowers the letters a to z only.
create function app.folded(p_name text) returns text
language sql immutable set search_path = '' as $$
  select btrim(regexp_replace(
    regexp_replace(lower(normalize(p_name, NFKC)), '[\u00AD\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF]', '', 'g'),
    '[-_\s]+', ' ', 'g'))
$$;

-- Holds the names of a table until the transaction ends, so that rivals come
-- one after the other, and raises PT409 'duplicate' when another row than
-- p_except bears the name. p_what is such a thing with its article. It is no
-- unique index: a property may have come with two of one name.
create function app.claim_name(p_table text, p_what text, p_entity uuid, p_name text, p_except uuid default null) returns void
language plpgsql volatile set search_path = '' as $$
declare
  v_other record;
begin
  perform pg_advisory_xact_lock(hashtextextended(p_table || p_entity::text, 0));
  execute format('select name, code from public.%I where entity_id = $1 and app.folded(name) = app.folded($2)
                  and id is distinct from $3 order by code limit 1', p_table)
    into v_other using p_entity, p_name, p_except;
  if v_other.code is not null then
    raise sqlstate 'PT409' using message = 'duplicate',
      detail = format('There is already %s called %s (%s), so nothing was done.', p_what, v_other.name, v_other.code);
  end if;
end $$;

-- Raises PT404 for a code that the property does not have.
create function app.no_such(p_what text, p_code text) returns void
language plpgsql immutable set search_path = '' as $$
begin
  raise sqlstate 'PT404' using message = 'unknown_' || replace(p_what, ' ', '_'), detail = format('There is no %s %s.', p_what, p_code);
end $$;

revoke execute on all routines in schema app from public;
grant execute on function app.currency_digits(text), app.show_money(text, numeric), app.show_date(date),
  app.nights(int), app.counted(bigint, text, text), app.for_reason(text), app.folded(text),
  app.claim_name(text, text, uuid, text, uuid), app.no_such(text, text) to authenticated;
