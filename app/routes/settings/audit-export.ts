import type { LoaderFunctionArgs } from "@remix-run/node";
import { exportAudit } from "#app/features/audit/export.server.ts";
import { auditSearch } from "#app/features/audit/paths.ts";
import { spanOf } from "#app/features/audit/span.ts";
import { authorize } from "#app/lib/authorize.server.ts";

/** `/settings/audit.csv`: the log as the page's address filters it, all pages of it. */
export async function loader(args: LoaderFunctionArgs) {
  const { api } = await authorize(args, "write:rbac");
  const search = auditSearch.read(args.request);
  const span = spanOf(search, Date.now());
  if (span.error) throw new Response(span.error, { status: 400 });
  return new Response(await exportAudit(api, search, span), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": 'attachment; filename="audit.csv"',
      "Cache-Control": "private, no-store",
    },
  });
}
