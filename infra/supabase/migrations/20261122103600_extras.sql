-- Adding, changing and deleting extras, each in one step.

-- The extras of a property by name, each with its columns; those out of use only
-- when p_inactive says so.
create function public.extra_list(p_entity uuid, p_inactive boolean default false) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(to_jsonb(x) - '{org_id,entity_id,created_at,updated_at}'::text[] order by x.name, x.code), '[]')
  from public.extras x where x.entity_id = p_entity and (p_inactive or x.active)
$$;

-- Adds an extra and returns it. Raises PT409 'duplicate'.
create function public.create_extra(p_entity uuid, p_extra jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  v public.extras := jsonb_populate_record(null::public.extras, p_extra);
begin
  perform app.claim_name('extras', 'an extra', p_entity, v.name);
  insert into public.extras as x (org_id, entity_id, name, description, category, price, per, tax_rate, selection_required)
  values (app.org_id(), p_entity, v.name, v.description, v.category, v.price, v.per, v.tax_rate, v.selection_required)
  returning * into v;
  return to_jsonb(v);
end $$;

-- Changes the given columns of an extra and returns it. Raises PT404 'unknown_extra', PT409 'duplicate'.
create function public.update_extra(p_entity uuid, p_code text, p_changes jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  v public.extras;
begin
  select * into v from public.extras where entity_id = p_entity and code = p_code for update;
  if not found then
    perform app.no_such('extra', p_code);
  end if;
  v := jsonb_populate_record(v, p_changes);
  if p_changes ? 'name' then
    perform app.claim_name('extras', 'an extra', p_entity, v.name, v.id);
  end if;
  update public.extras x
  set name = v.name, description = v.description, category = v.category, price = v.price, per = v.per, tax_rate = v.tax_rate,
      selection_required = v.selection_required, active = v.active
  where x.entity_id = p_entity and x.code = p_code
  returning * into v;
  return to_jsonb(v);
end $$;

-- What depends on an extra of the property; null when there is no such extra.
--   bookings   reservations that have it, or a guest's choice for it
--   packages   codes of the packages that contain it
--   obstacle   why it cannot be deleted, as a sentence; null when it can
create function public.extra_use(p_entity uuid, p_code text) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object('bookings', u.bookings, 'packages', u.packages, 'obstacle',
    case when u.bookings > 0 or u.packages <> '[]' then
      format('%s (%s) is used in %s, so it cannot be deleted. ', x.name, x.code, concat_ws(' and ',
        case when u.bookings > 0 then app.counted(u.bookings, 'booking', 'bookings') end,
        case when u.packages <> '[]' then app.counted(jsonb_array_length(u.packages), 'package', 'packages')
          || ' (' || (select string_agg(c, ', ') from jsonb_array_elements_text(u.packages) c) || ')' end))
      || 'To stop selling it, make it inactive: bookings that have it keep it.'
    end)
  from public.extras x
  cross join lateral (
    select
      (select count(*) from (
         select e.reservation_id from public.reservation_extras e where e.org_id = x.org_id and e.extra_id = x.id
         union
         select s.reservation_id from public.extra_selections s where s.org_id = x.org_id and s.extra_id = x.id) r) as bookings,
      (select coalesce(jsonb_agg(p.code order by p.code), '[]')
       from public.packages_extras e join public.packages p on p.org_id = e.org_id and p.id = e.package_id
       where e.org_id = x.org_id and e.extra_id = x.id) as packages) u
  where x.entity_id = p_entity and x.code = p_code
$$;

-- Deletes an extra and returns its code. Raises PT404 'unknown_extra', PT409 'in_use'.
create function public.delete_extra(p_entity uuid, p_code text) returns text
language plpgsql set search_path = '' as $$
declare
  v_obstacle text;
begin
  -- A transaction that books it now holds the row by its foreign key, and is seen below.
  perform 1 from public.extras where entity_id = p_entity and code = p_code for update;
  if not found then
    perform app.no_such('extra', p_code);
  end if;
  v_obstacle := public.extra_use(p_entity, p_code) ->> 'obstacle';
  if v_obstacle is not null then
    raise sqlstate 'PT409' using message = 'in_use', detail = v_obstacle;
  end if;
  delete from public.extras where entity_id = p_entity and code = p_code;
  return p_code;
end $$;

call app.preview_reads('extra_list', 'extra_use');
revoke execute on function public.extra_list(uuid, boolean), public.create_extra(uuid, jsonb), public.update_extra(uuid, text, jsonb),
  public.extra_use(uuid, text), public.delete_extra(uuid, text) from public, anon;
grant execute on function public.extra_list(uuid, boolean), public.create_extra(uuid, jsonb), public.update_extra(uuid, text, jsonb),
  public.extra_use(uuid, text), public.delete_extra(uuid, text) to authenticated, service_role;
