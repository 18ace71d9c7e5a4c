/** Calls through a client that others wrote: what `@supabase/postgrest-js` sends must work on ours as on PostgREST. */
import type { PostgrestClient } from "@supabase/postgrest-js";

/** What a call resolves to, as far as it is compared. */
interface ClientAnswer {
  data: unknown;
  error: { code?: string; message: string } | null;
  count: number | null;
  status: number;
}

type Call = (client: PostgrestClient) => PromiseLike<ClientAnswer>;

const ROLLBACK = ["x-tx", "rollback"] as const;

/** By what each does. Writes are rolled back by the header the suite turns into `Prefer: tx=rollback`. */
export const CLIENT_CALLS: Record<string, Call> = {
  "select all": (db) => db.from("people").select().order("id"),
  "select columns": (db) => db.from("people").select("id, name").order("id"),
  "select with a renamed cast column": (db) => db.from("people").select("number:id::text").order("id"),
  "an embed": (db) => db.from("tasks").select("id, projects ( id, name )").order("id"),
  "an inner embed with a filter": (db) =>
    db.from("tasks").select("id, projects!inner(name)").eq("projects.name", "Anchor").order("id"),
  "embeds by hint": (db) =>
    db
      .from("projects")
      .select("id, author:people!projects_created_by_fkey(name), owner:people!projects_owner_fkey(name)")
      .order("id"),
  "many to many": (db) => db.from("projects").select("id, labels(name)").order("id"),
  "an ambiguous embed": (db) => db.from("projects").select("id, people(name)"),
  eq: (db) => db.from("people").select().eq("name", "Ada"),
  neq: (db) => db.from("people").select().neq("name", "Ada").order("id"),
  "gt and lte": (db) => db.from("people").select().gt("id", 1).lte("id", 3).order("id"),
  like: (db) => db.from("people").select().like("name", "%e%").order("id"),
  ilike: (db) => db.from("people").select().ilike("name", "a%"),
  "like any of": (db) => db.from("people").select().likeAnyOf("name", ["A%", "B%"]).order("id"),
  is: (db) => db.from("people").select().is("email", null),
  in: (db) => db.from("projects").select("id").in("name", ["Dome, big", 'Étage "x"', "Anchor"]).order("id"),
  "contains an array": (db) => db.from("projects").select("id").contains("tags", ["red"]).order("id"),
  "contains an object": (db) =>
    db.from("projects").select("id").contains("labels", { app: "web" }).order("id"),
  "contained by": (db) => db.from("projects").select("id").containedBy("tags", ["red", "blue"]).order("id"),
  overlaps: (db) => db.from("projects").select("id").overlaps("tags", ["blue", "two words"]).order("id"),
  ranges: (db) => db.from("projects").select("id").rangeGt("days", "[2023-01-01,2023-02-01)").order("id"),
  "text search": (db) =>
    db.from("articles").select("id").textSearch("words", "fox", { config: "english" }).order("id"),
  "web search": (db) =>
    db
      .from("articles")
      .select("id")
      .textSearch("words", "fox -brown", { type: "websearch", config: "english" }),
  match: (db) => db.from("people").select().match({ name: "Ada", id: 1 }),
  not: (db) => db.from("people").select().not("name", "in", "(Ada,Ben)").order("id"),
  or: (db) => db.from("people").select().or("id.eq.1,and(id.gt.3,name.eq.Eve)").order("id"),
  "or of an embed": (db) =>
    db
      .from("projects")
      .select("id, tasks(id)")
      .or("title.eq.dig,done.is.true", { referencedTable: "tasks" })
      .order("id"),
  "a JSON path": (db) => db.from("projects").select("id, labels->>app").eq("labels->>app", "web").order("id"),
  "order with nulls": (db) =>
    db.from("people").select("id").order("email", { ascending: false, nullsFirst: false }),
  "order of an embed": (db) =>
    db
      .from("projects")
      .select("id, tasks(id)")
      .order("id", { referencedTable: "tasks", ascending: false })
      .order("id"),
  "limit of an embed": (db) =>
    db.from("projects").select("id, tasks(id)").limit(1, { referencedTable: "tasks" }).order("id"),
  range: (db) => db.from("people").select("*", { count: "exact" }).order("id").range(1, 2),
  "a range beyond the end": (db) => db.from("people").select("*", { count: "exact" }).range(50, 60),
  "count only": (db) => db.from("people").select("*", { count: "exact", head: true }),
  "planned count": (db) => db.from("people").select("*", { count: "planned", head: true }),
  single: (db) => db.from("people").select().eq("id", 1).single(),
  "single of many": (db) => db.from("people").select().single(),
  "maybe single of none": (db) => db.from("people").select().eq("id", 99).maybeSingle(),
  csv: (db) => db.from("people").select("id,name").order("id").csv(),
  insert: (db) =>
    db
      .from("labels")
      .insert({ name: "by a client" })
      .setHeader(...ROLLBACK),
  "insert many and select": (db) =>
    db
      .from("serials")
      .insert([{ v: "a" }, { v: "b", w: 4 }])
      .select()
      .setHeader(...ROLLBACK),
  "insert with null defaults": (db) =>
    db
      .from("serials")
      .insert([{ v: "a" }, { v: "b", w: 4 }], { defaultToNull: false })
      .select("v,w")
      .setHeader(...ROLLBACK),
  "insert a duplicate": (db) =>
    db
      .from("labels")
      .insert({ name: "urgent" })
      .setHeader(...ROLLBACK),
  upsert: (db) =>
    db
      .from("labels")
      .upsert({ id: 1, name: "changed" })
      .select()
      .setHeader(...ROLLBACK),
  "upsert on another key": (db) =>
    db
      .from("serials")
      .upsert({ v: "one", w: 9 }, { onConflict: "v" })
      .select()
      .setHeader(...ROLLBACK),
  "upsert ignoring duplicates": (db) =>
    db
      .from("serials")
      .upsert({ v: "one", w: 9 }, { onConflict: "v", ignoreDuplicates: true })
      .select()
      .setHeader(...ROLLBACK),
  update: (db) =>
    db
      .from("people")
      .update({ name: "Changed" })
      .eq("id", 1)
      .select()
      .setHeader(...ROLLBACK),
  "update with a count": (db) =>
    db
      .from("people")
      .update({ born: null }, { count: "exact" })
      .gt("id", 3)
      .setHeader(...ROLLBACK),
  delete: (db) =>
    db
      .from("loose")
      .delete({ count: "exact" })
      .eq("n", 1)
      .select()
      .setHeader(...ROLLBACK),
  "a function": (db) => db.rpc("add_them", { a: 1, b: 2 }).setHeader(...ROLLBACK),
  "a function by GET": (db) => db.rpc("squares", { upto: 4 }, { get: true }).gt("i", 2),
  "a function's count": (db) =>
    db.rpc("all_projects", {}, { head: true, count: "exact" }).setHeader(...ROLLBACK),
  "a function with an embed": (db) =>
    db
      .rpc("projects_of", { person: 1 })
      .select("id, tasks(id)")
      .order("id")
      .setHeader(...ROLLBACK),
  "an unknown function": (db) => db.rpc("nosuch", { a: 1 }).setHeader(...ROLLBACK),
  "another schema": (db) => db.schema("second").from("items").select().order("id"),
  "an unknown schema": (db) => db.schema("nope").from("items").select(),
  "stripped nulls": (db) => db.from("people").select().order("id").stripNulls(),
};
