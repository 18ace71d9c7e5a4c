import { rowCount, rowsName, under, type Values } from "./values.ts";

/** One row more, empty, at the end of a list. */
export const withRow = (values: Values, path: string): Values => ({
  ...values,
  [rowsName(path)]: String(rowCount(values, path) + 1),
});

/** The same without one row: those after it move up. */
export function withoutRow(values: Values, path: string, gone: number): Values {
  const count = rowCount(values, path);
  if (!(gone >= 0 && gone < count)) return values;
  const moved = Object.entries(values).flatMap(([name, text]): [string, string][] => {
    const [, index, rest] =
      /^(\d+)([.@].*)$/.exec(name.startsWith(`${path}.`) ? name.slice(path.length + 1) : "") ?? [];
    if (index === undefined || rest === undefined) return [[name, text]];
    const row = Number(index);
    if (row === gone) return [];
    return [[row > gone ? under(path, row - 1) + rest : name, text]];
  });
  return { ...Object.fromEntries(moved), [rowsName(path)]: String(count - 1) };
}
