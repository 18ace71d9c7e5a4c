import { redirect, type LoaderFunctionArgs } from "@remix-run/node";
import { healthPath } from "#app/features/checks/paths.ts";
import { env } from "#app/lib/env.server.ts";

/** Standalone mode (specification 1 §1): wherever somebody goes, there are the checks. What was asked of them is kept. */
export function loader({ request }: LoaderFunctionArgs) {
  if (!env().isStandalone) throw new Response("Not found", { status: 404 });
  const target = request.headers.get("x-ph-target") ?? "";
  const mark = target.indexOf("?");
  return redirect(healthPath() + (mark < 0 ? "" : target.slice(mark)));
}
