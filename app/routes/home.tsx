import { redirect, type LoaderFunctionArgs } from "@remix-run/node";
import type { Permission } from "#app/contract/access.ts";
import type { Feature } from "#app/contract/features.ts";
import { UNAUTHORIZED } from "#app/contract/words/auth.ts";
import { authorize } from "#app/lib/authorize.server.ts";

/** In the order of preference. Specification 1 §2 puts /topology first; it joins the list with its page. */
const FIRST_PAGES: readonly { path: string; permission: Permission; feature: Feature }[] = [
  { path: "/health", permission: "read:canaries", feature: "health" },
];

/** `/` is the first page the user may open. */
export async function loader(args: LoaderFunctionArgs) {
  const { can, features } = await authorize(args, "signed-in");
  const isOn = await features();
  const first = FIRST_PAGES.find(({ permission, feature }) => can(permission) && isOn(feature));
  if (!first) throw new Response(UNAUTHORIZED, { status: 403 });
  return redirect(first.path);
}

/** Never drawn; without a component Remix would answer a refusal as bare text instead of the error page. */
export default function HomePage() {
  return null;
}
