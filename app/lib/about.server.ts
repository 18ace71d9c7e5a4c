import { About } from "#app/contract/rows/platform.ts";
import type { Api } from "./api.server.ts";

/** The backend's own version (specification 1 §2), null when it does not tell: an ornament, no page fails for it. */
export const backendVersion = (api: Api): Promise<string | null> =>
  api.call("/canary/about", About).then(
    ({ Version }) => Version || null,
    () => null,
  );
