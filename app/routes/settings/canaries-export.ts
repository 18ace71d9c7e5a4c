import type { LoaderFunctionArgs } from "@remix-run/node";
import { exportCanaries } from "#app/features/imports/export.server.ts";
import { authorize } from "#app/lib/authorize.server.ts";

/** Canaries as a file to keep, to edit and to import again. Secrets typed into them are in it: for those who may write. */
export async function loader(args: LoaderFunctionArgs) {
  const { api } = await authorize(args, "write:canaries", { feature: "settings.health" });
  const { searchParams } = new URL(args.request.url);
  const found = await exportCanaries(api, {
    id: searchParams.get("id") ?? "",
    query: searchParams.get("query") ?? "",
  });
  if (!found) throw new Response("There is no such canary.", { status: 404 });
  const name = found.name.replace(/[^\w.-]+/g, "-");
  return new Response(found.yaml, {
    headers: {
      "content-type": "application/yaml; charset=utf-8",
      "content-disposition": `attachment; filename="${name}.yaml"`,
      "cache-control": "private, no-store",
    },
  });
}
