/** The address that the pings of a heartbeat go to: `/ph/heartbeat/:check` (beyond the contract). */
import { z } from "zod";

const moment = z.coerce.date().nullish();

/** When the address was made (null: there is none yet), and when somebody last came by. */
export const HeartbeatState = z.object({ created_at: moment, last_ping: moment, started_at: moment });
/** Below the backend's root; read once, when it was made. */
export const HeartbeatAddress = z.object({ path: z.string().startsWith("/") });
