import { describe, expect, test } from "vitest";
import { isFromThisSite } from "./origin.server.ts";

const post = { method: "POST", origin: null, fetchSite: null, host: "ours.example:3000" };
const PUBLIC = new URL("https://ours.example");

describe("an unsafe request counts as ours", () => {
  test.each([
    ["with the origin of PUBLIC_URL", { ...post, origin: "https://ours.example" }, PUBLIC],
    ["with the Host under http", { ...post, origin: "http://ours.example:3000" }, null],
    ["with the Host under https, behind a TLS proxy", { ...post, origin: "https://ours.example:3000" }, null],
    ["without an Origin but with Sec-Fetch-Site: same-origin", { ...post, fetchSite: "same-origin" }, PUBLIC],
  ])("%s", (_, facts, publicUrl) => {
    expect(isFromThisSite(facts, publicUrl)).toBe(true);
  });
});

describe("an unsafe request is refused", () => {
  test.each([
    ["from another site", { ...post, origin: "https://evil.example" }, null],
    ["from another port", { ...post, origin: "http://ours.example:4000" }, null],
    [
      "with the Host, when PUBLIC_URL says otherwise",
      { ...post, origin: "http://ours.example:3000" },
      PUBLIC,
    ],
    ["from PUBLIC_URL under the wrong scheme", { ...post, origin: "http://ours.example" }, PUBLIC],
    ["with the opaque origin", { ...post, origin: "null", fetchSite: "same-origin" }, null],
    ["with nothing that says where it comes from", post, null],
    ["from the same site but another origin", { ...post, fetchSite: "same-site" }, null],
    ["by DELETE from another site", { ...post, method: "DELETE", origin: "https://evil.example" }, null],
    ["without a Host", { ...post, origin: "http://null", host: null }, null],
  ])("%s", (_, facts, publicUrl) => {
    expect(isFromThisSite(facts, publicUrl)).toBe(false);
  });
});

test("reading needs no origin", () => {
  expect(isFromThisSite({ ...post, method: "GET", origin: "https://evil.example" }, null)).toBe(true);
});
