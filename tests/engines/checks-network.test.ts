/** dns and icmp against the real thing: dnsmasq as Debian has it, and this machine's own ping. */
import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { available, named, started } from "#tests/support/servers.ts";
import { aBench } from "./runner-support.ts";

const { run } = aBench();

describe.skipIf(!available("dnsmasq"))(named("dnsmasq"), () => {
  const long = Array.from({ length: 30 }, (_, index) => `"${String(index).padStart(100, "x")}"`);
  const server = started("dnsmasq", {
    settings: [
      "host-record=one.test,10.0.0.1,fd00::1",
      "host-record=two.test,10.0.0.1",
      "host-record=two.test,10.0.0.2",
      "cname=alias.test,one.test",
      "mx-host=mail.test,a.test,10",
      "mx-host=mail.test,b.test,20",
      "txt-record=words.test,hello world",
      ...long.map((text) => `txt-record=long.test,${text}`),
      "srv-host=_x._tcp.test,one.test,8080,1,2",
      "ptr-record=9.0.0.10.in-addr.arpa,nine.test",
      "local=/test/",
    ].join("\n"),
  });
  const ask = (spec: object) => run("dns", { server: "127.0.0.1", port: server.port, timeout: 5, ...spec });

  test.each<[object, string[]]>([
    [{ query: "one.test" }, ["10.0.0.1"]],
    [{ query: "two.test", exactreply: ["10.0.0.2", "10.0.0.1"], minrecords: 2 }, ["10.0.0.1", "10.0.0.2"]],
    [{ query: "one.test", querytype: "AAAA" }, ["fd00::1"]],
    [{ query: "alias.test", querytype: "CNAME" }, ["one.test."]],
    [
      { query: "mail.test", querytype: "mx", exactreply: ["a.test. 10", "b.test. 20"] },
      ["a.test. 10", "b.test. 20"],
    ],
    [{ query: "words.test", querytype: "TXT" }, ["hello world"]],
    [{ query: "_x._tcp.test", querytype: "SRV" }, ["1 2 8080 one.test."]],
    [{ query: "10.0.0.9", querytype: "PTR", exactreply: ["nine.test."] }, ["nine.test."]],
    [{ query: "9.0.0.10.in-addr.arpa", querytype: "PTR" }, ["nine.test."]],
  ])("%j", async (spec, records) => {
    expect(await ask(spec)).toMatchObject({ status: "healthy", details: { records } });
  });

  test("an answer that is too long for one packet is read whole", async () => {
    expect(await ask({ query: "long.test", querytype: "TXT", minrecords: 30 })).toMatchObject({
      status: "healthy",
    });
  });

  test.each([
    [{ query: "absent.test" }, "absent.test does not exist"],
    [{ query: "one.test", querytype: "MX" }, "one.test has no MX record"],
    [{ query: "one.test", minrecords: 2 }, "1 records, at least 2 expected"],
    [{ query: "one.test", exactreply: ["10.0.0.7"] }, "the answer is [10.0.0.1], expected [10.0.0.7]"],
    [{ query: "one.test", port: 1 }, "127.0.0.1 refused the question"],
  ])("%j fails with a sentence", async (spec, words) => {
    expect(await ask(spec)).toMatchObject({ status: "unhealthy", error: words });
  });
});

const hasPing = spawnSync("ping", ["-c", "1", "127.0.0.1"]).status === 0;
describe.skipIf(!hasPing)("ping (skipped: needs Debian's iputils-ping and the right to use it)", () => {
  test("this machine answers, by name and by address", async () => {
    for (const endpoint of ["127.0.0.1", "localhost", "::1"])
      expect(await run("icmp", { endpoint, packetCount: 2, thresholdMillis: 1000 })).toMatchObject({
        status: "healthy",
        details: { packetLoss: 0, averageMillis: expect.any(Number) },
        ms: expect.any(Number),
      });
  });

  test("slower than the threshold", async () => {
    expect(
      await run("icmp", { endpoint: "127.0.0.1", packetCount: 1, thresholdMillis: 0.0001 }),
    ).toMatchObject({
      status: "unhealthy",
      error: expect.stringMatching(
        /^answered in [\d.]+ ms on average, more than the threshold of 0\.0001 ms$/,
      ),
    });
  });

  test("an address where nobody answers", async () => {
    const outcome = await run("icmp", { endpoint: "127.255.255.255", packetCount: 1 }, { timeoutMs: 15_000 });
    expect(outcome).toMatchObject({ status: "unhealthy" });
    expect(outcome.error).toMatch(/ping failed: |% of the packets were lost|no answer within 10 s/);
  });
});
