import { checkIdRow } from "#app/contract/rows/checks.ts";
import type { Api } from "#app/lib/api.server.ts";
import { eq, isNull } from "#app/lib/filter.ts";
import { oncePerRequest } from "#app/lib/scope.server.ts";

/** What a request remembers its counts by: /health has them with its list (`shareCounts`). */
export const CHECK_COUNTS = "checks.counts";

/** How many checks fail and are there at all, whatever the page is filtered by; a request counts once. */
export const countChecks = (api: Api) =>
  oncePerRequest(CHECK_COUNTS, async () => {
    const having = async (status: string | undefined) =>
      (await api.page(checkIdRow, { deleted_at: isNull, status: eq(status), limit: 0 })).total;
    const [failing, total] = await Promise.all([having("unhealthy"), having(undefined)]);
    return { failing, total };
  });
