import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLinks } from "./links.ts";

const SITE = "https://pilothouse.example";

describe("addresses", () => {
  it("are under the public address when it is known, else paths", () => {
    const here = createLinks(`${SITE}/`);
    expect(here.page("login", { flow: "1" })).toBe(`${SITE}/login?flow=1`);
    expect(here.service("logout", { token: "t", return_to: null })).toBe(
      `${SITE}/api/.ory/self-service/logout?token=t`,
    );
    expect(here.home("/health")).toBe(`${SITE}/health`);
    expect(here.home(`${SITE}/health`)).toBe(`${SITE}/health`);
    expect([`${SITE}/health?x=1`, SITE, "/health", null].map(here.path)).toEqual([
      "/health?x=1",
      "/",
      "/health",
      null,
    ]);
    const unknown = createLinks(null);
    expect(unknown.page("settings")).toBe("/profile-settings");
    expect(unknown.home(null, "/login")).toBe("/login");
  });
});

describe("return_to", () => {
  const accepts = (value: string, site: string | null) => {
    try {
      return createLinks(site).returnTo(value);
    } catch {
      return "forbidden";
    }
  };

  it("is a path or of this site", () => {
    expect(accepts("/health?a=b&c=%2F#x", SITE)).toBe("/health?a=b&c=%2F#x");
    expect(accepts(`${SITE}/health`, SITE)).toBe(`${SITE}/health`);
    expect(accepts("", SITE)).toBeNull();
    for (const other of [
      "http://pilothouse.example/",
      "https://pilothouse.example:444/",
      "health",
      "?x",
      "ftp://a/",
    ])
      expect(accepts(other, SITE)).toBe("forbidden");
    expect(accepts(`${SITE}/health`, null)).toBe("forbidden");
  });

  it("never leads anywhere else, whatever is sent", () => {
    const piece = fc.constantFrom(
      "/",
      "\\",
      "..",
      ".",
      "@",
      ":",
      "?",
      "#",
      "\t",
      "\n",
      "%2f",
      "evil.example",
      "https:",
    );
    const value = fc
      .array(fc.oneof(piece, fc.string({ maxLength: 3 })), { maxLength: 8 })
      .map((all) => all.join(""));
    fc.assert(
      fc.property(value, fc.constantFrom(SITE, null), (text, site) => {
        const accepted = accepts(text, site);
        if (accepted === "forbidden" || accepted === null) return;
        expect(new URL(accepted, site ?? "http://somewhere.else").origin).toBe(
          site ?? "http://somewhere.else",
        );
      }),
      { numRuns: 5_000 },
    );
  });
});
