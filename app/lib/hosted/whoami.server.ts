import { redirect } from "@remix-run/node";
import { SESSION_EXPIRED } from "../place.server.ts";
import { pathOf } from "../return-to.ts";
import { upstreamFetch, type Answer } from "../upstream.server.ts";
import { isProviderAway } from "./client.server.ts";

/** Where whoever is signed in waits for the backend of an organisation. */
export const PROVISIONING_PATH = "/organizations/provisioning";

/**
 * Asks the backend of the chosen organisation who is asking (specification 1 §8, hosted mode): 404, 5xx and silence
 * lead to the provisioning screen, a session that ended to the sign-in page (`null`), one that is refused all the same
 * to the bad-session page, which offers the other organisations.
 */
export async function hostedWhoami(request: Request): Promise<Answer | null> {
  const response = await upstreamFetch(request, "/auth/whoami").catch((thrown: unknown) => {
    throw thrown instanceof Response && thrown.status >= 500 && !isProviderAway(thrown)
      ? provisioning(request, thrown)
      : thrown;
  });
  if (response.status === 404 || response.status >= 500)
    throw provisioning(request, new Response(response.text, { status: response.status }));
  if (response.status !== 401) return response;
  if (response.text.startsWith(SESSION_EXPIRED)) return null;
  throw redirect("/error?error_code=BAD_SESSION");
}

/** What was posted stays on its page, which says that the backend is away. */
function provisioning(request: Request, answer: Response): Response {
  if (request.method !== "GET" && request.method !== "HEAD") return answer;
  return redirect(`${PROVISIONING_PATH}?${new URLSearchParams({ return_to: pathOf(request) })}`);
}
