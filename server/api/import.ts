/** `POST /ph/import?kind=canaries[&dry=true][&file=NAME]`: canaries out of files, with a report per document. */
import { IMPORT_LIMIT } from "#app/contract/rows/import-report.ts";
import { applyReading } from "#server/import/apply.ts";
import { readAside } from "#server/import/read-aside.ts";
import type { AsCaller } from "./caller.ts";
import { ApiError } from "./errors.ts";
import type { ApiContext, Route } from "./router.ts";

/** Longest body, in bytes: as JSON a text is longer than it is. */
const BODY_LIMIT = 3 * IMPORT_LIMIT;
const TOO_LONG = `A file may have ${IMPORT_LIMIT / 1e6} MB at most: import it in parts`;

/** The body is the file's text, or JSON `{"file": name, "text": text}`. Refused documents do not hold up the others. */
export function importRoutes({ asCaller }: { asCaller: AsCaller }): Route[] {
  return [
    {
      method: "POST",
      path: "/ph/import",
      who: "write:canaries",
      handler: async (c) => {
        const { kind, dry = "false", file: named = "" } = c.req.query();
        if (kind !== "canaries") throw new ApiError(400, "kind must be canaries");
        if (dry !== "true" && dry !== "false") throw new ApiError(400, "dry must be true or false");
        const { file, text } = fileOf(c, await bodyOf(c), named);
        if (Buffer.byteLength(text) > IMPORT_LIMIT) throw new ApiError(413, TOO_LONG);
        const reading = await readAside(text);
        const principal = c.get("principal");
        const needs = { file, source: "UI", dry: dry === "true", personId: principal.personId } as const;
        return c.json(await asCaller(principal, (client) => applyReading(client, reading, needs)));
      },
    },
  ];
}

/** Cut off as soon as it is too long. */
async function bodyOf(c: ApiContext): Promise<string> {
  if (Number(c.req.header("content-length") ?? 0) > BODY_LIMIT) throw new ApiError(413, TOO_LONG);
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = c.req.raw.body?.getReader();
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
    length += read.value.length;
    if (length > BODY_LIMIT) throw new ApiError(413, TOO_LONG);
    parts.push(read.value);
  }
  return Buffer.concat(parts).toString("utf8");
}

function fileOf(c: ApiContext, body: string, named: string): { file: string; text: string } {
  if (!/^application\/json\b/i.test(c.req.header("content-type") ?? ""))
    return { file: named || "file", text: body };
  try {
    const given: unknown = JSON.parse(body);
    const { text, file } = (given ?? {}) as { text?: unknown; file?: unknown };
    if (typeof text === "string")
      return { text, file: typeof file === "string" && file ? file : named || "file" };
  } catch {
    // said below
  }
  throw new ApiError(400, "As JSON the body must be {file, text}; send the file itself as text/plain");
}
