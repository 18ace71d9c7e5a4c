import { env } from "#app/lib/env.server.ts";
import { builtIn } from "./built-in.server.ts";
import { hosted } from "./hosted/mode.server.ts";
import type { IdentityMode } from "./mode.ts";

/** The configured way to sign in. */
export const identityMode = (): IdentityMode => (env().hosted ? hosted : builtIn);
