import { describe, expect, test } from "vitest";
import { CHECK_TYPES } from "#app/contract/words/check-types.ts";
import { iconNames } from "./icon-names.ts";
import { iconSvg } from "./icons.server.ts";

const neutral = await iconSvg("no-such-thing");

/** Attributes that SVG itself spells with capitals. */
const OF_SVG = new Set([
  "viewBox",
  "gradientTransform",
  "gradientUnits",
  "preserveAspectRatio",
  "clipPathUnits",
]);

describe("a picture", () => {
  test("is found however its name is spelled", async () => {
    const postgres = await iconSvg("postgres");
    expect(postgres).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" .*viewBox=/);
    expect(postgres).not.toBe(neutral);
    for (const name of ["Postgres", "postgresql", "POSTGRES"]) expect(await iconSvg(name)).toBe(postgres);
    expect(await iconSvg("Kubernetes::Pod")).toBe(await iconSvg("k8s-pod"));
    expect(await iconSvg("mssql")).toBe(await iconSvg("sqlserver"));
  });

  test("is there for most types of checks", async () => {
    const without: string[] = [];
    for (const type of CHECK_TYPES.keys()) if ((await iconSvg(type)) === neutral) without.push(type);
    expect(without).toEqual([]);
  });

  test("that is none is the neutral one, whatever was asked for", async () => {
    for (const name of ["", "..", "../../etc/passwd", "constructor", "__proto__", "%00", "x".repeat(10_000)])
      expect(await iconSvg(name)).toBe(neutral);
  });

  test("is drawn as SVG spells it, with nothing that runs", async () => {
    for (const type of CHECK_TYPES.keys()) {
      const svg = await iconSvg(type);
      const attributes = [...svg.matchAll(/\s([\w:-]+)="/g)].map(([, name]) => name);
      const wrong = attributes.filter((name = "") => /^on|[A-Z]/.test(name) && !OF_SVG.has(name));
      expect(wrong, type).toEqual([]);
      expect(svg).not.toMatch(/<script|javascript:/);
      expect(svg.match(/<(\w+)/g)?.length).toBeGreaterThan(1);
    }
  });
});

test("names are tried as they are, without k8s, and within a cloud", () => {
  expect(iconNames("k8s--Ingress")).toEqual(["k8s-ingress", "ingress", "aws-ingress", "azure-ingress"]);
});
