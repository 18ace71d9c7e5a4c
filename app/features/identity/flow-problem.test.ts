import { describe, expect, test } from "vitest";
import { judgeAnswer } from "./flow-problem.ts";

const answer = (status: number, id: string | undefined, extra: object = {}) => ({
  status,
  body: { error: { ...(id && { id }), reason: "because" }, ...extra },
});

describe("what a page does about an answer of the identity service", () => {
  test.each([
    [
      "a second factor follows its redirect",
      answer(422, "session_aal2_required", { redirect_browser_to: "/x" }),
      { do: "follow", to: "/x" },
    ],
    [
      "a change of place too",
      answer(422, "browser_location_change_required", { redirect_browser_to: "/x" }),
      { do: "follow", to: "/x" },
    ],
    ["who is signed in goes home", answer(400, "session_already_available"), { do: "home" }],
    ["an old session confirms", answer(403, "session_refresh_required"), { do: "login", refresh: true }],
    ["no session signs in", answer(401, "session_inactive"), { do: "login", refresh: false }],
    [
      "a closed door is named",
      answer(400, "self_service_flow_disabled"),
      { do: "refuse", status: 400, words: "because" },
    ],
    ["anything without an id too", answer(404, undefined), { do: "refuse", status: 404, words: "because" }],
    [
      "what cannot be read has no words",
      { status: 418, body: "<html>" },
      { do: "refuse", status: 418, words: "An error occurred" },
    ],
  ])("%s", (_, given, verdict) => {
    expect(judgeAnswer(given)).toEqual(verdict);
  });

  test.each([
    ["self_service_flow_return_to_forbidden", "The return_to address is not allowed.", true],
    ["self_service_flow_expired", "Your interaction expired, please fill out the form again.", false],
    ["security_csrf_violation", "A security violation was detected, please fill out the form again.", false],
    ["security_identity_mismatch", null, false],
  ])("%s starts again", (id, words, dropReturnTo) => {
    expect(judgeAnswer(answer(403, id))).toEqual({ do: "restart", words, flow: null, dropReturnTo });
  });

  test("an expired flow goes on in the one that takes its place", () => {
    expect(judgeAnswer(answer(410, "self_service_flow_expired", { use_flow_id: "2" }))).toMatchObject({
      flow: "2",
    });
    expect(judgeAnswer({ status: 410, body: null })).toMatchObject({ do: "restart" });
  });

  test("a refused form is shown again", () => {
    const flow = { id: "1", ui: { nodes: [] } };
    expect(judgeAnswer({ status: 400, body: flow })).toEqual({ do: "show", flow });
  });
});
