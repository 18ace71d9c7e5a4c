import { ago, iso, utc, type Moment } from "#app/lib/format/age.ts";

/**
 * A moment as its distance from `now`, with the whole of it and its zone in the title. `now` comes from the loader, so
 * server and browser write the same words; the next revalidation moves them on.
 */
export function Age({ at, now, className }: { at: Moment; now: number; className?: string }) {
  const text = ago(at, now);
  return text ? (
    <time dateTime={iso(at)} title={utc(at)} className={className}>
      {text}
    </time>
  ) : null;
}

/** A moment written out: "2026-10-14 09:41:00 UTC". */
export function When({ at, className }: { at: Moment; className?: string }) {
  return (
    <time dateTime={iso(at)} className={className}>
      {utc(at)}
    </time>
  );
}
