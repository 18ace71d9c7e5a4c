import type { LoaderFunctionArgs } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { helpPages } from "#app/features/help/pages.server.ts";
import { helpPath } from "#app/features/help/paths.ts";
import { Prose } from "#app/features/help/prose.tsx";
import type { Handle } from "#app/lib/handle.ts";

export const handle: Handle = { title: (data) => (data as { title: string } | undefined)?.title };

export function loader({ params }: LoaderFunctionArgs) {
  const pages = helpPages();
  const at = pages.findIndex(({ name }) => name === params["page"]);
  const page = pages[at];
  if (!page) throw new Response("There is no help page of this name.", { status: 404 });
  const next = pages[at + 1];
  return { ...page, next: next ? { name: next.name, title: next.title } : null };
}

export default function HelpPage() {
  const { title, html, sections, next } = useLoaderData<typeof loader>();
  return (
    <div className="grid gap-x-10 xl:grid-cols-[minmax(0,1fr)_13rem]">
      <article className="min-w-0">
        {sections.length > 1 ? (
          <nav aria-label={`Sections of ${title}`} className="mb-5 text-muted xl:hidden">
            <Sections sections={sections} className="flex flex-wrap gap-x-4 gap-y-1" />
          </nav>
        ) : null}
        <Prose html={html} />
        {next ? (
          <p className="mt-10 max-w-170 border-t border-line pt-4 text-muted">
            Next:{" "}
            <Link to={helpPath(next.name)} className="font-medium text-accent-ink hover:underline">
              {next.title}
            </Link>
          </p>
        ) : null}
      </article>
      {sections.length > 1 ? (
        <nav
          aria-label="On this page"
          className="sticky top-[calc(var(--topbar-height)+1.5rem)] self-start text-muted max-xl:hidden"
        >
          <p className="mb-2 text-xs text-faint">On this page</p>
          <Sections sections={sections} className="grid gap-1.5 border-l border-line pl-3" />
        </nav>
      ) : null}
    </div>
  );
}

function Sections({ sections, className }: { sections: { id: string; label: string }[]; className: string }) {
  return (
    <ul className={className}>
      {sections.map(({ id, label }) => (
        <li key={id}>
          <a href={`#${id}`} className="hover:text-ink hover:underline">
            {label}
          </a>
        </li>
      ))}
    </ul>
  );
}
