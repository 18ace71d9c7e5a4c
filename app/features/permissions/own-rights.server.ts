import { OwnRightsAnswer, PERMISSION_RIGHTS } from "#app/contract/rows/permissions.ts";
import type { ResourceKind, Right } from "#app/contract/words/permissions.ts";
import type { Backend } from "#app/lib/about.server.ts";
import type { Api } from "#app/lib/api.server.ts";
import { UpstreamError } from "#app/lib/upstream-error.ts";
import { columnOf, isId } from "./paths.ts";

/** Answers what may be done with one resource; null: upstream does not say, so the role decides. */
type OwnRights = (right: Right) => boolean;

interface Caller {
  api: Api;
  backend(): Promise<Backend>;
  /** May permission records speak of the caller? */
  isJudged: boolean;
}

/**
 * What permission records make of the caller's role for one resource (decision 0096). Without the feature, for whom no
 * record speaks of, and for what is not there, null.
 */
export async function findOwnRights(
  { api, backend, isJudged }: Caller,
  kind: ResourceKind,
  id: string,
): Promise<OwnRights | null> {
  if (!isJudged || !isId(id) || !(await backend()).offers(PERMISSION_RIGHTS)) return null;
  const path = `/auth/rights?${new URLSearchParams({ [columnOf(kind)]: id })}`;
  const answer = await api.call(path, OwnRightsAnswer).catch((error: unknown) => {
    if (error instanceof UpstreamError) return null;
    throw error;
  });
  return answer && ((right) => answer.rights[right] ?? false);
}
