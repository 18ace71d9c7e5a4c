import { z } from "zod";

/** Run Now: the check of the drawer the button stands in. */
export const RunCheck = z.object({ id: z.guid() });
