/**
 * One line for everything that can be asked of the product besides pages (`tests/routes/access.ts`): what an action does
 * and what a path of the API answers, and what each needs. What has no line fails the tests.
 */
import { CANARY_ID, PERMISSION_ID, TEAM_ID } from "#tests/routes/access.ts";
import type { Needs } from "./spec.ts";

/** There is nothing of this id, so that whoever may do something does nothing. */
export const NOTHING = "018f0000-0000-7000-8000-00000000ffff";

export interface IntentLine {
  /** The module whose action it is. */
  file: string;
  /** The value of the hidden input; empty for an action that does one thing and asks for no name. */
  intent: string;
  /** An address of the page, and fields that lead nowhere. */
  path: string;
  form?: Record<string, string>;
  needs: Needs;
}

const CANARY = `/settings/canaries/${CANARY_ID}`;
const PERMISSION = `/settings/permissions/${PERMISSION_ID}`;
const TEAM = `/settings/teams/${TEAM_ID}`;

export const INTENTS: readonly IntentLine[] = [
  // Of one's own account; the form of the identity service itself has no name.
  { file: "routes/auth/profile.tsx", intent: "", path: "/profile-settings", needs: "signed-in" },
  {
    file: "routes/auth/profile.tsx",
    intent: "end-session",
    path: "/profile-settings",
    form: { session: NOTHING },
    needs: "signed-in",
  },
  {
    file: "routes/auth/profile.tsx",
    intent: "end-other-sessions",
    path: "/profile-settings",
    needs: "signed-in",
  },
  {
    file: "routes/health/list.tsx",
    intent: "run",
    path: "/health",
    form: { id: NOTHING },
    needs: "run:check",
  },
  {
    file: "routes/health/list.tsx",
    intent: "add",
    path: "/health",
    form: { url: "" },
    needs: "write:canaries",
  },
  {
    file: "routes/health/heartbeat.tsx",
    intent: "renew",
    path: `/health/checks/${NOTHING}/heartbeat`,
    needs: "write:canaries",
  },
  {
    file: "routes/settings/resource-list.tsx",
    intent: "restore",
    path: "/settings/canaries",
    form: { id: NOTHING },
    needs: "write:canaries",
  },
  {
    file: "routes/settings/resource-new.tsx",
    intent: "save",
    path: "/settings/canaries/new",
    needs: "write:canaries",
  },
  { file: "routes/settings/resource-detail.tsx", intent: "save", path: CANARY, needs: "write:canaries" },
  {
    file: "routes/settings/resource-detail.tsx",
    intent: "delete",
    path: `/settings/canaries/${NOTHING}`,
    needs: "write:canaries",
  },
  {
    file: "routes/settings/canaries-import.tsx",
    intent: "import",
    path: "/settings/canaries/import",
    needs: "write:canaries",
  },
  {
    file: "routes/settings/canary-notify.tsx",
    intent: "add",
    path: `${CANARY}/notify`,
    needs: "write:notifications",
  },
  {
    file: "routes/settings/canary-notify.tsx",
    intent: "test",
    path: `${CANARY}/notify`,
    form: { id: NOTHING },
    needs: "write:notifications",
  },
  {
    file: "routes/settings/canary-notify.tsx",
    intent: "remove",
    path: `${CANARY}/notify`,
    form: { id: NOTHING },
    needs: "write:notifications",
  },
  {
    file: "routes/settings/feature-flags.tsx",
    intent: "switch",
    path: "/settings/feature-flags",
    needs: "write:feature_flags",
  },
  {
    file: "routes/settings/feature-flags.tsx",
    intent: "add",
    path: "/settings/feature-flags",
    needs: "write:feature_flags",
  },
  {
    file: "routes/settings/feature-flags.tsx",
    intent: "change",
    path: "/settings/feature-flags",
    needs: "write:feature_flags",
  },
  {
    file: "routes/settings/feature-flags.tsx",
    intent: "remove",
    path: "/settings/feature-flags",
    needs: "write:feature_flags",
  },
  { file: "routes/settings/tokens.tsx", intent: "create", path: "/settings/tokens", needs: "signed-in" },
  {
    file: "routes/settings/tokens.tsx",
    intent: "revoke",
    path: "/settings/tokens",
    form: { id: NOTHING },
    needs: "signed-in",
  },
  { file: "routes/settings/users.tsx", intent: "invite", path: "/settings/users", needs: "write:identities" },
  { file: "routes/settings/users.tsx", intent: "change", path: "/settings/users", needs: "write:identities" },
  {
    file: "routes/settings/users.tsx",
    intent: "resend",
    path: "/settings/users",
    form: { id: NOTHING },
    needs: "write:identities",
  },
  {
    file: "routes/settings/users.tsx",
    intent: "delete",
    path: "/settings/users",
    form: { id: NOTHING },
    needs: "write:identities",
  },
  {
    file: "routes/settings/users.tsx",
    intent: "revoke",
    path: "/settings/users",
    form: { id: NOTHING },
    needs: "write:identities",
  },
  {
    file: "routes/settings/team-new.tsx",
    intent: "save",
    path: "/settings/teams/new",
    needs: "write:database",
  },
  { file: "routes/settings/team.tsx", intent: "save", path: TEAM, needs: "write:database" },
  {
    file: "routes/settings/team.tsx",
    intent: "delete",
    path: `/settings/teams/${NOTHING}`,
    needs: "write:database",
  },
  { file: "routes/settings/team.tsx", intent: "add-members", path: TEAM, needs: "write:database" },
  { file: "routes/settings/team.tsx", intent: "remove-member", path: TEAM, needs: "write:database" },
  {
    file: "routes/settings/permission-new.tsx",
    intent: "save",
    path: "/settings/permissions/new",
    needs: "write:permissions",
  },
  {
    file: "routes/settings/permission-detail.tsx",
    intent: "save",
    path: PERMISSION,
    needs: "write:permissions",
  },
  {
    file: "routes/settings/permission-detail.tsx",
    intent: "delete",
    path: `/settings/permissions/${NOTHING}`,
    needs: "write:permissions",
  },
];

/** Actions that are for everybody, signed in or not: signing in and out, and what only this browser knows. */
export const OPEN_ACTIONS: readonly string[] = [
  "routes/auth/login.tsx",
  "routes/auth/sign-in-again.tsx",
  "routes/auth/verification.tsx",
  "routes/auth/registration.tsx",
  "routes/auth/recovery.tsx",
  "routes/auth/logout.tsx",
  "routes/auth/backchannel.ts", // for the hosted provider, which signs what it sends
  "routes/organizations/orgs-switched.tsx", // of the hosted provider: it changes this browser's session only
  "routes/preferences.tsx",
  "routes/ui.tsx", // in development only
  "routes/api/splat.ts", // the API: below
];

/** Every method and path of the API's table, and what it needs. */
export const API: Readonly<Record<string, Needs>> = {
  "GET /health": "anyone",
  "GET /health/event-loop": "anyone",
  "GET /metrics": "admin",
  "GET /auth/whoami": "signed-in",
  "GET /auth/rights": "signed-in",
  "POST /auth/invite_user": "write:identities",
  "POST /auth/:id/properties": "write:identities",
  "POST /auth/:id/update_state": "write:identities",
  "POST /people/update": "write:identities",
  "DELETE /people/:id": "write:identities",
  "POST /ph/invitations/:id/resend": "write:identities",
  "DELETE /ph/invitations/:id": "write:identities",
  "GET /rbac/dump": "read:rbac",
  "POST /rbac/:id/update_role": "write:rbac",
  "GET /ph/permissions/why": "read:permissions",
  // One's own tokens; those of others are for admins.
  "GET /ph/tokens": "signed-in",
  "POST /ph/tokens": "signed-in",
  "DELETE /ph/tokens/:id": "signed-in",
  "ALL /kubeproxy": "signed-in",
  "ALL /kubeproxy/*": "signed-in",
  "GET /properties": "signed-in",
  "GET /schemas/:file": "signed-in",
  "GET /kubeconfig": "signed-in",
  "GET /canary/about": "signed-in",
  "GET /canary/api/summary": "read:canaries",
  "POST /canary/api/summary": "read:canaries",
  "GET /canary/api/graph": "read:canaries",
  "GET /canary/api/details": "read:canaries",
  "POST /canary/api/push": "write:canaries",
  "POST /canary/run/check/:id": "run:check",
  // Whoever knows the token of a heartbeat or a webhook.
  "GET /canary/heartbeat/:token": "anyone",
  "POST /canary/heartbeat/:token": "anyone",
  "GET /canary/heartbeat/:token/:what": "anyone",
  "POST /canary/heartbeat/:token/:what": "anyone",
  "POST /canary/webhook/:name": "anyone",
  "POST /notification/test/:id": "write:notifications",
  "POST /ph/canary/test": "write:canaries",
  "GET /ph/checks/:id/transitions": "read:canaries",
  "GET /ph/heartbeat/:check": "write:canaries",
  "POST /ph/heartbeat/:check": "write:canaries",
  "POST /ph/import": "write:canaries",
  "GET /ph/badges/check/:name": "read:canaries",
  "GET /ph/badges/group/:name": "read:canaries",
  // A badge of what was made public.
  "GET /ph/public/badges/check/:name": "anyone",
  "GET /ph/public/badges/group/:name": "anyone",
  // Each relation and function has a line of its own in app/contract/relations.ts.
  "ALL /db/*": "signed-in",
};

/** Of these, what the token of an agent may call. */
export const FOR_AGENTS: readonly string[] = ["GET /auth/whoami", "ALL /db/*"];

/** Paths whose handler asks for more than the table does, to refuse in words that its callers understand. */
export const ASKED_BY_HANDLER: Readonly<Record<string, Needs>> = {
  "ALL /kubeproxy": "write:database",
  "ALL /kubeproxy/*": "write:database",
};

/** Paths of the identity service, which sees to sessions and its own tokens itself (tests/engines/identity-*). */
export const OPEN_ROUTES: readonly string[] = [
  "DELETE /kratos/sessions",
  "DELETE /kratos/sessions/:id",
  "GET /kratos/self-service/errors",
  "GET /kratos/self-service/login/browser",
  "GET /kratos/self-service/login/flows",
  "GET /kratos/self-service/logout",
  "GET /kratos/self-service/logout/browser",
  "GET /kratos/self-service/methods/oidc/callback/:provider",
  "GET /kratos/self-service/recovery",
  "GET /kratos/self-service/recovery/browser",
  "GET /kratos/self-service/recovery/flows",
  "GET /kratos/self-service/registration/browser",
  "GET /kratos/self-service/registration/flows",
  "GET /kratos/self-service/settings/browser",
  "GET /kratos/self-service/settings/flows",
  "GET /kratos/self-service/verification/browser",
  "GET /kratos/self-service/verification/flows",
  "GET /kratos/sessions",
  "GET /kratos/sessions/whoami",
  "POST /kratos/self-service/login",
  "POST /kratos/self-service/recovery",
  "POST /kratos/self-service/registration",
  "POST /kratos/self-service/settings",
  "POST /kratos/self-service/verification",
];
