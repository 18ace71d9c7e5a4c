import { z } from "zod";
import { canaryDetailRow, type CanaryDetailRow } from "#app/contract/rows/resources.ts";
import { TestRun } from "#app/contract/rows/test-run.ts";
import type { Api } from "#app/lib/api.server.ts";
import { eq, isNull } from "#app/lib/filter.ts";
import { canaries } from "./definitions/canaries.ts";
import { isId } from "./list.server.ts";
import { resourcesPath } from "./paths.ts";
import type { TestedCheck } from "./spec/draft.ts";
import type { Doings } from "./spec/edit.server.ts";
import type { Identity } from "./spec/read-draft.server.ts";
import type { Json } from "./spec/values.ts";

type Canary = Identity & { spec: Json };

/** One that is not deleted, or null. */
export const findCanary = (api: Api, id: string | undefined): Promise<CanaryDetailRow | null> =>
  id && isId(id) ? api.find(canaryDetailRow, { id: eq(id), deleted_at: isNull }) : Promise.resolve(null);

/** A test takes as long as its slowest check; the engine has its own limit, which is shorter. */
const TEST_MS = 120_000;

/** Runs a canary that is not saved, once: nothing of it is stored. */
const testCanary = async (api: Api, canary: Canary): Promise<TestedCheck[]> =>
  (await api.call("/ph/canary/test", TestRun, { method: "POST", body: canary, timeoutMs: TEST_MS })).checks;

/** What the form of a canary does: adds one, or changes the one that is there. */
export function canaryDoings(api: Api, row: CanaryDetailRow | null): Doings {
  const to = resourcesPath(canaries.table);
  return {
    fixed: row && { name: row.name, namespace: row.namespace },
    test: (canary) => testCanary(api, canary),
    async save({ name, namespace, labels, spec }, seen) {
      if (!row) {
        await api.insert(canaryDetailRow, { name, namespace, labels, spec, source: "UI" });
        return { to, toast: `${name} added successfully` };
      }
      await api.update(canaryDetailRow, row.id, { labels, spec }, seen ? { seen } : {});
      return { to, toast: `${name} updated successfully` };
    },
    theirs(current) {
      const read = z
        .object({ updated_at: z.string(), spec: z.record(z.string(), z.unknown()) })
        .safeParse(current);
      return read.success ? { seen: read.data.updated_at, spec: read.data.spec } : null;
    },
  };
}
