import type { LoginFlow } from "@ory/client";
import { redirect } from "@remix-run/node";
import { Authenticator } from "remix-auth";
import { LOGIN_AAL2_TITLE, LOGIN_REFRESH_TITLE, LOGIN_TITLE } from "#app/contract/words/auth.ts";
import { env } from "#app/lib/env.server.ts";
import { REFUSED } from "#app/lib/error-view.ts";
import { postedForm } from "#app/lib/posted-form.server.ts";
import { pathOf, safeReturnTo } from "#app/lib/return-to.ts";
import { sessionCookies } from "#app/lib/session.server.ts";
import { redirectWithToast } from "#app/lib/toast.server.ts";
import { describeFlow, flowBody, type AnyFlow } from "./flow-view.ts";
import { judgeAnswer, type FlowVerdict } from "./flow-problem.ts";
import { askKratos, FlowRefusal, type Answered } from "./kratos.server.ts";
import type { FlowKind, IdentityMode, Submitted } from "./mode.ts";
import { loginPath, loginSearch, recoverySearch, registrationSearch } from "./paths.ts";
import { FlowStrategy, type SignedIn, type Verify } from "./strategy.server.ts";

const verify = async ({ identity, isActive, cookies }: Verify): Promise<SignedIn> => {
  if (!identity || !isActive) throw new Response("The session is not active.", { status: 403 });
  return { identity, cookies };
};
const authenticator = new Authenticator<SignedIn>()
  .use(new FlowStrategy("login", verify))
  .use(new FlowStrategy("registration", verify));

/** Signing in by the identity service at `/kratos` (Kratos-shaped self-service flows). */
export const builtIn: IdentityMode = {
  async begin(kind, request) {
    try {
      const { data, cookies } = await (flowIdOf(kind, request) ? lookUp : create)(kind, request);
      return {
        flow: describeFlow(data),
        title: kind === "login" ? titleOf(data as LoginFlow) : null,
        cookies,
      };
    } catch (error) {
      throw await answerTo(error, kind, request);
    }
  },

  async submit(kind, request): Promise<Submitted> {
    try {
      if (kind !== "settings")
        return { done: true, cookies: (await authenticator.authenticate(kind, request)).cookies };
      const { settings } = recoverySearch.read(request);
      const body = flowBody(await postedForm(request));
      const { cookies } = await askKratos(request, (api) =>
        api.updateSettingsFlow({ flow: settings, updateSettingsFlowBody: body as never }),
      );
      return { done: true, cookies };
    } catch (error) {
      const verdict = error instanceof FlowRefusal ? judgeAnswer(error) : null;
      if (!(error instanceof FlowRefusal) || verdict?.do !== "show")
        throw await answerTo(error, kind, request);
      return { done: false, flow: describeFlow(verdict.flow as AnyFlow), cookies: error.cookies };
    }
  },

  async recover(request, { flow, token }) {
    try {
      await askKratos(request, (api) =>
        api.updateRecoveryFlow({ flow, token, updateRecoveryFlowBody: { method: "link" } as never }),
      );
    } catch (error) {
      const verdict = error instanceof FlowRefusal ? judgeAnswer(error) : null;
      const settings =
        verdict?.do === "follow" ? new URL(verdict.to, "http://x").searchParams.get("flow") : null;
      if (error instanceof FlowRefusal && settings) return { settings, cookies: error.cookies };
      throw await answerTo(error, "settings", request);
    }
    throw new Response("The recovery link led nowhere.", { status: 502 });
  },

  async signOut(request) {
    const forgotten = sessionCookies(request, null);
    try {
      const { data } = await askKratos(request, (api) => api.createBrowserLogoutFlow());
      const { cookies } = await askKratos(request, (api) =>
        api.updateLogoutFlow({ token: data.logout_token }),
      );
      return [...cookies, ...forgotten];
    } catch (error) {
      if (error instanceof FlowRefusal && error.status === 401) return [...error.cookies, ...forgotten];
      throw await answerTo(error, "login", request);
    }
  },

  async findError(request, id) {
    try {
      return (await askKratos(request, (api) => api.getFlowError({ id }))).data.error ?? null;
    } catch (error) {
      if (error instanceof FlowRefusal && [403, 404, 410].includes(error.status)) return null;
      throw await answerTo(error, "login", request);
    }
  },
};

function create(kind: FlowKind, request: Request): Promise<Answered<AnyFlow>> {
  const { return_to, refresh, aal } = loginSearch.read(request);
  const returnTo = absolute(safeReturnTo(return_to));
  if (kind === "settings") return askKratos(request, (api) => api.createBrowserSettingsFlow());
  if (kind === "login")
    return askKratos(request, (api) =>
      api.createBrowserLoginFlow({ ...returnTo, ...(refresh ? { refresh } : {}), ...(aal ? { aal } : {}) }),
    );
  const { setup } = registrationSearch.read(request);
  return askKratos(request, (api) =>
    api.createBrowserRegistrationFlow(returnTo, setup ? { params: { setup } } : undefined),
  );
}

function lookUp(kind: FlowKind, request: Request): Promise<Answered<AnyFlow>> {
  const id = flowIdOf(kind, request);
  if (kind === "login") return askKratos(request, (api) => api.getLoginFlow({ id }));
  if (kind === "registration") return askKratos(request, (api) => api.getRegistrationFlow({ id }));
  return askKratos(request, (api) => api.getSettingsFlow({ id }));
}

/** The settings flow lives on the recovery page, whose `flow` is the recovery link's own. */
const flowIdOf = (kind: FlowKind, request: Request): string =>
  kind === "settings" ? recoverySearch.read(request).settings : loginSearch.read(request).flow;

/** Specification 1 §2. */
function titleOf({ refresh, requested_aal }: LoginFlow): string {
  if (refresh) return LOGIN_REFRESH_TITLE;
  return requested_aal === "aal2" ? LOGIN_AAL2_TITLE : LOGIN_TITLE;
}

/** An identity service elsewhere knows our pages by their whole address only. */
function absolute(path: string | null): { returnTo?: string } {
  if (!path) return {};
  const { publicUrl } = env();
  return { returnTo: publicUrl ? new URL(path, publicUrl).href : path };
}

/** What to throw for whatever went wrong: a redirect or a refusal for answers of the service, the rest as it is. */
async function answerTo(error: unknown, kind: FlowKind, request: Request): Promise<unknown> {
  if (!(error instanceof FlowRefusal)) return error;
  if (error.status >= 500) return error;
  const isLookUp = request.method === "GET" && flowIdOf(kind, request) !== "";
  const verdict = judgeAnswer(error);
  const isGone = isLookUp && verdict.do === "refuse" && [403, 404].includes(verdict.status);
  return follow(isGone ? RESTART : verdict, request, error.cookies);
}
const RESTART: FlowVerdict = { do: "restart", words: null, flow: null, dropReturnTo: false };

async function follow(verdict: FlowVerdict, request: Request, cookies: string[]): Promise<Response> {
  const headers = new Headers(cookies.map((line): [string, string] => ["Set-Cookie", line]));
  const { return_to } = loginSearch.read(request);
  switch (verdict.do) {
    case "follow":
      return redirect(verdict.to, { headers });
    case "home":
      return redirect(safeReturnTo(return_to) ?? "/", { headers });
    case "login":
      return redirect(loginPath({ return_to: pathOf(request), refresh: verdict.refresh }), { headers });
    case "restart":
      return restart(verdict, request, headers);
    case "show":
      return new Response("The form could not be read.", { status: 400, headers });
    case "refuse":
      return new Response(verdict.words, { status: verdict.status, statusText: REFUSED, headers });
  }
}

/** The same page without its flow (or with the one that takes its place), and the sentence as a toast. */
async function restart(verdict: Extract<FlowVerdict, { do: "restart" }>, request: Request, headers: Headers) {
  const url = new URL(pathOf(request), "http://x");
  for (const name of ["flow", "settings", ...(verdict.dropReturnTo ? ["return_to"] : [])])
    url.searchParams.delete(name);
  if (verdict.flow) url.searchParams.set("flow", verdict.flow);
  const to = url.pathname + url.search;
  return verdict.words
    ? redirectWithToast(to, { message: verdict.words, type: "error" }, { headers })
    : redirect(to, { headers });
}
