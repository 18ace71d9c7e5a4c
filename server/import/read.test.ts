import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canariesYaml, type CanaryFile } from "#app/contract/specs/manifest.ts";
import { readImport } from "./read.ts";

const folder = (name: string) => fileURLToPath(new URL(`../../tests/fixtures/${name}/`, import.meta.url));
const fixture = (path: string) => readFileSync(folder("") + path, "utf8");
const yamlOf = (name: string) => readdirSync(folder(name)).filter((file) => /\.(yaml|json)$/.test(file));
const all = [
  ...yamlOf("canaries").map((file) => `canaries/${file}`),
  ...yamlOf("import").map((file) => `import/${file}`),
];

const wanted = (text: string) => readImport(text).entries.flatMap(({ canary }) => (canary ? [canary] : []));
const byName = (text: string) =>
  Object.fromEntries(
    readImport(text).entries.map((entry) => [
      entry.title,
      {
        spec: entry.canary?.spec,
        canary: entry.canary,
        refused: entry.refused?.message,
        warnings: entry.warnings.map(({ message }) => message),
      },
    ]),
  );

describe("canaries", () => {
  test.each(yamlOf("canaries"))("%s is taken whole", (file) => {
    const { format, entries } = readImport(fixture(`canaries/${file}`));
    expect(format).toBe("canary");
    expect(entries.length).toBeGreaterThan(0);
    expect(entries.map(({ refused }) => refused)).toEqual(entries.map(() => null));
  });

  test("other words, numbers in quotes, unknown metadata, lists and empty documents are understood", () => {
    const found = byName(fixture("import/estate.yaml"));
    expect(Object.keys(found)).toEqual(["Secret shop", "monitoring/shop", "first-of-list", "second-of-list"]);
    const { canary, warnings } = found["monitoring/shop"]!;
    expect(canary).toEqual({
      name: "shop",
      namespace: "monitoring",
      labels: { tier: "1", public: "true" },
      annotations: { trace: "true" },
      spec: {
        interval: "30",
        severity: "high",
        alertmanager: [{ name: "alerts", url: "http://alertmanager.example", alerts: [".*"] }],
        mongodb: [{ name: "mongo", url: "mongodb://db.example:27017" }],
        http: [{ url: "https://shop.example/", responseCodes: ["200", 201], name: "http 1" }],
        kubernetesResource: [{ name: "later", resources: [] }],
      },
    });
    expect(warnings).toEqual([
      "it has no name: it is called http 1",
      "This version does not run Kubernetes Resource checks. It is kept, and shown without a result.",
    ]);
    expect(readImport(fixture("import/estate.yaml")).entries[0]!.skipped).toMatchObject({
      line: 3,
      message: "only Canaries are read here, Secret is left out",
    });
  });

  const canary = (spec: string, head = "kind: Canary\nmetadata: { name: a }\n") => `${head}spec:\n${spec}`;
  test.each([
    ["kind: Canary\nspec: {}\n", 1, "metadata.name is required"],
    ["kind: Canary\nmetadata:\n  labels: {}\nspec: {}\n", 2, "metadata.name is required"],
    ["kind: Canary\nmetadata: { name: a }\n", 1, "spec is required"],
    [
      canary("  http:\n    - name: x\n      url: https://a.example\n  htpp: []\n"),
      7,
      "htpp is no type of check: http is meant?",
    ],
    [canary("  http: none\n"), 4, "http must be a list of checks"],
    [canary("  http:\n    - none\n"), 5, "a check must be a map of fields"],
    [canary("  tcp:\n    - name: x\n"), 5, "tcp.0.endpoint: This field is required"],
    [
      canary(
        "  http:\n    - name: x\n      url: https://a.example\n      responseCodes:\n        - 200\n        - none\n",
      ),
      9,
      "http.0.responseCodes.1: This field must be a number",
    ],
    [canary("  schedule: '@every often'\n"), 4, "@every wants a duration"],
    [canary("  interval: often\n"), 4, "interval: This field must be a number"],
    [canary("  interval: .inf\n"), 4, "this number cannot be kept"],
    [canary('  http: [{ name: "a\\0b", url: "https://a.example" }]\n'), 4, "NUL cannot be kept"],
    [
      "kind: Canary\nmetadata: { name: a, labels: [x] }\nspec: {}\n",
      2,
      "metadata.labels must be a map of text to text",
    ],
    ["a: 1\n", 1, "this is no Canary"],
    ["- 1\n", 1, "this is no Canary"],
    ["just words", 1, "this is no Canary"],
  ])("%j is refused at line %i: %s", (text, line, words) => {
    const [{ refused, canary: taken } = { refused: null, canary: null }] = readImport(text).entries;
    expect(taken).toBeNull();
    expect(refused).toMatchObject({ line, message: expect.stringContaining(words) });
  });

  test("a text that cannot be read is refused with its line, and the documents before it are taken", () => {
    const good = "kind: Canary\nmetadata: { name: a }\nspec: {}\n";
    const { entries } = readImport(`${good}---\nkind: Canary\nmetadata:\n  name: [b\nspec: {}\n`);
    expect(entries[0]!.canary?.name).toBe("a");
    expect(entries[1]!.refused!.line).toBeGreaterThanOrEqual(7);
    expect(entries[1]!.refused!.message).toContain("not readable as YAML");
  });

  test("a field nobody knows is a warning at its line, not the end of the file", () => {
    const [entry] = readImport(
      canary("  tcp:\n    - name: x\n      endpoint: a.example:1\n      colour: red\n"),
    ).entries;
    expect(entry!.canary).not.toBeNull();
    expect(entry!.warnings).toContainEqual({
      line: 7,
      column: 7,
      path: "spec.tcp.0.colour",
      message: "colour is no field of tcp checks: the check fails and says so until it is removed",
    });
  });

  test("of two with one name in a file the second is refused, with the line of the first", () => {
    const one = "kind: Canary\nmetadata: { name: a }\nspec: {}\n";
    const { entries } = readImport(`${one}---\n${one}`);
    expect(entries.map(({ canary: taken }) => taken?.name)).toEqual(["a", undefined]);
    expect(entries[1]!.refused!.message).toBe(
      "default/a is in this file already, at line 1: give one of them another name",
    );
  });

  test("a few lines cannot become gigabytes, nor overflow anything", () => {
    const laughs = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"];
    for (let depth = 1; depth < 12; depth++)
      laughs.push(
        `a${depth}: &a${depth} [${Array(9)
          .fill(`*a${depth - 1}`)
          .join(", ")}]`,
      );
    expect(readImport(laughs.join("\n")).entries[0]!.refused!.message).toContain("not readable as YAML");
    expect(readImport("[".repeat(100_000)).entries[0]!.refused).not.toBeNull();
    expect(
      readImport(canary(`  http: ${"[".repeat(500)}${"]".repeat(500)}\n`)).entries[0]!.refused!.message,
    ).toContain("nested");
  });

  test("nothing in a file is nothing to do", () => {
    for (const text of ["", "---\n", "# only words\n", "---\n---\n"])
      expect(readImport(text)).toEqual({ format: null, entries: [], notes: [] });
  });
});

describe("Gatus", () => {
  const text = fixture("import/gatus.yaml");
  const found = byName(text);

  test("is recognised, and what of the whole has no counterpart is said with its line", () => {
    const { format, notes } = readImport(text);
    expect(format).toBe("gatus");
    expect(notes).toEqual([
      {
        line: 7,
        column: 1,
        path: "alerting",
        message: "alerting is not imported: who is told is set at each check, under Notify",
      },
      {
        line: 10,
        column: 1,
        path: "storage",
        message: "storage is not imported: results are kept in this product's database",
      },
    ]);
  });

  test("conditions become fields", () => {
    expect(found["shop / front page"]!.canary).toEqual({
      name: "shop-front-page",
      namespace: "default",
      labels: { group: "shop" },
      annotations: {},
      spec: {
        schedule: "@every 30s",
        http: [
          {
            name: "front page",
            url: "https://shop.example/",
            responseCodes: [200],
            responseContent: "Welcome",
            maxSSLExpiry: 10,
            thresholdMillis: 800,
          },
        ],
      },
    });
    expect(found["shop / front page"]!.warnings).toEqual([
      "alerts (slack) are not imported: set them at the check, under Notify",
    ]);
  });

  test("what no field says becomes a test, and variables become secrets", () => {
    expect(found["shop / cart API"]!.spec).toEqual({
      schedule: "@every 1m",
      http: [
        {
          name: "cart API",
          url: "https://shop.example/api/cart",
          method: "POST",
          headers: [
            { name: "Content-Type", value: "application/json" },
            { name: "Authorization", value: "secret://gatus/CART_TOKEN" },
          ],
          body: '{"items": []}',
          responseCodes: [200, 201],
          tlsConfig: { insecureSkipVerify: true },
          test: {
            expr: 'string(json.status) == "UP" && double(json.items[0].price) < 10.0 && size(json.items) >= 1 && !json.?errors.hasValue() && json.open == true && string(json.version).matches("^v2\\\\.[\\\\s\\\\S]*$")',
          },
        },
      ],
    });
    expect(found["shop / cart API"]!.warnings).toEqual([
      "the condition [DOMAIN_EXPIRATION] > 720h has no counterpart and is left out",
      "client.proxy-url has no counterpart and is left out",
      "the variable CART_TOKEN is read as the secret gatus/CART_TOKEN: put it there",
    ]);
  });

  test("ranges of codes are spelled out, without those that are followed", () => {
    const [check] = found["shop / search"]!.spec!["http"] as { responseCodes: number[] }[];
    expect(check!.responseCodes).toEqual(expect.arrayContaining([200, 204, 404, 429]));
    expect(
      check!.responseCodes.filter((code) => code < 200 || (code >= 300 && code < 400) || code >= 500),
    ).toEqual([]);
  });

  test("addresses of other kinds", () => {
    expect(found["database"]!.spec).toEqual({
      schedule: "@every 15s",
      tcp: [{ name: "database", endpoint: "db.shop.example:5432", thresholdMillis: 200 }],
    });
    expect(found["gateway"]!.spec).toEqual({
      schedule: "@every 1m",
      icmp: [{ name: "gateway", endpoint: "10.0.0.1" }],
    });
    expect(found["name server"]!.spec).toEqual({
      schedule: "@every 1m",
      dns: [
        {
          name: "name server",
          server: "9.9.9.9",
          query: "shop.example",
          querytype: "A",
          minrecords: 1,
          exactreply: ["192.0.2.10"],
        },
      ],
    });
    expect(found["mail"]!.spec!["tcp"]).toEqual([{ name: "mail", endpoint: "mail.shop.example:587" }]);
    expect(found["mail"]!.warnings).toEqual([expect.stringContaining("only the connection is checked")]);
    expect(found["stats"]!.refused).toBe("there is no check for an address like udp://");
    expect(found["forbidden door"]!.refused).toContain("wants something not to answer");
    expect(found["nameless address"]!.refused).toBe("url is required");
  });

  test("what was switched off is suspended, and what somebody reports to is a heartbeat", () => {
    expect(found["old page"]!.canary).toMatchObject({
      annotations: { suspend: "true" },
      spec: { http: [{ responseCodes: [301] }] },
    });
    expect(found["jobs / nightly backup"]!.spec).toEqual({
      heartbeat: [{ name: "nightly backup", period: "25h", grace: "25h" }],
    });
    expect(found["silent job"]!.refused).toContain("heartbeat.interval");
    expect(JSON.stringify(readImport(text))).not.toContain("not-taken-over");
  });
});

describe("Uptime Kuma", () => {
  const text = fixture("import/kuma.json");
  const { format, entries, notes } = readImport(text);
  const at = (number: number) => entries[number - 1]!;
  const specOf = (number: number) => at(number).canary?.spec;

  test("is recognised; groups and tags are labels, names that come out the same get a number", () => {
    expect(format).toBe("kuma");
    expect(notes.map(({ message }) => message)).toEqual([
      "notifications (Team chat) are not imported: set them at the checks, under Notify",
    ]);
    expect(at(1).skipped!.message).toBe("a group is a label of its monitors here");
    expect(at(3).canary).toEqual({
      name: "front-page",
      namespace: "default",
      labels: { critical: "true", site: "berlin", group: "Production / Web" },
      annotations: {},
      spec: {
        schedule: "@every 60s",
        http: [{ name: "Front page", url: "https://shop.example/", method: "GET", thresholdMillis: 48_000 }],
      },
    });
    expect(at(20).canary!.name).toBe("front-page-2");
    expect(at(3).warnings.map(({ message }) => message)).toEqual([
      expect.stringContaining("set maxSSLExpiry"),
      "notifications (Team chat) are not imported: set them at the check, under Notify (after 3 failures in a row)",
    ]);
  });

  test("each type that has a counterpart", () => {
    expect(specOf(4)!["http"]).toEqual([
      {
        name: "Cart API",
        url: "https://shop.example/api/cart",
        method: "POST",
        headers: [{ name: "Content-Type", value: "application/json" }],
        body: '{"items": []}',
        responseCodes: [200, 201, 404],
        tlsConfig: { insecureSkipVerify: true },
        username: "probe",
        password: "only-a-fixture",
      },
    ]);
    expect(specOf(5)!["http"]).toMatchObject([{ responseContent: "Welcome" }]);
    expect(specOf(6)!["http"]).toMatchObject([{ test: { expr: '!content.contains("say \\"sorry\\"")' } }]);
    expect(specOf(7)!["http"]).toMatchObject([{ test: { expr: 'string(json.data[0].state) == "up"' } }]);
    expect(at(9).canary).toMatchObject({
      annotations: { suspend: "true" },
      spec: { schedule: "@every 20s", tcp: [{ name: "Database port", endpoint: "db.shop.example:5432" }] },
    });
    expect(specOf(10)!["icmp"]).toEqual([{ name: "Gateway", endpoint: "10.0.0.1" }]);
    expect(specOf(11)!["dns"]).toEqual([
      { name: "Names", server: "9.9.9.9", port: 53, query: "shop.example", querytype: "A", minrecords: 1 },
    ]);
    expect(specOf(12)).toEqual({ heartbeat: [{ name: "Nightly backup", period: "3600s", grace: "360s" }] });
    expect(specOf(13)!["mysql"]).toMatchObject([{ query: "SELECT 1" }]);
    expect(specOf(15)!["mssql"]).toEqual([
      {
        name: "SQL Server",
        url: "sqlserver://probe:only%20a%20fixture@db.shop.example:1433?database=shop&TrustServerCertificate=true&encrypt=disable",
        query: "SELECT 1",
      },
    ]);
    expect(specOf(16)!["redis"]).toEqual([{ name: "Redis", url: "redis://cache.shop.example:6379" }]);
    expect(specOf(17)!["mongodb"]).toHaveLength(1);
  });

  test("what has none is refused with the reason and its line", () => {
    expect(at(8).refused!.message).toContain("write it as test in CEL");
    expect(at(18).refused).toMatchObject({ message: "there is no check like a monitor of type docker" });
    expect(at(19).refused!.message).toContain("healthy while something is down");
    expect(text.split("\n")[at(18).refused!.line - 1]).toContain('"docker"');
  });
});

describe("export", () => {
  test.each(all)("%s: exported and read again is the same", (file) => {
    const canaries = wanted(fixture(file));
    const again = readImport(canariesYaml(canaries));
    expect(again.entries.map(({ refused }) => refused)).toEqual(canaries.map(() => null));
    expect(again.entries.map(({ canary }) => canary)).toEqual(canaries);
  });

  test("whatever a spec says comes back as it was", () => {
    const text = fc
      .string({ unit: "grapheme", maxLength: 40 })
      .filter((value) => !/[\0\uD800-\uDFFF]/u.test(value));
    const awkward = fc.constantFrom(
      "yes",
      "null",
      "~",
      "1e3",
      "0x1f",
      "012",
      "- a",
      "a: b",
      "#",
      "<<",
      "*a",
      "&a",
      "!!int 1",
      " x ",
      "a\n b\n",
      "\n",
      "\t",
      "---",
      "2026-01-01",
      "%",
      "'",
      '"',
      "{{ .a }}",
      "=",
    );
    const word = fc.oneof(text, awkward);
    const key = word.filter((value) => value !== "__proto__");
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { depthSize: "small" },
        word,
        fc.integer(),
        fc.double({ noNaN: true, noDefaultInfinity: true }).filter((number) => !Object.is(number, -0)),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(key, tie("value"), { maxKeys: 3 }),
      ),
    }));
    const name = fc.stringMatching(/^[a-z][a-z0-9.-]{0,20}$/);
    const check = fc
      .tuple(
        fc.dictionary(key, value, { maxKeys: 4 }),
        word.filter((given) => given.trim() !== ""),
      )
      .map(([fields, called]) => ({ ...fields, name: called }));
    const texts = fc.dictionary(key, word, { maxKeys: 3 });
    const canary: fc.Arbitrary<CanaryFile> = fc.record({
      name,
      namespace: name,
      labels: texts,
      annotations: texts,
      spec: fc.record({
        schedule: fc.constantFrom("@every 30s", "*/5 * * * *"),
        restic: fc.array(check, { minLength: 1, maxLength: 3 }),
      }),
    });
    const different = fc.uniqueArray(canary, {
      maxLength: 4,
      selector: (one) => `${one.namespace}/${one.name}`,
    });
    fc.assert(
      fc.property(different, (canaries) => {
        expect(wanted(canariesYaml(canaries))).toEqual(canaries);
      }),
      { numRuns: 300 },
    );
  });
});
