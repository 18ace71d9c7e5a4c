import type { LoaderFunctionArgs } from "@remix-run/node";
import { exportHistory } from "#app/features/checks/history-export.server.ts";
import { healthSearch } from "#app/features/checks/paths.ts";
import { authorize } from "#app/lib/authorize.server.ts";

/** `/health/checks/:id/history.csv`: the history as the drawer's address filters it. */
export async function loader(args: LoaderFunctionArgs) {
  const { api } = await authorize(args, "read:canaries", { feature: "health" });
  const search = healthSearch.read(args.request);
  const { name, body } = await exportHistory(api, args.params["id"] ?? "", search, Date.now());
  return new Response(body, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${name}"`,
      "Cache-Control": "private, no-store",
    },
  });
}
