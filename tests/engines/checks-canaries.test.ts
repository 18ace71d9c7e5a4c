/** Real canaries as people have them: each is read, and each of its checks runs or says in a sentence why not. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { checkKinds } from "#app/contract/specs/checks/index.ts";
import { problems } from "#app/contract/fields.ts";
import { attempt } from "#server/engines/checks/attempt.ts";
import { expand } from "#server/engines/checks/expand.ts";
import type { Outcome } from "#server/engines/checks/runner.ts";

const folder = fileURLToPath(new URL("../fixtures/canaries", import.meta.url));
const files = readdirSync(folder).filter((name) => name.endsWith(".yaml"));

function checksOf(file: string) {
  return parseAllDocuments(readFileSync(join(folder, file), "utf8")).flatMap((document) => {
    const { metadata, spec } = document.toJS() as {
      metadata: { name: string };
      spec: Record<string, unknown>;
    };
    const { name } = metadata;
    return expand({
      id: name,
      agent_id: "",
      name,
      namespace: "",
      labels: null,
      annotations: null,
      spec,
      deleted: false,
    });
  });
}

/** What a spec is refused for; null when its type is known and it is understood. */
function refusal(type: string, spec: unknown): string | null {
  const kind = checkKinds.get(type);
  if (!kind) return `unknown check type ${type}`;
  const parsed = kind.spec.safeParse(spec);
  return parsed.success ? null : problems(parsed.error);
}

test.each(files)("%s: what is refused is refused by name", (file) => {
  const refused = checksOf(file).flatMap(({ name, type, spec }) => {
    const words = refusal(type, spec);
    return words === null ? [] : [[name, words]];
  });
  expect(Object.fromEntries(refused)).toEqual(REFUSED[file] ?? {});
});

/** What these files use that does not exist yet. */
const REFUSED: Record<string, Record<string, string>> = {
  "icmp_fail.yaml": { "icmp 1": "name: This field is required" },
};

describe("those that need nothing but this machine", () => {
  const run = async (file: string): Promise<Record<string, Outcome>> => {
    const outcomes: Record<string, Outcome> = {};
    for (const check of checksOf(file))
      outcomes[check.name] = await attempt(check, {
        timeoutMs: 10_000,
        stop: new AbortController().signal,
        resolveConnection: () => Promise.reject(new Error("none")),
      });
    return outcomes;
  };

  test("scripts with a test", async () => {
    expect(await run("exec_pass.yaml")).toMatchObject({ "exec-pass-check": { status: "healthy" } });
    expect(await run("exec_env_pass.yaml")).toMatchObject({ "exec-env": { status: "healthy" } });
    expect(await run("exec_fail.yaml")).toMatchObject({
      "exec-fail-check": { status: "unhealthy", error: 'the test is not true: results.stdout == "hello"' },
    });
  });

  test("the long display of functions", async () => {
    const { "cel-test": outcome } = await run("cel.yaml");
    expect(outcome).toMatchObject({ status: "healthy" });
    const lines = outcome!.message!.trim().split("\n");
    expect(lines).toEqual(
      expect.arrayContaining([
        "3 in [1, 2, 4] = false",
        "hello-mellow",
        "['a', 'b', 'c', 'd'].slice(1, 3).join(',') = b,c",
        '"apple".matches("^a.*e$") = true',
        " 'TacoCat'.lowerAscii()  = tacocat",
        'duration("30m") = 1800',
        "HumanSize(1048576) = 1M",
        'SemverCompare("1.2.3", "1.2.4") = false',
        'timestamp("1986-12-18T10:00:20.021-05:00") = 17',
        "true",
        "2023-09-26T00:00:00Z",
      ]),
    );
    expect(lines.some((line) => /^[0-9a-f]{96}$/.test(line))).toBe(true);
  });

  test("folders", async () => {
    const outcomes = await run("folder_pass.yaml");
    expect(outcomes["min count glob"]).toMatchObject({ status: "healthy" });
    expect(outcomes["min count doublestar"]).toMatchObject({ status: "healthy" });
    expect(outcomes["folder-nil-handling"]).toMatchObject({ status: "healthy" });
  });
});
