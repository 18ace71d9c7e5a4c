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
    suites: [vitest("tests/engines/db-rights.test.ts")],
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
    suites: [vitest("tests/engines/db-rights.test.ts")],
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
    suites: [vitest("tests/routes/every-page.test.ts")],
  },
  {
    name: "a value import of a row schema in a page",
    changes: [
      {
        file: "app/routes/health/list.tsx",
        find: 'import { NoChecks } from "./no-checks.tsx";',
        replace:
          'import * as rows from "#app/contract/rows/checks.ts";\nimport { NoChecks } from "./no-checks.tsx";\nvoid rows;',
      },
    ],
    suites: [{ run: "script", file: "boundaries" }],
  },
  {
    name: "a button without a name",
    changes: [
      {
        file: "app/ui/parts/overlay.tsx",
        find: '      aria-label="Close"\n      title="Close"\n',
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
        find: 'run: permitted(can("run:check"), run),',
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
];
