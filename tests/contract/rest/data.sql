-- The rows of fixture.sql; running it again puts everything back, sequences included.
set search_path = api;
set timezone = 'UTC';
truncate teams, people, profiles, licences, projects, tasks, labels, project_labels, memberships, subscriptions, floors,
  rooms, bookings, hold.crates, hold.crate_items, ship_logs, "Odd Names", "odd-refs", samples, counters, serials, loose,
  articles, readings, sales, guarded, payroll, locked, inserts_only, second.items restart identity;

insert into teams (name) values ('alpha'), ('beta'), ('gamma');
insert into people (name, email, born, boss_id, team_id) values
  ('Ada', 'ada@example.org', '1980-02-03', null, 1),
  ('Ben', 'ben@example.org', '1990-05-06', 1, 1),
  ('Cleo', 'cleo@example.org', '1985-11-30', 1, 2),
  ('Dov', null, null, 2, 2),
  ('Eve', 'eve@example.org', '2001-01-01', 2, null);
update teams set lead_id = 1 where id = 1;
update teams set lead_id = 3 where id = 2;
insert into profiles values (1, 'first'), (2, null);
insert into licences (person_id, code) values (1, 'A-1'), (3, 'C-3'), (null, 'spare');
insert into projects
  (name, created_by, owner_id, team_id, labels, spec, tags, mood, budget, days, size, active, created_at, deleted_at)
values
  ('Anchor', 1, 2, 1, '{"app":"web","tier":{"name":"gold","level":3},"list":[1,"two",{"k":"v"}]}', '{"b":1,"a":[10,20,30]}',
   '{red,blue}', 'calm', 100.50, '[2024-01-01,2024-02-01)', '(2,3)', true, '2024-01-05T10:00:00Z', null),
  ('Bridge', 1, 3, 1, '{"app":"api","x-y":"dash","1":"one"}', '{"a":null}', '{red,"two words"}', 'busy', 20, '[2024-03-01,)',
   null, false, '2024-02-05T10:00:00Z', null),
  ('Canal', 2, null, 2, '{"app":"web"}', null, '{}', 'odd', null, null, '(4,5)', null, '2024-03-05T10:00:00.123456Z', '2024-04-01T00:00:00Z'),
  ('Dome, big', null, 1, null, null, '[1,2,3]', null, null, -3.25, 'empty', '(,7)', true, '2024-04-05T10:00:00Z', null),
  ('Étage "x"', 3, 3, 2, '{}', '"text"', '{"a,b","c\"d"}', 'calm', 0, '[2023-01-01,2025-01-01)', null, false, '2024-05-05T10:00:00Z', null);
insert into tasks (project_id, title, done, position, due, parent_id) values
  (1, 'dig', true, 1, '2024-01-10T00:00:00Z', null),
  (1, 'pour', false, 2, '2024-01-20T00:00:00Z', 1),
  (1, 'paint', false, null, null, 1),
  (2, 'span', true, 1, '2024-02-10T00:00:00Z', null),
  (2, 'rail_100%', false, 2, '2024-02-20T00:00:00Z', 4),
  (3, 'fill', false, 1, null, null),
  (null, 'stray', true, null, '2024-06-01T12:30:00+02:00', null),
  (5, 'dig deeper', false, 5, '2024-07-01T00:00:00Z', 2);
insert into labels (name) values ('urgent'), ('later'), ('never');
insert into project_labels values (1, 1), (1, 2), (2, 2), (5, 3);
insert into memberships values (1, 2, 'owner'), (1, 3, 'guest'), (2, 1, 'guest'), (5, 5, 'owner');
insert into subscriptions (label_id, team_id) values (1, 1), (2, 1), (1, 2);
insert into floors values ('north', 1, 'green'), ('north', 2, null), ('south', 1, 'blue');
insert into rooms (building, floor_number, name) values ('north', 1, 'n1a'), ('north', 1, 'n1b'), ('south', 1, 's1a'), (null, 1, 'none');
insert into bookings values (1, 1, '2024-01-01', 'early'), (1, 2, '2024-01-02', null), (3, 1, '2024-01-01', 'south');
insert into hold.crates values (1, 'apples', 1), (2, 'bolts', 2), (3, 'cloth', null);
insert into hold.crate_items values (1, 1, 'red apple'), (2, 1, 'green apple'), (3, 2, 'M8');
insert into ship_logs values (1, 1, 'loaded'), (2, 2, 'lost');
insert into "Odd Names" values
  (1, 'One', 'dash', 'hey', 10, 'dot', 5, 'word'), (2, null, 'two-dash', null, 20, null, null, null);
insert into "odd-refs" values (1, 1), (2, 1), (3, null);
insert into samples values
  (1, true, 1, 100000, 9007199254740993, 1.5, 2.25, 12345678901234567890.123, 'text', 'vc', 'c', '\xdeadbeef',
   '2024-01-02', '10:11:12', '2024-01-02T03:04:05', '2024-01-02T03:04:05Z', '1 day 02:00:00',
   '11111111-2222-3333-4444-555555555555', '{"z":1,"a":2}', '{"z":1,"a":2}', '{1,2,3}', '{a,"b c",null}', '[1,5)',
   '["2024-01-01 00:00:00+00","2024-01-02 00:00:00+00")', 'calm', '(1,2)', '10.0.0.1/24'),
  (2, false, -1, -5, 0, 'NaN', '-Infinity', 0, '', '', '', '', '0001-01-01', '00:00', 'infinity', '-infinity', '-3 mons',
   '00000000-0000-0000-0000-000000000000', '[]', 'null', '{}', '{}', 'empty', '(,)', 'odd', '(,)', '::1'),
  (3, null, null, null, null, null, null, null, 'null', null, null, null, null, null, null, null, null, null, 'null', null, null,
   null, null, null, null, null, null);
insert into counters (n) values (1), (2), (3);
insert into serials (v, w) values ('one', 1), ('two', 2), ('three', 3);
insert into loose values (1, 'one'), (1, 'one'), (2, null);
insert into articles values
  (1, 'The quick brown fox', to_tsvector('english', 'The quick brown fox'), 'english'),
  (2, 'Jumping foxes are quick', to_tsvector('english', 'Jumping foxes are quick'), 'english'),
  (3, 'Die Häuser am Fluss', to_tsvector('german', 'Die Häuser am Fluss'), 'german');
insert into readings values
  (1, '2024-03-01T00:00:00Z', 1, 1.5), (2, '2024-03-02T00:00:00Z', 1, 2.5), (3, '2025-03-02T00:00:00Z', 2, 3.5);
insert into sales values
  (1, 'north', 1, 10, '2024-01-01'), (2, 'north', 1, 20, '2024-01-02'), (3, 'south', 2, 5, '2024-01-01'), (4, 'south', null, null, null);
insert into guarded values (1, 'first', 5, 1, 'abc', null);
insert into payroll values (1, 1, 1000), (2, 2, 2000);
insert into locked values (1, 'hidden');
insert into second.items values (1, 'second one'), (2, 'second two');
refresh materialized view project_stats;
analyze teams, people, projects, tasks, labels;
select ops.mark();
