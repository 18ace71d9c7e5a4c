/** JavaScript values as CEL has them, and back. */
import { celList, celMap, isCelList, isCelMap, isCelType, isCelUint, type CelInput } from "@bufbuild/cel";
import type { CelList, CelMap, CelValue } from "@bufbuild/cel";
import { create } from "@bufbuild/protobuf";
import { isReflectMessage, reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import { DurationSchema, TimestampSchema, type Duration, type Timestamp } from "@bufbuild/protobuf/wkt";
import { optionalValue } from "./optional.ts";

const NANOS = 1_000_000_000n;

/** Plain data as CEL sees it: whole numbers are integers, dates timestamps. Anything else is an error. */
export function toCel(value: unknown): CelInput {
  switch (typeof value) {
    case "string":
    case "boolean":
    case "bigint":
      return value;
    case "number":
      return Number.isSafeInteger(value) ? BigInt(value) : value;
    case "undefined":
      return null;
    case "object":
      break;
    default:
      throw new Error(`a ${typeof value} is no value`);
  }
  if (value === null || value instanceof Uint8Array) return value;
  if (isCelList(value) || isCelMap(value) || isCelUint(value)) return value;
  if (value instanceof Date) return timestampOf(BigInt(value.getTime()) * 1_000_000n);
  if (isReflectMessage(value)) return value;
  if (Array.isArray(value)) return celList(value.map(toCel));
  return celMap(new Map(Object.entries(value).map(([key, part]): [string, CelInput] => [key, toCel(part)])));
}

/** A CEL value as plain data, as JSON has it: times as RFC 3339, durations as Go writes them, bytes as base64. */
export function fromCel(value: CelValue): unknown {
  if (typeof value === "bigint") return Number(value);
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (isCelUint(value)) return Number(value.value);
  const optional = optionalValue(value);
  if (optional !== undefined) return optional.length === 0 ? null : fromCel(optional[0] as CelValue);
  if (isCelList(value)) return Array.from(value, fromCel);
  if (isCelMap(value))
    return Object.fromEntries(
      Array.from(value, ([key, part]) => [keyText(key as CelValue), fromCel(part as CelValue)]),
    );
  return textOf(value);
}

const keyText = (key: CelValue) => String(isCelUint(key) ? key.value : key);

/** A value as words: text as it is, numbers and times as Go prints them, lists and maps as JSON. */
export function textOf(value: CelValue): string {
  if (typeof value === "string") return value;
  if (value === null) return "null";
  if (typeof value !== "object") return String(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString("utf8");
  if (isReflectMessage(value, TimestampSchema)) return timestampText(value.message as Timestamp);
  if (isReflectMessage(value, DurationSchema)) return durationText(nanosOf(value));
  if (isCelUint(value)) return String(value.value);
  if (isCelType(value)) return value.name;
  return isCelList(value) || isCelMap(value) ? jsonOf(value) : String(value);
}

/** JSON with the keys of every map in order, as Go writes it. */
export function jsonOf(value: CelValue, indent?: string): string {
  return JSON.stringify(sorted(fromCel(value)), null, indent);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, part]) => [key, sorted(part)]),
  );
}

export function durationOf(nanos: bigint): ReflectMessage {
  return reflect(
    DurationSchema,
    create(DurationSchema, { seconds: nanos / NANOS, nanos: Number(nanos % NANOS) }),
  );
}

/** Nanoseconds since 1970, before it below zero. */
export function timestampOf(nanos: bigint): ReflectMessage {
  const rest = ((nanos % NANOS) + NANOS) % NANOS;
  return reflect(
    TimestampSchema,
    create(TimestampSchema, { seconds: (nanos - rest) / NANOS, nanos: Number(rest) }),
  );
}

/** The nanoseconds of a duration, or of a timestamp since 1970; throws when it is neither. */
export function nanosOf(value: CelValue): bigint {
  if (!isReflectMessage(value, DurationSchema) && !isReflectMessage(value, TimestampSchema))
    throw new Error("expected a duration or a timestamp");
  const { seconds, nanos } = value.message as Duration | Timestamp;
  return seconds * NANOS + BigInt(nanos);
}

export const isDuration = (value: CelValue) => isReflectMessage(value, DurationSchema);
export const isTimestamp = (value: CelValue) => isReflectMessage(value, TimestampSchema);

function timestampText({ seconds, nanos }: Timestamp): string {
  const whole = new Date(Number(seconds) * 1000).toISOString().slice(0, -5);
  return `${whole}${fraction(BigInt(nanos), 9)}Z`;
}

/** As Go prints durations: 1h15m0.5s, 250ms, 0s. */
export function durationText(nanos: bigint): string {
  if (nanos === 0n) return "0s";
  const sign = nanos < 0n ? "-" : "";
  const all = nanos < 0n ? -nanos : nanos;
  if (all < 1000n) return `${sign}${all}ns`;
  if (all < 1_000_000n) return `${sign}${all / 1000n}${fraction(all % 1000n, 3)}µs`;
  if (all < NANOS) return `${sign}${all / 1_000_000n}${fraction(all % 1_000_000n, 6)}ms`;
  const seconds = all / NANOS;
  const [hours, minutes] = [seconds / 3600n, (seconds / 60n) % 60n];
  const parts = [hours > 0n ? `${hours}h` : "", hours > 0n || minutes > 0n ? `${minutes}m` : ""];
  return `${sign}${parts.join("")}${seconds % 60n}${fraction(all % NANOS, 9)}s`;
}

function fraction(value: bigint, digits: number): string {
  return value === 0n ? "" : `.${String(value).padStart(digits, "0").replace(/0+$/, "")}`;
}

/** What a function was given, as it needs it; each throws with the type it expected. */
export const want = {
  text(value: CelValue): string {
    if (typeof value === "string") return value;
    if (value instanceof Uint8Array) return Buffer.from(value).toString("utf8");
    if (typeof value === "bigint" || typeof value === "number" || typeof value === "boolean")
      return String(value);
    throw new Error("expected text");
  },
  number(value: CelValue): number {
    const number =
      typeof value === "string" && value.trim() !== ""
        ? Number(value)
        : isCelUint(value)
          ? value.value
          : value;
    if (typeof number === "bigint") return Number(number);
    if (typeof number === "number") return number;
    throw new Error("expected a number");
  },
  whole(value: CelValue): number {
    const number = want.number(value);
    if (!Number.isInteger(number)) throw new Error("expected a whole number");
    return number;
  },
  list(value: CelValue): CelValue[] {
    if (isCelList(value)) return Array.from(value as CelList);
    throw new Error("expected a list");
  },
  map(value: CelValue): Map<CelValue, CelValue> {
    if (isCelMap(value)) return new Map(value as CelMap as Iterable<[CelValue, CelValue]>);
    throw new Error("expected a map");
  },
  bytes(value: CelValue): Uint8Array {
    return value instanceof Uint8Array ? value : Buffer.from(want.text(value), "utf8");
  },
};
