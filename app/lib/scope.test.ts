import { expect, test } from "vitest";
import { countedCall, newScope, oncePerRequest, requestScopes, serverTiming } from "./scope.server.ts";

const inScope = <T>(work: () => T) =>
  requestScopes().run(
    newScope(() => {}),
    work,
  );

test("the same question is asked once in a request, and again in the next", async () => {
  let asked = 0;
  const ask = () => oncePerRequest("question", async () => (asked += 1));
  await inScope(async () => expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1]));
  await inScope(async () => expect(await ask()).toBe(2));
});

test("every loader that waited for a refusal gets one whose words can be read", async () => {
  let asked = 0;
  const ask = () =>
    oncePerRequest("question", async () => {
      asked += 1;
      throw new Response("away", { status: 503 });
    });
  await inScope(async () => {
    const refusals = await Promise.allSettled([ask(), ask()]);
    const words = refusals.map(
      (refusal) => refusal.status === "rejected" && (refusal.reason as Response).text(),
    );
    expect(await Promise.all(words)).toEqual(["away", "away"]);
    expect(asked).toBe(1);
  });
});

test("calls upstream are counted and timed for this request only", async () => {
  await inScope(async () => {
    await Promise.all([countedCall(async () => 1), countedCall(async () => 2)]);
    await expect(countedCall(() => Promise.reject(new Error("away")))).rejects.toThrow("away");
    expect(serverTiming()).toMatch(/^total;dur=[\d.]+, upstream;dur=[\d.]+;desc="3 calls"$/);
  });
  inScope(() => expect(serverTiming()).toContain('desc="0 calls"'));
});
