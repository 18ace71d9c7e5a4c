import { flag, search, text, type SearchOf } from "#app/lib/search.ts";

/** The query of the page of feature flags: which dialog is open over it. */
export const flagsSearch = search({
  add: flag(false),
  /** The name of the property that is edited. */
  edit: text(),
});

export const flagsPath = (values?: Partial<SearchOf<typeof flagsSearch>>) =>
  flagsSearch.href("/settings/feature-flags", values);
