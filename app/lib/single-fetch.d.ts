import "@remix-run/node";

declare module "@remix-run/node" {
  /** Types of loader data as single fetch delivers them: dates stay dates. */
  interface Future {
    v3_singleFetch: true;
  }
}
