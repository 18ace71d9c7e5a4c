import {
  Activity,
  Database,
  FolderOpen,
  Globe,
  Network,
  Plug,
  Radio,
  SquareTerminal,
  Boxes,
} from "lucide-react";

/** Kinds of checks that share a picture. Anything else gets the neutral one. */
const ICONS = new Map([
  ["http", Globe],
  ["tcp", Plug],
  ["dns", Network],
  ["icmp", Radio],
  ["exec", SquareTerminal],
  ["folder", FolderOpen],
  ["kubernetes", Boxes],
  ["kubernetesResource", Boxes],
  ...["postgres", "sql", "mysql", "mssql", "mongo", "mongodb", "redis", "elasticsearch"].map(
    (type) => [type, Database] as const,
  ),
]);

/** For the eye only: the type stands in the row's title. */
export function CheckIcon({ type }: { type: string }) {
  const Icon = ICONS.get(type) ?? Activity;
  return <Icon aria-hidden="true" className="size-4 flex-none text-faint" />;
}
