-- Adding, changing, offering and deleting the chef's dishes, each in one step.

-- The dishes of a property by name, each with its columns.
create function public.chef_menu_list(p_entity uuid) returns jsonb
language sql stable set search_path = '' as $$
  select coalesce(jsonb_agg(to_jsonb(i) - '{org_id,entity_id,created_at,updated_at}'::text[] order by i.name, i.code), '[]')
  from public.chef_menu_items i where i.entity_id = p_entity
$$;

-- Adds a dish and returns it. Raises PT409 'duplicate'.
create function public.create_chef_menu_item(p_entity uuid, p_item jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  v public.chef_menu_items := jsonb_populate_record(null::public.chef_menu_items, p_item);
begin
  perform app.claim_name('chef_menu_items', 'a dish', p_entity, v.name);
  insert into public.chef_menu_items as m (org_id, entity_id, name, description, category, price, dietary, available)
  values (app.org_id(), p_entity, v.name, v.description, v.category, v.price, v.dietary, v.available)
  returning * into v;
  return to_jsonb(v);
end $$;

-- Changes the given columns of a dish and returns it. Raises PT404 'unknown_dish', PT409 'duplicate'.
create function public.update_chef_menu_item(p_entity uuid, p_code text, p_changes jsonb) returns jsonb
language plpgsql set search_path = '' as $$
declare
  v public.chef_menu_items;
begin
  select * into v from public.chef_menu_items where entity_id = p_entity and code = p_code for update;
  if not found then
    perform app.no_such('dish', p_code);
  end if;
  v := jsonb_populate_record(v, p_changes);
  if p_changes ? 'name' then
    perform app.claim_name('chef_menu_items', 'a dish', p_entity, v.name, v.id);
  end if;
  update public.chef_menu_items m
  set name = v.name, description = v.description, category = v.category, price = v.price, dietary = v.dietary, available = v.available
  where m.entity_id = p_entity and m.code = p_code
  returning * into v;
  return to_jsonb(v);
end $$;

-- Offers a dish or takes it off the menu; without p_available the other way
-- round than it is. Returns it. Raises PT404 'unknown_dish'.
create function public.toggle_chef_menu_item(p_entity uuid, p_code text, p_available boolean) returns jsonb
language plpgsql set search_path = '' as $$
declare
  v public.chef_menu_items;
begin
  update public.chef_menu_items m set available = coalesce(p_available, not m.available)
  where m.entity_id = p_entity and m.code = p_code
  returning * into v;
  if not found then
    perform app.no_such('dish', p_code);
  end if;
  return to_jsonb(v);
end $$;

-- How many selections of guests name a dish of the property; null when there is no such dish.
create function public.chef_menu_item_use(p_entity uuid, p_code text) returns bigint
language sql stable set search_path = '' as $$
  select (
    select count(*) from public.extra_selections s
    where s.org_id = m.org_id and s.entity_id = m.entity_id
      and s.choices @> jsonb_build_array(jsonb_build_object('items', jsonb_build_array(m.code))))
  from public.chef_menu_items m
  where m.entity_id = p_entity and m.code = p_code
$$;

-- Deletes a dish and returns its code. Raises PT404 'unknown_dish', PT409 'in_use'.
create function public.delete_chef_menu_item(p_entity uuid, p_code text) returns text
language plpgsql set search_path = '' as $$
declare
  v public.chef_menu_items;
  v_use bigint;
begin
  select * into v from public.chef_menu_items where entity_id = p_entity and code = p_code for update;
  if not found then
    perform app.no_such('dish', p_code);
  end if;
  v_use := public.chef_menu_item_use(p_entity, p_code);
  if v_use > 0 then
    raise sqlstate 'PT409' using message = 'in_use',
      detail = format('%s (%s) is chosen in %s of guests, so it cannot be deleted. Make it unavailable instead.',
                      v.name, v.code, app.counted(v_use, 'selection', 'selections'));
  end if;
  delete from public.chef_menu_items where entity_id = p_entity and code = p_code;
  return p_code;
end $$;

call app.preview_reads('chef_menu_list', 'chef_menu_item_use');
revoke execute on function public.chef_menu_list(uuid), public.create_chef_menu_item(uuid, jsonb),
  public.update_chef_menu_item(uuid, text, jsonb), public.toggle_chef_menu_item(uuid, text, boolean),
  public.chef_menu_item_use(uuid, text), public.delete_chef_menu_item(uuid, text) from public, anon;
grant execute on function public.chef_menu_list(uuid), public.create_chef_menu_item(uuid, jsonb),
  public.update_chef_menu_item(uuid, text, jsonb), public.toggle_chef_menu_item(uuid, text, boolean),
  public.chef_menu_item_use(uuid, text), public.delete_chef_menu_item(uuid, text) to authenticated, service_role;
