import { checkNameRow } from "#app/contract/rows/check-drawer.ts";
import { HeartbeatAddress, HeartbeatState } from "#app/contract/rows/heartbeats.ts";
import type { Api } from "#app/lib/api.server.ts";
import { eq } from "#app/lib/filter.ts";
import { UpstreamError } from "#app/lib/upstream-error.ts";
import { isCheckId } from "./model.ts";

/** A heartbeat and what is known of its address; null when there is no such heartbeat. */
export async function findHeartbeat(api: Api, id: string) {
  if (!isCheckId(id)) return null;
  const [check, state] = await Promise.all([
    api.find(checkNameRow, { id: eq(id), type: eq("heartbeat") }),
    api.call(`/ph/heartbeat/${id}`, HeartbeatState).catch((error: unknown) => {
      if (error instanceof UpstreamError && error.status === 404) return null;
      throw error;
    }),
  ]);
  return check && state ? { ...check, ...state } : null;
}

/**
 * Makes a new address and answers with it, the only time it can be read; the one before stops working. What upstream
 * refuses is said in its words.
 */
export async function renewHeartbeat(
  api: Api,
  id: string,
  origin: string,
): Promise<{ address: string | null; error: string | null }> {
  try {
    if (!isCheckId(id)) throw new UpstreamError(404, "There is no such heartbeat");
    const { path } = await api.call(`/ph/heartbeat/${id}`, HeartbeatAddress, { method: "POST", body: {} });
    return { address: `${origin}/api${path}`, error: null };
  } catch (error) {
    if (error instanceof UpstreamError && error.status < 500) return { address: null, error: error.message };
    throw error;
  }
}
