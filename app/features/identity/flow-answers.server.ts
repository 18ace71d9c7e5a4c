import { redirect } from "@remix-run/node";
import { REFUSED } from "#app/lib/error-view.ts";
import { cookieHeaders } from "#app/lib/headers.server.ts";
import { siteOrigin } from "#app/lib/origin.server.ts";
import { pathOf, safeReturnTo } from "#app/lib/return-to.ts";
import { redirectWithToast } from "#app/lib/toast.server.ts";
import { placeOf } from "./addresses.ts";
import { judgeAnswer, type FlowVerdict } from "./flow-problem.ts";
import { FlowRefusal } from "./kratos.server.ts";
import { leavingPath } from "./leaving.server.ts";
import type { FlowKind } from "./mode.ts";
import { loginPath, loginSearch } from "./paths.ts";

/** What a page does about an error of a call; null when it is no answer of the identity service, or a fault of it. */
export function verdictOf(error: unknown, kind: FlowKind, request: Request): FlowVerdict | null {
  if (!(error instanceof FlowRefusal) || error.status >= 500) return null;
  const isLookUp = request.method === "GET" && loginSearch.read(request).flow !== "";
  return judgeAnswer(error, { kind, isLookUp, isPost: request.method !== "GET" });
}

/** What to throw for whatever went wrong: a redirect or a refusal for answers of the service, the rest as it is. */
export async function answerTo(error: unknown, kind: FlowKind, request: Request): Promise<unknown> {
  const verdict = verdictOf(error, kind, request);
  if (verdict === null || !(error instanceof FlowRefusal)) return error;
  return follow(verdict, kind, request, cookieHeaders(error.cookies));
}

async function follow(
  verdict: FlowVerdict,
  kind: FlowKind,
  request: Request,
  headers: Headers,
): Promise<Response> {
  const back = safeReturnTo(loginSearch.read(request).return_to);
  switch (verdict.do) {
    case "follow":
      return redirect(destination(verdict.to, kind, request), { headers });
    case "home":
      return redirect(back ?? "/", { headers });
    case "login":
      return redirect(loginPath({ return_to: pathOf(request), refresh: verdict.refresh }), { headers });
    case "restart":
      return restart(verdict, request, headers);
    case "show":
      return new Response("The form could not be read.", { status: 400, headers });
    case "refuse":
      return new Response(verdict.words, { status: verdict.status, statusText: REFUSED, headers });
  }
}

/**
 * Where the service's redirect leads from here. Our own pages keep the way back: from a sign-in it is that page's own,
 * from anywhere else it is where we are.
 */
function destination(to: string, kind: FlowKind, request: Request): string {
  const place = placeOf(to, siteOrigin(request));
  if (!place) return "/";
  if ("elsewhere" in place) return leavingPath(place.elsewhere);
  const url = new URL(place.path, "http://x");
  if (url.pathname !== "/login" || url.searchParams.has("flow") || url.searchParams.has("return_to"))
    return place.path;
  const isEntry = kind === "login" || kind === "registration";
  const back = isEntry ? (safeReturnTo(loginSearch.read(request).return_to) ?? "") : pathOf(request);
  if (back) url.searchParams.set("return_to", back);
  return url.pathname + url.search;
}

/** The same page without its flow (or with the one that takes its place), and the sentence as a toast. */
async function restart(verdict: Extract<FlowVerdict, { do: "restart" }>, request: Request, headers: Headers) {
  const url = new URL(pathOf(request), "http://x");
  for (const name of ["flow", "token", "code", ...(verdict.dropReturnTo ? ["return_to"] : [])])
    url.searchParams.delete(name);
  if (verdict.flow) url.searchParams.set("flow", verdict.flow);
  const to = url.pathname + url.search;
  return verdict.words
    ? redirectWithToast(to, { message: verdict.words, type: "error" }, { headers })
    : redirect(to, { headers });
}
