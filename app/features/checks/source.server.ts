import { componentNameRow, configNameRow } from "#app/contract/rows/check-drawer.ts";
import type { Api } from "#app/lib/api.server.ts";
import { eq } from "#app/lib/filter.ts";
import { isCheckId } from "./model.ts";

/** Where a check comes from: words, and the place they lead to. `isEditable`: it was made by hand, here. */
export interface CheckSource {
  words: string;
  name: string | null;
  to: string | null;
  isEditable: boolean;
}
const NOTHING: CheckSource = { words: "", name: null, to: null, isEditable: false };
const NO_AGENT = /^[0-]+$/;
interface Named {
  id: string;
  name: string;
}
interface Sourced {
  agent?: Named | null | undefined;
  canary?:
    | (Named & { namespace?: string | null | undefined; source?: string | null | undefined })
    | null
    | undefined;
}

/** The ladder of facts/ui-screens §1.8: the first that fits. Asks for a name only where something else made the canary. */
export async function sourceOf(api: Api, { agent, canary }: Sourced): Promise<CheckSource> {
  const source = canary?.source ?? "";
  if (agent && !NO_AGENT.test(agent.id))
    return { ...NOTHING, words: "Linked to", name: agent.name, to: `/settings/agents?id=${agent.id}` };
  const [kind = "", id = ""] = source.split("/", 2);
  if (kind === "component" && isCheckId(id)) {
    const component = await api.find(componentNameRow, { id: eq(id) });
    return { ...NOTHING, words: "Created by", name: component?.name ?? "a component", to: `/topology/${id}` };
  }
  if (kind === "kubernetes" && isCheckId(id)) {
    const config = await api.find(configNameRow, { id: eq(id) });
    return { ...NOTHING, words: "Created by", name: config?.name ?? "a config", to: `/catalog/${id}` };
  }
  if (source === "ConfigFile") return { ...NOTHING, words: "Linked to local file" };
  if (source.toLowerCase() === "kubernetescrd")
    return canary?.name
      ? {
          ...NOTHING,
          words: "CRD linked to",
          name: `${canary.namespace}/${canary.name}`,
          to: `/catalog/${canary.id}`,
        }
      : { ...NOTHING, words: "Linked to CRD" };
  if (source !== "" && source !== "UI") return NOTHING;
  return canary
    ? { ...NOTHING, words: "Edit", to: `/settings/canaries/${canary.id}`, isEditable: true }
    : NOTHING;
}
