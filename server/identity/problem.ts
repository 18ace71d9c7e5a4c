/**
 * What the identity service answers instead of a flow: the error bodies of the public Ory Kratos API, whose ids the UI
 * acts on (specification 1 §8). Facts for the client, so nothing here may hold a secret.
 */
const STATUS_WORDS = new Map([
  [400, "Bad Request"],
  [401, "Unauthorized"],
  [403, "Forbidden"],
  [404, "Not Found"],
  [410, "Gone"],
  [413, "Request Entity Too Large"],
  [422, "Unprocessable Entity"],
  [429, "Too Many Requests"],
  [500, "Internal Server Error"],
  [503, "Service Unavailable"],
]);

export type ProblemStatus = 400 | 401 | 403 | 404 | 410 | 413 | 422 | 429 | 500 | 503;

export class Problem extends Error {
  readonly status: ProblemStatus;
  readonly id: string | undefined;
  readonly reason: string;
  /** Beside `error` in the JSON body: `redirect_browser_to`, `use_flow_id`, … */
  readonly extra: Record<string, unknown>;
  /** Inside `error`. */
  readonly details: Record<string, unknown> | undefined;
  /** Where a browser goes; without it, to the error page. */
  readonly location: string | undefined;

  constructor(
    status: ProblemStatus,
    id: string | undefined,
    message: string,
    reason: string,
    {
      extra = {},
      details,
      location,
    }: { extra?: Record<string, unknown>; details?: Record<string, unknown>; location?: string } = {},
  ) {
    super(message);
    this.status = status;
    this.id = id;
    this.reason = reason;
    this.extra = extra;
    this.details = details;
    this.location = location;
  }

  /** The `error` object alone, as the error page's look-up returns it. */
  get error(): Record<string, unknown> {
    return {
      ...(this.id && { id: this.id }),
      code: this.status,
      status: STATUS_WORDS.get(this.status),
      reason: this.reason,
      message: this.message,
      ...(this.details && { details: this.details }),
    };
  }

  get body(): Record<string, unknown> {
    return { error: this.error, ...this.extra };
  }
}

const BAD_REQUEST = "The request was malformed or contained invalid parameters";

export const problems = {
  notFound: () =>
    new Problem(
      404,
      undefined,
      "Unable to locate the resource",
      "The requested resource could not be found.",
    ),

  databaseAway: () =>
    new Problem(
      503,
      undefined,
      "The service is unavailable",
      "The database cannot be reached. Please try again in a moment.",
    ),

  badRequest: (reason: string) => new Problem(400, undefined, BAD_REQUEST, reason),

  tooLarge: () =>
    new Problem(413, undefined, "request entity too large", "The form is larger than this service reads."),

  returnToForbidden: () =>
    new Problem(
      400,
      "self_service_flow_return_to_forbidden",
      BAD_REQUEST,
      "Requested return_to URL is not allowed: it must be a path, or an address of this site.",
    ),

  sessionAlreadyAvailable: (location: string) =>
    new Problem(
      400,
      "session_already_available",
      BAD_REQUEST,
      "A valid session was detected and thus login is not possible. Did you forget to set `?refresh=true`?",
      { location },
    ),

  /** A second factor was asked for before there was a first. */
  sessionAal1Required: (location: string) =>
    new Problem(
      400,
      "session_aal1_required",
      BAD_REQUEST,
      "You can not requested a higher AAL (AAL2/AAL3) without an active session.",
      { extra: { redirect_browser_to: location }, location },
    ),

  /** The person has a second factor, which this session was not asked for yet; `location` asks for it. */
  sessionAal2Required: (location: string) =>
    new Problem(
      403,
      "session_aal2_required",
      "Session does not fulfill the requested Authenticator Assurance Level",
      "An active session was found but it does not fulfill the Authenticator Assurance Level, implying that the session must (e.g.) authenticate the second factor.",
      { extra: { redirect_browser_to: location }, location },
    ),

  sessionInactive: (location?: string) =>
    new Problem(
      401,
      "session_inactive",
      "The request could not be authorized",
      "No valid session cookie found.",
      location === undefined ? {} : { location },
    ),

  /** The session is too old for what it asks; `location` signs in again and comes back. */
  sessionRefreshRequired: (location: string) =>
    new Problem(
      403,
      "session_refresh_required",
      "The requested action was forbidden",
      "The login session is too old and thus not allowed to update these fields. Please re-authenticate.",
      { extra: { redirect_browser_to: location }, location },
    ),

  identityMismatch: () =>
    new Problem(
      403,
      "security_identity_mismatch",
      "The requested action was forbidden",
      "The request was made for another identity and has been blocked for security reasons.",
    ),

  csrfViolation: () =>
    new Problem(
      403,
      "security_csrf_violation",
      "the request was rejected to protect you from Cross-Site-Request-Forgery",
      "Please retry the flow and optionally clear your cookies. The request was rejected to protect you from Cross-Site-Request-Forgery (CSRF) which could cause account takeover, leaking personal information, and other serious security issues.",
    ),

  /** A submitted flow was too old; `useFlowId` is its replacement, which a browser is sent to at `location`. */
  flowReplaced: (useFlowId: string, expiredAt: Date, now: Date, location: string) =>
    new Problem(
      410,
      "self_service_flow_expired",
      "self-service flow expired",
      `The self-service flow expired ${minutesBetween(expiredAt, now)} minutes ago, initialize a new one.`,
      {
        extra: {
          use_flow_id: useFlowId,
          expired_at: expiredAt.toISOString(),
          // Kratos sends a Go duration: nanoseconds.
          since: Math.max(0, now.getTime() - expiredAt.getTime()) * 1_000_000,
        },
        location,
      },
    ),

  /** A flow was looked up after its time. */
  flowExpired: (kind: string, restart: string) =>
    new Problem(
      410,
      "self_service_flow_expired",
      "self-service flow expired",
      `The ${kind} flow has expired. Redirect the user to the ${kind} flow init endpoint to initialize a new ${kind} flow.`,
      { details: { redirect_to: restart }, location: restart },
    ),

  registrationClosed: (reason: string) =>
    new Problem(400, "self_service_flow_disabled", "registration flow disabled", reason),

  recoveryLinkInvalid: () =>
    new Problem(
      403,
      undefined,
      "The requested action was forbidden",
      "The recovery token is invalid or has already been used. Please retry the flow.",
    ),

  logoutTokenMismatch: () =>
    new Problem(
      403,
      undefined,
      "The requested action was forbidden",
      "Unable to log out because the logout token in the URL query does not match the session cookie.",
    ),

  /** Sent to scripts where a browser would be redirected. */
  locationChange: (location: string) =>
    new Problem(
      422,
      "browser_location_change_required",
      "browser location change required",
      `In order to complete this flow please redirect the browser to: ${location}`,
      { extra: { redirect_browser_to: location }, location },
    ),
} as const;

function minutesBetween(from: Date, to: Date): string {
  return (Math.max(0, to.getTime() - from.getTime()) / 60_000).toFixed(2);
}
