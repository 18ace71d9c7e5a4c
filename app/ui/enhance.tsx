import { useEffect, useState, type ComponentType, type ReactNode } from "react";

/**
 * Server HTML first. When the browser is ready, the island replaces its own fallback; if it never is, the fallback is
 * the page.
 */
export function Enhance<P extends object>({
  load,
  props,
  children,
}: {
  load: () => Promise<{ default: ComponentType<P> }>;
  props: P;
  children: ReactNode;
}) {
  const [Island, setIsland] = useState<ComponentType<P> | null>(null);
  useEffect(() => {
    let wanted = true;
    void load().then((module) => wanted && setIsland(() => module.default));
    return () => void (wanted = false);
  }, [load]);
  return Island ? <Island {...props} /> : children;
}
