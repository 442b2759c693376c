-- Codes that cannot be taken for a word, a number, or a coupon such as EARLY20: in those of two signs and more
-- a letter stands behind a digit. Else as before: letters and digits that people read aloud, no I, O, 0 or 1,
-- each picked by five random bits. Bytes 6 and 8 of a version 4 UUID are partly fixed and are left out.
create or replace function app.human_code(p_length int) returns text
language plpgsql volatile set search_path = '' as $$
declare
  alphabet constant text := 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
  random bytea;
  code text;
begin
  if p_length not between 1 and 6 then
    raise exception 'human_code: the length must be 1 to 6, not %', p_length;
  end if;
  loop
    random := uuid_send(gen_random_uuid());
    code := '';
    for i in 0 .. p_length - 1 loop
      code := code || substr(alphabet, (get_byte(random, i) & 31) + 1, 1);
    end loop;
    exit when p_length = 1 or code ~ '[2-9].*[A-Z]';
  end loop;
  return code;
end $$;
