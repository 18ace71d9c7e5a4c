import { withCheckFields } from "./check-fields.server.ts";
import { render, type Document } from "./markdown.server.ts";

/** The pages in the order they are read; each is `docs/help/<name>.md`. */
const ORDER = [
  "getting-started",
  "health",
  "checks",
  "check-types",
  "heartbeats",
  "be-told",
  "expressions",
  "files",
  "coming-from",
  "roles",
  "users",
  "permissions",
  "kubeconfig",
  "running",
  "demo",
  "backup",
] as const;

/** Read while building, so that the documentation is part of the product wherever it runs. */
const SOURCES = import.meta.glob<string>("../../../docs/help/*.md", {
  query: "?raw",
  import: "default",
  eager: true,
});

export interface HelpPage extends Document {
  name: string;
}

/** Every page, rendered when the first is asked for: there are few, they never change, and no start waits for them. */
export const helpPages = (): readonly HelpPage[] => (rendered ??= ORDER.map(renderPage));
let rendered: readonly HelpPage[] | undefined;

function renderPage(name: (typeof ORDER)[number]): HelpPage {
  const source = SOURCES[`../../../docs/help/${name}.md`];
  if (source === undefined) throw new Error(`docs/help/${name}.md is missing.`);
  return { name, ...render(name === "check-types" ? withCheckFields(source) : source) };
}

/** Names of files beside the listed ones, which nobody would find; a test keeps this empty. */
export const unlisted = (): string[] =>
  Object.keys(SOURCES)
    .map((path) => path.replace(/^.*\/(.+)\.md$/, "$1"))
    .filter((name) => !ORDER.some((known) => known === name));
