import { beforeAll, expect, test, vi } from "vitest";
import { leavingPath, leavingTo } from "./leaving.server.ts";

beforeAll(() => {
  vi.stubEnv("UPSTREAM_URL", "http://127.0.0.1:1");
  vi.stubEnv("SESSION_SECRET", "a secret for tests");
});
const sealedOf = (path: string) => new URL(path, "http://x").searchParams.get("to") ?? "";

test("an address is led to for ten minutes, and only when we sealed it", () => {
  const address = "https://accounts.example.net/authorize?state=1&nonce=2";
  const path = leavingPath(address);
  expect(path).toMatch(/^\/leaving\?to=[\w-]+$/);
  const sealed = sealedOf(path);
  expect(leavingTo(sealed)).toBe(address);
  expect(leavingTo(`${sealed.slice(0, -2)}AA`)).toBeNull();
  expect(leavingTo(address)).toBeNull();
  vi.useFakeTimers({ now: Date.now() + 11 * 60_000 });
  expect(leavingTo(sealed)).toBeNull();
  vi.useRealTimers();
});

test.each(["javascript:alert(1)", "data:text/html,x", "//evil.example"])("%s is no address", (address) => {
  expect(leavingTo(sealedOf(leavingPath(address)))).toBeNull();
});
