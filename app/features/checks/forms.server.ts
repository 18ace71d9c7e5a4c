import { z } from "zod";

/** Run Now: the check of the drawer the button stands in. */
export const RunCheck = z.object({ id: z.guid() });

/** An address to watch. Without a scheme https is meant; a name and a password in it would be there for all to read. */
const WebAddress = z
  .string({ error: "This field is required" })
  .trim()
  .min(1, "This field is required")
  .max(2000, "An address has at most 2,000 characters")
  .transform((text, context) => {
    const whole = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`;
    const url = URL.canParse(whole) ? new URL(whole) : null;
    const wrong = (message: string) => {
      context.addIssue({ code: "custom", message });
      return z.NEVER;
    };
    if (!url || url.hostname === "") return wrong("This is not an address, e.g. https://shop.example/health");
    if (!["http:", "https:"].includes(url.protocol))
      return wrong("The address must begin with http:// or https://");
    if (url.username || url.password)
      return wrong(
        "A name and a password do not belong into an address: everybody who reads checks would see them",
      );
    return url.href;
  });

/** The first check: what to look at is all there is to say. */
export const FirstCheck = z.object({ url: WebAddress });
