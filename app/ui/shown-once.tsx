import { Copy } from "./copy.tsx";
import { Textarea } from "./field-parts.tsx";

/**
 * A secret or a link that is shown this once, whole: whoever has no script or no clipboard selects it by hand. What the
 * copying says stands beside the label, so that nothing moves.
 */
export function ShownOnce({
  id,
  label,
  text,
  copyLabel,
}: {
  id: string;
  label: string;
  text: string;
  copyLabel: string;
}) {
  return (
    <div className="grid gap-1">
      <span className="flex min-h-(--control-height-small) items-center gap-1">
        <label htmlFor={id} className="min-w-0 font-medium wrap-anywhere">
          {label}
        </label>
        <Copy text={text} label={copyLabel} />
      </span>
      <Textarea
        id={id}
        readOnly
        value={text}
        rows={3}
        autoComplete="off"
        spellCheck={false}
        onFocus={({ currentTarget }) => currentTarget.select()}
        className="resize-none! font-mono text-xs break-all field-sizing-content"
      />
    </div>
  );
}
