import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

/** A backend of another make, which knows who is asking and has no checks; for what a real one will not do on demand. */
export async function startBackend() {
  const seen: { path: string; headers: IncomingHttpHeaders }[] = [];
  let status = 200;
  let words = "";
  const server = createServer((request, answer) => {
    seen.push({ path: request.url ?? "", headers: request.headers });
    if (status !== 200) return answer.writeHead(status, { "content-type": "text/plain" }).end(words);
    const user = { id: "018f0000-0000-7000-8000-0000000000aa", name: "Backend Person" };
    const payload = { user, roles: ["admin"], properties: [], about: { Version: "9.9", features: [] } };
    const body = request.url?.startsWith("/auth/whoami")
      ? { message: "success", payload }
      : request.url?.startsWith("/canary/api/summary")
        ? { checks_summary: [] }
        : [];
    answer.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** From now on every call is answered with this. */
    answer(now: number, text = "") {
      status = now;
      words = text;
    },
    /** The calls since the last time. */
    take: () => seen.splice(0),
    close: () =>
      new Promise<void>((gone) => {
        server.close(() => gone());
        server.closeAllConnections();
      }),
  };
}
