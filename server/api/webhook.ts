/** `POST /canary/webhook/:name` and `POST /canary/api/push` (backend §7.5, §7.6): results that others send. */
import type { Delivered, Delivery, Pushes, Webhooks } from "#server/engines/index.ts";
import { ApiError } from "./errors.ts";
import { pushed } from "./push-body.ts";
import type { ApiContext, Route } from "./router.ts";

interface Needs {
  webhooks: Webhooks;
  pushes: Pushes;
}

/** Bytes of text that are kept; of JSON that are taken at all, since half of it is none. */
const CONTENT_LIMIT = 10 * 1024;
const JSON_LIMIT = 256 * 1024;
/** Headers that carry credentials, or are ours: what is stored is read by everybody who may read checks. */
const PRIVATE =
  /^(authorization|cookie|proxy-authorization|webhook-token|x-ph-.*|x-request-id|.*(token|secret|api-?key|signature).*)$/;

const REFUSALS: Record<Exclude<Delivered, "stored">, [400 | 401 | 404, string]> = {
  unknown: [404, "There is no webhook of this name"],
  ambiguous: [400, "More than one canary has a webhook of this name"],
  refused: [401, "The token is wrong: send it as ?token= or in the header Webhook-Token"],
};

export function webhookRoutes({ webhooks, pushes }: Needs): Route[] {
  async function webhook(c: ApiContext): Promise<Response> {
    const token = c.req.query("token") ?? c.req.header("webhook-token") ?? null;
    const delivered = await webhooks.deliver(c.req.param("name") ?? "", token, await delivery(c));
    if (delivered === "stored") return c.json({ message: "ok" });
    throw new ApiError(...REFUSALS[delivered]);
  }

  async function push(c: ApiContext): Promise<Response> {
    const sent = pushed(await json(c));
    const { personId, roles } = c.get("principal");
    const stored = await pushes.push(sent, { personId, isAdmin: roles.includes("admin") });
    if (stored === "denied") throw new ApiError(403, "You may not update this check");
    if (stored === "unknown") throw new ApiError(404, `There is no check with the id ${sent.id}`);
    return c.body(null, 201);
  }

  return [
    { method: "POST", path: "/canary/webhook/:name", who: "anyone", handler: webhook },
    { method: "POST", path: "/canary/api/push", who: "write:canaries", handler: push },
  ];
}

async function delivery(c: ApiContext): Promise<Delivery> {
  const headers = Object.fromEntries(
    [...c.req.raw.headers].filter(([name]) => !PRIVATE.test(name)).map(([name, value]) => [name, value]),
  );
  const type = c.req.header("content-type") ?? "";
  if (/^application\/json\b/i.test(type)) return { headers, json: await json(c) };
  const { bytes } = await read(c, CONTENT_LIMIT);
  return { headers, content: new TextDecoder().decode(bytes, { stream: true }) };
}

async function json(c: ApiContext): Promise<unknown> {
  const { bytes, more } = await read(c, JSON_LIMIT);
  if (more) throw new ApiError(413, "JSON may have 256 kB");
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new ApiError(400, "The body must be JSON");
  }
}

/** At most so many bytes of the body, and whether there was more. */
async function read(c: ApiContext, limit: number): Promise<{ bytes: Buffer; more: boolean }> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = c.req.raw.body?.getReader();
  while (reader && length <= limit) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    length += value.length;
  }
  if (length > limit) await reader?.cancel().catch(() => undefined);
  return { bytes: Buffer.concat(chunks).subarray(0, limit), more: length > limit };
}
