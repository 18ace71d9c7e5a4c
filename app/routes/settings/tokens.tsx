import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { Plus } from "lucide-react";
import { ACCESS_TOKENS, TOKENS_PAGE_SIZE } from "#app/contract/words/tokens.ts";
import { createToken, revokeToken } from "#app/features/tokens/commands.server.ts";
import { ChosenToken } from "#app/features/tokens/forms.server.ts";
import { tokensPath, tokensSearch } from "#app/features/tokens/paths.ts";
import { listTokens } from "#app/features/tokens/queries.server.ts";
import { CreatedTokenDialog, NewTokenDialog, RevokeDialog } from "#app/features/tokens/token-dialogs.tsx";
import { TokensTable } from "#app/features/tokens/tokens-table.tsx";
import { authorize } from "#app/lib/authorize.server.ts";
import type { Handle } from "#app/lib/handle.ts";
import { postedForm } from "#app/lib/posted-form.server.ts";
import { on, submit } from "#app/lib/submit.server.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Empty } from "#app/ui/empty.tsx";
import { Page, Panel } from "#app/ui/frame/page.tsx";
import { Pager } from "#app/ui/pager.tsx";
import { SwitchLink } from "#app/ui/switch-link.tsx";

const TITLE = "Access Tokens";
export const handle = { title: TITLE, crumb: { label: TITLE }, refresh: true } satisfies Handle;
const NONE_HERE = "This backend does not let people make access tokens.";

export async function loader(args: LoaderFunctionArgs) {
  const { api, user, backend } = await authorize(args, "signed-in");
  if (!(await backend()).offers(ACCESS_TOKENS)) throw new Response(NONE_HERE, { status: 404 });
  const isAdmin = user.roles.includes("admin");
  const asked = tokensSearch.read(args.request);
  const search = { ...asked, all: asked.all && isAdmin };
  const { tokens, total } = await listTokens(api, search);
  const revoked = tokens.find(({ id }) => id === search.revoke) ?? null;
  return { search, tokens, total, isAdmin, revoked, now: Date.now() };
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await authorize(args, "signed-in");
  const { all } = tokensSearch.read(args.request);
  if ((await postedForm(args.request.clone())).get("intent") === "create")
    return createToken(args.request, api);
  return submit(args.request, {
    revoke: on(ChosenToken, async ({ id }) => {
      const name = await revokeToken(api, id);
      return { to: tokensPath({ all }), toast: `${name} revoked` };
    }),
  });
}

export default function TokensPage() {
  const { search, tokens, total, isAdmin, revoked, now } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const created = answer && "created" in answer ? answer.created : null;
  const result = answer && "result" in answer ? answer.result : undefined;
  const list = { ...search, add: false, revoke: "" };
  const to = tokensPath(list);
  return (
    <Page>
      <div className="flex flex-wrap items-center gap-2">
        <p className="min-w-0 flex-1 basis-80 text-pretty text-muted">
          With a token a program calls the API as you, with your rights. One that nobody uses any more is best
          revoked.
        </p>
        {isAdmin ? (
          <SwitchLink to={tokensPath({ all: !search.all })} on={search.all} label="Everybody's" />
        ) : null}
        <ButtonLink to={tokensPath({ ...list, add: true })} look="primary" preventScrollReset>
          <Plus aria-hidden="true" />
          Create access token
        </ButtonLink>
      </div>
      {tokens.length > 0 ? (
        <TokensTable
          tokens={tokens}
          search={list}
          now={now}
          foot={
            <Pager
              label={TITLE}
              page={search.page}
              pageSize={TOKENS_PAGE_SIZE}
              total={total}
              href={(page) => tokensPath({ ...list, page })}
            />
          }
        />
      ) : (
        <Panel label={TITLE}>
          <Empty actions={search.page > 1 ? <ButtonLink to={tokensPath()}>First page</ButtonLink> : null}>
            {search.page > 1 ? `There is no page ${search.page}.` : "There is no access token yet."}
          </Empty>
        </Panel>
      )}
      {created ? (
        <CreatedTokenDialog created={created} closeTo={to} />
      ) : search.add ? (
        <NewTokenDialog closeTo={to} result={result} />
      ) : revoked ? (
        <RevokeDialog token={revoked} closeTo={to} errors={result?.error?.[""]} />
      ) : null}
    </Page>
  );
}
