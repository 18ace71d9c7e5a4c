/** Quantities of Kubernetes, and gomplate's `test`. */
import { isCelList, isCelMap, isCelUint, type CelFunc, type CelInput } from "@bufbuild/cel";
import { bytes as readBytes, millicores as readMillicores } from "../kubernetes/quantities.ts";
import { want } from "../values.ts";
import { plain, type Value } from "./define.ts";

const millicores = (value: Value) => readMillicores(want.text(value));
const bytes = (value: Value) => readBytes(want.text(value));

const part = (value: Value | undefined, name: string): Value | undefined =>
  value !== undefined && isCelMap(value) ? (value.get(name) as Value | undefined) : undefined;

/** The labels of an object with its namespace, without those that only name a revision. */
function labels(object: Value): CelInput {
  const metadata = part(object, "metadata");
  const given = part(metadata, "labels");
  const namespace = part(metadata, "namespace");
  return new Map<string, CelInput>([
    ...(typeof namespace === "string" && namespace !== ""
      ? [["namespace", namespace] as [string, CelInput]]
      : []),
    ...(given && isCelMap(given) ? [...want.map(given)] : [])
      .filter(([name]) => !String(name).endsWith("-hash"))
      .map(([name, label]): [string, CelInput] => [String(name), label]),
  ]);
}

/** The sum over the containers of a pod, of CPU in millicores or memory in bytes. */
function resources(object: Value, kind: "limits" | "requests", name: string): bigint {
  const containers = part(part(object, "spec"), "containers");
  if (!containers || !isCelList(containers)) return 0n;
  return want.list(containers).reduce<bigint>((sum, container) => {
    const amount = part(part(part(container, "resources"), kind), name);
    return amount === undefined ? sum : sum + (name === "cpu" ? millicores(amount) : bytes(amount));
  }, 0n);
}

function kind(value: Value): string {
  if (value === null) return "invalid";
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "bigint") return "int64";
  if (typeof value === "number") return "float64";
  if (isCelUint(value)) return "uint64";
  return isCelList(value) || value instanceof Uint8Array ? "slice" : isCelMap(value) ? "map" : "struct";
}
const isKind = (wanted: string, value: Value) =>
  kind(value) === wanted || (wanted === "number" && /^(u?int|float)64$/.test(kind(value)));

const fail = (message: string): never => {
  throw new Error(message);
};

export const misc: CelFunc[] = [
  ...plain("k8s.cpuAsMillicores", 1, millicores),
  ...plain("k8s.memoryAsBytes", 1, bytes),
  ...plain("k8s.labels", 1, labels),
  ...plain("k8s.getResourcesLimit", 2, (object, name) => resources(object, "limits", want.text(name))),
  ...plain("k8s.getResourcesRequests", 2, (object, name) => resources(object, "requests", want.text(name))),
  ...plain("test.Assert", [1, 2], (...args) =>
    args.at(-1) === true ? "" : fail(args.length === 2 ? want.text(args[0]!) : "assertion failed"),
  ),
  ...plain("test.Fail", [0, 1], (message) => fail(message === undefined ? "failed" : want.text(message))),
  ...plain("test.Required", [1, 2], (...args) => {
    const value = args.at(-1)!;
    if (value === null || value === "")
      return fail(args.length === 2 ? want.text(args[0]!) : "a required value is missing");
    return value;
  }),
  ...plain("test.Ternary", 3, (yes, no, value) => (value === true || value === "true" ? yes : no)),
  ...plain("test.Kind", 1, kind),
  ...plain("test.IsKind", 2, (wanted, value) => isKind(want.text(wanted), value)),
];
