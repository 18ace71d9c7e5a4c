import type { LoaderFunctionArgs } from "@remix-run/node";
import { Form, useLoaderData } from "@remix-run/react";
import { KIND_LABELS, RESOURCE_KINDS, rightsOf } from "#app/contract/words/permissions.ts";
import { doing } from "#app/features/permissions/model.ts";
import { isId, PERMISSIONS_CRUMB, whyPath, whySearch } from "#app/features/permissions/paths.ts";
import { explain, listChoices } from "#app/features/permissions/queries.server.ts";
import { WhyChain } from "#app/features/permissions/why-chain.tsx";
import { authorize } from "#app/lib/authorize.server.ts";
import type { Handle } from "#app/lib/handle.ts";
import { UpstreamError } from "#app/lib/upstream-error.ts";
import { Button } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { Field, Input } from "#app/ui/field.tsx";
import { Page } from "#app/ui/frame/page.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { SegmentedLinks } from "#app/ui/segmented.tsx";
import { Select } from "#app/ui/select-field.tsx";

export const handle = {
  title: "Why?",
  crumb: { label: "Why?", under: () => PERMISSIONS_CRUMB },
} satisfies Handle;

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await authorize(args, "read:permissions", { feature: "settings.permissions" });
  const search = whySearch.read(args.request);
  const { person, kind, resource, find } = search;
  const [people, resources, answer] = await Promise.all([
    listChoices(api, "person", { chosen: person }),
    listChoices(api, kind, { find, chosen: resource }),
    isId(person) && isId(resource)
      ? explain(api, search).then(
          (why) => ({ why, problem: null }),
          (error: unknown) => {
            if (error instanceof UpstreamError) return { why: null, problem: error.message };
            throw error;
          },
        )
      : { why: null, problem: null },
  ]);
  const who = people.choices.find(({ id }) => id === person)?.name ?? "Somebody";
  return { search, people, resources, who, ...answer };
}

/** Why somebody may or may not do a thing. A plain form: the question is the address, so it can be sent to others. */
export default function WhyPage() {
  const { search, people, resources, who, why, problem } = useLoaderData<typeof loader>();
  const choose = { value: "", label: "Choose…" };
  const named = ({ id, name }: { id: string; name: string }) => ({ value: id, label: name });
  return (
    <Page>
      <Card title="Why may somebody do a thing, or not?">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
          <div>
            <SegmentedLinks
              label="Kind of resource"
              segments={RESOURCE_KINDS.map((kind) => ({
                to: whyPath({ ...search, kind, resource: "", find: "" }),
                label: KIND_LABELS[kind],
                current: kind === search.kind,
              }))}
            />
          </div>
          <Form preventScrollReset className="grid gap-x-4 sm:grid-cols-2 lg:grid-cols-4" key={search.kind}>
            <input type="hidden" name="kind" value={search.kind} />
            <Field id="why-person" label="Person">
              <Select
                id="why-person"
                name="person"
                key={search.person}
                defaultValue={search.person}
                options={[choose, ...people.choices.map(named)]}
              />
            </Field>
            <Field id="why-right" label="Action">
              <Select
                id="why-right"
                name="right"
                key={search.right}
                defaultValue={search.right}
                options={rightsOf(search.kind).map((right) => ({
                  value: right,
                  label: doing(right),
                }))}
              />
            </Field>
            <Field id="why-resource" label={KIND_LABELS[search.kind]}>
              <Select
                id="why-resource"
                name="resource"
                key={`${search.resource} ${search.find}`}
                defaultValue={search.resource}
                options={[choose, ...resources.choices.map(named)]}
              />
            </Field>
            <Field
              id="why-find"
              label="Find by name"
              hint={resources.more ? "There are more than the list shows." : undefined}
            >
              <Input id="why-find" name="find" defaultValue={search.find} autoComplete="off" />
            </Field>
            <div className="col-span-full flex justify-end">
              <Button look="primary">Explain</Button>
            </div>
          </Form>
        </div>
      </Card>
      {problem ? <Notice tone="unhealthy">{problem}</Notice> : null}
      {why ? <WhyChain why={why} who={who} right={search.right} kind={search.kind} /> : null}
    </Page>
  );
}
