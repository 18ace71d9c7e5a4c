import { useNavigation } from "@remix-run/react";
import { LoaderCircle } from "lucide-react";
import type { ReactNode } from "react";
import { Button, type ButtonLook } from "./button.tsx";

/**
 * The button of a `PostForm` whose work takes a while: it turns and says `busy` until the answer is there, and a
 * second press does nothing. Without script the browser shows that it waits.
 */
export function SubmitButton({
  intent,
  busy,
  look = "primary",
  icon,
  children,
}: {
  intent: string;
  busy: string;
  look?: ButtonLook;
  icon?: ReactNode;
  children: ReactNode;
}) {
  const { formData } = useNavigation();
  const isBusy = formData?.get("intent") === intent;
  return (
    <Button
      look={look}
      aria-busy={isBusy}
      aria-disabled={isBusy || undefined}
      onClick={(event) => isBusy && event.preventDefault()}
    >
      {isBusy ? <LoaderCircle aria-hidden="true" /> : icon}
      {isBusy ? busy : children}
    </Button>
  );
}
