import type { PermissionRow } from "#app/contract/rows/permissions.ts";
import { rightsOf } from "#app/contract/words/permissions.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { KeyValue, KeyValues } from "#app/ui/key-values.tsx";
import { Age, When } from "#app/ui/marks/time.tsx";
import { subjectOf, targetOf } from "./model.ts";
import { whyPath } from "./paths.ts";
import { ActionName, SubjectName, TargetName } from "./target.tsx";

/** A permission as it is saved. `isChanged`: as somebody else left it meanwhile. */
export function PermissionFacts({
  row,
  now,
  isChanged,
}: {
  row: PermissionRow;
  now: number;
  isChanged: boolean;
}) {
  const [target, subject] = [targetOf(row), subjectOf(row)];
  const right = rightsOf(target.kind).find((known) => row.action.split(",").includes(known)) ?? "read";
  return (
    <Card
      title={isChanged ? "As somebody else has saved it now" : "Permission"}
      actions={
        subject.kind === "person" ? (
          <ButtonLink
            size="small"
            to={whyPath({ person: subject.id, kind: target.kind, resource: target.id, right })}
          >
            What it comes to
          </ButtonLink>
        ) : undefined
      }
    >
      <KeyValues>
        <KeyValue name="Resource">
          <TargetName {...target} />
        </KeyValue>
        <KeyValue name="Subject">
          <SubjectName {...subject} />
        </KeyValue>
        <KeyValue name="Action">
          <ActionName action={row.action} deny={row.deny ?? false} />
        </KeyValue>
        <KeyValue name="Until">{row.until ? <When at={row.until} /> : null}</KeyValue>
        <KeyValue name="Description">{row.description}</KeyValue>
        <KeyValue name="Created">
          <Age at={row.created_at} now={now} />
          {row.createdBy ? ` by ${row.createdBy.name}` : null}
        </KeyValue>
      </KeyValues>
    </Card>
  );
}
