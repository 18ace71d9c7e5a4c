import { flag, int, search, text, type SearchOf } from "#app/lib/search.ts";

/** The query of the page of access tokens. */
export const tokensSearch = search({
  /** Everybody's, for administrators. */
  all: flag(false),
  page: int(1, { min: 1 }),
  add: flag(false),
  /** The token that is asked about before it is revoked. */
  revoke: text(),
});
export type TokensSearch = SearchOf<typeof tokensSearch>;

export const tokensPath = (values?: Partial<TokensSearch>) => tokensSearch.href("/settings/tokens", values);
