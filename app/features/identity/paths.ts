import { flag, oneOf, search, text } from "#app/lib/search.ts";

const flow = text();
const return_to = text();

/** The query strings of the authentication pages, spelled as the identity service and the specification spell them. */
export const loginSearch = search({
  flow,
  return_to,
  refresh: flag(false),
  aal: oneOf(["", "aal1", "aal2"], ""),
});
/** `setup` is the one-time token of the set-up link, which makes the first account an admin. */
export const registrationSearch = search({ flow, return_to, setup: text() });
/** `flow` and `token` come from a recovery link; `settings` is the flow in which the new password is chosen. */
export const recoverySearch = search({ flow, token: text(), settings: text() });
/** `id`: an error of the identity service; `error_code`: one of the hosted provider. */
export const errorSearch = search({ id: text(), error_code: text() });

export const loginPath = (values?: Parameters<typeof loginSearch.entries>[0]) =>
  loginSearch.href("/login", values);
export const registrationPath = (values?: Parameters<typeof registrationSearch.entries>[0]) =>
  registrationSearch.href("/registration", values);
export const recoveryPath = (values?: Parameters<typeof recoverySearch.entries>[0]) =>
  recoverySearch.href("/recovery", values);
