import { ROLES, type Role } from "#app/contract/access.ts";

/** The product's access policy on one screen: an address that matches each page, and who may open it. */
const everyone: readonly Role[] = ROLES;
const editors: readonly Role[] = ["admin", "editor"];
/** A canary that the test of the table makes. */
export const CANARY_ID = "018f0000-0000-7000-8000-000000000001";
/** And a team. */
export const TEAM_ID = "018f0000-0000-7000-8000-000000000002";
/** A permission that the test of the table makes, for a team of nobody. */
export const PERMISSION_ID = "018f0000-0000-7000-8000-000000000003";

export const PAGES: Record<string, readonly Role[]> = {
  "/health": everyone,
  "/health/checks/x/heartbeat": editors,
  "/profile-settings": everyone,
  "/health.json": everyone,
  "/health.csv": everyone,
  "/settings/audit": ["admin"],
  "/settings/audit.csv": ["admin"],
  "/settings/canaries": everyone,
  "/settings/canaries/new": editors,
  [`/settings/canaries/${CANARY_ID}`]: everyone,
  [`/settings/canaries/${CANARY_ID}/notify`]: everyone,
  "/settings/canaries/import": editors,
  "/settings/feature-flags": everyone,
  "/settings/tokens": everyone,
  "/settings/users": editors, // who reads identities; only administrators change them
  "/settings/teams": everyone,
  "/settings/teams/new": editors,
  [`/settings/teams/${TEAM_ID}`]: everyone,
  "/settings/permissions": everyone,
  "/settings/permissions/new": editors,
  "/settings/permissions/why": everyone,
  [`/settings/permissions/${PERMISSION_ID}`]: everyone,
};
/** Pages that need no session. */
export const PUBLIC: readonly string[] = [
  "routes/home.tsx",
  "routes/auth/login.tsx",
  "routes/auth/sign-in-again.tsx",
  "routes/auth/registration.tsx",
  "routes/auth/recovery.tsx",
  "routes/auth/verification.tsx",
  "routes/auth/leaving.tsx", // opens only a sealed address
  "routes/auth/logout.tsx",
  "routes/auth/flow-error.tsx",
  "routes/auth/state-checker.tsx",
  // The hosted provider's own, tested in hosted.test.ts.
  "routes/auth/callback.tsx",
  "routes/organizations/orgs-switched.tsx",
  "routes/organizations/provisioning.tsx",
  // The documentation is for whoever cannot sign in, too.
  "routes/help/layout.tsx",
  "routes/help/index.tsx",
  "routes/help/page.tsx",
  "routes/ui.tsx", // in development only
];
/** Routes without a screen; what they let through is tested where they are. */
export const ENDPOINTS: readonly string[] = [
  "routes/preferences.tsx",
  "routes/health/history.ts",
  "routes/badges/badge.ts",
  "routes/icons/icon.ts", // pictures, the same for everybody
  "routes/api/_health.ts",
  "routes/api/_elsewhere.ts",
  "routes/api/kubeconfig.ts",
  "routes/settings/canaries-export.ts",
  "routes/api/splat.ts",
  "routes/auth/backchannel.ts",
];
