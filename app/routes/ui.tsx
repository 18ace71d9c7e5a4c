import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { Form, useLoaderData } from "@remix-run/react";
import { THEMES } from "#app/contract/words/preferences.ts";
import { env } from "#app/lib/env.server.ts";
import type { Handle } from "#app/lib/handle.ts";
import { requireThisSite } from "#app/lib/origin.server.ts";
import { preferencesOf } from "#app/lib/preferences.server.ts";
import { tidy } from "#app/lib/tidy.server.ts";
import { redirectWithToast } from "#app/lib/toast.server.ts";
import { buttonClass } from "#app/ui/button.tsx";
import { BrandMark } from "#app/ui/frame/brand.tsx";
import { Page } from "#app/ui/frame/page.tsx";
import { capitalised } from "#app/ui/marks/status.tsx";
import { Buttons } from "./ui/buttons.tsx";
import { Charts } from "./ui/charts.tsx";
import { exampleCharts } from "./ui/charts.server.ts";
import { CodeExamples } from "./ui/code.tsx";
import { Fields } from "./ui/fields.tsx";
import { Filters } from "./ui/filters.tsx";
import { Marks } from "./ui/marks.tsx";
import { Overlays } from "./ui/overlays.tsx";
import { Panels } from "./ui/panels.tsx";
import { uiPath, uiSearch } from "./ui/search.ts";
import { Tables } from "./ui/tables.tsx";

export const handle: Handle = { title: "Design system" };

/** In development only: the whole design system in its states, for the eye and for pictures. */
export function loader({ request }: LoaderFunctionArgs) {
  if (!env().showsUi) throw new Response("Page not found", { status: 404 });
  const search = uiSearch.read(request);
  tidy(request, uiPath(search));
  return { search, theme: preferencesOf(request).theme, charts: exampleCharts() };
}

export async function action({ request }: ActionFunctionArgs) {
  if (!env().showsUi) throw new Response("Page not found", { status: 404 });
  requireThisSite(request);
  const isGood = (await request.formData()).get("intent") === "succeed";
  return redirectWithToast(
    "/ui#overlays",
    isGood
      ? { type: "success", message: "Saved" }
      : { type: "error", message: "Not saved: the server said no" },
  );
}

const SECTIONS = [
  "marks",
  "buttons",
  "filters",
  "fields",
  "tables",
  "panels",
  "charts",
  "code",
  "overlays",
] as const;

export default function UiPage() {
  const { search, theme, charts } = useLoaderData<typeof loader>();
  return (
    <>
      <header className="sticky top-0 z-(--layer-sidebar) flex min-h-(--topbar-height) flex-wrap items-center gap-x-4 gap-y-1 border-b border-line bg-canvas px-5 py-1 max-sm:static max-sm:px-3">
        <BrandMark />
        <h1 className="text-base">Design system</h1>
        <nav aria-label="Sections" className="flex flex-wrap gap-x-3 text-muted">
          {SECTIONS.map((name) => (
            <a key={name} href={`#${name}`} className="inline-flex min-h-6 items-center hover:text-ink">
              {capitalised(name)}
            </a>
          ))}
        </nav>
        <Form method="post" action="/preferences" className="ml-auto flex flex-wrap gap-1">
          <input type="hidden" name="return_to" value="/ui" />
          {THEMES.map((name) => (
            <button
              key={name}
              name="theme"
              value={name}
              aria-pressed={name === theme}
              className={buttonClass({ size: "small", look: name === theme ? "secondary" : "quiet" })}
            >
              {capitalised(name)}
            </button>
          ))}
        </Form>
      </header>
      <main>
        <Page>
          <Marks />
          <Buttons />
          <Filters search={search} />
          <Fields />
          <Tables search={search} />
          <Panels />
          <Charts charts={charts} />
          <CodeExamples />
          <Overlays search={search} />
        </Page>
      </main>
    </>
  );
}
