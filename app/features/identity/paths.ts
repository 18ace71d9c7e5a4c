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
/** `flow` and `token` together come from a recovery link. */
export const recoverySearch = search({ flow, token: text(), return_to });
/** `code` comes from the link of a verification mail. */
export const verificationSearch = search({ flow, code: text(), return_to });
export const profileSearch = search({ flow, return_to });
/** `id`: an error of the identity service; `error_code`: one of the hosted provider. */
export const errorSearch = search({ id: text(), error_code: text() });

export const loginPath = (values?: Parameters<typeof loginSearch.entries>[0]) =>
  loginSearch.href("/login", values);
export const signInAgainPath = (values?: Parameters<typeof loginSearch.entries>[0]) =>
  loginSearch.href("/login/again", values);
export const registrationPath = (values?: Parameters<typeof registrationSearch.entries>[0]) =>
  registrationSearch.href("/registration", values);
export const recoveryPath = (values?: Parameters<typeof recoverySearch.entries>[0]) =>
  recoverySearch.href("/recovery", values);
export const verificationPath = (values?: Parameters<typeof verificationSearch.entries>[0]) =>
  verificationSearch.href("/verification", values);
export const profilePath = (values?: Parameters<typeof profileSearch.entries>[0]) =>
  profileSearch.href("/profile-settings", values);

/** Where the hosted provider sends people back to, after signing in and after signing out. */
export const CALLBACK_PATH = "/login/callback";
export const SIGNED_OUT_PATH = "/logout";
/** Specification 1 §2: the organisation switcher posts there, and a provider's own may send people there. */
export const ORGS_SWITCHED_PATH = "/organizations/orgs-switched";
