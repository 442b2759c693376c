-- How people read what the database says.

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

-- Why rooms are blocked, after "for".
create function app.for_reason(p_reason text) returns text
language sql immutable set search_path = '' as $$
  select case p_reason when 'other' then 'another reason' else replace(p_reason, '_', ' ') end
$$;

revoke execute on all routines in schema app from public;
grant execute on function app.show_money(text, numeric), app.for_reason(text) to authenticated;
