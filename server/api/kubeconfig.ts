/**
 * `/kubeconfig` (facts: backend §6.8): a file with which kubectl reaches `/kubeproxy` as the caller. Each has a fresh
 * access token that ends by itself, and only the newest few of a person count (decision 0100).
 */
import type { IdentityService } from "#server/identity/index.ts";
import type { AccessTokenStore } from "#server/identity/store/access-tokens.ts";
import { NO_KUBECONFIG } from "#app/contract/words/platform.ts";
import { ApiError } from "./errors.ts";
import type { Route } from "./router.ts";
import { refuseToken } from "./tokens.ts";

export interface KubeconfigNeeds {
  create: IdentityService["createAccessToken"];
  tokens: Pick<AccessTokenStore, "keepNewest">;
  /** Where people reach the web (PUBLIC_URL); null: no file can name it. */
  publicUrl: string | null;
  now?: () => Date;
}

const DAY_MS = 86_400_000;
const LIFETIME_DAYS = 90;
/** Files of one person that work at the same time: a laptop, a desk, and what was downloaded twice. */
const KEPT = 5;

export function kubeconfigRoutes({
  create,
  tokens,
  publicUrl,
  now = () => new Date(),
}: KubeconfigNeeds): Route[] {
  return [
    {
      method: "GET",
      path: "/kubeconfig",
      who: "signed-in",
      handler: async (c) => {
        if (publicUrl === null) throw new ApiError(404, NO_KUBECONFIG);
        const principal = c.get("principal");
        refuseToken(principal);
        const { personId, email, name } = principal;
        const time = now();
        const expires = new Date(time.getTime() + LIFETIME_DAYS * DAY_MS);
        const beginning = `${email ?? name} kubeconfig `;
        const token = await create(personId, beginning + time.toISOString(), expires);
        await tokens.keepNewest(personId, beginning, KEPT);
        const tenant = tenantOf(publicUrl);
        return c.body(kubeconfig({ tenant, publicUrl, token, expires, owner: email ?? name }), 200, {
          "Content-Type": "text/yaml; charset=utf-8",
          "Content-Disposition": `attachment; filename=${tenant}-kubeconfig.yaml`,
          "Cache-Control": "no-store",
        });
      },
    },
  ];
}

/** The public host's name, fit for a file's name and for a cluster's. */
function tenantOf(publicUrl: string): string {
  const tenant = new URL(publicUrl).hostname.replace(/\.flanksource\.com$/, "").replace(/[^a-z0-9.-]/gi, "");
  return tenant.replace(/^[.-]+/, "") || "pilothouse";
}

interface Parts {
  tenant: string;
  publicUrl: string;
  token: string;
  expires: Date;
  owner: string;
}

/** What kubectl reads. Texts are written as JSON, which is YAML with nothing left to guess. */
function kubeconfig({ tenant, publicUrl, token, expires, owner }: Parts): string {
  const cluster = JSON.stringify(`mission-control-${tenant}`);
  return `# Acts as ${oneLine(owner)} until ${expires.toISOString()}. Keep it like a password.
apiVersion: v1
kind: Config
preferences: {}
clusters:
  - name: ${cluster}
    cluster:
      server: ${JSON.stringify(`${publicUrl}/api/kubeproxy`)}
contexts:
  - name: default
    context:
      cluster: ${cluster}
      user: default-user
current-context: default
users:
  - name: default-user
    user:
      username: token
      password: ${JSON.stringify(token)}
`;
}

/** A comment ends with its line, and so must what is written into it. */
const oneLine = (text: string) => text.replace(/[^\x20-\x7e\u00a0-\ud7ff]/g, " ");
