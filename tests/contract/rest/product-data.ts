/** A little data in the product's schema, with ids and times that do not change between runs. */
import type pg from "pg";
import {
  aCanary,
  aCheck,
  aCheckStatus,
  aComponent,
  aConfigItem,
  aConnection,
  aJob,
  anAgent,
  aPerson,
  aTeam,
  insert,
} from "#tests/support/builders.ts";

const id = (group: number, number: number) =>
  `0000000${group}-0000-4000-8000-${number.toString().padStart(12, "0")}`;

/** What the API encrypts secrets with; both servers are given it as `app.settings.pilothouse_key`. */
export const KEY = "a key of thirty-two characters ..";

/** The ids the calls name. */
export const IDS = {
  ada: id(1, 1),
  ben: id(1, 2),
  team: id(2, 1),
  otherTeam: id(2, 2),
  agent: id(3, 1),
  canary: id(4, 1),
  otherCanary: id(4, 2),
  check: id(5, 1),
  otherCheck: id(5, 2),
  component: id(6, 1),
  config: id(7, 1),
  connection: id(8, 1),
  topology: id(9, 1),
  notification: "0000000a-0000-4000-8000-000000000001",
} as const;

const at = (day: number, hour = 0) => new Date(Date.UTC(2025, 2, day, hour)).toISOString();

export async function loadProductData(pool: pg.Pool): Promise<void> {
  const times = { created_at: at(1), updated_at: at(2) };
  await aPerson(pool, { id: IDS.ada, name: "Ada", email: "ada@example.org", roles: ["admin"], ...times });
  await aPerson(pool, {
    id: IDS.ben,
    name: "Ben",
    email: "ben@example.org",
    avatar: "/ben.png",
    roles: ["viewer", "commander"],
    ...times,
  });
  await aTeam(pool, { id: IDS.team, name: "Harbour", icon: "anchor", created_by: IDS.ada, ...times });
  await aTeam(pool, { id: IDS.otherTeam, name: "Archive", created_by: IDS.ben, ...times, deleted_at: at(3) });
  await insert(pool, "public.team_members", { team_id: IDS.team, person_id: IDS.ben }, "person_id");
  await insert(pool, "public.identities", {
    id: IDS.ada,
    schema_id: "person",
    traits: { email: "ada@example.org", name: { first: "Ada", last: "L" } },
    state: "active",
    ...times,
  });
  await anAgent(pool, {
    id: IDS.agent,
    name: "edge",
    description: "at the edge",
    properties: { site: "north" },
    created_by: IDS.ada,
    ...times,
  });
  await insert(
    pool,
    "public.properties",
    { name: "topology.cache", value: "false", created_by: IDS.ada, ...times },
    "name",
  );
  await insert(pool, "public.properties", { name: "logs.enabled", value: "true", ...times }, "name");

  await aCanary(pool, {
    id: IDS.canary,
    name: "web",
    labels: { app: "web", tier: "gold" },
    created_by: IDS.ada,
    ...times,
  });
  await aCanary(pool, {
    id: IDS.otherCanary,
    name: "edge-db",
    agent_id: IDS.agent,
    ...times,
    created_at: at(4),
  });
  await aCheck(pool, {
    id: IDS.check,
    canary_id: IDS.canary,
    name: "front page",
    type: "http",
    severity: "high",
    labels: { app: "web" },
    ...times,
  });
  await aCheck(pool, {
    id: IDS.otherCheck,
    canary_id: IDS.otherCanary,
    agent_id: IDS.agent,
    name: "orders",
    type: "sql",
    ...times,
  });
  for (let hour = 0; hour < 12; hour++) {
    await aCheckStatus(pool, IDS.check, {
      time: at(5, hour),
      status: hour % 4 !== 0,
      duration: 100 * hour,
      message: `run ${hour}`,
      created_at: at(5, hour),
    });
    await aCheckStatus(pool, IDS.otherCheck, {
      time: at(5, hour),
      status: true,
      duration: 5,
      created_at: at(5, hour),
    });
  }
  await aConfigItem(pool, {
    id: IDS.config,
    name: "pod-1",
    labels: { app: "web" },
    tags: { cluster: "a" },
    created_at: at(1),
    updated_at: at(2),
  });
  await insert(pool, "public.topologies", {
    id: IDS.topology,
    name: "shop",
    namespace: "default",
    source: "UI",
    spec: {},
    created_by: IDS.ada,
    ...times,
  });
  await aComponent(pool, {
    id: IDS.component,
    name: "shop",
    topology_id: IDS.topology,
    labels: { app: "web" },
    created_at: at(1),
    updated_at: at(2),
  });
  await insert(
    pool,
    "public.team_components",
    { team_id: IDS.team, component_id: IDS.component, role: "owner", selector_id: "s1" },
    "team_id",
  );
  const link = { check_id: IDS.check, canary_id: IDS.canary, selector_id: "s", ...times };
  await insert(
    pool,
    "public.check_component_relationships",
    { component_id: IDS.component, ...link },
    "check_id",
  );
  await insert(pool, "public.check_config_relationships", { config_id: IDS.config, ...link }, "check_id");
  await insert(pool, "public.config_scrapers", {
    name: "kube",
    spec: {},
    source: "UI",
    created_by: IDS.ben,
    ...times,
  });
  await withKey(pool, (client) =>
    aConnection(client, {
      id: IDS.connection,
      name: "shop-db",
      type: "postgres",
      url: "postgres://shop",
      password: "secret",
      created_by: IDS.ada,
      ...times,
    }),
  );
  await insert(pool, "public.logging_backends", { name: "logs", spec: {}, created_by: IDS.ada, ...times });
  for (let run = 1; run <= 8; run++) {
    const failed = run % 3 === 0;
    await aJob(pool, {
      name: run % 2 ? "Canary" : "Topology",
      status: failed ? "FAILED" : "SUCCESS",
      time_start: at(6, run),
      time_end: at(6, run + 1),
      created_at: at(6, run),
      duration_millis: run * 100,
      resource_type: run % 2 ? "canary" : "topology",
      resource_id: run % 2 ? IDS.canary : IDS.topology,
      success_count: run,
      error_count: failed ? 1 : 0,
      details: { errors: failed ? ["no"] : [] },
    });
  }
  await insert(pool, "public.notifications", {
    id: IDS.notification,
    name: "night watch",
    events: ["check.failed", "check.passed"],
    filter: "true",
    properties: { afterFailures: "2" },
    custom_services: JSON.stringify([{ name: "ops", url: "mailto:ops@example.org" }]),
    person_id: IDS.ada,
    team_id: IDS.team,
    created_by: IDS.ben,
    created_at: at(3),
    updated_at: at(4),
  });
  await insert(pool, "public.notification_silences", {
    id: "0000000a-0000-4000-8000-000000000002",
    namespace: "",
    from: at(3),
    until: at(4),
    check_id: IDS.check,
    created_at: at(3),
    updated_at: at(3),
  });
  for (const [hour, status] of ["sent", "error", "sending"].entries())
    await insert(pool, "public.notification_send_history", {
      id: `0000000a-0000-4000-8000-00000000001${hour}`,
      notification_id: IDS.notification,
      status,
      source_event: "check.failed",
      resource_id: IDS.check,
      error: status === "error" ? "no route" : null,
      duration_millis: 10 + hour,
      first_observed: at(5, hour),
      created_at: at(5, hour),
    });
  await insert(pool, "internal.event_queue", {
    name: "check.failed",
    key: "k1",
    properties: {},
    error: "boom",
    attempts: 2,
    created_at: at(7),
    last_attempt: at(8),
  });
}

async function withKey(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<unknown>): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    await client.query("select set_config('app.settings.pilothouse_key', $1, true)", [KEY]);
    await work(client);
    await client.query("commit");
  } finally {
    client.release(true);
  }
}
