import { expect, test } from "vitest";
import { createBatch } from "./batch.ts";

const sqlError = (code: string) => Object.assign(new Error(code), { code });

test("what arrives together is saved together", async () => {
  const saved: number[][] = [];
  const batch = createBatch<number>({
    save: async (items) => void saved.push(items),
    failed: () => undefined,
  });
  await Promise.all([1, 2, 3].map((n) => batch.add(n)));
  expect(saved).toEqual([[1, 2, 3]]);
});

test("while the database is away nothing is lost, and order is kept", async () => {
  const saved: number[] = [];
  let failures = 2;
  const batch = createBatch<number>({
    waitMs: 1,
    failed: () => undefined,
    async save(items) {
      if (failures-- > 0) throw sqlError("57P01");
      saved.push(...items);
    },
  });
  await Promise.all([1, 2, 3].map((n) => batch.add(n)));
  expect(saved).toEqual([1, 2, 3]);
});

test("one row the database will not have spoils only itself", async () => {
  const saved: number[] = [];
  const batch = createBatch<number>({
    waitMs: 1,
    failed: () => undefined,
    async save(items) {
      if (items.includes(2)) throw sqlError("22P05");
      saved.push(...items);
    },
  });
  const results = await Promise.allSettled([1, 2, 3].map((n) => batch.add(n)));
  expect(results.map((result) => result.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(saved).toEqual([1, 3]);
});

test("closing ends the waiting for a database that does not come back", async () => {
  const batch = createBatch<number>({
    waitMs: 1,
    failed: () => undefined,
    save: () => Promise.reject(sqlError("ECONNREFUSED")),
  });
  const added = batch.add(1);
  setTimeout(() => batch.close(), 20);
  await expect(added).rejects.toThrow("stopped before the database was back");
});

test("as many saves as there are lanes run at once, and what waits longest goes first", async () => {
  const saves: { items: number[]; end(): void }[] = [];
  const batch = createBatch<number>({
    waitMs: 1,
    max: 2,
    lanes: 2,
    failed: () => undefined,
    save: (items) => new Promise<void>((end) => saves.push({ items, end })),
  });
  const all = Promise.all([1, 2, 3, 4, 5, 6].map((n) => batch.add(n)));
  await expect
    .poll(() => saves.map(({ items }) => items))
    .toEqual([
      [1, 2],
      [3, 4],
    ]);
  await new Promise((done) => setTimeout(done, 20));
  expect(saves).toHaveLength(2);
  saves[1]?.end();
  await expect.poll(() => saves[2]?.items).toEqual([5, 6]);
  for (const { end } of saves) end();
  await all;
});

test("with two lanes too nothing is lost while the database is away", async () => {
  const saved = new Set<number>();
  let failures = 4;
  const batch = createBatch<number>({
    waitMs: 1,
    max: 1,
    lanes: 2,
    failed: () => undefined,
    async save(items) {
      await new Promise((done) => setTimeout(done, 2));
      if (failures-- > 0) throw sqlError("57P01");
      for (const item of items) saved.add(item);
    },
  });
  await Promise.all([1, 2, 3].map((n) => batch.add(n)));
  expect([...saved].sort()).toEqual([1, 2, 3]);
});
