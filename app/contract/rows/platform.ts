import { z } from "zod";

/** `GET /canary/about`: the backend's version, and the extras it offers beyond the contract (absent: none). */
export const About = z.object({
  Version: z.string().nullish(),
  features: z.array(z.string()).nullish(),
});
