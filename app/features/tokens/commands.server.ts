import { parseWithZod } from "@conform-to/zod/v4";
import { data } from "@remix-run/node";
import { z } from "zod";
import { CreatedToken } from "#app/contract/rows/tokens.ts";
import type { Api } from "#app/lib/api.server.ts";
import { postedForm } from "#app/lib/posted-form.server.ts";
import type { Refused } from "#app/lib/submit.server.ts";
import { UpstreamError } from "#app/lib/upstream-error.ts";
import { NewToken } from "./forms.server.ts";

/** Ends a token at once; returns its name. */
export const revokeToken = async (api: Api, id: string): Promise<string> =>
  (await api.call(`/ph/tokens/${id}`, z.object({ name: z.string() }), { method: "DELETE" })).name;

/** What a form of a new token gets back: the token, this once, or what was wrong with the form. */
type TokenAnswer = { created: CreatedToken } | Refused;

/**
 * Makes a token of what was posted. Its secret is in this one answer and nowhere else, so there is no redirect after it:
 * an address or a cookie would keep it.
 */
export async function createToken(request: Request, api: Api) {
  const submission = parseWithZod(await postedForm(request), { schema: NewToken });
  if (submission.status !== "success")
    return data<TokenAnswer>({ result: submission.reply(), current: null }, { status: 400 });
  const { name, lifetime } = submission.value;
  try {
    const body = { name, expires_in_days: lifetime };
    const created = await api.call("/ph/tokens", CreatedToken, { method: "POST", body });
    return data<TokenAnswer>({ created }, { status: 201 });
  } catch (error) {
    if (!(error instanceof UpstreamError) || error.status >= 500) throw error;
    const result = submission.reply({ formErrors: [error.message] });
    return data<TokenAnswer>({ result, current: null }, { status: 422 });
  }
}
