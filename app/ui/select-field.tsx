import { ChevronDown } from "lucide-react";
import type { SelectHTMLAttributes } from "react";
import { CONTROL } from "./parts/control.ts";
import { cx } from "./parts/cx.ts";
import { Options, type Option } from "./select.tsx";

type SelectProps = Omit<SelectHTMLAttributes<HTMLSelectElement>, "children"> & { options: readonly Option[] };

/** A native select: the platform's own list is the best one on a phone and the only one without script. */
export function Select({ options, className, ...rest }: SelectProps) {
  return (
    <span className="relative flex">
      <select {...rest} className={cx(CONTROL, "appearance-none pr-8 text-ellipsis", className)}>
        <Options options={options} />
      </select>
      <ChevronDown
        aria-hidden="true"
        className="pointer-events-none absolute inset-y-0 right-2.5 my-auto size-3.5 text-muted"
      />
    </span>
  );
}
