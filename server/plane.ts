/** Puts the control plane together: pools, identity, `/db`, engines, the API's table. Nothing here starts by itself. */
import type { Hono } from "hono";
import { badgeRoutes } from "./api/badges.ts";
import { createAsCaller } from "./api/caller.ts";
import { canaryRoutes, FEATURES, FEATURES_WITHOUT_ACCOUNTS } from "./api/canary.ts";
import { createDb, dbRoutes } from "./api/db.ts";
import { importRoutes } from "./api/import.ts";
import { notificationRoutes } from "./api/notification.ts";
import { providerRoutes } from "./api/provider.ts";
import { opsRoutes } from "./api/ops.ts";
import { heartbeatRoutes } from "./api/heartbeat.ts";
import { permissionRoutes } from "./api/permissions.ts";
import { createRights } from "./api/rights.ts";
import { createRouter, type ApiEnv, type Route } from "./api/router.ts";
import { peopleRoutes } from "./api/people.ts";
import { createLocalProperties } from "./api/properties-file.ts";
import { sessionRoutes } from "./api/session.ts";
import { createSharedAnswers } from "./api/shared-answers.ts";
import { inviteRoutes } from "./api/invite.ts";
import { kubeconfigRoutes } from "./api/kubeconfig.ts";
import { kubeproxyRoutes, type KubernetesSettings } from "./api/kubeproxy.ts";
import { rbacRoutes } from "./api/rbac.ts";
import { schemaRoutes } from "./api/schemas.ts";
import { tokenRoutes } from "./api/tokens.ts";
import { webhookRoutes } from "./api/webhook.ts";
import { apiUrl, createPool, databaseOf } from "./db/pool.ts";
import { createEngines, type Smtp, type ValueSources } from "./engines/index.ts";
import { createConfigFiles } from "./import/config-files.ts";
import { createAuditLog } from "./identity/audit-log.ts";
import { createIdentity, type IdentityService, type SocialProvider } from "./identity/index.ts";
import { createProviderTokens, type ProviderSettings } from "./identity/provider-tokens.ts";
import { createLinkedAccountStore, type LinkedAccountStore } from "./identity/store/linked-accounts.ts";
import { createAccessTokenStore } from "./identity/store/access-tokens.ts";
import { withKratos } from "./identity/kratos/index.ts";
import { createMetrics } from "./observe/metrics.ts";
import type { Observe } from "./observe/observation.ts";

export interface Settings {
  /** The product's version, as the user menu shows it. */
  version: string;
  databaseUrl: string;
  apiPassword: string;
  key: string;
  host: string;
  port: number;
  publicUrl: string | null;
  /** Where people reach the web of this start; null when it runs elsewhere. */
  webUrl: string | null;
  /** Where this machine reaches it, for the check of ourselves. */
  webProbe: string | null;
  /** The data folder on this machine; null when there is none to watch. */
  dataFolder?: string | null;
  /** Where the values are that specs only refer to. */
  values?: ValueSources;
  admin: { email: string; password: string } | null;
  /** An Ory Kratos elsewhere that people sign in by, and who becomes administrator there; null, or absent: none. */
  kratos?: { url: string; admin: string | null } | null;
  /** The mail server that people are told through; null, or absent: none. */
  smtp?: Smtp | null;
  /** Providers whose accounts people may sign in with; absent: none. */
  social?: readonly SocialProvider[];
  /** What `/kubeproxy` leads to; null, or absent: nothing. */
  kubernetes?: KubernetesSettings | null;
  /** The provider that keeps all accounts; null, or absent: the built-in identity service does. */
  hosted?: ProviderSettings | null;
  /** Calls without credentials may read checks; nobody signs in. */
  standalone?: boolean;
}

export interface ControlPlane {
  /** The table of the API: what each path asks of its caller. */
  routes: readonly Route[];
  /** Methods and paths of the applications that see to their own credentials. */
  openRoutes: readonly { method: string; path: string }[];
  fetch: Hono<ApiEnv>["fetch"];
  start(): Promise<void>;
  /** Null when there already are accounts. */
  setupLink(): Promise<string | null>;
  /** Running checks may take this long to finish, in milliseconds; then they are recorded as interrupted. */
  stop(drainMs: number): Promise<void>;
}

/** Connections of the API's login; the comparison with PostgREST is made with the same number. */
const API_CONNECTIONS = 10;
const OWNER_CONNECTIONS = 10;

/** Builds everything; `start()` begins the work. Throws when the database is not as it should be. */
export async function createControlPlane(settings: Settings, report: Observe): Promise<ControlPlane> {
  const metrics = createMetrics();
  const observe: Observe = (observation) => {
    metrics.observe(observation);
    report(observation);
  };
  const { databaseUrl, apiPassword, key, publicUrl, webUrl, admin } = settings;
  const owner = createPool({ url: databaseUrl, max: OWNER_CONNECTIONS, name: "engines", observe });
  const api = createPool({
    url: apiUrl(databaseUrl, apiPassword),
    max: API_CONNECTIONS,
    name: "api",
    observe,
  });
  const folder = settings.values?.folder ?? null;
  const local = createLocalProperties(folder, observe);
  const own = createIdentity({
    pool: owner,
    publicUrl, // unknown: its addresses are paths, good under whatever name people reach us by
    secureCookies: publicUrl?.startsWith("https:") ?? false,
    key,
    smtp: settings.smtp ?? null,
    social: settings.social ?? [],
    webUrl,
    noteEvent: createAuditLog(owner),
    localProperties: local,
    observe,
  });
  const { kratos, version } = settings;
  const identity = kratos ? withKratos(own, { ...kratos, pool: owner, observe }) : own;
  const linked = createLinkedAccountStore(owner);
  const provider = settings.hosted
    ? createProviderTokens({ settings: settings.hosted, store: linked, now: () => new Date() })
    : null;
  const engines = createEngines({
    pool: owner,
    databaseUrl,
    key,
    observe,
    metrics: metrics.checks,
    self: selfTargets(settings),
    telling: { smtp: settings.smtp ?? null, webUrl: publicUrl ?? webUrl },
    ...(settings.values ? { values: settings.values } : {}),
    jobs: [
      {
        name: "CleanupIdentity",
        schedule: "@every 1h",
        resourceType: "identity",
        run: () => cleanUp(identity, linked),
      },
      {
        name: "SendMail",
        schedule: "@every 1m",
        resourceType: "identity",
        history: { success: 0, failed: 10 },
        run: () => tendMail(identity),
      },
    ],
  });
  const files = folder === null ? null : createConfigFiles({ pool: owner, folder, observe });
  const rest = createDb(databaseOf(databaseUrl), { pool: api, settings: { pilothouse_key: key }, observe });
  const asCaller = createAsCaller(api);
  const tokens = createAccessTokenStore(owner);
  const rights = createRights(owner);
  const hasAccounts = !kratos && !provider;
  const features = hasAccounts ? FEATURES : FEATURES_WITHOUT_ACCOUNTS;
  const shared = createSharedAnswers();
  const router = createRouter({
    routes: [
      ...opsRoutes(metrics),
      ...providerRoutes(provider),
      ...sessionRoutes({ asCaller, pool: owner, rights, version, features, observe, local }),
      ...canaryRoutes({ asCaller, pool: owner, engine: engines.checks, version, features, shared }),
      ...heartbeatRoutes({ asCaller, pool: owner, pings: engines.pings }),
      ...webhookRoutes(engines),
      ...notificationRoutes(engines.notifier),
      ...badgeRoutes({ asCaller, pool: owner }),
      ...importRoutes({ asCaller }),
      ...peopleRoutes({ pool: owner, hasAccounts }),
      ...rbacRoutes({ pool: owner }),
      ...(hasAccounts ? inviteRoutes(identity) : []),
      ...tokenRoutes({ tokens, create: identity.createAccessToken }),
      ...kubeconfigRoutes({ tokens, create: identity.createAccessToken, publicUrl: publicUrl ?? webUrl }),
      ...kubeproxyRoutes(settings.kubernetes ?? null),
      ...schemaRoutes(),
      ...permissionRoutes({ asCaller, pool: owner, rights }),
      ...dbRoutes(rest, { rights, database: databaseOf(databaseUrl) }),
    ],
    open: settings.standalone || provider ? {} : { "/kratos": identity.app },
    identity,
    rights,
    provider,
    database: databaseOf(databaseUrl),
    standalone: settings.standalone ?? false,
    shared,
    observe,
    metrics,
  });
  return {
    routes: router.table,
    openRoutes: identity.app.routes
      .filter(({ method }) => method !== "ALL")
      .map(({ method, path }) => ({ method, path: `/kratos${path}` })),
    fetch: router.fetch,
    async start() {
      if (admin) await identity.createAdmin(admin.email, admin.password);
      await rest.reload();
      await engines.start();
      files?.start();
    },
    setupLink: async () =>
      settings.standalone || provider ? null : absolute(await identity.setupLink(), webUrl),
    async stop(drainMs) {
      await files?.stop();
      await identity.stop();
      await engines.stop(drainMs);
      await rest.close();
      await Promise.all([api.end(), owner.end()]);
    },
  };
}

/** A link that is printed needs an origin, which the identity service does not know without PUBLIC_URL. */
function absolute(link: string | null, origin: string | null): string | null {
  return link?.startsWith("/") && origin ? origin + link : link;
}

async function cleanUp(identity: IdentityService, linked: LinkedAccountStore) {
  const { flows, sessions, attempts } = await identity.cleanUp();
  return { success: flows + sessions + attempts + (await linked.removeOldEnded(new Date())) };
}

async function tendMail(identity: ReturnType<typeof createIdentity>) {
  const { sent, abandoned } = await identity.tendMail();
  return { success: sent, errors: abandoned > 0 ? [`${abandoned} e-mails were given up.`] : [] };
}

/** What of this start the product watches: its web, its API, its database. */
function selfTargets({ webProbe, host, port, databaseUrl, dataFolder }: Settings) {
  const { hostname, port: databasePort } = new URL(databaseUrl);
  const name = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return {
    ...(webProbe ? { webUrl: webProbe } : {}),
    apiUrl: `http://${name.includes(":") ? `[${name}]` : name}:${port}`,
    ...(dataFolder ? { dataFolder } : {}),
    database: { host: hostname, port: Number(databasePort || 5432) },
  };
}
