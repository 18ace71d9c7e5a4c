import type { LoaderFunctionArgs } from "@remix-run/node";
import { relayed } from "#app/lib/relay.server.ts";

/** `/api/*`: the backend. */
export const loader = ({ request }: LoaderFunctionArgs) => relayed(request);
export const action = loader;
