import { randomBytes, randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { Secret, TOTP } from "otpauth";
import type pg from "pg";
import type { Role } from "#app/contract/access.ts";
import { createAccount, PASSWORD } from "#tests/support/people.ts";
import { SECRET, startProduct } from "#tests/support/product.ts";
import { expectAccessible } from "./axe.ts";
import { createCheckWithHistory, createRestingCheck } from "./estate.ts";
import { anEditor, drawerOf, expect, fillSignIn, rowOf, test } from "./fixtures.ts";

interface State {
  /** Signed in as; absent: nobody. */
  as?: Role;
  path: string;
  /** What makes the state, once the page is there. */
  then?(page: Page, database: pg.Pool): Promise<void>;
}

/** Every page and state of the product that looks different: each is scanned in both themes and at three widths. */
const STATES: Record<string, State> = {
  "sign in": { path: "/login" },
  "sign in, to a deep link": { path: "/health?checkId=x" },
  "sign in, refused": {
    path: "/login",
    then: async (page) => {
      await fillSignIn(page, { email: "stranger@example.com", password: "wrong" });
      await expect(page.getByText("credentials are invalid")).toBeVisible();
    },
  },
  "registration, closed": { path: "/registration" },
  recovery: { path: "/recovery" },
  "recovery, from a link": { path: "/recovery?flow=x&token=y" },
  "recovery, a spent link": {
    path: "/recovery?flow=00000000-0000-4000-8000-000000000000&token=y",
    then: async (page) => {
      await page.getByRole("button", { name: "Continue" }).click();
      await expect(page.getByRole("button", { name: "Continue" })).toHaveCount(0);
    },
  },
  verification: { path: "/verification" },
  "your profile": { as: "viewer", path: "/profile-settings" },
  "your profile, refused": {
    as: "viewer",
    path: "/profile-settings",
    then: async (page) => {
      const section = page.locator("section").filter({ hasText: "Change Password" });
      await section.getByLabel("Password").fill("short");
      await section.getByRole("button", { name: "Save" }).click();
      await expect(page.getByText(/at least 8 characters/)).toBeVisible();
    },
  },
  "your profile, an authenticator app and recovery codes": {
    path: "/login",
    then: async (page, database) => {
      await giveFactors(page, database);
      await page.goto("/profile-settings");
      await page.getByRole("button", { name: "Reveal backup recovery codes" }).click();
      await expect(page.getByRole("button", { name: "Unlink TOTP Authenticator App" })).toBeVisible();
      await expect(page.getByText("Code 1 has not been used")).toBeVisible();
    },
  },
  "second factor, refused": {
    path: "/login",
    then: async (page, database) => {
      const account = await giveFactors(page, database);
      await page.context().clearCookies();
      await page.goto("/login");
      await fillSignIn(page, account);
      await page.getByLabel("Authentication code").fill("000000");
      await page.getByRole("button", { name: "Use Authenticator" }).click();
      await expect(page.getByText(/authentication code is invalid/)).toBeVisible();
    },
  },
  "a form whose session had ended": {
    as: "viewer",
    path: "/profile-settings",
    then: async (page) => {
      await page.context().clearCookies();
      const section = page.locator("section").filter({ hasText: "Profile Settings" });
      await section.getByRole("button", { name: "Save" }).click();
      await expect(page.getByText(/Your session had ended/)).toBeVisible();
    },
  },
  "sign out": { as: "viewer", path: "/logout" },
  "flow error": { path: "/api/.ory/self-service/login/browser?return_to=https://evil.example/" },
  "flow error, unknown": { path: "/error?error_code=BAD_SESSION" },
  "not found": { as: "viewer", path: "/nothing-here" },
  health: { as: "editor", path: "/health?pageSize=10&hidePassing=false" },
  "health, as a viewer": {
    as: "viewer",
    path: "/health?pageSize=10&page=2&hidePassing=false&groupBy=no-group",
  },
  "health, filtered and sorted": {
    as: "viewer",
    path: "/health?query=accept&status=unhealthy&sortBy=status&sortDesc=true",
  },
  "health, filters open and on": {
    as: "editor",
    path: `/health?filters=true&timeRange=3h&refresh=2m&labels=${encodeURIComponent('{"canary:team:ledger":1}')}`,
    then: (page) => page.getByTitle("Refresh every: 5 minutes").click(),
  },
  "health, cards": { as: "viewer", path: "/health?layout=card&hidePassing=false" },
  "health, pivot": { as: "viewer", path: "/health?pivotLabel=team&hidePassing=false&filters=true" },
  "health, nothing found": { as: "viewer", path: "/health?query=there-is-no-such-thing" },
  "health, a page too far": { as: "viewer", path: "/health?page=99" },
  "health, sidebar collapsed": {
    as: "viewer",
    path: "/health?query=accept",
    then: async (page) => {
      await page.getByRole("button", { name: "Collapse" }).click();
      await expect(page.getByRole("button", { name: "Expand" })).toBeVisible();
    },
  },
  "user menu": {
    as: "viewer",
    path: "/health?query=accept",
    then: (page) => page.getByTitle("User menu").click(),
  },
  "kubeconfig dialog": { as: "viewer", path: "/health?query=accept&dialog=kubeconfig" },
  "notify, refused": {
    as: "editor",
    path: "/health",
    then: async (page, database) => {
      const { rows } = await database.query("select id from canaries where name = 'storefront'");
      await page.goto(`/settings/canaries/${rows[0].id}/notify`);
      await page.locator("#notify-to").fill("nobody");
      await page.getByRole("button", { name: "Add" }).click();
      await expect(page.getByText(/must be an e-mail address/)).toBeVisible();
    },
  },
  help: { path: "/help" },
  "help, a page": { path: "/help/checks" },
  "help, no such page": { path: "/help/nothing" },
  "a page that is not up to date": {
    as: "viewer",
    path: "/health?query=accept",
    then: async (page) => {
      await expect(async () => {
        await page.evaluate(() => window.dispatchEvent(new Event("offline"))); // heard once the script has begun
        await expect(page.locator("[data-connection]")).toBeVisible({ timeout: 500 });
      }).toPass();
    },
  },
  "help menu": {
    as: "viewer",
    path: "/health?query=accept",
    then: (page) => page.getByTitle("Help").click(),
  },
  check: {
    as: "editor",
    path: "/health?query=Cart",
    then: async (page) => {
      await rowOf(page, "Cart").click();
      await expect(drawerOf(page, "Cart")).toBeVisible();
    },
  },
  "check, long history": {
    as: "viewer",
    path: "/health?query=Cart",
    then: async (page, database) => {
      const { id, name } = await createCheckWithHistory(database);
      await page.goto(`/health?query=Cart&checkId=${id}&historyPage=2`);
      await expect(drawerOf(page, name)).toBeVisible();
    },
  },
  "check, just run": {
    as: "editor",
    path: "/health?query=Cart",
    then: async (page, database) => {
      const { id, name } = await createRestingCheck(database);
      await page.goto(`/health?query=Cart&checkId=${id}`);
      await page.clock.install(); // or the toast is gone before the last scan
      await drawerOf(page, name).getByRole("button", { name: "Run now" }).click();
      await expect(page.getByText(/Check failed/)).toBeVisible();
    },
  },
  "check, deleted": {
    as: "viewer",
    path: "/health?query=Cart",
    then: async (page, database) => {
      const { id, name } = await createRestingCheck(database);
      await database.query("update checks set deleted_at = now() where id = $1", [id]);
      await page.goto(`/health?query=Cart&checkId=${id}`);
      await expect(drawerOf(page, name).getByText("This check was deleted")).toBeVisible();
    },
  },
  ...Object.fromEntries(
    ["events", "spec", "relationships", "badge"].map((tab) => [
      `check, ${tab}`,
      {
        as: "viewer",
        path: "/health?query=Cart",
        then: async (page: Page, database: pg.Pool) => {
          const { id, name } = await createCheckWithHistory(database);
          await page.goto(`/health?query=Cart&checkId=${id}&drawerTab=${tab}&drawerFrom=2026-01-01T10:00`);
          await expect(drawerOf(page, name)).toBeVisible();
        },
      } satisfies State,
    ]),
  ),
  "check, its run and a row in full": {
    as: "viewer",
    path: "/health?query=Cart",
    then: async (page, database) => {
      const { id, name } = await createCheckWithHistory(database);
      const run = "2026-01-01T10:00:00.000Z";
      await database.query(
        `insert into check_statuses (check_id, time, status, duration, message, details)
         values ($1, $2, false, 5, 'in full', '{"code": 418}')`,
        [id, run],
      );
      await page.goto(`/health?checkId=${id}&drawerFrom=2026-01-01T09:00&run=${run}&historyRun=${run}`);
      await expect(drawerOf(page, name).getByRole("region", { name: "Result of the run" })).toBeVisible();
    },
  },
  "heartbeat address": { as: "editor", path: "/health/checks/nope/heartbeat" },
  "check, missing": { as: "viewer", path: "/health?query=Cart&checkId=nope" },
  forbidden: {
    as: "viewer",
    path: "/health?query=Cart",
    then: async (page) => {
      await postFrom(page, "/health", { intent: "run", id: "00000000-0000-4000-8000-000000000000" });
      await expect(page.getByRole("heading", { level: 1, name: "Unauthorized" })).toBeVisible();
    },
  },
  "refused by upstream": {
    as: "editor",
    path: "/health?query=Cart",
    then: async (page) => {
      await postFrom(page, "/health", { intent: "nobody knows" });
      await expect(page.getByRole("heading", { level: 1, name: "This did not work" })).toBeVisible();
    },
  },
  "users, an invitation refused": {
    as: "admin",
    path: "/settings/users?invite=true",
    then: async (page) => {
      const dialog = drawerOf(page, "Invite User");
      await dialog.getByLabel("First name").fill("A");
      await dialog.getByLabel("Last name").fill("B");
      await dialog.getByLabel("Email").fill("viewer@example.com");
      await dialog.getByLabel("Role").selectOption("viewer");
      await dialog.getByRole("button", { name: "Invite user" }).click();
      await expect(page.getByText(/There is a user with this address/)).toBeVisible();
    },
  },
  users: { as: "admin", path: "/settings/users?sortBy=email" },
  "users, one to change": {
    as: "admin",
    path: "/settings/users?query=viewer%40example.com",
    then: async (page) => {
      await page.getByRole("link", { name: "Viewer Example", exact: true }).click();
      await expect(drawerOf(page, "Edit User")).toBeVisible();
    },
  },
  "users, the question before a deletion": {
    as: "admin",
    path: "/settings/users?query=viewer%40example.com",
    then: async (page) => {
      await page.getByRole("link", { name: "Delete Viewer Example" }).click();
      await expect(drawerOf(page, "Delete User ?")).toBeVisible();
    },
  },
  "users, an invitation nobody has taken": {
    as: "admin",
    path: "/settings/users",
    then: async (page, database) => {
      const person = await createAccount(database, `axe-${randomUUID()}@example.com`, ["viewer"]);
      await database.query(
        `insert into internal.invitations (identity_id, token_hash, invited_at, expires_at, mailed)
         values ($1, $2, now(), now() + interval '1 day', true)`,
        [person, randomBytes(32)],
      );
      await page.goto(`/settings/users?invitation=${person}`);
      await expect(page.getByRole("button", { name: "Send again" })).toBeVisible();
    },
  },
  teams: { as: "editor", path: "/settings/teams" },
  "teams, nobody in it": {
    as: "editor",
    path: "/settings/teams",
    then: async (page, database) => {
      const { rows } = await database.query(
        `insert into teams (name, created_by)
         values ('axe ' || gen_random_uuid(), '00000000-0000-0000-0000-000000000001') returning id`,
      );
      await page.goto(`/settings/teams/${rows[0].id}?tab=manageTeam`);
      await expect(page.getByText("Add team members")).toBeVisible();
    },
  },
  "teams, a new one refused": {
    as: "editor",
    path: "/settings/teams/new",
    then: async (page) => {
      await page.getByLabel("Name").fill("axe");
      await page.getByLabel("Icon").fill("not a picture");
      await page.getByRole("button", { name: "Save" }).click();
      await expect(page.getByText(/An icon is the name of a picture/)).toBeVisible();
    },
  },
  "teams, members and who could be": {
    as: "editor",
    path: "/settings/teams",
    then: async (page, database) => {
      const { rows } = await database.query(
        `with team as (insert into teams (name, created_by)
             values ('axe ' || gen_random_uuid(), '00000000-0000-0000-0000-000000000001') returning id)
         insert into team_members (team_id, person_id)
         select team.id, people.id from team, people where email like '%or@example.com' returning team_id`,
      );
      await page.goto(`/settings/teams/${rows[0].team_id}?tab=manageTeam`);
      await page.getByTitle("Actions for Editor Example").click();
      await expect(page.getByRole("button", { name: "Remove user" }).first()).toBeVisible();
      await page.goto(`/settings/teams/${rows[0].team_id}?tab=manageTeam&add=true`);
      await expect(drawerOf(page, "Add users to the team")).toBeVisible();
    },
  },
  "tokens, one just made": {
    as: "admin",
    path: "/settings/tokens?all=true&add=true",
    then: async (page) => {
      await page.getByLabel("Name").fill(`axe ${Date.now()}`);
      await page.getByRole("button", { name: "Create" }).click();
      await expect(drawerOf(page, "Access token created")).toBeVisible();
    },
  },
  "tokens, the question before one is revoked": {
    as: "admin",
    path: "/settings/tokens?add=true",
    then: async (page) => {
      const name = `axe ${randomUUID()}`;
      await page.getByLabel("Name").fill(name);
      await page.getByRole("button", { name: "Create" }).click();
      await page.getByRole("link", { name: "I have copied it" }).click();
      await page.getByRole("link", { name: `Revoke ${name}` }).click();
      await expect(drawerOf(page, "Revoke access token")).toBeVisible();
    },
  },
  "feature flags": { as: "editor", path: "/settings/feature-flags" },
  "feature flags, one to change": {
    as: "editor",
    path: "/settings/feature-flags",
    then: async (page, database) => {
      await database.query(
        "insert into properties (name, value) values ('axe.changed', '1') on conflict do nothing",
      );
      await page.goto("/settings/feature-flags?edit=axe.changed");
      await expect(drawerOf(page, "Edit Feature Flag")).toBeVisible();
    },
  },
  "feature flags, an incomplete one": {
    as: "editor",
    path: "/settings/feature-flags?add=true",
    then: async (page) => {
      const dialog = drawerOf(page, "Add Feature Flag");
      await dialog.getByLabel("Feature flag").fill("axe.flag");
      await dialog.getByLabel("Value").fill(" ");
      await dialog.getByRole("button", { name: "Save" }).click();
      await expect(page.getByText("please provide all details")).toBeVisible();
    },
  },
  "audit log, an entry open": {
    as: "admin",
    path: "/settings/audit?kind=properties",
    then: async (page, database) => {
      const claims = '{"id": "00000000-0000-0000-0000-000000000001", "client": "10.0.0.1"}';
      await database.query(
        `with caller as materialized (select set_config('request.jwt.claims', $1, true) as claims)
         insert into properties (name, value) select 'audit.axe', claims from caller
         on conflict (name) do update set value = properties.value || '.'`,
        [claims],
      );
      await page.reload();
      await page
        .getByRole("link", { name: /Added|Changed/ })
        .first()
        .click();
      await expect(page.getByRole("dialog")).toBeVisible();
    },
  },
  "audit log, a time of one's own": {
    as: "admin",
    path: "/settings/audit?from=yesterday",
    then: async (page) => {
      await page.getByTitle("Custom time").click();
      await expect(page.getByRole("button", { name: "Show this time" })).toBeVisible();
    },
  },
  "audit log, nothing found": { as: "admin", path: "/settings/audit?record=there-is-no-such-thing" },
  "settings, health checks": { as: "editor", path: "/settings/canaries" },
  "settings, as a viewer": { as: "viewer", path: "/settings/canaries?sortBy=name" },
  "settings, nothing found": { as: "editor", path: "/settings/canaries?query=there-is-no-such-thing" },
  "settings, import with a report": {
    as: "editor",
    path: "/settings/canaries/import",
    then: async (page) => {
      const buffer = Buffer.from(
        `kind: Secret\n---\nkind: Canary\n---\nkind: Canary\nmetadata: { name: a }\nspec: {}\n${"# more than the editor shows at once\n".repeat(80)}`,
      );
      const file = { name: "mixed.yaml", mimeType: "application/yaml", buffer };
      await page.getByLabel("Choose a file").setInputFiles(file);
      await page.getByRole("button", { name: "Check only" }).click();
      await expect(page.getByText("Nothing was written yet.")).toBeVisible();
    },
  },
  "settings, which type": { as: "editor", path: "/settings/canaries/new" },
  "settings, a new check refused": {
    as: "editor",
    path: "/settings/canaries/new?type=http",
    then: async (page) => {
      await page.getByRole("button", { name: "Add to Headers" }).click();
      await page.getByRole("textbox", { name: "Name", exact: true }).nth(2).fill("X-Who");
      await page.getByText("Advanced", { exact: true }).click();
      await page.getByText("TLS", { exact: true }).click();
      await page.getByRole("button", { name: "Save" }).click();
      await expect(page.getByText(/Not saved/)).toBeVisible();
      await page.getByText("Advanced", { exact: true }).click();
    },
  },
  "settings, code refused": {
    as: "editor",
    path: "/settings/canaries/new?type=custom",
    then: async (page) => {
      await page.locator(".cm-content").fill("htpp:\n  - name: a\n");
      await page.getByRole("button", { name: "Save" }).click();
      await expect(page.getByRole("link", { name: "Line 1" })).toBeVisible();
      await expect(page.locator(".cm-marked-line")).toBeVisible();
    },
  },
  "settings, a health check tested": {
    as: "editor",
    path: "/settings/canaries?query=ledger",
    then: async (page) => {
      await page.getByRole("link", { name: "ledger" }).click();
      await page.getByRole("button", { name: "Test", exact: true }).click();
      await expect(page.getByRole("heading", { name: /The test failed/ })).toBeVisible();
    },
  },
  "settings, the question before a deletion": {
    as: "editor",
    path: "/settings/canaries?query=ledger",
    then: async (page) => {
      await page.getByRole("link", { name: "ledger" }).click();
      await page.getByRole("link", { name: "Delete" }).click();
      await expect(drawerOf(page, "Delete resource")).toBeVisible();
    },
  },
  "settings, to look at": {
    as: "editor",
    path: "/settings/canaries?query=pilothouse-api",
    then: async (page) => {
      await page.getByRole("link", { name: "pilothouse-api" }).click();
      await expect(page.getByText("Linked to local file")).toBeVisible();
    },
  },
  "settings, permissions": {
    as: "admin",
    path: "/settings/permissions",
    then: async (page) => {
      await page.getByRole("link", { name: "Why?" }).click();
      await page.getByLabel("Person").selectOption({ label: "Viewer Example" });
      await page.locator("#why-resource").selectOption({ index: 1 });
      await page.getByRole("button", { name: "Explain" }).click();
      await expect(page.getByRole("heading", { name: "Why", exact: true })).toBeVisible();
    },
  },
  "settings, no permissions": { as: "viewer", path: "/settings/permissions?kind=playbook" },
  "settings, a permission refused": {
    as: "editor",
    path: "/settings/permissions/new",
    then: async (page) => {
      await page.getByRole("button", { name: "Save" }).click();
      await expect(page.getByText("This field is required").first()).toBeVisible();
    },
  },
  "settings, the question before a permission is deleted": {
    as: "editor",
    path: "/settings/permissions",
    then: async (page, database) => {
      const { rows } = await database.query(
        `insert into permissions (action, person_id, canary_id, created_by, until)
         select 'update', people.id, canaries.id, people.id, now() - interval '1 hour'
         from people, canaries where email = 'viewer@example.com' and canaries.name = 'ledger' returning id`,
      );
      await page.goto(`/settings/permissions/${rows[0].id}?confirm=delete`);
      await expect(drawerOf(page, "Delete Permission")).toBeVisible();
    },
  },
  "settings, jobs of a health check": {
    as: "editor",
    path: "/settings/canaries?query=ledger",
    then: async (page) => {
      await page.getByRole("link", { name: "ledger" }).click();
      await page.getByRole("link", { name: "Job History" }).click();
      await expect(page.getByText(/No job of this resource/)).toBeVisible();
    },
  },
};

/** Somebody new with an authenticator app and recovery codes, signed in. */
async function giveFactors(page: Page, database: pg.Pool) {
  const account = { email: `axe-${randomUUID()}@example.com`, password: PASSWORD };
  await createAccount(database, account.email, ["viewer"]);
  await fillSignIn(page, account);
  await expect(page).toHaveURL(/\/health/);
  await page.goto("/profile-settings");
  const secret = Secret.fromBase32(await page.locator("code").first().innerText());
  await page.getByLabel("Verify code").fill(new TOTP({ secret }).generate());
  await page.locator("form[data-group=totp]").getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("button", { name: "Unlink TOTP Authenticator App" })).toBeVisible();
  await page.getByRole("button", { name: "Generate new backup recovery codes" }).click();
  await page.getByRole("button", { name: "Confirm backup recovery codes" }).click();
  await expect(page.getByRole("button", { name: "Reveal backup recovery codes" })).toBeVisible();
  return account;
}

/** Posts a form as a page without scripts would, from this site. */
const postFrom = (page: Page, action: string, fields: Record<string, string>) =>
  Promise.all([
    page.waitForNavigation(),
    page.evaluate(
      ([to, entries]) => {
        const form = Object.assign(document.createElement("form"), { method: "post", action: to });
        for (const [name, value] of entries)
          form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
        document.body.append(form);
        form.submit();
      },
      [action, Object.entries(fields)] as const,
    ),
  ]);

test.describe("without a violation @js @desk", () => {
  test.describe.configure({ mode: "default" }); // two of them change what everybody sees
  for (const [name, state] of Object.entries(STATES))
    test(name, async ({ page, as, database }) => {
      if (state.as) await as(state.as);
      await page.goto(state.path);
      await state.then?.(page, database);
      await expectAccessible(page);
    });

  test("a form kept over a sign-in, and shown again", async ({ page, database }) => {
    const { email, endSessions } = await anEditor(database);
    await page.goto("/settings/canaries/new?type=tcp");
    await fillSignIn(page, { email });
    await page.getByRole("textbox", { name: "Name", exact: true }).first().fill("a name that is kept");
    await endSessions();
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("What you typed is kept")).toBeVisible();
    await expectAccessible(page);
    await fillSignIn(page, { email, password: "mistyped" });
    await expect(page.getByText("credentials are invalid")).toBeVisible();
    await expect(page.getByText("What you typed is kept")).toBeVisible();
    await expectAccessible(page);
    await fillSignIn(page, { email });
    await expect(page.getByText("nothing of it has been saved yet")).toBeVisible();
    await expectAccessible(page);
  });

  test("upstream away", async ({ page, tolerated }) => {
    tolerated.push(/the server responded with a status of 503/);
    const web = await startProduct({
      env: {
        UPSTREAM_URL: "http://127.0.0.1:1",
        SESSION_SECRET: SECRET,
        PILOTHOUSE_ADMIN_EMAIL: undefined,
        PILOTHOUSE_ADMIN_PASSWORD: undefined,
      },
    });
    try {
      await page.goto(`${web.url}/login`);
      await expect(page.getByRole("heading", { level: 1, name: "Upstream is away" })).toBeVisible();
      await expectAccessible(page);
    } finally {
      await web.stop();
    }
  });

  test("standalone: the page of checks, and one of them", async ({ page }) => {
    const product = await startProduct({ env: { PILOTHOUSE_MODE: "standalone" } });
    try {
      await page.goto(`${product.url}/health?hidePassing=false&groupBy=no-group`);
      const first = page.getByRole("table", { name: "Checks" }).getByRole("link").first();
      await expect(first).toBeVisible();
      await expectAccessible(page);
      await page.goto(`${product.url}/health?hidePassing=false&filters=true&layout=card`);
      await expectAccessible(page);
    } finally {
      await product.stop();
    }
  });
});
