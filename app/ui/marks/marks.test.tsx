import type { ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { Tags } from "./badge.tsx";
import { ResultStrip } from "./result-strip.tsx";
import { StatTile } from "./stat-tile.tsx";
import { Count, lookOfHealth, Severity, Status } from "./status.tsx";
import { Age } from "./time.tsx";

const html = (element: ReactElement) => renderToStaticMarkup(element);
const words = (element: ReactElement) => html(element).replace(/<[^>]*>/g, "");

describe("health is colour, shape and word", () => {
  test.each([
    ["degraded", "unhealthy", "unhealthy"],
    ["Missing", "unhealthy", "unhealthy"],
    ["unhealthy", "unhealthy", "unhealthy"],
    ["unknown", "unknown", "unknown"],
    ["suspended", "suspended", "suspended"],
    ["warn", "warning", "warning"],
    ["mixed", "warning", "mixed"],
    ["healthy", "healthy", "healthy"],
    ["Progressing", "healthy", "healthy"],
    ["constructor", "healthy", "healthy"],
  ])("%s is %s, drawn as %s", (word, tone, glyph) => {
    expect(lookOfHealth(word)).toEqual({ tone, glyph });
  });

  test("no word is nobody's good news", () => {
    expect(lookOfHealth(null)).toEqual({ tone: "unknown", glyph: "unknown" });
    expect(words(<Status health={null} />)).toBe("Unknown");
  });

  test("the word is always there, for a count and for a severity too", () => {
    expect(words(<Status health="unhealthy" />)).toBe("Unhealthy");
    expect(words(<Count health="unhealthy" value="7" word="failing" />)).toBe("7 failing");
    expect(words(<Severity severity="CRITICAL" />)).toBe("Critical");
    expect(words(<Severity severity="odd" />)).toBe("Odd");
  });
});

test("a strip of results says what it shows", () => {
  expect(html(<ResultStrip passed={[true, true, false, null]} />)).toContain(
    "Last 4 results: 2 passed, 1 failed",
  );
  expect(html(<ResultStrip passed={[]} />)).toBe("");
});

test("a tile has its figure, its unit and a dash for nothing", () => {
  expect(words(<StatTile label="Latency (95%)" value={{ figure: "2.1", unit: "s" }} />)).toBe(
    "Latency (95%)2.1 s",
  );
  expect(words(<StatTile label="Next run" value={null} />)).toBe("Next run–");
});

test("an age names the moment and its zone, and nothing is nothing", () => {
  const now = Date.UTC(2026, 9, 14, 10, 12);
  const drawn = html(<Age at="2026-10-14T09:41:00Z" now={now} />);
  expect(drawn).toContain("31m ago");
  expect(drawn).toContain('title="2026-10-14 09:41:00 UTC"');
  expect(html(<Age at={null} now={now} />)).toBe("");
});

test("labels: account, namespace and name first, the rest by alphabet", () => {
  const labels = { zone: "a", team: "b", name: "c", account: "d" };
  expect(words(<Tags labels={labels} />).replaceAll("\u00a0", " ")).toBe("account: dname: cteam: bzone: a");
  expect(html(<Tags labels={{}} />)).toBe("");
});
