import fc from "fast-check";
import { expect, test } from "vitest";
import { cookieNames, deriveKey, joinCookie, seal, splitCookie, unseal } from "./seal.server.ts";

const key = deriveKey("a secret", "test");

test("what is sealed is unsealed, and the sealed text is cookie-safe", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
      const sealed = seal(key, "pilothouse", value);
      expect(sealed).toMatch(/^[\w-]+$/);
      expect(unseal(key, "pilothouse", sealed)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test("the same value is never sealed to the same text twice, and never readable in it", () => {
  const once = seal(key, "pilothouse", { roles: ["admin"] });
  expect(seal(key, "pilothouse", { roles: ["admin"] })).not.toBe(once);
  expect(Buffer.from(once, "base64url").toString("latin1")).not.toContain("admin");
});

test("one changed bit, another name or another secret opens nothing", () => {
  const sealed = seal(key, "pilothouse", { id: 1 });
  const bytes = Buffer.from(sealed, "base64url");
  for (let index = 0; index < bytes.length; index += 1) {
    const forged = Buffer.from(bytes);
    forged.writeUInt8(forged.readUInt8(index) ^ 1, index);
    expect(unseal(key, "pilothouse", forged.toString("base64url"))).toBeNull();
  }
  expect(unseal(key, "toast", sealed)).toBeNull();
  expect(unseal(deriveKey("another secret", "test"), "pilothouse", sealed)).toBeNull();
  expect(unseal(deriveKey("a secret", "another purpose"), "pilothouse", sealed)).toBeNull();
  expect(unseal(key, "pilothouse", "")).toBeNull();
});

test("a value of any size comes back together from its cookies", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 22_000 }), (length) => {
      const value = "x".repeat(length);
      const cookies = splitCookie("pilothouse", value);
      for (const chunk of cookies.values()) expect(chunk.length).toBeLessThan(4000);
      expect(joinCookie("pilothouse", cookies)).toBe(value);
      expect(cookieNames("pilothouse", cookies)).toEqual([...cookies.keys()]);
    }),
  );
  expect(() => splitCookie("pilothouse", "x".repeat(30_000))).toThrow("too large");
});

test("cookies of other names are left alone", () => {
  const cookies = new Map([
    ["pilothouse.0", "a"],
    ["pilothouse.1", "b"],
    ["pilothouse.x", "c"],
    ["pilothouse-other", "d"],
  ]);
  expect(joinCookie("pilothouse", cookies)).toBe("ab");
  expect(cookieNames("pilothouse", cookies)).toEqual(["pilothouse.0", "pilothouse.1"]);
});
