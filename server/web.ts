/**
 * The web process: remix-serve's own command behind a preload (STACK P13). The preload gives every request what
 * remix-serve has no hook for: the client's address, the target as it came, a scope of its own, security headers. It
 * works as the entry (`node build/web.js`) and as `node --import` before the development server.
 */
import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { pathToFileURL } from "node:url";
import { env } from "#app/lib/env.server.ts";
import { securityHeaders, takeCookies } from "#app/lib/headers.server.ts";
import { newScope, requestScopes, type RequestScope } from "#app/lib/scope.server.ts";
import { createObserve, outliveReaders, toSupervisor } from "./observe/logger.ts";
import { clientAddress, remixTarget, requestTarget } from "./web-request.ts";

/** How long answers may take to finish once we are asked to stop, ms. The supervisor allows ten seconds in all. */
const GRACE_MS = 5_000;
/** Longer than any proxy's, so that we never close a connection under a request. Node's own is 5 s. */
const KEEP_ALIVE_MS = 65_000;

const { isSecure, trustProxy, jsonLogs, isStandalone } = env();
const observe = createObserve({ json: jsonLogs, keep: toSupervisor });
const headers = securityHeaders({ isSecure });
const scopes = requestScopes();
const open = new Set<ServerResponse>();
let isStopping = false;

subscribe("http.server.request.start", (message) => {
  const { request, response, server } = message as Started;
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  prepare(request);
  for (const [name, value] of headers) response.setHeader(name, value);
  if (isStopping) response.setHeader("Connection", "close");
  open.add(response);
  response.once("close", () => {
    open.delete(response);
    if (isStopping && open.size === 0) process.exit(0);
  });
  const scope: RequestScope = newScope((failure) =>
    observe({ kind: "http.failed", id: scope.id, ...failure }),
  );
  scopes.enterWith(scope);
  // Redirects and files never see entry.server: what a part of the request left for the browser goes with any answer.
  const send = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse;
  response.writeHead = (...args: unknown[]) => {
    const already = [response.getHeader("Set-Cookie") ?? []].flat().map(String);
    for (const line of takeCookies(scope, already)) response.appendHeader("Set-Cookie", line);
    return send(...args);
  };
});
type Started = { request: IncomingMessage; response: ServerResponse; server: Server };

/** Takes away what only we may say, and says it. */
function prepare(request: IncomingMessage): void {
  const given = request.headers;
  for (const name of Object.keys(given)) if (name.startsWith("x-ph-")) given[name] = undefined;
  const target = requestTarget(request.url ?? "/");
  given["x-ph-client"] = clientAddress(request.socket.remoteAddress, given["x-forwarded-for"], trustProxy);
  given["x-ph-target"] = target;
  given["x-ph-host"] = given.host;
  request.url = remixTarget(target, isStandalone);
  // Remix compares Origin with the Host in its own way, ignorant of PUBLIC_URL; ours is app/lib/origin.server.ts.
  if (given.origin !== undefined) given["x-ph-origin"] = given.origin;
  delete given.origin;
  delete given["x-forwarded-host"];
}

/** remix-serve stops listening; event streams end now, other answers may finish; then exit 0, at the latest after the grace time. */
function stop(): void {
  if (isStopping) return;
  isStopping = true;
  for (const response of open)
    if (String(response.getHeader("content-type")).startsWith("text/event-stream")) response.destroy();
  if (open.size === 0) process.exit(0);
  setTimeout(() => process.exit(0), GRACE_MS);
}
process.on("SIGTERM", stop);
process.on("SIGINT", () => process.channel || stop()); // with a supervisor, it decides
process.on("disconnect", () => process.exit()); // no web outlives its supervisor

/** Leaves out lines nobody needs: remix-serve writes every URL with its query, and "undefined" when it stops. */
function leaveOut(stream: NodeJS.WriteStream, unwanted: RegExp): void {
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
  stream.write = (...args: unknown[]) => (unwanted.test(String(args[0])) ? true : write(...args));
}

const [, entry] = process.argv;
if (entry && import.meta.url === pathToFileURL(entry).href) {
  outliveReaders();
  leaveOut(process.stdout, /^(\[remix-serve\] |[A-Z]+ \S+ (\d{3}|-) \S+ - \S+ ms\n$)/);
  leaveOut(process.stderr, /^undefined\n$/);
  process.argv[2] = "build/server/index.js";
  await import("@remix-run/serve/dist/cli.js");
}
