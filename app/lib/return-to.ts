const ANYWHERE = "http://same.origin";

/** A path of this site to go back to, or null. Never another site's: not `//host`, `/\host` or a control character. */
export function safeReturnTo(value: string | null | undefined): string | null {
  if (!value || !/^\/(?![/\\])/.test(value) || /[\u0000-\u0020\u007f\\]/.test(value)) return null;
  if (!URL.canParse(value, ANYWHERE)) return null;
  const url = new URL(value, ANYWHERE);
  if (url.origin !== ANYWHERE || url.pathname.startsWith("//")) return null; // `/.//host` normalises to `//host`
  return url.pathname + url.search + url.hash;
}

/** The same page's address without the parameters a data request adds, to come back to after signing in. */
export function pathOf(request: Request): string {
  const { pathname, searchParams } = new URL(request.url);
  for (const name of ["_routes", "_data", "index"]) searchParams.delete(name);
  const query = searchParams.toString();
  return query ? `${pathname}?${query}` : pathname;
}
