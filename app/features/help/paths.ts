/** The documentation: its first page, one page, or one section of a page. */
export const helpPath = (page?: string, section?: string) =>
  `/help${page ? `/${page}` : ""}${section ? `#${section}` : ""}`;
