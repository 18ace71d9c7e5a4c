import { pathOf } from "./return-to.ts";
import { redirectWithToast } from "./toast.server.ts";
import { broughtBack } from "./signed-out.server.ts";
import { KEPT_FIELD } from "./signed-out.ts";
import { whoami } from "./whoami.server.ts";

const FORM = /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i;

/** The posted form of an action. Throws a Response for what is none (415) or cannot be read (400): not our failure. */
export async function postedForm(request: Request): Promise<FormData> {
  const { form, isBack } = await typedForm(request);
  if (isBack)
    throw await toItsPage(request, "You are signed in again. Nothing was sent: please do it once more.");
  return form;
}

/**
 * For actions that can show a form again as it was typed: `isBack` is a form whose session had ended when it was posted
 * and whose person has signed in since. It is to be shown, not done (issue 5, deliver 10).
 */
export async function typedForm(request: Request): Promise<{ form: FormData; isBack: boolean }> {
  if (!FORM.test(request.headers.get("content-type") ?? ""))
    throw new Response("Only a form can be posted here.", { status: 415 });
  const form = await request.formData().catch(() => {
    throw new Response("The form could not be read.", { status: 400 });
  });
  const sealed = form.get(KEPT_FIELD);
  if (typeof sealed !== "string") return { form, isBack: false };
  const kept = broughtBack(request, sealed, (await whoami(request)).user.id);
  if (!kept) throw await toItsPage(request, "You are signed in. What had been typed could not be kept.");
  return { form: kept, isBack: true };
}

const toItsPage = (request: Request, message: string) =>
  redirectWithToast(pathOf(request), { message, type: "info" });
