import { describe, expect, test, vi } from "vitest";
import { PROVIDER_AWAY } from "#app/contract/words/hosted.ts";
import { describeError } from "./error-view.ts";

/** As Remix hands a thrown Response to a boundary. */
const thrown = (status: number, data: string, statusText = "") => ({
  status,
  statusText,
  data,
  internal: false,
});

describe("an error page", () => {
  test.each([
    ["for who may not", thrown(403, ""), "You do not have permission to access this page", false],
    [
      "for an unknown address",
      thrown(404, 'Error: No route matches URL "/x"'),
      "There is nothing at this address.",
      false,
    ],
    ["for a thing that is not there", thrown(404, "Incident not found"), "Incident not found", false],
    ["when upstream is away", thrown(503, "Upstream is away"), "The backend does not answer.", true],
    [
      "when upstream is slow",
      thrown(504, "Request timed out. Please try again."),
      "Request timed out.",
      true,
    ],
    [
      "when a list cannot be had",
      thrown(500, "", "Something went wrong"),
      "The backend could not answer this.",
      true,
    ],
    ["when the network is gone", new TypeError("Failed to fetch"), "Network Error. Please try again.", true],
  ])("%s says so", (_, error, words, retry) => {
    const view = describeError(error, "the-id");
    expect(view).toMatchObject({ retry, words: expect.stringContaining(words) as string });
    expect(view.id).toBe(error instanceof Error || error.status !== 500 ? undefined : "the-id");
  });

  test("only the page of what is away looks for it by itself", () => {
    expect(describeError(thrown(503, "Upstream is away")).passing).toBe("backend");
    expect(describeError(thrown(503, "", PROVIDER_AWAY)).passing).toBe("provider");
    for (const other of [thrown(504, ""), thrown(404, ""), new TypeError("Failed to fetch")])
      expect(describeError(other).passing).toBeUndefined();
  });

  test("in a browser without a connection says that", () => {
    vi.stubGlobal("navigator", { onLine: false });
    expect(describeError(new TypeError("Failed to fetch")).words).toBe(
      "No internet connection. Please try again.",
    );
    vi.unstubAllGlobals();
  });

  test("for a failure of ours gives the id of its report and none of its words", () => {
    const view = describeError(new Error("relation does not exist"), "the-id");
    expect(view).toMatchObject({ title: "Sorry.. there was an error", id: "the-id" });
    expect(JSON.stringify(view)).not.toContain("relation");
  });
});
