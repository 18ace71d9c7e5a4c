/** One way to break the product, and the part of `npm test` that must notice. */
export interface Mutant {
  name: string;
  /** Each text must occur exactly once in its file, and is replaced. A file that does not exist is made. */
  changes: readonly { file: string; find: string; replace: string }[];
  /** What is run on the broken copy, in this order, until one fails. */
  suites: readonly Suite[];
}
/** A Vitest file, a journey, or a script of package.json; `build` first where the suite runs the built product. */
export type Suite =
  { run: "vitest" | "journeys"; file: string; build?: boolean } | { run: "script"; file: string };

const vitest = (file: string, build = false): Suite => ({ run: "vitest", file, build });

export const MUTANTS: readonly Mutant[] = [
  {
    name: "a grant widened in the table of access",
    changes: [
      {
        file: "app/contract/access.ts",
        find: "viewer: { read: { except: PRIVATE }, write: { only: [] }, runCheck: false }",
        replace: 'viewer: { read: { except: PRIVATE }, write: { only: ["canaries"] }, runCheck: false }',
      },
    ],
    suites: [vitest("tests/matrix/sql.test.ts")],
  },
  {
    name: "a relation guarded by the wrong resource",
    changes: [
      {
        file: "app/contract/relations.ts",
        find: '["people", { read: "database", write: "identities" }]',
        replace: '["people", { read: "database", write: "database" }]',
      },
    ],
    suites: [vitest("tests/matrix/sql.test.ts")],
  },
  {
    name: "a GRANT in SQL that the tables do not know",
    changes: [
      {
        file: "server/db/migrations/0005_health.sql",
        find: "create index canaries_source_idx on public.canaries (source);",
        replace:
          "create index canaries_source_idx on public.canaries (source);\ngrant select, insert on public.canaries to public;",
      },
    ],
    suites: [vitest("tests/engines/db-schema.test.ts")],
  },
  {
    name: "a route without a line in the access matrix",
    changes: [
      {
        file: "app/routes.ts",
        find: '  route("logout", "routes/auth/logout.tsx"),',
        replace: '  route("logout", "routes/auth/logout.tsx"),\n  route("extra", "routes/extra.tsx"),',
      },
      {
        file: "app/routes/extra.tsx",
        find: "",
        replace: "export default function ExtraPage() {\n  return null;\n}\n",
      },
    ],
    suites: [vitest("tests/matrix/complete.test.ts")],
  },
  {
    name: "a value import of a row schema in a page",
    changes: [
      {
        file: "app/routes/health/list.tsx",
        find: 'import { HealthBody } from "./body.tsx";',
        replace:
          'import * as rows from "#app/contract/rows/checks.ts";\nimport { HealthBody } from "./body.tsx";\nvoid rows;',
      },
    ],
    suites: [{ run: "script", file: "boundaries" }],
  },
  {
    name: "a button without a name",
    changes: [
      {
        file: "app/ui/parts/overlay.tsx",
        find: "      aria-label={label}\n      title={label}\n",
        replace: "",
      },
    ],
    suites: [{ run: "journeys", file: "axe.spec.ts", build: true }],
  },
  {
    name: "a name in SQL that is not escaped",
    changes: [
      {
        file: "server/api/rest/sql/sql.ts",
        find: `return \`"\${cut(name).replaceAll('"', '""')}"\`;`,
        replace: 'return `"${cut(name)}"`;',
      },
    ],
    suites: [vitest("tests/contract/rest/postgrest.test.ts")],
  },
  {
    name: "a filter without a parameter",
    changes: [
      {
        file: "server/api/rest/sql/sql.ts",
        find: "    this.values.push(cut(value));\n    return `$${this.values.length}`;",
        replace: "    return `'${cut(value)}'`;",
      },
    ],
    suites: [vitest("tests/contract/rest/postgrest.test.ts")],
  },
  {
    name: "a write that may come from another site",
    changes: [
      {
        file: "app/lib/origin.server.ts",
        find: "  if (!isFromThisSite(facts, env().publicUrl))\n",
        replace: "  if (facts.method === 'NEVER' && !isFromThisSite(facts, env().publicUrl))\n",
      },
    ],
    suites: [vitest("tests/routes/proxy.test.ts", true)],
  },
  {
    name: "an action without its permission",
    changes: [
      {
        file: "app/routes/health/list.tsx",
        find: 'run: permitted(own ? own("run") : can("run:check"), run),',
        replace: "run: permitted(true, run),",
      },
    ],
    suites: [vitest("tests/routes/health.test.ts", true)],
  },
  {
    name: "a due check that is not moved on when it is claimed",
    changes: [
      {
        file: "server/engines/checks/store.ts",
        find: "set next_runtime = turn.next, claimed_instant",
        replace: "set next_runtime = state.next_runtime, claimed_instant",
      },
    ],
    suites: [vitest("tests/engines/checks-engine.test.ts")],
  },
  {
    name: "an embed that nobody checked against the tables of access",
    changes: [
      {
        file: "server/api/db.ts",
        find: 'if (!access) return "unknown";',
        replace: 'if (!access) return "yes";',
      },
    ],
    suites: [vitest("server/api/db.test.ts")],
  },
  // One for each of the four places that rights are in; the others must notice.
  {
    name: "a page opened to whoever may only read",
    changes: [
      {
        file: "app/routes/settings/canaries-import.tsx",
        find: 'const { backend } = await authorize(args, "write:canaries"',
        replace: 'const { backend } = await authorize(args, "read:canaries"',
      },
    ],
    suites: [vitest("tests/matrix/product.test.ts", true)],
  },
  {
    name: "an action opened to whoever may only read",
    changes: [
      {
        file: "app/routes/settings/canary-notify.tsx",
        find: 'const { api } = await authorize(args, "write:notifications"',
        replace: 'const { api } = await authorize(args, "read:notifications"',
      },
    ],
    suites: [vitest("tests/matrix/product.test.ts", true)],
  },
  {
    name: "buttons drawn for whoever may not press them",
    changes: [
      {
        file: "app/routes/settings/resource-list.tsx",
        find: "canWrite: can(`write:${kind.access}`),",
        replace: "canWrite: true,",
      },
    ],
    suites: [vitest("tests/matrix/product.test.ts", true)],
  },
  {
    name: "a path of the API opened to whoever may only read",
    changes: [
      {
        file: "server/api/webhook.ts",
        find: 'path: "/canary/api/push", who: "write:canaries"',
        replace: 'path: "/canary/api/push", who: "read:canaries"',
      },
    ],
    suites: [vitest("tests/matrix/complete.test.ts")],
  },
  {
    name: "/db lets everybody write and leaves it to PostgreSQL to refuse",
    changes: [
      {
        file: "server/api/db.ts",
        find: 'return access.write !== null && may([role], `write:${access.write}`) ? "yes" : "no";',
        replace: 'return access.write !== null ? "yes" : "no";',
      },
    ],
    suites: [vitest("tests/matrix/complete.test.ts")],
  },
  {
    name: "PostgreSQL lets everybody write and leaves it to /db to refuse",
    changes: [
      {
        file: "server/db/grants.ts",
        find: "const write = mayWrite(role, access.write);",
        replace: "const write = access.write !== null;",
      },
    ],
    suites: [vitest("tests/matrix/sql.test.ts")],
  },
  {
    name: "an agent's token taken for a person's",
    changes: [
      { file: "server/api/router.ts", find: "      ? agents\n", replace: "      ? agents || true\n" },
    ],
    suites: [vitest("tests/matrix/product.test.ts", true)],
  },
  {
    name: "an intent without a line in the matrix",
    changes: [
      {
        file: "app/routes/settings/canary-notify.tsx",
        find: "    remove: on(ChosenRule,",
        replace: '    purge: on(ChosenRule, async () => ({ to, toast: "" })),\n    remove: on(ChosenRule,',
      },
    ],
    suites: [vitest("tests/matrix/complete.test.ts")],
  },
  {
    name: "a path of the API without a line in the matrix",
    changes: [
      {
        file: "server/api/ops.ts",
        find: '{ method: "GET", path: "/health", who: "anyone", handler: (c) => c.text("OK") },',
        replace:
          '{ method: "GET", path: "/health", who: "anyone", handler: (c) => c.text("OK") },\n    { method: "GET", path: "/healthy", who: "anyone", handler: (c) => c.text("OK") },',
      },
    ],
    suites: [vitest("tests/matrix/complete.test.ts")],
  },
  {
    name: "a table that people write and the audit log does not know",
    changes: [{ file: "server/db/migrations/0089_audit.sql", find: "'public.team_members', ", replace: "" }],
    suites: [vitest("tests/engines/audit.test.ts")],
  },
  {
    name: "secrets in the audit log",
    changes: [
      {
        file: "server/db/migrations/0097_audit_price.sql",
        find: "    return part || internal.without_secrets(telling);",
        replace: "    return part;",
      },
    ],
    suites: [vitest("tests/engines/audit.test.ts")],
  },
];
