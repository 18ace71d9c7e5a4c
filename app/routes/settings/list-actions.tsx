import { Plus } from "lucide-react";
import { FileLinks } from "#app/features/imports/file-links.tsx";
import { newResourcePath } from "#app/features/resources/paths.ts";
import { ButtonLink } from "#app/ui/button.tsx";

/** What whoever may write can begin from a list. */
export function ListActions({ table, add, query }: { table: string; add: string; query: string }) {
  return (
    <span className="ml-auto flex flex-wrap gap-2">
      {table === "canaries" ? <FileLinks query={query} /> : null}
      <ButtonLink to={newResourcePath(table)} look="primary">
        <Plus aria-hidden="true" />
        {add}
      </ButtonLink>
    </span>
  );
}
