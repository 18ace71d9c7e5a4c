import { Link } from "@remix-run/react";
import type { AuditEntryRow } from "#app/contract/rows/audit.ts";
import { AUDIT_ACTIONS, AUDIT_KINDS, wordOf } from "#app/contract/words/audit.ts";
import { counted } from "#app/lib/format/count.ts";
import { utc } from "#app/lib/format/age.ts";
import { LINK } from "#app/ui/button.tsx";
import { Drawer } from "#app/ui/drawer.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { KeyValue, KeyValues } from "#app/ui/key-values.tsx";
import type { DiffLine } from "./diff.ts";
import { auditPath, type AuditSearch } from "./paths.ts";
import { nameOfRecord, pathOfRecord } from "./record.ts";

/** How somebody was known, in words. */
const VIA: ReadonlyMap<string, string> = new Map([
  ["session", "Signed in"],
  ["token", "Access token"],
  ["password", "Password with the request"],
]);

/** One entry: who, when, from where, and what it was before and after. */
export function AuditDrawer({
  entry,
  changes: { lines, unshown },
  search,
}: {
  entry: Omit<AuditEntryRow, "before" | "after">;
  changes: { lines: DiffLine[]; unshown: number };
  search: AuditSearch;
}) {
  const to = pathOfRecord(entry);
  const name = nameOfRecord(entry);
  return (
    <Drawer
      title={`${wordOf(AUDIT_ACTIONS, entry.action)}: ${name}`}
      closeTo={auditPath({ ...search, id: 0 })}
    >
      <KeyValues>
        <KeyValue name="Time">{utc(entry.at)}</KeyValue>
        <KeyValue name="Person">{entry.actor ?? "Nobody"}</KeyValue>
        <KeyValue name="Record">
          {wordOf(AUDIT_KINDS, entry.kind)}{" "}
          {to ? (
            <Link to={to} className={LINK}>
              {name}
            </Link>
          ) : (
            name
          )}
        </KeyValue>
        {entry.record_id ? (
          <KeyValue name="Record id">
            <Link
              to={auditPath({ record: entry.record_id, range: "1y" })}
              className={`${LINK} wrap-anywhere`}
              title="Everything that was done to it"
            >
              {entry.record_id}
            </Link>
          </KeyValue>
        ) : null}
        <KeyValue name="From">{entry.client ?? "Not known"}</KeyValue>
        {entry.via ? <KeyValue name="Known by">{VIA.get(entry.via) ?? entry.via}</KeyValue> : null}
        {entry.request_id ? <KeyValue name="Request">{entry.request_id}</KeyValue> : null}
      </KeyValues>
      {lines.length > 0 ? <Changes lines={lines} /> : <Empty small>No record was changed by it.</Empty>}
      {unshown > 0 ? (
        <p className="text-xs text-muted">{counted(unshown, "more line")} in the CSV file.</p>
      ) : null}
    </Drawer>
  );
}

const LOOKS: Record<DiffLine["sign"], string> = {
  " ": "",
  "…": "text-faint",
  "-": "bg-unhealthy-wash text-unhealthy-ink",
  "+": "bg-healthy-wash text-healthy-ink",
};

/** Removed lines begin with a minus, added ones with a plus: the colours only repeat it. */
function Changes({ lines }: { lines: readonly DiffLine[] }) {
  return (
    <section aria-label="What changed" className="overflow-clip rounded-lg border border-line bg-sunken">
      <pre className="py-2 font-mono text-xs leading-5 break-words whitespace-pre-wrap">
        {lines.map(({ sign, text }, place) => (
          <span key={place} className={`block ps-7 pe-3 -indent-4 ${LOOKS[sign]}`}>
            {sign} {text}
            {"\n"}
          </span>
        ))}
      </pre>
    </section>
  );
}
