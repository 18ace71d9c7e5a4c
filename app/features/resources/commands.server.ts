import { z } from "zod";
import { view } from "#app/contract/view.ts";
import type { Api } from "#app/lib/api.server.ts";
import type { ResourceKind } from "./resource.ts";

const named = ({ table }: ResourceKind) => view(table, z.object({ id: z.string(), name: z.string() }));

/** Marks it as deleted; what hangs on it goes with it. Throws Conflict when somebody changed it since it was `seen`. */
export const deleteResource = (api: Api, kind: ResourceKind, id: string, now: Date) =>
  api.update(named(kind), id, { deleted_at: now.toISOString() });

/** Takes a deletion back. */
export const restoreResource = (api: Api, kind: ResourceKind, id: string) =>
  api.update(named(kind), id, { deleted_at: null });
