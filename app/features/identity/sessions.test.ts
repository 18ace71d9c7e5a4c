import { expect, test } from "vitest";
import { browserName, sessionLine } from "./sessions.ts";

test.each([
  ["Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Windows"],
  ["Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/147.0.0.0 Safari/537.36", "Chrome on Linux"],
  [
    "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/147.0 Safari/537.36 Edg/147.0",
    "Edge on Windows",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1",
    "Safari on iPhone",
  ],
  ["curl/8.5.0", "curl"],
  ["", ""],
])("%s is %s", (agent, name) => {
  expect(browserName(agent)).toBe(name);
});

test("a session is where and how somebody signed in, each way once", () => {
  const session = {
    id: "1",
    authenticated_at: "2026-01-01T00:00:00Z",
    expires_at: "2026-01-15T00:00:00Z",
    authentication_methods: [
      { method: "password" },
      { method: "totp" },
      { method: "password" },
      { method: "new" },
    ],
    devices: [{ id: "d", ip_address: "192.0.2.1", user_agent: "Firefox/1 (Linux)", location: "" }],
  };
  expect(sessionLine(session as never, true)).toEqual({
    id: "1",
    isHere: true,
    signedInAt: "2026-01-01T00:00:00Z",
    expiresAt: "2026-01-15T00:00:00Z",
    methods: "password, then authenticator app, then new",
    device: "Firefox on Linux · 192.0.2.1",
  });
  expect(sessionLine({ id: "2" } as never, false)).toMatchObject({
    methods: "",
    device: "",
    signedInAt: null,
  });
});
