/** `/kubeconfig` (facts: backend §6.8): a file for kubectl where a Kubernetes API stands behind the installation. */
import { NO_KUBECONFIG } from "#app/contract/words/platform.ts";
import { ApiError } from "./errors.ts";
import type { Route } from "./router.ts";

/** No Kubernetes API can be configured yet; `/canary/about` therefore does not list `kubeconfig`. */
export function kubeconfigRoutes(): Route[] {
  return [
    {
      method: "GET",
      path: "/kubeconfig",
      who: "signed-in",
      handler: () => {
        throw new ApiError(404, NO_KUBECONFIG);
      },
    },
  ];
}
