import { describe, expect, test } from "vitest";
import { may, RESOURCES, ROLES, type Role } from "#app/contract/access.ts";
import { commonFields } from "#app/contract/specs/checks/common.ts";
import { checkKinds } from "#app/contract/specs/checks/index.ts";
import { render, slugOf } from "./markdown.server.ts";
import { helpPages, unlisted } from "./pages.server.ts";

describe("Markdown", () => {
  test("gives the title, the first words and the sections apart", () => {
    const page = render("# A *title*\n\nFirst `words`.\n\n## One & two\n\nMore.\n\n### Deeper\n\n## Three");
    expect(page).toMatchObject({
      title: "A title",
      summary: "First words.",
      sections: [
        { id: "one-two", label: "One & two" },
        { id: "three", label: "Three" },
      ],
    });
    expect(page.html).not.toContain("<h1");
    expect(page.html).toContain('<h2 id="one-two">One &amp; two <a href="#one-two"');
  });

  test.each([
    ["<script>alert(1)</script>", "&lt;script&gt;"],
    ["a <img src=x onerror=alert(1)> b", "&lt;img src=x onerror"],
    ["[words](javascript:alert(1))", "<p>words</p>"],
    ["[words](//evil.example)", "<p>words</p>"],
    ["[words](data:text/html,x)", "<p>words</p>"],
    ['[words](https://a.example/"onmouseover="x)', "&quot;onmouseover"],
    ["![words](https://a.example/x.png)", "<p>words</p>"],
    ["`<b>`", "<code>&lt;b&gt;</code>"],
    ["    <b>\n", "&lt;b&gt;"],
    ['## <b onclick="x">B</b>', "&lt;b onclick"],
    ["| <i>a</i> |\n|---|\n| <u>b</u> |", "<td>&lt;u&gt;b&lt;/u&gt;</td>"],
  ])("lets no markup of %j through", (source, expected) => {
    const { html } = render(source);
    expect(html).toContain(expected);
    expect(html).not.toMatch(/<(script|img|b|i|u)\b|<[^>]+\son\w+=["']/);
  });

  test("keeps links to this site and to others, the latter without a referrer", () => {
    const { html } = render("[a](/health) [b](#here) [c](https://example.com)");
    expect(html).toContain('<a href="/health">a</a> <a href="#here">b</a>');
    expect(html).toContain('<a href="https://example.com" rel="noopener noreferrer">c</a>');
  });
});

describe("the documentation", () => {
  const byName = new Map(helpPages().map((page) => [page.name, page]));

  test("lists every file", () => expect(unlisted()).toEqual([]));

  test.each(helpPages())("$name has a title, a first sentence and only links that lead somewhere", (page) => {
    expect(page.title).not.toBe("");
    expect(page.summary).not.toBe("");
    const ids = page.sections.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, href = ""] of page.html.matchAll(/href="([^"]+)"/g)) {
      const [path = "", section] = href.split("#");
      const target = path === "" ? page : byName.get(/^\/help\/(.+)$/.exec(path)?.[1] ?? "");
      if (path !== "" && path !== "/health") expect(target, href).toBeDefined();
      if (section && target) expect(target.html, href).toContain(`id="${section}"`);
    }
  });

  test("lists every field of every type of check", () => {
    const { html, sections } = byName.get("check-types")!;
    const labels = sections.map(({ label }) => label);
    for (const [type, { fields }] of checkKinds) {
      expect(labels).toContain(type);
      for (const name of Object.keys(fields))
        if (!Object.hasOwn(commonFields, name)) expect(html).toContain(`<code>${name}</code>`);
    }
    expect(html).toContain("<td><code>tlsConfig.ca</code></td><td>Certificate authority. PEM");
    expect(html).not.toContain("fields:");
  });

  test("says of each role what the access table says", () => {
    const { html } = byName.get("roles")!;
    for (const role of ROLES) {
      const [, reads = "", writes = ""] =
        new RegExp(`<td>${role}</td><td>([^<]*)</td><td>([^<]*)</td>`).exec(html) ?? [];
      expect(claimed(reads), `${role} reads`).toEqual(granted(role, "read"));
      expect(claimed(writes), `${role} writes`).toEqual(granted(role, "write"));
    }
  });
});

const NAMES: Record<string, string> = {
  roles: "rbac",
  identities: "identities",
  connections: "connections",
  responders: "responder",
  incidents: "incident",
  evidence: "evidences",
  comments: "comments",
};
/** The resources that a cell of the table speaks of. */
function claimed(words: string): string[] {
  if (words === "everything") return [...RESOURCES].sort();
  if (words === "nothing") return [];
  const [, rest = ""] = words.split("everything but ");
  const named = (rest || words).split(/, | and /).map((word) => NAMES[word] ?? `unknown: ${word}`);
  return (rest ? RESOURCES.filter((resource) => !named.includes(resource)) : named).sort();
}
const granted = (role: Role, verb: "read" | "write") =>
  RESOURCES.filter((resource) => may([role], `${verb}:${resource}`)).sort();

test("a heading's anchor is made of its words", () => {
  expect(slugOf("“Upstream is away” — 2nd")).toBe("upstream-is-away-2nd");
});
