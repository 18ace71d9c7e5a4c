import { describe, expect, test } from "vitest";
import { judgeAnswer, type Asked } from "./flow-problem.ts";

const POSTED: Asked = { kind: "login", isLookUp: false, isPost: true };
const LOOKED_UP: Asked = { kind: "login", isLookUp: true, isPost: false };
const BEGUN: Asked = { kind: "login", isLookUp: false, isPost: false };

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
    expect(judgeAnswer(given, POSTED)).toEqual(verdict);
  });

  test.each([
    ["self_service_flow_return_to_forbidden", "The return_to address is not allowed.", true],
    ["self_service_flow_expired", "Your interaction expired, please fill out the form again.", false],
    ["security_csrf_violation", "A security violation was detected, please fill out the form again.", false],
    ["security_identity_mismatch", null, false],
  ])("%s starts again", (id, words, dropReturnTo) => {
    expect(judgeAnswer(answer(403, id), POSTED)).toEqual({ do: "restart", words, flow: null, dropReturnTo });
  });

  test("an expired flow goes on in the one that takes its place", () => {
    expect(judgeAnswer(answer(410, "self_service_flow_expired", { use_flow_id: "2" }), POSTED)).toMatchObject(
      {
        flow: "2",
      },
    );
    expect(judgeAnswer({ status: 410, body: null }, POSTED)).toMatchObject({ do: "restart" });
  });

  test("a refused form is shown again", () => {
    const flow = { id: "1", ui: { nodes: [] } };
    expect(judgeAnswer({ status: 400, body: flow }, POSTED)).toEqual({ do: "show", flow });
  });

  test.each([403, 404, 410])("a flow that is looked up and gone (%d) begins anew", (status) => {
    expect(judgeAnswer(answer(status, undefined), LOOKED_UP)).toMatchObject({ do: "restart" });
  });

  test("verification begins anew on 403, and goes home when it cannot begin", () => {
    const kind = "verification" as const;
    expect(judgeAnswer(answer(403, undefined), { ...POSTED, kind })).toMatchObject({ do: "restart" });
    expect(judgeAnswer(answer(400, undefined), { ...BEGUN, kind })).toEqual({ do: "home" });
    expect(judgeAnswer(answer(400, undefined), { ...POSTED, kind })).toMatchObject({ do: "refuse" });
    expect(judgeAnswer(answer(400, undefined), BEGUN)).toMatchObject({ do: "refuse" });
  });
});
