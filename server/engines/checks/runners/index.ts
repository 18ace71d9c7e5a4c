import type { Runner } from "../runner.ts";
import { http } from "./http.ts";
import { postgres } from "./postgres.ts";
import { tcp } from "./tcp.ts";

/** Check type → how it is run. */
export const runners: ReadonlyMap<string, Runner> = new Map(Object.entries({ http, tcp, postgres }));
