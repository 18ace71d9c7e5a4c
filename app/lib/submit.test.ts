import { beforeAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { on, submit, type Refused } from "./submit.server.ts";
import { takeToast } from "./toast.server.ts";
import { Conflict, UpstreamError } from "./upstream-error.ts";

beforeAll(() => {
  vi.stubEnv("UPSTREAM_URL", "http://127.0.0.1:9");
  vi.stubEnv("SESSION_SECRET", "a secret for tests");
});

const Rename = z.object({ name: z.string("Required").min(1, "This field is required") });
const post = (fields: Record<string, string>) =>
  new Request("http://web/page", { method: "POST", body: new URLSearchParams(fields) });
const renaming = (fail?: Error) => ({
  rename: on(Rename, async ({ name }) => {
    if (fail) throw fail;
    return { to: "/health", toast: `${name} updated successfully` };
  }),
});
/** The data and status of a form that was sent back. */
const sentBack = async (work: ReturnType<typeof submit>) => {
  const { data, init } = (await work) as { data: Refused; init: { status: number } };
  return { ...data, status: init.status };
};

describe("a posted form", () => {
  test("that is valid redirects with a toast, which the next page spends", async () => {
    const response = (await submit(post({ intent: "rename", name: "Ada" }), renaming())) as Response;
    expect([response.status, response.headers.get("location")]).toEqual([302, "/health"]);
    const cookie = String(response.headers.get("set-cookie")).split(";")[0] ?? "";
    const { toast, spent } = await takeToast(new Request("http://web/health", { headers: { cookie } }));
    expect(toast).toEqual({ message: "Ada updated successfully", type: "success" });
    expect(spent).toContain("Max-Age=0");
  });

  test("that is invalid comes back with what was typed and what is wrong", async () => {
    const { status, result } = await sentBack(submit(post({ intent: "rename", name: "" }), renaming()));
    expect([status, result.error]).toEqual([400, { name: ["Required"] }]);
  });

  test("that upstream refuses comes back with its words", async () => {
    const work = submit(post({ intent: "rename", name: "Ada" }), renaming(new UpstreamError(409, "taken")));
    const { status, result } = await sentBack(work);
    expect([status, result.error, result.initialValue]).toEqual([
      422,
      { "": ["taken"] },
      expect.objectContaining({ name: "Ada" }),
    ]);
  });

  test("that somebody else was faster with comes back beside their row", async () => {
    const work = submit(post({ intent: "rename", name: "Ada" }), renaming(new Conflict({ name: "Grace" })));
    expect(await sentBack(work)).toMatchObject({ status: 409, current: { name: "Grace" } });
  });

  test.each([new UpstreamError(500, "boom"), new TypeError("bug")])(
    "lets failures of ours through: %s",
    async (failure) => {
      await expect(submit(post({ intent: "rename", name: "Ada" }), renaming(failure))).rejects.toBe(failure);
    },
  );

  test.each(["", "constructor", "delete"])("with the intent %j is nobody's", async (intent) => {
    await expect(submit(post({ intent, name: "Ada" }), renaming())).rejects.toMatchObject({ status: 400 });
  });
});

test("a forged toast says nothing", async () => {
  const cookie = `toast=${Buffer.from(JSON.stringify({ __flash_flash__: { toast: { message: "x", type: "info" } } })).toString("base64")}`;
  expect((await takeToast(new Request("http://web/", { headers: { cookie } }))).toast).toBeNull();
  expect(await takeToast(new Request("http://web/"))).toEqual({ toast: null, spent: null });
});
