import { data, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/node";
import { Link, useActionData, useLoaderData } from "@remix-run/react";
import type { ImportReport } from "#app/contract/rows/import-report.ts";
import { helpPath } from "#app/features/help/paths.ts";
import {
  givenOf,
  importCanaries,
  isTooLong,
  keptOf,
  offersImport,
  TOO_LONG,
} from "#app/features/imports/commands.server.ts";
import { importPath } from "#app/features/imports/paths.ts";
import { Report } from "#app/features/imports/report.tsx";
import { canaries } from "#app/features/resources/definitions/canaries.ts";
import { listCrumb, resourcesPath } from "#app/features/resources/paths.ts";
import { authorize } from "#app/lib/authorize.server.ts";
import type { Handle } from "#app/lib/handle.ts";
import { typedForm } from "#app/lib/posted-form.server.ts";
import { KEPT_WORDS } from "#app/lib/signed-out.ts";
import { UpstreamError } from "#app/lib/upstream-error.ts";
import { Button, ButtonLink, LINK } from "#app/ui/button.tsx";
import { CodeEditor } from "#app/ui/code-editor.tsx";
import { Field, FieldNote, Input } from "#app/ui/field.tsx";
import { FormSection, FormSheet, WIDE_FIELD } from "#app/ui/form-sheet.tsx";
import { Page } from "#app/ui/frame/page.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { PostForm } from "#app/ui/post-form.tsx";

export const handle = {
  title: "Import",
  crumb: { label: "Import", to: importPath(), under: () => listCrumb(canaries) },
} satisfies Handle;

export async function loader(args: LoaderFunctionArgs) {
  const { backend } = await authorize(args, "write:canaries", { feature: FEATURE });
  return { canImport: offersImport(await backend()) };
}
const FEATURE = "settings.health" as const;

/** The answer is the report, on the page: importing the same once more changes nothing. */
interface Answer {
  report: ImportReport | null;
  error: string | null;
  /** What was pasted or chosen; null: too long for the page. */
  text: string | null;
}
const refused = (error: string, text: string | null, status = 400) =>
  data<Answer>({ report: null, error, text }, { status });

export async function action(args: ActionFunctionArgs) {
  const { api } = await authorize(args, "write:canaries", { feature: FEATURE });
  if (isTooLong(args.request)) return refused(TOO_LONG, null, 413);
  const { form, isBack } = await typedForm(args.request);
  const given = await givenOf(form);
  const text = keptOf(given);
  if (isBack) return refused(KEPT_WORDS, text, 200);
  if (given.text.trim() === "") return refused("Choose a file, or paste its text.", text);
  try {
    return data<Answer>({ report: await importCanaries(api, given), error: null, text });
  } catch (error) {
    if (error instanceof UpstreamError && error.status < 500) return refused(error.message, text, 422);
    throw error;
  }
}

export default function CanariesImportPage() {
  const { canImport } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  return (
    <Page>
      {canImport ? null : <Notice tone="warning">This backend cannot import files.</Notice>}
      {answer?.report ? <Report {...answer.report} /> : null}
      <PostForm intent="import" files className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <FormSheet>
          <FormSection
            title="File"
            lead="Canaries as YAML, the configuration of Gatus, or a backup of Uptime Kuma (JSON)."
          >
            <Field id="file" label="Choose a file" hint="At most 5 MB" className={WIDE_FIELD}>
              <Input
                id="file"
                type="file"
                name="file"
                accept=".yaml,.yml,.json"
                aria-describedby="file-error"
              />
            </Field>
            <div className={`grid gap-1 ${WIDE_FIELD}`}>
              <label htmlFor="text" className="font-medium">
                or paste its text
              </label>
              <CodeEditor
                key={answer?.text ?? ""}
                id="text"
                name="text"
                language="yaml"
                rows={16}
                defaultValue={answer?.text ?? ""}
                aria-invalid={answer?.error ? true : undefined}
                aria-describedby="text-error"
              />
              <FieldNote id="text" errors={answer?.error ? [answer.error] : null} hint={hintOf(answer)} />
            </div>
            <p className={`text-muted ${WIDE_FIELD}`}>
              What is imported can be edited here afterwards.{" "}
              <Link to={helpPath("files")} className={LINK}>
                How files are read
              </Link>
            </p>
          </FormSection>
        </FormSheet>
        <div className="flex flex-wrap justify-end gap-2">
          <ButtonLink to={resourcesPath("canaries")} look="quiet">
            Back to the list
          </ButtonLink>
          <Button name="do" value="check">
            Check only
          </Button>
          <Button name="do" value="import" look="primary">
            Import
          </Button>
        </div>
      </PostForm>
    </Page>
  );
}

const hintOf = (answer: Answer | undefined) =>
  answer?.text === null
    ? "The file is too long to be shown here: choose it again"
    : "A file that is chosen counts more";
