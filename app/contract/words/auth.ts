/** Specification 1 §2: titles and links of the authentication pages. */
export const LOGIN_TITLE = "Sign In to your account";
export const LOGIN_REFRESH_TITLE = "Confirm Action";
export const LOGIN_AAL2_TITLE = "Two-Factor Authentication";
export const RESET_PASSWORD = "Reset password";
export const REGISTRATION_TITLE = "Create account";
export const SIGN_IN = "Sign in";
export const RECOVERY_TITLE = "Recover account";
export const GO_BACK = "Go back";

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
