import { z } from "zod";

/** The one that is meant. */
export const ResourceId = z.object({ id: z.guid() });
