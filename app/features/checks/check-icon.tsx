import {
  Activity,
  FolderOpen,
  Globe,
  HeartPulse,
  Network,
  Plug,
  Radio,
  SquareTerminal,
  Webhook,
} from "lucide-react";

/** Kinds that are no product of anybody: drawn in our own lines. */
const ICONS = new Map([
  ["http", Globe],
  ["tcp", Plug],
  ["dns", Network],
  ["icmp", Radio],
  ["exec", SquareTerminal],
  ["folder", FolderOpen],
  ["heartbeat", HeartPulse],
  ["webhook", Webhook],
]);
/** What the name of a picture may hold; anything else is a kind without one. */
const NAME = /^[\w.:-]{1,80}$/;

/**
 * For the eye only: the type stands in the row's title. Technologies have pictures of their own, which the web serves by
 * the name of the icon or of the type (facts/ui-screens §1.7).
 */
export function CheckIcon({ type, icon }: { type: string; icon?: string | null | undefined }) {
  const Icon = icon ? undefined : ICONS.get(type);
  if (Icon) return <Icon aria-hidden="true" className="size-4 flex-none text-faint" />;
  const name = icon || type;
  if (!NAME.test(name)) return <Activity aria-hidden="true" className="size-4 flex-none text-faint" />;
  return (
    <img
      src={`/icons/${encodeURIComponent(name)}.svg`}
      alt=""
      width={16}
      height={16}
      loading="lazy"
      className="size-4 flex-none"
    />
  );
}
