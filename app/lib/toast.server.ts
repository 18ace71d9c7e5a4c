import { createCookieSessionStorage } from "@remix-run/node";
import { createToastUtilsWithCustomSession, type ToastMessage } from "remix-toast";
import { cookieLine, parseCookies } from "./cookies.ts";
import { env } from "./env.server.ts";
import { deriveKey } from "./seal.server.ts";

const COOKIE = "toast";
const MINUTE_SECONDS = 60;

/** The library's own cookie is not signed and is set on every answer; ours is signed, and only there when needed. */
function createToasts() {
  const { sessionSecret, isSecure } = env();
  return createToastUtilsWithCustomSession(
    createCookieSessionStorage({
      cookie: {
        name: COOKIE,
        secrets: [deriveKey(sessionSecret, "toast").toString("base64url")],
        httpOnly: true,
        sameSite: "lax",
        path: "/",
        maxAge: MINUTE_SECONDS,
        secure: isSecure,
      },
    }),
  );
}
let toasts: ReturnType<typeof createToasts> | undefined;

/** POST → redirect → GET: the message rides in its own cookie and is spent by the next page. */
export const redirectWithToast = (
  to: string,
  toast: string | ToastMessage,
  init?: ResponseInit,
): Promise<Response> =>
  (toasts ??= createToasts()).redirectWithToast(
    to,
    typeof toast === "string" ? { message: toast, type: "success" } : toast,
    init,
  );

/** The message waiting for this page, and the Set-Cookie line that spends it. */
export async function takeToast(
  request: Request,
): Promise<{ toast: ToastMessage | null; spent: string | null }> {
  if (!parseCookies(request.headers.get("cookie")).has(COOKIE)) return { toast: null, spent: null };
  const { toast } = await (toasts ??= createToasts()).getToast(request);
  return { toast: toast ?? null, spent: cookieLine(COOKIE, "", { secure: env().isSecure, maxAge: 0 }) };
}
