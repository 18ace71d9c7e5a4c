import { expect, test } from "vitest";
import { createObserve, type LoggedEvent } from "./logger.ts";
import { masked } from "./mask.ts";

test("a heartbeat's token is masked wherever its address stands in a text", () => {
  expect(masked("GET /canary/heartbeat/Zm9vYmFyYmF6cXV4Zm9v/start failed")).toBe(
    "GET /canary/heartbeat/***/start failed",
  );
  expect(masked("https://example.org/api/canary/heartbeat/abc?x=1")).toBe(
    "https://example.org/api/canary/heartbeat/***?x=1",
  );
  expect(masked("/login?return_to=%2Fapi%2Fcanary%2Fheartbeat%2Fabc%2F3")).toBe(
    "/login?return_to=%2Fapi%2Fcanary%2Fheartbeat%2F***",
  );
  expect(masked("/CANARY/Heartbeat/abc")).toBe("/CANARY/Heartbeat/***");
});

test("a webhook's token is masked", () => {
  expect(masked("/canary/webhook/deploys?token=s3cret&x=1")).toBe("/canary/webhook/deploys?token=***&x=1");
});

test("what has no token stays as it is", () => {
  expect(masked("/canary/api/summary?tokens=3")).toBe("/canary/api/summary?tokens=3");
});

test("every way out of the logger is masked: the terminal, JSON, the log file", () => {
  const lines: string[] = [];
  const kept: LoggedEvent[] = [];
  for (const json of [false, true])
    createObserve({ json, write: (line) => lines.push(line), keep: (event) => kept.push(event) })({
      kind: "http.failed",
      id: "1",
      method: "GET",
      path: "/canary/heartbeat/secretToken",
      status: 500,
      error: "no route to /api/canary/heartbeat/secretToken/fail",
    });
  expect([...lines, JSON.stringify(kept)].join("")).not.toContain("secretToken");
  expect(lines[0]).toContain("/canary/heartbeat/***");
});
