import type { Submission, SubmissionResult } from "@conform-to/react";
import { parseWithZod } from "@conform-to/zod/v4";
import { data } from "@remix-run/node";
import type { ToastMessage } from "remix-toast";
import type { z } from "zod";
import { UNAUTHORIZED } from "#app/contract/words/auth.ts";
import { typedForm } from "./posted-form.server.ts";
import { KEPT_WORDS } from "./signed-out.ts";
import { redirectWithToast } from "./toast.server.ts";
import { Conflict, FieldRefused, UpstreamError } from "./upstream-error.ts";

/** Where to go when it is done, and what to say there. */
export interface Done {
  to: string;
  toast: string | ToastMessage;
}
type Parsed = Submission<unknown, string[], unknown>;
/** One thing a form can do: how its input is read, and what happens when it is valid. */
export interface Intent {
  handle(form: FormData): Promise<{ submission: Parsed; done: Done | null }>;
  /** Its input alone, to be shown again. */
  read?(form: FormData): Parsed;
}
/** What a refused form gets back. `current` is the row as somebody else left it, after a conflict (status 409). */
export interface Refused {
  result: SubmissionResult;
  current: unknown;
}

/** Pairs a form's schema with what happens when it is valid. */
export function on<S extends z.ZodType>(schema: S, run: (value: z.output<S>) => Promise<Done>): Intent {
  const read = (form: FormData) => parseWithZod(form, { schema });
  return {
    read,
    async handle(form) {
      const submission = read(form);
      if (submission.status !== "success") return { submission, done: null };
      try {
        return { submission, done: await run(submission.value) };
      } catch (error) {
        throw new RunFailed(submission, error);
      }
    },
  };
}

/** An intent for those who may; to the others it is the 403 page, whatever they sent. */
export const permitted = (allowed: boolean, intent: Intent): Intent =>
  allowed ? intent : { handle: () => Promise.reject(new Response(UNAUTHORIZED, { status: 403 })) };

/** Carries the submission past the failure of its run, so that the answer can keep what was typed. */
class RunFailed extends Error {
  readonly submission: Parsed;
  constructor(submission: Parsed, cause: unknown) {
    super("The intent failed.", { cause });
    this.submission = submission;
  }
}

/**
 * The one way to handle a POST: pick the intent, validate, run, then redirect with a toast (DESIGN C6, D6). Invalid
 * input comes back as the form's own errors with 400, refusals of upstream with 422, a row changed by somebody else
 * with 409; with or without JavaScript. Everything else is thrown on. A form whose session had ended comes back as it was
 * typed, and nothing is done.
 */
export async function submit(request: Request, intents: Readonly<Record<string, Intent>>) {
  const { form, isBack } = await typedForm(request);
  const name = String(form.get("intent") ?? "");
  const intent = Object.hasOwn(intents, name) ? intents[name] : undefined; // "constructor" is not an intent
  if (!intent) throw new Response(`Unknown intent "${name}"`, { status: 400 });
  const back = isBack ? intent.read?.(form) : undefined;
  if (back) return refused(back.reply({ formErrors: [KEPT_WORDS] }), 200);
  try {
    const { submission, done } = await intent.handle(form);
    if (!done) return refused(submission.reply(), submission.status === "error" ? 400 : 200);
    return await redirectWithToast(done.to, done.toast);
  } catch (failure) {
    if (!(failure instanceof RunFailed)) throw failure;
    const { cause, submission } = failure;
    if (!(cause instanceof UpstreamError) || cause.status >= 500) throw cause;
    const result = submission.reply(saying(cause));
    return cause instanceof Conflict ? refused(result, 409, cause.current) : refused(result, 422);
  }
}

/** A refusal of upstream as the answer of a form: at its field, where it is about one. */
export const saying = (error: UpstreamError) =>
  error instanceof FieldRefused
    ? { fieldErrors: { [error.field]: [error.message] } }
    : { formErrors: [error.message] };

const refused = (result: SubmissionResult, status: number, current: unknown = null) =>
  data<Refused>({ result, current }, { status });
