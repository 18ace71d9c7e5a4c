/** `POST /ph/canary/test`: runs a canary that nobody has saved, once, and stores nothing (feature `canary.test`). */
import { z } from "zod";
import { problems } from "#app/contract/fields.ts";
import type { TestRun } from "#app/contract/rows/test-run.ts";
import { Busy, type CheckEngine } from "#server/engines/index.ts";
import { ApiError } from "./errors.ts";
import type { Route } from "./router.ts";

/** What may be sent: a spec is at most as long as one that is typed. */
const LONGEST = 512 * 1024;
const Unsaved = z.object({
  name: z.string({ error: "This field is required" }).min(1, "This field is required").max(253),
  namespace: z.string().default("default"),
  labels: z.record(z.string(), z.coerce.string()).nullish(),
  spec: z.record(z.string(), z.unknown(), {
    error: "This field must be a map: schedule and lists of checks",
  }),
});

export function canaryTestRoute(engine: Pick<CheckEngine, "test">): Route {
  return {
    method: "POST",
    path: "/ph/canary/test",
    who: "write:canaries", // whoever could save it and see it run
    async handler(c) {
      const { name, namespace, labels, spec } = read(await c.req.text());
      const tried = await engine
        .test({ name, namespace, labels: labels ?? null, spec })
        .catch((error: unknown) => {
          if (error instanceof Busy) throw new ApiError(429, error.message);
          throw error;
        });
      const answer: TestRun = { checks: tried.map(({ ms, ...check }) => ({ ...check, duration: ms })) };
      return c.json(answer);
    },
  };
}

function read(text: string) {
  if (text.length > LONGEST) throw new ApiError(400, "The body must not be longer than 512 kB");
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new ApiError(400, "The body must be JSON");
  }
  const parsed = Unsaved.safeParse(body);
  if (!parsed.success) throw new ApiError(400, problems(parsed.error));
  return parsed.data;
}
