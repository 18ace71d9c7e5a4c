import { expect, test } from "vitest";
import { linesOf } from "./spec.server.ts";

const YAML = `schedule: "@every 30s"
http:
  - name: Front page
    url: https://shop.example/
  - name: Cart
    url: https://shop.example/cart
    labels:
      team: web
tcp:
  - name: Cart
    endpoint: a:1
`;

test("the lines of one check among all of its canary", () => {
  expect(linesOf(YAML, { type: "http", name: "Cart" })).toEqual([5, 6, 7, 8]);
  expect(linesOf(YAML, { type: "tcp", name: "Cart" })).toEqual([10, 11]);
  expect(linesOf(YAML, { type: "http", name: "Nobody" })).toEqual([]);
  expect(linesOf(YAML, { type: "schedule", name: "Cart" })).toEqual([]);
  expect(linesOf("", { type: "http", name: "Cart" })).toEqual([]);
});
