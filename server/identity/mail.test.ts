import { describe, expect, it } from "vitest";
import { invitationMail, recoveryMail, verificationMail } from "./mail.ts";

describe("a mail", () => {
  it.each([recoveryMail, verificationMail])(
    "says its code alone on a line, and how long it holds",
    (make) => {
      const { text, html } = make({ code: "012345", minutes: 15 });
      expect(text).toMatch(/^012345$/m);
      expect(text).toContain("15 minutes");
      expect(html).toContain(">012345</p>");
    },
  );

  it("escapes what stands in its HTML, not in its text", () => {
    const link = 'https://x.example/registration?setup=a&b="><script>';
    const { text, html } = invitationMail({ link, days: 7 });
    expect(text).toContain(`\n${link}\n`);
    expect(html).not.toContain("<script>");
    expect(html).toContain("setup=a&amp;b=&quot;&gt;&lt;script&gt;");
  });
});
