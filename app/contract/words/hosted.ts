/** Specification 1 §1, §2, §8: what the hosted way to sign in says. The specification leaves the wording to us. */
export const PROVIDER_AWAY = "The sign-in provider is away";
export const PROVIDER_AWAY_WORDS = "It does not answer, so nobody can sign in and sessions cannot go on.";
export const PROVISIONING_TITLE = "Provisioning in progress";
export const provisioningWords = (organization: string): string =>
  `The backend of ${organization} is being set up, or is starting. This usually takes a few minutes; the page goes on by itself.`;
export const NO_ORGANIZATION_TITLE = "No organization";
export const NO_ORGANIZATION =
  "Your account does not belong to an organization yet. Ask whoever runs it for an invitation, or sign in with another account.";

/** Why somebody came back from the provider without a session. */
export const SIGN_IN_CANCELLED = "The sign-in was cancelled.";
export const SIGN_IN_STALE = "This sign-in took too long, or began in another browser. Please try again.";
export const SIGN_IN_UNVERIFIED =
  "The provider's answer could not be verified, so nobody was signed in. Please try again.";
export const NO_ORGANIZATIONS =
  "Your organizations could not be read, so nobody was signed in. Please try again.";
export const signInRefused = (code: string): string => `The provider refused the sign-in (${code}).`;
export const SIGNED_OUT = "You are signed out.";
export const ACCOUNT_ELSEWHERE = "Your account is kept by the sign-in provider; change it there.";
