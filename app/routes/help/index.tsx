import { Link, useLoaderData } from "@remix-run/react";
import { helpPages } from "#app/features/help/pages.server.ts";
import { helpPath } from "#app/features/help/paths.ts";

export function loader() {
  return { pages: helpPages().map(({ name, title, summary }) => ({ name, title, summary })) };
}

/** What there is to read, each page with its first sentence. */
export default function HelpIndexPage() {
  const { pages } = useLoaderData<typeof loader>();
  return (
    <ul className="grid max-w-220 gap-x-8 gap-y-5 sm:grid-cols-2">
      {pages.map(({ name, title, summary }) => (
        <li key={name}>
          <h2 className="text-lg">
            <Link to={helpPath(name)} className="text-accent-ink hover:underline">
              {title}
            </Link>
          </h2>
          <p className="mt-0.5 text-muted">{summary}</p>
        </li>
      ))}
    </ul>
  );
}
