/** Formats: JSON, YAML, CSV, base64, addresses, checksums, identifiers. */
import { createHash, randomUUID } from "node:crypto";
import type { CelFunc, CelInput } from "@bufbuild/cel";
import { celFunc, CelScalar, isCelList, isCelMap } from "@bufbuild/cel";
import { parse as parseToml, stringify as stringifyToml } from "smol-toml";
import { parse as parseYaml, stringify as stringifyYaml } from "yaml";
import { fromCel, jsonOf, textOf, toCel, want } from "../values.ts";
import { spend } from "./budget.ts";
import { readCsv, writeCsv } from "./csv.ts";
import { both, plain, type Value } from "./define.ts";

function readJson(value: Value): unknown {
  try {
    return JSON.parse(want.text(value));
  } catch (error) {
    throw new Error(`this is no JSON: ${error instanceof Error ? error.message : ""}`, { cause: error });
  }
}

function list(value: unknown): CelInput {
  if (!Array.isArray(value)) throw new Error("expected a list");
  return toCel(value);
}

const csvText = (value: Value) =>
  isCelList(value) ? want.list(value).map(want.text).join("\n") : want.text(value);

function csvRows(value: Value): Map<string, string>[] {
  const [head = [], ...rows] = readCsv(csvText(value));
  return rows.map((row) => new Map(head.map((name, index) => [name, row[index] ?? ""])));
}

function csvColumns(value: Value): Map<string, string[]> {
  const [head = [], ...rows] = readCsv(csvText(value));
  return new Map(head.map((name, index) => [name, rows.map((row) => row[index] ?? "")]));
}

function toCsv(value: Value): string {
  const rows = want.list(value);
  const first = rows[0];
  if (first === undefined || !isCelMap(first)) return writeCsv(rows.map((row) => want.list(row).map(textOf)));
  const head = [...want.map(first).keys()].map(want.text);
  return writeCsv([head, ...rows.map((row) => head.map((name) => textOf(want.map(row).get(name) ?? "")))]);
}

function base64(text: string): Uint8Array {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) throw new Error("this is no base64");
  spend(text.length);
  return new Uint8Array(Buffer.from(text, "base64"));
}

const { BYTES, STRING } = CelScalar;

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  spend(first.length + second.length);
  const whole = new Uint8Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}

const HASHES: [string, string][] = [
  ["SHA1", "sha1"],
  ["SHA224", "sha224"],
  ["SHA256", "sha256"],
  ["SHA384", "sha384"],
  ["SHA512", "sha512"],
  ["SHA512_224", "sha512-224"],
  ["SHA512_256", "sha512-256"],
];
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A version 1 identifier: the time in steps of 100 ns since 1582, and a random node. */
function uuidV1(): string {
  const time = (BigInt(Date.now()) * 10_000n + 122_192_928_000_000_000n).toString(16).padStart(15, "0");
  const [, , , clock, node] = randomUUID().split("-");
  return `${time.slice(7)}-${time.slice(3, 7)}-1${time.slice(0, 3)}-${clock}-${node}`;
}

export const data: CelFunc[] = [
  celFunc("bytes", [STRING], BYTES, (text) => {
    spend(text.length);
    return new TextEncoder().encode(text);
  }),
  celFunc("_+_", [BYTES, BYTES], BYTES, joined),
  ...both("JSON", 1, (text) => toCel(readJson(text))),
  ...both("JSONArray", 1, (text) => list(readJson(text))),
  ...both("YAML", 1, (text) => toCel(parseYaml(want.text(text)))),
  ...both("YAMLArray", 1, (text) => list(parseYaml(want.text(text)))),
  ...both("TOML", 1, (text) => toCel(parseToml(want.text(text)))),
  ...both("CSV", 1, (text) => toCel(readCsv(csvText(text)))),
  ...plain("data.CSVByRow", 1, (text) => toCel(csvRows(text).map((row) => Object.fromEntries(row)))),
  ...plain("data.CSVByColumn", 1, (text) => toCel(Object.fromEntries(csvColumns(text)))),
  ...both("toJSON", 1, (value) => jsonOf(value)),
  ...both("toJSONPretty", [1, 2], (value, indent) =>
    jsonOf(value, indent === undefined ? "  " : want.text(indent)),
  ),
  ...both("toYAML", 1, (value) => stringifyYaml(fromCel(value), { sortMapEntries: true })),
  ...both("toTOML", 1, (value) => {
    if (!isCelMap(value)) throw new Error("TOML is a map");
    return stringifyToml(fromCel(value) as Record<string, unknown>);
  }),
  ...both("toCSV", 1, toCsv),
  ...both("urlencode", 1, (text) => new URLSearchParams([["", want.text(text)]]).toString().slice(1)),
  ...both("urldecode", 1, (text) => decodeURIComponent(want.text(text).replaceAll("+", " "))),
  ...plain("base64.encode", 1, (bytes) => Buffer.from(want.bytes(bytes)).toString("base64")),
  ...plain("base64.decode", 1, (text) => base64(want.text(text))),
  ...HASHES.flatMap(([name, algorithm]) => [
    ...plain(`crypto.${name}`, 1, (text) => createHash(algorithm).update(want.bytes(text)).digest("hex")),
    ...plain(
      `crypto.${name}Bytes`,
      1,
      (text) => new Uint8Array(createHash(algorithm).update(want.bytes(text)).digest()),
    ),
  ]),
  ...plain("uuid.V1", 0, uuidV1),
  ...plain("uuid.V4", 0, () => randomUUID()),
  ...plain("uuid.Nil", 0, () => "00000000-0000-0000-0000-000000000000"),
  ...plain("uuid.IsValid", 1, (text) => typeof text === "string" && UUID.test(text)),
  ...plain("uuid.Parse", 1, (text) => {
    if (!UUID.test(want.text(text))) throw new Error("this is no identifier");
    return want.text(text).toLowerCase();
  }),
];
