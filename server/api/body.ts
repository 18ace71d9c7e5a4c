/** Small bodies of calls that write: read to a limit, checked whole, refused with a sentence that names the field. */
import type { z } from "zod";
import { ApiError } from "./errors.ts";
import type { ApiContext } from "./router.ts";

/** No call that is read here needs more, in bytes. */
const LIMIT = 64 * 1024;

/**
 * The body as JSON, or as a form where it says so, read by `schema`.
 * @throws ApiError 400 with the first thing that is wrong, 413 when it is too large
 */
export async function readBody<T>(c: ApiContext, schema: z.ZodType<T>): Promise<T> {
  const text = await limitedText(c.req.raw);
  const isForm = c.req.header("content-type")?.startsWith("application/x-www-form-urlencoded") ?? false;
  const parsed = schema.safeParse(isForm ? Object.fromEntries(new URLSearchParams(text)) : jsonOf(text));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  const named = issue.path.length > 0 && !issue.message.startsWith(String(issue.path[0]));
  throw new ApiError(400, named ? `${issue.path.join(".")}: ${issue.message}` : issue.message);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text === "" ? "{}" : text);
  } catch {
    throw new ApiError(400, "The body must be JSON.");
  }
}

async function limitedText(request: Request): Promise<string> {
  const tooLarge = new ApiError(413, `The body must not be larger than ${LIMIT / 1024} kB.`);
  if (Number(request.headers.get("content-length") ?? 0) > LIMIT) throw tooLarge;
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of (request.body ?? []) as unknown as AsyncIterable<Uint8Array>) {
    size += piece.byteLength;
    if (size > LIMIT) throw tooLarge;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}
