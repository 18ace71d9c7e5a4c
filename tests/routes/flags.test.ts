/** A feature that is off is nowhere: no menu, no page, no data, no file, no write (specification 1 §6). */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { flagOf, parentOf, type Feature } from "#app/contract/features.ts";
import { aCanary, aCheck, aTeam, insert } from "#tests/support/builders.ts";
import { startSite, type Site } from "#tests/support/site.ts";

let site: Site;
let cookie: string;
const TEAM = "018f0000-0000-7000-8000-0000000000aa";
const CANARY = "018f0000-0000-7000-8000-0000000000ab";
const RECORD = "018f0000-0000-7000-8000-0000000000ac";
let check = "";
beforeAll(async () => {
  site = await startSite();
  const { pool } = site.database;
  await aTeam(pool, { id: TEAM });
  await aCanary(pool, { id: CANARY });
  await insert(pool, "permissions", {
    id: RECORD,
    canary_id: CANARY,
    team_id: TEAM,
    action: "update",
    created_by: "00000000-0000-0000-0000-000000000001",
  });
  check = await aCheck(pool, { canary_id: CANARY });
  cookie = await site.as("admin");
}, 120_000);
afterAll(() => site?.stop());

/** What each feature has today: pages (also as data), files, and where it is in the menus. */
const PARTS: Partial<Record<Feature, { pages: string[]; files?: string[]; menu?: string }>> = {
  health: {
    pages: ["/health", "/health/checks/CHECK/heartbeat"],
    files: ["/health.json", "/health.csv", "/health/checks/CHECK/history.csv", "/badges/check/CHECK.svg"],
    menu: 'href="/health"',
  },
  "settings.health": {
    pages: [
      "/settings/canaries",
      "/settings/canaries/new",
      `/settings/canaries/${CANARY}`,
      `/settings/canaries/${CANARY}/notify`,
      "/settings/canaries/import",
    ],
    files: ["/settings/canaries/export.yaml"],
    menu: 'href="/settings/canaries"',
  },
  "settings.users": { pages: ["/settings/users"], menu: 'href="/settings/users"' },
  "settings.teams": {
    pages: ["/settings/teams", "/settings/teams/new", `/settings/teams/${TEAM}`],
    menu: 'href="/settings/teams"',
  },
  "settings.permissions": {
    pages: [
      "/settings/permissions",
      "/settings/permissions/new",
      "/settings/permissions/why",
      `/settings/permissions/${RECORD}`,
    ],
    menu: 'href="/settings/permissions"',
  },
  "settings.feature_flags": { pages: ["/settings/feature-flags"], menu: 'href="/settings/feature-flags"' },
};

const withCheck = (path: string) => path.replace("CHECK", check);
const statusOf = async (path: string) => {
  const response = await site.visit(withCheck(path), { cookie });
  await response.text();
  return response.status;
};
const menuOf = async () => (await site.visit("/settings/tokens", { cookie })).text();
const switchOff = (feature: Feature, value = "true") =>
  site.database.pool.query(
    "insert into properties (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value",
    [flagOf(feature), value],
  );
const switchOn = () => site.database.pool.query("delete from properties");

describe.each(Object.entries(PARTS) as [Feature, { pages: string[]; files?: string[]; menu: string }][])(
  "%s",
  (feature, { pages, files = [], menu }) => {
    const addresses = [...pages, ...pages.map((path) => `${path}.data`), ...files];

    test("is there while it is on, also when its flag says false", async () => {
      await switchOff(feature, "false");
      for (const path of addresses) expect(await statusOf(path), path).toBe(200);
      expect(await menuOf()).toContain(menu);
      await switchOn();
    });

    test.each([feature, ...(parentOf(feature) ? [parentOf(feature)!] : [])])(
      "is nowhere once %s is off, and refuses writes",
      async (off) => {
        await switchOff(off);
        try {
          for (const path of addresses) expect(await statusOf(path), path).toBe(404);
          for (const path of pages) {
            const posted = await site.visit(withCheck(path), { cookie, form: { intent: "delete" } });
            expect([404, 405], path).toContain(posted.status);
          }
          expect(await menuOf()).not.toContain(menu);
        } finally {
          await switchOn();
        }
      },
    );
  },
);

/** One's own tokens, and what must not be switched off by whoever is written about. */
const OF_NO_FEATURE = ["/settings/audit", "/settings/tokens"];

test("every page of the settings belongs to a feature, but for two", async () => {
  const { default: routes } = await import("#app/routes.ts");
  const paths = (await routes)
    .flatMap(({ children = [] }) => children)
    .flatMap(({ children = [] }) => children)
    .flatMap(({ path }) => (path?.startsWith("settings/") ? [`/${path}`] : []));
  const covered = Object.values(PARTS).flatMap(({ pages }) => pages);
  const isCovered = (path: string) =>
    covered.some((known) => new RegExp(`^${path.replace(/:\w+/g, "[^/]+")}$`).test(known));
  expect(paths.length).toBeGreaterThan(5);
  expect(paths.filter((path) => !isCovered(path)).sort(), "give it a line in PARTS").toEqual(OF_NO_FEATURE);
});
