import type { ActionFunctionArgs } from "@remix-run/node";
import { endByToken } from "#app/features/identity/hosted/backchannel.server.ts";
import { env } from "#app/lib/env.server.ts";
import { postedForm } from "#app/lib/posted-form.server.ts";

/** Bytes of the form that are read. */
const MAX_FORM = 32_768;
const NO_STORE = { "Cache-Control": "no-store" };

export const loader = () => new Response("Not found", { status: 404 });

/** Back-channel logout: the provider's own call, without cookies; the token it brings is its credential. */
export async function action({ request }: ActionFunctionArgs) {
  if (!env().hosted) return new Response("Not found", { status: 404 });
  const length = Number(request.headers.get("content-length") ?? Number.NaN);
  if (!(length <= MAX_FORM)) return refused(413);
  const token = (await postedForm(request)).get("logout_token");
  return typeof token === "string" && (await endByToken(token))
    ? new Response(null, { status: 200, headers: NO_STORE })
    : refused(400);
}

const refused = (status: 400 | 413) =>
  Response.json({ error: "invalid_request" }, { status, headers: NO_STORE });
