-- What is proposed to check_recent is a difference: its latency is worked out before it is merged, and must not fail.

/* The counts of the slots, from slot 0 to the last that is not empty; `{}` of nothing. Bytes, because a character of a text
   is found by counting all those before it. Never fails: a difference that has a slot below nothing is nonsense, but is worked
   out for rows that are proposed and merged with those that are there. */
create or replace function internal.unpack_histogram(packed numeric) returns integer[]
language plpgsql immutable parallel safe
as $$
declare
  digits bytea := convert_to(lpad(packed::text, (length(packed::text) + 9) / 10 * 10, '0'), 'UTF8');
  place integer := length(digits) - 9;
  counts integer[] := '{}';
begin
  while place > 0 and packed > 0 loop
    counts := counts || least(convert_from(substring(digits, place, 10), 'SQL_ASCII')::bigint, 2147483647)::integer;
    place := place - 10;
  end loop;
  return counts;
end
$$;
