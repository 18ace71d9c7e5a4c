import type { LoaderFunctionArgs } from "@remix-run/node";
import { ERROR_OCCURRED } from "#app/contract/words/auth.ts";
import { relayed } from "#app/lib/relay.server.ts";
import { redirectWithToast } from "#app/lib/toast.server.ts";

/**
 * The kubeconfig (specification 1 §2). It is opened in a tab of its own: where there is no file to download, a person
 * gets the product with upstream's words, not a tab of JSON. Programs get upstream's answer as it is.
 */
export async function loader({ request }: LoaderFunctionArgs) {
  const answer = await relayed(request);
  const isPerson = request.headers.get("accept")?.includes("text/html") ?? false;
  if (answer.ok || !isPerson) return answer;
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
