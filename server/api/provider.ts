/** `/auth/backchannel-logout`: a sign-in provider ends a session; the web passes its token on. */
import type { ProviderTokens } from "#server/identity/provider-tokens.ts";
import type { Route } from "./router.ts";

/** Bytes of the form that are read. */
const MAX_FORM = 32_768;

/** Nothing without a provider. The token is the credential: whoever brings one that verifies may end what it names. */
export function providerRoutes(provider: ProviderTokens | null): Route[] {
  if (!provider) return [];
  return [
    {
      method: "POST",
      path: "/auth/backchannel-logout",
      who: "anyone",
      handler: async (c) => {
        const length = Number(c.req.header("content-length") ?? Number.NaN);
        if (!(length <= MAX_FORM)) return c.json({ error: "invalid_request" }, 413);
        const token = new URLSearchParams(await c.req.text()).get("logout_token") ?? "";
        c.header("cache-control", "no-store");
        return (await provider.endByToken(token))
          ? c.body(null, 200)
          : c.json({ error: "invalid_request" }, 400);
      },
    },
  ];
}
