/** What checks are about: selectors of their specs become links to components and catalogue items. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { aCanary, aComponent, aConfigItem, anAgent } from "#tests/support/builders.ts";
import { createDatabase, type TestDatabase } from "#tests/support/postgres.ts";
import { aPlane, aPort, eventually, type Plane, type Target } from "./checks-support.ts";

let db: TestDatabase;
let plane: Plane;
let port: Target;

beforeAll(async () => {
  [db, port] = await Promise.all([createDatabase(), aPort()]);
  plane = await aPlane(db);
  await plane.start();
});
afterAll(async () => {
  await plane.end(0);
  port.close();
  await db.drop();
});

/** What the checks of a canary are linked to, by check: names of components and catalogue items. */
async function linksOf(canary: string): Promise<Record<string, string[]>> {
  const { rows } = await db.pool.query<{ check: string; name: string }>(
    `select checks.name as check, it.name from public.check_component_relationships as link
     join public.checks on checks.id = check_id join public.components as it on it.id = component_id
     where link.canary_id = $1 and link.deleted_at is null
     union all
     select checks.name, it.name from public.check_config_relationships as link
     join public.checks on checks.id = check_id join public.config_items as it on it.id = config_id
     where link.canary_id = $1 and link.deleted_at is null
     order by 1, 2`,
    [canary],
  );
  const links: Record<string, string[]> = {};
  for (const { check, name } of rows) (links[check] ??= []).push(name);
  return links;
}
const becomes = async (canary: string, wanted: Record<string, string[]>) =>
  expect(
    await eventually(
      () => linksOf(canary),
      (links) => JSON.stringify(links) === JSON.stringify(wanted),
    ),
  ).toEqual(wanted);

const tcp = (name: string, more: object) => ({
  schedule: "@every 1s",
  tcp: [{ name, endpoint: `127.0.0.1:${port.port}`, ...more }],
});

test("a selector's value, label and expression find what has all of it", async () => {
  const agent = await anAgent(db.pool, { name: "related-edge" });
  await aComponent(db.pool, { name: "cart", namespace: "shop", type: "Application" });
  await aComponent(db.pool, { name: "cart", namespace: "elsewhere", type: "Application" });
  await aComponent(db.pool, { name: "far", agent_id: agent, labels: { tier: "1", team: "web" } });
  await aConfigItem(db.pool, {
    name: "cart-pod",
    external_id: ["pod/1", "uid-1"],
    tags: { namespace: "shop" },
  });
  await aConfigItem(db.pool, { name: "cart-pod-2", external_id: ["pod/2"], tags: { namespace: "shop" } });
  const relationships = {
    components: [
      { name: { label: "app" }, namespace: { value: "shop" } },
      { agent: { value: "related-edge" }, labels: { team: "web" } },
      { name: { label: "there is no such label" }, type: { value: "Application" } },
      {},
    ],
    configs: [{ external_id: { expr: "'pod/' + check.labels.number" }, namespace: { expr: "'shop'" } }],
  };
  const canary = await aCanary(db.pool, {
    spec: tcp("about", { labels: { app: "cart", number: "1" }, relationships }),
  });
  await becomes(canary, { about: ["cart", "cart-pod", "far"] });
});

test("what a selector does not make any more ends, and comes back; links of others stay", async () => {
  const [one, two, other] = await Promise.all(
    ["end-one", "end-two", "end-other"].map((name) => aComponent(db.pool, { name })),
  );
  const spec = (name: string) => tcp("ends", { relationships: { components: [{ name: { value: name } }] } });
  const canary = await aCanary(db.pool, { spec: spec("end-one") });
  await becomes(canary, { ends: ["end-one"] });
  await db.pool.query(
    `insert into public.check_component_relationships (component_id, check_id, canary_id)
     select $1, id, canary_id from public.checks where canary_id = $2`,
    [other, canary],
  );
  const save = (next: object) =>
    db.pool.query("update canaries set spec = $2 where id = $1", [canary, JSON.stringify(next)]);
  await save(spec("end-two"));
  await becomes(canary, { ends: ["end-other", "end-two"] });
  await save(spec("end-one"));
  await becomes(canary, { ends: ["end-one", "end-other"] });
  await save(tcp("ends", {}));
  await becomes(canary, { ends: ["end-other"] });
  expect(one).not.toBe(two);
});

test("each check that a transform makes is about what its own labels say", async () => {
  await aConfigItem(db.pool, { name: "pod-a", type: "Kubernetes::Pod" });
  await aConfigItem(db.pool, { name: "pod-b", type: "Kubernetes::Pod" });
  const entries = ["a", "b", "c"].map((name) => ({
    name: `alert ${name}`,
    pass: true,
    labels: { pod: `pod-${name}` },
  }));
  const canary = await aCanary(db.pool, {
    spec: {
      schedule: "@every 1s",
      exec: [
        {
          name: "alerts",
          script: `echo '${JSON.stringify(entries)}'`,
          transform: { expr: "results.stdout" },
          relationships: {
            configs: [{ name: { label: "pod" }, type: { value: "Kubernetes::Pod" } }],
          },
        },
      ],
    },
  });
  await becomes(canary, { "alert a": ["pod-a"], "alert b": ["pod-b"] });
});

test("an id that is none and words with quotes find nothing and break nothing", async () => {
  const relationships = {
    components: [{ id: { value: "nope" } }, { name: { value: `x' or 1=1 --` } }],
    configs: [{ scope: { value: "not an id" }, type: { expr: "1 / 0" } }],
  };
  const canary = await aCanary(db.pool, { spec: tcp("odd", { relationships }) });
  const ran = () =>
    db.pool.query("select status from public.checks where canary_id = $1 and status = 'healthy'", [canary]);
  expect((await eventually(ran, ({ rowCount }) => rowCount === 1)).rowCount).toBe(1);
  expect(await linksOf(canary)).toEqual({});
});
