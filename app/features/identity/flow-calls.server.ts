import type { FrontendApi } from "@ory/client";
import { siteOrigin } from "#app/lib/origin.server.ts";
import { env } from "#app/lib/env.server.ts";
import { safeReturnTo } from "#app/lib/return-to.ts";
import type { AnyFlow } from "./flow-view.ts";
import { askKratos, type Answered } from "./kratos.server.ts";
import type { FlowKind } from "./mode.ts";
import { loginSearch, registrationSearch } from "./paths.ts";

/**
 * The public API's calls, kind by kind. Forms are sent as browsers send them, so that the service reads every node's
 * value by its own schema (`"true"` of a checkbox, the dots of `traits.name.first`); only the answer is JSON.
 */
const AS_FORM = { headers: { "Content-Type": "application/x-www-form-urlencoded" } };

/** Begins a flow with what the page's address asks for. */
export function createFlow(kind: FlowKind, request: Request): Promise<Answered<AnyFlow>> {
  const { return_to, refresh, aal } = loginSearch.read(request);
  const returnTo = absolute(safeReturnTo(return_to), request);
  switch (kind) {
    case "login":
      return askKratos(request, (api) =>
        api.createBrowserLoginFlow({ ...returnTo, ...(refresh ? { refresh } : {}), ...(aal ? { aal } : {}) }),
      );
    case "registration": {
      const { setup } = registrationSearch.read(request);
      return askKratos(request, (api) =>
        api.createBrowserRegistrationFlow(returnTo, setup ? { params: { setup } } : undefined),
      );
    }
    case "recovery":
      return askKratos(request, (api) => api.createBrowserRecoveryFlow(returnTo));
    case "verification":
      return askKratos(request, (api) => api.createBrowserVerificationFlow(returnTo));
    case "settings":
      return askKratos(request, (api) => api.createBrowserSettingsFlow(returnTo));
  }
}

/** The flow of that id, for the browser that began it. */
export function findFlow(kind: FlowKind, id: string, request: Request): Promise<Answered<AnyFlow>> {
  switch (kind) {
    case "login":
      return askKratos(request, (api) => api.getLoginFlow({ id }));
    case "registration":
      return askKratos(request, (api) => api.getRegistrationFlow({ id }));
    case "recovery":
      return askKratos(request, (api) => api.getRecoveryFlow({ id }));
    case "verification":
      return askKratos(request, (api) => api.getVerificationFlow({ id }));
    case "settings":
      return askKratos(request, (api) => api.getSettingsFlow({ id }));
  }
}

/** What the service answers a form that it took: a session, or the flow in its next state, and where to go on. */
export interface Taken {
  session?: { active?: boolean | undefined; identity?: { id: string } | undefined } | undefined;
  state?: unknown;
  continue_with?: { action: string; flow?: { id?: string }; redirect_browser_to?: string }[] | null;
}

/** Sends the fields of a form to its flow. */
export function updateFlow(
  kind: FlowKind,
  flow: string,
  fields: URLSearchParams,
  request: Request,
): Promise<Answered<Taken>> {
  return askKratos<Taken>(request, (api) => update(api, kind, flow, fields.toString() as never) as never);
}

function update(api: FrontendApi, kind: FlowKind, flow: string, body: never): Promise<unknown> {
  switch (kind) {
    case "login":
      return api.updateLoginFlow({ flow, updateLoginFlowBody: body }, AS_FORM);
    case "registration":
      return api.updateRegistrationFlow({ flow, updateRegistrationFlowBody: body }, AS_FORM);
    case "recovery":
      return api.updateRecoveryFlow({ flow, updateRecoveryFlowBody: body }, AS_FORM);
    case "verification":
      return api.updateVerificationFlow({ flow, updateVerificationFlowBody: body }, AS_FORM);
    case "settings":
      return api.updateSettingsFlow({ flow, updateSettingsFlowBody: body }, AS_FORM);
  }
}

/** An identity service elsewhere knows our pages by their whole address only. */
function absolute(path: string | null, request: Request): { returnTo?: string } {
  if (!path) return {};
  const { publicUrl, kratosUrl } = env();
  return { returnTo: publicUrl || kratosUrl ? new URL(path, siteOrigin(request)).href : path };
}
