/** The mails of the identity service, as plain text and as HTML. Pure. */

/** What the courier sends; `template` is how it is called in the queue. */
export interface Mail {
  template: "recovery_code" | "verification_code" | "invitation" | "account_exists";
  subject: string;
  text: string;
  html: string;
}

const FOOT = "If you did not ask for this, you can ignore this e-mail.";

/** `minutes` is how long the code holds. */
export function recoveryMail({ code, minutes }: { code: string; minutes: number }): Mail {
  return mail("recovery_code", "Recover access to your account", [
    "Use the following code to recover access to your account:",
    { code },
    `It can be used once, within ${minutes} minutes.`,
  ]);
}

export function verificationMail({ code, minutes }: { code: string; minutes: number }): Mail {
  return mail("verification_code", "Please verify your email address", [
    "Use the following code to verify your e-mail address:",
    { code },
    `It can be used once, within ${minutes} minutes.`,
  ]);
}

/** In place of the code, for the owner of an address that somebody registers with again. */
export function accountExistsMail({ signIn, recovery }: { signIn: string; recovery: string }): Mail {
  return mail("account_exists", "You have an account already", [
    "Somebody asked for a new account with this e-mail address, and there is one already. If it was you, sign in:",
    { link: signIn },
    "If you do not know the password any more, recover access to your account:",
    { link: recovery },
  ]);
}

/** Facts: backend §6.2 for the title. */
export function invitationMail({ link, days }: { link: string; days: number }): Mail {
  return mail("invitation", "User Invite", [
    "You have been invited to Pilothouse. Open this link to choose a password:",
    { link },
    `It can be used once, within ${days} days.`,
  ]);
}

type Paragraph = string | { code: string } | { link: string };

function mail(template: Mail["template"], subject: string, paragraphs: Paragraph[]): Mail {
  const all = [...paragraphs, FOOT];
  const text = all.map((each) => (typeof each === "string" ? each : "code" in each ? each.code : each.link));
  return { template, subject, text: `${text.join("\n\n")}\n`, html: page(subject, all.map(paragraph)) };
}

function paragraph(each: Paragraph): string {
  if (typeof each === "string") return `<p>${escape(each)}</p>`;
  if ("code" in each)
    return `<p style="font-size:24px;font-weight:600;letter-spacing:4px">${escape(each.code)}</p>`;
  return `<p><a href="${escape(each.link)}">${escape(each.link)}</a></p>`;
}

const page = (title: string, paragraphs: string[]) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escape(title)}</title></head>
<body style="font-family:system-ui,sans-serif;font-size:15px;line-height:1.5">
${paragraphs.join("\n")}
</body></html>
`;

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escape = (text: string) => text.replace(/[&<>"]/g, (each) => ENTITIES[each] ?? each);
