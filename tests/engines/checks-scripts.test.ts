/** Scripts with what they work on and with; and results of tests in JUnit's format. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connections, run } from "./run-check.ts";

const saying = (words: string | RegExp): unknown =>
  typeof words === "string" ? words : expect.stringMatching(words);
const script = (text: string, more: object = {}, options = {}) =>
  run("exec", { script: text, ...more }, options);
const leftovers = () => readdirSync(tmpdir()).filter((name) => name.startsWith("pilothouse-check-"));
const hasGit = ["/usr/bin/git", "/usr/local/bin/git", "/opt/homebrew/bin/git"].some(existsSync);

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "scripts-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("nothing of the control plane's environment is seen, whatever it is called", async () => {
  const ours = ["PILOTHOUSE_KEY", "DATABASE_URL", "SESSION_SECRET", "PH_SECRET_X_Y", "NODE_OPTIONS"];
  for (const name of ours) process.env[name] ??= name === "NODE_OPTIONS" ? "" : `hidden-${name}`;
  const { details } = await script("env");
  for (const name of ours.slice(0, 4)) Reflect.deleteProperty(process.env, name);
  const { stdout } = details as { stdout: string };
  for (const name of ours) expect(stdout).not.toContain(name);
  expect(stdout).not.toContain("hidden-");
});

test("a flood of output ends the script, and memory does not grow", async () => {
  const before = process.memoryUsage().rss;
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20);
  const outcome = await script("yes flood-flood-flood-flood-flood-flood", {}, { timeoutMs: 60_000 });
  clearInterval(timer);
  expect(outcome.error).toBe("printed more than 16 MB and was ended");
  expect(most - before).toBeLessThan(150 * 1024 * 1024);
});

describe("connections", () => {
  test("are found in the environment, and their files are gone afterwards", async () => {
    connections.set("connection://azure", {
      url: "",
      username: "id",
      password: "s3cr3t",
      properties: { tenant: "t" },
    });
    const { details, error } = await script(
      `test "$AWS_SECRET_ACCESS_KEY" = aws-s3cr3t && test "$AZURE_CLIENT_SECRET" = s3cr3t || exit 1
       echo $AWS_ACCESS_KEY_ID $AWS_REGION $AZURE_CLIENT_ID $AZURE_TENANT_ID; stat -c %a "$GOOGLE_APPLICATION_CREDENTIALS"
       cat "$GOOGLE_APPLICATION_CREDENTIALS" | wc -c; pwd >&2; dirname "$GOOGLE_APPLICATION_CREDENTIALS" >&2`,
      {
        connections: {
          aws: { accessKey: "key", secretKey: { value: "aws-s3cr3t" }, region: "eu-west-1" },
          gcp: { credentials: '{"type": "x"}' },
          azure: { connection: "connection://azure" },
        },
      },
    );
    expect([error, (details as { stdout: string }).stdout]).toEqual([
      undefined,
      "key eu-west-1 id t\n600\n13",
    ]);
    const [, place = ""] = (details as { stderr: string }).stderr.split("\n");
    expect(place).toContain("pilothouse-check-");
    expect(existsSync(place)).toBe(false);
  });

  test("one that is not there is the check's error", async () => {
    expect(await script("true", { connections: { aws: { connection: "connection://none" } } })).toMatchObject(
      {
        status: "unhealthy",
        error: "connection connection://none was not found",
      },
    );
    expect(await script("true", { connections: { gcp: {} } })).toMatchObject({
      error: "connections.gcp: it has no credentials",
    });
  });
});

describe.skipIf(!hasGit)(hasGit ? "a checkout" : "a checkout (skipped: needs git)", () => {
  let url = "";
  beforeAll(async () => {
    const source = join(folder, "source");
    await mkdir(source);
    await writeFile(join(source, "hello.txt"), "from the repository");
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], {
        cwd: source,
        stdio: "pipe",
      });
    git("init", "-q", "-b", "main");
    git("add", ".");
    git("commit", "-q", "-m", "one");
    git("branch", "other");
    url = `file://${source}`;
  });

  test("is where the script begins, and gone afterwards", async () => {
    const before = leftovers();
    const outcome = await script("cat hello.txt; pwd >&2", { checkout: { url } });
    expect(outcome).toMatchObject({ status: "healthy", details: { stdout: "from the repository" } });
    expect(existsSync((outcome.details as { stderr: string }).stderr)).toBe(false);
    expect(leftovers()).toEqual(before);
  });

  test("may be a branch, a stored connection and a folder that is named", async () => {
    connections.set("connection://git", { url, properties: { ref: "other" } });
    const destination = join(folder, "there");
    const checkout = { connection: "connection://git", destination };
    const outcome = await script("pwd; sed 's/.*ref: //' .git/HEAD", { checkout });
    expect(outcome).toMatchObject({ details: { stdout: `${destination}\nrefs/heads/other` } });
    expect(existsSync(destination)).toBe(false);
    await mkdir(destination);
    expect(await script("true", { checkout })).toMatchObject({
      error: `checkout.destination: ${destination} is there already`,
    });
    expect(existsSync(destination)).toBe(true);
  });

  test("credentials are given to the server when it asks, and to nobody else", async () => {
    const seen: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(401, { "www-authenticate": 'Basic realm="git"' }).end();
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x.git`;
    const checkout = { url: at, username: "me", password: { value: "git-s3cr3t" } };
    const outcome = await script("true", { checkout });
    server.close();
    expect(outcome).toMatchObject({ status: "unhealthy", error: saying(/^checkout: git exit code 128/) });
    expect(seen).toContain(`Basic ${Buffer.from("me:git-s3cr3t").toString("base64")}`);
    expect(JSON.stringify(outcome)).not.toContain("git-s3cr3t");
  });

  test.each<[string, object, string | RegExp]>([
    ["no such branch", { ref: "?ref=absent" }, /^checkout: git exit code 128: .*absent/s],
    ["a program instead of an address", { url: "ext::sh -c true" }, /^checkout.url must be https/],
    ["an option instead of an address", { url: "--upload-pack=x" }, /^checkout.url must be https/],
    ["no address", {}, "checkout.url: This field is required"],
    [
      "half a path",
      { url: "https://x", destination: "there" },
      /^checkout.destination: This field must be a whole path/,
    ],
  ])("fails: %s", async (_, checkout, words) => {
    const { ref, ...rest } = checkout as { ref?: string };
    const outcome = await script("true", { checkout: ref ? { url: `${url}${ref}` } : rest });
    expect([outcome.status, outcome.error]).toEqual(["unhealthy", saying(words)]);
  });
});

test("artifacts are accepted, and it is said that they are not kept", async () => {
  expect(await script("echo x", { artifacts: [{ path: "/dev/stdout" }] })).toMatchObject({
    status: "healthy",
    details: { stdout: "x", artifacts: "not kept: this version has no store for files" },
  });
});

const REPORT = `<?xml version="1.0"?>
<testsuites><testsuite name="outer"><testsuite name="inner">
  <testcase classname="a.B" name="adds" time="1.5"><properties><property name="k" value="v"/></properties></testcase>
  <testcase classname="a.B" name="divides" time="0.25"><failure message="by zero &amp; more">at line 3</failure><system-out>said</system-out></testcase>
  <testcase classname="a.B" name="later"><skipped message="not now"/></testcase>
</testsuite></testsuite></testsuites>`;
const GREEN = `<testsuite name="one"><testcase name="t" time="2"/></testsuite>`;

describe("junit", () => {
  const junit = (spec: object, options = {}) => run("junit", spec, options);
  const write = async (name: string, text: string) => {
    await mkdir(join(folder, "reports"), { recursive: true });
    await writeFile(join(folder, "reports", name), text);
    return join(folder, "reports", name);
  };

  test("passes with reports in which nothing failed", async () => {
    const path = await write("green.xml", GREEN);
    expect(await junit({ testResults: path })).toMatchObject({
      status: "healthy",
      message: "1 of 1 passed",
      details: {
        passed: 1,
        failed: 0,
        skipped: 0,
        error: 0,
        duration: 2,
        suites: [{ name: "one", tests: [{ name: "t", status: "passed", duration: 2 }] }],
      },
    });
  });

  test("names what failed, and keeps what is known of each test", async () => {
    const outcome = await junit({ testResults: await write("red.xml", REPORT) });
    expect(outcome).toMatchObject({
      status: "unhealthy",
      error: "1 failed\na.B.divides: at line 3",
      message: "1 of 2 passed",
      details: {
        passed: 1,
        failed: 1,
        skipped: 1,
        duration: 1.75,
        suites: [
          {
            name: "inner",
            tests: [
              { name: "adds", classname: "a.B", duration: 1.5, properties: { k: "v" } },
              {
                name: "divides",
                status: "failed",
                message: "by zero & more",
                error: "at line 3",
                stdout: "said",
              },
              { name: "later", status: "skipped", message: "not now" },
            ],
          },
        ],
      },
    });
  });

  test("a test of the spec decides instead", async () => {
    const testResults = await write("red.xml", REPORT);
    expect(
      await junit({
        testResults,
        test: { expr: "results.failed <= 1 && results.suites[0].tests.size() == 3" },
      }),
    ).toMatchObject({
      status: "healthy",
    });
  });

  test("a script makes the results, in a folder of its own", async () => {
    const make = `mkdir out && echo '${GREEN}' > out/a.xml && cp out/a.xml out/b.xml`;
    expect(await junit({ script: make, testResults: "out/*.xml" })).toMatchObject({ details: { passed: 2 } });
    expect(await junit({ script: make, testResults: "out" })).toMatchObject({ details: { passed: 2 } });
    expect(await junit({ script: `${make}; exit 2`, testResults: "out" })).toMatchObject({
      status: "unhealthy",
      error: "exit code 2",
      details: { passed: 2, exitCode: 2 },
    });
  });

  test.each<[string, () => object | Promise<object>, string | RegExp]>([
    ["no results", () => ({ testResults: join(folder, "absent/*.xml") }), /^no results: there is no file/],
    ["a script that makes none", () => ({ script: "true", testResults: "x.xml" }), /^no results/],
    [
      "half a path",
      () => ({ testResults: "x.xml" }),
      "testResults must be a whole path where there is no script",
    ],
    ["a pod", () => ({ testResults: "/x", spec: { containers: [] } }), /^spec: this version runs no pods/],
    [
      "no XML",
      async () => ({ testResults: await write("bad.xml", "<testsuite><a></testsuite>") }),
      /^bad.xml: it is no XML: line 1/,
    ],
    [
      "another XML",
      async () => ({ testResults: await write("html.xml", "<html/>") }),
      "html.xml: it has no test suites",
    ],
    [
      "entities that grow",
      async () => ({
        testResults: await write("bomb.xml", `<!DOCTYPE x [<!ENTITY a "aaaa">]><testsuite name="&a;"/>`),
      }),
      "bomb.xml: it declares a document type, which no report needs",
    ],
    [
      "elements without a bottom",
      async () => ({
        testResults: await write("deep.xml", `${"<testsuite>".repeat(5000)}${"</testsuite>".repeat(5000)}`),
      }),
      /^deep.xml: .*nest/i,
    ],
    [
      "a huge file",
      async () => ({ testResults: await write("huge.xml", " ".repeat(3_000_000)) }),
      "huge.xml is bigger than 2 MiB",
    ],
  ])("fails: %s", async (_, spec, words) => {
    const outcome = await junit(await spec());
    expect([outcome.status, outcome.error]).toEqual(["unhealthy", saying(words)]);
  });
});
