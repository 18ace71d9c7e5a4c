import { Marked, type Tokens } from "marked";

/** A page of documentation, ready to draw. `html` holds only what this module wrote: no markup of the source survives. */
export interface Document {
  /** The text's own first heading. */
  title: string;
  /** Its first paragraph, as words. */
  summary: string;
  html: string;
  /** Its second-level headings, for the table of contents. */
  sections: { id: string; label: string }[];
}

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);

/** Where a link of a document may lead: this site, or another one by http(s). Everything else is only its words. */
const isSafe = (href: string) => /^(\/(?![/\\])|#|https?:\/\/)/i.test(href) && !/[\s\\]/.test(href);

/** The anchor of a heading: "Roles & rights" is `roles-rights`. */
export const slugOf = (words: string): string =>
  words
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");

/**
 * Markdown to HTML: raw HTML is shown as text, links lead to safe places, pictures are their words, every heading has an
 * anchor, and what may be wider than a phone scrolls by itself.
 */
export function render(markdown: string): Document {
  const sections: Document["sections"] = [];
  let title = "";
  let summary = "";
  let section = "";
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth, text }) {
        const words = plain(tokens);
        section = words;
        if (depth === 1) {
          title ||= words;
          return "";
        }
        const id = slugOf(words);
        if (depth === 2) sections.push({ id, label: words });
        const anchor = `<a href="#${id}" class="anchor" aria-label="Link to ${escaped(words)}">#</a>`;
        return `<h${depth} id="${id}">${text ? this.parser.parseInline(tokens) : ""} ${anchor}</h${depth}>\n`;
      },
      paragraph({ tokens }) {
        summary ||= plain(tokens);
        return `<p>${this.parser.parseInline(tokens)}</p>\n`;
      },
      html: ({ text }) => escaped(text),
      image: ({ text }) => escaped(text),
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens);
        if (!isSafe(href)) return words;
        const elsewhere = /^https?:/i.test(href) ? ' rel="noopener noreferrer"' : "";
        return `<a href="${escaped(href)}"${elsewhere}>${words}</a>`;
      },
      code: ({ text }) => `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`,
      codespan: ({ text }) => `<code>${escaped(text)}</code>`,
      table(token) {
        const row = (cells: Tokens.TableCell[], tag: string) =>
          `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join("")}</tr>`;
        const head = `<thead>${row(token.header, "th")}</thead>`;
        const body = `<tbody>${token.rows.map((cells) => row(cells, "td")).join("")}</tbody>`;
        return `<div class="scroll" tabindex="0" role="group" aria-label="Table: ${escaped(section)}"><table>${head}${body}</table></div>\n`;
      },
    },
  });
  const html = marked.parse(markdown, { async: false });
  return { title, summary, html, sections };
}

/** The words of inline tokens, without their marks. */
function plain(tokens: readonly object[]): string {
  return tokens
    .map((token) => {
      const { tokens: inner, text = "" } = token as { tokens?: object[]; text?: string };
      return inner ? plain(inner) : text;
    })
    .join("");
}
