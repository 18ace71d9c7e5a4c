import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { CANARY_TEST } from "#app/contract/words/resources.ts";
import { canaryDoings } from "#app/features/resources/canary.server.ts";
import { specTable } from "#app/features/resources/definitions/index.server.ts";
import { kindOf } from "#app/features/resources/kinds.ts";
import { listCrumb, newResourcePath } from "#app/features/resources/paths.ts";
import { drawingOf, editSpec } from "#app/features/resources/spec/edit.server.ts";
import { draftOf } from "#app/features/resources/spec/read-draft.server.ts";
import { answerOf } from "#app/features/resources/spec/steps.server.ts";
import { SpecEditor } from "#app/features/resources/spec/spec-editor.tsx";
import { TypePicker } from "#app/features/resources/type-picker.tsx";
import { authorize } from "#app/lib/authorize.server.ts";
import type { Handle } from "#app/lib/handle.ts";
import { Page } from "#app/ui/frame/page.tsx";

const read = (data: unknown) => data as NewData | undefined;

export const handle = {
  title: (data) => read(data)?.kind.add ?? "Add",
  crumb: { label: (data) => read(data)?.kind.add ?? "Add", under: (data) => listCrumb(read(data)?.kind) },
} satisfies Handle;

export async function loader(args: LoaderFunctionArgs) {
  const kind = kindOf(args.params["table"]);
  const { backend } = await authorize(args, `write:${kind.access}`, { feature: kind.feature });
  const table = specTable(kind.table);
  const type = new URL(args.request.url).searchParams.get("type") ?? "";
  const types = table.types.map(({ type, label, runs }) => ({ type, label, runs }));
  const draft = draftOf(table, { name: "", namespace: "default", labels: {} }, table.begin(type), {
    as: "form",
  });
  return {
    kind,
    types: type === "" ? types : null,
    answer: { ...answerOf(draft), draft },
    drawing: drawingOf(table, draft),
    canTest: (await backend()).offers(CANARY_TEST),
  };
}
type NewData = ReturnType<typeof useLoaderData<typeof loader>>;

export async function action(args: ActionFunctionArgs) {
  const kind = kindOf(args.params["table"]);
  const { api } = await authorize(args, `write:${kind.access}`, { feature: kind.feature });
  return editSpec(args.request, specTable(kind.table), canaryDoings(api, null));
}

export default function NewResourcePage() {
  const { kind, types, canTest, ...fresh } = useLoaderData<typeof loader>();
  const { answer, drawing } = useActionData<typeof action>() ?? fresh;
  return (
    <Page>
      {types ? (
        <TypePicker table={kind.table} types={types} />
      ) : (
        <SpecEditor
          answer={answer}
          {...drawing}
          isNew
          closeTo={newResourcePath(kind.table)}
          canTest={canTest}
        />
      )}
    </Page>
  );
}
