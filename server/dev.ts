/** `npm run dev`: database and control plane as in production, the control plane restarted and the web reloaded on change. */
import { spawn, type ChildProcess } from "node:child_process";
import { watch } from "node:fs";
import { join } from "node:path";
import { startChild } from "./children.ts";
import { inheritedEnvironment, readConfig } from "./config.ts";
import { openDataFolder, readKeys } from "./data-folder.ts";
import { prepareDatabase } from "./database.ts";
import { checkExternal } from "./db/external.ts";
import { freePort } from "./db/ports.ts";
import { createObserve } from "./observe/logger.ts";
import { step } from "./words.ts";

const observe = createObserve({ json: false });
const config = readConfig();
const folder = await openDataFolder(config.dataDir);
if (config.databaseUrl) await checkExternal(config.databaseUrl);
const keys = config.databaseUrl ? null : await readKeys(folder);
const database = await step("database", () => prepareDatabase({ config, folder, keys, observe }));
const port = await freePort();
const webUrl = config.publicUrl ?? `http://${config.host}:${config.port}`;

function launchPlane() {
  return startChild({
    name: "control plane",
    file: join(process.cwd(), "server/control-plane.ts"),
    env: { ...inheritedEnvironment("development"), NODE_OPTIONS: "--import tsx" },
    settings: {
      version: "development",
      databaseUrl: database.url,
      apiPassword: database.apiPassword,
      key: config.key ?? keys!.key,
      host: "127.0.0.1",
      port,
      publicUrl: config.publicUrl,
      webUrl,
      webProbe: webUrl,
      dataFolder: folder,
      values: { folder: config.configDir, variables: config.values },
      admin: config.admin,
      kratos: config.kratosUrl ? { url: config.kratosUrl, admin: config.kratosAdmin } : null,
      standalone: config.standalone,
      hosted: config.hosted,
    },
    observe,
  });
}
let plane = await step("control plane", async () => {
  const first = launchPlane();
  const ready = await first.ready;
  if (ready?.setupLink) process.stdout.write(`\nFirst administrator: ${ready.setupLink}\n\n`);
  return first;
});

let timer: NodeJS.Timeout | undefined;
for (const source of ["server", "app/contract"])
  watch(source, { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(() => void restartPlane(), 200);
  });
async function restartPlane(): Promise<void> {
  await plane.stop(3000);
  plane = launchPlane();
}

const web: ChildProcess = spawn(
  process.execPath,
  [
    ...["--import", "tsx", "--import", "./server/web.ts", "node_modules/@remix-run/dev/dist/cli.js"],
    ...[
      "vite:dev",
      "--config",
      "remix.config.js",
      "--host",
      config.host,
      "--port",
      String(config.port),
      "--strictPort",
    ],
  ],
  {
    stdio: "inherit",
    env: {
      ...inheritedEnvironment("development"),
      UPSTREAM_URL: `http://127.0.0.1:${port}`,
      SESSION_SECRET: config.sessionSecret ?? keys!.session,
      TRUST_PROXY: String(config.trustProxy),
      ...(config.publicUrl ? { PUBLIC_URL: config.publicUrl } : {}),
      ...(config.kratosUrl ? { ORY_KRATOS_URL: config.kratosUrl } : {}),
      ...config.hostedVariables,
    },
  },
);
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => {
    web.kill("SIGTERM");
    void plane
      .stop(3000)
      .then(() => database.stop())
      .finally(() => process.exit(0));
  });
