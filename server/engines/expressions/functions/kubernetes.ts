/** Objects of Kubernetes in expressions: their health, their properties, and how to read them without what is machine-made. */
import { isCelList, isCelMap, type CelFunc, type CelInput } from "@bufbuild/cel";
import { parse as parseYaml, stringify as stringifyYaml } from "yaml";
import { assess, type Assessment, type Part } from "../kubernetes/index.ts";
import { nodeProperties, podProperties } from "../kubernetes/properties.ts";
import { neat } from "../kubernetes/neat.ts";
import { fromCel, toCel, want } from "../values.ts";
import { both, type Value } from "./define.ts";

/** The object, also from its YAML or JSON. */
function objectOf(value: Value): Part {
  const object = typeof value === "string" ? (parseYaml(value) as unknown) : fromCel(value);
  if (typeof object !== "object" || object === null || Array.isArray(object))
    throw new Error("expected an object of Kubernetes");
  return object as Part;
}

const health = (value: Value): Assessment => assess(objectOf(value), Date.now());
const named = (names: readonly string[], work: (value: Value) => CelInput) =>
  names.flatMap((name) => both(name, 1, work));

/** In the format it came in, or the one that is asked for: a map stays a map. */
function neatly(value: Value, format: Value | undefined): CelInput {
  const clean = neat(objectOf(value));
  const wanted =
    format === undefined
      ? typeof value === "string"
        ? /^\s*[{[]/.test(value)
          ? "json"
          : "yaml"
        : "same"
      : want.text(format);
  if (wanted === "yaml") return stringifyYaml(clean);
  return wanted === "json" ? JSON.stringify(clean) : toCel(clean);
}

/** Several objects are fine when each of them is. */
const all = (value: Value, work: (one: Value) => boolean): boolean =>
  isCelList(value) && !isCelMap(value) ? want.list(value).every(work) : work(value);

export const kubernetes: CelFunc[] = [
  ...named(["k8s.isHealthy", "k8s.is_healthy", "IsHealthy"], (value) =>
    all(value, (one) => health(one).health === "healthy"),
  ),
  ...named(["k8s.isReady", "k8s.is_ready", "IsReady"], (value) => all(value, (one) => health(one).ready)),
  ...named(["k8s.getHealth", "GetHealth"], (value) => toCel({ ...health(value) })),
  ...named(["k8s.getStatus", "GetStatus"], (value) => {
    const { status, message } = health(value);
    return message === "" ? status : `${status}: ${message}`;
  }),
  ...both("k8s.neat", [1, 2], neatly),
  ...named(["k8s.podProperties"], (value) => toCel(podProperties(objectOf(value)))),
  ...named(["k8s.nodeProperties"], (value) => toCel(nodeProperties(objectOf(value)))),
];
