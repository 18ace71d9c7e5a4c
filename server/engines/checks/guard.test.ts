import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { connect, createServer, type AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { guarded } from "./guard.ts";

const never = () => new Promise<never>(() => undefined);

test.each<[string, () => void]>([
  ["a timer", () => void setTimeout(() => fail(), 5)],
  ["the next tick", () => process.nextTick(fail)],
  ["a stream without a listener for errors", () => void connect(1, "127.0.0.1")],
])("what is thrown in %s ends the run", async (_, work) => {
  const run = guarded(() => {
    work();
    return never();
  });
  await expect(run).rejects.toThrow(/loose|ECONNREFUSED/);
});

test("what a listener throws ends the run whose socket it is, and no other", async () => {
  const server = createServer((socket) => void socket.on("error", () => undefined).write("hello")).listen(0);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const read = (throws: boolean) =>
    guarded(async () => {
      const socket = connect(port);
      const heard = new Promise<string>((done) => {
        socket.on("data", (chunk) => {
          socket.destroy();
          if (throws) fail();
          done(chunk.toString());
        });
      });
      return heard;
    });
  const results = await Promise.allSettled([read(true), read(false)]);
  server.close();
  expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
});

test("what has nothing to do with a run still ends the process", () => {
  const guard = fileURLToPath(new URL("guard.ts", import.meta.url));
  const script = `import("${guard}").then(({ guarded }) => guarded(async () => 1)).then(() => setTimeout(() => { throw new Error("loose") }))`;
  const { status, stderr } = spawnSync(process.execPath, ["--import", "tsx", "--eval", script], {
    encoding: "utf8",
  });
  expect(status).not.toBe(0);
  expect(stderr).toContain("loose");
});

function fail(): never {
  throw new Error("loose");
}
