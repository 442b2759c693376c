-- A project for the first message of a conversation, without a title: what a person
-- says first is no title. Null for those who may not begin one, who talk without it.
create or replace function app.new_project(p_org uuid, p_title text) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  v_id uuid;
begin
  if app.org_role() not in ('admin', 'manager') then
    return null;
  end if;
  insert into public.projects (org_id, title, user_id) values (p_org, '', auth.uid()) returning id into v_id;
  return v_id;
end $$;
