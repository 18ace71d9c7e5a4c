const WIDTHS = ["w-11/12", "w-3/4", "w-5/6", "w-2/3"];

/** Lines where words are on their way. Only where something really loads in the browser: pages come complete. */
export function Skeleton({ lines = 3, label = "Loading" }: { lines?: number; label?: string }) {
  return (
    <div role="status" aria-label={label} className="grid gap-2.5 py-1">
      {Array.from({ length: lines }, (_, line) => (
        <span
          key={line}
          aria-hidden="true"
          className={`block h-2.5 animate-breathe rounded-sm bg-pressed ${WIDTHS[line % WIDTHS.length]}`}
        />
      ))}
    </div>
  );
}
