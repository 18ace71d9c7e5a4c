/**
 * Ours, in a process of its own: the control plane's API on its HTTP server ("plane", what people reach), or the /db
 * layer alone with tokens checked as PostgREST checks them ("layer").
 */
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { createControlPlane, type Settings } from "#server/plane.ts";
import { startOurs } from "#tests/contract/rest/ours.ts";
import type { PostgrestOptions } from "#tests/support/postgrest.ts";

export type Task = { layer: PostgrestOptions } | { plane: Settings };

process.once("message", (task: Task) => {
  const started = "layer" in task ? startOurs(task.layer).then(({ port }) => port) : servePlane(task.plane);
  void started.then((port) => process.send?.({ port }));
});
process.on("disconnect", () => process.exit(0));

/** The API without the engines: a bench measures requests, not the checks that would run beside them. */
async function servePlane(settings: Settings): Promise<number> {
  const { fetch } = await createControlPlane(settings, () => undefined);
  return new Promise((resolve) => {
    const server = serve({ fetch, hostname: "127.0.0.1", port: 0, overrideGlobalObjects: false }) as Server;
    server.once("listening", () => resolve((server.address() as AddressInfo).port));
  });
}
