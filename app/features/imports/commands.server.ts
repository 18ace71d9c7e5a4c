import { z } from "zod";
import { IMPORT_CANARIES, IMPORT_LIMIT, ImportReport } from "#app/contract/rows/import-report.ts";
import type { Backend } from "#app/lib/about.server.ts";
import type { Api } from "#app/lib/api.server.ts";

/** A form may be longer than its file by its other parts, in bytes. */
const FORM_LIMIT = IMPORT_LIMIT + 100_000;
/** A longer text is not sent back into the page, in characters: its file has to be chosen again. */
const KEPT = 500_000;
const TIMEOUT_MS = 60_000;
export const TOO_LONG = `A file may have ${IMPORT_LIMIT / 1e6} MB at most: import it in parts.`;

/** What was put into the form: a file that was chosen counts more than a text that was pasted. */
export interface Given {
  file: string;
  text: string;
  /** Only say what would happen. */
  dry: boolean;
}

export const offersImport = (backend: Backend): boolean => backend.offers(IMPORT_CANARIES);

const Posted = z.object({ do: z.enum(["check", "import"]).catch("check"), text: z.string().catch("") });

/** Too long to be read at all, by what the request says of itself. */
export const isTooLong = (request: Request): boolean =>
  Number(request.headers.get("content-length") ?? 0) > FORM_LIMIT;

export async function givenOf(form: FormData): Promise<Given> {
  const posted = Posted.parse({ do: form.get("do"), text: form.get("text") });
  const upload = form.get("file");
  const isFile = upload instanceof File && upload.size > 0;
  return {
    file: isFile ? upload.name : "pasted text",
    text: isFile ? await upload.text() : posted.text.replace(/\r\n/g, "\n"),
    dry: posted.do === "check",
  };
}

/** What the page keeps of it, so that it can be imported after it was checked. */
export const keptOf = ({ text }: Given): string | null => (text.length <= KEPT ? text : null);

/** The report of upstream; what cannot be sent there at all is thrown. */
export const importCanaries = (api: Api, { file, text, dry }: Given): Promise<ImportReport> =>
  api.call(`/ph/import?kind=canaries&dry=${String(dry)}`, ImportReport, {
    method: "POST",
    body: { file, text },
    timeoutMs: TIMEOUT_MS,
  });
