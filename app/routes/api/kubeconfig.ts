import { redirect, type LoaderFunctionArgs } from "@remix-run/node";
import { ERROR_OCCURRED } from "#app/contract/words/auth.ts";
import { tokensPath } from "#app/features/tokens/paths.ts";
import { kubeconfigFile } from "#app/lib/kubeconfig.server.ts";
import { relayed } from "#app/lib/relay.server.ts";
import { redirectWithToast } from "#app/lib/toast.server.ts";

/**
 * The kubeconfig (specification 1 §2), under the name that the dialog's command uses. Each makes an access token, so
 * another site's link does not: it leads to the dialog, where the person decides. It is opened in a tab of its own: where there is no file to download, a person
 * gets the product with upstream's words, not a tab of JSON. Programs get upstream's answer as it is.
 */
export async function loader({ request }: LoaderFunctionArgs) {
  const isElsewhere = /^(cross-site|same-site)$/.test(request.headers.get("sec-fetch-site") ?? "");
  if (isElsewhere && !request.headers.has("authorization"))
    return redirect(`${tokensPath()}?dialog=kubeconfig`);
  const answer = await relayed(request);
  if (answer.ok) {
    const headers = new Headers(answer.headers);
    headers.set("Content-Disposition", `attachment; filename=${kubeconfigFile(request)}`);
    return new Response(answer.body, { status: answer.status, headers });
  }
  const isPerson = request.headers.get("accept")?.includes("text/html") ?? false;
  if (!isPerson) return answer;
  return redirectWithToast("/", { type: "error", message: await wordsOf(answer) });
}

async function wordsOf(answer: Response): Promise<string> {
  try {
    const { error, message } = (await answer.json()) as { error?: unknown; message?: unknown };
    const words = [error, message].find((part) => typeof part === "string" && part !== "");
    return typeof words === "string" ? words.slice(0, 300) : ERROR_OCCURRED;
  } catch {
    return ERROR_OCCURRED;
  }
}
