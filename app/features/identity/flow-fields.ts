/** The fields of a form as they are posted to the service: one value each, the last, and no files. */
export function flowFields(form: Iterable<[string, FormDataEntryValue]>): URLSearchParams {
  const fields = new URLSearchParams();
  for (const [name, value] of form) if (typeof value === "string") fields.set(name, value);
  return fields;
}
