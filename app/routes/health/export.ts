import type { LoaderFunctionArgs } from "@remix-run/node";
import { exportChecks } from "#app/features/checks/export.server.ts";
import { healthSearch } from "#app/features/checks/paths.ts";
import { authorize } from "#app/lib/authorize.server.ts";

const TYPES = { json: "application/json; charset=utf-8", csv: "text/csv; charset=utf-8" } as const;

/** `/health.json` and `/health.csv`: the list of /health by the same address, with the same rights. */
export async function loader(args: LoaderFunctionArgs) {
  const format = new URL(args.request.url).pathname.endsWith(".csv") ? "csv" : "json";
  // Files are the same for everybody: what a browser remembers of the page is no part of their address.
  const search = healthSearch.read(args.request);
  const { api } = await authorize(args, "read:canaries", { feature: "health" });
  return new Response(await exportChecks(api, search, format), {
    headers: {
      "Content-Type": TYPES[format],
      "Content-Disposition": `inline; filename="checks.${format}"`,
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
    },
  });
}
