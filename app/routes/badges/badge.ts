import type { LoaderFunctionArgs } from "@remix-run/node";
import { drawBadge } from "#app/features/checks/badge.server.ts";

/** `/badges/{check|group}/….svg`: for pages elsewhere, so that it never leads to the sign-in. */
export const loader = (args: LoaderFunctionArgs) => drawBadge(args);
