import { index, layout, prefix, route, type RouteConfig } from "@remix-run/route-config";

/** The table of contents: every URL of specification 1 §2, in its order, and the module that answers it. */
export default [
  index("routes/home.tsx"),
  layout("routes/shell.tsx", [
    layout("routes/shell/page-boundary.tsx", [
      ...prefix("health", [
        index("routes/health/list.tsx"),
        route("checks/:id/heartbeat", "routes/health/heartbeat.tsx"),
      ]),
      route("profile-settings", "routes/auth/profile.tsx"),
      ...prefix("settings", [
        route("canaries/import", "routes/settings/canaries-import.tsx"),
        route("feature-flags", "routes/settings/feature-flags.tsx"),
        route("tokens", "routes/settings/tokens.tsx"),
        route("users", "routes/settings/users.tsx"),
        route("teams/new", "routes/settings/team-new.tsx"),
        route("teams/:id", "routes/settings/team.tsx"),
        route("permissions", "routes/settings/permissions.tsx"),
        route("permissions/new", "routes/settings/permission-new.tsx"),
        route("permissions/why", "routes/settings/permission-why.tsx"),
        route("permissions/:id", "routes/settings/permission-detail.tsx"),
        route(":table", "routes/settings/resource-list.tsx"),
        route(":table/new", "routes/settings/resource-new.tsx"),
        route(":table/:id", "routes/settings/resource-detail.tsx"),
        route("canaries/:id/notify", "routes/settings/canary-notify.tsx"),
      ]),
    ]),
  ]),
  route("health/checks/:id/history.csv", "routes/health/history.ts"),
  route("badges/:kind/:file", "routes/badges/badge.ts"),
  route("settings/canaries/export.yaml", "routes/settings/canaries-export.ts"),
  route("health.json", "routes/health/export.ts", { id: "health.json" }),
  route("health.csv", "routes/health/export.ts", { id: "health.csv" }),
  route("icons/:name", "routes/icons/icon.ts"),
  route("login", "routes/auth/login.tsx"),
  route("login/again", "routes/auth/sign-in-again.tsx"),
  route("registration", "routes/auth/registration.tsx"),
  route("recovery", "routes/auth/recovery.tsx"),
  route("verification", "routes/auth/verification.tsx"),
  route("leaving", "routes/auth/leaving.tsx"),
  route("logout", "routes/auth/logout.tsx"),
  route("error", "routes/auth/flow-error.tsx"),
  route("auth-state-checker", "routes/auth/state-checker.tsx"),
  route("help", "routes/help/layout.tsx", [
    index("routes/help/index.tsx"),
    route(":page", "routes/help/page.tsx"),
  ]),
  route("ui", "routes/ui.tsx"),
  route("preferences", "routes/preferences.tsx"),
  ...prefix("api", [
    route("_health", "routes/api/_health.ts"),
    route("_elsewhere", "routes/api/_elsewhere.ts"),
    route("kubeconfig", "routes/api/kubeconfig.ts"),
    route("*", "routes/api/splat.ts"),
  ]),
] satisfies RouteConfig;
