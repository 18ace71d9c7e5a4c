/**
 * Where the columns of a view come from: read from the rule's parse tree (`pg_rewrite.ev_action`), whose text form is
 * nested `{NODE :field value …}` and `( … )` with `\` before characters that would end a word. The form of fields
 * changes between PostgreSQL versions; the three needed here are the same from 15 to 18.
 */
export interface ColumnOrigin {
  /** The column's number in the view, from 1. */
  column: number;
  relation: string;
  originColumn: number;
}

const TOKEN = /[{}()]|(?:\\[\s\S]|[^\s{}()\\])+/g;

/** The columns of the outermost select list that are plain columns of a relation, in order. */
export function columnOrigins(tree: string): ColumnOrigin[] {
  const origins: ColumnOrigin[] = [];
  /** Depth of the select list, once seen: the outermost query is the first node, at depth 2 of the list around it. */
  let listDepth = 0;
  let depth = 0;
  let field = "";
  let entry = new Map<string, string>();
  for (const [token] of tree.matchAll(TOKEN)) {
    if (token === "{" || token === "(") {
      depth++;
      if (depth === 3 && token === "(" && field === ":targetList") listDepth = depth;
      if (listDepth > 0 && depth === listDepth + 1) entry = new Map();
    } else if (token === "}" || token === ")") {
      if (listDepth > 0 && depth === listDepth + 1) add(origins, entry);
      if (depth === listDepth) return origins;
      depth--;
    } else if (depth === 2 || (listDepth > 0 && depth === listDepth + 1)) {
      if (token.startsWith(":")) field = token;
      else if (depth > 2) entry.set(field, token);
    }
  }
  return origins;
}

function add(origins: ColumnOrigin[], entry: Map<string, string>): void {
  const relation = entry.get(":resorigtbl") ?? "0";
  if (relation === "0" || entry.get(":resjunk") === "true") return;
  const column = Number(entry.get(":resno"));
  origins.push({ column, relation, originColumn: Number(entry.get(":resorigcol")) });
}
