/** What is worth showing of pods and nodes, as properties of a component. */
import { number, part, parts, text, type Part } from "./object.ts";
import { bytes, millicores } from "./quantities.ts";

type Property = Record<string, string | number | boolean>;

const said = (name: string, value: string): Property => ({ name, text: value });
const most = (name: string, unit: string, max: bigint): Property => ({
  name,
  headline: true,
  unit,
  max: Number(max),
});

function total(pod: Part, name: "cpu" | "memory"): bigint {
  return parts(part(pod, "spec"), "containers").reduce((sum, container) => {
    const amount = text(part(container, "resources", "limits")[name]);
    return amount === "" ? sum : sum + (name === "cpu" ? millicores(amount) : bytes(amount));
  }, 0n);
}

export function podProperties(pod: Part): Property[] {
  const [spec, status] = [part(pod, "spec"), part(pod, "status")];
  const images = parts(spec, "containers").map(({ image }) => text(image));
  const restarts = parts(status, "containerStatuses").reduce(
    (sum, { restartCount }) => sum + number(restartCount),
    0,
  );
  return [
    said("image", images.join(", ")),
    most("cpu", "millicores", total(pod, "cpu")),
    most("memory", "bytes", total(pod, "memory")),
    said("node", text(spec["nodeName"])),
    said("created_at", text(part(pod, "metadata")["creationTimestamp"])),
    said("namespace", text(part(pod, "metadata")["namespace"])),
    said("ips", text(status["podIP"])),
    { name: "restarts", value: restarts },
  ];
}

export function nodeProperties(node: Part): Property[] {
  const status = part(node, "status");
  const info = part(status, "nodeInfo");
  const can = part(status, "allocatable");
  const addresses = parts(status, "addresses").filter(({ type }) => type !== "Hostname");
  return [
    most("cpu", "millicores", millicores(text(can["cpu"]) || "0")),
    most("memory", "bytes", bytes(text(can["memory"]) || "0")),
    most("ephemeral-storage", "bytes", bytes(text(can["ephemeral-storage"]) || "0")),
    said("instance-type", text(part(node, "metadata", "labels")["node.kubernetes.io/instance-type"])),
    said("zone", text(part(node, "metadata", "labels")["topology.kubernetes.io/zone"])),
    ...addresses.map(({ type, address }) => said(text(type), text(address))),
    said("os", text(info["osImage"])),
    said("kernel", text(info["kernelVersion"])),
    said("container-runtime", text(info["containerRuntimeVersion"])),
    said("kubelet", text(info["kubeletVersion"])),
  ];
}
