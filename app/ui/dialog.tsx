import type { ReactNode } from "react";
import { CloseLink, Scrim } from "./parts/overlay.tsx";
import { cx } from "./parts/cx.ts";
import { useModal } from "./parts/use-modal.ts";

/** Like the drawer, in the middle of the page; on a phone it is a sheet at the bottom. */
export function Dialog({
  title,
  closeTo,
  size = "normal",
  foot,
  children,
}: {
  title: string;
  closeTo: string;
  size?: "small" | "normal";
  foot?: ReactNode;
  children: ReactNode;
}) {
  const dialog = useModal(closeTo, { takesFocus: true });
  return (
    <>
      <Scrim to={closeTo} />
      <dialog
        ref={dialog}
        open
        aria-label={title}
        className={cx(
          "fixed inset-0 z-(--layer-drawer) m-auto grid h-fit max-h-[min(46rem,calc(100dvh-4rem))] max-w-none animate-arrive grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)_auto] overflow-clip rounded-lg border border-line-strong bg-raised text-ink shadow-overlay backdrop:bg-transparent not-open:hidden",
          "max-sm:top-auto max-sm:bottom-0 max-sm:m-0 max-sm:w-screen max-sm:rounded-b-none max-sm:border-x-0 max-sm:border-b-0",
          size === "small" ? "sm:w-[min(28rem,calc(100vw-2rem))]" : "sm:w-[min(58rem,calc(100vw-2rem))]",
        )}
      >
        <header className="flex items-center gap-3 border-b border-line py-3 pr-3 pl-5">
          <h2 className="min-w-0 flex-1 text-lg tracking-tight wrap-anywhere">{title}</h2>
          <CloseLink to={closeTo} />
        </header>
        <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-4 overflow-y-auto overscroll-contain px-5 py-4">
          {children}
        </div>
        {foot ? (
          <footer className="flex flex-wrap items-center justify-end gap-2 border-t border-line px-5 py-3">
            {foot}
          </footer>
        ) : null}
      </dialog>
    </>
  );
}
