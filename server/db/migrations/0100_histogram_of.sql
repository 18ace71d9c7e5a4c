/* As before, in words that PostgreSQL works out in place: text joined to a number is only "stable" to it, so that the
   function was called, four times for each run that is stored (docs/decisions/0112). */
create or replace function internal.histogram_of(ms integer) returns numeric
language sql immutable parallel safe
as $$ select ('1e' || (10 * internal.histogram_slot(ms))::text)::numeric $$;
