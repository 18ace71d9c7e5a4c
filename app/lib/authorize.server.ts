import { may, type Permission } from "#app/contract/access.ts";
import { featureSwitch, type Feature } from "#app/contract/features.ts";
import { UNAUTHORIZED } from "#app/contract/words/auth.ts";
import { askBackend, type Backend } from "./about.server.ts";
import { createApi } from "./api.server.ts";
import { env } from "./env.server.ts";
import { requireThisSite } from "./origin.server.ts";
import { whoami } from "./whoami.server.ts";

/** Off where a hosted provider keeps the accounts (facts: screens §2, "identity mode only"): nobody could be listed or invited. */
const NOT_HOSTED: readonly Feature[] = ["settings.users"];

/**
 * First line of every loader and action. It is the only source of an `api`, so a page that forgot to ask for
 * permission has nothing to fetch with. Refuses writes from other sites (403), sends strangers to sign in, refuses
 * who may not (403) and hides what is switched off (404). `"signed-in"` asks for nothing but a session.
 */
export async function authorize(
  { request }: { request: Request },
  permission: Permission | "signed-in",
  { feature }: { feature?: Feature } = {},
) {
  requireThisSite(request);
  const { user, avatar, properties, backend, isJudged } = await whoami(request);
  const can = (other: Permission) => may(user.roles, other);
  const switchedOn = featureSwitch(properties ?? []);
  const isOn = (other: Feature) => switchedOn(other) && !(env().hosted && NOT_HOSTED.includes(other));
  if (permission !== "signed-in" && !can(permission)) throw new Response(UNAUTHORIZED, { status: 403 });
  if (feature && !isOn(feature)) throw new Response("Not found", { status: 404 });
  const api = createApi(request);
  return {
    api,
    user,
    /** Where a picture of the user is. */
    avatar,
    can,
    /** May permission records say more or less than the roles? False: what `can` says is all there is. */
    isJudged,
    /** Which features are on (specification 1 §6). */
    isOn,
    /** False when the flags could not be read: then every feature is on, and the page says so. */
    areFlagsKnown: properties !== null,
    /** What upstream can do beyond the contract (DESIGN decision 14), and its version. Mostly known already. */
    backend: async (): Promise<Backend> => backend ?? askBackend(api),
  };
}
