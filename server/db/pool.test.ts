import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { expect, inject, onTestFinished, test, vi } from "vitest";
import type { Observation } from "#server/observe/observation.ts";
import { createPool } from "./pool.ts";

test("a server that is away is not asked by every request, and asked again soon", async () => {
  vi.useFakeTimers({ toFake: ["performance"] }); // its clock stands, however slow the machine is
  onTestFinished(() => void vi.useRealTimers());
  let asked = 0;
  const server = createServer((socket) => {
    asked++;
    socket.on("error", () => undefined).destroy();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const seen: Observation[] = [];
  const observe = (observation: Observation) => void seen.push(observation);
  const pool = createPool({ url: `postgres://u:p@127.0.0.1:${port}/d`, max: 2, name: "test", observe });
  const words = () =>
    pool.query("select 1").then(
      () => "fine",
      (error: Error) => error.message,
    );
  const first = await words();
  expect(first).toMatch(/terminated|ECONNRESET/);
  expect(await Promise.all(Array.from({ length: 50 }, words))).toEqual(Array(50).fill(first));
  expect(asked).toBe(1);
  vi.advanceTimersByTime(150);
  await words();
  expect(asked).toBe(2);
  await pool.end();
  server.close();
});

test("a server that is there is asked as often as needed", async () => {
  const pool = createPool({ url: inject("postgres"), max: 3, name: "test", observe: () => undefined });
  const answers = await Promise.all([1, 2, 3, 4].map((n) => pool.query("select $1::integer as n", [n])));
  expect(answers.map(({ rows }) => (rows[0] as { n: number }).n)).toEqual([1, 2, 3, 4]);
  await pool.query("select 1 / 0").catch(() => undefined);
  expect((await pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  await pool.end();
});
