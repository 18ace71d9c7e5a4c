import type { LoginFlow } from "@ory/client";
import { Authenticator } from "remix-auth";
import { LOGIN_AAL2_TITLE, LOGIN_REFRESH_TITLE, LOGIN_TITLE } from "#app/contract/words/auth.ts";
import { siteOrigin } from "#app/lib/origin.server.ts";
import { postedForm } from "#app/lib/posted-form.server.ts";
import { pathOf, safeReturnTo } from "#app/lib/return-to.ts";
import { sessionCookies } from "#app/lib/session.server.ts";
import { placeOf } from "./addresses.ts";
import { answerTo, verdictOf } from "./flow-answers.server.ts";
import { createFlow, findFlow, updateFlow, type Taken } from "./flow-calls.server.ts";
import { flowFields } from "./flow-fields.ts";
import { describeFlow, type AnyFlow } from "./flow-view.ts";
import { askKratos, FlowRefusal } from "./kratos.server.ts";
import type { FlowKind, IdentityMode, Submitted } from "./mode.ts";
import { loginPath, loginSearch, profilePath, recoveryPath, verificationPath } from "./paths.ts";
import { sessionLine } from "./sessions.ts";
import { FlowStrategy, type SignedIn, type Verify } from "./strategy.server.ts";

const verify = async ({ isActive, ...signedIn }: Verify): Promise<SignedIn> => {
  if (!isActive) throw new Response("The session is not active.", { status: 403 });
  return signedIn;
};
const authenticator = new Authenticator<SignedIn>()
  .use(new FlowStrategy("login", verify))
  .use(new FlowStrategy("registration", verify));

/** Signing in by an identity service that speaks the public Ory Kratos API: ours at `/kratos`, or a real one. */
export const builtIn: IdentityMode = {
  async begin(kind, request) {
    const { flow: id } = loginSearch.read(request);
    try {
      const { data, cookies } = await (id ? findFlow(kind, id, request) : createFlow(kind, request));
      const title = kind === "login" ? titleOf(data as LoginFlow) : null;
      return { flow: describeFlow(data), title, cookies };
    } catch (error) {
      throw await answerTo(error, kind, request);
    }
  },

  async submit(kind, request): Promise<Submitted> {
    try {
      const { taken, cookies } = await send(kind, request);
      return { done: true, to: nextPage(kind, taken, request), cookies };
    } catch (error) {
      const verdict = verdictOf(error, kind, request);
      if (!(error instanceof FlowRefusal) || verdict?.do !== "show")
        throw await answerTo(error, kind, request);
      return { done: false, flow: describeFlow(verdict.flow as AnyFlow), cookies: error.cookies };
    }
  },

  async recover(request, { flow, token }) {
    try {
      const { data, cookies } = await askKratos<Taken>(
        request,
        (api) =>
          api.updateRecoveryFlow({
            flow,
            token,
            updateRecoveryFlowBody: { method: "link" } as never,
          }) as never,
      );
      const to = settingsOf(data);
      if (to) return { to, cookies };
    } catch (error) {
      const verdict = verdictOf(error, "recovery", request);
      if (error instanceof FlowRefusal && verdict?.do === "follow") {
        const place = placeOf(verdict.to, siteOrigin(request));
        if (place && "path" in place) return { to: place.path, cookies: error.cookies };
      }
      throw await answerTo(error, "recovery", request);
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

  async sessions(request) {
    try {
      const [here, others] = await Promise.all([
        askKratos(request, (api) => api.toSession()),
        askKratos(request, (api) => api.listMySessions({ perPage: 100 })),
      ]);
      return [
        sessionLine(here.data, true),
        ...others.data
          .filter(({ id, active }) => id !== here.data.id && active !== false)
          .map((session) => sessionLine(session, false)),
      ];
    } catch (error) {
      throw await answerTo(error, "settings", request);
    }
  },

  async endSession(request, id) {
    try {
      await askKratos<unknown>(request, (api) =>
        id === null ? api.disableMyOtherSessions() : api.disableMySession({ id }),
      );
      return true;
    } catch (error) {
      if (error instanceof FlowRefusal && (error.status === 404 || error.status === 400)) return false;
      throw await answerTo(error, "settings", request);
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

async function send(kind: FlowKind, request: Request): Promise<{ taken: Taken; cookies: string[] }> {
  if (kind === "login" || kind === "registration") return authenticator.authenticate(kind, request);
  const { flow } = loginSearch.read(request);
  const { data, cookies } = await updateFlow(kind, flow, flowFields(await postedForm(request)), request);
  return { taken: data, cookies };
}

/** Where a form that was taken leads: what the service asks for first, else the flow in its next state. */
function nextPage(kind: FlowKind, taken: Taken, request: Request): string | null {
  const { flow, return_to } = loginSearch.read(request);
  const back = safeReturnTo(return_to) ?? "";
  const shown = (taken.continue_with ?? []).find(({ action }) => action === "show_verification_ui")?.flow?.id;
  switch (kind) {
    case "login":
      return null;
    case "registration":
      if (shown) return verificationPath({ flow: shown, return_to: back });
      return taken.session ? null : loginPath({ return_to: back });
    case "recovery":
      return settingsOf(taken) ?? recoveryPath({ flow, return_to: back });
    case "verification":
      return verificationPath({ flow, return_to: back });
    case "settings":
      if (shown) return verificationPath({ flow: shown, return_to: pathOf(request) });
      return profilePath({ flow, return_to: back });
  }
}

/** The settings flow in which whoever has recovered chooses a new password. */
function settingsOf(taken: Taken): string | null {
  const id = (taken.continue_with ?? []).find(({ action }) => action === "show_settings_ui")?.flow?.id;
  return id ? profilePath({ flow: id }) : null;
}

/** Specification 1 §2. */
function titleOf({ refresh, requested_aal }: LoginFlow): string {
  if (refresh) return LOGIN_REFRESH_TITLE;
  return requested_aal === "aal2" ? LOGIN_AAL2_TITLE : LOGIN_TITLE;
}
