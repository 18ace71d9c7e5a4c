/** Every canary of the fixtures goes through its form unchanged: what a form cannot show it must not spoil. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { canarySpecs } from "../definitions/canaries.server.ts";
import { evaluate, specOf } from "./evaluate.server.ts";
import { draftOf, specValues } from "./read-draft.server.ts";
import { entriesOf, entryAt } from "./table.server.ts";
import { isMap, type Json } from "./values.ts";
import { readSpec, writeSpec } from "./yaml.server.ts";

const folder = new URL("../../../../tests/fixtures/canaries/", import.meta.url);
const specs = readdirSync(folder)
  .filter((name) => /\.ya?ml$/.test(name))
  .flatMap((name) =>
    parseAllDocuments(readFileSync(new URL(name, folder), "utf8"))
      .map((document): unknown => document.toJS())
      .flatMap((manifest): [string, Json][] =>
        isMap(manifest) && manifest["kind"] === "Canary" && isMap(manifest["spec"])
          ? [[name, JSON.parse(JSON.stringify(manifest["spec"])) as Json]]
          : [],
      ),
  );
const someone = { name: "a", namespace: "default", labels: {} };

test("there are fixtures", () => {
  expect(specs.length).toBeGreaterThan(10);
});

test.each(specs)("%s as a form, entry by entry, and as code", (_, spec) => {
  const draft = draftOf(canarySpecs, someone, spec, { as: "form", seen: "then" });
  for (const at of entriesOf(canarySpecs, spec)) {
    if (!canarySpecs.fieldsOf(at.type) || !isMap(entryAt(spec, at))) continue;
    const values = specValues(canarySpecs, spec, at);
    expect(specOf(canarySpecs, { ...draft, as: "form", at, values })).toEqual(spec);
  }
  expect(specOf(canarySpecs, { ...draft, as: "code" })).toEqual(spec);
  expect(readSpec(writeSpec(spec)).spec).toEqual(spec);
});

/** The form asks for a name (specification 3 §5); the engine finds one for an entry that has none. */
const NAMELESS = "icmp_fail.yaml";

test.each(specs.filter(([name]) => name !== NAMELESS))("%s is accepted as it is", (_, spec) => {
  const { problems, lines, errors } = evaluate(
    canarySpecs,
    draftOf(canarySpecs, someone, spec, { as: "code" }),
  );
  expect({ problems, lines, errors }).toEqual({ problems: [], lines: [], errors: [] });
});
