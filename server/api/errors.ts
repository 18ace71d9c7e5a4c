/** How the API says no (contract: plain text for who you are, `{error}` for the rest). */
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";

/** An answer other than success that a handler may throw; its message is shown to the caller. */
export class ApiError extends Error {
  override name = "ApiError";
  readonly status: ContentfulStatusCode;
  constructor(status: ContentfulStatusCode, message: string) {
    super(message);
    this.status = status;
  }
}

export const denied = (c: Context) => c.text("unauthorized. Access Denied", 403);
