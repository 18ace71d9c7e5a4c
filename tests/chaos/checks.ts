/** The checks that run meanwhile, and the server they look at. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { ask, postJson, sleep } from "./http.ts";
import type { Product } from "./product.ts";

export const SCHEDULE = "@every 10s";
/** Each is run by hand once: its only status row is the one somebody was promised. */
export const BY_HAND = "chaos by hand";
const PER_CANARY = 100;

interface Ports {
  http: number;
  tcp: number;
}

/** The server, in another process. */
export async function startTarget() {
  const child = fork(fileURLToPath(new URL("target.ts", import.meta.url)), [], {
    execArgv: ["--import", "tsx"],
    stdio: "inherit",
  });
  const [ports] = (await once(child, "message")) as [Ports];
  return { ports, stop: () => void child.disconnect() };
}

/** Makes checks that run every ten seconds, half http and half tcp, and others that wait to be run by hand; their ids. */
export async function makeChecks(
  product: Product,
  cookie: string,
  { ports, scheduled, byHand }: { ports: Ports; scheduled: number; byHand: number },
): Promise<string[]> {
  const tcp = (name: string) => ({ name, endpoint: `127.0.0.1:${ports.tcp}` });
  const http = (name: string) => ({ name, url: `http://127.0.0.1:${ports.http}/` });
  const canary = async (name: string, spec: object) => {
    const answer = await postJson(`${product.url}/api/db/canaries`, cookie, {
      name,
      namespace: "chaos",
      source: "UI",
      spec,
    });
    if (answer?.status !== 201) throw new Error(`canary ${name}: ${answer?.status} ${answer?.text}`);
  };
  const names = (count: number, first: number) =>
    Array.from({ length: Math.min(PER_CANARY, count - first) }, (_, n) => `c${first + n}`);
  for (let first = 0; first < scheduled; first += PER_CANARY) {
    const all = names(scheduled, first);
    const half = Math.ceil(all.length / 2);
    await canary(`chaos ${first}`, {
      schedule: SCHEDULE,
      tcp: all.slice(0, half).map(tcp),
      http: all.slice(half).map(http),
    });
  }
  for (let first = 0; first < byHand; first += PER_CANARY)
    await canary(`${BY_HAND} ${first}`, { tcp: names(byHand, first).map(tcp) });
  return idsByHand(product, cookie, byHand);
}

/** Waits until the checks are there. */
async function idsByHand({ url }: Product, cookie: string, count: number): Promise<string[]> {
  const query = `select=id,canaries!inner(name)&canaries.name=like.${encodeURIComponent(`${BY_HAND}*`)}&order=id`;
  for (let tries = 0; tries < 100; tries++) {
    const answer = await ask(`${url}/api/db/checks?${query}`, { headers: { cookie } }, 10_000);
    if (answer?.status !== 200) throw new Error(`checks: ${answer?.status} ${answer?.text}`);
    const ids = (JSON.parse(answer.text) as { id: string }[]).map(({ id }) => id);
    if (ids.length >= count) return ids;
    await sleep(200);
  }
  throw new Error("the checks did not appear");
}
