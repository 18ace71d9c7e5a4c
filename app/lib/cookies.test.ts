import { expect, test } from "vitest";
import { cookieLine, identityCookies, nameOfLine, parseCookies } from "./cookies.ts";

test("cookies are read by name, the first of a name winning", () => {
  expect([...parseCookies("a=1; b=x=y;c = 3 ; a=2; =none; alone")]).toEqual([
    ["a", "1"],
    ["b", "x=y"],
    ["c", "3"],
  ]);
  expect(parseCookies(null).size).toBe(0);
});

test("upstream gets the identity service's cookies and none of ours", () => {
  expect(identityCookies("pilothouse=x; ory_kratos_session=s; js=1; csrf_token_ab=c; pilothouse.0=y")).toBe(
    "ory_kratos_session=s; csrf_token_ab=c",
  );
  expect(identityCookies("pilothouse=x")).toBeNull();
});

test("a cookie is for the whole site, for this site, and hidden from scripts unless said otherwise", () => {
  expect(cookieLine("a", "1", { secure: true })).toBe("a=1; Path=/; HttpOnly; Secure; SameSite=Lax");
  expect(cookieLine("a", "", { secure: false, maxAge: 0 })).toBe(
    "a=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax",
  );
  expect(nameOfLine("a.0=b=c; Path=/")).toBe("a.0");
});
