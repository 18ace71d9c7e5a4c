import type { LoaderFunctionArgs } from "@remix-run/node";
import { iconSvg } from "#app/lib/icons.server.ts";

/** `/icons/<name>.svg`: the picture of a technology, the neutral one for what has none. The same for everybody. */
export async function loader({ params }: LoaderFunctionArgs) {
  const name = (params["name"] ?? "").replace(/\.svg$/, "");
  return new Response(await iconSvg(name), {
    headers: {
      "Content-Type": "image/svg+xml",
      "Cache-Control": "public, max-age=31536000, immutable",
      "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
    },
  });
}
