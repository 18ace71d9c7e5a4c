/** Our identity service alone, dressed as one elsewhere: under `/auth/public`, with cookies of another host. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import pg from "pg";
import { applyRolesAndGrants } from "#server/db/grants.ts";
import { migrate, readMigrations } from "#server/db/migrate.ts";
import { createIdentity } from "#server/identity/index.ts";

const url = process.env["KRATOS_DATABASE"]!;
const port = Number(process.env["KRATOS_SMTP_PORT"]);

const owner = new pg.Client({ connectionString: url });
await owner.connect();
await migrate(owner, await readMigrations("server/db/migrations"), () => undefined);
await applyRolesAndGrants(owner, {
  database: new URL(url).pathname.slice(1),
  apiPassword: "only-for-this-run",
});
// Open to everybody, as a Kratos with registration on; not by the property alone while there is nobody.
await owner.query("insert into properties (name, value) values ('identity.registration.open', 'true')");
await owner.end();

const pool = new pg.Pool({ connectionString: url, max: 4 });
const identity = createIdentity({
  pool,
  publicUrl: process.env["KRATOS_SITE"]!,
  secureCookies: true,
  smtp: port ? { host: "127.0.0.1", port, user: null, password: null, from: "auth@example.org" } : null,
  key: "a key of at least thirty-two characters",
  observe: () => undefined,
});
await identity.createAdmin("first@elsewhere.example", "correct horse battery");

const app = new Hono();
app.use(async (c, next) => {
  await next();
  const lines = c.res.headers.getSetCookie();
  c.res.headers.delete("set-cookie");
  for (const line of lines)
    c.res.headers.append(
      "set-cookie",
      `${line.replace("; Path=/", "; Path=/auth/public").replace(/; SameSite=\w+/, "")}; Domain=auth.elsewhere.example; SameSite=None`,
    );
});
app.route("/auth/public", identity.app);
const server = createServer(getRequestListener(app.fetch));
server.listen(0, "127.0.0.1", () =>
  process.stdout.write(`listens at ${(server.address() as AddressInfo).port}\n`),
);
process.on("SIGTERM", () => void identity.stop().then(() => process.exit(0)));
