import { version as frontend } from "../../package.json";
import { About } from "#app/contract/rows/platform.ts";
import type { Api } from "./api.server.ts";
import { oncePerRequest } from "./scope.server.ts";

/** Specification 1 §9: ours, shown next to the backend's own. */
export const FRONTEND_VERSION: string = frontend;

/** What upstream says about itself (specification 1 §2, DESIGN decision 14). */
export interface Backend {
  /** Its own version, null when it does not tell. */
  version: string | null;
  /**
   * Can it do this? For what goes beyond the contract ("summary.page") a backend that lists nothing cannot; for a part
   * of the contract that an installation may lack, say `true` for one that lists nothing.
   */
  offers(feature: string, whenSilent?: boolean): boolean;
}

/** Asked for at most once per request, and not at all where whoami has told. No page fails for it: silence offers nothing. */
export const askBackend = (api: Api): Promise<Backend> =>
  oncePerRequest("about", () =>
    api.call("/canary/about", About).then(
      ({ Version, features }) => backendOf(Version, features),
      () => backendOf(null, null),
    ),
  );

export const backendOf = (
  version: string | null | undefined,
  features: readonly string[] | null | undefined,
): Backend => ({
  version: version || null,
  offers: (feature, whenSilent = false) => features?.includes(feature) ?? whenSilent,
});
