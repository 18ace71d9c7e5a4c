/** Names, JSON paths and columns lists: the parts that every other parser of the grammar shares. */
import type { Field, JsonStep } from "./ast.ts";
import type { Cursor } from "./cursor.ts";

export const FIELD_NAME = "field name (* or [a..z0..9_$])";

const INDEX = /-?\d+(?=->|::|\.|,|$)/y;

/** A quoted name, or identifiers joined by dashes; blanks around it belong to nothing. */
export function parseName(cursor: Cursor): string {
  cursor.skipBlanks();
  const quoted = cursor.quoted();
  if (quoted !== null) {
    cursor.skipBlanks();
    return quoted;
  }
  let name = cursor.identifier();
  if (name.trim() === "") throw cursor.fail(FIELD_NAME);
  while (cursor.next === "-" && cursor.text[cursor.at + 1] !== ">") {
    const before = cursor.at;
    cursor.at++;
    const more = cursor.identifier();
    if (more === "") {
      cursor.at = before;
      break;
    }
    name += `-${more}`;
  }
  return name.trim();
}

/** `->key`, `->>key`, `->0`: an index only where the step ends there. */
export function parseJsonPath(cursor: Cursor): JsonStep[] {
  const path: JsonStep[] = [];
  for (;;) {
    const arrow = cursor.take("->>") ? "->>" : cursor.take("->") ? "->" : null;
    if (arrow === null) return path;
    INDEX.lastIndex = cursor.at;
    const index = INDEX.exec(cursor.text)?.[0];
    if (index !== undefined) {
      cursor.at += index.length;
      path.push({ arrow, key: index, isIndex: true });
      continue;
    }
    const key = cursor.quoted() ?? dashedKey(cursor);
    if (key === "") throw cursor.fail('"-"', "digit", "any non reserved character different from: .,>()");
    path.push({ arrow, key, isIndex: false });
  }
}

function dashedKey(cursor: Cursor): string {
  let key = cursor.until("(-:.,>)");
  while (key !== "" && cursor.next === "-" && cursor.text[cursor.at + 1] !== ">") {
    cursor.at++;
    key += `-${cursor.until("(-:.,>)")}`;
  }
  return key;
}

export function parseField(cursor: Cursor): Field {
  const name = parseName(cursor);
  const path = parseJsonPath(cursor);
  cursor.skipBlanks();
  return { name, path };
}

/** A comma list of names; whatever follows the last complete one is ignored. */
export function parseNames(cursor: Cursor): string[] {
  const names = [parseName(cursor)];
  while (cursor.take(",")) names.push(parseName(cursor));
  return names;
}
