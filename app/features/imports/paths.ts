/** Where canaries come in and go out as files. `only` narrows the export: one by its id, or those a search finds. */
export const importPath = () => "/settings/canaries/import";

export function exportPath(only: { id?: string; query?: string } = {}): string {
  const query = new URLSearchParams(Object.entries(only).filter(([, value]) => value));
  return `/settings/canaries/export.yaml${query.size > 0 ? `?${query.toString()}` : ""}`;
}
