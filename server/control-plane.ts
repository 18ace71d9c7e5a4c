/** The control plane's process: the API and the engines. Its settings come over the supervisor's channel. */
import type { Server } from "node:http";
import { serve } from "@hono/node-server";
import { createControlPlane, type ControlPlane, type Settings } from "./plane.ts";
import { createObserve, outliveReaders, toSupervisor } from "./observe/logger.ts";

/** Requests that still run when we stop get this long, in milliseconds. */
const GRACE_MS = 3000;
/** How long running checks may take to finish once we are told to stop, in milliseconds. */
const DRAIN_MS = 4000;
/** Without a supervisor the next start is near: what runs is written down as interrupted, and this much is enough. */
const ORPHAN_MS = 1000;

const observe = createObserve({ json: false, keep: toSupervisor });
let plane: ControlPlane | undefined;
let server: Server | undefined;
let stopping = false;

async function run(settings: Settings): Promise<void> {
  plane = await createControlPlane(settings, observe);
  await plane.start(); // before anybody is let in: the first administrator may have to be made
  const { fetch } = plane;
  server = serve({
    fetch,
    hostname: settings.host,
    port: settings.port,
    overrideGlobalObjects: false,
  }) as Server;
  server.keepAliveTimeout = 65_000; // longer than any proxy's, so that it never closes under a request
  await new Promise<void>((done, fail) => server!.once("listening", done).once("error", fail));
  process.send?.({ ready: { setupLink: await plane.setupLink() } });
}

/** No new connection, no new check; what runs ends or is recorded as interrupted; then the connections close. */
async function stop(drainMs: number): Promise<void> {
  if (stopping) return;
  stopping = true;
  server?.close();
  server?.closeIdleConnections();
  const open = setTimeout(() => server?.closeAllConnections(), GRACE_MS);
  await plane?.stop(drainMs);
  clearTimeout(open);
  server?.closeAllConnections();
  process.exit(0);
}

outliveReaders();
process.once("message", (settings: Settings) => {
  run(settings).catch((error: unknown) => {
    if (stopping) return;
    const words = error instanceof Error ? error.message : String(error);
    observe({ kind: "engine.failed", engine: "control plane", error: words });
    const failed = `The control plane did not start: ${words}`;
    if (process.connected) process.send?.({ failed }, undefined, undefined, () => process.exit(1));
    else process.exit(1);
  });
});
process.on("SIGTERM", () => void stop(DRAIN_MS));
process.on("SIGINT", () => undefined); // the supervisor decides
process.on("disconnect", () => {
  setTimeout(() => process.exit(0), ORPHAN_MS);
  void stop(0).catch(() => process.exit(0));
});
