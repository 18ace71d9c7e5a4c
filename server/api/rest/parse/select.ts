/** `select=`: columns, casts, aggregates, embeds and spreads (facts of PostgREST §3 and §6). */
import { AGGREGATES, type EmbedItem, type FieldItem, type SelectItem } from "./ast.ts";
import { Cursor } from "./cursor.ts";
import { FIELD_NAME, parseJsonPath, parseName } from "./name.ts";

const AFTER_COLUMN = ["letter", "digit", '"-"', '"->>"', '"->"', '"::"', '"."', '")"', '","', "end of input"];

/** Reads as much of the text as is a complete select list; what follows is ignored, unfinished text is refused. */
export function parseSelect(text: string): SelectItem[] {
  // Nothing that begins an item: an empty list, and all of it is text that follows.
  if (text === "" || ",()!:".includes(text.charAt(0))) return [star()];
  return parseItems(new Cursor(text, "select parameter"));
}

function star(): FieldItem {
  return { kind: "field", field: { name: "*", path: [] } };
}

function parseItems(cursor: Cursor): SelectItem[] {
  const items = [parseItem(cursor)];
  while (cursor.take(",")) items.push(parseItem(cursor));
  return items;
}

function parseItem(cursor: Cursor): SelectItem {
  cursor.skipBlanks();
  if (cursor.take("...")) return parseEmbed(cursor, parseName(cursor), true);
  if (cursor.take("*")) {
    cursor.skipBlanks();
    return star();
  }
  if (cursor.done || /[,).]/.test(cursor.next)) throw cursor.fail('"..."', FIELD_NAME, '"*"', '"count()"');
  const alias = parseAlias(cursor);
  const rest = alias === undefined ? {} : { alias };
  cursor.skipBlanks();
  if (cursor.take("count()")) {
    const cast = parseCast(cursor);
    const field = { name: "*", path: [] };
    return { kind: "field", field, aggregate: "count", ...rest, ...(cast && { aggregateCast: cast }) };
  }
  const name = parseName(cursor);
  if (cursor.next === "!" || cursor.next === "(") return { ...parseEmbed(cursor, name, false), ...rest };
  return { ...parseColumn(cursor, name), ...rest };
}

/** `alias:` before an item; a `::` is a cast. */
function parseAlias(cursor: Cursor): string | undefined {
  const from = cursor.at;
  const name = parseName(cursor);
  if (cursor.next === ":" && cursor.text[cursor.at + 1] !== ":") {
    cursor.at++;
    return name;
  }
  cursor.at = from;
  return undefined;
}

function parseColumn(cursor: Cursor, name: string): FieldItem {
  const item: FieldItem = { kind: "field", field: { name, path: parseJsonPath(cursor) } };
  const cast = parseCast(cursor);
  if (cast !== undefined) item.cast = cast;
  for (const aggregate of AGGREGATES) {
    if (!cursor.take(`.${aggregate}()`)) continue;
    item.aggregate = aggregate;
    const after = parseCast(cursor);
    if (after !== undefined) item.aggregateCast = after;
    break;
  }
  cursor.skipBlanks();
  if (!cursor.done && !/[,)]/.test(cursor.next)) {
    if (cursor.next !== "." && cursor.next !== ":" && cursor.next !== "-") {
      throw cursor.fail(
        "letter",
        "digit",
        '"-"',
        '"->>"',
        '"->"',
        '"::"',
        '"."',
        '")"',
        '","',
        "end of input",
      );
    }
    throw cursor.fail("letter", "digit", '"."', '"::"', '")"', '","', "end of input");
  }
  return item;
}

function parseCast(cursor: Cursor): string | undefined {
  if (!cursor.take("::")) return undefined;
  const cast = cursor.identifier().trim();
  if (cast === "") throw cursor.fail("letter", "digit", '"_"', '" "', '"$"');
  return cast;
}

/** `!hint`, `!inner`, `!left` in any order, then the embed's own select list. */
function parseEmbed(cursor: Cursor, name: string, isSpread: boolean): EmbedItem {
  const item: EmbedItem = { kind: "embed", name, isSpread, select: [] };
  for (let count = 0; count < 2 && cursor.take("!"); count++) {
    const word = parseName(cursor);
    if (word === "inner" || word === "left") item.join ??= word;
    else item.hint ??= word;
  }
  if (!cursor.take("(")) throw cursor.fail('"!"', '"("');
  cursor.skipBlanks();
  if (cursor.take(")")) {
    cursor.skipBlanks();
    return item;
  }
  item.select = parseItems(cursor);
  if (!cursor.take(")")) throw cursor.fail(...AFTER_COLUMN);
  cursor.skipBlanks();
  return item;
}
