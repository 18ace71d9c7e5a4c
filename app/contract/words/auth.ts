/** Specification 1 §2: titles and links of the authentication pages. */
export const LOGIN_TITLE = "Sign In to your account";
export const LOGIN_REFRESH_TITLE = "Confirm Action";
export const LOGIN_AAL2_TITLE = "Two-Factor Authentication";
export const RESET_PASSWORD = "Reset password";
export const REGISTRATION_TITLE = "Create account";
export const SIGN_IN = "Sign in";
export const RECOVERY_TITLE = "Recover account";
export const VERIFICATION_TITLE = "Verify your account";
export const GO_BACK = "Go back";
/** The page between a form of ours and a provider elsewhere. */
export const LEAVING_TITLE = "One moment";

/** Specification 1 §2: the page of one's own account, as the user menu calls it, and its sections in their order. */
export const PROFILE_TITLE = "Your Profile";
export const PROFILE_SECTIONS: readonly { title: string; lead?: string; groups: readonly string[] }[] = [
  {
    title: "Profile Settings",
    lead: "What you are called, and where mail reaches you.",
    groups: ["profile"],
  },
  { title: "Change Password", groups: ["password"] },
  {
    title: "Manage Social Sign In",
    lead: "Accounts elsewhere that sign you in here.",
    groups: ["oidc", "saml"],
  },
  {
    title: "Manage 2FA Backup Recovery Codes",
    lead: "Each works once, for when no other second factor is at hand.",
    groups: ["lookup_secret"],
  },
  {
    title: "Manage 2FA TOTP Authenticator App",
    lead: "An app that shows another code every half minute.",
    groups: ["totp"],
  },
  {
    title: "Manage Hardware Tokens and Biometrics",
    lead: "A key, a fingerprint or a face that this browser asks for.",
    groups: ["webauthn", "passkey"],
  },
];
/** Whatever else an identity service lets people change. */
export const PROFILE_OTHER = "More settings";
export const SESSIONS_TITLE = "Sessions";

/** Specification 1 §2, §8: refusals and error pages. */
export const UNAUTHORIZED = "You do not have permission to access this page";
export const ERROR_OCCURRED = "An error occurred";
export const UNCAUGHT = "Sorry.. there was an error";
export const BAD_SESSION =
  "Bad Session. Please try logging out and logging in again, if the problem persist, please contact us.";
export const UNKNOWN_ERROR = "Unknown error";

/** Specification 1 §8: what the identity service's error ids say to a person. */
export const FLOW_ERRORS: ReadonlyMap<string, string> = new Map([
  ["self_service_flow_return_to_forbidden", "The return_to address is not allowed."],
  ["self_service_flow_expired", "Your interaction expired, please fill out the form again."],
  ["security_csrf_violation", "A security violation was detected, please fill out the form again."],
]);
export const FLOW_EXPIRED = "Your interaction expired, please fill out the form again.";
