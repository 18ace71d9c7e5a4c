/** Who may import whom (docs/ARCHITECTURE.md). Read it as the layer cake: each entry lists all it may use. */
const MAY_USE = {
  "app/contract": ["app/contract"],
  "app/lib": ["app/lib", "app/contract"],
  "app/ui": ["app/ui", "app/lib/search.ts", "app/lib/format/"],
  "app/features": ["app/features", "app/ui", "app/lib", "app/contract"],
  "app/routes": ["app/routes", "app/features", "app/ui", "app/lib", "app/contract"],
  "server/observe": ["server/observe"],
  "server/db": ["server/db", "server/observe", "app/contract"],
  "server/mail": ["server/mail"],
  "server/engines": ["server/engines", "server/mail", "server/db", "server/observe", "app/contract"],
  "server/identity": ["server/identity", "server/mail", "server/db", "server/observe", "app/contract"],
  "server/import": ["server/import", "server/engines", "server/db", "server/observe", "app/contract"],
  "server/api": [
    "server/api",
    "server/import",
    "server/engines",
    "server/identity",
    "server/db",
    "server/observe",
    "app/contract",
  ],
};
const layers = Object.entries(MAY_USE).map(([from, to]) => ({
  name: `${from} uses only ${to.join(", ")}`,
  severity: "error",
  from: { path: `^${from}(/|\\.)`, pathNot: "\\.test\\.tsx?$" },
  to: { path: "^(app|server|tests)/", pathNot: to.map((path) => `^${path}`) },
}));
const apart = (name, folder) => ({
  name,
  severity: "error",
  from: { path: `^${folder}/([^/]+)/` },
  to: { path: `^${folder}/[^/]+/`, pathNot: `^${folder}/$1/` },
});

module.exports = {
  forbidden: [
    ...layers,
    {
      name: "app never imports server",
      severity: "error",
      from: { path: "^app/" },
      to: { path: "^server/" },
    },
    apart("pages do not import pages of another area", "app/routes"),
    {
      ...apart("engines meet in the database, not in imports", "server/engines"),
      to: {
        path: "^server/engines/[^/]+/",
        pathNot: ["^server/engines/$1/", "^server/engines/expressions/index\\.ts$"], // a library, no engine
      },
    },
    {
      name: "schemas and field tables stay on the server",
      severity: "error",
      from: { path: "^app/(routes|features|ui)/", pathNot: "\\.server\\.ts$|\\.test\\.tsx?$" },
      to: {
        path: "^app/contract/(rows/|specs/|fields\\.|(env-var|value-fields)\\.|view\\.)",
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "only authorize() makes an api",
      severity: "error",
      from: { pathNot: "/authorize\\.server\\.ts$|\\.test\\.tsx?$" },
      to: { path: "/api\\.server\\.ts$", dependencyTypesNot: ["type-only"] },
    },
    { name: "no cycles", severity: "error", from: {}, to: { circular: true } },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
  },
};
