import type { Case } from "../case.ts";
import { embeds } from "./embeds.ts";
import { filters } from "./filters.ts";
import { functions } from "./functions.ts";
import { grammar } from "./grammar.ts";
import { interfaceCalls } from "./interface.ts";
import { paging } from "./paging.ts";
import { writes } from "./writes.ts";

/** Every comparison on the fixture schema, in the order of the facts. */
export const CASES: Case[] = [
  ...grammar,
  ...filters,
  ...embeds,
  ...paging,
  ...writes,
  ...functions,
  ...interfaceCalls,
];
