import { expect, test } from "vitest";
import { FEATURES } from "#app/contract/features.ts";
import { knownFeatures, otherFlags, type Flag } from "./model.ts";

const aFlag = (name: string, value: string, isLocal = false): Flag => ({
  name,
  value,
  isLocal,
  description: "",
  author: null,
  createdAt: null,
  updatedAt: null,
  seen: "",
});
const stateOf = (flags: Flag[], feature: string) =>
  knownFeatures(flags).find((known) => known.feature === feature)!;

test("every feature of the specification is listed once, a child right after its parent", () => {
  const listed = knownFeatures([]).map(({ feature }) => feature);
  expect([...listed].sort()).toEqual([...FEATURES].sort());
  expect(listed.slice(listed.indexOf("health"))).toEqual(
    expect.arrayContaining(["health", "settings.health", "settings.job_history"]),
  );
  expect(listed.indexOf("settings.config_scraper")).toBe(listed.indexOf("config") + 1);
});

test("a child of what is off is off, though its own flag does not say so", () => {
  const child = stateOf([aFlag("health.disable", "true")], "settings.job_history");
  expect(child).toMatchObject({ isOn: false, isOffItself: false, parent: "health" });
});

test("only the value true switches off", () => {
  for (const value of ["false", "TRUE", "yes", ""])
    expect(stateOf([aFlag("logs.disable", value)], "logs").isOn, value).toBe(true);
  expect(stateOf([aFlag("logs.disable", "true", true)], "logs")).toMatchObject({
    isOn: false,
    isLocal: true,
  });
});

test("what is no feature's flag is listed below", () => {
  const flags = ["logs.disable", "settings.user.disabled", "check.disabled.http", "nothing.disable"].map(
    (name) => aFlag(name, "true"),
  );
  expect(otherFlags(flags).map(({ name }) => name)).toEqual([
    "settings.user.disabled",
    "check.disabled.http",
    "nothing.disable",
  ]);
});
