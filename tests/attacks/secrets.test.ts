/**
 * No secret comes out (issue 5, acceptance 5): recognisable strings and the real values of the database are planted, then
 * everything that answers is asked by everybody and searched for them.
 */
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { ROLES, type Role } from "#app/contract/access.ts";
import { RELATIONS, RPCS } from "#app/contract/relations.ts";
import { freePort } from "#server/db/ports.ts";
import { newCodes, plainCode } from "#server/identity/factors/lookup.ts";
import { describeTotp, newTotpSecret } from "#server/identity/factors/totp.ts";
import { createVault } from "#server/identity/factors/vault.ts";
import { createIdentity } from "#server/identity/index.ts";
import { createLookupStore } from "#server/identity/store/lookup.ts";
import { CANARY_ID, PAGES } from "#tests/routes/access.ts";
import { insert } from "#tests/support/builders.ts";
import { createPeople, PEOPLE } from "#tests/support/people.ts";
import { createDatabase, type TestDatabase } from "#tests/support/postgres.ts";
import { KEY, SECRET, signIn, startProduct, type Product } from "#tests/support/product.ts";

const plant = (name: string) => `Plant3d-${name}-7f3a91c2`;
/** Where a referred secret really goes: only a check that uses it may send it, and here none does. */
const REFERENCE = plant("reference");
const WHO = [...ROLES, "nobody", "stranger"] as const;
type Who = (typeof WHO)[number];

let database: TestDatabase;
/** The product in its halves: the web, and the control plane behind it. */
let web: Product;
let plane: Product;
/** What must not come out, by a name that says what it is. */
const secrets = new Map<string, string>();
const cookies = new Map<Who, string>();

beforeAll(async () => {
  database = await createDatabase();
  await createPeople(database.pool);
  await plantInDatabase();
  await plantFactors();
  const port = await freePort();
  plane = await startProduct({
    port,
    env: {
      DATABASE_URL: database.url,
      PILOTHOUSE_KEY: KEY,
      PILOTHOUSE_ROLE: "control-plane",
      PH_SECRET_VAULT_KEY: REFERENCE,
      SMTP_HOST: "127.0.0.1",
      SMTP_PORT: "1",
      SMTP_FROM: "ops@example.com",
      SMTP_USER: "mailer",
      SMTP_PASSWORD: plant("smtp"),
    },
  });
  web = await startProduct({
    env: {
      PILOTHOUSE_ADMIN_EMAIL: undefined,
      PILOTHOUSE_ADMIN_PASSWORD: undefined,
      UPSTREAM_URL: `http://127.0.0.1:${port}`,
      SESSION_SECRET: SECRET,
    },
  });
  for (const [name, value] of [
    ["reference", REFERENCE],
    ["smtp", plant("smtp")],
    ["key of the installation", KEY],
    ["secret of sessions", SECRET],
    ["password of the database", new URL(database.url).password],
  ] as const)
    secrets.set(name, value);
  for (const role of [...ROLES, "nobody"] as const) {
    const cookie = await signIn(web.url, PEOPLE[role]);
    cookies.set(role, cookie);
    // Everybody's own session is theirs; nobody else's is.
    secrets.set(`session of ${role}`, /ory_kratos_session=([^;]+)/.exec(cookie)?.[1] ?? "");
  }
  await waitForChecks();
  await readHashes();
}, 180_000);
afterAll(async () => {
  await Promise.all([web?.stop(), plane?.stop()]);
  await database?.drop();
});

async function plantInDatabase(): Promise<void> {
  const { pool } = database;
  const client = await pool.connect();
  try {
    await client.query("select set_config('app.settings.pilothouse_key', $1, false)", [KEY]);
    await insert(client, "public.connections", {
      name: "vault",
      namespace: "default",
      type: "http",
      url: `https://user:${plant("connection-url")}@vault.example/`,
      username: "user",
      password: plant("connection-password"),
      certificate: plant("connection-certificate"),
      properties: { apiKey: plant("connection-property"), region: "eu" },
    });
  } finally {
    client.release();
  }
  for (const part of ["url", "password", "certificate", "property"])
    secrets.set(`connection ${part}`, plant(`connection-${part}`));
  await insert(pool, "public.canaries", {
    id: CANARY_ID,
    name: "with a reference",
    namespace: "default",
    source: "UI",
    spec: {
      schedule: "@every 5s",
      http: [
        {
          name: "login",
          url: "http://127.0.0.1:1/",
          username: { value: "user" },
          password: { valueFrom: { secretKeyRef: { name: "vault", key: "key" } } },
          headers: [{ name: "X-Key", valueFrom: { secretKeyRef: { name: "vault", key: "key" } } }],
        },
      ],
      exec: [
        {
          name: "says it",
          script: "echo $TOKEN; echo $TOKEN 1>&2; exit 3",
          env: [{ name: "TOKEN", valueFrom: { secretKeyRef: { name: "vault", key: "key" } } }],
        },
      ],
    },
  });
  const identity = createIdentity({ pool, publicUrl: null, secureCookies: false, observe: () => undefined });
  const { rows } = await pool.query<{ id: string }>("select id from people where email = $1", [
    PEOPLE.admin.email,
  ]);
  const token = await identity.createAccessToken(rows[0]?.id ?? "", "laptop", null);
  secrets.set("access token", token.split(".")[0] ?? "");
  const link = new URL(await identity.recoveryLink(PEOPLE.editor.email), "http://here");
  secrets.set("recovery link", link.searchParams.get("token") ?? "");
  const invited = await identity.invite({
    email: "new@example.com",
    first: "N",
    last: "W",
    invitedBy: rows[0]?.id ?? null,
  });
  if ("link" in invited)
    secrets.set("invitation", new URL(invited.link, "http://here").searchParams.get("setup") ?? "");
}

/** Second factors of somebody who does not sign in here: the app's secret as it is typed and kept, and the codes on paper. */
async function plantFactors(): Promise<void> {
  const { pool } = database;
  const vault = createVault(KEY);
  const identity = createIdentity({ pool, publicUrl: null, secureCookies: false, observe: () => undefined });
  await identity.createAdmin("factors@example.com", plant("password"));
  secrets.set("password", plant("password"));
  const { rows } = await pool.query<{ id: string }>(
    "select id from identities where traits ->> 'email' = 'factors@example.com'",
  );
  const id = rows[0]?.id ?? "";
  const secret = newTotpSecret();
  await pool.query(
    "insert into internal.totp_factors (identity_id, secret, last_step, added_at) values ($1, $2, 0, now())",
    [id, vault.seal(id, secret)],
  );
  secrets.set("secret of the app", (await describeTotp(secret, "factors@example.com")).typed);
  for (const encoding of ["hex", "base64", "base64url"] as const)
    secrets.set(`secret of the app, ${encoding}`, secret.toString(encoding));
  const codes = newCodes();
  await createLookupStore(pool).replace(
    id,
    codes.map((code) => vault.hash(id, plainCode(code))),
  );
  for (const [index, code] of codes.entries()) {
    secrets.set(`backup code ${index}`, code);
    secrets.set(`backup code ${index}, plain`, plainCode(code));
  }
}

/** The checks have run: what they say of themselves is in their history. */
async function waitForChecks(): Promise<void> {
  await vi.waitFor(
    async () => {
      const { rows } = await database.pool.query<{ n: number }>(
        "select count(distinct check_id)::int as n from check_statuses",
      );
      if ((rows[0]?.n ?? 0) < 2) throw new Error("the checks have not run");
    },
    { timeout: 60_000, interval: 250 },
  );
}

/** Tables of credentials, whose every long value is a secret or its hash, and the columns that are neither. */
const PRIVATE_TABLES =
  /^internal\.(credentials|sessions|access_tokens|secrets|flow_codes|invitations|totp|identity_totp|lookup|identity_lookup|webauthn|identity_webauthn)\w*$/;
const PUBLIC_COLUMN =
  /(^|_)(id|name|email|address|at|method|methods|aal|kind|state|label|relation|column|key_name|client|user_agent|device)s?$/;

async function readHashes(): Promise<void> {
  const { rows: columns } = await database.pool.query<{ table: string; column: string }>(
    `select format('%I.%I', table_schema, table_name) as table, column_name as column from information_schema.columns
     where table_schema = 'internal' and data_type in ('bytea', 'text')`,
  );
  for (const { table, column } of columns) {
    if (!PRIVATE_TABLES.test(table) || PUBLIC_COLUMN.test(column)) continue;
    const { rows } = await database.pool.query<{ value: string | Buffer | null }>(
      `select "${column}" as value from ${table} limit 20`,
    );
    for (const [index, { value }] of rows.entries()) {
      const name = `${table}.${column} ${index}`;
      if (typeof value === "string" && value.length >= 16) secrets.set(name, value);
      if (!Buffer.isBuffer(value) || value.length < 8) continue;
      for (const encoding of ["hex", "base64", "base64url"] as const)
        secrets.set(`${name} ${encoding}`, value.toString(encoding));
    }
  }
}

/** The first characters of every secret, and of each three of them whether one begins so, by a number. */
const heads = { known: 0, whole: new Set<string>(), three: new Uint8Array(2 ** 21) };
const HEAD = 8;
const numberOf = (text: string, at: number) =>
  ((text.charCodeAt(at) & 127) << 14) |
  ((text.charCodeAt(at + 1) & 127) << 7) |
  (text.charCodeAt(at + 2) & 127);

/** Whether a secret may be in the text: hundreds are looked for in megabytes, in one pass. */
function mayHold(text: string): boolean {
  if (heads.known !== secrets.size)
    for (const value of secrets.values()) {
      heads.known = secrets.size;
      heads.whole.add(value.slice(0, HEAD));
      heads.three[numberOf(value, 0)] = 1;
    }
  for (let at = 0; at + HEAD <= text.length; at++)
    if (heads.three[numberOf(text, at)] && heads.whole.has(text.slice(at, at + HEAD))) return true;
  return false;
}

/** Names of the planted secrets a text has in it. */
function found(text: string, except: readonly string[] = []): string[] {
  const places = [text, text.includes("%") ? decoded(text) : "", text.replaceAll("\\/", "/")].filter(mayHold);
  if (places.length === 0) return [];
  return [...secrets]
    .filter(([name, value]) => !except.includes(name) && places.some((place) => place.includes(value)))
    .map(([name]) => name);
}
const decoded = (text: string) => text.replace(/%[0-9a-f]{2}/gi, (part) => decodeURIComponentSafe(part));
const decodeURIComponentSafe = (part: string) => String.fromCharCode(Number.parseInt(part.slice(1), 16));

interface Answer {
  status: number;
  /** Headers and body, as one text; a cookie that the service sets itself is the caller's own. */
  text: string;
}
/** Whose questions to the database's API go through the web, which relays the answers as they are; the others' go to it. */
const BY_THE_WEB: readonly Who[] = ["admin", "viewer", "stranger"];

async function ask(
  who: Who,
  path: string,
  init: RequestInit & { headers?: Record<string, string> } = {},
): Promise<Answer> {
  const cookie = cookies.get(who);
  const isDirect = path.startsWith("/api/db/") && init.method === undefined && !BY_THE_WEB.includes(who);
  const response = await fetch(isDirect ? plane.url + path.slice("/api".length) : web.url + path, {
    redirect: "manual",
    ...init,
    headers: { ...(cookie ? { cookie } : {}), origin: web.url, ...init.headers },
  });
  const headers = [...response.headers].filter(([name]) => name !== "set-cookie");
  return { status: response.status, text: `${JSON.stringify(headers)}\n${await response.text()}` };
}

/** Asks by some at a time, and tells which answers held which secret. */
async function sweep(
  who: Who,
  paths: readonly string[],
  init?: Parameters<typeof ask>[2],
): Promise<string[]> {
  const leaks: string[] = [];
  const queue = [...paths];
  const work = async () => {
    for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
      const { text, status } = await ask(who, path, init);
      if (status >= 500 && status !== 503) leaks.push(`${path} failed with ${status}`);
      for (const name of found(text)) leaks.push(`${path} shows ${name}`);
    }
  };
  await Promise.all(Array.from({ length: 4 }, work));
  return leaks;
}

test("there are secrets to be found", () => {
  for (const [name, value] of secrets)
    expect(found(`{"x": "${value}"}`), "the search itself").toContain(name);
  expect(found("nothing to be seen here, Plant3d is half a word")).toEqual([]);
  expect(secrets.size).toBeGreaterThan(25);
  for (const [name, value] of secrets) expect(value.length, name).toBeGreaterThanOrEqual(8);
  expect([...secrets.keys()].some((name) => name.startsWith("internal.credentials.password_hash"))).toBe(
    true,
  );
  const kept = [
    "sessions.token_hash",
    "access_tokens.value",
    "totp_factors.secret",
    "lookup_codes.code_hash",
  ];
  for (const column of kept)
    expect(
      [...secrets.keys()].some((name) => name.startsWith(`internal.${column}`)),
      column,
    ).toBe(true);
});

describe.each(WHO)("as %s", (who) => {
  test("no relation shows one: whole rows, CSV, one object, counted, embedded", async () => {
    const { rows } = await database.pool.query<{ child: string; parent: string }>(
      `select c.relname as child, p.relname as parent from pg_constraint k
       join pg_class c on c.oid = k.conrelid join pg_class p on p.oid = k.confrelid where k.contype = 'f'`,
    );
    const names = [...RELATIONS.keys()];
    const embeds = rows.flatMap(({ child, parent }) => [
      `/api/db/${child}?select=*,${parent}(*)&limit=50`,
      `/api/db/${parent}?select=*,${child}(*)&limit=50`,
    ]);
    const paths = names.map((name) => `/api/db/${name}?select=*&limit=200`);
    expect(await sweep(who, [...paths, ...new Set(embeds)])).toEqual([]);
    expect(await sweep(who, paths, { headers: { accept: "text/csv" } })).toEqual([]);
    const prefer = { prefer: "count=exact", accept: "application/vnd.pgrst.object+json" };
    expect(await sweep(who, paths, { headers: prefer })).toEqual([]);
  });

  test("no table of credentials is reachable under any name", async () => {
    const { rows } = await database.pool.query<{ name: string }>(
      "select relname as name from pg_class where relnamespace = 'internal'::regnamespace and relkind in ('r', 'v', 'p')",
    );
    for (const { name } of rows.filter(({ name }) => !RELATIONS.has(name)))
      for (const spelling of [name, `internal.${name}`, `"internal"."${name}"`, `../internal/${name}`]) {
        const { status } = await ask(who, `/api/db/${encodeURIComponent(spelling)}?select=*`);
        expect([400, 401, 403, 404], spelling).toContain(status);
      }
    for (const profile of ["internal", "pg_catalog", "information_schema"])
      for (const name of ["credentials", "sessions", "secrets", "pg_authid", "pg_shadow"]) {
        const { status } = await ask(who, `/api/db/${name}?select=*`, {
          headers: { "accept-profile": profile },
        });
        expect(status, `${profile}.${name}`).toBeGreaterThanOrEqual(400);
      }
  });

  test("no error message says one, whatever the query has in it", async () => {
    // Whoever may read all and whoever may read least ask everything of everything; the others in between each of both.
    const asksAll = who === "admin" || who === "viewer";
    const paths = [...RELATIONS.keys()].flatMap((name, at) =>
      [
        "id=eq.not-a-uuid",
        "id=eq.'",
        'id=in.("',
        "created_at=gt.never",
        "select=password_hash",
        "select=*,credentials(*)",
        "select=*,internal.sessions(token_hash)",
        "select=id::text,secret:id::internal.secret_of",
        "select=id->x->>y",
        "order=password_hash",
        "order=value.desc.nullslast",
        "password_hash=like.*argon2*",
        "token_hash=not.is.null",
        "value=not.is.null",
        "or=(id.eq.1,password.like.*)",
        "limit=abc",
        "select=count(),sum(id)",
      ]
        .filter((_, query) => asksAll || (query + at) % 4 === 0)
        .map((query) => `/api/db/${name}?${query}`),
    );
    expect(await sweep(who, paths)).toEqual([]);
  });

  test("what is masked cannot be found out by asking whether it is so", async () => {
    const oracles = [
      `connections?select=id&password=eq.${plant("connection-password")}`,
      `connections?select=id&password=like.Plant3d*`,
      `connections?select=id&certificate=like.Plant3d*`,
      `connections?select=id&url=like.*Plant3d*`,
      `connections?select=id&properties->>apiKey=like.Plant3d*`,
      `connection_details?select=id&password=like.Plant3d*`,
      `canaries?select=id&spec->>http=like.*Plant3d*`,
      `checks?select=id&spec->>password=like.*Plant3d*`,
      `check_statuses?select=check_id&message=like.*Plant3d*`,
      `check_statuses?select=check_id&error=like.*Plant3d*`,
      `check_statuses?select=check_id&details->>stdout=like.*Plant3d*`,
    ];
    for (const path of oracles) {
      const { status, text } = await ask(who, `/api/db/${path}`);
      if (status === 200) expect(text.split("\n").slice(1).join("\n"), path).toBe("[]");
      else expect(status, path).toBeGreaterThanOrEqual(400);
    }
  });

  test("no function, no path of the API and no page shows one", async () => {
    const { rows } = await database.pool.query<{ id: string }>("select id from checks limit 4");
    const apis = [
      ...[...RPCS.keys()].map((name) => `/api/db/rpc/${name}`),
      "/api/db/",
      "/api/auth/whoami",
      "/api/properties",
      "/api/health",
      "/api/metrics",
      "/api/kubeconfig",
      "/api/canary/about",
      "/api/canary/api/summary",
      "/api/canary/api/graph",
      ...rows.flatMap(({ id }) => [
        `/api/canary/api/details?id=${id}`,
        `/api/canary/api/graph?check=${id}`,
        `/api/ph/checks/${id}/transitions`,
        `/api/ph/heartbeat/${id}`,
        `/health?checkId=${id}`,
        `/health.data?checkId=${id}`,
        `/health/checks/${id}/history.csv`,
        `/health/checks/${id}/heartbeat`,
      ]),
      "/api/schemas/canary.json",
      "/settings/canaries/export.yaml",
      "/settings/canaries?job=latest",
      `/settings/canaries/${CANARY_ID}?tab=jobHistory`,
      "/api/.ory/schemas",
      "/api/.ory/sessions",
      "/api/.ory/identities",
      "/api/.ory/admin/identities",
      "/api/.ory/self-service/errors?id=stub:500",
      "/error?id=00000000-0000-4000-8000-000000000000",
      "/profile-settings",
      "/logout",
      "/help/files",
      ...Object.keys(PAGES).flatMap((path) => [path, `${path}${path.includes(".") ? "" : ".data"}`]),
    ];
    expect(await sweep(who, apis)).toEqual([]);
  });
});

test("what people write is never said back as a secret: a connection that is created, changed and refused", async () => {
  const own = plant("just-typed");
  secrets.set("just typed", own);
  const headers = { "content-type": "application/json", prefer: "return=representation" };
  const body = JSON.stringify({
    name: "typed",
    namespace: "default",
    type: "http",
    password: own,
    url: `https://a:${own}@b/`,
  });
  const created = await ask("admin", "/api/db/connections", { method: "POST", headers, body });
  expect(created.status).toBe(201);
  expect(found(created.text)).toEqual([]);
  const twice = await ask("admin", "/api/db/connections", { method: "POST", headers, body });
  expect(twice.status).toBeGreaterThanOrEqual(400);
  expect(found(twice.text)).toEqual([]);
  const wrong = JSON.stringify({ name: "other", type: "http", password: own, insecure_tls: "neither" });
  expect(
    found((await ask("admin", "/api/db/connections", { method: "POST", headers, body: wrong })).text),
  ).toEqual([]);
  for (const role of ROLES.filter((each): each is Exclude<Role, "admin"> => each !== "admin")) {
    const refused = await ask(role, "/api/db/connections", { method: "POST", headers, body });
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(found(refused.text)).toEqual([]);
  }
});

/** A spec of one check with the same secret in every place where people type one. */
const specWith = (name: string, secret: string) => ({
  schedule: "@every 1h",
  http: [
    {
      name,
      url: `http://user:${secret}@127.0.0.1:1/?token=${secret}`,
      password: { value: secret },
      headers: [{ name: "X-Key", value: secret }],
      env: [{ name: "TOKEN", value: secret }],
    },
  ],
});

test("the audit log has none of what was written: as rows, on its page, in its export", async () => {
  const own = plant("audited");
  secrets.set("audited", own);
  const headers = { "content-type": "application/json" };
  const write = async (method: string, path: string, body: object) => {
    const { status } = await ask("admin", path, { method, headers, body: JSON.stringify(body) });
    expect(status, path).toBeLessThan(300);
  };
  const connection = { name: "audited", namespace: "default", type: "http", password: own, certificate: own };
  await write("POST", "/api/db/connections", { ...connection, url: `https://a:${own}@b/` });
  const canary = { name: "audited", namespace: "default", source: "UI" };
  await write("POST", "/api/db/canaries", { ...canary, spec: specWith("audited", "before the change") });
  await write("PATCH", "/api/db/canaries?name=eq.audited", { spec: specWith("audited", own) });
  await write("PATCH", "/api/db/canaries?name=eq.audited", { spec: specWith("audited", `${own} again`) });
  await write("PATCH", "/api/db/connections?name=eq.audited", { password: `${own} again`, username: "told" });
  await write("POST", "/api/db/properties", { name: "audited.token", value: own });
  const { rows } = await database.pool.query<{ id: string; kind: string }>(
    "select id, kind from audit_log where record in ('audited', 'audited.token')",
  );
  expect(rows.map(({ kind }) => kind).sort()).toEqual([
    "canaries",
    "canaries",
    "canaries",
    "connections",
    "connections",
    "properties",
  ]);
  // A canary's own spec, which admins and editors write, is theirs to read; the log of it is not.
  const paths = [
    "/api/db/audit_log?select=*",
    "/settings/audit",
    "/settings/audit.data",
    "/settings/audit.csv",
  ];
  for (const who of WHO) {
    expect(await sweep(who, paths)).toEqual([]);
    expect(await sweep(who, paths.slice(0, 1), { headers: { accept: "text/csv" } })).toEqual([]);
  }
  const { status, text } = await ask("admin", "/settings/audit.csv");
  expect([status, text.includes("audited")]).toEqual([200, true]);
});

test("a secret typed into a spec is read by those who may write it: not in rows, embeds, files, by filters or searches", async () => {
  const own = plant("spec");
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({
    name: "typed-in",
    namespace: "default",
    source: "UI",
    spec: specWith("typed-in", own),
  });
  const made = await ask("editor", "/api/db/canaries", {
    method: "POST",
    headers: { ...headers, prefer: "return=representation" },
    body,
  });
  const id = /"id":"([0-9a-f-]{36})"/.exec(made.text)?.[1] ?? "";
  const { rows } = await database.pool.query<{ id: string }>("select id from checks where canary_id = $1", [
    id,
  ]);
  const paths = [
    "/api/db/canaries?select=*&limit=200",
    "/api/db/canaries?select=secret:spec->http->0->password->>value",
    "/api/db/canaries?select=name,checks(*)",
    "/api/db/checks?select=spec,canaries(spec)",
    "/api/db/checks?select=...canaries(spec)",
    "/api/db/check_statuses?select=checks(spec,canaries(spec))",
    `/api/canary/api/summary?canary_id=${id}`,
    `/health?checkId=${rows[0]?.id}&hidePassing=false`,
    `/health?checkId=${rows[0]?.id}&tab=spec&hidePassing=false`,
    `/settings/canaries/${id}`,
    `/settings/canaries/${id}.data`,
  ];
  const questions = [
    `/api/db/canaries?select=name&spec->http->0->password->>value=eq.${own}`,
    `/api/db/canaries?select=name&spec->http->0->>url=like.*${own}*`,
    `/api/db/canaries?select=name&or=(id.is.null,spec->http->0->password->>value.like.${own.slice(0, 9)}*)`,
    `/api/db/checks?select=name&spec->password->>value=eq.${own}`,
    `/api/db/checks?select=name,canaries!inner(name)&canaries.spec->http->0->password->>value=eq.${own}`,
  ];
  for (const who of WHO) {
    const mayWrite = who === "admin" || who === "editor";
    for (const path of paths.slice(0, 5)) {
      const { text } = await ask(who, path);
      expect(text.includes(own), `${who} ${path}`).toBe(mayWrite);
      expect((await ask(who, path, { headers: { accept: "text/csv" } })).text.includes(own)).toBe(mayWrite);
    }
    for (const path of mayWrite ? [] : paths.slice(5))
      expect((await ask(who, path)).text.includes(own), `${who} ${path}`).toBe(false);
    for (const path of questions) {
      const { text } = await ask(who, path);
      expect(text.includes("typed-in"), `${who} ${path}`).toBe(mayWrite);
    }
    const search = await ask(who, `/health?query=${own}&hidePassing=false`);
    expect(search.text.includes("typed-in"), `${who} searches`).toBe(false);
  }
});

test("no log line has one, nor a password that was typed wrong", async () => {
  const typed = plant("typed-wrong");
  secrets.set("typed wrong", typed);
  await signIn(web.url, { email: PEOPLE.viewer.email, password: typed }).catch(() => undefined);
  await fetch(`${web.url}/login?email=${PEOPLE.viewer.email}&password=${typed}&token=${typed}`);
  await fetch(`${web.url}/recovery?flow=x&token=${typed}`, {
    method: "POST",
    headers: { origin: web.url },
    body: new URLSearchParams(),
  });
  await ask("stranger", "/api/db/canaries", { headers: { authorization: `Bearer ${typed}` } });
  await ask("stranger", "/api/db/canaries", {
    headers: { authorization: `Basic ${Buffer.from(`a@b.c:${typed}`).toString("base64")}` },
  });
  await ask("stranger", "/api/canary/heartbeat/" + typed);
  const said = web.said() + plane.said();
  expect(said.length).toBeGreaterThan(100);
  expect(found(said)).toEqual([]);
});

test("the code that is shipped to browsers has none of the server's names for them", async () => {
  const { status, text } = await ask("stranger", "/login");
  expect(status).toBe(200);
  const scripts = [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, path = ""]) => path);
  expect(scripts.length).toBeGreaterThan(0);
  for (const path of scripts) {
    const source = await (await fetch(web.url + path)).text();
    expect(found(source)).toEqual([]);
    expect(source).not.toMatch(/SESSION_SECRET|PILOTHOUSE_KEY|argon2id/);
  }
});
