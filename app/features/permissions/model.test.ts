import { describe, expect, test } from "vitest";
import type { PermissionRow, Reason, Why } from "#app/contract/rows/permissions.ts";
import { chainOf, subjectOf, targetOf, verdictOf } from "./model.ts";

const row = (given: Partial<PermissionRow>): PermissionRow => ({
  id: "p",
  action: "read",
  updated_at: "2026-01-01T00:00:00Z",
  ...given,
});

describe("what a record is about", () => {
  test("is its one resource, by its name where it may be seen", () => {
    expect(targetOf(row({ check_id: "c", check: { id: "c", name: "web" } }))).toEqual({
      kind: "check",
      id: "c",
      name: "web",
    });
    expect(targetOf(row({ connection_id: "x" }))).toEqual({ kind: "connection", id: "x", name: null });
  });
  test("is called by its title, if a playbook has one", () => {
    const playbook = { id: "p", name: "restart-pod", title: "Restart a pod" };
    expect(targetOf(row({ playbook_id: "p", playbook })).name).toBe("Restart a pod");
    expect(targetOf(row({ playbook_id: "p", playbook: { ...playbook, title: "" } })).name).toBe(
      "restart-pod",
    );
  });
  test("is for a person or a team", () => {
    expect(subjectOf(row({ person_id: "a", person: { id: "a", name: "Mei" } }))).toMatchObject({
      kind: "person",
      name: "Mei",
    });
    expect(subjectOf(row({ team_id: "t" }))).toMatchObject({ kind: "team", name: "A team that is gone" });
  });
});

const why = (given: Partial<Why>): Why => ({
  resource: { id: "c", kind: "canary", name: "ledger" },
  verdict: "yes",
  role: "viewer",
  byRole: false,
  records: [],
  ...given,
});
const reason = (given: Partial<Reason>): Reason => ({
  id: "r",
  action: "update",
  deny: false,
  until: null,
  team: null,
  about: "canary",
  expired: false,
  teamIsGone: false,
  ...given,
});

describe("the verdict in words", () => {
  test.each([
    [why({ byRole: true, role: "editor" }), "Mei may update ledger: the role editor allows it."],
    [why({ records: [reason({})] }), "Mei may update ledger: a permission allows what the role does not."],
    [why({ verdict: "no" }), "Mei may not update ledger: neither the role nor a permission allows it."],
    [
      why({ verdict: "no", byRole: true, records: [reason({ deny: true })] }),
      "Mei may not update ledger: a permission denies it, and a denial wins.",
    ],
    [
      why({ verdict: "no", records: [reason({ deny: true, expired: true })] }),
      "Mei may not update ledger: neither the role nor a permission allows it.",
    ],
    [why({ verdict: "hidden" }), "Mei may not update ledger: a permission hides it from them."],
  ])("%#", (answer, words) => expect(verdictOf(answer, "Mei", "update")).toBe(words));
});

describe("the chain", () => {
  test("begins with the role and marks what does not count", () => {
    const records = [
      reason({ id: "a", deny: true, action: "read", team: "Night watch" }),
      reason({ id: "b", expired: true, until: new Date("2026-01-01T00:00:00Z") }),
      reason({ id: "c", teamIsGone: true, team: "Gone" }),
    ];
    const [role, denial, ended, gone] = chainOf(why({ records }), "update", "canary");
    expect(role).toMatchObject({ says: "nothing", counts: true });
    expect(denial).toMatchObject({
      says: "denies",
      counts: true,
      title: "A permission of the team Night watch",
    });
    expect(denial?.detail).toContain("what cannot be read cannot be used");
    expect(ended).toMatchObject({ says: "allows", counts: false });
    expect(ended?.detail).toContain("It ended 2026-01-01 00:00 UTC.");
    expect(gone).toMatchObject({ counts: false });
  });
  test("says that nothing denies an admin", () => {
    const [, denial] = chainOf(
      why({ role: "admin", byRole: true, records: [reason({ deny: true, action: "*" })] }),
      "update",
      "canary",
    );
    expect(denial).toMatchObject({ counts: false });
    expect(denial?.detail).toContain("It does nothing to an admin.");
  });
});
