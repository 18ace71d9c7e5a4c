import { describe, expect, test } from "vitest";
import { cookiesThere, isSessionCookie, nameHere } from "#app/contract/identity-cookies.ts";
import { relayedCookie } from "./identity-cookies.ts";

describe("a cookie of an identity service elsewhere", () => {
  test.each([
    [
      "ory_kratos_session=MTY3|abc==; Path=/auth/public; Domain=auth.example.com; Max-Age=86400; HttpOnly; Secure; SameSite=None",
      "ory_kratos_session=MTY3|abc==; Path=/; Max-Age=86400; HttpOnly; SameSite=Lax",
    ],
    [
      "csrf_token_806060ca5b=x/y+z=; Path=/; Expires=Wed, 21 Oct 2026 07:28:00 GMT",
      "csrf_token_806060ca5b=x/y+z=; Path=/; Expires=Wed, 21 Oct 2026 07:28:00 GMT; HttpOnly; SameSite=Lax",
    ],
    ["ory_kratos_session=; Max-Age=0", "ory_kratos_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax"],
    ["__Host-csrf=1; Secure; Path=/", "ory_relayed___Host-csrf=1; Path=/; HttpOnly; SameSite=Lax"],
    ["pilothouse=stolen", "ory_relayed_pilothouse=stolen; Path=/; HttpOnly; SameSite=Lax"],
    ["ory_relayed_x=1", "ory_relayed_ory_relayed_x=1; Path=/; HttpOnly; SameSite=Lax"],
  ])("%s", (line, relayed) => {
    expect(relayedCookie(line, { secure: false })).toBe(relayed);
  });

  test("is for https alone where we are reached by https", () => {
    expect(relayedCookie("ory_x=1", { secure: true })).toBe(
      "ory_x=1; Path=/; HttpOnly; Secure; SameSite=Lax",
    );
  });

  test.each([
    "",
    "novalue",
    "=1",
    "bad name=1",
    "ory_x=a,b",
    "ory_x=a b",
    "ory_x=a\r\nSet-Cookie: pilothouse=1",
    `ory_x=${"a".repeat(5000)}`,
  ])("%j is none", (line) => {
    expect(relayedCookie(line, { secure: false })).toBeNull();
  });

  test("an attribute that is no life of a cookie is left out", () => {
    expect(relayedCookie("ory_x=1; Max-Age=1\r\nX: y; Expires=<script>", { secure: false })).toBe(
      "ory_x=1; Path=/; HttpOnly; SameSite=Lax",
    );
  });
});

test("goes back under the name it came with, and ours stay here", () => {
  const names = ["ory_kratos_session", "__Host-csrf", "pilothouse", "ory_relayed_x"];
  const kept = names.map((name): [string, string] => [nameHere(name)!, name]);
  expect(cookiesThere([["pilothouse", "ours"], ["toast", "ours"], ...kept])).toBe(
    names.map((name) => `${name}=${name}`).join("; "),
  );
  expect(cookiesThere([["pilothouse", "ours"]])).toBeNull();
});

test("sessions are known by their names", () => {
  expect(["ory_kratos_session", "ory_session_gallantproject"].map(isSessionCookie)).toEqual([true, true]);
  expect(["ory_kratos_continuity", "csrf_token_session", "ory_relayed_session"].map(isSessionCookie)).toEqual(
    [false, false, false],
  );
});
