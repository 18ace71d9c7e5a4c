import { ChevronDown, CircleQuestionMark, FileText, Pencil, Play, Plus, Trash2 } from "lucide-react";
import { Button, ButtonLink, LINK } from "#app/ui/button.tsx";
import { Copy } from "#app/ui/copy.tsx";
import { Menu, MENU_ITEM, MenuHead, MenuRule } from "#app/ui/menu.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { Segmented, SegmentedLinks } from "#app/ui/segmented.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import { Columns, Example, Examples, Line } from "./example.tsx";

export function Buttons() {
  return (
    <Examples id="buttons" lead="The accent means: you can act here. One primary button a screen.">
      <Example title="Looks and states">
        <Line>
          <Button look="primary">
            <Play aria-hidden="true" />
            Run now
          </Button>
          <Button>Secondary</Button>
          <Button look="quiet">Quiet</Button>
          <Button look="danger">
            <Trash2 aria-hidden="true" />
            Delete
          </Button>
          <Button disabled>Disabled</Button>
          <Button icon aria-label="Add" title="Add">
            <Plus aria-hidden="true" />
          </Button>
          <Button size="small">Small</Button>
          <ButtonLink to="/ui">A link</ButtonLink>
          <a href="#buttons" className={LINK}>
            A link in a text
          </a>
          <Copy text="What is copied" label="Copy an example" />
        </Line>
      </Example>
      <Columns>
        <Example title="Menu">
          <Line>
            <Menu
              label="Actions"
              look="secondary"
              icon={false}
              align="start"
              trigger={
                <>
                  Actions
                  <ChevronDown aria-hidden="true" />
                </>
              }
            >
              <MenuHead>This check</MenuHead>
              <a href="#buttons" className={MENU_ITEM}>
                <Pencil aria-hidden="true" />
                Edit
              </a>
              <a href="#buttons" className={MENU_ITEM}>
                <FileText aria-hidden="true" />
                Show spec
              </a>
              <MenuRule />
              <button type="button" className={MENU_ITEM}>
                <Trash2 aria-hidden="true" />
                Delete
              </button>
            </Menu>
            <Menu label="Help" align="start" trigger={<CircleQuestionMark aria-hidden="true" />}>
              <a href="#buttons" className={MENU_ITEM}>
                Docs
              </a>
            </Menu>
          </Line>
        </Example>
        <Example title="One of a few: places, and values of a form">
          <Line>
            <SegmentedLinks
              label="View"
              segments={[
                { to: "/ui", label: "Form", current: true },
                { to: "/ui#code", label: "Code", current: false },
              ]}
            />
            <Segmented
              label="Size"
              name="size"
              value="month"
              options={["day", "week", "month"].map((value) => ({ value, label: value }))}
            />
          </Line>
        </Example>
      </Columns>
      <Example title="Tabs with counts">
        <Tabs
          label="Example"
          tabs={[
            { to: "/ui", label: "All", current: true, count: "125" },
            { to: "/ui?page=2", label: "checkout", current: false, count: "4", tone: "unhealthy" },
            { to: "/ui?page=3", label: "ledger", current: false, count: "12" },
          ]}
        />
      </Example>
      <Example title="Notices">
        <Notice tone="info">A new version of the spec is there.</Notice>
        <Notice tone="healthy">All 125 checks pass.</Notice>
        <Notice tone="warning">This check was deleted: it does not run any more.</Notice>
        <Notice tone="unhealthy" role={undefined}>
          Not saved: two fields need a look.
        </Notice>
      </Example>
    </Examples>
  );
}
