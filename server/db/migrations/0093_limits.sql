-- Limits of guessing and of asking, shared by every control plane on this database. One row per thing that is counted
-- (SHA-256 of kind, dimension and value) with the times of what was let through inside the window: exact in any hour,
-- never longer than its limit, and nothing is written for what is refused. Nobody but the owner has any right here.

create table internal.limits (
  key bytea primary key,
  most integer not null check (most between 1 and 200),
  seconds integer not null check (seconds between 1 and 86400),
  taken timestamptz[] not null
) with (fillfactor = 70);

-- What counts of a row: the times that are still inside the window.
create function internal.recent_of(taken timestamptz[], seconds integer, at timestamptz) returns timestamptz[]
language sql immutable set search_path = pg_catalog, pg_temp as $$
  select coalesce(array_agg(t order by t), '{}') from unnest(taken) t
  where t > at - make_interval(secs => seconds)
$$;

-- Takes one from each of these limits, or from none. 0: taken; else the seconds until it is worth asking again.
-- Reading comes first, so that a refusal costs one look at an index and writes nothing. What is taken at the same moment
-- by others is seen by the condition of the update, which reads the row again under its lock.
create function internal.take_limits(keys bytea[], mosts integer[], windows integer[], at timestamptz)
returns integer language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  wait integer;
  got bytea[];
begin
  select max(ceil(extract(epoch from r.recent[cardinality(r.recent) - w.most + 1] - at) + w.seconds))::integer
    into wait
    from unnest(keys, mosts, windows) w (key, most, seconds)
    join internal.limits l on l.key = w.key
    cross join lateral (select internal.recent_of(l.taken, w.seconds, at) as recent) r
   where cardinality(r.recent) >= w.most;
  if wait is not null then
    return greatest(wait, 1);
  end if;
  with won as (
    insert into internal.limits as l (key, most, seconds, taken)
    select w.key, w.most, w.seconds, array[at]
      from unnest(keys, mosts, windows) w (key, most, seconds) order by w.key
    on conflict (key) do update
      set most = excluded.most, seconds = excluded.seconds,
          taken = internal.recent_of(l.taken, excluded.seconds, at) || at
      where cardinality(internal.recent_of(l.taken, excluded.seconds, at)) < excluded.most
    returning l.key)
  select coalesce(array_agg(key), '{}') into got from won;
  if cardinality(got) = cardinality(keys) then
    return 0;
  end if;
  perform internal.return_limits(got, '{}', at);
  return 1;
end
$$;

-- Gives one back that was taken at this time from each of `keys`, and forgets everything counted under `forgotten`.
create function internal.return_limits(keys bytea[], forgotten bytea[], at timestamptz)
returns void language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  perform from internal.limits where key = any (keys || forgotten) order by key for update;
  delete from internal.limits where key = any (forgotten);
  update internal.limits
     set taken = taken[:array_position(taken, at) - 1] || taken[array_position(taken, at) + 1:]
   where key = any (keys) and array_position(taken, at) is not null;
end
$$;

revoke all on internal.limits from public;
revoke all on function internal.recent_of, internal.take_limits, internal.return_limits from public;

-- Failed sign-ins are counted there now.
drop table internal.login_attempts;
