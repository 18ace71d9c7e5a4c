import { flag, oneOf, search, text, type SearchOf } from "#app/lib/search.ts";

/** The query of one team's page. */
export const teamSearch = search({
  tab: oneOf(["spec", "manageTeam"], "spec"),
  /** The dialog that adds members. */
  add: flag(false),
  /** What its list is narrowed to. */
  query: text(),
  confirm: oneOf(["", "delete"], ""),
});
type TeamSearch = SearchOf<typeof teamSearch>;

export const teamPath = (id: string, values?: Partial<TeamSearch>) =>
  teamSearch.href(`/settings/teams/${encodeURIComponent(id)}`, values);
