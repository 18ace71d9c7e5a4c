/** Heartbeats: pings from outside, which need no session, and the address that they go to. */
import type pg from "pg";
import { BODY_LIMIT, Busy, renewHeartbeatToken, type Heard, type Pings } from "#server/engines/index.ts";
import { acting } from "./acting.ts";
import type { AsCaller } from "./caller.ts";
import { ApiError } from "./errors.ts";
import type { ApiContext, Route } from "./router.ts";

interface Needs {
  asCaller: AsCaller;
  /** The owner's pool: tokens are no relation of the contract. The right to them is checked here. */
  pool: pg.Pool;
  pings: Pick<Pings, "receive">;
}

/** What a writer of canaries sees of a heartbeat's address; the token itself only in the answer that makes it. */
interface HeartbeatState {
  /** When the address was made; null: there is none yet. */
  created_at: Date | null;
  last_ping: Date | null;
  started_at: Date | null;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function heartbeatRoutes({ asCaller, pool, pings }: Needs): Route[] {
  async function ping(c: ApiContext): Promise<Response> {
    const heard = { ...reported(c.req.param("what")), body: await beginning(c) };
    const received = await pings.receive(c.req.param("token") ?? "", heard).catch((error: unknown) => {
      if (error instanceof Busy) throw new ApiError(503, error.message);
      throw error;
    });
    if (received === "unknown") throw new ApiError(404, "There is no heartbeat of this token");
    if (received !== "stored")
      throw new ApiError(409, `The heartbeat cannot be read: ${received.unreadable}`);
    return c.text("OK", 200, { "Cache-Control": "no-store" });
  }

  /** Asked as the caller, so that nobody learns of a check they may not see. */
  async function heartbeatOf(c: ApiContext): Promise<string> {
    const id = c.req.param("check") ?? "";
    if (!UUID.test(id)) throw new ApiError(404, "There is no such heartbeat");
    const { rows } = await asCaller(c.get("principal"), (client) =>
      client.query(
        `select from public.checks
         where id = $1 and type = 'heartbeat' and transformed is not true and deleted_at is null`,
        [id],
      ),
    );
    if (rows.length === 0) throw new ApiError(404, "There is no such heartbeat");
    return id;
  }

  async function state(c: ApiContext): Promise<Response> {
    const { rows } = await pool.query<HeartbeatState>(
      "select created_at, last_ping, started_at from internal.heartbeats where check_id = $1",
      [await heartbeatOf(c)],
    );
    return c.json(rows[0] ?? { created_at: null, last_ping: null, started_at: null });
  }

  async function renew(c: ApiContext): Promise<Response> {
    const check = await heartbeatOf(c);
    const token = await acting(pool, c.get("principal"), (client) => renewHeartbeatToken(client, check));
    return c.json({ path: `/canary/heartbeat/${token}` }, 201, { "Cache-Control": "no-store" });
  }

  const about = { right: "update", kind: "check", param: "check" } as const;
  const addresses = ["/canary/heartbeat/:token", "/canary/heartbeat/:token/:what"];
  return [
    ...addresses.flatMap((path): Route[] => [
      { method: "GET", path, who: "anyone", handler: ping }, // HEAD is a GET without the answer's body
      { method: "POST", path, who: "anyone", handler: ping },
    ]),
    { method: "GET", path: "/ph/heartbeat/:check", who: "write:canaries", about, handler: state },
    { method: "POST", path: "/ph/heartbeat/:check", who: "write:canaries", about, handler: renew },
  ];
}

/** What the last part of the address says: nothing is success, a number an exit code as a shell has it. */
function reported(what: string | undefined): Omit<Heard, "body"> {
  if (what === undefined) return { kind: "end", exitCode: 0 };
  if (what === "start") return { kind: "start", exitCode: null };
  if (what === "fail") return { kind: "end", exitCode: null };
  if (/^\d{1,3}$/.test(what) && Number(what) <= 255) return { kind: "end", exitCode: Number(what) };
  throw new ApiError(400, "After the token may come start, fail or an exit code from 0 to 255");
}

/**
 * The first 10 kB of the body as text; the rest is not read. Most pings have none or a short one: neither needs the
 * request as a stream, which costs more than the rest of taking a ping.
 */
async function beginning({ req }: ApiContext): Promise<string> {
  if (req.method === "GET" || req.method === "HEAD") return "";
  const length = Number(req.header("content-length") ?? NaN);
  const bytes = length <= BODY_LIMIT ? await req.arrayBuffer() : await beginningOf(req.raw.body);
  return new TextDecoder().decode(bytes.slice(0, BODY_LIMIT), { stream: true }); // half a character is left out
}

async function beginningOf(body: ReadableStream<Uint8Array> | null): Promise<Uint8Array> {
  if (body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = body.getReader();
  while (length < BODY_LIMIT) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    length += value.length;
  }
  if (length >= BODY_LIMIT) await reader.cancel().catch(() => undefined);
  return Buffer.concat(chunks);
}
