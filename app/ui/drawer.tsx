import type { ReactNode } from "react";
import { CloseLink, Scrim } from "./parts/overlay.tsx";
import { useModal } from "./parts/use-modal.ts";

type DrawerProps = {
  title: string;
  /** Drawn at either side of the title and under it. */
  icon?: ReactNode;
  status?: ReactNode;
  lead?: ReactNode;
  /** The bar that stays in sight: what can be done here. */
  foot?: ReactNode;
  closeTo: string;
  children: ReactNode;
};

/**
 * A drawer is a place, not a state: it is open because the URL says so, and Close is a link. The script only adds the
 * modal part. Give it a `key` that changes with the thing it shows.
 */
export function Drawer({ title, icon, status, lead, foot, closeTo, children }: DrawerProps) {
  const dialog = useModal(closeTo);
  return (
    <>
      <Scrim to={closeTo} />
      <dialog
        ref={dialog}
        open
        aria-label={title}
        className="fixed inset-y-0 right-0 left-auto z-(--layer-drawer) m-0 grid h-dvh max-h-none w-[min(58rem,100vw)] max-w-none animate-arrive-from-end grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)_auto] border-l border-line-strong bg-raised text-ink shadow-overlay backdrop:bg-transparent not-open:hidden"
      >
        <header className="flex items-start gap-3 px-5 pt-4 pb-3 max-sm:px-4">
          <div className="grid min-w-0 flex-1 gap-1.5">
            <div className="flex flex-wrap items-center gap-2">
              {icon}
              <h2 className="text-lg tracking-tight wrap-anywhere">{title}</h2>
              {status}
            </div>
            {lead}
          </div>
          <CloseLink to={closeTo} />
        </header>
        <div className="grid auto-rows-max grid-cols-[minmax(0,1fr)] content-start gap-4 overflow-y-auto overscroll-contain px-5 pb-6 max-sm:px-4">
          {children}
        </div>
        {foot ? (
          <footer className="flex flex-wrap items-center gap-2 border-t border-line bg-raised px-5 py-3 max-sm:px-4">
            {foot}
          </footer>
        ) : null}
      </dialog>
    </>
  );
}
