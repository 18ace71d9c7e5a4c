import { expect, test } from "vitest";
import { placeOf } from "./addresses.ts";

const HERE = "https://ops.example.com";

test.each([
  ["/profile-settings?flow=1", "/profile-settings?flow=1"],
  [`${HERE}/health?page=2`, "/health?page=2"],
  ["https://auth.example.com/self-service/login/browser?aal=aal2", "/login?aal=aal2"],
  [
    `https://auth.example.com/base/self-service/login/browser?refresh=true&return_to=${encodeURIComponent(`${HERE}/health`)}`,
    "/login?return_to=%2Fhealth&refresh=true",
  ],
  ["/api/.ory/self-service/settings/browser", "/profile-settings"],
  ["/api/.ory/self-service/registration/browser?return_to=%2Fa", "/registration?return_to=%2Fa"],
  ["/api/.ory/self-service/recovery/browser", "/recovery"],
  ["/api/.ory/self-service/verification/browser", "/verification"],
  ["http://localhost:3000/profile-settings?flow=1", "/profile-settings?flow=1"],
  ["http://localhost:3000/error?id=1", "/error?id=1"],
])("%s is the page %s", (address, path) => {
  expect(placeOf(address, HERE)).toEqual({ path });
});

test("a provider is elsewhere", () => {
  const address = "https://accounts.example.net/authorize?client_id=1";
  expect(placeOf(address, HERE)).toEqual({ elsewhere: address });
  expect(placeOf("https://evil.example/profile-settings", HERE)).toEqual({
    elsewhere: "https://evil.example/profile-settings",
  });
});

test.each(["javascript:alert(1)", "data:text/html,x", "http://[", `${HERE}//evil.example`, "/\\/evil"])(
  "%s leads nowhere, or stays here",
  (address) => {
    const place = placeOf(address, HERE);
    if (place && "path" in place) expect(place.path).toMatch(/^\/(?!\/)/);
    else expect(place === null || new URL(place.elsewhere).protocol === "https:").toBe(true);
  },
);

test.each(["https://evil.example/", "//evil.example", "javascript:alert(1)"])(
  "a flow that wants to go on to %s goes on nowhere",
  (back) => {
    const address = `https://auth.example.com/self-service/login/browser?return_to=${encodeURIComponent(back)}`;
    expect(placeOf(address, HERE)).toEqual({ path: "/login" });
  },
);
