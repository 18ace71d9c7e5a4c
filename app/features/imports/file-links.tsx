import { ButtonLink } from "#app/ui/button.tsx";
import { exportPath, importPath } from "./paths.ts";

/** In from files, and out to a file: what the search found. */
export function FileLinks({ query }: { query: string }) {
  return (
    <>
      <ButtonLink to={exportPath({ query })} reloadDocument look="quiet">
        Export
      </ButtonLink>
      <ButtonLink to={importPath()}>Import</ButtonLink>
    </>
  );
}
