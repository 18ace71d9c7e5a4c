import { expect, test } from "vitest";
import { z } from "zod";
import { embed, json, view } from "./view.ts";

const Person = z.object({ id: z.string(), name: z.string() });

test("select is derived from the row schema, embeds and hints included", () => {
  const row = z.object({
    id: z.string(),
    created_by: Person.nullish(),
    commander: embed("commander_id", Person).nullish(),
    members: z.array(embed("person_id", Person)).default([]),
    updated_at: z.coerce.date(),
  });
  expect(view("incidents", row).select).toBe(
    "id,created_by(id,name),commander:commander_id(id,name),members:person_id(id,name),updated_at",
  );
});

test("a JSON column with a known inside is one column", () => {
  const row = z.object({
    uptime: json(z.object({ passed: z.number() })).nullish(),
    labels: z.record(z.string(), z.string()),
  });
  expect(view("checks", row).select).toBe("uptime,labels");
});
