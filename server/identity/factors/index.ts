/** Second factors and passkeys: the parts they add to the flows, and who has one. */
import type pg from "pg";
import type { Limits } from "../limits.ts";
import type { LoginPart, SettingsPart } from "../parts.ts";
import { createFactorStore } from "../store/factors.ts";
import { createLookupStore } from "../store/lookup.ts";
import type { SocialLinkStore } from "../store/social-links.ts";
import { createTotpStore } from "../store/totp.ts";
import { createWebauthnStore } from "../store/webauthn.ts";
import { passkeyLogin, webauthnLogin } from "./key-login.ts";
import { keySettings } from "./key-settings.ts";
import { lookupLogin, lookupSettings } from "./lookup-parts.ts";
import { totpLogin, totpSettings } from "./totp-parts.ts";
import { createVault } from "./vault.ts";

interface Needs {
  pool: pg.Pool;
  limits: Limits;
  /** The key of the installation. */
  key: string;
  publicUrl: string | null;
  /** Accounts elsewhere, which are a way in too. */
  linked: Pick<SocialLinkStore, "providersOf">;
}

export function createFactors({ pool, limits, key, publicUrl, linked }: Needs): {
  loginParts: LoginPart[];
  settingsParts: SettingsPart[];
  hasPassword(identityId: string): Promise<boolean>;
  /** Whether a password alone is not enough for somebody. */
  hasSecond(identityId: string): Promise<boolean>;
  removeAll(identityId: string): Promise<void>;
} {
  const vault = createVault(key);
  const totp = { store: createTotpStore(pool), vault, limits };
  const lookup = { store: createLookupStore(pool), vault, limits };
  const factors = createFactorStore(pool);
  const hasAnotherWay = async (id: string) =>
    (await factors.hasPassword(id)) || (await linked.providersOf(id)).length > 0;
  const keys = { store: createWebauthnStore(pool), limits, publicUrl, hasAnotherWay };
  return {
    loginParts: [passkeyLogin(keys), totpLogin(totp), webauthnLogin(keys), lookupLogin(lookup)],
    settingsParts: [
      lookupSettings(lookup),
      totpSettings(totp),
      keySettings("webauthn", keys),
      keySettings("passkey", keys),
    ],
    hasPassword: factors.hasPassword,
    hasSecond: factors.hasSecond,
    removeAll: factors.removeSecond,
  };
}
