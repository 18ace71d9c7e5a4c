-- Background work: which worker pools belong to which control plane. A pool is listed before it takes its first job and
-- struck off after its last, so a job that is locked by a pool nobody lists is a dead one's, and is given back.
alter table internal.control_planes add column worker_pools text[] not null default '{}';

/* A named queue that became free and has more to do: whoever waits is told. Without it the next job of the queue waits
   for somebody's next look, because a worker looks for work before the end of its last job is written down. Its trigger
   is made with the queue's schema, by the engines. */
create function internal.tell_freed_queue() returns trigger
language plpgsql
as $$
begin
  if exists (select from graphile_worker._private_jobs
             where job_queue_id = new.id and is_available and run_at <= now()) then
    perform pg_notify('jobs:insert', '{"count":1}');
  end if;
  return null;
end
$$;
