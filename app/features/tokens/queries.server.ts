import { TokenPage } from "#app/contract/rows/tokens.ts";
import { TOKENS_PAGE_SIZE } from "#app/contract/words/tokens.ts";
import type { Api } from "#app/lib/api.server.ts";
import type { TokensSearch } from "./paths.ts";

const plain = (value: string | number) => ({ op: "", value: String(value) });

/** One page of the caller's tokens, or of everybody's; the newest first. */
export const listTokens = (api: Api, { all, page }: Pick<TokensSearch, "all" | "page">) =>
  api.call("/ph/tokens", TokenPage, {
    query: {
      ...(all ? { all: plain("true") } : {}),
      limit: TOKENS_PAGE_SIZE,
      offset: (page - 1) * TOKENS_PAGE_SIZE,
    },
  });
