/** The life of a flow over HTTP, the same for every kind: begin, look up, submit, refuse, replace. */
import type { Context } from "hono";
import { beginFlow, isExpired, refuse, renderFlow, replaceFlow, type Flow } from "../flow.ts";
import type { UiNode } from "../nodes.ts";
import type { Complaint, PartContext } from "../parts.ts";
import { problems } from "../problem.ts";
import { flowExpired, type FormKind } from "../texts.ts";
import { digest, maskCsrf } from "../tokens.ts";
import { renderIdentity } from "./render.ts";
import { readForm, wantsJson, type Browser } from "./browser.ts";
import type { Service } from "./service.ts";

export interface Submission {
  flow: Flow;
  form: ReadonlyMap<string, string>;
  csrf: string;
}

/** Makes the nodes of a flow that begins, or begins anew, for whoever is asking. */
export type Draw = (flow: Flow, ctx: PartContext) => Promise<UiNode[]>;

export function createFlows(service: Service, browser: Browser) {
  const { store, links, now } = service;

  /** The flow as JSON; a settings flow carries its identity. */
  async function show(c: Context, flow: Flow, csrf: string, status: 200 | 400 = 200, extra = {}) {
    const identity =
      flow.kind === "settings" && flow.identityId ? await store.identities.find(flow.identityId) : null;
    const more = { ...(identity && { identity: renderIdentity(identity, links) }), ...extra };
    return c.json(renderFlow(flow, links, maskCsrf(csrf), more), status);
  }

  /** Scripts get the flow, browsers are sent to its page. */
  async function present(c: Context, flow: Flow, csrf: string, extra = {}, status: 200 | 400 = 200) {
    if (wantsJson(c)) return show(c, flow, csrf, status, extra);
    return c.redirect(links.page(flow.kind, { flow: flow.id }), 303);
  }

  async function drawn(c: Context, flow: Flow, draw: Draw): Promise<Flow> {
    const context = browser.contextFor(c, flow, await browser.session(c));
    return { ...flow, nodes: await draw(flow, context) };
  }

  return {
    present,

    async begin(c: Context, begin: Parameters<typeof beginFlow>[0], draw: Draw): Promise<Response> {
      const csrf = browser.csrf(c);
      const flow = await drawn(c, beginFlow({ ...begin, csrfHash: digest(csrf) }, now()), draw);
      await store.flows.save(flow);
      return present(c, flow, csrf);
    },

    /** `GET …/flows?id=`: only for the browser that began it. */
    async lookUp(c: Context, kind: FormKind): Promise<Response> {
      const flow = await store.flows.find(kind, c.req.query("id") ?? "");
      if (!flow) throw problems.notFound();
      const csrf = browser.ownCsrf(c, flow);
      if (isExpired(flow, now()))
        throw problems.flowExpired(kind, links.service(`${kind}/browser`, { return_to: flow.returnTo }));
      return show(c, flow, csrf);
    },

    /**
     * Reads a submission and checks everything that is the same for all kinds.
     * @throws Problem not found, security_csrf_violation, self_service_flow_expired (with the flow that replaces it)
     */
    async submitted(c: Context, kind: FormKind, draw: Draw): Promise<Submission> {
      const flow = await store.flows.find(kind, c.req.query("flow") ?? "");
      if (!flow) throw problems.notFound();
      const form = await readForm(c);
      const csrf = browser.checkCsrf(c, flow, form);
      if (isExpired(flow, now())) {
        const expired = flowExpired(kind, flow.expiresAt, now());
        const fresh = await drawn(c, replaceFlow(flow, expired, now()), draw);
        await store.flows.save(fresh);
        const page = links.page(kind, { flow: fresh.id });
        throw problems.flowReplaced(fresh.id, flow.expiresAt, now(), page);
      }
      return { flow, form, csrf };
    },

    /** The form again with what is wrong with it: 400, or back to its page. */
    async complain(c: Context, { flow, form, csrf }: Submission, complaints: Complaint[]): Promise<Response> {
      const refused = refuse(flow, form, complaints, now());
      await store.flows.save(refused);
      return present(c, refused, csrf, {}, 400);
    },
  };
}

export type Flows = ReturnType<typeof createFlows>;
