import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { Drawer } from "#app/ui/drawer.tsx";
import { KeyValue, KeyValues } from "#app/ui/key-values.tsx";
import { Badge } from "#app/ui/marks/badge.tsx";
import { StatusPill } from "#app/ui/marks/status.tsx";
import { PostForm } from "#app/ui/post-form.tsx";
import { SubmitButton } from "#app/ui/submit-button.tsx";
import { Examples, Line } from "./example.tsx";
import { uiPath, type UiSearch } from "./search.ts";

export function Overlays({ search }: { search: UiSearch }) {
  const closeTo = uiPath({ ...search, open: "nothing" });
  return (
    <Examples
      id="overlays"
      lead="A drawer and a dialog are places: open because the address says so, and Close is a link."
    >
      <Line>
        <ButtonLink to={uiPath({ ...search, open: "drawer" })} preventScrollReset>
          Open a drawer
        </ButtonLink>
        <ButtonLink to={uiPath({ ...search, open: "dialog" })} preventScrollReset>
          Open a dialog
        </ButtonLink>
        <ButtonLink to={uiPath({ ...search, open: "confirm" })} preventScrollReset>
          Ask before deleting
        </ButtonLink>
        <PostForm intent="succeed">
          <SubmitButton intent="succeed" busy="Saving…" look="secondary">
            Toast of success
          </SubmitButton>
        </PostForm>
        <PostForm intent="fail">
          <SubmitButton intent="fail" busy="Saving…" look="secondary">
            Toast of failure
          </SubmitButton>
        </PostForm>
      </Line>
      {search.open === "drawer" ? (
        <Drawer
          title="POST /orders"
          closeTo={closeTo}
          status={
            <>
              <StatusPill health="unhealthy" />
              <Badge>checkout</Badge>
            </>
          }
          lead={<p className="font-mono text-xs text-faint">https://shop.saltmarsh.example/api/orders</p>}
          foot={
            <Button look="primary" className="ml-auto">
              Run now
            </Button>
          }
        >
          <KeyValues>
            <KeyValue name="Schedule">@every 30s</KeyValue>
            <KeyValue name="Owner">payments</KeyValue>
          </KeyValues>
        </Drawer>
      ) : null}
      {search.open === "dialog" ? (
        <Dialog title="Connection details" closeTo={closeTo} foot={<Button look="primary">Save</Button>}>
          <p>What a dialog holds scrolls between its head and its foot.</p>
        </Dialog>
      ) : null}
      {search.open === "confirm" ? (
        <Dialog
          title="Delete resource"
          closeTo={closeTo}
          size="small"
          foot={
            <>
              <ButtonLink to={closeTo}>Close</ButtonLink>
              <Button look="danger">Delete</Button>
            </>
          }
        >
          <p>Are you sure you want to delete this resource?</p>
        </Dialog>
      ) : null}
    </Examples>
  );
}
