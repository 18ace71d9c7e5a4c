/** Every function that an expression may call besides CEL's own (facts: engines §2). */
import type { CelFunc } from "@bufbuild/cel";
import { optionalFunctions } from "../optional.ts";
import { collections } from "./collections.ts";
import { data } from "./data.ts";
import { jq } from "./jq.ts";
import { kubernetes } from "./kubernetes.ts";
import { mathematics } from "./mathematics.ts";
import { misc } from "./misc.ts";
import { paths } from "./paths.ts";
import { random } from "./random.ts";
import { regexps } from "./regexps.ts";
import { strings } from "./strings.ts";
import { times } from "./times.ts";

export const functions: CelFunc[] = [
  ...strings,
  ...collections,
  ...data,
  ...jq,
  ...kubernetes,
  ...mathematics,
  ...misc,
  ...paths,
  ...random,
  ...regexps,
  ...times,
  ...optionalFunctions,
];
