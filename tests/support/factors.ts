/** Second factors as somebody uses them: an app with a clock, and the steps of signing in and of the settings. */
import { createHmac } from "node:crypto";
import type { LoginFlow, SettingsFlow, UiNode } from "@ory/client";
import { valueOf, type TestBrowser } from "./identity.ts";
import { misfits } from "./ory-shapes.ts";

type Body = Record<string, string>;
/** The `error` of an answer that is no flow, and where it leads. */
export interface Refusal {
  error: { id: string; reason: string };
  redirect_browser_to?: string;
}

/** The code an app shows `seconds` from now: RFC 6238 written down once more, for what is tested uses a library. */
export function appCode(base32: string, at: Date): string {
  const bits = [...base32].map((sign) =>
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(sign).toString(2).padStart(5, "0"),
  );
  const bytes = (bits.join("").match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(at.getTime() / 30_000)));
  const mac = createHmac("sha1", Buffer.from(bytes)).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

/** Begins a login flow; `aal` aal2 asks for the second factor. */
export const beginLogin = (browser: TestBrowser, query: { aal?: string; refresh?: boolean } = {}) =>
  browser.call((api, cookie) => api.createBrowserLoginFlow({ ...query, cookie }));

/** Sends a login form; the answer is a session, the flow with complaints, or a refusal. */
export const sendLogin = (browser: TestBrowser, flow: LoginFlow, body: Body) =>
  browser.call((api, cookie) =>
    api.updateLoginFlow({
      flow: flow.id,
      cookie,
      updateLoginFlowBody: { csrf_token: valueOf(flow, "csrf_token"), ...body } as never,
    }),
  );

/** Signs in with a password alone; with a second factor the answer is 422 and the browser holds a session of aal1. */
export async function password(browser: TestBrowser, identifier: string, secret: string) {
  const { data } = await beginLogin(browser);
  return sendLogin(browser, data, { method: "password", identifier, password: secret });
}

/** Gives a second factor. */
export async function second(browser: TestBrowser, body: Body) {
  const { data } = await beginLogin(browser, { aal: "aal2" });
  return sendLogin(browser, data, body);
}

export const beginSettings = (browser: TestBrowser) =>
  browser.call((api, cookie) => api.createBrowserSettingsFlow({ cookie }));

export const sendSettings = (browser: TestBrowser, flow: SettingsFlow, body: Body) =>
  browser.call((api, cookie) =>
    api.updateSettingsFlow({
      flow: flow.id,
      cookie,
      updateSettingsFlowBody: { csrf_token: valueOf(flow, "csrf_token"), ...body } as never,
    }),
  );

export const whoami = (browser: TestBrowser) => browser.call((api, cookie) => api.toSession({ cookie }));

/** The nodes of a group, in little: name or id, type, label. */
export const outline = ({ ui }: { ui: { nodes: UiNode[] } }, group: string) =>
  ui.nodes
    .filter((node) => node.group === group)
    .map(({ attributes, meta }) => [
      "name" in attributes ? attributes.name : "id" in attributes ? attributes.id : "",
      "type" in attributes ? attributes.type : attributes.node_type,
      meta.label?.id,
    ]);

/** The words of a text node. */
export function textOf({ ui }: { ui: { nodes: UiNode[] } }, id: string) {
  for (const { attributes } of ui.nodes)
    if (attributes.node_type === "text" && attributes.id === id) return attributes.text;
  throw new Error(`the flow has no text ${id}`);
}

/** Where the nodes of a group do not fit the published API description. */
export const misfitsOf = ({ ui }: { ui: { nodes: UiNode[] } }, group: string) =>
  ui.nodes.filter((node) => node.group === group).flatMap((node) => misfits("UiNode", node));
