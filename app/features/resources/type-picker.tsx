import { Link } from "@remix-run/react";
import { Braces } from "lucide-react";
import type { ReactNode } from "react";
import { CheckIcon } from "#app/features/checks/check-icon.tsx";
import { newResourcePath } from "./paths.ts";

/** A type that can be chosen, and whether this version runs it. */
export interface TypeChoice {
  type: string;
  label: string;
  runs: boolean;
}

/** What is it to be? A card for each type by alphabet; what is not run here is said, and comes after. */
export function TypePicker({ table, types }: { table: string; types: readonly TypeChoice[] }) {
  const sorted = [...types].sort((one, other) => one.label.localeCompare(other.label, "en"));
  const groups = [
    { title: "Run here", types: sorted.filter(({ runs }) => runs) },
    { title: "Kept, but not run by this version", types: sorted.filter(({ runs }) => !runs) },
  ];
  return (
    <div className="grid gap-6">
      {groups.map((group, index) => (
        <section key={group.title} className="grid gap-2">
          <h2 className="text-muted">{group.title}</h2>
          <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,11rem),1fr))] gap-2">
            {group.types.map(({ type, label }) => (
              <TypeCard
                key={type}
                to={newResourcePath(table, type)}
                label={label}
                icon={<CheckIcon type={type} />}
              />
            ))}
            {index === 0 ? (
              <TypeCard
                to={newResourcePath(table, "custom")}
                label="Custom"
                icon={<Braces aria-hidden="true" className="size-4 flex-none text-faint" />}
              />
            ) : null}
          </ul>
        </section>
      ))}
    </div>
  );
}

function TypeCard({ to, label, icon }: { to: string; label: string; icon: ReactNode }) {
  return (
    <li>
      <Link
        to={to}
        className="flex min-h-12 items-center gap-3 rounded-lg border border-line bg-surface px-4 py-2 font-medium hover:border-control hover:bg-hover"
      >
        {icon}
        {label}
      </Link>
    </li>
  );
}
