/**
 * The messages of the identity flows: ids, types and words of the public Ory Kratos API, so that any client of it
 * understands them. Ours alone are the sentences passed to `generic`.
 */
export interface UiText {
  id: number;
  type: "info" | "error" | "success";
  text: string;
  context?: Record<string, unknown>;
}

/** One thing wrong with what was sent: beside its field, or, without one, above the form. */
export interface Complaint {
  field?: string;
  message: UiText;
}

const info = (id: number, text: string, context?: UiText["context"]): UiText => ({
  id,
  type: "info",
  text,
  ...(context && { context }),
});
const error = (id: number, text: string, context?: UiText["context"]): UiText => ({
  ...info(id, text, context),
  type: "error",
});

export const labels = {
  password: info(1070001, "Password"),
  trait: (title: string) => info(1070002, title, { title }),
  save: info(1070003, "Save"),
  email: info(1070007, "Email"),
  resend: info(1070008, "Resend code"),
  proceed: info(1070009, "Continue"),
  recoveryCode: info(1070010, "Recovery code"),
  verificationCode: info(1070011, "Verification code"),
  signIn: info(1010001, "Sign in"),
  signUp: info(1040001, "Sign up"),
} as const;

const codeSent = (id: number, kind: string) =>
  info(
    id,
    `An email containing a ${kind} code has been sent to the email address you provided. If you have not received an email, check the spelling of the address and make sure to use the address you registered with.`,
  );
const codeInvalid = (id: number, kind: string) =>
  error(id, `The ${kind} code is invalid or has already been used. Please try again.`);
const alreadyDone = (id: number) =>
  error(id, "The request was already completed successfully and can not be retried.");

/** What the two flows by code say. */
export const codeTexts = {
  recovery: {
    sent: codeSent(1060003, "recovery"),
    invalid: codeInvalid(4060006, "recovery"),
    done: alreadyDone(4060001),
  },
  verification: {
    sent: codeSent(1080003, "verification"),
    invalid: codeInvalid(4070006, "verification"),
    done: alreadyDone(4070002),
  },
} as const;

export const texts = {
  verified: {
    id: 1080002,
    type: "success",
    text: "You successfully verified your email address.",
  } satisfies UiText,
  reauthenticate: info(1010003, "Please confirm this action by verifying that it is you."),
  secondFactor: info(1010004, "Please complete the second authentication challenge."),
  saved: { id: 1050001, type: "success", text: "Your changes have been saved!" } satisfies UiText,
  recovered: (minutes: number) =>
    info(
      1060001,
      `You successfully recovered your account. Please change your password or set up an alternative login method (e.g. social sign in) within the next ${minutes.toFixed(2)} minutes.`,
    ),
  generic: (reason: string) => error(4000001, reason, { reason }),
  required: (property: string) => error(4000002, `Property ${property} is missing.`, { property }),
  tooLong: (max: number, actual: number) =>
    error(4000017, `length must be <= ${max}, but got ${actual}`, { max_length: max, actual_length: actual }),
  notAnEmail: (value: string) => error(4000040, `${value} is not a valid email address`, { value }),
  passwordPolicy: (reason: string) =>
    error(4000005, `The password can not be used because ${reason}.`, { reason }),
  passwordTooSimilar: error(
    4000031,
    "The password can not be used because it is too similar to the identifier.",
  ),
  passwordTooShort: (min: number, actual: number) =>
    error(4000032, `The password must be at least ${min} characters long, but got ${actual}.`, {
      min_length: min,
      actual_length: actual,
    }),
  passwordTooLong: (max: number, actual: number) =>
    error(4000033, `The password must be at most ${max} characters long, but got ${actual}.`, {
      max_length: max,
      actual_length: actual,
    }),
  invalidCredentials: error(
    4000006,
    "The provided credentials are invalid, check for spelling mistakes in your password or username, email address, or phone number.",
  ),
  accountExists: error(
    4000007,
    "An account with the same identifier (email, phone, username, ...) exists already.",
  ),
  noMethodAvailable: error(
    5000002,
    "No authentication methods are available for this request. Please contact the site or app owner.",
  ),
} as const;

const NO_STRATEGY = {
  login: error(4010002, "Could not find a strategy to log you in with. Did you fill out the form correctly?"),
  registration: error(
    4010003,
    "Could not find a strategy to sign you up with. Did you fill out the form correctly?",
  ),
  recovery: error(
    4010005,
    "Could not find a strategy to recover your account with. Did you fill out the form correctly?",
  ),
  verification: error(
    4010006,
    "Could not find a strategy to verify your account with. Did you fill out the form correctly?",
  ),
  settings: error(
    4010004,
    "Could not find a strategy to update your settings. Did you fill out the form correctly?",
  ),
} as const;

const EXPIRED = {
  login: 4010001,
  registration: 4040001,
  settings: 4050001,
  recovery: 4060005,
  verification: 4070005,
} as const;

/** The kinds of flow a person fills in. */
export type FormKind = keyof typeof EXPIRED;

/** The form named no method, or one that is not offered. */
export function noStrategy(kind: FormKind): UiText {
  return NO_STRATEGY[kind];
}

/** Shown on the flow that replaces an expired one. */
export function flowExpired(kind: FormKind, expiredAt: Date, now: Date): UiText {
  const minutes = Math.max(0, now.getTime() - expiredAt.getTime()) / 60_000;
  return error(
    EXPIRED[kind],
    `The ${kind} flow expired ${minutes.toFixed(2)} minutes ago, please try again.`,
    {
      expired_at: expiredAt.toISOString(),
      expired_at_unix: Math.floor(expiredAt.getTime() / 1000),
    },
  );
}
