import { expect, test } from "vitest";
import { badgeOf, badgePath } from "./badge.ts";

const facts = (parts: Partial<Parameters<typeof badgeOf>[0]>) => ({
  name: "Cart",
  checks: 1,
  healthy: 1,
  unhealthy: 0,
  passed: 999,
  failed: 1,
  range: "1 day",
  ...parts,
});

test.each([
  [{}, "both", "Cart", "healthy, 99.9%"],
  [{}, "status", "Cart", "healthy"],
  [{}, "uptime", "Cart, 1 day", "99.9%"],
  [{ healthy: 0, unhealthy: 1 }, "status", "Cart", "unhealthy"],
  [{ healthy: 0, passed: 0, failed: 0 }, "both", "Cart", "unknown"],
  [{ healthy: 0, passed: 0, failed: 0 }, "uptime", "Cart, 1 day", "no runs"],
  [{ checks: 9, healthy: 7, unhealthy: 2 }, "status", "Cart", "2 of 9 failing"],
  [{ checks: 9, healthy: 7 }, "status", "Cart", "healthy"],
  [{ checks: 2, healthy: 0 }, "status", "Cart", "unknown"],
] as const)("%j, %s", (parts, show, label, message) => {
  expect(badgeOf(facts(parts), show)).toMatchObject({ label, message });
});

test("colours tell apart what is all well, partly and wholly failing, and unknown; other words are allowed", () => {
  const colours = [{}, { checks: 2, unhealthy: 1 }, { healthy: 0, unhealthy: 1 }, { healthy: 0 }].map(
    (parts) => badgeOf(facts(parts), "status").color,
  );
  expect(new Set(colours).size).toBe(4);
  expect(badgeOf(facts({}), "both", "Shop").label).toBe("Shop");
});

test("the name of a group is one step of the path", () => {
  expect(badgePath("group", "a/b c")).toBe("/badges/group/a%2Fb%20c.svg");
});
