/** The body of `POST /canary/api/push` (backend §7.5): a check and one status of it, flattened into one object. */
import { z } from "zod";
import { problems } from "#app/contract/fields.ts";
import type { Pushed } from "#server/engines/index.ts";
import { ApiError } from "./errors.ts";

const words = z.string().max(10_000);
const Body = z
  .object({
    id: z.guid({ error: "This field must be the id of a check" }).nullish(),
    canary_id: z.guid({ error: "This field must be the id of a canary" }).nullish(),
    canary_name: z.string().nullish(),
    canary: z.string().nullish(),
    name: z.string().min(1).nullish(),
    namespace: z.string().nullish(),
    type: z.string().min(1).nullish(),
    description: words.nullish(),
    icon: z.string().nullish(),
    severity: z.string().nullish(),
    owner: z.string().nullish(),
    labels: z.record(z.string(), z.string(), { error: "This field must be a map of text to text" }).nullish(),
    status: z.union([z.boolean(), z.enum(["healthy", "unhealthy"])], {
      error: "This field must be true or false, or healthy or unhealthy",
    }),
    time: z.iso
      .datetime({ offset: true, error: "This field must be an instant such as 2026-01-31T12:00:00Z" })
      .nullish(),
    duration: z.number().int().min(0).max(2_147_483_647).nullish(),
    invalid: z.boolean().nullish(),
    message: words.nullish(),
    error: words.nullish(),
    detail: z.unknown().optional(),
    details: z.unknown().optional(),
  })
  .refine(({ id, name, type }) => id ?? (name && type), {
    path: ["name"],
    error: "A check is named by its id, or by name and type with canary_id, or with namespace and canary",
  });

/** Reads the body; throws ApiError 400 that names the field. */
export function pushed(given: unknown): Pushed {
  const parsed = Body.safeParse(given);
  if (!parsed.success) throw new ApiError(400, problems(parsed.error));
  const { status, time, detail, details, ...rest } = parsed.data;
  const found = details ?? detail;
  return {
    id: rest.id ?? null,
    canaryId: rest.canary_id ?? null,
    canaryName: rest.canary_name ?? rest.canary ?? rest.name ?? null,
    name: rest.name ?? "",
    type: rest.type ?? "",
    namespace: rest.namespace ?? "default",
    description: rest.description ?? null,
    icon: rest.icon ?? null,
    severity: rest.severity ?? null,
    owner: rest.owner ?? null,
    labels: rest.labels ?? {},
    time: time ? new Date(time) : null,
    ms: rest.duration ?? 0,
    outcome: {
      status: status === true || status === "healthy" ? "healthy" : "unhealthy",
      ...(rest.invalid ? { invalid: true } : {}),
      ...(rest.message ? { message: rest.message } : {}),
      ...(rest.error ? { error: rest.error } : {}),
      ...(found === undefined || found === null
        ? {}
        : { details: typeof found === "object" && !Array.isArray(found) ? { ...found } : { result: found } }),
    },
  };
}
