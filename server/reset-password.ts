/**
 * `npm run reset-password -- EMAIL [--second-factor]`: prints a one-time recovery link, for whoever has the machine.
 * With --second-factor the account's authenticator app, security keys and backup codes are taken away too.
 */
import { readConfig } from "./config.ts";
import { createPool } from "./db/pool.ts";
import { StartError } from "./db/start-error.ts";
import { createAuditLog } from "./identity/audit-log.ts";
import { createIdentity } from "./identity/index.ts";
import { openDatabase, runCommand } from "./open-database.ts";

const observe = () => undefined;

runCommand(async () => {
  const email = process.argv.slice(2).find((word) => word.includes("@"));
  if (!email) throw new StartError("Name the account: npm run reset-password -- EMAIL");
  const config = readConfig();
  if (config.upstreamUrl)
    throw new StartError("UPSTREAM_URL is set: accounts belong to the upstream, reset the password there.");
  const database = await openDatabase(config, { migrate: true });
  const pool = createPool({ url: database.url, max: 1, name: "reset", observe });
  try {
    const host = config.host === "0.0.0.0" || config.host === "::" ? "localhost" : config.host;
    const publicUrl = config.publicUrl ?? database.origin ?? `http://${host}:${config.port}`;
    const secureCookies = publicUrl.startsWith("https:");
    const noteEvent = createAuditLog(pool);
    const identity = createIdentity({ pool, publicUrl, secureCookies, observe, noteEvent });
    const link = await identity.recoveryLink(email);
    if (process.argv.includes("--second-factor")) await identity.removeSecondFactorsOf(email);
    process.stdout.write(`This link opens the account of ${email} once, within an hour:\n  ${link}\n`);
  } finally {
    await pool.end();
    await database.stop();
  }
});
