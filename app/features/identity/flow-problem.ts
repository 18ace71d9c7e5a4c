import { FLOW_ERRORS, FLOW_EXPIRED } from "#app/contract/words/auth.ts";
import type { FlowKind } from "./mode.ts";

/** What the identity service answered instead of a flow or a session. */
export interface FlowAnswer {
  status: number;
  body: unknown;
}
/** What it was asked. */
export interface Asked {
  kind: FlowKind;
  /** A flow was looked up by its id. */
  isLookUp: boolean;
  /** A form was posted. */
  isPost: boolean;
}

/** What a page does about it (specification 1 §8, facts/ui-contract §1a). */
export type FlowVerdict =
  | { do: "show"; flow: unknown }
  | { do: "follow"; to: string }
  | { do: "home" }
  | { do: "login"; refresh: boolean }
  | { do: "restart"; words: string | null; flow: string | null; dropReturnTo: boolean }
  | { do: "refuse"; status: number; words: string };

const RESTART = { do: "restart", words: null, flow: null, dropReturnTo: false } as const;

/** Reads an answer. Pure; what cannot be read is a refusal with the answer's own words, or none. */
export function judgeAnswer({ status, body }: FlowAnswer, { kind, isLookUp, isPost }: Asked): FlowVerdict {
  const answer = record(body);
  if (status === 400 && record(answer["ui"])["nodes"]) return { do: "show", flow: body };
  const error = record(answer["error"]);
  const id = text(error["id"]) ?? text(answer["id"]);
  const to = text(answer["redirect_browser_to"]);
  switch (id) {
    case "session_aal2_required":
    case "browser_location_change_required":
      return to ? { do: "follow", to } : { do: "login", refresh: false };
    case "session_already_available":
      return { do: "home" };
    case "session_refresh_required":
      return { do: "login", refresh: true };
    case "session_inactive":
    case "session_aal1_required":
      return { do: "login", refresh: false };
    case "self_service_flow_return_to_forbidden":
      return { ...RESTART, words: FLOW_ERRORS.get(id) ?? null, dropReturnTo: true };
    case "self_service_flow_expired":
    case "security_csrf_violation":
      return { ...RESTART, words: FLOW_ERRORS.get(id) ?? null, flow: text(answer["use_flow_id"]) };
    case "security_identity_mismatch":
      return RESTART;
  }
  if (status === 410) return { ...RESTART, words: FLOW_EXPIRED };
  if (isLookUp && (status === 403 || status === 404)) return RESTART;
  if (kind === "verification" && id === null) {
    if (status === 403) return RESTART;
    if (status === 400 && !isPost && !isLookUp) return { do: "home" };
  }
  return {
    do: "refuse",
    status,
    words: text(error["reason"]) ?? text(error["message"]) ?? "An error occurred",
  };
}

const record = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
const text = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);
