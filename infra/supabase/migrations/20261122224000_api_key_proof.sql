-- An API key is exchanged by any of our functions, not only by one with the
-- secret key: the request proves that it is ours, and bears no token.

-- The account that an API key opens: {"email"}, or {"expired": true}, or
-- {"waitMs"} for what is no key. The key says of which organisation it is. Only
-- wrong keys are counted, ten a minute: no attacker can lock a right one out.
-- Raises PT403 'proof_required' for a request that does not come from us.
create or replace function public.api_key_open(p_user uuid, p_digest text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  v_nonce bytea := extensions.gen_random_bytes(16);
  v_key record;
begin
  if coalesce(current_setting('app.proven', true), '') <> 'true' then
    perform app.say_unproven();
  end if;
  select k.org_id, m.ends_at <= now() as expired, u.email into v_key
  from public.api_keys k
  join public.memberships m on m.org_id = k.org_id and m.user_id = k.user_id
  join auth.users u on u.id = k.user_id
  -- Compared under a nonce, so that the time it takes tells nothing of the digest.
  where k.user_id = p_user
    and extensions.hmac(k.digest, v_nonce, 'sha256') = extensions.hmac(decode(p_digest, 'hex'), v_nonce, 'sha256');
  if not found then
    return jsonb_build_object('waitMs', app.rate_place(coalesce(
      (select k.org_id from public.api_keys k where k.user_id = p_user), '00000000-0000-0000-0000-000000000000'),
      'api_key', 10));
  end if;
  if v_key.expired then
    return jsonb_build_object('expired', true);
  end if;
  update public.api_keys k set used_at = date_trunc('minute', now())
  where k.user_id = p_user and k.used_at is distinct from date_trunc('minute', now());
  return jsonb_build_object('email', v_key.email);
end $$;

revoke execute on function public.api_key_open(uuid, text) from service_role;
grant execute on function public.api_key_open(uuid, text) to anon;
