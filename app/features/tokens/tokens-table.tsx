import type { ReactNode } from "react";
import type { TokenRow } from "#app/contract/rows/tokens.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Age } from "#app/ui/marks/time.tsx";
import { Cell, HeadCell, Row, Table, TableBody, TableHead } from "#app/ui/table.tsx";
import { tokensPath, type TokensSearch } from "./paths.ts";

/** Access tokens without their secrets: whose, until when, and whether anybody still uses them. */
export function TokensTable({
  tokens,
  search,
  now,
  foot,
}: {
  tokens: readonly TokenRow[];
  search: TokensSearch;
  now: number;
  foot: ReactNode;
}) {
  return (
    <Table caption="Access tokens" foot={foot}>
      <TableHead>
        <HeadCell>Name</HeadCell>
        {search.all ? <HeadCell width="w-44">Person</HeadCell> : null}
        <HeadCell width="w-28" room="wide">
          Created
        </HeadCell>
        <HeadCell width="w-32">Expires</HeadCell>
        <HeadCell width="w-28">Last Used</HeadCell>
        <HeadCell width="w-28">
          <span className="sr-only">Actions</span>
        </HeadCell>
      </TableHead>
      <TableBody>
        {tokens.map(({ id, name, person, created_at, expires_at, last_used_at }) => (
          <Row key={id}>
            <Cell kind="main">
              <span title={name}>{name}</span>
            </Cell>
            {search.all ? <Cell label="Person">{person.name}</Cell> : null}
            <Cell label="Created" room="wide">
              <Age at={created_at} now={now} />
            </Cell>
            <Cell label="Expires">
              <Expiry at={expires_at ?? null} now={now} />
            </Cell>
            <Cell label="Last used">{last_used_at ? <Age at={last_used_at} now={now} /> : "Not yet"}</Cell>
            <Cell kind="aside">
              <ButtonLink to={tokensPath({ ...search, revoke: id })} size="small" preventScrollReset>
                Revoke<span className="sr-only"> {name}</span>
              </ButtonLink>
            </Cell>
          </Row>
        ))}
      </TableBody>
    </Table>
  );
}

/** How long is left, with the moment in the title. */
function Expiry({ at, now }: { at: Date | null; now: number }) {
  if (!at) return "Never";
  if (at.getTime() <= now) return <span className="text-unhealthy-ink">Expired</span>;
  return <Age at={at} now={now} />;
}
