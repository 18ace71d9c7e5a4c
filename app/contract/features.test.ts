import { expect, test } from "vitest";
import { FEATURES, featureSwitch } from "./features.ts";

test("every feature is on until a property switches it off", () => {
  const isOn = featureSwitch([{ name: "health.disable", value: "false" }]);
  expect(FEATURES.filter((feature) => !isOn(feature))).toEqual([]);
});

test("a feature that is off takes its children with it, and nothing else", () => {
  const isOn = featureSwitch([
    { name: "health.disable", value: "true" },
    { name: "settings.topology.disable", value: "true" },
  ]);
  expect(FEATURES.filter((feature) => !isOn(feature))).toEqual([
    "health",
    "settings.topology",
    "settings.health",
    "settings.job_history",
  ]);
});
