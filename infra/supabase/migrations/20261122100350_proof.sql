-- The proof: how a request shows that it comes from our functions, which a
-- member's own token does not. It stands beside that token and never in its
-- place: it opens the functions that keep turns, limits, proposals, messages and
-- the like, and nothing else.
--
-- Header x-bellhop-proof is v1.<kid>.<time>.<nonce>.<mac>: the name of the key,
-- milliseconds since 1970, 16 random bytes and 32 bytes of HMAC-SHA256, both in
-- lower-case hexadecimal. The HMAC is over the token's subject and organisation,
-- the method, the path below /rest/v1, the time, the nonce, and the values of
-- x-bellhop-effect, -args, -tool, -turn, -assistant and -proposal ('' for one that
-- is absent), each as its length in bytes, a colon, and itself.

-- The keys, as HMAC uses them: 64 bytes of the key with each of its two pads.
-- No role but the owner reads them.
create table app.proof_keys (
  kid text primary key check (kid ~ '^[A-Za-z0-9_-]{1,16}$'),
  inner_pad bytea not null check (octet_length(inner_pad) = 64),
  outer_pad bytea not null check (octet_length(outer_pad) = 64),
  added_at timestamptz not null default clock_timestamp()
);
alter table app.proof_keys enable row level security;
revoke all on app.proof_keys from public, anon, authenticated, service_role;

-- The proofs that were used, for as long as they could be used again. A crash
-- empties the table: what is lost is worth less than a disk write per request.
create unlogged table app.proof_nonces (
  nonce bytea primary key,
  at timestamptz not null default clock_timestamp()
);
create index proof_nonces_at on app.proof_nonces (at);
alter table app.proof_nonces enable row level security;
revoke all on app.proof_nonces from public, anon, authenticated, service_role;

-- Makes the keys of p_keys, written as in PROOF_KEYS (kid:base64 with 32 bytes,
-- separated by commas), the ones that count, and returns how many they are. For
-- operators, as postgres.
create function app.set_proof_keys(p_keys text) returns int
language plpgsql set search_path = '' as $$
declare
  v_entry text;
  v_key bytea;
  v_byte int;
  v_count int := 0;
  k app.proof_keys;
begin
  delete from app.proof_keys;
  foreach v_entry in array string_to_array(p_keys, ',') loop
    k.kid := split_part(btrim(v_entry), ':', 1);
    v_key := decode(split_part(btrim(v_entry), ':', 2), 'base64');
    if octet_length(v_key) <> 32 then
      raise exception 'The key % does not have 32 bytes.', k.kid;
    end if;
    k.inner_pad := decode(repeat('00', 64), 'hex');
    k.outer_pad := k.inner_pad;
    for i in 0..63 loop
      v_byte := case when i < 32 then get_byte(v_key, i) else 0 end;
      k.inner_pad := set_byte(k.inner_pad, i, v_byte # 54);
      k.outer_pad := set_byte(k.outer_pad, i, v_byte # 92);
    end loop;
    insert into app.proof_keys (kid, inner_pad, outer_pad) values (k.kid, k.inner_pad, k.outer_pad);
    v_count := v_count + 1;
  end loop;
  return v_count;
end $$;

-- Whether this request carries a proof. False for a request without the header;
-- raises PT403 'proof_refused', 'proof_stale' or 'proof_used' for one whose proof
-- does not hold. A proof counts within two minutes of the database's clock, and
-- once; a transaction that only reads uses none up.
create function app.check_proof(p_headers jsonb, p_method text) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  v_proof constant text := p_headers ->> 'x-bellhop-proof';
  v_parts text[];
  v_claims jsonb;
  v_field text;
  v_message text := '';
  v_nonce bytea;
  k app.proof_keys;
begin
  if v_proof is null then
    return false;
  end if;
  if v_proof !~ '^v1\.[A-Za-z0-9_-]{1,16}\.[0-9]{13}\.[0-9a-f]{32}\.[0-9a-f]{64}$' then
    raise sqlstate 'PT403' using message = 'proof_refused', detail = 'The proof of the request does not hold.';
  end if;
  v_parts := string_to_array(v_proof, '.');
  v_claims := auth.jwt();
  foreach v_field in array array[
    v_claims ->> 'sub', lower(coalesce(v_claims -> 'app_metadata' ->> 'org_id', v_claims ->> 'org_id')),
    p_method, current_setting('request.path', true), v_parts[3], v_parts[4],
    p_headers ->> 'x-bellhop-effect', p_headers ->> 'x-bellhop-args', p_headers ->> 'x-bellhop-tool',
    p_headers ->> 'x-bellhop-turn', p_headers ->> 'x-bellhop-assistant', p_headers ->> 'x-bellhop-proposal'] loop
    v_message := v_message || coalesce(octet_length(v_field) || ':' || v_field, '0:');
  end loop;
  select * into k from app.proof_keys p where p.kid = v_parts[2];
  -- The digests of both are compared, so that how long it takes tells nothing of
  -- the one that would be right.
  if k.kid is null or sha256(decode(v_parts[5], 'hex'))
      <> sha256(sha256(k.outer_pad || sha256(k.inner_pad || convert_to(v_message, 'UTF8')))) then
    raise sqlstate 'PT403' using message = 'proof_refused', detail = 'The proof of the request does not hold.';
  end if;
  if abs(extract(epoch from clock_timestamp()) * 1000 - v_parts[3]::bigint) > 120000 then
    raise sqlstate 'PT403' using message = 'proof_stale', detail = 'The proof of the request is not of this time.';
  end if;
  if current_setting('transaction_read_only') = 'on' then
    return true;
  end if;
  v_nonce := decode(v_parts[4], 'hex');
  insert into app.proof_nonces (nonce) values (v_nonce) on conflict do nothing;
  if not found then
    raise sqlstate 'PT403' using message = 'proof_used', detail = 'The proof of the request was used before.';
  end if;
  -- Every 256th takes the old ones away, so that the table stays small between
  -- two runs of the clean-up.
  if get_byte(v_nonce, 0) = 0 then
    perform app.clean_up_proofs(1000);
  end if;
  return true;
end $$;

-- Forgets up to p_batch proofs that are too old to be used again, and returns how
-- many.
create function app.clean_up_proofs(p_batch int default 10000) returns int
language plpgsql security definer set search_path = '' as $$
declare
  v_count int;
begin
  delete from app.proof_nonces n where n.nonce in (
    select o.nonce from app.proof_nonces o where o.at < clock_timestamp() - interval '5 minutes' limit p_batch for update skip locked);
  get diagnostics v_count = row_count;
  return v_count;
end $$;

-- The caller's org, in a request that carries the proof. What the server keeps
-- for people begins with it. Raises PT403 'proof_required', or 'not_a_member'.
create function app.proven_org() returns uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  if coalesce(current_setting('app.proven', true), '') <> 'true' then
    perform app.say_unproven();
  end if;
  return app.member_org();
end $$;

create function app.say_unproven() returns void
language plpgsql set search_path = '' as $$
begin
  raise sqlstate 'PT403' using message = 'proof_required', detail = 'Only the assistant''s own service does that.';
end $$;

revoke execute on all routines in schema app from public;
