import { Link, useLocation } from "@remix-run/react";
import { Download } from "lucide-react";
import { NO_KUBECONFIG } from "#app/contract/words/platform.ts";
import { helpPath } from "#app/features/help/paths.ts";
import { Button, buttonClass, LONE_LINK } from "#app/ui/button.tsx";
import { Copy } from "#app/ui/copy.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { Notice } from "#app/ui/notice.tsx";

/** What the frame itself may have open over any page: `?dialog=kubeconfig`. */
const PARAMETER = "dialog";
const KUBECONFIG = "kubeconfig";

/** This page's address with the dialog open, and without. */
export function useKubeconfigPlace() {
  const { pathname, search } = useLocation();
  const query = new URLSearchParams(search);
  const isOpen = query.get(PARAMETER) === KUBECONFIG;
  const at = () => (query.size > 0 ? `${pathname}?${query}` : pathname);
  query.delete(PARAMETER);
  const closed = at();
  query.set(PARAMETER, KUBECONFIG);
  return { isOpen, closed, open: at() };
}

/** Two steps (specification 1 §2): download the file, then use it. `file` is the name it is downloaded under. */
export function KubeconfigDialog({ file, isOffered }: { file: string; isOffered: boolean }) {
  const { isOpen, closed } = useKubeconfigPlace();
  if (!isOpen) return null;
  const command = `kubectl --kubeconfig ${file} get canaries`;
  const label = (
    <>
      <Download aria-hidden="true" />
      Download kubeconfig file
    </>
  );
  return (
    <Dialog
      title="Download and install kubeconfig"
      closeTo={closed}
      size="small"
      foot={
        <Link to={helpPath("kubeconfig")} className={`${LONE_LINK} mr-auto`}>
          Learn more
        </Link>
      }
    >
      {isOffered ? null : <Notice tone="unknown">{NO_KUBECONFIG}</Notice>}
      <h3>Instructions</h3>
      <ol className="grid list-inside list-decimal gap-4 marker:text-muted">
        <li>
          Download the file. It holds an access token of yours: keep it to yourself.
          <span className="mt-2 flex">
            {isOffered ? (
              <a
                href="/api/kubeconfig"
                target="_blank"
                rel="noreferrer"
                className={buttonClass({ look: "primary" })}
              >
                {label}
              </a>
            ) : (
              <Button disabled>{label}</Button>
            )}
          </span>
        </li>
        <li>
          Apply it: ask for the canaries with it.
          <span className="mt-2 flex items-start gap-1 rounded-md border border-line bg-sunken py-1.5 pr-1.5 pl-3">
            <code className="min-w-0 flex-1 self-center font-mono text-xs wrap-anywhere">{command}</code>
            <Copy text={command} label="Copy the command" />
          </span>
        </li>
      </ol>
    </Dialog>
  );
}
