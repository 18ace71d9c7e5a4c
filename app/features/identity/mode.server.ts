import { builtIn } from "./built-in.server.ts";
import type { IdentityMode } from "./mode.ts";

/** The configured way to sign in. */
export const identityMode = (): IdentityMode => builtIn;
