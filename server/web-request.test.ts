import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { clientAddress, remixTarget, requestTarget } from "./web-request.ts";

describe("the client's address", () => {
  test.each([
    [
      "is the socket's when no proxy is trusted, whatever is claimed",
      "::ffff:10.0.0.1",
      "1.2.3.4",
      0,
      "10.0.0.1",
    ],
    ["is what one trusted proxy saw", "10.0.0.1", "6.6.6.6, 1.2.3.4", 1, "1.2.3.4"],
    ["is what the outer of two trusted proxies saw", "10.0.0.1", "6.6.6.6, 1.2.3.4, 10.0.0.2", 2, "1.2.3.4"],
    ["is the outermost known when fewer proxies answered", "10.0.0.1", "1.2.3.4", 2, "1.2.3.4"],
    ["is the socket's when no proxy said anything", "10.0.0.1", undefined, 1, "10.0.0.1"],
    ["comes from several header lines too", "10.0.0.1", ["6.6.6.6", "1.2.3.4"], 1, "1.2.3.4"],
  ])("%s", (_, socket, forwarded, hops, expected) => {
    expect(clientAddress(socket, forwarded, hops)).toBe(expected);
  });
});

test("a target is always a path", () => {
  expect(requestTarget("/health?a=b")).toBe("/health?a=b");
  expect(requestTarget("http://host:3000/health?a=b")).toBe("/health?a=b");
  expect(requestTarget("http://host")).toBe("/");
  expect(requestTarget("*")).toBe("/*");
});

test("calls to the backend reach one route, the web's own stay theirs", () => {
  expect(remixTarget("/api/db/x.data?_data=1")).toBe("/api/upstream");
  expect(remixTarget("/api/.ory/sessions/whoami")).toBe("/api/upstream");
  expect(remixTarget("/api/_health")).toBe("/api/_health");
  expect(remixTarget("/api/kubeconfig")).toBe("/api/kubeconfig");
  expect(remixTarget("/api/kubeconfig/x")).toBe("/api/upstream");
  expect(remixTarget("/health.data")).toBe("/health.data");
});

test("standalone mode leaves the page of checks all its files, also the fonts", () => {
  const names = readdirSync("public", { recursive: true, encoding: "utf8" });
  const files = names.filter((name) => name.includes("."));
  expect(files).toContain("fonts/plex-sans-latin.woff2");
  for (const file of files) expect(remixTarget(`/${file}`, true)).toBe(`/${file}`);
  expect(remixTarget("/settings/users", true)).toBe("/api/_elsewhere");
});
