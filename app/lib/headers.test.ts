import { expect, test } from "vitest";
import { cookieHeaders, finishPage, pagePolicy, securityHeaders } from "./headers.server.ts";
import { newScope, requestScopes, scope } from "./scope.server.ts";

test("a page runs only scripts with its nonce and cannot be framed", () => {
  const policy = pagePolicy("N");
  expect(policy).toContain("script-src 'self' 'nonce-N';");
  expect(policy).not.toMatch(/script-src[^;]*unsafe/);
  expect(policy).toContain("frame-ancestors 'none'");
});

test("HSTS is sent only where people come by https", () => {
  const names = (isSecure: boolean) => securityHeaders({ isSecure }).map(([name]) => name);
  expect(names(true)).toContain("Strict-Transport-Security");
  expect(names(false)).not.toContain("Strict-Transport-Security");
});

test("a finished page is kept by nobody, timed, and carries the cookies its request left", () => {
  requestScopes().run(
    newScope(() => {}),
    () => {
      scope().cookies.set("pilothouse", "pilothouse=x; Path=/");
      const headers = cookieHeaders(["a=1", "b=2"]);
      finishPage(headers);
      expect(headers.get("cache-control")).toBe("private, no-store");
      expect(headers.get("server-timing")).toContain("upstream");
      expect(headers.getSetCookie()).toEqual(["a=1", "b=2", "pilothouse=x; Path=/"]);
    },
  );
});
