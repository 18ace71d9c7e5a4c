const FORM = /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i;

/** The posted form of an action. Throws a Response for what is none (415) or cannot be read (400): not our failure. */
export async function postedForm(request: Request): Promise<FormData> {
  if (!FORM.test(request.headers.get("content-type") ?? ""))
    throw new Response("Only a form can be posted here.", { status: 415 });
  try {
    return await request.formData();
  } catch {
    throw new Response("The form could not be read.", { status: 400 });
  }
}
