/** What upstream said when it said no. 4xx is the user's to fix and is shown on the form; 5xx is ours. */
export class UpstreamError extends Error {
  override name = "UpstreamError";
  readonly status: number;
  /** `PGRST…` or an SQLSTATE, when the database API refused. */
  readonly code: string | null;
  constructor(status: number, message: string, code: string | null = null) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** A refusal that is about one field of the form, and is said there. */
export class FieldRefused extends UpstreamError {
  override name = "FieldRefused";
  readonly field: string;
  constructor(status: number, field: string, message: string) {
    super(status, message);
    this.field = field;
  }
}

/** Somebody else changed the row first (DESIGN C6). Carries the row as it is now. */
export class Conflict extends UpstreamError {
  override name = "Conflict";
  readonly current: unknown;
  constructor(current: unknown) {
    super(409, "Somebody else has changed this in the meantime.");
    this.current = current;
  }
}
