import { env } from "./env.server.ts";

/**
 * The name a kubeconfig is downloaded under (facts: backend §6.8): the public host's name, and what it is. Only letters,
 * digits, dots and hyphens: the name is shown inside a command to copy.
 */
export function kubeconfigFile(request: Request): string {
  const { hostname } = env().publicUrl ?? new URL(request.url);
  const tenant = hostname.replace(/\.flanksource\.com$/, "").replace(/[^a-z0-9.-]/gi, "");
  return `${tenant.replace(/^[.-]+/, "") || "pilothouse"}-kubeconfig.yaml`;
}
