/** `order=`: terms with directions, by a column of the row or of a to-one embed (facts of PostgREST §8). */
import type { OrderTerm } from "./ast.ts";
import { Cursor } from "./cursor.ts";
import { parseField, parseName } from "./name.ts";

export function parseOrder(text: string): OrderTerm[] {
  const cursor = new Cursor(text, "order");
  const terms = [parseTerm(cursor)];
  while (cursor.take(",")) terms.push(parseTerm(cursor));
  return terms;
}

function parseTerm(cursor: Cursor): OrderTerm {
  const term = parseSubject(cursor);
  cursor.skipBlanks();
  if (cursor.take(".asc")) term.direction = "asc";
  else if (cursor.take(".desc")) term.direction = "desc";
  if (cursor.take(".nullsfirst")) term.nulls = "first";
  else if (cursor.take(".nullslast")) term.nulls = "last";
  if (cursor.done || cursor.next === ",") return term;
  const words = ['"nullsfirst"', '"nullslast"'];
  if (term.direction === undefined && term.nulls === undefined) words.unshift('"asc"', '"desc"');
  if (cursor.next === ".") cursor.at++;
  throw term.nulls === undefined ? cursor.fail(...words) : cursor.fail('","', "end of input");
}

function parseSubject(cursor: Cursor): OrderTerm {
  const from = cursor.at;
  const relation = parseName(cursor);
  if (cursor.take("(")) {
    const field = parseField(cursor);
    if (!cursor.take(")")) throw cursor.fail('")"');
    return { relation, field };
  }
  cursor.at = from;
  return { field: parseField(cursor) };
}
