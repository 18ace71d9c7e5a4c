/** Words of users that the specification fixes (3 §2.6, §5, §8). Plain values: safe to ship to the browser. */

/** The feature of a control plane whose users are one relation that pages and sorts (DESIGN, decision 14). */
export const USERS_PAGE = "users.page";
/** The feature of one that keeps accounts itself: it invites people, and changes their names and addresses. Part of the contract. */
export const INVITE = "users.invite";
/** The feature of one that sends an invitation again and takes it back. */
export const INVITATIONS = "users.invitations";

/** What the second of two people who change the same user is told. */
export const CHANGED = "Somebody else has changed this in the meantime.";

export const USER_WORDS = {
  firstName: "Please provide valid first name",
  lastName: "Please provide valid last name",
  email: "Please provide valid email",
  emailFormat: "Entered value does not match email format",
  role: "Please select any role",
  deleteTitle: "Delete User ?",
  deleteQuestion: "Are you sure you want to delete this user ?",
  deleted: "user deleted successfully",
  invited: (name: string) => `${name} invited successfully`,
  updated: (name: string) => `${name} updated successfully`,
} as const;

/** Where people sign in by an identity service that is not the control plane's own. */
export const KEPT_ELSEWHERE = "Kept by the identity service that people sign in by: change it there.";

/** A basic address pattern (specification 3 §5): the identity service's own, which `admin@local` fits. */
export const EMAIL_PATTERN = /^[^\s@<>"(),;:\\]+@[^\s@<>"(),;:\\]+$/;

/** How a user stands: `invited` has no password yet. */
export const USER_STATES = ["active", "invited", "inactive"] as const;
